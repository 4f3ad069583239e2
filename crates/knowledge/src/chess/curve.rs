//! From centipawns to the expected result.

use super::weights::CURVE;
use super::{WHOLE_PHASE, eval, phase};
use monteverde_chess::Board;

/// How the expected result grows with the value: `2 / (1 + exp(-value / unit)) - 1`, where the unit
/// goes evenly from the ending's to the middlegame's with the officers on the board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    /// The unit in centipawns with the officers of the start.
    pub midgame: f64,
    /// The unit in centipawns without officers.
    pub endgame: f64,
}

impl Curve {
    /// The expected result, from -1 for a loss to 1 for a win, of a value in centipawns on a board
    /// of that phase, 0 to [`WHOLE_PHASE`].
    pub fn expectation(&self, value: i32, phase: i32) -> f32 {
        let part = f64::from(phase) / f64::from(WHOLE_PHASE);
        let unit = self.endgame + (self.midgame - self.endgame) * part;
        // The system's exponential differs from machine to machine; this one does not.
        (2.0 / (1.0 + libm::exp(-f64::from(value) / unit)) - 1.0) as f32
    }
}

/// The expected result for the side to move, from -1 for a loss to 1 for a win, equal to the last
/// bit on every machine. It knows no more than [`eval`] does.
pub fn expectation(board: &Board) -> f32 {
    CURVE.expectation(eval(board), phase(board))
}
