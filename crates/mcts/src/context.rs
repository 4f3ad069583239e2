//! What all steps of a search have in common, and all threads.

use crate::backup::Backup;
use crate::bounds;
use crate::config::Config;
use crate::correction::Corrections;
use crate::graph_bounds::{self, Plies};
use crate::reward;
use crate::select::formula::Formula;
use crate::solver::Solver;
use crate::tree::{ROOT, Tree, columns::Needs};
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
    /// Where bounds are kept in a graph: what the rules allow from there.
    pub(crate) plies: Plies,
    /// Whether a new node lists only the most likely of its moves.
    pub(crate) lists_few: bool,
    /// By what values are corrected, where they are.
    pub(crate) corrections: Option<Corrections>,
    pub(crate) tree: Tree,
}

impl<G: Game, K, O> Context<G, K, O> {
    pub(crate) fn new(config: Config, state: G, knowledge: K, oracle: O) -> Self {
        let plies = Plies::of(&state);
        let is_bounded = keeps_bounds(&config, &state);
        let node_bounds = is_bounded && config.graph.is_some();
        let formula = Formula::new(&config);
        let is_in_order =
            config.graph.is_none() && config.threshold.is_none() && config.widen.is_none();
        let lists_few = formula.goes_by_shares() && is_in_order && !is_bounded;
        let needs = Needs {
            interval: is_bounded,
            weight: is_bounded,
            is_reversible: node_bounds,
            node_bounds,
            extensions: lists_few,
            ..config.needs()
        };
        let tree = Tree::with(config.memory, needs);
        Context {
            formula,
            backup: Backup::new(&config, &tree),
            corrections: config.correction().map(Corrections::new),
            config,
            knowledge,
            oracle,
            mover: state.turn().other(),
            state,
            plies: plies.unwrap_or_default(),
            lists_few,
            tree,
        }
    }

    /// The root has changed: what is certain of its moves is worked out anew from there.
    pub(crate) fn look_from_root(&mut self) {
        if !self.tree.joints.have_bounds() {
            return;
        }
        self.plies = Plies::of(&self.state).unwrap_or_default();
        if let Some(root) = self.tree.node(ROOT) {
            graph_bounds::restart_root(&self.tree, root, self.state.turn(), self.plies);
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

/// Whether a search of this game keeps intervals: chance decides in it, the solver finds what they
/// follow from, or a graph that is to keep them is told what can be taken back; and a draw is worth
/// what it is.
fn keeps_bounds<G: Game>(config: &Config, state: &G) -> bool {
    let is_wanted = match config.graph {
        None => config.solver.is_some(),
        Some(_) => config.graph_bounds.is_some() && state.reversible_plies().is_some(),
    };
    bounds::has_chance::<G>() && is_wanted && config.draw_value.is_none()
}
