//! The seam between a search and whoever wants a move.

use monteverde_game::{Game, Knowledge};
use monteverde_mcts::{Config, Control, Limit, Report, Search};

/// An agent that chooses moves.
pub trait Player<G: Game>: Send {
    /// A new game begins at `state`: everything learnt is forgotten, the random numbers start anew.
    fn begin(&mut self, state: &G);

    /// Goes to a state of the same game that is not reached by [`Player::play`]: what was learnt about
    /// other states is forgotten, the random numbers go on.
    fn jump(&mut self, state: &G);

    /// A legal move was played; what is known of the state after it is kept.
    fn play(&mut self, mv: G::Move);

    /// Chance settled the pending state.
    fn settle(&mut self, event: G::Event);

    /// Thinks about the current state until a limit is reached or `control` says stop. The report's best
    /// move is legal; it is `None` only where there is no move.
    fn think(&mut self, limit: &Limit<G::Move>, control: Control<'_, G>) -> Report<G>;

    /// The state it thinks about.
    fn state(&self) -> &G;
}

/// A player that searches by Monte-Carlo tree search.
pub struct SearchPlayer<G: Game, K>(Search<G, K>);

impl<G: Game, K: Knowledge<G>> SearchPlayer<G, K> {
    /// A player with a configuration and knowledge, at a state.
    pub fn new(config: Config, state: G, knowledge: K) -> Self {
        SearchPlayer(Search::with_knowledge(config, state, knowledge))
    }
}

impl<G: Game, K: Knowledge<G>> Player<G> for SearchPlayer<G, K> {
    fn begin(&mut self, state: &G) {
        self.0.restart(state.clone());
    }
    fn jump(&mut self, state: &G) {
        self.0.reset(state.clone());
    }
    fn play(&mut self, mv: G::Move) {
        self.0.play(mv);
    }
    fn settle(&mut self, event: G::Event) {
        self.0.settle(event);
    }
    fn think(&mut self, limit: &Limit<G::Move>, control: Control<'_, G>) -> Report<G> {
        self.0.watch(limit, control)
    }
    fn state(&self) -> &G {
        self.0.state()
    }
}
