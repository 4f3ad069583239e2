//! What is known of each game beyond its rules: guesses, each of them fallible. A search asks for
//! them through the trait `Knowledge` of the crate `game` and knows nothing of this crate.

mod active;
pub mod banqi;
pub mod chess;
mod leaf;
pub mod loa;
mod pairs;

pub use leaf::Leaf;
