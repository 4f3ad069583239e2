//! Intervals that the value of an edge is certain to lie in.

use crate::reward::ONE;
use monteverde_game::{Outcome, Side};

/// The value of an edge lies between the two, both included, in the unit of rewards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) low: i32,
    pub(crate) high: i32,
}

/// An interval of at most this width counts as exact: a millionth. Every chance node on the way
/// adds no more than two units by rounding, so that this is enough for five hundred of them.
const SLACK: i64 = 1 << 10;

impl Interval {
    /// Nothing is known.
    pub(crate) const OPEN: Interval = Interval { low: -(ONE as i32), high: ONE as i32 };

    /// A draw.
    pub(crate) const DRAW: Interval = Interval { low: 0, high: 0 };

    pub(crate) fn of_outcome(outcome: Outcome, side: Side) -> Interval {
        let value = outcome.value_for(side) * ONE as i32;
        Interval { low: value, high: value }
    }

    /// The value where it is exact.
    #[inline(always)]
    pub(crate) fn exact(self) -> Option<i64> {
        let (low, high) = (i64::from(self.low), i64::from(self.high));
        (high - low <= SLACK).then(|| i64::midpoint(low, high))
    }

    /// Whether a side that has `floor` for certain need not look at the edge any more: it cannot
    /// bring more, or is itself what brings that.
    #[inline(always)]
    pub(crate) fn is_settled(self, floor: i32) -> bool {
        self.high <= floor || self.exact().is_some()
    }

    /// A mean in -1..1, moved into the interval.
    pub(crate) fn clamp(self, mean: f64) -> f64 {
        let (low, high) = self.shares();
        mean.clamp(low, high)
    }

    /// Both ends in -1..1.
    pub(crate) fn shares(self) -> (f64, f64) {
        let share = |end: i32| f64::from(end) / ONE as f64;
        (share(self.low), share(self.high))
    }

    /// What lies in both.
    pub(crate) fn narrowed_by(self, other: Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The same with the value of a draw in it.
    pub(crate) fn with_draw(self) -> Interval {
        Interval { low: self.low.min(0), high: self.high.max(0) }
    }

    pub(crate) fn seen_by(self, side: Side, other: Side) -> Interval {
        if side == other { self } else { Interval { low: -self.high, high: -self.low } }
    }
}
