//! The evaluation as a search asks for it.

use super::policy::Glance;
use super::quiesce::for_each_sound_capture;
use super::{
    CURVE, TUNED, eval, expectation, for_each_successor, log_priors, lone_king, move_weights,
    phase, quiesce,
};
use crate::Leaf;
use monteverde_chess::{Chess, Color, Move, Piece, see};
use monteverde_game::knowledge;
use monteverde_game::rng::split_mix;
use monteverde_game::{
    Game, Greed, Knowledge, Measure, Outcome, PlayoutKnowledge, Rng, Side, Ties,
};

/// What is known of chess: the tuned evaluation and the exchange evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChessKnowledge {
    /// How far the expected result looks.
    pub leaf: Leaf,
}

impl Knowledge<Chess> for ChessKnowledge {
    /// The value after the move, for the side that plays it, in centipawns: the progressive bias of
    /// *Monte Carlo Chess* (2012), section 4.2.2.
    fn prior(&self, state: &Chess, mv: Move) -> Option<f32> {
        let mut after = *state.board();
        after.play(mv);
        Some(-eval(&after) as f32)
    }

    /// By exchanges and squares, see [`move_weights`].
    fn weight(&self, state: &Chess, mv: Move) -> Option<f32> {
        Some(Glance::at(state.board()).weight(mv))
    }

    fn weights(&self, state: &Chess, moves: &[Move], weights: &mut Vec<f32>) {
        move_weights(state.board(), moves, weights);
    }

    /// In centipawns.
    fn eval(&self, state: &Chess) -> Option<f32> {
        Some(eval(state.board()) as f32)
    }

    /// In centipawns, a pawn counting 100.
    fn gain(&self, state: &Chess, mv: Move) -> Option<f32> {
        Some(see(state.board(), mv) as f32)
    }

    /// A side that is [`VERDICT`] ahead wins.
    fn verdict(&self, state: &Chess) -> Option<Outcome> {
        knowledge::verdict_by_eval(self, state, VERDICT)
    }

    fn expectation(&self, state: &Chess) -> Option<f32> {
        let board = state.board();
        Some(match self.leaf {
            Leaf::Static => expectation(board),
            Leaf::Quiet => CURVE.expectation(quiesce(board), phase(board)),
        })
    }

    fn for_each_capture(&self, state: &Chess, take: &mut dyn FnMut(Move)) {
        for_each_sound_capture(state.board(), take);
    }

    /// By the pawns of both sides and the side to move.
    fn likeness(&self, state: &Chess) -> Option<u64> {
        let board = state.board();
        let pawns = board.pieces(Piece::Pawn);
        let [white, black] = [Color::White, Color::Black].map(|color| pawns & board.color(color));
        // No pawn stands on the first square.
        let mut mix = white.0 | u64::from(board.turn() == Color::Black);
        mix = split_mix(&mut mix) ^ black.0;
        Some(split_mix(&mut mix))
    }

    /// What the evaluation expects of the board as it stands, for the winner; after a mate that is
    /// for the most part the material.
    fn quality(&self, state: &Chess, winner: Side) -> Option<f32> {
        let expected = expectation(state.board());
        Some(if state.turn() == winner { expected } else { -expected })
    }

    fn log_priors(&self, state: &Chess, moves: &[Move], priors: &mut Vec<f32>) {
        log_priors(state.board(), moves, priors);
    }
}

impl PlayoutKnowledge<Chess> for ChessKnowledge {
    /// Filters moves where one side has a lone king and the other no pawns.
    fn sample_filtered(
        &self,
        state: &Chess,
        notes: &mut Vec<u64>,
        rng: &mut Rng,
    ) -> Result<Move, Outcome> {
        lone_king::sample(state, notes, rng)
    }

    /// By evaluation all successors are evaluated in one go; by exchanges the rules look for the
    /// best.
    fn greedy(
        &self,
        state: &Chess,
        greed: Greed,
        buffer: &mut Vec<Move>,
        rng: &mut Rng,
    ) -> Result<Move, Outcome> {
        match greed.measure {
            Measure::Gain => state.board().best_exchange(greed.ties, rng),
            Measure::Eval => best_successor(state, greed.ties, buffer, rng),
        }
    }
}

/// Beyond so many centipawns the game is taken to be decided: a queen and a pawn. No paper prints a
/// number for chess; ours, not tuned.
pub const VERDICT: f32 = 1000.0;

fn best_successor(
    state: &Chess,
    ties: Ties,
    buffer: &mut Vec<Move>,
    rng: &mut Rng,
) -> Result<Move, Outcome> {
    if let Some(outcome) = state.playout_outcome() {
        return Err(outcome);
    }
    let (mut best, mut highest, mut equals) = (None, i32::MIN, 0);
    for_each_successor(&TUNED, state.board(), buffer, |mv, value| {
        if value > highest || value == highest && ties == Ties::Last {
            (best, highest, equals) = (Some(mv), value, 1);
        } else if value == highest && ties == Ties::Random {
            equals += 1;
            if rng.below(equals) == 0 {
                best = Some(mv);
            }
        }
    });
    Ok(best.expect("a game that is not over has a move"))
}
