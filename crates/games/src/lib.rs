//! The games of Monteverde, a folder each: the entry, with its players, its settings, its board and words for people, its
//! records and protocol words, and the commands that are about it alone.
//!
//! No crate above this one names a game. [`games`] is all of them, as a value.

pub mod banqi;
pub mod chess;
pub mod loa;
pub mod small;

use monteverde_players::Games;

/// All games; the first is the default.
pub fn games() -> Games {
    Games::new()
        .with(chess::ChessEntry)
        .with(loa::LoaEntry)
        .with(banqi::BanqiEntry)
        .with(small::TicTacToeEntry)
        .with(small::DiceRaceEntry)
}
