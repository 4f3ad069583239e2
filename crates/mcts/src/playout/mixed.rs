//! The mixed strategy: corrective moves for some plies, then greedy ones or those of a small search
//! (Winands and Björnsson, *αβ-based Play-outs in Monte-Carlo Tree Search*, sections III-B and IV;
//! *Monte Carlo Chess*, section 2.2.6).

use super::categories::by_weight;
use super::config::{Decisive, Greedy, Mixed, Then};
use super::decisive;
use super::noise;
use super::playouter::{Playouter, Seen};
use monteverde_game::playout_knowledge::{EvalCache, Tries, WON};
use monteverde_game::{Game, Greed, Measure, Outcome, PlayoutKnowledge, Rng, Ties};

impl<G: Game, K: PlayoutKnowledge<G>, O> Playouter<'_, G, K, O> {
    pub(super) fn draw_mixed(
        &mut self,
        mixed: Mixed,
        state: &G,
        plies: u32,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        if plies < mixed.corrective {
            return self.draw_corrective(mixed, state, rng);
        }
        match mixed.then {
            Then::Greedy(greedy) => self.draw_greedy(greedy, mixed.noise, state, rng),
            Then::AlphaBeta(alphabeta) => {
                self.draw_alphabeta((alphabeta.look, mixed.noise), state, plies, rng)
            }
        }
    }

    /// A move by its weight, which is next to nothing if the move lowers the eval. A move that wins
    /// at once is played: both strategies stop as soon as a move is found that decides (*Monte
    /// Carlo Chess*, section 2.2.6).
    fn draw_corrective(
        &mut self,
        mixed: Mixed,
        state: &G,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        let Some(before) = self.eval(state) else { return self.draw_by_weight(state, rng) };
        let cache = self.eval_cache(state);
        self.list(state)?;
        self.evals.clear();
        let tries = Tries { moves: &self.moves, enough: f32::INFINITY, cache: &cache };
        self.knowledge.evals_up_to(state, tries, &mut self.after, &mut self.evals);
        noise::add(mixed.noise, &mut self.evals, rng);
        let index = match self.evals.iter().position(|&after| after == WON) {
            Some(win) => win,
            None => {
                self.weights.clear();
                self.knowledge.weights(state, &self.moves, &mut self.weights);
                for (weight, &after) in self.weights.iter_mut().zip(&self.evals) {
                    if after < before {
                        *weight = mixed.least_weight;
                    } else if let Some(spread) = mixed.spread {
                        *weight *= 1.0 + (after - before) / spread;
                    }
                }
                by_weight(&self.weights, rng)
            }
        };
        Ok(self.see(state, &cache, (self.moves[index], self.evals[index])))
    }

    /// The move that leads to the highest eval among those with the highest weight, unless another
    /// wins at once.
    fn draw_greedy(
        &mut self,
        greedy: Greedy,
        noise: Option<u32>,
        state: &G,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        // All are considered one by one where each is put off.
        let considered = greedy.considered.or(noise.map(|_| u32::MAX));
        let Some(most) = considered else {
            self.seen = None;
            let greed = Greed { measure: Measure::Eval, ties: greedy.ties };
            return self.knowledge.greedy(state, greed, &mut self.moves, rng);
        };
        if let Some(win) = self.win_not_looked_for(state) {
            return Ok(self.win(win));
        }
        let cache = self.eval_cache(state);
        self.list(state)?;
        let most = most.max(1) as usize;
        self.knowledge.heaviest(state, &self.moves, most, &mut self.heaviest);
        self.evals.clear();
        let considered = &self.heaviest.moves;
        let tries = Tries { moves: considered, enough: f32::INFINITY, cache: &cache };
        self.knowledge.evals_up_to(state, tries, &mut self.after, &mut self.evals);
        noise::add(noise, &mut self.evals, rng);
        let best = highest(&self.evals, greedy.ties, rng);
        Ok(self.see(state, &cache, (considered[best], self.evals[best])))
    }

    /// What evaluations of the moves have in common, from the choice of the move that led there if
    /// it can; it forgets that choice.
    #[inline(always)]
    pub(super) fn eval_cache(&mut self, state: &G) -> EvalCache {
        let seen = self.seen.take().and_then(|seen| seen.cache);
        seen.unwrap_or_else(|| self.knowledge.eval_cache(state))
    }

    /// Remembers what a chosen move leads to.
    #[inline(always)]
    fn see(&mut self, state: &G, cache: &EvalCache, (mv, eval): (G::Move, f32)) -> G::Move {
        let cache = Some(self.knowledge.eval_cache_after(state, cache, mv));
        self.seen = Some(Seen { eval, side: state.turn(), cache, is_weighed: false });
        mv
    }

    /// A move that wins at once, unless that has been asked already for this state.
    #[inline(always)]
    pub(super) fn win_not_looked_for(&mut self, state: &G) -> Option<G::Move> {
        match self.config.decisive {
            Decisive::Off => decisive::winning_move(state, &mut self.moves),
            Decisive::Wins | Decisive::Anti => None,
        }
    }
}

/// The number of the highest eval.
fn highest(evals: &[f32], ties: Ties, rng: &mut Rng) -> usize {
    let (mut best, mut equals) = (0, 1);
    for (index, &eval) in evals.iter().enumerate().skip(1) {
        if eval > evals[best] || eval == evals[best] && ties == Ties::Last {
            (best, equals) = (index, 1);
        } else if eval == evals[best] && ties == Ties::Random {
            equals += 1;
            if rng.below(equals) == 0 {
                best = index;
            }
        }
    }
    best
}
