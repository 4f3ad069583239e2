//! What a column may keep of each edge or node: numbers that threads share.

use crate::interval::Interval;
use crate::reward;
use bytemuck::Zeroable;
use monteverde_game::Side;
use std::sync::atomic::{
    AtomicI64, AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed},
};

/// A place for a value, which threads read and write without a lock.
pub(crate) trait Cell: Zeroable {
    /// What is kept there.
    type Value: Copy;
    fn get(&self) -> Self::Value;
    fn set(&self, value: Self::Value);
}

impl Cell for AtomicU32 {
    type Value = u32;
    #[inline(always)]
    fn get(&self) -> u32 {
        self.load(Relaxed)
    }
    #[inline(always)]
    fn set(&self, value: u32) {
        self.store(value, Relaxed);
    }
}

impl Cell for AtomicI64 {
    type Value = i64;
    #[inline(always)]
    fn get(&self) -> i64 {
        self.load(Relaxed)
    }
    #[inline(always)]
    fn set(&self, value: i64) {
        self.store(value, Relaxed);
    }
}

/// A real number, kept as its bits.
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct AtomicF32(AtomicU32);

impl Cell for AtomicF32 {
    type Value = f32;
    #[inline(always)]
    fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Relaxed))
    }
    #[inline(always)]
    fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Relaxed);
    }
}

/// Rewards and how many they are.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct RewardSum {
    total: AtomicI64,
    visits: AtomicU32,
    unused: AtomicU32,
}

impl Cell for RewardSum {
    /// The total, and the visits.
    type Value = (i64, u32);
    #[inline(always)]
    fn get(&self) -> (i64, u32) {
        (self.total.load(Relaxed), self.visits.load(Relaxed))
    }
    #[inline(always)]
    fn set(&self, (total, visits): (i64, u32)) {
        self.total.store(total, Relaxed);
        self.visits.store(visits, Relaxed);
    }
}

impl RewardSum {
    /// How many rewards there are.
    #[inline(always)]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Their sum.
    #[inline(always)]
    pub(crate) fn total(&self) -> i64 {
        self.total.load(Relaxed)
    }

    /// Adds one.
    #[inline(always)]
    pub(crate) fn add(&self, reward: i64) {
        self.total.fetch_add(reward, Relaxed);
        self.visits.fetch_add(1, Relaxed);
    }
}

/// An interval, both ends in one word, so that threads see them together.
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct AtomicInterval(AtomicU64);

impl Cell for AtomicInterval {
    type Value = Interval;
    #[inline(always)]
    fn get(&self) -> Interval {
        unpack(self.0.load(Relaxed))
    }
    #[inline(always)]
    fn set(&self, interval: Interval) {
        self.0.store(pack(interval), Relaxed);
    }
}

impl AtomicInterval {
    /// Keeps what lies in both intervals. Returns whether that is less than before.
    pub(crate) fn narrow(&self, by: Interval) -> bool {
        let narrower = |now| {
            let narrowed = pack(unpack(now).narrowed_by(by));
            (narrowed != now).then_some(narrowed)
        };
        self.0.try_update(AcqRel, Relaxed, narrower).is_ok()
    }
}

/// What is certain of a node that several edges may lead to, see [`crate::graph_bounds`].
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct NodeBounds {
    /// For [`Side::First`].
    interval: AtomicInterval,
    plies: AtomicU32,
    /// In the highest bit whether [`Side::Second`] is to move; below it the visits of the node
    /// when its region was last solved, if that is large.
    turn_and_solved: AtomicU32,
}

/// The bit that tells the side.
const SECOND: u32 = 1 << 31;
/// A large region is solved again after so many times the visits, as a fraction.
const AGAIN: (u64, u64) = (9, 8);

impl Cell for NodeBounds {
    /// The interval, the plies that it takes, and the side with what is known of the region.
    type Value = (Interval, u32, u32);
    fn get(&self) -> (Interval, u32, u32) {
        (self.interval(), self.plies(), self.turn_and_solved.load(Relaxed))
    }
    fn set(&self, (interval, plies, turn): (Interval, u32, u32)) {
        self.interval.set(interval);
        self.plies.store(plies, Relaxed);
        self.turn_and_solved.store(turn, Relaxed);
    }
}

impl NodeBounds {
    /// What the value lies in, for [`Side::First`].
    #[inline(always)]
    pub(crate) fn interval(&self) -> Interval {
        unpack(self.interval.0.load(Acquire))
    }

    /// From how many plies on that are left it does so. To be read after the interval.
    #[inline(always)]
    pub(crate) fn plies(&self) -> u32 {
        self.plies.load(Relaxed)
    }

    /// The side to move.
    pub(crate) fn turn(&self) -> Side {
        if self.turn_and_solved.load(Relaxed) & SECOND == 0 { Side::First } else { Side::Second }
    }

    /// Starts what is kept of a node in which a side is to move.
    pub(crate) fn start(&self, turn: Side) {
        let turn = if turn == Side::First { 0 } else { SECOND };
        self.set((Interval::OPEN, 0, turn));
    }

    /// Whether a large region is to be solved again from the node, which has so many visits.
    pub(crate) fn is_to_be_solved(&self, visits: u32) -> bool {
        let solved = u64::from(self.turn_and_solved.load(Relaxed) & !SECOND);
        solved == 0 || u64::from(visits) * AGAIN.1 > solved * AGAIN.0
    }

    /// Notes that a large region has been solved from the node, which has so many visits.
    pub(crate) fn note_solved(&self, visits: u32) {
        let turn = self.turn_and_solved.load(Relaxed) & SECOND;
        self.turn_and_solved.store(turn | visits.min(SECOND - 1), Relaxed);
    }

    /// Keeps what lies in both intervals, if that is less than before; the new one takes so many
    /// plies, which are noted first.
    pub(crate) fn narrow(&self, by: Interval, plies: u32) {
        let now = self.interval();
        if now.narrowed_by(by) != now {
            self.plies.fetch_max(plies, Relaxed);
            self.interval.narrow(by);
        }
    }
}

#[inline(always)]
fn pack(interval: Interval) -> u64 {
    u64::from(interval.low as u32) << 32 | u64::from(interval.high as u32)
}

#[inline(always)]
fn unpack(word: u64) -> Interval {
    Interval { low: (word >> 32) as i32, high: word as i32 }
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

impl Cell for Joint {
    /// The key of its state, the sum and the visits.
    type Value = (u64, i64, u32);
    #[inline(always)]
    fn get(&self) -> (u64, i64, u32) {
        (self.key(), self.sum(), self.visits())
    }
    #[inline(always)]
    fn set(&self, (key, sum, visits): (u64, i64, u32)) {
        self.key.store(key, Relaxed);
        self.sum.store(sum, Relaxed);
        self.visits.store(visits, Relaxed);
    }
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
    /// Its visits and the mean of their rewards.
    #[inline(always)]
    pub(crate) fn known(&self) -> (u32, f64) {
        (self.visits(), reward::mean(self.sum(), self.visits().max(1)))
    }
    #[inline(always)]
    pub(crate) fn add(&self, sum: i64, visits: u32) {
        self.sum.fetch_add(sum, Relaxed);
        self.visits.fetch_add(visits, Relaxed);
    }
}
