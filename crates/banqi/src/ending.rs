//! How a game ends.

use crate::Colour;
use monteverde_game::{Outcome, Side};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// That side has lost all its pieces.
    Captured(Side),
    /// That side cannot move.
    NoMove(Side),
    /// Too many plies without a capture or a flip.
    Quiet,
    /// The position has occurred too often.
    Repetition,
}

impl Ending {
    pub(crate) fn outcome(self) -> Outcome {
        match self {
            Ending::Captured(loser) | Ending::NoMove(loser) => Outcome::Win(loser.other()),
            Ending::Quiet | Ending::Repetition => Outcome::Draw,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Ending::Captured(_) => "all captured",
            Ending::NoMove(_) => "no move",
            Ending::Quiet => "quiet plies",
            Ending::Repetition => "repetition",
        }
    }
}

/// How a game is likely to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Likely {
    /// Nobody can tell.
    Unknown,
    /// That colour wins.
    Win(Colour),
    /// Nobody wins.
    Draw,
}
