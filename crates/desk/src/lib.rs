//! What the page says and is told: the session of a tab, its messages, its boards.
//!
//! A [`Session`] takes messages of the page, as text, and answers through its [`Host`], which is
//! all that it knows of the program around it: a server gives it threads, memory and a clock; a
//! browser's worker, which has no threads, lets it think step by step ([`Session::step`]).
//! [`catalogue`] and [`replay`] answer to questions that need no session. `docs/web-protocol.md` is
//! the protocol.
//!
//! There is nothing here of sockets, files, stores or an async runtime; no clock is read but the
//! host's, and nothing is kept outside a session.

pub mod catalogue;
mod desk;
mod fault;
mod game_record;
pub mod host;
mod import;
mod nodes;
mod position;
pub mod replay;
mod report;
mod request;
mod search;
mod session;

pub use desk::{MOST_PATHS, MOST_PLIES, Searching};
pub use fault::{Code, Fault};
pub use host::Host;
pub use request::{Slot, pace};
pub use session::Session;
