//! A player of a real game behind the moves of any.

use super::{AnyGame, AnyState, AnyStep, Erased, any, real, typed};
use crate::entry::Entry;
use crate::player::Player;
use monteverde_game::limit::Limit;
use monteverde_game::report::{Control, Report, RootMove};
use monteverde_game::{Game, Outcome};
use monteverde_mcts::Explore;

/// A player of a real game behind the moves of any.
pub(super) struct ErasedPlayer<E: Entry> {
    pub(super) game: &'static Erased<E>,
    pub(super) player: Box<dyn Player<E::Game>>,
    /// The player's own state, in the form that is asked for.
    pub(super) state: AnyState,
}

impl<E: Entry> Player<AnyState> for ErasedPlayer<E> {
    fn begin(&mut self, state: &AnyState) {
        self.player.begin(typed(state));
        self.state = state.clone();
    }
    fn jump(&mut self, state: &AnyState) {
        self.player.jump(typed(state));
        self.state = state.clone();
    }
    fn play(&mut self, mv: AnyStep) {
        self.player.play(real(mv));
        self.state.play(mv);
    }
    fn settle(&mut self, event: AnyStep) {
        self.player.settle(real(event));
        self.state.settle(event);
    }
    fn think(
        &mut self,
        limit: &Limit<AnyStep>,
        control: Control<'_, AnyState>,
    ) -> Report<AnyState> {
        self.think_openly(limit, control, &mut |_| {})
    }
    fn think_openly(
        &mut self,
        limit: &Limit<AnyStep>,
        control: Control<'_, AnyState>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<AnyState> {
        self.thought(limit, control, &mut |player, limit, control| {
            player.think_openly(limit, control, look)
        })
    }
    fn think_on(
        &mut self,
        limit: &Limit<AnyStep>,
        control: Control<'_, AnyState>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<AnyState> {
        self.thought(limit, control, &mut |player, limit, control| {
            player.think_on(limit, control, look)
        })
    }
    fn explore(&self, look: &mut dyn FnMut(&dyn Explore)) {
        self.player.explore(look);
    }
    fn state(&self) -> &AnyState {
        debug_assert!(self.state.game() == AnyGame(self.game), "a player plays one game");
        &self.state
    }
    fn outcome(&self) -> Option<Outcome> {
        self.player.outcome()
    }
}

/// A way in which a player thinks.
type Think<'a, G> =
    dyn FnMut(&mut dyn Player<G>, &Limit<<G as Game>::Move>, Control<'_, G>) -> Report<G> + 'a;

impl<E: Entry> ErasedPlayer<E> {
    /// Lets the player think in its own moves, and tells of it in those of any game.
    fn thought(
        &mut self,
        limit: &Limit<AnyStep>,
        control: Control<'_, AnyState>,
        think: &mut Think<'_, E::Game>,
    ) -> Report<AnyState> {
        let limit = Limit {
            iterations: limit.iterations,
            nodes: limit.nodes,
            time: limit.time,
            clock: limit.clock,
            depth: limit.depth,
            mate: limit.mate,
            only: limit.only.iter().map(|&mv| real(mv)).collect(),
        };
        let Control { clock, signal, every, observe } = control;
        let observe = &mut |report: &Report<E::Game>| observe(&erase(report));
        let control = Control { clock, signal, every, observe };
        erase(&think(&mut *self.player, &limit, control))
    }
}

/// A report with the moves of any game.
fn erase<G: Game>(report: &Report<G>) -> Report<AnyState> {
    let line = |moves: &[G::Move]| moves.iter().map(|&mv| any(mv)).collect();
    let root_move = |entry: &RootMove<G>| RootMove {
        mv: any(entry.mv),
        visits: entry.visits,
        mean: entry.mean,
        eval: entry.eval,
        prior: entry.prior,
        policy: entry.policy,
        proof: entry.proof,
        bounds: entry.bounds,
        pv: line(&entry.pv),
    };
    Report {
        best: report.best.map(any),
        moves: report.moves.iter().map(root_move).collect(),
        pv: line(&report.pv),
        mean: report.mean,
        outlook: report.outlook,
        proof: report.proof,
        bounds: report.bounds,
        figures: report.figures,
        nodes: report.nodes,
        edges: report.edges,
        tree_bytes: report.tree_bytes,
        tree_limit: report.tree_limit,
        fullness: report.fullness,
    }
}
