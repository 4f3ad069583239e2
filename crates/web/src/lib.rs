//! The page and its server: play, analyse, and watch the tree grow.
//!
//! [`serve`] answers to browsers: the files of the page (`page/`, embedded), games and players over HTTP, and sessions over
//! a WebSocket. `docs/web-protocol.md` is the protocol. Nothing here knows how moves are found; players come from
//! the crate `players` by their specs.

mod catalogue;
mod cores;
mod desk;
mod fault;
mod files;
mod guard;
mod lab;
mod line;
mod look;
mod matches;
mod memory;
mod outbox;
mod record;
mod replay;
mod request;
mod running;
mod server;
mod session;
mod shape;
mod socket;

pub use fault::{Code, Fault};
pub use server::{MESSAGE_BYTES, Options, PORT, Server, serve};
