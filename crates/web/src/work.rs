//! Work that takes longer than a moment, on threads that may be busy.
//!
//! The threads that carry requests and messages never compute: what does goes through here, a few
//! at a time, in the order in which it was asked for.

use crate::fault::HttpFault;
use monteverde_desk::Code;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tokio::sync::Semaphore;

/// Threads for work that requests ask for.
#[derive(Debug)]
pub(crate) struct WorkThreads {
    free: Arc<Semaphore>,
    /// How much work there is, running or waiting.
    asked: AtomicUsize,
}

/// One piece of work, counted while it lives.
struct Asked<'a>(&'a AtomicUsize);

impl WorkThreads {
    /// So many pieces of work at once, at least one.
    pub(crate) fn new(threads: usize) -> WorkThreads {
        let threads = threads.clamp(1, Semaphore::MAX_PERMITS);
        WorkThreads { free: Arc::new(Semaphore::new(threads)), asked: AtomicUsize::new(0) }
    }

    /// How much work there is, running or waiting.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Relaxed)
    }

    /// Does the work as soon as there is a thread for it. A panic in it is our fault, and an
    /// answer.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HttpFault> + Send + 'static,
    ) -> Result<T, HttpFault> {
        let _asked = Asked::new(&self.asked);
        let failed = || HttpFault::new(Code::Failed, "the server has failed in this request");
        let thread = self.free.clone().acquire_owned().await.map_err(|_| failed())?;
        let done = tokio::task::spawn_blocking(move || {
            // The thread is taken for as long as the work lasts, even if nobody waits for it any
            // longer.
            let _thread = thread;
            work()
        });
        done.await.unwrap_or_else(|_| Err(failed()))
    }
}

impl<'a> Asked<'a> {
    fn new(count: &'a AtomicUsize) -> Asked<'a> {
        count.fetch_add(1, Relaxed);
        Asked(count)
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}
