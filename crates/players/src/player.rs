//! The seam between a search and whoever wants a move.

use crate::settings::{Reuse, Settings};
use monteverde_game::limit::Limit;
use monteverde_game::report::{Control, Report};
use monteverde_game::{Game, Oracle, PlayoutKnowledge};
use monteverde_mcts::{Explore, Search};

/// An agent that chooses moves.
pub trait Player<G: Game>: Send {
    /// A new game begins at `state`: everything learnt is forgotten, the random numbers start anew.
    fn begin(&mut self, state: &G);

    /// Goes to a state of the same game that is not reached by [`Player::play`]: what was learnt
    /// about other states is forgotten, the random numbers go on.
    fn jump(&mut self, state: &G);

    /// A legal move was played; what is known of the state after it is kept.
    fn play(&mut self, mv: G::Move);

    /// Chance settled the pending state.
    fn settle(&mut self, event: G::Event);

    /// Thinks about the current state until a limit is reached or `control` says stop. The report's
    /// best move is legal; it is `None` only where there is no move.
    fn think(&mut self, limit: &Limit<G::Move>, control: Control<'_, G>) -> Report<G>;

    /// As [`Player::think`]; whenever the observer has seen a report, `look` may look into the
    /// tree, where the player has one.
    fn think_openly(
        &mut self,
        limit: &Limit<G::Move>,
        control: Control<'_, G>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<G> {
        let _ = look;
        self.think(limit, control)
    }

    /// As [`Player::think_openly`], but goes on with what the last thought about the same state has
    /// left, so that a search can be made in steps. A player that cannot do so begins anew.
    fn think_on(
        &mut self,
        limit: &Limit<G::Move>,
        control: Control<'_, G>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<G> {
        self.think_openly(limit, control, look)
    }

    /// Lets `look` look into the tree as it was left by the last thought, where the player has one.
    fn explore(&self, look: &mut dyn FnMut(&dyn Explore)) {
        let _ = look;
    }

    /// The state it thinks about.
    fn state(&self) -> &G;
}

/// A player that searches by Monte-Carlo tree search.
pub struct SearchPlayer<G: Game, K, O> {
    search: Search<G, K, O>,
    reuse: Reuse,
}

impl<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>> SearchPlayer<G, K, O> {
    /// A player with settings, knowledge and an oracle, at a state.
    pub fn new(settings: &Settings, state: G, knowledge: K, oracle: O) -> Self {
        let search = Search::with_oracle(settings.config.clone(), state, knowledge, oracle);
        SearchPlayer { search, reuse: settings.reuse }
    }
}

impl<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>> Player<G> for SearchPlayer<G, K, O> {
    fn begin(&mut self, state: &G) {
        self.search.restart(state.clone());
    }
    fn jump(&mut self, state: &G) {
        self.search.reset(state.clone());
    }
    fn play(&mut self, mv: G::Move) {
        self.search.play(mv);
    }
    fn settle(&mut self, event: G::Event) {
        self.search.settle(event);
    }
    fn think(&mut self, limit: &Limit<G::Move>, control: Control<'_, G>) -> Report<G> {
        self.think_openly(limit, control, &mut |_| {})
    }
    fn think_openly(
        &mut self,
        limit: &Limit<G::Move>,
        control: Control<'_, G>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<G> {
        if self.reuse == Reuse::Forget {
            self.search.reset(self.search.state().clone());
        }
        self.think_on(limit, control, look)
    }
    fn think_on(
        &mut self,
        limit: &Limit<G::Move>,
        control: Control<'_, G>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<G> {
        match self.search.oracle().best_moves(self.search.state()) {
            Some(only) if limit.only.is_empty() => {
                self.search.watch_tree(&Limit { only, ..limit.clone() }, control, look)
            }
            _ => self.search.watch_tree(limit, control, look),
        }
    }
    fn explore(&self, look: &mut dyn FnMut(&dyn Explore)) {
        look(&self.search.explore());
    }
    fn state(&self) -> &G {
        self.search.state()
    }
}
