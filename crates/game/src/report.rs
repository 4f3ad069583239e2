//! What a search has found, as data for front ends, and how a running one is watched. Every kind of
//! search fills in the same form.

use crate::limit::{Clock, Signal};
use crate::{Game, Outlook, Proof};
use std::time::Duration;

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Report<G: Game> {
    /// The move to play: `None` only where the state has no moves. Before the first iteration the
    /// first legal move, or the first of those that are to be searched.
    pub best: Option<G::Move>,
    /// Every move that was searched at the root, most visited first, equals in generation order.
    /// An alpha-beta search lists them best first.
    pub moves: Vec<RootMove<G>>,
    /// The moves that both sides would choose, beginning with `best`; it ends at the latest where
    /// chance decides.
    pub pv: Vec<G::Move>,
    /// The mean of all rewards at the root, in -1..1 for the side to move, and within its bounds.
    pub mean: f64,
    /// What a learned network expects of the root before any search, for the side to move; `None`
    /// where the player has none that values states.
    pub outlook: Option<Outlook>,
    /// What is proven about the root, for the side to move.
    pub proof: Proof,
    /// What its value is certain to lie in, for the side to move; `None` where that is not kept.
    pub bounds: Option<Bounds>,
    /// Counts of this run.
    pub figures: Figures,
    /// Nodes in the tree, unreachable ones included until room is made; 0 for a search without a
    /// tree.
    pub nodes: usize,
    /// Edges in the tree, likewise.
    pub edges: usize,
    /// Bytes in use by the tree.
    pub tree_bytes: usize,
    /// The most bytes that the tree may take.
    pub tree_limit: usize,
    /// How full the tree is, in 0..1.
    pub fullness: f64,
}

/// Counts of one run.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Iterations of this run; nodes of an alpha-beta search.
    pub iterations: u64,
    /// One for each iteration and one for each move of a new leaf that was looked at for an
    /// immediate win (as *αβ-based Play-outs in Monte-Carlo Tree Search* counts, section V-C);
    /// nodes of an alpha-beta search. `None` where they were not counted, since no limit asked for
    /// it.
    pub nodes: Option<u64>,
    /// Visits that the root had from before.
    pub kept: u64,
    /// The time it took.
    pub elapsed: Duration,
    /// The mean depth, in plies, at which iterations left the tree; how far an alpha-beta search
    /// has looked ahead on every line.
    pub depth: f64,
    /// The greatest such depth.
    pub deepest: u32,
}

/// A move at the root.
#[derive(Clone, Debug)]
pub struct RootMove<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// How often it was followed; how many nodes an alpha-beta search spent on it.
    pub visits: u32,
    /// The mean of its rewards, in -1..1 for the side to move, and within its bounds; 0 without
    /// visits. A search that has no rewards gives the share of points that it expects, on the same
    /// scale.
    pub mean: f64,
    /// What a search that does without rewards values it at: the eval of the state that best play
    /// leads to, in the unit of the game's evaluation, for the side to move.
    pub eval: Option<f32>,
    /// What the knowledge of the game says of it in advance.
    pub prior: Option<f32>,
    /// The share of all moves that the policy of a learned network gives it, in 0..1; `None` where
    /// the player has none with a policy.
    pub policy: Option<f32>,
    /// What it is proven to be worth to the side to move: a mating move is `Win(1)`.
    pub proof: Proof,
    /// What its value is certain to lie in, for the side to move; `None` where that is not kept.
    pub bounds: Option<Bounds>,
    /// The moves that both sides would choose from here, beginning with this one.
    pub pv: Vec<G::Move>,
}

/// What a value is certain to lie in, both ends included, in -1..1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// It is not less.
    pub low: f64,
    /// It is not more.
    pub high: f64,
}

impl<G: Game> Report<G> {
    /// Iterations a second; 0 where no clock ran.
    pub fn per_second(&self) -> f64 {
        let seconds = self.figures.elapsed.as_secs_f64();
        if seconds > 0.0 { self.figures.iterations as f64 / seconds } else { 0.0 }
    }

    /// Edges per node.
    pub fn branching(&self) -> f64 {
        self.edges as f64 / self.nodes.max(1) as f64
    }

    /// The entry of the best move.
    pub fn best_move(&self) -> Option<&RootMove<G>> {
        self.moves.iter().find(|entry| Some(entry.mv) == self.best)
    }
}

/// How a running search is watched and told to stop.
pub struct Control<'a, G: Game> {
    /// Tells the time.
    pub clock: &'a dyn Clock,
    /// Stops the search.
    pub signal: &'a Signal,
    /// How often `observe` is called.
    pub every: Duration,
    /// Sees a report of the running search, on the thread that called it.
    pub observe: &'a mut dyn FnMut(&Report<G>),
}
