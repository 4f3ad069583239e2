//! How a game of chess ends.

use crate::Color;
use crate::position::Position;
use monteverde_game::{Outcome, Side};

/// Plies without capture or pawn move after which the game is drawn.
pub(crate) const FIFTY_MOVES: u16 = 100;

/// Which rule has ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Checkmate,
    Stalemate,
    FiftyMoves,
    InsufficientMaterial,
    Repetition,
}

impl Ending {
    /// The ending of a position without legal moves.
    #[inline(never)]
    pub(crate) fn without_moves(position: &Position) -> Ending {
        if position.checkers() != 0 { Ending::Checkmate } else { Ending::Stalemate }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::FiftyMoves => "fifty-moves",
            Ending::InsufficientMaterial => "insufficient-material",
            Ending::Repetition => "repetition",
        }
    }

    /// The outcome where it is that colour's turn.
    pub(crate) fn outcome(self, turn: Color) -> Outcome {
        match self {
            Ending::Checkmate => Outcome::Win(side(turn).other()),
            _ => Outcome::Draw,
        }
    }
}

/// The side of a colour.
#[inline(always)]
pub(crate) fn side(color: Color) -> Side {
    match color {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}
