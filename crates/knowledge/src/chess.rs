//! The evaluation of chess: centipawns for the side to move, and the expected result.
//!
//! Whole numbers throughout, so that a value is the same on every machine. [`eval`] takes the
//! weights that `monteverde tune` has fitted to games of our own (`weights.rs`); [`eval_with`] any
//! others. What the terms are is said in `terms.rs`, when a board has them in `evaluate.rs`,
//! `pawns.rs` and `king.rs`.
//!
//! Nothing is kept from one board to the next. Material and squares could be, but most of the time
//! goes into attacks and pawns, which a move changes far from where it happens
//! (`docs/evaluation.md`).

mod camp;
mod curve;
mod ending;
mod evaluate;
mod features;
mod king;
mod knowledge;
pub mod lone_king;
mod material;
mod pawns;
mod plain;
mod policy;
mod quiesce;
mod score;
mod successors;
mod tactics;
mod terms;
mod trace;
mod weights;

pub use curve::{Curve, expectation};
pub use features::ChessFeatures;
pub use knowledge::{ChessKnowledge, VERDICT};
pub use material::Material;
pub use plain::plain;
pub use policy::{log_priors, move_weights};
pub use quiesce::{MATED, quiesce};
pub use score::Score;
pub use successors::{MATE, for_each_after, for_each_successor};
pub use tactics::ChessTactics;
pub use terms::{GROUPS, Group, TERMS, Weights};
pub use trace::{Trace, trace};
pub use weights::{CURVE, TUNED};

use camp::{Camp, count};
use evaluate::{Sink, survey};
use monteverde_chess::isa::{self, Isa, Task};
use monteverde_chess::{Board, Color};

/// The static value of the board for the side to move, in centipawns: a pawn is worth about 100. It
/// knows nothing of mate, stalemate and the rules that end a game.
pub fn eval(board: &Board) -> i32 {
    eval_with(&TUNED, board)
}

/// [`eval`] with these weights.
pub fn eval_with(weights: &Weights, board: &Board) -> i32 {
    isa::run(Eval { weights, board })
}

/// How much of the middlegame is on the board: [`WHOLE_PHASE`] with the officers of the start, 0
/// without any.
pub fn phase(board: &Board) -> i32 {
    let [white, black] = Color::ALL.map(|color| Camp::of(board, color));
    phase_of(&white, &black)
}

/// The phase of the start of a game.
pub const WHOLE_PHASE: i32 = 24;

struct Eval<'a> {
    weights: &'a Weights,
    board: &'a Board,
}

impl Task for Eval<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        value(isa, self.weights, self.board)
    }
}

/// The value for the side to move, within a [`Task`].
#[inline(always)]
fn value<I: Isa>(isa: I, weights: &Weights, board: &Board) -> i32 {
    let mut sum = Sum { weights, score: Score::default() };
    let [white, black] = survey(isa, board, &mut sum);
    let phase = phase_of(&white, &black);
    let tapered = sum.score.midgame() * phase + sum.score.endgame() * (WHOLE_PHASE - phase);
    let (strong, weak) = if tapered >= 0 { (&white, &black) } else { (&black, &white) };
    let scaled = tapered * ending::scale(strong, weak) / (WHOLE_PHASE * ending::WHOLE);
    let mop_up = ending::mop_up(&white, &black) - ending::mop_up(&black, &white);
    let value = scaled + mop_up;
    if board.turn() == Color::White { value } else { -value }
}

#[inline(always)]
fn phase_of(white: &Camp, black: &Camp) -> i32 {
    /// What a minor piece, a rook and a queen are to the middlegame.
    const SHARES: [i32; 3] = [1, 2, 4];
    let share = |camp: &Camp| {
        SHARES[0] * count(camp.knights | camp.bishops)
            + SHARES[1] * count(camp.rooks)
            + SHARES[2] * count(camp.queens)
    };
    (share(white) + share(black)).min(WHOLE_PHASE)
}

/// Adds weights up.
struct Sum<'w> {
    weights: &'w Weights,
    score: Score,
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.score += self.weights.0[term] * count;
    }
}
