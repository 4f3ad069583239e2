//! What a learned network sees of the states of any game.

use super::{AnyState, typed};
use monteverde_game::Game;
use monteverde_network::{Description, Features};

/// What a learned network sees of the states of a game.
pub struct AnyFeatures(pub(super) Box<dyn ErasedFeatures>);

impl AnyFeatures {
    /// Its name and numbers.
    pub fn description(&self) -> Description {
        self.0.description()
    }
    /// Appends the active inputs of a state that is not pending, see [`Features::write`].
    pub fn write(&self, state: &AnyState, inputs: &mut Vec<u16>) {
        self.0.write(state, inputs);
    }
    /// Appends the policy outputs of all legal moves of a state, in the order of
    /// [`Game::moves`](monteverde_game::Game::moves).
    pub fn write_moves(&self, state: &AnyState, outputs: &mut Vec<u16>) {
        self.0.write_moves(state, outputs);
    }
    /// Appends what is seen of each of these states.
    pub fn write_all(&self, states: &[AnyState], batch: &mut FeatureBatch) {
        for state in states {
            self.write(state, &mut batch.inputs);
            batch.offsets.push(batch.inputs.len() as u32);
            self.write_moves(state, &mut batch.legal);
            batch.legal_offsets.push(batch.legal.len() as u32);
        }
    }
}

/// What is seen of many states, one after another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureBatch {
    /// The active inputs.
    pub inputs: Vec<u16>,
    /// Where those of each state begin, and where the last ends.
    pub offsets: Vec<u32>,
    /// The policy outputs of the legal moves.
    pub legal: Vec<u16>,
    /// Where those of each state begin, and where the last ends.
    pub legal_offsets: Vec<u32>,
}

impl Default for FeatureBatch {
    /// No state.
    fn default() -> Self {
        FeatureBatch { inputs: vec![], offsets: vec![0], legal: vec![], legal_offsets: vec![0] }
    }
}

/// The erased form of [`Features`].
pub(super) trait ErasedFeatures: Send + Sync {
    fn description(&self) -> Description;
    fn write(&self, state: &AnyState, inputs: &mut Vec<u16>);
    fn write_moves(&self, state: &AnyState, outputs: &mut Vec<u16>);
}

impl<G: Game> ErasedFeatures for &'static dyn Features<G> {
    fn description(&self) -> Description {
        Description::of(*self)
    }
    fn write(&self, state: &AnyState, inputs: &mut Vec<u16>) {
        (**self).write(typed(state), inputs);
    }
    fn write_moves(&self, state: &AnyState, outputs: &mut Vec<u16>) {
        let state = typed(state);
        let mut moves = Vec::new();
        G::moves(state, &mut moves);
        (**self).write_moves(state, &moves, outputs);
    }
}
