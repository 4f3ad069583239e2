//! Memory for trees, shared by all sessions.
//!
//! Half of it is set aside in equal parts, one for every player that there can be, so that nobody
//! is ever refused. The other half goes to who comes first, each getting at most half of what is
//! left: few players have large trees, many have small ones, and all together never have more than
//! there is.

use std::sync::{Arc, Mutex, PoisonError};

/// So many players a session can have at once: two that play, two that analyse.
const PLAYERS_A_SESSION: usize = 4;
/// One tree gets at most one part in so many of all memory.
const PARTS: usize = 8;
/// The least that a player accepts.
const LEAST: usize = 64 << 10;

/// All the memory that trees may take.
#[derive(Debug)]
pub(crate) struct Memory {
    /// What every player gets in any case.
    share: usize,
    /// The most that a player gets.
    most: usize,
    /// What is left of the common half.
    common: Mutex<usize>,
}

/// The right to some of it, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Grant {
    memory: Arc<Memory>,
    bytes: usize,
    /// How much of that is of the common half.
    common: usize,
}

impl Memory {
    /// So much memory for so many sessions.
    pub(crate) fn new(all: usize, sessions: usize) -> Arc<Memory> {
        let share = (all / 2 / sessions.saturating_mul(PLAYERS_A_SESSION).max(1)).max(LEAST);
        Arc::new(Memory { share, most: (all / PARTS).max(share), common: Mutex::new(all / 2) })
    }

    /// The most that one tree gets.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// As much of what is wanted as there is.
    pub(crate) fn grant(self: &Arc<Self>, wanted: usize) -> Grant {
        let mut left = self.common.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = wanted.min(self.most).min(self.share + *left / 2);
        let common = bytes.saturating_sub(self.share);
        *left -= common;
        Grant { memory: self.clone(), bytes, common }
    }
}

impl Grant {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        *self.memory.common.lock().unwrap_or_else(PoisonError::into_inner) += self.common;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_gets_some_and_all_together_no_more_than_there_is() {
        let memory = Memory::new(64 << 20, 16);
        assert_eq!(memory.grant(4 << 10).bytes(), 4 << 10);
        let grants: Vec<_> = (0..64).map(|_| memory.grant(usize::MAX)).collect();
        assert_eq!((grants[0].bytes(), grants[1].bytes()), (8 << 20, 8 << 20));
        assert!(grants.iter().all(|grant| grant.bytes() >= 512 << 10));
        let granted: usize = grants.iter().map(Grant::bytes).sum();
        assert!(granted <= 64 << 20 && granted > 60 << 20, "{granted}");
        drop(grants);
        assert_eq!(*memory.common.lock().unwrap(), 32 << 20);
    }
}
