//! The lab on many machines, over a NATS server with JetStream.
//!
//! The *coordinator* is the run itself ([`Coordinator`], a [`monteverde_lab::crew::Crew`]): it
//! publishes pieces of work, takes in results and alone writes the store. *Workers*
//! ([`worker::work`]) pull pieces, say that they are at it while they are, publish results and
//! acknowledge. [`Watcher`] shows who is there.
//!
//! The server only carries. Each run has two streams: one of tasks, a queue from which a task goes
//! when a worker has acknowledged it, and one of results, from which a result goes when it is in
//! the store. Nothing relies on the server's memory of duplicates: the coordinator knows by its
//! store what is missing, and looks now and then whether what it waits for is still queued. A
//! message that is lost or doubled costs a game's time, never a game. Whatever comes in is bounded
//! in size and checked; what does not fit is dropped with a sentence.

mod connection;
mod coordinator;
mod message;
mod names;
mod status;
pub mod worker;

pub use connection::{ClusterError, Login, Say, Server, host};
pub use coordinator::{Coordinator, CoordinatorOptions};
pub use message::{RunStatus, WorkerStatus};
pub use names::{RunName, RunNameError};
pub use status::{Picture, RunPicture, SeenWorker, Watcher, forget};
