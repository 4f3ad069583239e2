//! The protocols by which other programs play against the players of this project: [`uci`], spoken by
//! the graphical interfaces and tournament programs of chess, and a dialect of it for Lines of Action; [`tcga`], spoken
//! by the arenas of Chinese dark chess.

mod reader;
pub mod tcga;
mod text;
pub mod uci;
