//! Exploration by how much rewards differ: where all iterations through a node bring about the same
//! there is little to find out, and where they do not there is much.
//!
//! KataGo and Monty do so. The variance of a node is that of its rewards, with some visits in
//! advance that differ as is usual: `s^2 = (k u^2 + n v) / (k + n)`, where v is the variance of n
//! rewards. The constant of PUCT is multiplied by `1 - weight + weight s / u`.

use crate::news::News;
use crate::path::Visit;
use crate::reward::ONE;
use crate::sharing::Sharing;
use crate::tree::Tree;
use monteverde_game::Side;

/// Exploration by the deviation of a node's rewards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Deviation {
    /// How much it counts, in 0..=1.
    pub weight: f64,
    /// What is usual, above 0: there exploration is what it is without.
    pub usual: f64,
}

/// The visits in advance (`k`): a few, so that the first rewards of a node decide little.
const IN_ADVANCE: f64 = 2.0;

/// A reward has so many bits less in its square, so that four thousand million squares of the
/// largest fit into 64 bits.
const LESS_BITS: u32 = 16;

impl Deviation {
    /// What the constant is multiplied by in a node of so many visits with that mean, where
    /// `squares` is the column's value of the edge that leads there.
    #[inline(always)]
    pub(crate) fn factor(self, squares: i64, (visits, mean): (u32, f64)) -> f64 {
        let visits = f64::from(visits);
        // A thread may see a total without its square, so that the difference need not be one.
        let sum = (sum_of(squares) - visits * mean * mean).max(0.0);
        let variance = (IN_ADVANCE * self.usual * self.usual + sum) / (IN_ADVANCE + visits);
        1.0 - self.weight + self.weight * variance.sqrt() / self.usual
    }
}

/// Adds the square of the reward, which is for [`Side::First`], to every edge of the path, as
/// [`crate::backup::add`] does with the reward.
pub(crate) fn note<S: Sharing>(tree: &Tree, path: &[Visit], mut reward: i64, news: &mut News) {
    for visit in path.iter().rev() {
        S::add_square(tree, visit, square(reward), news);
        let sign = if visit.side == Side::First { 1 } else { -1 };
        reward = visit.secured.at_least(sign, reward);
    }
}

/// Lets an edge that nobody can see yet begin with the square of its one reward.
pub(crate) fn start(tree: &Tree, edge: u32, reward: i64) {
    if tree.columns.squares.is_kept() {
        tree.columns.squares.set(edge, square(reward));
    }
}

/// What the column's value stands for.
#[inline(always)]
pub(crate) fn sum_of(squares: i64) -> f64 {
    const UNIT: f64 = (ONE >> LESS_BITS) as f64;
    squares as f64 / (UNIT * UNIT)
}

/// In the unit of the column.
#[inline(always)]
fn square(reward: i64) -> i64 {
    (reward >> LESS_BITS) * (reward >> LESS_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reward;

    #[test]
    fn the_factor_follows_the_deviation_and_begins_with_one() {
        let deviation = Deviation { weight: 1.0, usual: 0.25 };
        assert_eq!(deviation.factor(0, (0, 0.0)), 1.0);
        // Rewards that are all alike; and half of them won, half lost.
        let alike = deviation.factor(1_000_000 * square(ONE / 2), (1_000_000, 0.5));
        assert!(alike < 0.01, "{alike}");
        let apart = deviation.factor(1_000_000 * square(ONE), (1_000_000, 0.0));
        assert!((apart - 4.0).abs() < 0.01, "{apart}");
        let half = Deviation { weight: 0.5, ..deviation };
        assert!((half.factor(1_000_000 * square(ONE), (1_000_000, 0.0)) - 2.5).abs() < 0.01);
        // As many squares as there may be visits fit.
        let most = square(reward::MOST).checked_mul(i64::from(u32::MAX)).expect("room");
        assert!(deviation.factor(most, (u32::MAX, 0.0)).is_finite());
    }
}
