//! How an iteration walks through a region of a graph with bounds: to no node twice, and back from
//! where that leaves nothing to try. See [`crate::region`].

use crate::bounds;
use crate::context::Context;
use crate::graph_bounds;
use crate::path::Visit;
use crate::proof::StepKind;
use crate::region::MOST_RETREATS;
use crate::sharing::Sharing;
use crate::tree::{ROOT, Tree};
use crate::worker::Worker;
use monteverde_game::{Game, Side, Step};

/// Whether iterations walk so. Without chance the question compiles away.
#[inline(always)]
pub(crate) fn is_on<G: Game>(tree: &Tree) -> bool {
    bounds::are_kept::<G>(tree) && tree.joints.have_bounds()
}

/// The path has come over an edge of `side` to `worker.state`. Returns its value for that side,
/// where it is exact.
#[inline(always)]
pub(crate) fn step_on<G: Game, K, O>(
    context: &Context<G, K, O>,
    edge: u32,
    side: Side,
    worker: &mut Worker<G>,
) -> Option<i64> {
    if !graph_bounds::is_reversible(&context.tree, edge) {
        worker.region.leave();
    }
    let is_root_move = worker.path.len() == 2;
    graph_bounds::below(&context.tree, edge, side, (context.plies, is_root_move)).exact()
}

/// From a node where nothing is left to try: goes back over the last edge of the path, or solves
/// the region where the path has entered it here. Returns the edge that leads to the node to go on
/// from; `None` where the iteration ends in this one.
#[cold]
pub(crate) fn leave_dead_end<G: Game, K, O, S: Sharing>(
    context: &Context<G, K, O>,
    node: u32,
    worker: &mut Worker<G>,
) -> Option<u32> {
    let last = worker.last().edge;
    if last == ROOT || !graph_bounds::is_reversible(&context.tree, last) {
        worker.region.solve(&context.tree, node, context.plies);
        return None;
    }
    retreat::<G, K, O, S>(context, worker)
}

/// Goes back over the last edge of the path. Returns the edge that leads to the node to go on from;
/// `None` where it has gone back too often.
#[cold]
pub(crate) fn retreat<G: Game, K, O, S: Sharing>(
    context: &Context<G, K, O>,
    worker: &mut Worker<G>,
) -> Option<u32> {
    let tree = &context.tree;
    worker.region.retreats += 1;
    if worker.region.retreats > MOST_RETREATS || worker.path.len() < 2 {
        return None;
    }
    let visit = worker.path.pop().expect("an edge has been entered");
    let above = worker.last().edge;
    match (visit.completed(tree.edge(visit.edge)), tree.node(above)) {
        (0, Some(node)) => graph_bounds::count_known::<S>(tree, visit, node),
        _ => S::retreat(tree.edge(visit.edge)),
    }
    replay(context, worker);
    Some(above)
}

/// Brings `worker.state` to the end of the path.
fn replay<G: Game, K, O>(context: &Context<G, K, O>, worker: &mut Worker<G>) {
    worker.state.clone_from(&context.state);
    for &Visit { edge, kind, .. } in &worker.path[1..] {
        let step = context.tree.edge(edge).step();
        match kind {
            StepKind::Move => worker.state.play(G::Move::from_bits(step)),
            StepKind::Event => worker.state.settle(G::Event::from_bits(step)),
        }
    }
}

/// An iteration has ended by a draw that depends on the way. Solves the region that it ended in.
#[cold]
pub(crate) fn solve_drawn<G: Game, K, O>(context: &Context<G, K, O>, worker: &mut Worker<G>) {
    let (tree, path) = (&context.tree, &worker.path);
    let is_entry = |visit: &Visit| !graph_bounds::is_reversible(tree, visit.edge);
    let entry = path.iter().rposition(is_entry).unwrap_or(0);
    let Some(node) = tree.node(path[entry].edge) else { return };
    worker.region.solve(tree, node, context.plies);
    graph_bounds::climb(tree, &path[..=entry], context.plies);
}
