//! Statistics that only some techniques need: arrays beside those of the tree, empty unless asked for.

use super::table::{SLOTS_A_NODE, Table};
use super::zeroed;
use crate::bounds::Interval;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Which statistics a configuration needs; each technique states its own, and the search combines them
/// once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Needs {
    /// What knowledge says of a move in advance.
    pub(crate) prior: bool,
    /// The share of the node's visits that knowledge would give a move.
    pub(crate) share: bool,
    /// Rewards of iterations that played the move later.
    pub(crate) rave: bool,
    /// Minimax scores.
    pub(crate) score: bool,
    /// The total of an edge as it would be if rewards were those of outcomes.
    pub(crate) outcomes: bool,
    /// How many of an edge's visits were drawn playouts.
    pub(crate) draws: bool,
    /// What nodes need that several edges lead to.
    pub(crate) graph: bool,
    /// What is certain of values, and the weights of events.
    pub(crate) bounds: bool,
}

/// The score of an edge that has none yet: that of a loss, so that it is nobody's best.
pub(crate) const UNSCORED: f32 = -1.0;

/// The arrays.
#[derive(Debug)]
pub(crate) struct Extra {
    needs: Needs,
    /// Bits of an `f32`; its meaning is that of the technique that asked for it.
    prior: Box<[AtomicU32]>,
    /// Bits of an `f32` in 0..1; those of a node's edges add up to 1.
    share: Box<[AtomicU32]>,
    rave: Box<[Rave]>,
    /// Bits of an `f32` in -1..1.
    score: Box<[AtomicU32]>,
    outcomes: Box<[AtomicI64]>,
    draws: Box<[AtomicU32]>,
    /// How many visits of an edge were draws that depend on the way there.
    drawn: Box<[AtomicU32]>,
    /// Both ends of an [`Interval`].
    intervals: Box<[AtomicU64]>,
    /// The weight of an event.
    weights: Box<[AtomicU32]>,
    joints: Box<[Joint]>,
    table: Table,
}

/// The statistics of a node that several edges may lead to: all rewards that it knows of.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Joint {
    key: AtomicU64,
    /// For [`monteverde_game::Side::First`].
    sum: AtomicI64,
    visits: AtomicU32,
    unused: AtomicU32,
}

/// Rewards of iterations in which the side played the edge's move later than here.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Rave {
    pub(crate) total: AtomicI64,
    pub(crate) visits: AtomicU32,
    unused: AtomicU32,
}

impl Needs {
    pub(super) fn bytes_an_edge(self) -> usize {
        let sizes = [
            (self.prior, size_of::<AtomicU32>()),
            (self.share, size_of::<AtomicU32>()),
            (self.rave, size_of::<Rave>()),
            (self.score, size_of::<AtomicU32>()),
            (self.outcomes, size_of::<AtomicI64>()),
            (self.draws, size_of::<AtomicU32>()),
            (self.graph, size_of::<AtomicU32>()),
            (self.bounds, size_of::<AtomicU64>() + size_of::<AtomicU32>()),
        ];
        sizes.iter().filter(|(needed, _)| *needed).map(|(_, size)| size).sum()
    }

    pub(super) fn bytes_a_node(self) -> usize {
        if self.graph { size_of::<Joint>() + SLOTS_A_NODE * size_of::<AtomicU32>() } else { 0 }
    }
}

impl Extra {
    pub(super) fn new(needs: Needs, edges: usize, nodes: usize) -> Extra {
        let room = |needed: bool| if needed { edges } else { 0 };
        Extra {
            needs,
            prior: zeroed::slice(room(needs.prior)),
            share: zeroed::slice(room(needs.share)),
            rave: zeroed::slice(room(needs.rave)),
            score: zeroed::slice(room(needs.score)),
            outcomes: zeroed::slice(room(needs.outcomes)),
            draws: zeroed::slice(room(needs.draws)),
            drawn: zeroed::slice(room(needs.graph)),
            intervals: zeroed::slice(room(needs.bounds)),
            weights: zeroed::slice(room(needs.bounds)),
            joints: zeroed::slice(if needs.graph { nodes } else { 0 }),
            table: Table::new(if needs.graph { nodes } else { 0 }),
        }
    }

    pub(crate) fn needs(&self) -> Needs {
        self.needs
    }

    /// Sets what is kept of some edges side by side to zero, scores to none and intervals to open.
    #[inline(always)]
    pub(super) fn reset_edges(&self, first: u32, count: usize) {
        if self.needs == Needs::default() {
            return;
        }
        for index in first as usize..first as usize + count {
            if let Some(prior) = self.prior.get(index) {
                prior.store(0, Relaxed);
            }
            if let Some(share) = self.share.get(index) {
                share.store(0, Relaxed);
            }
            if let Some(rave) = self.rave.get(index) {
                rave.total.store(0, Relaxed);
                rave.visits.store(0, Relaxed);
            }
            if let Some(score) = self.score.get(index) {
                score.store(UNSCORED.to_bits(), Relaxed);
            }
            if let Some(outcomes) = self.outcomes.get(index) {
                outcomes.store(0, Relaxed);
            }
            if let Some(draws) = self.draws.get(index) {
                draws.store(0, Relaxed);
            }
            if let Some(drawn) = self.drawn.get(index) {
                drawn.store(0, Relaxed);
            }
            if let Some(interval) = self.intervals.get(index) {
                interval.store(pack(Interval::OPEN), Relaxed);
                self.weights[index].store(0, Relaxed);
            }
        }
    }

    /// Copies what is kept of an edge to another.
    pub(super) fn copy_edge(&self, from: u32, to: u32) {
        let (from, to) = (from as usize, to as usize);
        if self.needs.prior {
            self.prior[to].store(self.prior[from].load(Relaxed), Relaxed);
        }
        if self.needs.share {
            self.share[to].store(self.share[from].load(Relaxed), Relaxed);
        }
        if self.needs.rave {
            let (from, to) = (&self.rave[from], &self.rave[to]);
            to.total.store(from.total.load(Relaxed), Relaxed);
            to.visits.store(from.visits.load(Relaxed), Relaxed);
        }
        if self.needs.score {
            self.score[to].store(self.score[from].load(Relaxed), Relaxed);
        }
        if self.needs.outcomes {
            self.outcomes[to].store(self.outcomes[from].load(Relaxed), Relaxed);
        }
        if self.needs.draws {
            self.draws[to].store(self.draws[from].load(Relaxed), Relaxed);
        }
        if self.needs.graph {
            self.drawn[to].store(self.drawn[from].load(Relaxed), Relaxed);
        }
        if self.needs.bounds {
            self.intervals[to].store(self.intervals[from].load(Relaxed), Relaxed);
            self.weights[to].store(self.weights[from].load(Relaxed), Relaxed);
        }
    }

    /// Copies what is kept of a node to another.
    pub(super) fn copy_node(&self, from: usize, to: usize) {
        if self.needs.graph {
            let from = &self.joints[from];
            self.joints[to].reset(from.key(), from.sum(), from.visits());
        }
    }

    /// Forgets which nodes there are.
    pub(crate) fn forget_nodes(&self) {
        self.table.clear();
    }

    /// Lets a node be found by its key.
    pub(crate) fn remember(&self, node: u32) {
        self.table.insert(self.joint(node).key(), node);
    }

    /// A node with that key for which `is_it` holds.
    pub(crate) fn find(&self, key: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.table.find(key, |node| self.joint(node).key() == key && is_it(node))
    }

    /// What knowledge said of the edge's move; 0 before it was asked.
    #[inline(always)]
    pub(crate) fn prior(&self, edge: u32) -> f32 {
        f32::from_bits(self.prior[edge as usize].load(Relaxed))
    }

    #[inline(always)]
    pub(crate) fn set_prior(&self, edge: u32, prior: f32) {
        self.prior[edge as usize].store(prior.to_bits(), Relaxed);
    }

    /// Those of so many edges from an edge on.
    #[inline(always)]
    pub(crate) fn shares(&self, first: u32, count: usize) -> impl Iterator<Item = f32> + '_ {
        let first = first as usize;
        self.share[first..first + count].iter().map(|share| f32::from_bits(share.load(Relaxed)))
    }

    /// The share of its node's visits that knowledge gives the edge.
    #[inline(always)]
    pub(crate) fn share(&self, edge: u32) -> f32 {
        f32::from_bits(self.share[edge as usize].load(Relaxed))
    }

    #[inline(always)]
    pub(crate) fn set_share(&self, edge: u32, share: f32) {
        self.share[edge as usize].store(share.to_bits(), Relaxed);
    }

    #[inline(always)]
    pub(crate) fn rave(&self, edge: u32) -> &Rave {
        &self.rave[edge as usize]
    }

    /// The minimax score of the edge for the side that plays it; [`UNSCORED`] before it has one.
    #[inline(always)]
    pub(crate) fn score(&self, edge: u32) -> f32 {
        f32::from_bits(self.score[edge as usize].load(Relaxed))
    }

    #[inline(always)]
    pub(crate) fn set_score(&self, edge: u32, score: f32) {
        self.score[edge as usize].store(score.to_bits(), Relaxed);
    }

    /// The scores of so many edges from an edge on.
    #[inline(always)]
    pub(crate) fn scores(&self, first: u32, count: usize) -> impl Iterator<Item = f32> {
        let scores = &self.score[first as usize..first as usize + count];
        scores.iter().map(|score| f32::from_bits(score.load(Relaxed)))
    }

    /// The total of the edge as it would be if rewards were those of outcomes.
    #[inline(always)]
    pub(crate) fn outcomes(&self, edge: u32) -> &AtomicI64 {
        &self.outcomes[edge as usize]
    }

    /// How many of the edge's visits were drawn playouts.
    #[inline(always)]
    pub(crate) fn draws(&self, edge: u32) -> &AtomicU32 {
        &self.draws[edge as usize]
    }

    /// How many of the edge's visits were draws that depend on the way there.
    #[inline(always)]
    pub(crate) fn drawn(&self, edge: u32) -> &AtomicU32 {
        &self.drawn[edge as usize]
    }

    /// What the value of the edge lies in, for the side that plays it.
    #[inline(always)]
    pub(crate) fn interval(&self, edge: u32) -> Interval {
        unpack(self.intervals[edge as usize].load(Relaxed))
    }

    /// The intervals of so many edges from an edge on.
    #[inline(always)]
    pub(crate) fn intervals(&self, first: u32, count: usize) -> impl Iterator<Item = Interval> {
        let intervals = &self.intervals[first as usize..first as usize + count];
        intervals.iter().map(|interval| unpack(interval.load(Relaxed)))
    }

    /// Keeps what lies in the edge's interval and in this one. Returns whether that is less than before.
    pub(crate) fn narrow(&self, edge: u32, by: Interval) -> bool {
        let narrower = |now| {
            let narrowed = pack(unpack(now).narrowed_by(by));
            (narrowed != now).then_some(narrowed)
        };
        self.intervals[edge as usize].fetch_update(Relaxed, Relaxed, narrower).is_ok()
    }

    /// The weight of an event.
    #[inline(always)]
    pub(crate) fn weight(&self, edge: u32) -> u32 {
        self.weights[edge as usize].load(Relaxed)
    }

    #[inline(always)]
    pub(crate) fn set_weight(&self, edge: u32, weight: u32) {
        self.weights[edge as usize].store(weight, Relaxed);
    }

    #[inline(always)]
    pub(crate) fn joint(&self, node: u32) -> &Joint {
        &self.joints[node as usize]
    }
}

/// Both ends in one word, so that threads see them together.
#[inline(always)]
fn pack(interval: Interval) -> u64 {
    u64::from(interval.low as u32) << 32 | u64::from(interval.high as u32)
}

#[inline(always)]
fn unpack(word: u64) -> Interval {
    Interval { low: (word >> 32) as i32, high: word as i32 }
}

impl Joint {
    pub(crate) fn key(&self) -> u64 {
        self.key.load(Relaxed)
    }
    #[inline(always)]
    pub(crate) fn sum(&self) -> i64 {
        self.sum.load(Relaxed)
    }
    #[inline(always)]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    pub(crate) fn reset(&self, key: u64, sum: i64, visits: u32) {
        self.key.store(key, Relaxed);
        self.sum.store(sum, Relaxed);
        self.visits.store(visits, Relaxed);
    }

    #[inline(always)]
    pub(crate) fn add(&self, sum: i64, visits: u32) {
        self.sum.fetch_add(sum, Relaxed);
        self.visits.fetch_add(visits, Relaxed);
    }
}
