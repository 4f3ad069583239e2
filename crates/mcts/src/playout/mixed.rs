//! The mixed strategy: corrective moves for some plies, then greedy ones (Winands and Björnsson; *Monte Carlo
//! Chess*, section 2.2.6).

use super::{Mixed, Playouter};
use monteverde_game::{Game, Greed, Knowledge, Measure, Outcome, Rng, Side};

impl<G: Game, K: Knowledge<G>, O> Playouter<'_, G, K, O> {
    pub(super) fn draw_mixed(
        &mut self,
        mixed: Mixed,
        state: &G,
        plies: u32,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        if plies < mixed.corrective {
            self.draw_corrective(mixed, state, rng)
        } else {
            let greed = Greed { measure: Measure::Eval, ties: mixed.ties };
            self.knowledge.greedy(state, greed, &mut self.moves, rng)
        }
    }

    /// A move with a probability by what it does to the eval; uniformly random where there is no eval.
    fn draw_corrective(
        &mut self,
        mixed: Mixed,
        state: &G,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        let Some(before) = self.knowledge.eval(state) else { return state.sample(rng) };
        if let Some(outcome) = state.playout_outcome() {
            return Err(outcome);
        }
        self.moves.clear();
        state.moves(&mut self.moves);
        self.weights.clear();
        let mut sum = 0.0;
        for index in 0..self.moves.len() {
            let mv = self.moves[index];
            let weight = match self.eval_after(state, mv) {
                Value::Win => return Ok(mv),
                Value::Loss => mixed.least_weight,
                Value::Eval(after) if after < before => mixed.least_weight,
                Value::Eval(after) => {
                    let known = self.knowledge.weight(state, mv);
                    known.unwrap_or(1.0 + (after - before) / mixed.spread)
                }
            };
            self.weights.push(weight);
            sum += f64::from(weight);
        }
        let mut rest = rng.unit() * sum;
        for (&mv, &weight) in self.moves.iter().zip(&self.weights) {
            rest -= f64::from(weight);
            if rest < 0.0 {
                return Ok(mv);
            }
        }
        // By rounding, or because no move has any weight.
        Ok(self.moves[self.moves.len() - 1])
    }

    /// What a move leads to, for the side that plays it.
    fn eval_after(&mut self, state: &G, mv: G::Move) -> Value {
        let side: Side = state.turn();
        self.after.clone_from(state);
        self.after.advance(mv);
        match self.after.playout_outcome().map(|outcome| outcome.value_for(side)) {
            Some(1) => Value::Win,
            Some(0) => Value::Eval(0.0),
            Some(_) => Value::Loss,
            None => {
                let eval = self.knowledge.eval(&self.after).unwrap_or(0.0);
                Value::Eval(if self.after.turn() == side { eval } else { -eval })
            }
        }
    }
}

/// What a move leads to.
enum Value {
    Win,
    Eval(f32),
    Loss,
}
