//! Learned networks: what they see of a state, their files, and what they say of a state in whole
//! numbers. No game is named here: a game brings its [`Features`].
//!
//! A network has a value, how a game is likely to end for the side to move, a policy, how likely
//! each move is the best, or both. Each is two layers: the first adds up the rows of the inputs
//! that are active, what comes of it is clipped to 0..1 and squared, the second weighs that.
//! Everything up to the last exponential is whole numbers, so that a search with a network is the
//! same on every machine and instruction set. `docs/networks.md` describes files and feature sets.

mod card;
mod features;
mod file;
mod isa;
mod layers;
mod learned;
mod network;
mod packed;

pub use card::{Card, Data, FeatureCard, Scales, Shape};
pub use features::{Description, Features};
pub use file::{MOST_BYTES, NetworkError, contents};
pub use isa::Isa;
pub use layers::{Layers, MOST_WIDTH, WIDTH_STEP};
pub use learned::{Learned, LearnedEval};
pub use monteverde_game::Outlook;
pub use network::{Network, Scratch};
pub use packed::pack;
