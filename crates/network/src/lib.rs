//! Learned networks: what they see of a state, their files, and what they say of a state in whole
//! numbers. No game is named here: a game brings its [`Features`].

mod features;

pub use features::{Description, Features};
