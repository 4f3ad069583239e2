//! A run: what its threads share, and what each of them does until a limit is reached.

use crate::context::Context;
use crate::iteration::iterate;
use crate::limit::{Clock, Limit, Signal};
use crate::playout::Playouter;
use crate::report::Figures;
use crate::sharing::Sharing;
use crate::worker::Worker;
use monteverde_game::{Game, Oracle, PlayoutKnowledge, Rng};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A thread takes this many iterations at a time; between two such batches it looks at the clock.
const BATCH: u64 = 8;
/// Where nodes are limited, it takes single iterations, so that the limit is passed by no more than
/// a leaf's moves.
const COUNTED_BATCH: u64 = 1;
/// A search to a depth gives up after this many iterations in a row that added nothing to the tree.
const STUCK: u32 = 10_000;

/// What the threads of one run share.
pub(crate) struct Run<'a, G: Game> {
    limit: &'a Limit<G::Move>,
    clock: &'a dyn Clock,
    signal: &'a Signal,
    /// Visits of the root from before.
    kept: u32,
    /// The most iterations that it may take.
    most: u64,
    claimed: AtomicU64,
    iterations: AtomicU64,
    /// Moves of new leaves that were looked at, where they are counted.
    looked: AtomicU64,
    depth_sum: AtomicU64,
    deepest: AtomicU32,
    over: AtomicBool,
}

impl<'a, G: Game> Run<'a, G> {
    /// A run in a tree whose root has been visited before so often.
    pub(crate) fn new(
        limit: &'a Limit<G::Move>,
        (clock, signal): (&'a dyn Clock, &'a Signal),
        kept: u32,
    ) -> Self {
        let room = u64::from(u32::MAX - kept);
        Run {
            limit,
            clock,
            signal,
            kept,
            most: limit.iterations.map_or(room, |most| most.min(room)),
            claimed: AtomicU64::new(0),
            iterations: AtomicU64::new(0),
            looked: AtomicU64::new(0),
            depth_sum: AtomicU64::new(0),
            deepest: AtomicU32::new(0),
            over: AtomicBool::new(false),
        }
    }

    /// What one thread does, with random numbers from a stream of its own. Calls `between` after
    /// every batch.
    pub(crate) fn work<K: PlayoutKnowledge<G>, O: Oracle<G>, S: Sharing>(
        &self,
        context: &Context<G, K, O>,
        stream: u64,
        between: &mut dyn FnMut(),
    ) {
        let Context { config, state, knowledge, oracle, .. } = context;
        let mut worker = Worker::new(state, Rng::stream(config.seed, stream));
        worker.tally.looked = self.limit.nodes.map(|_| 0);
        let mut playouter = Playouter::new(config.playout, knowledge, oracle, state);
        while let Some(batch) = self.claim() {
            let mut done = 0;
            context.look_at_root(&mut worker);
            while done < batch && !self.signal.is_stopped() && !self.over.load(Relaxed) {
                if context.is_over(&worker, self.limit) {
                    self.over.store(true, Relaxed);
                    break;
                }
                iterate::<G, K, O, S>(context, &mut worker, &mut playouter);
                done += 1;
            }
            self.note(done, &mut worker);
            if self.signal.is_stopped() || self.signal.is_due(self.clock.elapsed()) {
                self.over.store(true, Relaxed);
            }
            between();
        }
    }

    /// What it has done so far.
    pub(crate) fn figures(&self, elapsed: Duration) -> Figures {
        let iterations = self.iterations.load(Relaxed);
        Figures {
            iterations,
            nodes: self.limit.nodes.map(|_| self.nodes()),
            kept: u64::from(self.kept),
            elapsed,
            depth: self.depth_sum.load(Relaxed) as f64 / iterations.max(1) as f64,
            deepest: self.deepest.load(Relaxed),
        }
    }

    /// How many iterations the thread may do next; `None` at the end.
    fn claim(&self) -> Option<u64> {
        if self.over.load(Relaxed) {
            return None;
        }
        let batch = if self.limit.nodes.is_some() { COUNTED_BATCH } else { BATCH };
        let claimed = self.claimed.fetch_add(batch, Relaxed);
        (claimed < self.most).then(|| batch.min(self.most - claimed))
    }

    /// Adds up what a thread has done.
    fn note(&self, done: u64, worker: &mut Worker<G>) {
        let tally = &mut worker.tally;
        self.iterations.fetch_add(done, Relaxed);
        self.depth_sum.fetch_add(std::mem::take(&mut tally.depth_sum), Relaxed);
        let deepest = self.deepest.fetch_max(tally.deepest, Relaxed).max(tally.deepest);
        if let Some(depth) = self.limit.depth
            && (deepest >= depth || tally.stuck > STUCK)
        {
            self.over.store(true, Relaxed);
        }
        if let (Some(looked), Some(most)) = (&mut tally.looked, self.limit.nodes) {
            self.looked.fetch_add(std::mem::take(looked), Relaxed);
            if self.nodes() >= most {
                self.over.store(true, Relaxed);
            }
        }
    }

    /// What a limit in nodes counts.
    fn nodes(&self) -> u64 {
        self.iterations.load(Relaxed) + self.looked.load(Relaxed)
    }
}
