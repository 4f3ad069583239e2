//! Statistics of edges that only some techniques need. Each is declared here, once; the column then
//! takes its memory, counts its bytes, starts anew with a new edge and follows an edge that moves.
//! When a statistic is needed says [`Config::needs`](crate::Config).

use super::cell::{AtomicF32, AtomicInterval, RewardSum};
use super::column::{Column, columns};
use crate::interval::Interval;
use std::sync::atomic::{AtomicI64, AtomicU32};

/// The score of an edge that has none yet: that of a loss, so that it is nobody's best.
pub(crate) const UNSCORED: f32 = -1.0;

columns! {
    /// What knowledge says of the edge's move in advance; 0 before it was asked. Its meaning is
    /// that of the technique that asked for it.
    prior: AtomicF32 = 0.0,
    /// The share of its node's visits that knowledge would give the edge, in 0..1; those of a
    /// node's edges add up to 1.
    share: AtomicF32 = 0.0,
    /// Rewards of iterations in which the side played the edge's move later than here.
    rave: RewardSum = (0, 0),
    /// The minimax score of the edge for the side that plays it, in -1..1; [`UNSCORED`] before it
    /// has one.
    score: AtomicF32 = UNSCORED,
    /// The total of the edge as it would be if rewards were those of outcomes.
    outcomes: AtomicI64 = 0,
    /// What the edge's state was worth when it was new, see [`crate::correction`].
    first_value: AtomicI64 = 0,
    /// How many of the edge's visits were drawn playouts.
    draws: AtomicU32 = 0,
    /// How many of the edge's visits were draws that depend on the way there.
    drawn_by_history: AtomicU32 = 0,
    /// What the value of the edge lies in, for the side that plays it.
    interval: AtomicInterval = Interval::OPEN,
    /// The weight of the event.
    weight: AtomicU32 = 0,
    /// 1 where states from before the edge may occur again after it.
    is_reversible: AtomicU32 = 0,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{ROOT, Tree, stock::Stock};

    #[test]
    fn a_column_starts_anew_follows_its_edge_and_counts_its_bytes() {
        let needs = Needs { rave: true, score: true, interval: true, ..Needs::default() };
        let mut tree = Tree::with(1 << 12, needs);
        let plain = Tree::new(1 << 12);
        assert_eq!(tree.bytes(), plain.bytes() + 16 + 4 + 8);
        assert!(!tree.columns.prior.is_kept() && tree.limit() <= 1 << 12);
        let node =
            tree.grow(ROOT, 0..3, &mut Stock::default(), |_, _| {}).expect("room for three edges");
        let (first, _) = tree.edges(node);
        assert_eq!(tree.columns.score.get(first), UNSCORED);
        assert_eq!(tree.columns.interval.get(first), Interval::OPEN);
        tree.columns.score.set(first + 1, 0.5);
        tree.columns.rave.cell(first + 1).add(7);
        tree.columns.interval.cell(first + 1).narrow(Interval { low: 3, high: 4 });
        tree.grow(first + 1, 0..1, &mut Stock::default(), |_, _| {}).expect("room for one more");
        assert!(tree.advance(1));
        let of = |edge| {
            let columns = &tree.columns;
            (columns.score.get(edge), columns.rave.get(edge), columns.interval.get(edge))
        };
        assert_eq!(of(ROOT), (0.5, (7, 1), Interval { low: 3, high: 4 }));
        tree.clear();
        assert_eq!(of(ROOT), (UNSCORED, (0, 0), Interval::OPEN));
    }
}
