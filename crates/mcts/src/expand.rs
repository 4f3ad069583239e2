//! The second step: the tree grows by one edge.

use crate::bounds;
use crate::chance;
use crate::config::{Config, Expand, Order};
use crate::context::Context;
use crate::graph;
use crate::graph_bounds;
use crate::leaf::Leaf;
use crate::path::{Ending, Visit};
use crate::playout::Playouter;
use crate::proof::{Status, StepKind};
use crate::select::threshold::{self, Walk};
use crate::select::{self, deviation, puct};
use crate::sharing::{Alone, Sharing};
use crate::solver::Draws;
use crate::tree::{ROOT, Tree, trace};
use crate::worker::Worker;
use monteverde_game::{Game, Knowledge, Oracle, Outcome, PlayoutKnowledge, Rng, Side, Step};

/// Tries the next move in the order of the node (or an event that chance draws) from where the
/// selection ended, and plays it in `worker.state`. Where memory is full, or the root has no moves,
/// nothing is added and the playout starts from the leaf. Returns the outcome if the game is over
/// there. The state that is reached may be known, in a graph or where moves are sampled: then
/// `worker.joined` is the edge to go on from, with its visits.
#[inline(always)]
pub(crate) fn expand<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>, S: Sharing>(
    context: &Context<G, K, O>,
    leaf: Leaf,
    worker: &mut Worker<G>,
    playouter: &mut Playouter<'_, G, K, O>,
) -> Option<Outcome> {
    let tree = &context.tree;
    match leaf {
        Leaf::Over(outcome) if context.config.walk == Walk::Restarts => {
            grow_past_end::<G, K, O, S>(context, outcome, worker, playouter)
        }
        Leaf::Over(outcome) => Some(outcome),
        Leaf::Exact(_) => None,
        Leaf::New(edge) => look_at_new::<G, K, O, S>(context, edge, worker),
        Leaf::Edge(edge) => {
            let node = match tree.node(edge) {
                Some(node) => node,
                None => {
                    // The thread that tried the edge first may not yet have noted that it ends the
                    // game. The root is searched even where a rule has ended the game.
                    if let Some(outcome) = worker.state.outcome().filter(|_| edge != ROOT) {
                        return Some(outcome);
                    }
                    list(context, Extent::First, worker);
                    if context.config.graph.is_some() && join(context, worker).is_some() {
                        return None;
                    }
                    let recalled = recall(context, edge, worker);
                    let node = grow(context, edge, recalled, worker)?;
                    if recalled.is_some() {
                        worker.joined = Some((edge, worker.last().completed(tree.edge(edge))));
                        return None;
                    }
                    if tree.joints.have_bounds() {
                        worker.region.closed.push(node);
                    }
                    let visits = worker.last().completed(tree.edge(edge));
                    if context.config.threshold.is_some()
                        && !threshold::is_sampled(context.config.threshold, visits)
                    {
                        // It had its visits before there was room for its moves.
                        worker.joined = Some((edge, visits));
                        return None;
                    }
                    node
                }
            };
            let side = worker.state.turn();
            if context.config.threshold.is_some() && !worker.state.is_pending() {
                if context.config.walk == Walk::Restarts {
                    return walk::<G, K, O, S>(context, node, worker, playouter);
                }
                let (edge, visits) =
                    threshold::sample::<G, K, O, S>(tree, node, worker, playouter)?;
                if visits == 0 {
                    return look_at_new::<G, K, O, S>(context, edge, worker);
                }
                if context.config.graph.is_some()
                    && let Some(leaf) = select::look_back(edge, worker)
                {
                    return if let Leaf::Over(outcome) = leaf { Some(outcome) } else { None };
                }
                let outcome = tree.edge(edge).status().outcome(side, worker.proof_use.ends());
                worker.joined = outcome.is_none().then_some((edge, visits));
                return outcome;
            }
            let (new, kind) = if worker.state.is_pending() {
                let index = chance::draw(&worker.state, &mut worker.events, &mut worker.rng);
                let new = tree.edges(node).0 + index as u32;
                worker.state.settle(G::Event::from_bits(tree.edge(new).step()));
                (new, StepKind::Event)
            } else {
                if tree.is_to_be_extended(node) && extend(context, node, worker).is_none() {
                    // In a full tree there may be no room for the others; the last one that is
                    // listed need not wait for them.
                    tree.is_recycled().then_some(())?;
                }
                let new = tree.try_next(node)?;
                let mv = G::Move::from_bits(tree.edge(new).step());
                if context.config.bias.is_some() && !has_biases(context, &worker.state) {
                    let prior = context.knowledge.prior(&worker.state, mv);
                    tree.columns.prior.set(new, prior.unwrap_or(0.0));
                }
                worker.state.play(mv);
                (new, StepKind::Move)
            };
            worker.enter::<S>(tree, new, side, kind);
            look_at_new::<G, K, O, S>(context, new, worker)
        }
    }
}

/// Samples moves from a node on until one is new, as [`Walk::Restarts`] says.
fn walk<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>, S: Sharing>(
    context: &Context<G, K, O>,
    mut node: u32,
    worker: &mut Worker<G>,
    playouter: &mut Playouter<'_, G, K, O>,
) -> Option<Outcome> {
    let tree = &context.tree;
    let start = worker.path.len();
    playouter.keep(&worker.state);
    loop {
        let (edge, visits) = threshold::sample::<G, K, O, S>(tree, node, worker, playouter)?;
        if visits == 0 {
            return look_at_new::<G, K, O, S>(context, edge, worker);
        }
        if worker.state.is_pending() {
            worker.joined = Some((edge, visits));
            return None;
        }
        let side = worker.last().side;
        if let Some(outcome) = tree.edge(edge).status().outcome(side, worker.proof_use.ends()) {
            if worker.state.plies_left() == 0 {
                return Some(outcome);
            }
            for visit in worker.path.drain(start..) {
                S::withdraw(tree.edge(visit.edge), visit.counted);
            }
            playouter.go_back(&mut worker.state);
            return None;
        }
        node = match tree.node(edge) {
            Some(node) => node,
            None => {
                list(context, Extent::Whole, worker);
                grow(context, edge, None, worker)?
            }
        };
    }
}

/// Adds one move under the last edge, where the game is over by a rule that leaves moves on the
/// board and none was added before, as [`Walk::Restarts`] says. Returns the outcome where the
/// iteration comes to an end.
fn grow_past_end<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>, S: Sharing>(
    context: &Context<G, K, O>,
    outcome: Outcome,
    worker: &mut Worker<G>,
    playouter: &mut Playouter<'_, G, K, O>,
) -> Option<Outcome> {
    let edge = worker.last().edge;
    if context.tree.node(edge).is_some() || worker.state.outcome().is_none() {
        return Some(outcome);
    }
    let Some(mv) = playouter.sample_past_end(&worker.state, &mut worker.rng) else {
        return Some(outcome);
    };
    list(context, Extent::Whole, worker);
    let side = worker.state.turn();
    let Some(node) = grow(context, edge, None, worker) else { return Some(outcome) };
    let (first, edges) = context.tree.edges(node);
    let index = edges.iter().position(|edge| edge.step() == mv.to_bits());
    let new = first + index.expect("a sampled move is listed") as u32;
    worker.enter::<S>(&context.tree, new, side, StepKind::Move);
    worker.state.play(mv);
    look_at_new::<G, K, O, S>(context, new, worker)
}

/// How many of the moves that are explored by priors are put in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    /// As many as a new node lists. Most nodes never try more, so that the tree takes a fraction of
    /// the memory.
    First,
    /// All of them.
    Whole,
}

/// A new node lists so many moves, the most likely ones, where priors say which those are. The last
/// of them is tried only when the others are listed, so that what is tried is the same as if all
/// were listed at once.
const FIRST_LISTED: usize = 6;

/// Lists the steps of `worker.state` in `worker.steps`, to that extent.
fn list<G: Game, K: Knowledge<G>, O>(
    context: &Context<G, K, O>,
    extent: Extent,
    worker: &mut Worker<G>,
) {
    if worker.state.is_pending() {
        worker.events.clear();
        worker.state.events(&mut worker.events);
        worker.steps.clear();
        worker.steps.extend(worker.events.iter().map(|(event, _)| event.to_bits()));
    } else {
        worker.moves.clear();
        worker.state.moves(&mut worker.moves);
        list_moves(context, extent, worker);
    }
}

/// Lists `worker.moves`, which are moves of `worker.state`, in `worker.steps`, and what is to be
/// known of them from the start.
fn list_moves<G: Game, K: Knowledge<G>, O>(
    context: &Context<G, K, O>,
    extent: Extent,
    worker: &mut Worker<G>,
) {
    order_moves(context, extent, worker);
    if has_biases(context, &worker.state) && is_ordered_by_prior(&context.config) {
        let (priors, order) = (&worker.priors, &worker.order);
        worker.biases.clear();
        worker.biases.extend(order.iter().map(|&index| priors[index]));
    } else if has_biases(context, &worker.state) {
        worker.moves.clear();
        worker.moves.extend(worker.steps.iter().map(|&step| G::Move::from_bits(step)));
        worker.biases.clear();
        context.knowledge.priors(&worker.state, &worker.moves, &mut worker.biases);
    }
}

/// Whether progressive bias is asked for when a node is made: where moves are sampled, any may be
/// tried next, and where they are ordered by it, it is known. Elsewhere it is asked for when a move
/// is tried.
fn has_biases<G: Game, K, O>(context: &Context<G, K, O>, state: &G) -> bool {
    let config = &context.config;
    let is_early = config.threshold.is_some() || is_ordered_by_prior(config);
    config.bias.is_some() && is_early && !state.is_pending()
}

/// Whether nodes list their moves by prior. Shares are priors of another kind.
fn is_ordered_by_prior(config: &Config) -> bool {
    let wanted = config.order == Order::Prior || config.widen.is_some();
    wanted && config.uct.temperature().is_none()
}

/// Lists the moves in their own order, or those that look better first where a technique wants
/// that.
fn order_moves<G: Game, K: Knowledge<G>, O>(
    context: &Context<G, K, O>,
    extent: Extent,
    worker: &mut Worker<G>,
) {
    worker.steps.clear();
    let config = &context.config;
    let is_root = worker.path.len() <= 1;
    let is_short = context.lists_few && extent == Extent::First && !is_root;
    let own = config.root_temperature.filter(|_| is_root);
    let temperature = config.uct.temperature().map(|temperature| own.unwrap_or(temperature));
    if temperature.is_none() && !is_ordered_by_prior(&context.config) {
        worker.steps.extend(worker.moves.iter().map(|mv| mv.to_bits()));
        return;
    }
    let (moves, priors, order) = (&worker.moves, &mut worker.priors, &mut worker.order);
    priors.clear();
    match temperature {
        None => context.knowledge.priors(&worker.state, moves, priors),
        Some(temperature) => {
            context.knowledge.log_priors(&worker.state, moves, priors);
            let how = puct::ShareRule { temperature, even: config.even_share };
            puct::to_shares(priors, how, &mut worker.exponentials);
        }
    }
    let ranks = &mut worker.ranks;
    ranks.clear();
    ranks.extend(priors.iter().enumerate().map(|(index, &prior)| rank(prior, index)));
    if is_short && FIRST_LISTED < ranks.len() {
        ranks.select_nth_unstable(FIRST_LISTED);
        ranks.truncate(FIRST_LISTED);
    }
    ranks.sort_unstable();
    order.clear();
    order.extend(ranks.iter().map(|&rank| rank as u32 as usize));
    worker.steps.extend(order.iter().map(|&index| moves[index].to_bits()));
}

/// Gives the moves of a root that was below another one the shares of the root's own temperature.
pub(crate) fn share_root<G: Game, K: Knowledge<G>, O>(context: &Context<G, K, O>) {
    let Context { config, tree, state, .. } = context;
    let temperature = config.uct.temperature().and(config.root_temperature);
    let (Some(temperature), Some(node), false) = (temperature, tree.node(ROOT), state.is_pending())
    else {
        return;
    };
    let edges = tree.listed(node);
    if !edges.is_whole() {
        return; // There was no room for all, and shares add up to 1 only for all.
    }
    let moves: Vec<_> = edges.iter().map(|edge| G::Move::from_bits(edge.step())).collect();
    let mut priors = Vec::with_capacity(moves.len());
    context.knowledge.log_priors(state, &moves, &mut priors);
    let how = puct::ShareRule { temperature, even: config.even_share };
    puct::to_shares(&mut priors, how, &mut Vec::new());
    for ((edge, _), share) in edges.numbered().zip(priors) {
        tree.columns.share.set(edge, share);
    }
}

/// Full memory is recycled at most so often to list the moves of a root; mostly once will do.
const TRIES: usize = 64;

/// Lists all moves of a root that was below another one, as far as there is room: reports show
/// them, and the move to play may be one of them.
pub(crate) fn list_root<G: Game, K: Knowledge<G>, O>(context: &Context<G, K, O>) {
    let Context { config, tree, state, .. } = context;
    let Some(node) = tree.node(ROOT).filter(|&node| !tree.listed(node).is_whole()) else { return };
    let mut worker = Worker::new(state, Rng::new(config.seed), tree.take_stock());
    for _ in 0..TRIES {
        if extend(context, node, &mut worker).is_some() || !tree.recycle_alone(&mut worker.stock) {
            break;
        }
    }
    tree.put_back(worker.stock);
}

/// Lists the other moves of a node, whose state `worker.state` is. `None` where there is no room,
/// or another thread is at it.
#[cold]
fn extend<G: Game, K: Knowledge<G>, O>(
    context: &Context<G, K, O>,
    node: u32,
    worker: &mut Worker<G>,
) -> Option<()> {
    let tree = &context.tree;
    list(context, Extent::Whole, worker);
    let Worker { moves, order, priors, stock, .. } = worker;
    let listed = tree.listed(node);
    order.retain(|&index| listed.iter().all(|edge| edge.step() != moves[index].to_bits()));
    let steps = order.iter().map(|&index| moves[index].to_bits());
    tree.extend(node, steps, stock, |first| write_shares(tree, first, order, priors))
}

/// Notes the shares of edges that lie side by side: those of moves in this order.
fn write_shares(tree: &Tree, first: u32, order: &[usize], shares: &[f32]) {
    let numbered = (first..).zip(order);
    numbered.for_each(|(edge, &index)| tree.columns.share.set(edge, shares[index]));
}

/// A number that is the smaller the higher the prior is, and among equals the earlier the move.
/// Whole numbers are sorted in half the time of pairs that are compared part by part.
fn rank(prior: f32, index: usize) -> u64 {
    let bits = prior.to_bits();
    // As `f32::total_cmp` has it: of the negative ones the larger bits are the lower number.
    let ascending = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
    u64::from(!ascending) << 32 | index as u64
}

/// Where the node of an edge was given up and is about to be made anew, lists first the reply that
/// was visited most, and returns the mean that it starts with, as if it had been tried once: that
/// of the edge, for the side to move. Else its moves would be tried all over again, and what that
/// brings was counted before.
fn recall<G: Game, K, O>(
    context: &Context<G, K, O>,
    edge: u32,
    worker: &mut Worker<G>,
) -> Option<i64> {
    let reply = context.tree.reply_before(edge)?;
    let Worker { moves, order, steps, .. } = &mut *worker;
    let is_it = |&index: &usize| trace(moves[index].to_bits()) == reply;
    let index = match order.iter().position(is_it) {
        Some(place) => order.remove(place),
        None => {
            let index = (0..moves.len()).find(is_it)?;
            order.pop();
            index
        }
    };
    order.insert(0, index);
    steps.clear();
    steps.extend(order.iter().map(|&index| moves[index].to_bits()));
    let last = worker.last();
    let (visits, total) = before(&context.tree, edge, last);
    let mean = total / i64::from(visits.max(1));
    Some(if last.side == worker.state.turn() { mean } else { -mean })
}

/// The visits of the last edge of the path before this iteration, and their total.
fn before(tree: &Tree, edge: u32, last: Visit) -> (u32, i64) {
    let above = tree.edge(edge);
    (last.completed(above), above.total() - last.counted.virtual_reward())
}

/// Makes a node with `worker.steps` under the last edge of the path, which leads to `worker.state`.
/// Its first move has been tried where a mean is `recalled`.
fn grow<G: Game, K, O>(
    context: &Context<G, K, O>,
    edge: u32,
    recalled: Option<i64>,
    worker: &mut Worker<G>,
) -> Option<u32> {
    let tree = &context.tree;
    let last = worker.last();
    let Worker { state, moves, steps, order, priors, biases, events, stock, .. } = worker;
    let has_shares = context.config.uct.temperature().is_some() && !state.is_pending();
    tree.grow(edge, steps.iter().copied(), stock, |node, first| {
        if has_shares && tree.is_recycled() && context.config.draw_weight.is_none() {
            // A node that never went begins with one visit. Draws are counted with all visits.
            let known = 1 + u32::from(recalled.is_some());
            tree.forget(node, before(tree, edge, last).0.saturating_sub(known));
        }
        if has_shares {
            write_shares(tree, first, order, priors);
            if steps.len() < moves.len() {
                tree.leave_short(node);
            }
            if let Some(mean) = recalled {
                tree.start_tried(node, first, mean);
            }
        }
        if has_biases(context, state) {
            let numbered = (first..).zip(&*biases);
            numbered.for_each(|(edge, &prior)| tree.columns.prior.set(edge, prior));
        }
        if bounds::are_kept::<G>(tree) && state.is_pending() {
            let numbered = (first..).zip(&*events);
            numbered.for_each(|(edge, &(_, weight))| tree.columns.weight.set(edge, weight));
        }
        if let Some(deviation) = context.config.c_deviation.filter(|_| tree.squares.is_kept()) {
            let (visits, total) = before(tree, edge, last);
            let total = if last.side == Side::First { total } else { -total };
            deviation::start(tree, node, (visits, total), deviation.usual);
        }
        if context.config.graph.is_some() {
            graph::start(tree, last, node, key(tree, state));
            if tree.joints.have_bounds() {
                tree.joints.start_bounds(node, state.turn());
            }
            tree.joints.remember(node);
        }
    })
}

/// Makes the root list just `worker.moves`. Where that is not all of them no other state may share
/// it.
pub(crate) fn grow_root<G: Game, K: Knowledge<G>, O>(
    context: &Context<G, K, O>,
    worker: &mut Worker<G>,
) {
    list_moves(context, Extent::Whole, worker);
    worker.enter::<Alone>(&context.tree, ROOT, context.mover, StepKind::Move);
    grow(context, ROOT, None, worker);
    context.tree.joints.forget();
}

/// In a graph, lets the last edge of the path lead to the node of `worker.state`, if there is one,
/// and returns it. `worker.steps` are those of the state.
fn join<G: Game, K, O>(context: &Context<G, K, O>, worker: &mut Worker<G>) -> Option<u32> {
    let tree = &context.tree;
    // Different states have equal keys almost never; but then a move of one would not be legal in
    // the other.
    let is_it = |node| tree.has_steps(node, &worker.steps);
    let node = tree.joints.find(key(tree, &worker.state), is_it)?;
    graph::join(tree, worker.last(), node);
    worker.joined = Some((worker.last().edge, 0));
    Some(node)
}

/// The key by which a state is found. Bounds tell themselves from how many plies on they hold.
fn key<G: Game>(tree: &Tree, state: &G) -> u64 {
    if tree.joints.have_bounds() { state.key() } else { graph::key(state) }
}

/// Looks at a new edge: whether it ends the game, and in a graph whether its state is known.
#[inline(always)]
fn look_at_new<G: Game, K: Knowledge<G>, O, S: Sharing>(
    context: &Context<G, K, O>,
    edge: u32,
    worker: &mut Worker<G>,
) -> Option<Outcome> {
    if context.config.graph.is_none() {
        let outcome = end_of_game(context, edge, worker);
        if outcome.is_none() && lists_at_once(&context.config) {
            list(context, Extent::First, worker);
            grow(context, edge, None, worker);
        }
        return outcome;
    }
    if context.tree.joints.have_bounds() {
        graph_bounds::note_new(&context.tree, edge, &worker.state);
        if !graph_bounds::is_reversible(&context.tree, edge) {
            worker.region.leave();
        }
    }
    if worker.state.is_drawn_by_history() && worker.state.outcome() == Some(Outcome::Draw) {
        worker.ending = Ending::ByHistory;
        return Some(Outcome::Draw);
    }
    let outcome = end_of_game(context, edge, worker);
    let is_known =
        || context.tree.joints.find(key(&context.tree, &worker.state), |_| true).is_some();
    if outcome.is_none() && is_known() {
        list(context, Extent::Whole, worker);
        join(context, worker);
    }
    outcome
}

/// Notes at a new edge whether it ends the game. A draw by history is no proof.
#[inline(always)]
fn end_of_game<G: Game, K, O>(
    context: &Context<G, K, O>,
    edge: u32,
    worker: &Worker<G>,
) -> Option<Outcome> {
    let outcome = worker.state.outcome()?;
    let visit = worker.path.last().expect("a new edge has been entered");
    let status = match outcome {
        Outcome::Draw if leaves_draws_open(context) || worker.state.is_drawn_by_history() => {
            Status::UNPROVEN_DRAW
        }
        _ => Status::terminal(outcome, visit.side, visit.kind),
    };
    context.tree.edge(edge).set_status(status);
    Some(outcome)
}

/// Whether a new edge gets its node at once.
fn lists_at_once(config: &Config) -> bool {
    config.expand == Expand::FirstVisit && config.threshold.is_none()
}

fn leaves_draws_open<G: Game, K, O>(context: &Context<G, K, O>) -> bool {
    context.config.solver.is_some_and(|solver| solver.draws == Draws::Open)
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn ranks_sort_as_priors_and_then_as_moves() {
        let ascending = [f32::NEG_INFINITY, -2.5, -0.0, 0.0, 1e-30, 0.5, 1.0, f32::INFINITY];
        for pair in ascending.windows(2) {
            assert!(rank(pair[1], 9) < rank(pair[0], 1), "{pair:?}");
        }
        assert!(rank(0.5, 3) < rank(0.5, 4));
        assert_eq!(rank(0.5, 200) as u32, 200);
    }
}
