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
    /// `squares` is what the tree keeps of it.
    #[inline(always)]
    pub(crate) fn factor(self, squares: i64, (visits, mean): (u32, f64)) -> f64 {
        let visits = f64::from(visits);
        // A thread may see a total without its square, so that the difference need not be one.
        let sum = (sum_of(squares) - visits * mean * mean).max(0.0);
        let variance = (IN_ADVANCE * self.usual * self.usual + sum) / (IN_ADVANCE + visits);
        1.0 - self.weight + self.weight * variance.sqrt() / self.usual
    }
}

/// Adds the square of the reward, which is for [`Side::First`], to every node of the path, as
/// [`crate::backup::add`] does with the reward and the edges.
pub(crate) fn note<S: Sharing>(tree: &Tree, path: &[Visit], mut reward: i64, news: &mut News) {
    for visit in path.iter().rev() {
        if let Some(node) = tree.node(visit.edge) {
            S::add_square(tree, (visit, node), square(reward), news);
        }
        let sign = if visit.side == Side::First { 1 } else { -1 };
        reward = visit.secured.at_least(sign, reward);
    }
}

/// Lets a node that nobody can see yet begin with the rewards that came before it: so many with
/// that total for [`Side::First`]. That of a single one is known. Should there be more, because the
/// node had to be given up or found no room, they are taken to have differed as is usual.
pub(crate) fn start(tree: &Tree, node: u32, (visits, total): (u32, i64), usual: f64) {
    let squares = match visits {
        0 | 1 => square(total),
        _ => {
            let usual = square((usual * ONE as f64) as i64);
            i64::from(visits) * (square(total / i64::from(visits)) + usual)
        }
    };
    tree.squares.set(node, squares);
}

/// What the tree's number stands for.
#[inline(always)]
pub(crate) fn sum_of(squares: i64) -> f64 {
    const UNIT: f64 = (ONE >> LESS_BITS) as f64;
    squares as f64 / (UNIT * UNIT)
}

/// In the unit of the tree.
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
