//! Memory for trees, shared by all sessions.

use crate::fault::{Code, Fault};
use std::sync::{Arc, Mutex, PoisonError};

/// One tree gets at most one part in so many of all memory, so that a few sessions do not take it all.
const PARTS: usize = 8;
/// A smaller tree is not worth a search.
const LEAST: usize = 1 << 20;

/// All the memory that trees may take.
#[derive(Debug)]
pub(crate) struct Memory {
    all: usize,
    free: Mutex<usize>,
}

/// The right to some of it, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Grant {
    memory: Arc<Memory>,
    bytes: usize,
}

impl Memory {
    pub(crate) fn new(all: usize) -> Arc<Memory> {
        Arc::new(Memory { all, free: Mutex::new(all) })
    }

    /// The most that one tree gets.
    pub(crate) fn most(&self) -> usize {
        (self.all / PARTS).max(LEAST)
    }

    /// As much of what is wanted as there is, or a fault where that is next to nothing.
    pub(crate) fn grant(self: &Arc<Self>, wanted: usize) -> Result<Grant, Fault> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = wanted.min(self.most()).min(*free / 2);
        if bytes < LEAST.min(wanted) {
            return Err(Fault::new(
                Code::Limit,
                "the memory for trees is taken by other sessions; close some, or start the server with more --memory",
            ));
        }
        *free -= bytes;
        Ok(Grant { memory: self.clone(), bytes })
    }
}

impl Grant {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        *self.memory.free.lock().unwrap_or_else(PoisonError::into_inner) += self.bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_granted_refused_and_given_back() {
        let memory = Memory::new(64 << 20);
        let grants: Vec<_> = std::iter::from_fn(|| memory.grant(usize::MAX).ok()).collect();
        assert_eq!(grants[0].bytes(), 8 << 20);
        let granted: usize = grants.iter().map(Grant::bytes).sum();
        assert!(granted <= 64 << 20 && granted > 56 << 20);
        assert_eq!(memory.grant(4 << 20).unwrap_err().code, Code::Limit);
        drop(grants);
        assert_eq!(memory.grant(4 << 20).unwrap().bytes(), 4 << 20);
    }
}
