//! What all steps of a search have in common, and all threads.

use crate::backup::Backup;
use crate::bounds;
use crate::config::Config;
use crate::reward;
use crate::select::formula::Formula;
use crate::solver::Solver;
use crate::tree::{Tree, columns::Needs};
use monteverde_game::{Game, Side};

/// The tree, and what is needed to let it grow. Handed down to every step, and changed between
/// searches only.
#[derive(Debug)]
pub(crate) struct Context<G, K, O> {
    pub(crate) config: Config,
    pub(crate) formula: Formula,
    pub(crate) backup: Backup,
    pub(crate) knowledge: K,
    pub(crate) oracle: O,
    /// The state at the root.
    pub(crate) state: G,
    /// The side whose statistics the root edge holds: the one that moved there.
    pub(crate) mover: Side,
    pub(crate) tree: Tree,
}

impl<G: Game, K, O> Context<G, K, O> {
    pub(crate) fn new(config: Config, state: G, knowledge: K, oracle: O) -> Self {
        let is_bounded = bounds::are_wanted::<G>(&config);
        let needs = Needs { interval: is_bounded, weight: is_bounded, ..config.needs() };
        let tree = Tree::with(config.memory, needs);
        Context {
            formula: Formula::new(&config),
            backup: Backup::new(&config, &tree),
            config,
            knowledge,
            oracle,
            mover: state.turn().other(),
            state,
            tree,
        }
    }

    /// The solver, where it may prove anything: proofs hold on their path, and in a graph a node
    /// lies on many.
    pub(crate) fn solver(&self) -> Option<Solver> {
        self.config.solver.filter(|_| self.config.graph.is_none())
    }

    /// The reward of a draw for the first side.
    #[inline(always)]
    pub(crate) fn draw_reward(&self) -> i64 {
        let Some(value) = self.config.draw_value else { return 0 };
        let reward = (value * reward::ONE as f64) as i64;
        if self.state.turn() == Side::First { reward } else { -reward }
    }
}
