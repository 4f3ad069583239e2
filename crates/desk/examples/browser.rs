//! What a browser's worker does: games with engines at both sides, searched in steps by one thread,
//! on a clock of its own. Built for wasm32-unknown-unknown and run by `browser.mjs`, it shows that
//! nothing on the way needs a thread, a file or the system's clock, all of which panic there.

use monteverde_desk::host::TreeMemory;
use monteverde_desk::{Host, Searching, Session};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// So many iterations each game is searched for.
const ITERATIONS: u64 = 1000;

/// Counts what it is told; its clock moves whenever it is looked at.
#[derive(Default)]
struct Worker {
    micros: AtomicU64,
    searched: AtomicU64,
    faults: AtomicU64,
}

impl Host for Worker {
    fn now(&self) -> Duration {
        Duration::from_micros(self.micros.fetch_add(10, Relaxed))
    }
    fn random(&self) -> u64 {
        self.micros.load(Relaxed)
    }
    fn send(&self, message: &Value) {
        if message["type"] == "error" {
            self.faults.fetch_add(1, Relaxed);
        }
        if message["final"] == true {
            self.searched.fetch_add(message["iterations"].as_u64().unwrap_or_default(), Relaxed);
        }
    }
    fn memory(&self, wanted: usize) -> TreeMemory {
        TreeMemory::new(wanted.min(16 << 20), ())
    }
}

fn main() {
    for game in monteverde_games::games().iter() {
        let worker = Arc::new(Worker::default());
        let mut session = Session::new(monteverde_games::games());
        session.connect(worker.clone());
        let engine = json!({ "player": game.strongest(), "pace": "iterations=100" });
        let new = json!({ "type": "new", "game": game.name(), "seats": [engine, engine] });
        while worker.searched.load(Relaxed) < ITERATIONS {
            // A game that has ended is followed by another.
            if session.step(50) == Searching::Idle {
                session.message(&new.to_string());
            }
            assert_eq!(worker.faults.load(Relaxed), 0, "{}", game.name());
        }
    }
}
