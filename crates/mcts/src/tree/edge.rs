//! The records of the arena: edges of 24 bytes, and nodes.

use crate::proof::Status;
use std::sync::atomic::{
    AtomicI64, AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

/// The link of an edge that leads to no node yet.
pub(super) const NO_NODE: u32 = u32::MAX;
/// The link of an edge whose node a thread is about to make.
pub(super) const BUSY: u32 = u32::MAX - 1;

/// From here on links lead to no node. That of an edge whose node was given up keeps what tells the
/// reply that was visited most from most others.
pub(super) const GONE: u32 = BUSY - (1 << 16);

/// The link of an edge whose node was given up, by the most visited step out of it.
pub(super) fn gone_link(step: u32) -> u32 {
    GONE + u32::from(trace(step))
}

/// Half of the bits of a step.
pub(crate) fn trace(step: u32) -> u16 {
    (step ^ step >> 16) as u16
}

/// A step out of a node, with its statistics.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Edge {
    pub(super) total: AtomicI64,
    step: AtomicU32,
    pub(super) visits: AtomicU32,
    pub(super) link: AtomicU32,
    status: AtomicU32,
}

/// A state whose steps are listed.
#[derive(Debug, Default)]
#[repr(C)]
pub(super) struct Node {
    pub(super) first: AtomicU32,
    pub(super) count: AtomicU32,
    /// How many edges have been tried, or are being tried.
    pub(super) tried: AtomicU32,
    /// How many edges it has room for: as many, or more where it took the place of a larger one.
    pub(super) room: AtomicU32,
    /// What [`super::recycle`] keeps of it: its age, and above that its forgotten visits.
    recycling: AtomicU32,
    /// In a tree one more than the edge that leads to the node, 0 where it is not in the tree. In
    /// a graph, to which that does not apply, where
    /// [`Tree::make_room`](super::Tree::make_room) moves it.
    pub(super) above: AtomicU32,
}

/// What a node has beside the edges that it listed at first, see [`super::extensions`].
#[derive(Debug)]
#[repr(C)]
pub(super) struct Extension {
    /// One more than the record that holds the others, or what stands for none.
    pub(super) holder: AtomicU32,
    /// The first of the others, and how many they are.
    pub(super) first: AtomicU32,
    pub(super) count: AtomicU32,
}

/// The age of a node takes so many bits; what stays for good grows no older than they can say.
const AGE_BITS: u32 = 8;
const MOST_AGE: u32 = (1 << AGE_BITS) - 1;
/// More forgotten visits than this count as so many.
const MOST_FORGOTTEN: u32 = u32::MAX >> AGE_BITS;

impl Node {
    /// How often the hand has come by since the node was visited.
    #[inline(always)]
    pub(super) fn age(&self) -> u32 {
        self.recycling.load(Relaxed) & MOST_AGE
    }

    pub(super) fn set_age(&self, age: u32) {
        let others = self.recycling.load(Relaxed) & !MOST_AGE;
        self.recycling.store(others | age.min(MOST_AGE), Relaxed);
    }

    /// How many visits of the edge that leads to the node its own edges know nothing of.
    #[inline(always)]
    pub(super) fn forgotten(&self) -> u32 {
        self.recycling.load(Relaxed) >> AGE_BITS
    }

    /// Notes of a new node how many they are.
    pub(super) fn start_with_forgotten(&self, visits: u32) {
        self.recycling.store(visits.min(MOST_FORGOTTEN) << AGE_BITS, Relaxed);
    }

    /// The edge that leads to the node; `None` where it is not in the tree.
    pub(super) fn edge_above(&self) -> Option<u32> {
        self.above.load(Acquire).checked_sub(1)
    }

    /// Notes which edge leads to it.
    pub(super) fn set_edge_above(&self, edge: Option<u32>) {
        self.above.store(edge.map_or(0, |edge| edge + 1), Release);
    }
}

impl Edge {
    /// How often the edge has been followed.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }
    /// The sum of its rewards, see [`crate::reward::ONE`].
    #[inline(always)]
    pub fn total(&self) -> i64 {
        self.total.load(Relaxed)
    }
    /// The bits of its move or event.
    #[inline(always)]
    pub fn step(&self) -> u32 {
        self.step.load(Relaxed)
    }
    #[inline(always)]
    pub(crate) fn status(&self) -> Status {
        Status(self.status.load(Relaxed))
    }
    pub(crate) fn set_status(&self, status: Status) {
        self.status.store(status.0, Relaxed);
    }
    /// Stores a status that says more than the present one. Returns whether it does.
    pub(crate) fn improve(&self, status: Status) -> bool {
        let more = |now| Status(now).is_improved_by(status).then_some(status.0);
        self.status.try_update(Relaxed, Relaxed, more).is_ok()
    }
    #[inline(always)]
    pub(crate) fn visits_cell(&self) -> &AtomicU32 {
        &self.visits
    }
    #[inline(always)]
    pub(crate) fn total_cell(&self) -> &AtomicI64 {
        &self.total
    }

    pub(super) fn reset(&self, step: u32) {
        self.total.store(0, Relaxed);
        self.step.store(step, Relaxed);
        self.visits.store(0, Relaxed);
        self.link.store(NO_NODE, Relaxed);
        self.status.store(Status::OPEN.0, Relaxed);
    }

    pub(super) fn copy_from(&self, other: &Edge) {
        self.total.store(other.total(), Relaxed);
        self.step.store(other.step(), Relaxed);
        self.visits.store(other.visits(), Relaxed);
        self.link.store(other.link.load(Relaxed), Relaxed);
        self.status.store(other.status.load(Relaxed), Relaxed);
    }
}
