//! The rules and notations of chess, Chess960 included: bitboards, legal move generation, uniform
//! random moves and playouts, Zobrist keys, and the rules that end a game.
//!
//! This crate knows the rules only: no evaluation, no search, and it prints nothing.

mod army;
pub mod attacks;
mod board;
mod by_piece;
mod ending;
pub mod fen;
mod game;
mod generate;
mod greedy;
pub mod isa;
mod mate;
mod moves;
mod notation;
mod perft;
pub mod pgn;
mod position;
mod sample;
pub mod san;
mod see;
mod setup;
mod tables;
mod types;
pub mod uci;
mod zobrist;

pub use board::{Board, Variant, Wing};
pub use game::Chess;
pub use moves::Move;
pub use see::{for_each_sound, see, see_at_least};
pub use setup::{Setup, SetupError};
pub use types::{Bitboard, Color, Piece, Square};
