//! The rules and notations of Chinese dark chess (banqi): bitboards of 32 squares, legal moves and
//! flips, random moves and playouts, uniform or weighted by what is captured, Zobrist keys, and the
//! rules that end a game. Boards may be smaller than 4 by 8, and the pieces any.
//!
//! Who flips first is [`Side::First`](monteverde_game::Side::First) and plays the colour that
//! shows. This crate knows the rules only: no evaluation, no search, and it prints nothing.

pub mod attacks;
mod board;
pub mod combination;
pub mod endgame;
mod ending;
mod game;
mod generate;
mod moves;
mod notation;
mod past;
mod rules;
mod sample;
mod scene;
mod setup;
pub mod state;
mod types;
mod uniform;
mod weights;
mod zobrist;

pub use board::Board;
pub use ending::Likely;
pub use game::Banqi;
pub use moves::Move;
pub use rules::{Repetition, Rules};
pub use setup::{Colours, Face, Setup, SetupError};
pub use types::{Colour, FILES, KINDS, Kind, PIECES, Piece, RANKS, SQUARES, Square, bits};
pub use weights::Weights;
