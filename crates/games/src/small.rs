//! The two tiny games that tests and tutorials use.

use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_players::Entry;

/// Tic-tac-toe.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToeEntry;

impl Entry for TicTacToeEntry {
    type Game = TicTacToe;
    fn title(&self) -> &'static str {
        "tic-tac-toe"
    }
}

/// A race with a die.
#[derive(Clone, Copy, Debug)]
pub struct DiceRaceEntry;

impl Entry for DiceRaceEntry {
    type Game = DiceRace;
    fn about(&self) -> &'static str {
        "a race of two pieces with a loaded die"
    }
}
