//! How a game ends.

use monteverde_game::{Outcome, Side};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// That side is connected, the other is not.
    Connection(Side),
    /// Both are connected, and by the rules that is so.
    BothConnected(Outcome),
    /// That side cannot move, and by the rules that loses.
    NoMove(Side),
    /// The longest game that the rules allow.
    Length,
    /// The position has occurred too often.
    Repetition,
}

impl Ending {
    pub(crate) fn outcome(self) -> Outcome {
        match self {
            Ending::Connection(side) => Outcome::Win(side),
            Ending::BothConnected(outcome) => outcome,
            Ending::NoMove(side) => Outcome::Win(side.other()),
            Ending::Length | Ending::Repetition => Outcome::Draw,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Ending::Connection(_) => "connection",
            Ending::BothConnected(_) => "both connected",
            Ending::NoMove(_) => "no move",
            Ending::Length => "length",
            Ending::Repetition => "repetition",
        }
    }
}
