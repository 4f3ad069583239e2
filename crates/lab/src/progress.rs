//! How far a long piece of work is, and when it will be done.

use std::time::{Duration, Instant};

/// How far a long piece of work is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WorkProgress {
    /// Parts (cells, measurements, contests) that are complete.
    pub parts_done: usize,
    /// All parts.
    pub parts: usize,
    /// Games, playouts or searches that are done, now or in an earlier run.
    pub done: u64,
    /// All of them.
    pub total: u64,
    /// How many of those done were found in the store.
    pub found: u64,
    /// The time since the run began.
    pub elapsed: Duration,
}

impl WorkProgress {
    /// The time that is left, if the rest goes as fast as what was done in this run; `None` before
    /// anything was done.
    pub fn remaining(&self) -> Option<Duration> {
        let now = self.done.saturating_sub(self.found);
        (now > 0).then(|| {
            let left = self.total.saturating_sub(self.done) as f64 / now as f64;
            Duration::try_from_secs_f64(self.elapsed.as_secs_f64() * left).unwrap_or(Duration::MAX)
        })
    }
}

/// Sees how far the work is, after each game or batch, perhaps on another thread.
pub type Observer<'a> = dyn FnMut(&WorkProgress) + Send + 'a;

/// Keeps count for an observer.
pub struct Watch<'a, 'o> {
    progress: WorkProgress,
    observe: &'a mut Observer<'o>,
    start: Instant,
}

impl<'a, 'o> Watch<'a, 'o> {
    /// Nothing is done of so many parts and units.
    pub fn new(parts: usize, total: u64, observe: &'a mut Observer<'o>) -> Self {
        let elapsed = Duration::ZERO;
        let progress = WorkProgress { parts_done: 0, parts, done: 0, total, found: 0, elapsed };
        Watch { progress, observe, start: Instant::now() }
    }

    /// There are only so many parts and units to be done here, those of a shard.
    pub fn only(&mut self, parts: usize, total: u64) {
        self.progress.parts = parts;
        self.progress.total = total;
    }

    /// So many units were found in the store.
    pub fn found(&mut self, units: u64) {
        self.progress.found += units;
        self.done(units);
    }

    /// So many units are done.
    pub fn done(&mut self, units: u64) {
        self.progress.done += units;
        self.tell();
    }

    /// A part is complete.
    pub fn part_done(&mut self) {
        self.progress.parts_done += 1;
        self.tell();
    }

    fn tell(&mut self) {
        self.progress.elapsed = self.start.elapsed();
        (self.observe)(&self.progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_estimated_from_what_was_done_now() {
        let elapsed = Duration::from_secs(10);
        let half =
            WorkProgress { parts_done: 0, parts: 1, done: 60, total: 100, found: 40, elapsed };
        assert_eq!(half.remaining(), Some(Duration::from_secs(20)));
        assert_eq!(WorkProgress { done: 40, ..half }.remaining(), None);
        assert_eq!(WorkProgress { done: 100, ..half }.remaining(), Some(Duration::ZERO));
    }
}
