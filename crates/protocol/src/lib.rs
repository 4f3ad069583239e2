//! The protocols by which other programs play against the players of this project: [`uci`], spoken by
//! the graphical interfaces and tournament programs of chess, and a dialect of it for Lines of Action.

pub mod uci;
