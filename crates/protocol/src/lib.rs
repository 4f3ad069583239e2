//! The protocols by which other programs play against the players of this project: [`uci`], spoken by
//! the graphical interfaces and tournament programs of chess.

pub mod uci;
