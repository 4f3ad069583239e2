//! What a session needs of the program around it.

use crate::request::Slot;
use monteverde_game::limit::Clock;
use serde_json::Value;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// The program around a session while somebody is connected to it.
pub trait Host: Send + Sync {
    /// The time since a moment that stays the same; it never goes back.
    fn now(&self) -> Duration;
    /// A number that nobody can guess.
    fn random(&self) -> u64;
    /// Sends a message to the page.
    fn send(&self, message: &Value);
    /// Sends a message to the page, unless a later one of the topic comes before it is sent.
    fn show(&self, topic: Topic, message: &Value) {
        let _ = topic;
        self.send(message);
    }
    /// Forgets what waits of a topic, since something newer goes another way.
    fn forget(&self, topic: Topic) {
        let _ = topic;
    }
    /// Memory for a tree: as much of what is wanted as there is.
    fn memory(&self, wanted: usize) -> TreeMemory;
    /// Where searches run by themselves; without such a place
    /// [`Session::step`](crate::Session::step) runs them.
    fn threads(&self) -> Option<&dyn Threads> {
        None
    }
}

/// Threads for searches.
pub trait Threads: Send + Sync {
    /// The most that one search can have.
    fn most(&self) -> usize;
    /// A place among the searches that share the processor, for one that uses so many threads.
    fn turn(&self, threads: usize) -> Arc<dyn Turn>;
    /// Does the work on a thread of its own; after it [`Session::ended`](crate::Session::ended) is
    /// to be called.
    fn spawn(&self, search: SearchId, work: Box<dyn FnOnce() + Send>)
    -> io::Result<JoinHandle<()>>;
}

/// The place of one search among the others.
pub trait Turn: Send + Sync {
    /// Waits for its first turn, and gives the clock that begins with it.
    fn begin(self: Arc<Self>) -> Box<dyn Clock>;
    /// The search is to end: it waits no longer.
    fn end(&self);
}

/// One search of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchId {
    pub(crate) slot: Slot,
    /// Tells it from earlier searches of its slot.
    pub(crate) number: u64,
}

/// What a message says how it stands with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Topic {
    /// The game.
    State,
    /// A search.
    Report(Slot),
    /// The opened nodes of a tree.
    Nodes(Slot),
}

/// The right to some memory, given back when it is dropped.
pub struct TreeMemory {
    bytes: usize,
    _right: Box<dyn Send>,
}

impl TreeMemory {
    /// So many bytes, for as long as `right` is kept.
    pub fn new(bytes: usize, right: impl Send + 'static) -> TreeMemory {
        TreeMemory { bytes, _right: Box::new(right) }
    }

    /// How many bytes there are.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl fmt::Debug for TreeMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.bytes)
    }
}

/// The time since a moment, as the host tells it.
pub(crate) struct HostClock {
    host: Arc<dyn Host>,
    start: Duration,
}

impl HostClock {
    pub(crate) fn since(host: &Arc<dyn Host>, start: Duration) -> HostClock {
        HostClock { host: host.clone(), start }
    }
}

impl Clock for HostClock {
    fn elapsed(&self) -> Duration {
        self.host.now().saturating_sub(self.start)
    }
}
