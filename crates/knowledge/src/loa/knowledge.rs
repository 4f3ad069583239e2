//! What is known of Lines of Action as a search asks for it.

use super::category::{Category, View};
use super::evaluate::{eval, evals_up_to, knows_the_end};
use super::weights::Evaluator;
use monteverde_game::knowledge::{self, Tries};
use monteverde_game::{Game, Knowledge, Outcome, Side};
use monteverde_loa::{Loa, Move};

/// What is known of Lines of Action: an evaluator, and how likely moves of each category are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoaKnowledge {
    /// What values states.
    pub evaluator: Evaluator,
}

impl Knowledge<Loa> for LoaKnowledge {
    /// The probability of the move's category; of a pass, which is the only move, there is none.
    fn prior(&self, state: &Loa, mv: Move) -> Option<f32> {
        Category::of(state.board(), mv).map(Category::probability)
    }

    fn priors(&self, state: &Loa, moves: &[Move], priors: &mut Vec<f32>) {
        let view = View::of(state.board());
        priors.extend(moves.iter().map(|&mv| match mv.is_pass() {
            true => 0.0,
            false => view.category(mv).probability(),
        }));
    }

    /// The logarithm of that probability.
    fn log_priors(&self, state: &Loa, moves: &[Move], priors: &mut Vec<f32>) {
        let view = View::of(state.board());
        priors.extend(moves.iter().map(|&mv| match mv.is_pass() {
            true => 0.0,
            false => -view.category(mv).surprise() * std::f32::consts::LN_2,
        }));
    }

    /// The same probability.
    fn weight(&self, state: &Loa, mv: Move) -> Option<f32> {
        self.prior(state, mv)
    }

    fn weights(&self, state: &Loa, moves: &[Move], weights: &mut Vec<f32>) {
        let view = View::of(state.board());
        weights.extend(moves.iter().map(|&mv| match mv.is_pass() {
            true => 1.0,
            false => view.category(mv).probability(),
        }));
    }

    /// In points: from 600 on the side is as good as sure to win.
    fn eval(&self, state: &Loa) -> Option<f32> {
        Some(eval(self.evaluator.weights(), state.board()) as f32)
    }

    fn eval_after(&self, state: &Loa, mv: Move, after: &mut Loa) -> f32 {
        knowledge::eval_after(self, state, mv, after)
    }

    fn evals_after(&self, state: &Loa, moves: &[Move], after: &mut Loa, evals: &mut Vec<f32>) {
        self.evals_up_to(state, Tries { moves, enough: f32::INFINITY }, after, evals);
    }

    fn evals_up_to(
        &self,
        state: &Loa,
        tries: Tries<'_, Move>,
        after: &mut Loa,
        evals: &mut Vec<f32>,
    ) {
        if knows_the_end(state.board()) {
            return evals_up_to(self.evaluator.weights(), state.board(), tries, evals);
        }
        for &mv in tries.moves {
            let eval = self.eval_after(state, mv, after);
            evals.push(eval);
            if eval >= tries.enough {
                return;
            }
        }
    }

    /// A side that is [`VERDICT`] ahead wins.
    fn verdict(&self, state: &Loa) -> Option<Outcome> {
        knowledge::verdict_by_eval(self, state, VERDICT)
    }

    fn expectation(&self, state: &Loa) -> Option<f32> {
        let value = f64::from(eval(self.evaluator.weights(), state.board()));
        // The system's exponential differs from machine to machine; this one does not.
        Some((2.0 / (1.0 + libm::exp(-value / UNIT)) - 1.0) as f32)
    }

    /// What the evaluation expects of the state, for the winner: how far the loser still was from a connection.
    fn quality(&self, state: &Loa, winner: Side) -> Option<f32> {
        let expected = self.expectation(state)?;
        Some(if state.turn() == winner { expected } else { -expected })
    }
}

/// Knows nothing but how many pieces there are, of which it takes more to be better.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pieces;

impl Knowledge<Loa> for Pieces {
    /// In hundredths of a piece.
    fn eval(&self, state: &Loa) -> Option<f32> {
        let count = |side| state.board().count(side) as f32;
        Some(100.0 * (count(state.turn()) - count(state.turn().other())))
    }
}

/// Beyond so many points the game is taken to be decided (*αβ-based Play-outs in Monte-Carlo Tree Search*, section III-B,
/// where playouts are cut off).
pub const VERDICT: f32 = 700.0;

/// The chance of a side that is so many points ahead is `e` to 1; all weights are fitted in this unit.
pub const UNIT: f64 = 200.0;
