//! What is known of Lines of Action as a search asks for it.

use super::category::{Category, View};
use super::evaluate::{eval_cache, eval_cache_after, evals_up_to, knows_the_end, value};
use super::heaviest::{FEW, Likeliest};
use super::quiesce::quiesce;
use super::weights::Evaluator;
use crate::Leaf;
use monteverde_game::isa;
use monteverde_game::knowledge;
use monteverde_game::playout_knowledge::{EvalCache, LOST, Tries, WON, eval_after};
use monteverde_game::{Game, Heaviest, Knowledge, Outcome, PlayoutKnowledge, Side};
use monteverde_loa::{Loa, Move};

/// What is known of Lines of Action: an evaluator, and how likely moves of each category are.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LoaKnowledge {
    /// What values states.
    pub evaluator: Evaluator,
    /// How far the expected result looks.
    pub leaf: Leaf,
    /// How much the logarithm of a move's prior grows for each [`UNIT`] of the evaluation after
    /// it, for the side that plays it; not negative. Where it is 0 the category alone counts.
    pub foresight: f32,
    /// What the points of evals are multiplied with, see [`Unit`].
    pub unit: Unit,
}

/// A factor on evals, for thresholds that are printed in the points of another program: what that
/// program calls 700 points need not be what our evaluation does. Expectations, priors and
/// alpha-beta do without it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unit(pub f32);

impl Default for Unit {
    /// As our evaluation was fitted, see [`UNIT`].
    fn default() -> Self {
        Unit(1.0)
    }
}

impl Unit {
    /// Scales evals; what is won or lost stays so.
    fn scale(self, evals: &mut [f32]) {
        if self.0 != 1.0 {
            evals
                .iter_mut()
                .filter(|eval| **eval != WON && **eval != LOST)
                .for_each(|eval| *eval *= self.0);
        }
    }
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

    /// The logarithm of that probability, and the share of the evaluation after the move that
    /// [`LoaKnowledge::foresight`] gives it. A pass is the only move, so that any number will do.
    fn log_priors(&self, state: &Loa, moves: &[Move], priors: &mut Vec<f32>) {
        let view = View::of(state.board());
        let log = |mv: Move| -view.category(mv).surprise() * std::f32::consts::LN_2;
        // By rules whose end the evaluation does not know categories are all there is.
        if self.foresight == 0.0 || !knows_the_end(state.board()) {
            priors.extend(moves.iter().map(|&mv| if mv.is_pass() { 0.0 } else { log(mv) }));
            return;
        }
        let start = priors.len();
        let tries = Tries { moves, enough: f32::INFINITY, cache: &self.eval_cache(state) };
        evals_up_to(self.evaluator.values(), state.board(), tries, priors);
        let weight = self.foresight / UNIT as f32;
        for (prior, &mv) in priors[start..].iter_mut().zip(moves) {
            let foreseen = weight * prior.clamp(-FORESEEN, FORESEEN);
            *prior = if mv.is_pass() { 0.0 } else { log(mv) + foreseen };
        }
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
        Some(value(self.evaluator.values(), state.board()) as f32 * self.unit.0)
    }

    /// A side that is [`VERDICT`] ahead wins.
    fn verdict(&self, state: &Loa) -> Option<Outcome> {
        knowledge::verdict_by_eval(self, state, VERDICT)
    }

    fn expectation(&self, state: &Loa) -> Option<f32> {
        let values = self.evaluator.values();
        let value = f64::from(match self.leaf {
            Leaf::Static => value(values, state.board()),
            Leaf::Quiet => quiesce(values, state.board()),
        });
        // The system's exponential differs from machine to machine; this one does not.
        Some((2.0 / (1.0 + libm::exp(-value / UNIT)) - 1.0) as f32)
    }

    /// What the evaluation expects of the state, for the winner: how far the loser still was from a
    /// connection.
    fn quality(&self, state: &Loa, winner: Side) -> Option<f32> {
        let expected = self.expectation(state)?;
        Some(if state.turn() == winner { expected } else { -expected })
    }
}

impl PlayoutKnowledge<Loa> for LoaKnowledge {
    fn heaviest(&self, state: &Loa, moves: &[Move], most: usize, heaviest: &mut Heaviest<Move>) {
        if most > FEW || moves.first().is_none_or(|mv| mv.is_pass()) {
            return heaviest.weigh(self, state, moves, most);
        }
        let likeliest = &mut heaviest.moves;
        isa::run(Likeliest { board: state.board(), moves, most, likeliest });
    }

    fn evals_up_to(
        &self,
        state: &Loa,
        tries: Tries<'_, Move>,
        after: &mut Loa,
        evals: &mut Vec<f32>,
    ) {
        if *tries.cache == EvalCache::default() {
            let cache = &self.eval_cache(state);
            return self.evals_up_to(state, Tries { cache, ..tries }, after, evals);
        }
        if knows_the_end(state.board()) {
            let (start, enough) = (evals.len(), tries.enough / self.unit.0);
            let tries = Tries { enough, ..tries };
            evals_up_to(self.evaluator.values(), state.board(), tries, evals);
            return self.unit.scale(&mut evals[start..]);
        }
        for &mv in tries.moves {
            let eval = eval_after(self, state, mv, after);
            evals.push(eval);
            if eval >= tries.enough {
                return;
            }
        }
    }

    fn eval_cache(&self, state: &Loa) -> EvalCache {
        eval_cache(self.evaluator.values(), state.board())
    }

    fn eval_cache_after(&self, state: &Loa, cache: &EvalCache, mv: Move) -> EvalCache {
        eval_cache_after(self.evaluator.values(), state.board(), cache, mv)
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

/// Beyond so many points the game is taken to be decided (*αβ-based Play-outs in Monte-Carlo Tree
/// Search*, section III-B, where playouts are cut off).
pub const VERDICT: f32 = 700.0;

/// The chance of a side that is so many points ahead is `e` to 1; all weights are fitted in this
/// unit.
pub const UNIT: f64 = 200.0;

/// What a connection counts in a prior, more than evaluations come to.
const FORESEEN: f32 = 2_000.0;
