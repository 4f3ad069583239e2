//! When a thread recycles nodes, and when it may use them again.

use crate::padded::Padded;
use crate::tree::Tree;
use crate::tree::hand::SWEEP;
use crate::tree::stock::Stock;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, SeqCst},
    fence,
};

/// A thread that could recycle nothing waits for so many batches before it tries again.
const REST: u32 = 64;
/// The batch of a thread that has ended.
const ENDED: u64 = u64::MAX;

/// For each thread of a run the batch of iterations that it is in. What was taken from the tree
/// before a batch began is out of reach in it.
#[derive(Debug)]
pub(crate) struct Batches(Vec<Padded<AtomicU64>>);

impl Batches {
    pub(crate) fn new(threads: usize) -> Batches {
        Batches((0..threads.max(1)).map(|_| Padded::default()).collect())
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        self.0.len()
    }

    fn of(&self, thread: usize) -> u64 {
        self.0[thread].load(Acquire)
    }
}

/// What a thread has taken from the tree.
#[derive(Debug)]
pub(crate) struct Recycler {
    thread: usize,
    batch: u64,
    /// Nodes that others may still be in.
    gone: Vec<u32>,
    /// The batches that the threads were in when those were taken.
    seen: Vec<u64>,
    rest: u32,
}

impl Recycler {
    pub(crate) fn new(thread: usize, batches: &Batches) -> Recycler {
        // A node may take with it what it listed later.
        let (gone, seen) = (Vec::with_capacity(SWEEP + 1), vec![0; batches.threads()]);
        Recycler { thread, batch: 0, gone, seen, rest: 0 }
    }

    /// The thread holds nothing of the tree, and begins another batch.
    #[inline(always)]
    pub(crate) fn begin_batch(&mut self, batches: &Batches) {
        if batches.threads() > 1 {
            self.batch += 1;
            batches.0[self.thread].store(self.batch, SeqCst);
            // Whoever takes a node from the tree either sees this batch, or is seen by it.
            fence(SeqCst);
        }
    }

    /// Between two batches: where room is short, takes nodes from the tree, and uses them when
    /// nobody is in them any more.
    #[inline(always)]
    pub(crate) fn recycle(&mut self, tree: &Tree, stock: &mut Stock, batches: &Batches) {
        if !self.gone.is_empty() || tree.is_short(stock) {
            self.recycle_now(tree, stock, batches);
        }
    }

    #[cold]
    fn recycle_now(&mut self, tree: &Tree, stock: &mut Stock, batches: &Batches) {
        if self.gone.is_empty() {
            if self.rest > 0 {
                self.rest -= 1;
                return;
            }
            let is_worth_while = tree.sweep(stock, &mut self.gone);
            fence(SeqCst);
            for (thread, seen) in self.seen.iter_mut().enumerate() {
                *seen = batches.of(thread);
            }
            if self.gone.is_empty() && !is_worth_while {
                self.rest = REST;
            }
        }
        if self.is_out_of_reach(batches) {
            tree.reuse(stock, &mut self.gone);
        }
    }

    /// Whether every other thread has begun another batch since, or ended.
    fn is_out_of_reach(&self, batches: &Batches) -> bool {
        self.seen.iter().enumerate().all(|(thread, &seen)| {
            let now = batches.of(thread);
            thread == self.thread || now != seen || now == ENDED
        })
    }

    /// The thread has ended. What it took may be used once all have.
    pub(crate) fn end(mut self, tree: &Tree, stock: &mut Stock, batches: &Batches) {
        batches.0[self.thread].store(ENDED, SeqCst);
        tree.reuse(stock, &mut self.gone);
    }
}
