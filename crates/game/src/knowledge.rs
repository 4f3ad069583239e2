//! What may be known about a game beyond its rules. Every hook defaults to "nothing known".

use crate::{Game, Outcome, Proof};

/// Guesses about states and moves. An implementation overrides what it knows; a search asks only for
/// what its configuration needs.
pub trait Knowledge<G: Game>: Send + Sync {
    /// How promising a move looks in the tree, larger is better.
    fn prior(&self, state: &G, mv: G::Move) -> Option<f32> {
        let _ = (state, mv);
        None
    }
    /// How likely a playout should play a move, relative to the other moves; not negative.
    fn weight(&self, state: &G, mv: G::Move) -> Option<f32> {
        let _ = (state, mv);
        None
    }
    /// The static value of a state for the side to move, in the unit of the game's evaluation.
    fn eval(&self, state: &G) -> Option<f32> {
        let _ = state;
        None
    }
    /// A guess at how the game will end, good enough to stop a playout.
    fn verdict(&self, state: &G) -> Option<Outcome> {
        let _ = state;
        None
    }
    /// How convincing a finished game was for its winner, larger is more.
    fn quality(&self, state: &G) -> Option<f32> {
        let _ = state;
        None
    }
}

/// Exact values of states, from tables. A proof, never a guess.
pub trait Oracle<G: Game>: Send + Sync {
    /// What is certain about the state, [`Proof::Open`] where the oracle does not know.
    fn probe(&self, state: &G) -> Proof;
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKnowledge;

impl<G: Game> Knowledge<G> for NoKnowledge {}

/// Knows nothing for certain.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl<G: Game> Oracle<G> for NoOracle {
    fn probe(&self, _: &G) -> Proof {
        Proof::Open
    }
}
