//! The games of Monteverde, a folder each: the entry, with its players, its settings, its board and
//! words for people, its records and protocol words, and the commands that are about it alone.
//!
//! No crate above this one names a game. [`games`] is all of them, as a value.

pub mod banqi;
pub mod chess;
mod leaf;
pub mod loa;
mod network;
pub mod small;
mod tables;

pub(crate) use leaf::leaf;

use monteverde_players::Games;

/// The signature of all games as it was when they were last known to be searched as they should, a
/// line each; `monteverde bench --signature > crates/games/signature.txt` writes it anew.
pub const SIGNATURE: &str = include_str!("../signature.txt");

/// All games; the first is the default.
pub fn games() -> Games {
    Games::new()
        .with(chess::ChessEntry)
        .with(loa::LoaEntry)
        .with(banqi::BanqiEntry)
        .with(small::TicTacToeEntry)
        .with(small::DiceRaceEntry)
}
