//! The first step: from the root to the edge where the tree grows.

use crate::backup::{Sharing, Visit};
use crate::chance;
use crate::config::Normalised;
use crate::draws;
use crate::reward::ONE;
use crate::search::{Leaf, Worker};
use crate::tree::{Edge, ROOT, Tree};
use monteverde_game::{Game, Side, Step};

/// Follows the tree from the root, which has been entered and had `visits` before, until the game is over,
/// or a state whose moves are not all tried, and notes the way in `worker.path`. Afterwards `worker.state`
/// is the state that was reached.
#[inline(always)]
pub(crate) fn select<G: Game, S: Sharing>(
    tree: &Tree,
    uct: Normalised,
    mut visits: u32,
    worker: &mut Worker<G>,
) -> Leaf {
    let mut edge = ROOT;
    loop {
        let Some(node) = tree.node(edge) else { return Leaf::Edge(edge) };
        let side = worker.state.turn();
        let (first, edges) = tree.edges(node);
        if worker.state.is_pending() {
            let index = chance::draw(&worker.state, &mut worker.events, &mut worker.rng);
            edge = first + index as u32;
            visits = worker.enter::<S>(tree, edge, side);
            worker.state.settle(G::Event::from_bits(edges[index].step()));
            if visits == 0 {
                return Leaf::New(edge);
            }
        } else {
            if edges.is_empty() || !tree.is_full(node) {
                return Leaf::Edge(edge);
            }
            let index = if uct.discount > 0.0 {
                draws::best(tree, uct, (edge, visits), (first, edges))
            } else {
                best(edges, uct, visits)
            };
            edge = first + index as u32;
            visits = worker.enter::<S>(tree, edge, side);
            worker.state.play(G::Move::from_bits(edges[index].step()));
        }
        if let Some(outcome) = tree.edge(edge).status().outcome(side) {
            return Leaf::Over(outcome);
        }
    }
}

/// The edge with the highest upper confidence bound. Of equals the last one, as in the appendix of *Monte
/// Carlo Chess* (algorithm 7.2).
#[inline(always)]
fn best(edges: &[Edge], uct: Normalised, visits: u32) -> usize {
    let explore = uct.factor * libm::log(f64::from(visits.max(1)));
    let scale = uct.scale / ONE as f64;
    let mut best = 0;
    let mut highest = f64::NEG_INFINITY;
    for (index, edge) in edges.iter().enumerate() {
        let visits = edge.visits();
        if visits == 0 {
            continue; // Another thread is about to enter it.
        }
        let share = 1.0 / f64::from(visits);
        let value = uct.offset + scale * edge.total() as f64 * share;
        let bound = value + (explore * share).sqrt();
        if bound >= highest {
            highest = bound;
            best = index;
        }
    }
    best
}

impl<G: Game> Worker<G> {
    /// Enters an edge whose statistics belong to `side` and notes it. Returns its visits before.
    #[inline(always)]
    pub(crate) fn enter<S: Sharing>(&mut self, tree: &Tree, edge: u32, side: Side) -> u32 {
        self.path.push(Visit { edge, side });
        S::enter(tree.edge(edge))
    }
}
