//! Moves of a playout that a small search chooses, see [`super::lookahead`].

use super::config::Look;
use super::lookahead::{FoundMove, Root};
use super::playouter::{Playouter, Seen};
use monteverde_game::playout_knowledge::{LOST, WON};
use monteverde_game::{Game, Outcome, PlayoutKnowledge, Rng};

impl<G: Game, K: PlayoutKnowledge<G>, O> Playouter<'_, G, K, O> {
    /// The move that the search finds. What it is worth is seen where the playout looks next: a
    /// value outside the window is decided.
    pub(super) fn draw_alphabeta(
        &mut self,
        (look, noise): (Look, Option<u32>),
        state: &G,
        level: u32,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        if look != Look::Nowhere
            && let Some(win) = self.win_not_looked_for(state)
        {
            return Ok(self.win(win));
        }
        if let Some(outcome) = state.playout_outcome() {
            return Err(outcome);
        }
        let window = self.config.cutoff.map_or(f32::INFINITY, |cutoff| cutoff.threshold);
        let is_weighed = self.seen.is_some_and(|seen| seen.is_weighed);
        let cache = self.eval_cache(state);
        let root = Root { state, cache, is_weighed, level, window, noise };
        let found = self.lookahead.search(self.knowledge, &root, rng);
        let eval = match found.value {
            value if value >= window => WON,
            value if value <= -window => LOST,
            value => value,
        };
        let FoundMove { cache, is_weighed, .. } = found;
        self.seen = Some(Seen { eval, side: state.turn(), cache, is_weighed });
        Ok(found.mv)
    }
}
