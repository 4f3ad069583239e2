//! The host of a connected session: what the server gives it.

use crate::cores::{CoreTurn, Cores};
use crate::memory::Memory;
use crate::outbox::Outbox;
use monteverde_desk::host::{Host, SearchId, Threads, Topic, TreeMemory, Turn};
use monteverde_game::limit::Clock;
use serde_json::Value;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;

/// What a session of a connection is given.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) outbox: Arc<Outbox>,
    /// Told of every search that has ended.
    pub(crate) ended: UnboundedSender<SearchId>,
    pub(crate) cores: Arc<Cores>,
    pub(crate) memory: Arc<Memory>,
    /// When the connection began.
    pub(crate) start: Instant,
}

impl Host for Link {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn random(&self) -> u64 {
        let mut bytes = [0; 8];
        // Without a source of randomness the time will do: what is drawn from it is which piece
        // shows.
        if getrandom::fill(&mut bytes).is_err() {
            let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
            return since.as_nanos() as u64;
        }
        u64::from_le_bytes(bytes)
    }

    fn send(&self, message: &Value) {
        self.outbox.send(message);
    }

    fn show(&self, topic: Topic, message: &Value) {
        self.outbox.show(topic, message);
    }

    fn forget(&self, topic: Topic) {
        self.outbox.forget(topic);
    }

    fn memory(&self, wanted: usize) -> TreeMemory {
        let grant = self.memory.grant(wanted);
        TreeMemory::new(grant.bytes(), grant)
    }

    fn threads(&self) -> Option<&dyn Threads> {
        Some(self)
    }
}

impl Threads for Link {
    fn most(&self) -> usize {
        self.cores.all()
    }

    fn turn(&self, threads: usize) -> Arc<dyn Turn> {
        self.cores.turn(threads)
    }

    fn spawn(
        &self,
        search: SearchId,
        work: Box<dyn FnOnce() + Send>,
    ) -> io::Result<JoinHandle<()>> {
        let ended = self.ended.clone();
        std::thread::Builder::new().name("search".to_owned()).spawn(move || {
            work();
            let _ = ended.send(search);
        })
    }
}

impl Turn for CoreTurn {
    fn begin(self: Arc<Self>) -> Box<dyn Clock> {
        Box::new(CoreTurn::begin(&self))
    }

    fn end(&self) {
        CoreTurn::end(self);
    }
}
