//! The first step: from the root to the edge where the tree grows.

pub mod bias;
pub(crate) mod formula;
pub mod fpu;
pub mod imb;
pub mod puct;
pub mod rave;
pub mod threshold;
pub mod widen;

use crate::backup::{Secured, Sharing, Visit};
use crate::bounds;
use crate::chance;
use crate::graph::{Ending, LONGEST};
use crate::proof::{By, Ends};
use crate::search::{Leaf, Search, Worker};
use crate::tree::{Edge, Tree};
use formula::Site;
use monteverde_game::{Game, Outcome, Side, Step};

/// What a selection makes of proofs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Heed {
    /// Nothing: only the end of the game counts.
    Nothing,
    /// Moves that are proven to lose or draw are not selected while there are others, and the selection ends where
    /// anything is proven.
    Proofs,
    /// The same, but the selection goes on below what is proven, for there may be a shorter way.
    Distances,
}

impl Heed {
    /// Whether the formula passes over the edge: what is known of it can only be confirmed.
    #[inline(always)]
    pub(crate) fn sets_aside(self, edge: &Edge) -> bool {
        self != Heed::Nothing && (edge.status().is_lost() || edge.status().is_drawn())
    }

    /// What the side has for certain that chooses among the edges.
    #[inline(always)]
    fn secured(self, edges: &[Edge]) -> Secured {
        let draws = self != Heed::Nothing && edges.iter().any(|edge| edge.status().is_drawn());
        if draws { Secured::Draw } else { Secured::Nothing }
    }

    /// The edges at which a selection ends.
    #[inline(always)]
    pub(crate) fn ends(self) -> Ends {
        if self == Heed::Proofs { Ends::PROVEN } else { Ends::TERMINAL }
    }
}

/// Follows the tree from an edge, which has been entered and had `visits` before, until the game is over,
/// or a state where a move is to be tried, and notes the way in `worker.path`. Afterwards `worker.state` is
/// the state that was reached.
#[inline(always)]
pub(crate) fn select<G: Game, K, O, S: Sharing>(
    search: &Search<G, K, O>,
    (mut edge, mut visits): (u32, u32),
    worker: &mut Worker<G>,
) -> Leaf {
    let tree = &search.tree;
    let is_graph = search.config.graph.is_some();
    let mut mover = worker.path.last().expect("an edge has been entered").side;
    let heed = worker.heed;
    let is_bounded = bounds::are_kept::<G>(&search.tree) && heed == Heed::Proofs;
    loop {
        let Some(node) = tree.node(edge) else { return Leaf::Edge(edge) };
        let side = worker.state.turn();
        let (first, edges) = tree.edges(node);
        if is_graph {
            visits = tree.extra.joint(node).visits();
        }
        if worker.state.is_pending() {
            let index = draw(search, (first, edges.len()), worker);
            edge = first + index as u32;
            visits = worker.enter::<S>(tree, edge, side, By::Chance);
            worker.state.settle(G::Event::from_bits(edges[index].step()));
            if visits == 0 {
                return Leaf::New(edge);
            }
        } else {
            if threshold::is_sampled(&search.config, visits) {
                return Leaf::Edge(edge);
            }
            let sign = if mover == side { 1.0 } else { -1.0 };
            let floor = is_bounded.then(|| bounds::floor(tree, first, edges.len()));
            let site = Site { node, edge, visits, sign, heed, floor };
            let selected = search.formula.select(tree, site);
            let Some(index) = selected.filter(|_| !edges.is_empty()) else {
                return Leaf::Edge(edge);
            };
            edge = first + index as u32;
            visits = worker.enter::<S>(tree, edge, side, By::Side);
            // Where moves are tried in their order nothing is proven of the others, and most lie untouched.
            let looked_at = match search.config.threshold {
                Some(_) => edges,
                None => &edges[..tree.tried(node)],
            };
            if heed.secured(looked_at) == Secured::Draw {
                worker.secure_draw();
            }
            worker.state.play(G::Move::from_bits(edges[index].step()));
            if visits == 0 && search.config.threshold.is_some() {
                return Leaf::New(edge);
            }
        }
        mover = side;
        if is_graph && let Some(leaf) = look_back(edge, worker) {
            return leaf;
        }
        let status = tree.edge(edge).status();
        if let Some(outcome) = status.outcome(side, heed.ends()) {
            return Leaf::Over(outcome);
        }
        if is_bounded && let Some(value) = tree.extra.interval(edge).exact() {
            return Leaf::Exact(if side == Side::First { value } else { -value });
        }
        if heed == Heed::Distances && status.is_proven() && tree.node(edge).is_none() {
            // What was proven without a node cannot be proven shorter.
            return Leaf::Over(status.outcome(side, Ends::PROVEN).unwrap_or(Outcome::Draw));
        }
    }
}

/// The index of a random event, drawn by weight.
fn draw<G: Game, K, O>(
    search: &Search<G, K, O>,
    (first, count): (u32, usize),
    worker: &mut Worker<G>,
) -> usize {
    // Minimax scores count events by how often they were drawn.
    let is_bounded = bounds::are_kept::<G>(&search.tree) && search.config.imb.is_none();
    let open = is_bounded.then(|| bounds::draw(&search.tree, first, count, &mut worker.rng));
    open.flatten()
        .unwrap_or_else(|| chance::draw(&worker.state, &mut worker.events, &mut worker.rng))
}

/// In a graph, where a path ends for what lies before it: by a draw, or because it goes on too long.
pub(crate) fn look_back<G: Game>(edge: u32, worker: &mut Worker<G>) -> Option<Leaf> {
    let draw = worker.state.is_drawn_by_history() && worker.state.outcome() == Some(Outcome::Draw);
    if draw {
        worker.ending = Ending::ByHistory;
        return Some(Leaf::Over(Outcome::Draw));
    }
    (worker.path.len() > LONGEST).then_some(Leaf::Edge(edge))
}

impl<G: Game> Worker<G> {
    /// Enters an edge whose statistics belong to `side` and notes it. Returns its visits before.
    #[inline(always)]
    pub(crate) fn enter<S: Sharing>(&mut self, tree: &Tree, edge: u32, side: Side, by: By) -> u32 {
        self.path.push(Visit { edge, side, by, secured: Secured::Nothing });
        let is_graph = tree.extra.needs().graph;
        if is_graph { S::enter_joint(tree.edge(edge)) } else { S::enter(tree.edge(edge)) }
    }

    /// Notes that the side that plays the last edge could have drawn.
    fn secure_draw(&mut self) {
        self.path.last_mut().expect("an edge has been entered").secured = Secured::Draw;
    }
}
