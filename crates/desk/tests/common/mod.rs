//! A host without threads for sessions under test.
#![allow(dead_code)] // each test uses its part

use monteverde_desk::host::TreeMemory;
use monteverde_desk::{Host, Session};
use serde_json::Value;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A host whose clock moves by itself only as far as it is looked at.
#[derive(Default)]
pub(crate) struct Still {
    micros: AtomicU64,
    pub(crate) sent: Mutex<Vec<Value>>,
}

impl Host for Still {
    fn now(&self) -> Duration {
        Duration::from_micros(self.micros.fetch_add(1, Relaxed))
    }
    fn random(&self) -> u64 {
        7
    }
    fn send(&self, message: &Value) {
        self.sent.lock().unwrap().push(message.clone());
    }
    fn memory(&self, wanted: usize) -> TreeMemory {
        TreeMemory::new(wanted.min(16 << 20), ())
    }
}

impl Still {
    pub(crate) fn pass(&self, time: Duration) {
        self.micros.fetch_add(time.as_micros() as u64, Relaxed);
    }

    /// What was sent of a type since the last time.
    pub(crate) fn take(&self, kind: &str) -> Vec<Value> {
        let all = std::mem::take(&mut *self.sent.lock().unwrap());
        assert!(all.iter().all(|message| message["type"] != "error"), "{all:?}");
        all.into_iter().filter(|message| message["type"] == kind).collect()
    }
}

pub(crate) fn connected() -> (Session, Arc<Still>) {
    let (mut session, host) = (Session::new(monteverde_games::games()), Arc::new(Still::default()));
    session.connect(host.clone());
    (session, host)
}

pub(crate) fn say(session: &mut Session, message: Value) {
    session.message(&message.to_string());
}
