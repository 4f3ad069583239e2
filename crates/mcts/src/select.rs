//! The first step: from the root to the edge where the tree grows.

pub mod bias;
pub(crate) mod formula;
pub mod fpu;
pub mod puct;
pub mod rave;
pub mod widen;

use crate::backup::{Sharing, Visit};
use crate::chance;
use crate::proof::By;
use crate::search::{Leaf, Search, Worker};
use crate::tree::{ROOT, Tree};
use formula::Site;
use monteverde_game::{Game, Side, Step};

/// Follows the tree from the root, which has been entered and had `visits` before, until the game is over,
/// or a state where a move is to be tried, and notes the way in `worker.path`. Afterwards `worker.state` is
/// the state that was reached.
#[inline(always)]
pub(crate) fn select<G: Game, K, O, S: Sharing>(
    search: &Search<G, K, O>,
    mut visits: u32,
    worker: &mut Worker<G>,
) -> Leaf {
    let tree = &search.tree;
    let mut edge = ROOT;
    let mut mover = search.mover;
    loop {
        let Some(node) = tree.node(edge) else { return Leaf::Edge(edge) };
        let side = worker.state.turn();
        let (first, edges) = tree.edges(node);
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
        if let Some(outcome) = tree.edge(edge).status().outcome(side) {
            return Leaf::Over(outcome);
        }
    }
}

impl<G: Game> Worker<G> {
    /// Enters an edge whose statistics belong to `side` and notes it. Returns its visits before.
    #[inline(always)]
    pub(crate) fn enter<S: Sharing>(&mut self, tree: &Tree, edge: u32, side: Side, by: By) -> u32 {
        self.path.push(Visit { edge, side, by });
        S::enter(tree.edge(edge))
    }
}
