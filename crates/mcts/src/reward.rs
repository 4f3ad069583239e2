//! Rewards: the numbers that are backed up. They lie in -1..1, or a little beyond where
//! [`crate::quality`] counts, and are summed as integers, so that a sum depends neither on the
//! order of its terms nor on the machine.

use monteverde_game::{Outcome, Side};

/// The reward of a win; a loss is `-ONE`, a draw 0. Four thousand million visits of it fit into 64
/// bits.
pub const ONE: i64 = 1 << 30;

/// The most that a reward may be. Four thousand million visits of it still fit.
pub const MOST: i64 = 2 * ONE - 1;

/// The reward of an outcome for [`Side::First`].
#[inline(always)]
pub fn of_outcome(outcome: Outcome) -> i64 {
    i64::from(outcome.value_for(Side::First)) * ONE
}

/// The outcome that a reward for [`Side::First`] is nearest to.
pub fn nearest_outcome(reward: i64) -> Outcome {
    if reward.abs() <= ONE / 2 {
        Outcome::Draw
    } else {
        Outcome::Win(if reward > 0 { Side::First } else { Side::Second })
    }
}

/// The mean of `visits` rewards.
#[inline(always)]
pub fn mean(total: i64, visits: u32) -> f64 {
    total as f64 / (ONE as f64 * f64::from(visits))
}
