//! Messages of the page.

use crate::games;
use monteverde_desk::host::TreeMemory;
use monteverde_desk::{Host, Session};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// So many messages are read of one input.
const MESSAGES: usize = 32;
/// So many steps every search goes on between two messages, of so many iterations.
const STEPS: [u64; 2] = [3, 4];

/// A page without threads, whose clock moves as it is looked at.
#[derive(Default)]
struct Page {
    micros: AtomicU64,
    failed: AtomicBool,
}

impl Host for Page {
    fn now(&self) -> Duration {
        Duration::from_micros(self.micros.fetch_add(100, Relaxed))
    }
    fn random(&self) -> u64 {
        7
    }
    fn send(&self, message: &Value) {
        assert!(message["type"].is_string(), "{message}");
        // A session that panics says so to its page.
        if message["code"] == "failed" {
            self.failed.store(true, Relaxed);
        }
    }
    fn memory(&self, wanted: usize) -> TreeMemory {
        TreeMemory::new(wanted.min(1 << 20), ())
    }
}

/// Messages of one tab, a line each, with some thought between them.
pub(crate) fn desk(text: &str) {
    let (mut session, page) = (Session::new(games().clone()), Arc::new(Page::default()));
    session.connect(page.clone());
    for line in text.lines().take(MESSAGES) {
        session.message(line);
        let [steps, iterations] = STEPS;
        for _ in 0..steps {
            session.step(iterations);
        }
        if session.deadline().is_some_and(|deadline| deadline <= page.now()) {
            session.alarm();
        }
        assert!(!page.failed.load(Relaxed), "the session panicked at {line}");
    }
    session.disconnect();
}
