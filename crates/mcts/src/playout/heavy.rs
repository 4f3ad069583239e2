//! Heavy playouts: the move that looks best, or, with probability epsilon, a random one (*Monte
//! Carlo Chess*, section 4.2.1).

use super::config::Heavy;
use super::playouter::Playouter;
use monteverde_game::{Game, Outcome, PlayoutKnowledge, Rng};

impl<G: Game, K: PlayoutKnowledge<G>, O> Playouter<'_, G, K, O> {
    /// At both ends of its range epsilon needs no random number: with 1 the numbers go where those
    /// of uniform playouts go.
    #[inline(always)]
    pub(super) fn draw_heavy(
        &mut self,
        heavy: Heavy,
        state: &G,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        let epsilon = heavy.epsilon;
        if epsilon >= 1.0 || epsilon > 0.0 && rng.unit() < epsilon {
            state.sample(rng)
        } else {
            self.knowledge.greedy(state, heavy.greed, &mut self.moves, rng)
        }
    }
}
