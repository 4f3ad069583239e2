//! Results of pieces that are not out yet: a coordinator that goes on finds what workers finished
//! while it was gone. They wait as they came, and not without end.

use super::Arrived;
use monteverde_lab::task::Key;
use std::collections::{HashMap, VecDeque};

/// The most bytes that wait; those that came first make way.
const MOST_BYTES: usize = 32 << 20;

#[derive(Default)]
pub(super) struct EarlyResults {
    results: HashMap<Key, Arrived>,
    order: VecDeque<Key>,
    bytes: usize,
}

impl EarlyResults {
    /// Keeps a result; gives back those for which there is no room.
    pub(super) fn keep(&mut self, arrived: Arrived) -> Vec<Arrived> {
        let mut dropped = Vec::new();
        self.bytes += arrived.body.len();
        let key = arrived.key;
        match self.results.insert(key, arrived) {
            // The same once more.
            Some(before) => {
                self.bytes -= before.body.len();
                dropped.extend((before.acker.is_some()).then_some(before));
            }
            None => self.order.push_back(key),
        }
        while self.bytes > MOST_BYTES
            && let Some(first) = self.order.pop_front()
        {
            dropped.extend(self.take(&first));
        }
        dropped
    }

    /// The result of a piece that goes out.
    pub(super) fn take(&mut self, key: &Key) -> Option<Arrived> {
        let found = self.results.remove(key)?;
        self.bytes -= found.body.len();
        // Keys of results that were taken stay in the order; many of those are thrown out at once.
        const MANY: usize = 1024;
        if self.order.len() > 2 * self.results.len() + MANY {
            let results = &self.results;
            self.order.retain(|key| results.contains_key(key));
        }
        Some(found)
    }

    pub(super) fn clear(&mut self) {
        *self = EarlyResults::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    #[test]
    fn the_first_make_way() {
        let mut early = EarlyResults::default();
        let key = |number: u32| {
            let mut key = Key([0; 32]);
            key.0[..4].copy_from_slice(&number.to_le_bytes());
            key
        };
        let body = Bytes::from(vec![0; 1 << 20]);
        let arrived = |number| Arrived { key: key(number), body: body.clone(), acker: None };
        for number in 0..32 {
            assert!(early.keep(arrived(number)).is_empty());
        }
        assert!(early.keep(arrived(31)).is_empty(), "the same once more");
        let dropped: Vec<Key> = early.keep(arrived(32)).iter().map(|one| one.key).collect();
        assert_eq!(dropped, [key(0)]);
        assert!(early.take(&key(0)).is_none() && early.take(&key(5)).is_some());
        for number in 100..10_000 {
            early.keep(Arrived { key: key(number), body: Bytes::new(), acker: None });
            early.take(&key(number));
        }
        assert!(early.order.len() < 2000 && early.bytes == 31 << 20);
    }
}
