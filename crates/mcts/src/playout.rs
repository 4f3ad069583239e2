//! The third step: from the new state to a reward.

use crate::reward;
use monteverde_game::{Game, Rng};

/// Plays uniformly random moves to the end of the game; the reward for [`monteverde_game::Side::First`].
/// Leaves the final state in `state`.
#[inline(always)]
pub(crate) fn uniform<G: Game>(state: &mut G, rng: &mut Rng) -> i64 {
    reward::of_outcome(state.playout(rng).outcome)
}
