//! When a search ends, and how it is told the time and to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The limits of one search; it ends at the first that is reached. With none it ends by [`Signal`],
/// or where the search has a limit of its own.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Limit<M> {
    /// So many iterations; nodes for an alpha-beta search.
    pub iterations: Option<u64>,
    /// So many nodes, see [`Figures::nodes`](crate::report::Figures::nodes).
    pub nodes: Option<u64>,
    /// So much time; needs a [`Clock`] that runs.
    pub time: Option<Duration>,
    /// What a game clock gives this move. A search that has rules for it may end before its time,
    /// or take longer than usual; they go by the [`Signal`]'s deadline, which is then `most` after
    /// the clock began to run. `None` where the time is not that of a game clock.
    pub clock: Option<MoveTime>,
    /// Until the tree is that many plies deep somewhere, or cannot grow; for an alpha-beta search,
    /// until it has looked that many plies ahead.
    pub depth: Option<u32>,
    /// A proven win or loss ends the search only if it comes within that many plies; while it is
    /// further off, the search looks for a shorter way. Without this any proof ends it.
    pub mate: Option<u32>,
    /// Only these moves are searched at the root; all of them if it is empty.
    pub only: Vec<M>,
}

/// What a game clock gives a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveTime {
    /// What a move usually takes.
    pub usual: Duration,
    /// The most that this one may take, at least the usual.
    pub most: Duration,
}

impl<M> Limit<M> {
    /// No limit at all.
    pub fn none() -> Self {
        Limit {
            iterations: None,
            nodes: None,
            time: None,
            clock: None,
            depth: None,
            mate: None,
            only: vec![],
        }
    }
    /// So many iterations.
    pub fn iterations(iterations: u64) -> Self {
        Limit { iterations: Some(iterations), ..Limit::none() }
    }
    /// So many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Limit { nodes: Some(nodes), ..Limit::none() }
    }
    /// So much time.
    pub fn time(time: Duration) -> Self {
        Limit { time: Some(time), ..Limit::none() }
    }
    /// The time of a move on a game clock.
    pub fn clock(time: MoveTime) -> Self {
        Limit { time: Some(time.most), clock: Some(time), ..Limit::none() }
    }
}

/// Tells the time since the search began. The search itself reads no clock, so that it runs where
/// there is none.
pub trait Clock: Sync {
    /// The time since the search began.
    fn elapsed(&self) -> Duration;
}

/// A clock that stands still, for searches limited by iterations.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// The line from outside into a running search: stop, or set the time at which it ends.
#[derive(Debug)]
pub struct Signal {
    stop: AtomicBool,
    /// Nanoseconds since the search began; the maximum means no such limit.
    deadline: AtomicU64,
    /// Whoever stops this one stops the search, too.
    above: Option<Arc<Signal>>,
}

impl Default for Signal {
    fn default() -> Self {
        Signal { stop: AtomicBool::new(false), deadline: AtomicU64::new(u64::MAX), above: None }
    }
}

impl Signal {
    /// For one of several searches that `above` stops together. The time at which each ends is its
    /// own.
    pub fn below(above: Arc<Signal>) -> Signal {
        Signal { above: Some(above), ..Signal::default() }
    }
    /// Ends the search soon: after the iteration that each thread is in, or within some nodes.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
    /// Whether the search has been told to stop.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.above.as_ref().is_some_and(|above| above.is_stopped())
    }
    /// Ends the search that long after its beginning, in place of any earlier setting.
    pub fn set_deadline(&self, since_start: Duration) {
        let nanos = u64::try_from(since_start.as_nanos()).unwrap_or(u64::MAX - 1);
        self.deadline.store(nanos, Ordering::Relaxed);
    }
    /// Ends the search so much earlier than was set; without effect where nothing was.
    pub fn bring_forward(&self, by: Duration) {
        if let Some(deadline) = self.deadline() {
            self.set_deadline(deadline.saturating_sub(by));
        }
    }
    /// When the search ends, since its beginning; `None` if no such time was set.
    pub fn deadline(&self) -> Option<Duration> {
        let nanos = self.deadline.load(Ordering::Relaxed);
        (nanos < u64::MAX).then(|| Duration::from_nanos(nanos))
    }
    /// The time that is left until the search ends.
    pub fn left(&self, elapsed: Duration) -> Duration {
        Duration::from_nanos(self.deadline.load(Ordering::Relaxed)).saturating_sub(elapsed)
    }
    /// Whether the time at which the search ends has come.
    #[inline]
    pub fn is_due(&self, elapsed: Duration) -> bool {
        elapsed.as_nanos() >= u128::from(self.deadline.load(Ordering::Relaxed))
    }
}
