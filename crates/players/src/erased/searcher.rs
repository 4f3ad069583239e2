//! What a player of any game knows.

use super::{AnyState, AnyStep, real, typed};
use crate::entry::{PlayOne, Searcher};
use crate::settings::Settings;
use monteverde_game::{Game, Proof};

/// What a player of any game knows.
pub struct AnySearcher(pub(super) Box<dyn ErasedSearcher>);

impl AnySearcher {
    /// Plays playouts from a state.
    pub fn playouts<'a>(&'a self, settings: &Settings, state: &AnyState) -> Box<dyn PlayOne + 'a> {
        self.0.playouts(settings, state)
    }
    /// What is known of each of some moves in advance; `None` where nothing is known of any.
    pub fn priors(&self, state: &AnyState, moves: &[AnyStep]) -> Option<Vec<f32>> {
        self.0.priors(state, moves)
    }
    /// What is certain about a state.
    pub fn probe(&self, state: &AnyState) -> Proof {
        self.0.probe(state)
    }
}

/// The erased form of a [`Searcher`].
pub(super) trait ErasedSearcher: Send + Sync {
    fn playouts<'a>(&'a self, settings: &Settings, state: &AnyState) -> Box<dyn PlayOne + 'a>;
    fn priors(&self, state: &AnyState, moves: &[AnyStep]) -> Option<Vec<f32>>;
    fn probe(&self, state: &AnyState) -> Proof;
}

impl<G: Game> ErasedSearcher for Box<dyn Searcher<G>> {
    fn playouts<'a>(&'a self, settings: &Settings, state: &AnyState) -> Box<dyn PlayOne + 'a> {
        (**self).playouts(settings, typed(state))
    }
    fn priors(&self, state: &AnyState, moves: &[AnyStep]) -> Option<Vec<f32>> {
        let moves: Vec<G::Move> = moves.iter().map(|&mv| real(mv)).collect();
        (**self).priors(typed(state), &moves)
    }
    fn probe(&self, state: &AnyState) -> Proof {
        (**self).probe(typed(state))
    }
}
