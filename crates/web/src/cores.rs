//! Cores, shared fairly: searches take turns.
//!
//! Every thread of a search looks at its clock between two batches of iterations, so the clock is
//! where a search can be made to wait. Each search is given a [`CoreTurn`], which is a clock that
//! stands between the search and the cores: when its slice is over and others wait, the search goes
//! to the end of the queue.

use monteverde_game::limit::Clock;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a search keeps its cores while others wait: long against the cost of a change, short
/// against the patience of somebody who watches.
const SLICE: Duration = Duration::from_millis(30);

/// The cores that searches share.
#[derive(Debug)]
pub(crate) struct Cores {
    all: usize,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// How many searches wait; a copy of the queue's length that can be read without its lock.
    waiting: AtomicUsize,
    /// How many searches there are, running or waiting.
    searches: AtomicUsize,
}

#[derive(Debug)]
struct Queue {
    free: usize,
    /// Numbers of the turns that wait and what they need, the first first.
    line: VecDeque<(u64, usize)>,
    next: u64,
}

/// The place of one search among the others. It tells the time since its first turn began.
#[derive(Debug)]
pub(crate) struct CoreTurn {
    cores: Arc<Cores>,
    number: u64,
    threads: usize,
    began: Instant,
    /// When the slice ends, in nanoseconds since `began`.
    slice_end: AtomicU64,
    has_cores: AtomicBool,
    ended: AtomicBool,
}

impl Cores {
    pub(crate) fn new(all: usize) -> Arc<Cores> {
        let all = all.max(1);
        let queue = Queue { free: all, line: VecDeque::new(), next: 0 };
        Arc::new(Cores {
            all,
            queue: Mutex::new(queue),
            changed: Condvar::new(),
            waiting: AtomicUsize::new(0),
            searches: AtomicUsize::new(0),
        })
    }

    /// How many searches there are, running or waiting.
    pub(crate) fn searches(&self) -> usize {
        self.searches.load(Relaxed)
    }

    /// How many there are.
    pub(crate) fn all(&self) -> usize {
        self.all
    }

    /// A place in the queue for a search on so many threads.
    pub(crate) fn turn(self: &Arc<Self>, threads: usize) -> Arc<CoreTurn> {
        let number = {
            let mut queue = self.lock();
            queue.next += 1;
            queue.next
        };
        Arc::new(CoreTurn {
            cores: self.clone(),
            number,
            threads: threads.clamp(1, self.all),
            began: Instant::now(),
            slice_end: AtomicU64::new(0),
            has_cores: AtomicBool::new(false),
            ended: AtomicBool::new(false),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CoreTurn {
    /// Waits for its first turn, and gives the clock that begins with it.
    pub(crate) fn begin(self: &Arc<Self>) -> TurnClock {
        self.cores.searches.fetch_add(1, Relaxed);
        self.wait();
        TurnClock { turn: self.clone(), start: Instant::now() }
    }

    /// The search is to end: it waits no longer.
    pub(crate) fn end(&self) {
        self.ended.store(true, Relaxed);
        let mut queue = self.cores.lock();
        queue.line.retain(|&(number, _)| number != self.number);
        if self.has_cores.swap(false, Relaxed) {
            queue.free += self.threads;
        }
        self.cores.waiting.store(queue.line.len(), Relaxed);
        self.cores.changed.notify_all();
    }

    /// Gives way if the slice is over and somebody waits; waits where another thread of the search
    /// has done so.
    fn check(&self) {
        if self.ended.load(Relaxed) {
            return;
        }
        let has_cores = self.has_cores.load(Relaxed);
        if !has_cores || self.cores.waiting.load(Relaxed) > 0 && self.is_over() {
            self.wait();
        }
    }

    /// Whether the slice is over.
    fn is_over(&self) -> bool {
        self.began.elapsed().as_nanos() as u64 >= self.slice_end.load(Relaxed)
    }

    /// Goes to the end of the queue, unless a thread of this search stands there already, and
    /// waits.
    fn wait(&self) {
        let mut queue = self.cores.lock();
        if self.has_cores.load(Relaxed) {
            // Another thread of the search may have waited already, and got the next turn.
            if !self.is_over() || queue.line.is_empty() {
                return;
            }
            self.has_cores.store(false, Relaxed);
            queue.free += self.threads;
        }
        if !queue.line.iter().any(|&(number, _)| number == self.number) {
            queue.line.push_back((self.number, self.threads));
        }
        self.cores.waiting.store(queue.line.len(), Relaxed);
        self.cores.changed.notify_all();
        loop {
            if self.ended.load(Relaxed) || self.has_cores.load(Relaxed) {
                return;
            }
            if queue.line.front() == Some(&(self.number, self.threads))
                && queue.free >= self.threads
            {
                queue.line.pop_front();
                queue.free -= self.threads;
                self.cores.waiting.store(queue.line.len(), Relaxed);
                let end = self.began.elapsed() + SLICE;
                self.slice_end.store(end.as_nanos() as u64, Relaxed);
                self.has_cores.store(true, Relaxed);
                self.cores.changed.notify_all();
                return;
            }
            queue = self.cores.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The clock of a search that takes turns.
#[derive(Debug)]
pub(crate) struct TurnClock {
    turn: Arc<CoreTurn>,
    start: Instant,
}

impl Clock for TurnClock {
    /// May wait for the next turn; the time that passes meanwhile counts.
    fn elapsed(&self) -> Duration {
        self.turn.check();
        self.start.elapsed()
    }
}

impl Drop for TurnClock {
    fn drop(&mut self) {
        self.turn.cores.searches.fetch_sub(1, Relaxed);
        self.turn.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four searches on one core for a while: none gets twice the turns of another.
    #[test]
    fn searches_take_turns() {
        let cores = Cores::new(1);
        let counts: Vec<u32> = std::thread::scope(|scope| {
            let spawn = |_| {
                let turn = cores.turn(1);
                scope.spawn(move || {
                    let clock = turn.begin();
                    let (mut slices, mut last) = (1, clock.turn.slice_end.load(Relaxed));
                    while clock.elapsed() < Duration::from_millis(900) {
                        let now = clock.turn.slice_end.load(Relaxed);
                        slices += u32::from(now != last);
                        last = now;
                        std::hint::spin_loop();
                    }
                    slices
                })
            };
            let threads: Vec<_> = (0..4).map(spawn).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
        assert!(*least >= 3 && *most <= 2 * least, "{counts:?}");
        assert_eq!(cores.lock().free, 1);
    }

    #[test]
    fn a_search_that_ends_while_it_waits_waits_no_longer() {
        let cores = Cores::new(2);
        let busy = cores.turn(2).begin();
        let waiting = cores.turn(1);
        let other = waiting.clone();
        let thread = std::thread::spawn(move || drop(other.begin()));
        std::thread::sleep(Duration::from_millis(20));
        waiting.end();
        thread.join().unwrap();
        drop(busy);
        let queue = cores.lock();
        assert_eq!((queue.free, queue.line.len()), (2, 0));
    }
}
