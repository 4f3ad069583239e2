//! Moves drawn in proportion to what knowledge gives them (*Monte-Carlo Tree Search Solver*,
//! section 3.1: the transition probabilities of move categories).

use super::playouter::Playouter;
use monteverde_game::{Game, Outcome, PlayoutKnowledge, Rng};

impl<G: Game, K: PlayoutKnowledge<G>, O> Playouter<'_, G, K, O> {
    pub(super) fn draw_by_weight(&mut self, state: &G, rng: &mut Rng) -> Result<G::Move, Outcome> {
        if let Some(drawn) = self.knowledge.sample_weighted(state, rng) {
            return drawn;
        }
        self.list(state)?;
        self.weights.clear();
        self.knowledge.weights(state, &self.moves, &mut self.weights);
        Ok(self.moves[by_weight(&self.weights, rng)])
    }

    /// Lists the moves of a state, or gives the outcome if the game is over.
    #[inline(always)]
    pub(super) fn list(&mut self, state: &G) -> Result<(), Outcome> {
        if let Some(outcome) = state.playout_outcome() {
            return Err(outcome);
        }
        self.moves.clear();
        state.moves(&mut self.moves);
        Ok(())
    }
}

/// The number of one of the weights, drawn in proportion to them; each is as likely where none is
/// positive.
pub(super) fn by_weight(weights: &[f32], rng: &mut Rng) -> usize {
    let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    if sum <= 0.0 {
        return rng.below(weights.len() as u32) as usize;
    }
    let mut rest = rng.unit() * sum;
    for (index, &weight) in weights.iter().enumerate() {
        rest -= f64::from(weight);
        if rest < 0.0 {
            return index;
        }
    }
    // By rounding; the last that has any weight.
    weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
}
