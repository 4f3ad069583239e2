//! The rules and notations of Lines of Action: bitboards with the configuration of every line kept
//! beside them, legal moves, uniform random moves and playouts, Zobrist keys, and the rules that
//! end a game.
//!
//! Black moves first and is [`Side::First`](monteverde_game::Side::First), White is
//! [`Side::Second`](monteverde_game::Side::Second). This crate knows the rules only: no evaluation,
//! no search, and it prints nothing.

mod board;
pub mod connection;
mod ending;
mod game;
mod generate;
pub mod lines;
mod moves;
mod notation;
mod perft;
mod rules;
mod sample;
pub mod sgf;
pub mod state;
mod types;
mod zobrist;

pub use board::{Board, SetupError};
pub use game::Loa;
pub use moves::Move;
pub use rules::{NoMove, Repetition, Rules, Simultaneous};
pub use types::{Square, bits};
