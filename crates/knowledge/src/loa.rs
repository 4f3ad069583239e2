//! What is known of Lines of Action: an evaluation, and categories of moves with the probability
//! that one is played.
//!
//! The evaluation has the features that are known of the program MIA's, in whole numbers
//! throughout, so that a value is the same on every machine. Features of one side alone are in
//! `shape.rs`; those of lines are sums over the lines of the board, looked up by configuration, in
//! `tallies.rs`. `docs/evaluation-loa.md` says how the weights were found.

mod category;
mod counts;
mod evaluate;
mod features;
mod fitted;
mod fitted_monte_carlo;
mod fitted_non_negative;
mod heaviest;
mod knowledge;
mod mass;
mod quiesce;
mod shape;
mod tactics;
mod tallies;
mod transitions;
mod values;
mod weights;

pub use category::{Category, FARTHEST, LEAST_PROBABILITY, Parts, REGIONS, Taking, View, region};
pub use counts::{Count, Counts};
pub use evaluate::{FEATURES, NAMES, eval, features};
pub use features::LoaFeatures;
pub use knowledge::{LoaKnowledge, Pieces, UNIT, Unit, VERDICT};
pub use mass::{Mass, distance};
pub use tactics::LoaTactics;
pub use weights::{Evaluator, FINENESS, Weights};
