//! Games that are written in Python: a class with five methods becomes an entry like those of the
//! program. Every call into Python takes the interpreter, so such a game is slow; it is as correct
//! as the class is.

mod conforming;
mod entry;
mod raised;
mod rules;
mod steps;

pub(crate) use conforming::conformance;
pub(crate) use entry::register;
pub(crate) use raised::{guarded, is_raised, raise, take as raised_last};
