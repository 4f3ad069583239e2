//! Endgame tables of chess with the distance to mate: building, files, probing.
//!
//! [`create::build_tables`] makes the tables of a folder, [`Tables`] answers for positions, and
//! [`verify`] checks what they say. The tables know nothing of castling, which they leave open, and
//! of the fifty-move rule and repetitions, which they ignore. This crate knows the rules of chess
//! and no search, and it prints nothing.

mod build;
mod code;
pub mod create;
mod endgames;
mod error;
mod file;
mod flat;
pub mod history;
mod layout;
mod material;
mod pack;
mod pages;
mod symmetry;
mod syzygy;
mod table;
mod tables;
pub mod verify;

pub use endgames::{EndgameChoice, Endgames, TableSource};
pub use error::TableError;
pub use material::{MOST_PIECES, Material, MaterialError};
pub use syzygy::{RootMove, Syzygy, Wdl};
pub use tables::Tables;
