//! Correction of values by what the search has found out about states that look alike.
//!
//! What knowledge expects of a state is often off in the same direction in all states that have
//! something in common, their pawns for example. A state whose subtree has been searched shows by
//! how much: its error is the mean of the rewards below it, without its own, less what was expected
//! of it at first. Errors are added up in buckets, by [`Knowledge::likeness`], and what is expected
//! of a new state is corrected by the mean error of its bucket:
//!
//! - `e = (R - r) / (n - 1) - v` when n is 2, 4, 8, ...
//! - `r = v + w sum(n^(3/4) e) / (16 + sum(n^(3/4)))`
//!
//! R is the sum of the n rewards of a state, r its own, v what was expected of it and w the weight.
//! KataGo does so by patterns around the last move, alpha-beta searches by pawns.
//!
//! [`Knowledge::likeness`]: monteverde_game::Knowledge::likeness

use crate::news::News;
use crate::path::{Counted, Visit};
use crate::reward::ONE;
use crate::sharing::Sharing;
use crate::tree::Tree;
use monteverde_game::Side;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// There are two to this power of buckets: 256 KiB, which a cache of the second level holds.
const BUCKET_BITS: u32 = 14;
/// A bucket begins with so much weight of states without error, so that the first few that are seen
/// decide little. Ours, not tuned.
const IN_ADVANCE: f64 = 16.0;
/// Errors and corrections have so many bits less than rewards, so that they fit.
const LESS_BITS: u32 = 16;

/// The errors that a search has seen, which its threads share.
#[derive(Debug)]
pub(crate) struct Corrections {
    weight: f64,
    buckets: Box<[Bucket]>,
}

/// The errors of states that look alike, for [`Side::First`]: sums of integers, so that they depend
/// on no order.
#[derive(Debug, Default)]
struct Bucket {
    errors: AtomicI64,
    weights: AtomicI64,
}

/// What a state was worth when it was new. The tree keeps it in 64 bits, of which 0 stands for a
/// state of which nothing was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FirstValue {
    /// For [`Side::First`], as rewards are.
    expected: i32,
    /// What was added to it.
    correction: i16,
    /// One more than the number of its bucket.
    bucket: u16,
}

impl Corrections {
    pub(crate) fn new(weight: f64) -> Corrections {
        Corrections { weight, buckets: (0..1 << BUCKET_BITS).map(|_| Bucket::default()).collect() }
    }

    /// Forgets all errors.
    pub(crate) fn clear(&self) {
        for bucket in &self.buckets {
            bucket.errors.store(0, Relaxed);
            bucket.weights.store(0, Relaxed);
        }
    }

    /// The reward for an edge whose state is new: what is expected of that, for [`Side::First`],
    /// corrected by the errors of states that look like it.
    #[inline(always)]
    pub(crate) fn correct(&self, tree: &Tree, edge: u32, expected: i64, likeness: u64) -> i64 {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let number = (likeness.wrapping_mul(SPREAD) >> (u64::BITS - BUCKET_BITS)) as usize;
        let correction = (self.weight * self.buckets[number].mean()) as i16;
        let (expected, bucket) = (expected as i32, number as u16 + 1);
        let first = FirstValue { expected, correction, bucket };
        tree.columns.first_value.set(edge, first.to_bits());
        first.reward()
    }

    /// Adds the errors of those states on the path that are due, once the path has its reward.
    /// Totals with losses of other threads that are still under way say nothing of a state; so
    /// where threads share the tree, only those with many visits are asked.
    #[inline(always)]
    pub(crate) fn learn<S: Sharing>(&self, tree: &Tree, path: &[Visit], news: &News) {
        for visit in path.iter().filter(|visit| visit.counted == Counted::OnLeaving) {
            let (visits, total) = S::statistics((tree.edge(visit.edge), visit.edge), news);
            if visits >= 2 && visits.is_power_of_two() {
                let total = if visit.side == Side::First { total } else { -total };
                self.note::<S>(tree.columns.first_value.get(visit.edge), (visits, total));
            }
        }
    }

    /// Adds the error of a state, from what is kept of it and the rewards that it has by now.
    fn note<S: Sharing>(&self, first: i64, (visits, total): (u32, i64)) {
        let Some(first) = FirstValue::from_bits(first) else { return };
        let below = (total - first.reward()) / i64::from(visits - 1);
        let error = (below - i64::from(first.expected)) >> LESS_BITS;
        let root = f64::from(visits).sqrt();
        let weight = (root * root.sqrt()) as i64;
        let bucket = &self.buckets[usize::from(first.bucket) - 1];
        S::add(&bucket.errors, weight * error);
        S::add(&bucket.weights, weight);
    }
}

impl Bucket {
    /// In the unit of corrections.
    #[inline(always)]
    fn mean(&self) -> f64 {
        self.errors.load(Relaxed) as f64 / (IN_ADVANCE + self.weights.load(Relaxed) as f64)
    }
}

impl FirstValue {
    /// What the state brought to those above it.
    #[inline(always)]
    fn reward(self) -> i64 {
        (i64::from(self.expected) + (i64::from(self.correction) << LESS_BITS)).clamp(-ONE, ONE)
    }

    #[inline(always)]
    fn to_bits(self) -> i64 {
        let correction = i64::from(self.correction as u16);
        i64::from(self.bucket) << 48 | correction << 32 | i64::from(self.expected as u32)
    }

    fn from_bits(bits: i64) -> Option<FirstValue> {
        let first = FirstValue {
            expected: bits as i32,
            correction: (bits >> 32) as i16,
            bucket: (bits >> 48) as u16,
        };
        (first.bucket != 0).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sharing::Alone;

    #[test]
    fn first_values_are_kept_whole() {
        assert_eq!(FirstValue::from_bits(0), None);
        for expected in [-ONE as i32, -1, 0, 12_345, ONE as i32] {
            for correction in [i16::MIN, -7, 0, i16::MAX] {
                for bucket in [1, 1 << BUCKET_BITS] {
                    let first = FirstValue { expected, correction, bucket };
                    assert_eq!(FirstValue::from_bits(first.to_bits()), Some(first));
                    assert!(first.reward().abs() <= ONE);
                }
            }
        }
    }

    #[test]
    fn a_bucket_has_the_mean_of_its_errors_by_weight() {
        let corrections = Corrections::new(0.5);
        let first = FirstValue { expected: (ONE / 4) as i32, correction: 0, bucket: 3 };
        let half = ONE / 2;
        // Below it 15 rewards of a half: an error of a quarter, with a weight of 8.
        corrections.note::<Alone>(first.to_bits(), (16, ONE / 4 + 15 * half));
        let unit = (ONE >> LESS_BITS) as f64;
        assert_eq!(corrections.buckets[2].mean(), 8.0 * 0.25 * unit / (16.0 + 8.0));
        assert_eq!(corrections.buckets[1].mean(), 0.0);
        corrections.clear();
        assert_eq!(corrections.buckets[2].mean(), 0.0);
    }

    /// As many visits as there may be, all of them as wrong as they may be.
    #[test]
    fn no_error_is_too_large() {
        let corrections = Corrections::new(1.0);
        let first = FirstValue { expected: -ONE as i32, correction: 0, bucket: 1 };
        let visits = 1 << 31;
        let total = i64::from(visits - 1) * ONE - ONE;
        (0..1_000).for_each(|_| corrections.note::<Alone>(first.to_bits(), (visits, total)));
        let mean = corrections.buckets[0].mean();
        assert!((mean / (ONE >> LESS_BITS) as f64 - 2.0).abs() < 1e-3, "{mean}");
        assert_eq!((mean * 2.0) as i16, i16::MAX, "what does not fit is cut off");
    }
}
