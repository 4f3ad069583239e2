//! What a thread keeps for its playouts.

use super::config::{Pace, Playouts, Strategy, Tables};
use super::decisive::Foresight;
use super::lookahead::Lookahead;
use monteverde_game::playout_knowledge::EvalCache;
use monteverde_game::{Game, Heaviest, Oracle, PlayoutKnowledge, Rng, Side};

/// Plays playouts by a configuration, with or without a tree. Keeps its scratch space, so that
/// playouts do not allocate.
#[derive(Debug)]
pub struct Playouter<'a, G: Game, K, O> {
    pub(super) config: Playouts,
    /// How moves are sampled in the tree.
    pub(super) tree_strategy: Strategy,
    pub(super) knowledge: &'a K,
    /// `None` where it is not to be asked.
    pub(super) oracle: Option<&'a O>,
    pub(super) pace: Pace,
    pub(super) moves: Vec<G::Move>,
    pub(super) weights: Vec<f32>,
    pub(super) evals: Vec<f32>,
    pub(super) heaviest: Heaviest<G::Move>,
    pub(super) events: Vec<(G::Event, u32)>,
    /// What the strategy has seen of the state that its move led to.
    pub(super) seen: Option<Seen>,
    /// What knowledge remembers of the playout.
    pub(super) notes: Vec<u64>,
    /// Where a move leads, while it is being judged.
    pub(super) after: G,
    pub(super) foresight: Foresight<G>,
    pub(super) lookahead: Lookahead<G>,
    /// Where the playout or the walk before it started, for the next attempt.
    pub(super) start: G,
}

/// What the choice of a move has found out about the state that it leads to, so that the state is
/// not evaluated once more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// For `side`.
    pub(super) eval: f32,
    /// The side that played the move.
    pub(super) side: Side,
    /// What evaluations of its moves have in common, if that is known.
    pub(super) cache: Option<EvalCache>,
    /// Whether the search of the strategy has weighed the moves there.
    pub(super) is_weighed: bool,
}

impl<'a, G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>> Playouter<'a, G, K, O> {
    /// Playouts of a search from `root`, where the oracle is asked whether it is of use.
    pub fn new(config: Playouts, knowledge: &'a K, oracle: &'a O, root: &G) -> Self {
        let useful = config.tables == Tables::Probe && oracle.is_useful_at(root);
        // A verdict that holds at the root would end every playout there, and tell no move from
        // another.
        let verdict = config.verdict.filter(|_| knowledge.verdict(root).is_none());
        let cutoff = config.cutoff.filter(|cutoff| !cutoff.is_idle_at(knowledge, root));
        let config = Playouts { verdict, cutoff, ..config };
        Playouter {
            config,
            tree_strategy: config.strategy.in_tree(),
            knowledge,
            oracle: useful.then_some(oracle),
            pace: if useful { Pace::Stepwise } else { config.pace() },
            moves: Vec::with_capacity(256),
            weights: Vec::with_capacity(256),
            evals: Vec::with_capacity(256),
            heaviest: Heaviest::default(),
            events: Vec::new(),
            seen: None,
            notes: Vec::with_capacity(256),
            after: root.clone(),
            foresight: Foresight::new(root),
            lookahead: Lookahead::new(root, config.strategy.search().unwrap_or_default()),
            start: root.clone(),
        }
    }
}

impl<G: Game, K: PlayoutKnowledge<G>, O> Playouter<'_, G, K, O> {
    /// A move that wins was not chosen by the strategy.
    #[inline(always)]
    pub(super) fn win(&mut self, mv: G::Move) -> G::Move {
        self.seen = None;
        mv
    }

    /// The eval of the state that the playout is in, for the side to move.
    #[inline(always)]
    pub(super) fn eval(&self, state: &G) -> Option<f32> {
        match self.seen {
            None => self.knowledge.eval(state),
            Some(seen) if seen.side == state.turn() => Some(seen.eval),
            Some(seen) => Some(-seen.eval),
        }
    }

    /// Keeps a state to which the iteration may go back.
    pub(crate) fn keep(&mut self, state: &G) {
        self.start.clone_from(state);
    }

    /// Goes back to the state that was kept last.
    pub(crate) fn go_back(&self, state: &mut G) {
        state.clone_from(&self.start);
    }

    /// A move by the strategy where a rule that leaves moves on the board has ended the game.
    pub(crate) fn sample_past_end(&mut self, state: &G, rng: &mut Rng) -> Option<G::Move> {
        self.knowledge.sample_past_end(state, rng)
    }

    /// What was learnt of an earlier playout is of no use in the next.
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.foresight.forget();
        self.notes.clear();
        self.seen = None;
    }
}
