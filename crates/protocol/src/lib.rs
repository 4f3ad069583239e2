//! The protocol by which other programs play against the players of this project: [`uci`], spoken
//! by the graphical interfaces and tournament programs of chess, and a dialect of it for other
//! games. It knows no game: what differs between them their entries say.

pub mod uci;
