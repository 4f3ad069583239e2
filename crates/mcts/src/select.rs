//! The first step: from the root to the edge where the tree grows.

pub mod bias;
pub mod deviation;
mod exponential;
pub(crate) mod formula;
pub mod fpu;
pub mod imb;
pub mod puct;
pub mod rave;
pub mod threshold;
pub(crate) mod uct;
pub mod widen;

use crate::bounds;
use crate::chance;
use crate::context::Context;
use crate::graph::LONGEST;
use crate::graph_bounds;
use crate::leaf::Leaf;
use crate::path::{Ending, Secured};
use crate::proof::{Ends, StepKind};
use crate::proof_use::ProofUse;
use crate::retreat;
use crate::sharing::Sharing;
use crate::worker::Worker;
use formula::NodeView;
use monteverde_game::{Game, Outcome, Side, Step};

/// Follows the tree from an edge, which has been entered and had `visits` before, until the game is
/// over, or a state where a move is to be tried, and notes the way in `worker.path`. Afterwards
/// `worker.state` is the state that was reached.
#[inline(always)]
pub(crate) fn select<G: Game, K, O, S: Sharing>(
    context: &Context<G, K, O>,
    (mut edge, mut visits): (u32, u32),
    worker: &mut Worker<G>,
) -> Leaf {
    let tree = &context.tree;
    let is_graph = context.config.graph.is_some();
    let mut mover = worker.path.last().expect("an edge has been entered").side;
    let proof_use = worker.proof_use;
    let is_walked = retreat::is_on::<G>(tree);
    let is_bounded =
        is_walked || bounds::are_kept::<G>(&context.tree) && proof_use == ProofUse::Results;
    let mut has_retreated = false;
    loop {
        let Some(node) = tree.node(edge) else { return Leaf::Edge(edge) };
        if is_walked && !std::mem::take(&mut has_retreated) {
            if worker.region.closed.contains(&node) {
                match retreat::retreat::<G, K, O, S>(context, worker) {
                    Some(above) => edge = above,
                    None => return Leaf::Exact(graph_bounds::value(tree, node)),
                }
                mover = worker.last().side;
                has_retreated = true;
                continue;
            }
            worker.region.closed.push(node);
        }
        let side = worker.state.turn();
        let edges = tree.listed(node);
        tree.touch(node);
        if is_graph {
            visits = tree.joints.node(node).visits();
        }
        if worker.state.is_pending() {
            let index = draw(context, (edges.number(0), edges.len()), worker);
            edge = edges.number(index);
            visits = worker.enter::<S>(tree, edge, side, StepKind::Event);
            worker.state.settle(G::Event::from_bits(edges[index].step()));
            if visits == 0 {
                return Leaf::New(edge);
            }
        } else {
            if threshold::is_sampled(context.config.threshold, visits) {
                return Leaf::Edge(edge);
            }
            let sign = if mover == side { 1.0 } else { -1.0 };
            let floor = is_bounded.then(|| bounds::floor(tree, edges.number(0), edges.len()));
            let closed = if is_walked { &worker.region.closed[..] } else { &[] };
            let counted = worker.last().counted;
            let news = &worker.news;
            let view = NodeView {
                node,
                edges,
                edge,
                visits: visits.saturating_sub(tree.forgotten(node)),
                counted,
                sign,
                proof_use,
                floor,
                closed,
                news,
            };
            if is_walked && view.is_dead_end(tree) {
                match retreat::leave_dead_end::<G, K, O, S>(context, node, worker) {
                    Some(above) => edge = above,
                    None => return Leaf::Exact(graph_bounds::value(tree, node)),
                }
                mover = worker.last().side;
                has_retreated = true;
                continue;
            }
            let selected = context.formula.select::<S>(tree, &view, &mut worker.rng);
            let Some(index) = selected.filter(|_| !edges.is_empty()) else {
                return Leaf::Edge(edge);
            };
            edge = edges.number(index);
            tree.prefetch_under(edge);
            visits = worker.enter::<S>(tree, edge, side, StepKind::Move);
            // Where moves are tried in their order nothing is proven of the others, and most lie
            // untouched.
            let looked_at = match context.config.threshold {
                Some(_) => edges.len(),
                None => tree.tried(node, edges),
            };
            if proof_use.secured(edges, looked_at) == Secured::Draw {
                worker.secure_draw();
            }
            worker.state.play(G::Move::from_bits(edges[index].step()));
            if visits == 0 && context.config.threshold.is_some() {
                return Leaf::New(edge);
            }
        }
        mover = side;
        if is_graph && let Some(leaf) = look_back(edge, worker) {
            return leaf;
        }
        if is_walked && let Some(value) = retreat::step_on(context, edge, side, worker) {
            return Leaf::Exact(if side == Side::First { value } else { -value });
        }
        let status = tree.edge(edge).status();
        if let Some(outcome) = status.outcome(side, proof_use.ends()) {
            return Leaf::Over(outcome);
        }
        if is_bounded && let Some(value) = tree.columns.interval.get(edge).exact() {
            return Leaf::Exact(if side == Side::First { value } else { -value });
        }
        if proof_use == ProofUse::Distances && status.is_proven() && tree.node(edge).is_none() {
            // What was proven without a node cannot be proven shorter.
            return Leaf::Over(status.outcome(side, Ends::PROVEN).unwrap_or(Outcome::Draw));
        }
    }
}

/// The index of a random event, drawn by weight.
fn draw<G: Game, K, O>(
    context: &Context<G, K, O>,
    (first, count): (u32, usize),
    worker: &mut Worker<G>,
) -> usize {
    // Minimax scores count events by how often they were drawn.
    let has_weights = context.config.imb.is_none() || context.config.graph.is_some();
    let is_bounded = bounds::are_kept::<G>(&context.tree) && has_weights;
    let open = is_bounded.then(|| bounds::draw(&context.tree, first, count, &mut worker.rng));
    open.flatten()
        .unwrap_or_else(|| chance::draw(&worker.state, &mut worker.events, &mut worker.rng))
}

/// In a graph, where a path ends for what lies before it: by a draw, or because it goes on too
/// long.
pub(crate) fn look_back<G: Game>(edge: u32, worker: &mut Worker<G>) -> Option<Leaf> {
    let draw = worker.state.is_drawn_by_history() && worker.state.outcome() == Some(Outcome::Draw);
    if draw {
        worker.ending = Ending::ByHistory;
        return Some(Leaf::Over(Outcome::Draw));
    }
    (worker.path.len() > LONGEST).then_some(Leaf::Edge(edge))
}
