//! A run: what its threads share, and what each of them does until a limit is reached.

use crate::context::Context;
use crate::iteration::iterate;
use crate::limit::{Clock, Limit, Signal};
use crate::news::News;
use crate::padded::Padded;
use crate::playout::Playouter;
use crate::quality::SharedStatistics;
use crate::recycler::{Batches, Recycler};
use crate::report::Figures;
use crate::sharing::Sharing;
use crate::tree::stock::{Portions, Stock};
use crate::worker::Worker;
use monteverde_game::{Game, Oracle, PlayoutKnowledge, Rng};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A thread takes this many iterations at a time; between two such batches it looks at the clock.
const BATCH: u64 = 8;
/// Where nodes are limited, it takes single iterations, so that the limit is passed by no more than
/// a leaf's moves.
const COUNTED_BATCH: u64 = 1;
/// A search to a depth gives up after this many iterations in a row that made the tree neither
/// larger nor deeper.
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
    over: AtomicBool,
    done: Padded<Done>,
    /// What is usual in it, for quality-based rewards.
    statistics: Padded<SharedStatistics>,
    batches: Batches,
}

/// What all threads have done.
#[derive(Default)]
struct Done {
    claimed: AtomicU64,
    iterations: AtomicU64,
    /// Moves of new leaves that were looked at, where they are counted.
    looked: AtomicU64,
    depth_sum: AtomicU64,
    deepest: AtomicU32,
}

impl<'a, G: Game> Run<'a, G> {
    /// A run on so many threads in a tree whose root has been visited before so often.
    pub(crate) fn new(
        limit: &'a Limit<G::Move>,
        (clock, signal): (&'a dyn Clock, &'a Signal),
        kept: u32,
        threads: usize,
    ) -> Self {
        let room = u64::from(u32::MAX - kept);
        Run {
            limit,
            clock,
            signal,
            kept,
            most: limit.iterations.map_or(room, |most| most.min(room)),
            over: AtomicBool::new(false),
            done: Padded::default(),
            statistics: Padded::default(),
            batches: Batches::new(threads),
        }
    }

    /// What one thread does, with room of its own and random numbers from a stream of its own:
    /// `first_stream` is that of thread 0. Calls `between` after every batch. Returns the room that
    /// is left, for others to use when all threads have ended.
    pub(crate) fn work<K: PlayoutKnowledge<G>, O: Oracle<G>, S: Sharing>(
        &self,
        context: &Context<G, K, O>,
        (thread, first_stream): (usize, u64),
        stock: Stock,
        between: &mut dyn FnMut(),
    ) -> Stock {
        let Context { config, state, knowledge, oracle, tree, .. } = context;
        let rng = Rng::stream(config.seed, first_stream + thread as u64);
        let mut worker = Worker::new(state, rng, stock);
        let is_shared = self.batches.threads() > 1;
        if is_shared {
            worker.news = News::shared(tree);
        }
        worker.stock.set_portions(match (is_shared, config.graph) {
            (false, _) => Portions::Single,
            (true, None) => Portions::Many,
            (true, Some(_)) => Portions::ManyInOrder,
        });
        worker.tally.looked = self.limit.nodes.map(|_| 0);
        let mut recycler = Recycler::new(thread, &self.batches);
        let mut playouter = Playouter::new(config.playout, knowledge, oracle, state);
        while let Some(batch) = self.claim() {
            let mut done = 0;
            recycler.begin_batch(&self.batches);
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
            if is_shared && config.quality.is_on() {
                self.statistics.share(&mut worker.statistics);
            }
            tree.settle(&mut worker.stock);
            if is_shared && tree.is_recycled() {
                // What is kept for later is told before its edge may be another: what any thread
                // gives up is used again only when all have come by here.
                worker.news.tell(tree);
            }
            recycler.recycle(tree, &mut worker.stock, &self.batches);
            if self.signal.is_stopped() || self.signal.is_due(self.clock.elapsed()) {
                self.over.store(true, Relaxed);
            }
            between();
        }
        worker.news.tell(tree);
        recycler.end(tree, &mut worker.stock, &self.batches);
        worker.stock
    }

    /// Ends it after the iteration that each thread is in.
    pub(crate) fn end(&self) {
        self.over.store(true, Relaxed);
    }

    /// How many iterations it has done so far.
    pub(crate) fn iterations(&self) -> u64 {
        self.done.iterations.load(Relaxed)
    }

    /// What it has done so far.
    pub(crate) fn figures(&self, elapsed: Duration) -> Figures {
        let iterations = self.iterations();
        Figures {
            iterations,
            nodes: self.limit.nodes.map(|_| self.nodes()),
            kept: u64::from(self.kept),
            elapsed,
            depth: self.done.depth_sum.load(Relaxed) as f64 / iterations.max(1) as f64,
            deepest: self.done.deepest.load(Relaxed),
        }
    }

    /// How many iterations the thread may do next; `None` at the end.
    fn claim(&self) -> Option<u64> {
        if self.over.load(Relaxed) {
            return None;
        }
        let batch = if self.limit.nodes.is_some() { COUNTED_BATCH } else { BATCH };
        let claimed = self.done.claimed.fetch_add(batch, Relaxed);
        (claimed < self.most).then(|| batch.min(self.most - claimed))
    }

    /// Adds up what a thread has done.
    fn note(&self, done: u64, worker: &mut Worker<G>) {
        let tally = &mut worker.tally;
        self.done.iterations.fetch_add(done, Relaxed);
        self.done.depth_sum.fetch_add(std::mem::take(&mut tally.depth_sum), Relaxed);
        let deepest = self.done.deepest.fetch_max(tally.deepest, Relaxed).max(tally.deepest);
        if let Some(depth) = self.limit.depth
            && (deepest >= depth || tally.stuck > STUCK)
        {
            self.over.store(true, Relaxed);
        }
        if let (Some(looked), Some(most)) = (&mut tally.looked, self.limit.nodes) {
            self.done.looked.fetch_add(std::mem::take(looked), Relaxed);
            if self.nodes() >= most {
                self.over.store(true, Relaxed);
            }
        }
    }

    /// What a limit in nodes counts.
    fn nodes(&self) -> u64 {
        self.iterations() + self.done.looked.load(Relaxed)
    }
}
