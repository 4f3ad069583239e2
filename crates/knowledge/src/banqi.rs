//! What is known of Chinese dark chess: what pieces are worth, which moves playouts prefer, how
//! combinations of material are likely to end, and how promising moves look.
//!
//! Everything is from Hsueh, Wu, Tseng, Yen and Chen, *An Analysis for Strength Improvement of an
//! MCTS-Based Program Playing Chinese Dark Chess*, but for what the paper leaves open;
//! `docs/dark-chess.md` says which that is.

mod exchange;
mod features;
mod knowledge;
mod likely;
mod material;
mod moves;

pub use features::BanqiFeatures;
pub use knowledge::BanqiKnowledge;
pub use likely::{DRAWS, likely};
pub use material::{PIECE_WEIGHTS, balance};
pub use monteverde_banqi::Likely;
pub use moves::{CURB, FLIP, MoveEval};
