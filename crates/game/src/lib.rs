//! What a game is: the [`Game`] trait, the two sides, outcomes and proofs, knowledge about a game,
//! a random number generator that is fixed for ever, perft, and the conformance suite that every
//! game passes; and what every search has in common, its limits and its report.
//!
//! This crate knows no concrete game except its two fixtures ([`fixtures`]), and no search.

// The tutorial's game is a fixture too, word for word, and names this crate as a reader's own crate
// would.
extern crate self as monteverde_game;

pub mod conformance;
pub mod fixtures;
pub mod game;
pub mod heaviest;
pub mod isa;
pub mod knowledge;
pub mod limit;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod playout_knowledge;
pub mod report;
pub mod rng;
pub mod square;
pub mod switches;

pub use game::{Game, Never, Playout, Step};
pub use heaviest::Heaviest;
pub use knowledge::{Knowledge, NoKnowledge, NoOracle, Oracle, Outlook};
pub use notation::{Notation, NotationError};
pub use outcome::{Outcome, Proof, Side};
pub use perft::{divide, perft};
pub use playout_knowledge::{Greed, Measure, PlayoutKnowledge, Ties};
pub use rng::Rng;
pub use square::{Square, SquareError};
