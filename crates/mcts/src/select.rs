//! The first step: from the root to the edge where the tree grows.

pub mod bias;
pub(crate) mod formula;
pub mod fpu;
pub mod puct;
pub mod rave;
pub mod widen;

use crate::backup::{Sharing, Visit};
use crate::chance;
use crate::graph::{Ending, LONGEST};
use crate::proof::By;
use crate::search::{Leaf, Search, Worker};
use crate::tree::Tree;
use formula::Site;
use monteverde_game::{Game, Outcome, Side, Step};

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
    loop {
        let Some(node) = tree.node(edge) else { return Leaf::Edge(edge) };
        let side = worker.state.turn();
        let (first, edges) = tree.edges(node);
        if is_graph {
            visits = tree.extra.joint(node).visits();
        }
        if worker.state.is_pending() {
            let index = chance::draw(&worker.state, &mut worker.events, &mut worker.rng);
            edge = first + index as u32;
            visits = worker.enter::<S>(tree, edge, side, By::Chance);
            worker.state.settle(G::Event::from_bits(edges[index].step()));
            if visits == 0 {
                return Leaf::New(edge);
            }
        } else {
            let sign = if mover == side { 1.0 } else { -1.0 };
            let selected = search.formula.select(tree, Site { node, edge, visits, sign });
            let Some(index) = selected.filter(|_| !edges.is_empty()) else {
                return Leaf::Edge(edge);
            };
            edge = first + index as u32;
            visits = worker.enter::<S>(tree, edge, side, By::Side);
            worker.state.play(G::Move::from_bits(edges[index].step()));
        }
        mover = side;
        if is_graph && let Some(leaf) = look_back(edge, worker) {
            return leaf;
        }
        if let Some(outcome) = tree.edge(edge).status().outcome(side) {
            return Leaf::Over(outcome);
        }
    }
}

/// In a graph, where a path ends for what lies before it: by a draw, or because it goes on too long.
fn look_back<G: Game>(edge: u32, worker: &mut Worker<G>) -> Option<Leaf> {
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
        self.path.push(Visit { edge, side, by });
        let is_graph = tree.extra.needs().graph;
        if is_graph { S::enter_joint(tree.edge(edge)) } else { S::enter(tree.edge(edge)) }
    }
}
