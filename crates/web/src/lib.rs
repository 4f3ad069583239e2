//! The page's files and the server around the desk.
//!
//! [`serve`] answers to browsers: the files of the page (`page/`, embedded), games and players over
//! HTTP, sessions over a WebSocket, and the lab's stores and experiments. `docs/web-protocol.md` is
//! the protocol. What the page says and is told is made by the crate `desk`; here are the sockets,
//! the threads, the memory and the clock that it needs.

mod allocator;
mod clients;
mod cluster;
mod connections;
mod cores;
mod fault;
mod files;
mod guard;
mod lab;
mod link;
mod markdown;
mod matches;
mod memory;
mod outbox;
mod patience;
mod positions;
mod request;
mod server;
mod sessions;
mod socket;
mod work;

pub use cluster::ClusterView;
pub use server::{MESSAGE_BYTES, Options, PORT, Server, serve};
