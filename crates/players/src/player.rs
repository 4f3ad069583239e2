//! The seam between a search and whoever wants a move.

use crate::settings::{AfterProof, Reuse, Settings};
use crate::shorten::{FIRST_SHARE, Shortener};
use monteverde_game::limit::{Limit, MoveTime};
use monteverde_game::report::{Control, Figures, Report};
use monteverde_game::{Game, Oracle, Outcome, PlayoutKnowledge};
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

    /// How the game has ended by the rules that the player plays by: those of the game, unless it
    /// has others.
    fn outcome(&self) -> Option<Outcome> {
        self.state().outcome()
    }
}

/// A player that searches by Monte-Carlo tree search.
pub struct SearchPlayer<G: Game, K, O> {
    search: Search<G, K, O>,
    reuse: Reuse,
    /// Where what is left of the limit after a proof is spent on the shortest way.
    shortener: Option<Shortener<G>>,
}

impl<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>> SearchPlayer<G, K, O> {
    /// A player with settings, knowledge and an oracle, at a state.
    pub fn new(settings: &Settings, state: G, knowledge: K, oracle: O) -> Self {
        let search = Search::with_oracle(settings.config.clone(), state, knowledge, oracle);
        let shortens = settings.after_proof == AfterProof::Shorten;
        let shortener = shortens.then(Shortener::default);
        SearchPlayer { search, reuse: settings.reuse, shortener }
    }

    /// Searches, and then shortens what is proven.
    fn shorten(
        &mut self,
        limit: &Limit<G::Move>,
        control: Control<'_, G>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<G> {
        let Some(shortener) = &mut self.shortener else {
            return self.search.watch_tree(limit, control, look);
        };
        let Control { clock, signal, every, observe } = control;
        if let Some(time) = limit.time {
            signal.set_deadline(time);
        }
        let state = self.search.state().clone();
        let left = shortener.keep_word(&state, limit, (self.search.oracle(), clock, signal));
        let control = Control { clock, signal, every, observe: &mut *observe };
        let mut report = self.search.watch_tree(&left, control, look);
        let mut limit = limit.clone();
        // Only a choice in doubt is worth more than the usual time.
        if let Some(MoveTime { usual, most }) = limit.clock.take_if(|_| report.proof.is_proven()) {
            signal.bring_forward(most - usual);
            limit.time = limit.time.map(|_| usual);
        }
        let mut share = FIRST_SHARE;
        while let Some(next) = {
            let seen = (self.search.oracle() as &dyn Oracle<G>, clock, signal);
            shortener.shorten(&state, &limit, seen, (&report, share))
        } {
            let before = report.figures;
            let mut observe = |report: &Report<G>| {
                let figures = sum(before, report.figures);
                observe(&Report { figures, ..report.clone() });
            };
            let control = Control { clock, signal, every, observe: &mut observe };
            report = self.search.watch_tree(&next, control, look);
            report.figures = sum(before, report.figures);
            share = share.saturating_mul(2);
        }
        if shortener.complete(state.turn(), &mut report) {
            report.figures.elapsed = clock.elapsed();
            observe(&report);
        }
        report
    }
}

/// The counts of two searches, one after the other.
fn sum(first: Figures, second: Figures) -> Figures {
    Figures {
        iterations: first.iterations + second.iterations,
        nodes: first.nodes.zip(second.nodes).map(|(first, second)| first + second),
        kept: first.kept,
        deepest: first.deepest.max(second.deepest),
        ..second
    }
}

impl<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>> Player<G> for SearchPlayer<G, K, O> {
    fn begin(&mut self, state: &G) {
        self.search.restart(state.clone());
        self.shortener = self.shortener.take().map(|_| Shortener::default());
    }
    fn jump(&mut self, state: &G) {
        self.search.reset(state.clone());
        self.shortener = self.shortener.take().map(|_| Shortener::default());
    }
    fn play(&mut self, mv: G::Move) {
        if let Some(shortener) = &mut self.shortener {
            shortener.play(self.search.state().turn(), mv);
        }
        self.search.play(mv);
    }
    fn settle(&mut self, event: G::Event) {
        if let Some(shortener) = &mut self.shortener {
            shortener.settle();
        }
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
                self.shorten(&Limit { only, ..limit.clone() }, control, look)
            }
            _ => self.shorten(limit, control, look),
        }
    }
    fn explore(&self, look: &mut dyn FnMut(&dyn Explore)) {
        look(&self.search.explore());
    }
    fn state(&self) -> &G {
        self.search.state()
    }
}
