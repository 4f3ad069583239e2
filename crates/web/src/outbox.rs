//! What waits to be sent to a client.

use monteverde_desk::host::Topic;
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// So many messages, and so many bytes of them, may wait for a client that does not read; then it
/// is given up.
const MOST_WAITING: usize = 1000;
const MOST_BYTES: usize = 8 << 20;

/// The messages for one connection. Of those that say how something stands only the latest is kept,
/// so that a slow client costs no memory and sees the newest.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: Mutex<Waiting>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Messages that are sent in any case, in order.
    line: VecDeque<Out>,
    /// What they have in bytes.
    bytes: usize,
    /// Messages of which the next replaces the last.
    latest: BTreeMap<Topic, String>,
}

/// One thing to send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Out {
    /// A message.
    Text(String),
    /// The end of the connection, with its code and reason.
    Close(u16, &'static str),
}

impl Outbox {
    /// Sends a message in any case.
    pub(crate) fn send(&self, message: &Value) {
        let mut waiting = self.lock();
        if waiting.line.len() < MOST_WAITING && waiting.bytes < MOST_BYTES {
            let text = message.to_string();
            waiting.bytes += text.len();
            waiting.line.push_back(Out::Text(text));
        } else if !matches!(waiting.line.back(), Some(Out::Close(..))) {
            waiting.line.push_back(Out::Close(1008, "the client does not read"));
        }
        drop(waiting);
        self.changed.notify_one();
    }

    /// Sends a message unless a later one of the topic comes first.
    pub(crate) fn show(&self, topic: Topic, message: &Value) {
        self.lock().latest.insert(topic, message.to_string());
        self.changed.notify_one();
    }

    /// Forgets what waits of a topic, as something newer goes another way.
    pub(crate) fn forget(&self, topic: Topic) {
        self.lock().latest.remove(&topic);
    }

    /// Ends the connection after what waits in line.
    pub(crate) fn close(&self, code: u16, reason: &'static str) {
        self.lock().line.push_back(Out::Close(code, reason));
        self.changed.notify_one();
    }

    /// The next thing to send, as soon as there is one.
    pub(crate) async fn next(&self) -> Out {
        loop {
            let changed = self.changed.notified();
            if let Some(out) = self.take() {
                return out;
            }
            changed.await;
        }
    }

    fn take(&self) -> Option<Out> {
        let mut waiting = self.lock();
        let latest =
            |waiting: &mut Waiting| waiting.latest.pop_first().map(|(_, text)| Out::Text(text));
        // A state goes before the answers in line, which may be about it.
        match waiting.line.pop_front() {
            Some(out) => {
                if let Out::Text(text) = &out {
                    waiting.bytes -= text.len();
                }
                Some(out)
            }
            None => latest(&mut waiting),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_does_not_read_is_given_up() {
        let outbox = Outbox::default();
        let message = Value::from("x".repeat(1 << 20));
        for _ in 0..100 {
            outbox.send(&message);
        }
        assert!(outbox.lock().bytes < MOST_BYTES + (2 << 20));
        let outs: Vec<_> = std::iter::from_fn(|| outbox.take()).collect();
        assert_eq!((outs.len(), outbox.lock().bytes), (9, 0));
        assert!(matches!(outs[8], Out::Close(1008, _)));
    }
}
