//! Transpositions: states that are reached in several ways share one node, so that the tree becomes
//! a graph.
//!
//! **The update rule.** A node keeps the sum and the count of all rewards that it knows of: the
//! playouts from its own state, and the totals and visits of its edges. An edge keeps its own
//! visits; its total is not a sum of rewards but its visits times the mean of the node that it
//! leads to. After an iteration both are set right along its path, from the last edge to the first:
//! the edge gets its total from the node below, and the node above is told the difference.
//!
//! **Why it is sound.** A node's mean is the mean of its own playouts and its edges' means,
//! weighted by the visits that selection gave those edges *here*: the value that UCT defines for a
//! node, with the better estimate of the node below in the place of the rewards that happened to
//! come through this edge. No reward counts twice in a node: what comes to a shared node by another
//! way changes the mean below, never the visits here. A child that many ways lead to may have more
//! visits than a node above it; adding its new rewards to all nodes above (as is often done) would
//! count visits that this node's selection never made, and its mean could leave the range of its
//! edges' means. Here it cannot. What may be out of date is the total of an edge that has not been
//! followed since the node below learnt more through others; it is set right when the edge is
//! followed next, which UCT does for ever, so that the values converge to the same limits as the
//! tree's. Sums are of integers, and equal `own playouts + totals of the edges` at any time.
//!
//! **What depends on the way** is not shared. A draw by a rule that looks at the history is looked
//! for on each path and never noted as an end of the game; such a visit counts in its edge as a
//! draw, beside the visits that went on: `total = (visits - drawn) * mean`. Rules that count plies
//! also tell states apart that are near to them (`COUNTED`). A cycle ends by the rule on
//! repetitions; should a game have none, a path ends at `LONGEST`.
//!
//! **Threads.** In place of a virtual loss only the visit is counted on entering. A playout that is
//! on its way from an edge while another thread makes the node below it counts one visit too many
//! there.
//!
//! *Monte Carlo Chess* (2012), sections 2.3, 3.3 and 4.2, names transpositions and leaves them to
//! others.

use crate::path::{BackupValue, Ending, Visit};
use crate::sharing::Sharing;
use crate::tree::{Tree, cell::Joint};
use monteverde_game::{Game, Side};
use std::sync::atomic::Ordering::Relaxed;

/// Nodes are shared between the edges that lead to the same state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Graph;

/// Shared nodes keep bounds of their values, in games with chance that tell
/// [`Game::reversible_plies`]; see `graph_bounds.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphBounds;

/// States in which a rule that counts plies may draw within so many are shared only where as many
/// are left.
const COUNTED: u32 = 16;

/// The longest path, should nothing else end it.
pub(crate) const LONGEST: usize = 1 << 12;

/// The key by which a state is found.
pub(crate) fn key<G: Game>(state: &G) -> u64 {
    let left = state.plies_left();
    if left < COUNTED {
        state.key() ^ u64::from(left + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    } else {
        state.key()
    }
}

/// Gives an edge of `side`, which has been entered and leads to no node yet, the node of its state;
/// its own playouts become the node's. Where another thread was faster nothing happens.
pub(crate) fn join(tree: &Tree, visit: Visit, node: u32) {
    let edge = tree.edge(visit.edge);
    let playouts =
        visit.completed(edge).saturating_sub(tree.columns.drawn_by_history.get(visit.edge));
    let sum = for_first(edge.total(), visit.side);
    if tree.link(visit.edge, node) {
        tree.joints.node(node).add(sum, playouts);
    }
}

/// What a new node starts with: the playouts of the edge that leads to it.
pub(crate) fn start(tree: &Tree, visit: Visit, node: u32, key: u64) {
    let edge = tree.edge(visit.edge);
    let playouts =
        visit.completed(edge).saturating_sub(tree.columns.drawn_by_history.get(visit.edge));
    tree.joints.start(node, key, (for_first(edge.total(), visit.side), playouts));
}

/// Sets the totals along the path right, from the last edge to the first. No reward is more than
/// `most`.
pub(crate) fn backup<S: Sharing>(tree: &Tree, path: &[Visit], value: BackupValue, most: i64) {
    let BackupValue { reward, ending } = value;
    for (index, visit) in path.iter().enumerate().rev() {
        let edge = tree.edge(visit.edge);
        let node = tree.node(visit.edge).map(|node| tree.joints.node(node));
        let is_last = index + 1 == path.len();
        let mut own = 0;
        match (ending, node) {
            _ if !is_last => {}
            (Ending::ByHistory, _) => S::increment(tree.columns.drawn_by_history.cell(visit.edge)),
            (Ending::Shared, Some(node)) => node.add(reward, 1),
            (Ending::Shared, None) => own = for_first(reward, visit.side),
        }
        S::count(edge);
        let before = edge.total();
        let after = match node {
            None => before + own,
            Some(node) => {
                let drawn = tree.columns.drawn_by_history.get(visit.edge);
                let visits = edge.visits().saturating_sub(drawn);
                for_first(share(node, visits, most), visit.side)
            }
        };
        let before = edge.total_cell().swap(after, Relaxed);
        if let Some(above) = index.checked_sub(1).and_then(|above| tree.node(path[above].edge)) {
            tree.joints.node(above).add(for_first(after - before, visit.side), 1);
        }
    }
}

/// So many times the mean of a node, for [`Side::First`], where no reward is more than `most`.
fn share(node: &Joint, visits: u32, most: i64) -> i64 {
    let count = i128::from(node.visits().max(1));
    let most = i64::from(visits) * most;
    let total = i128::from(visits) * i128::from(node.sum()) / count;
    // Threads may see a sum without its count.
    (total as i64).clamp(-most, most)
}

/// A total of `side` for [`Side::First`], and the other way round.
#[inline(always)]
pub(crate) fn for_first(total: i64, side: Side) -> i64 {
    if side == Side::First { total } else { -total }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::iteration::iterate;
    use crate::playout::Playouter;
    use crate::proof::Status;
    use crate::reward::ONE;
    use crate::sharing::Alone;
    use crate::worker::Worker;
    use crate::{Config, Limit, Search, Uct};
    use monteverde_chess::Chess;
    use monteverde_game::fixtures::{TicTacToe, exact_value};
    use monteverde_game::{NoKnowledge, NoOracle, Notation, Rng};
    use std::collections::HashSet;

    fn config() -> Config {
        Config { graph: Some(Graph), memory: 32 << 20, ..Config::default() }
    }

    /// Every state that can be reached, and those of them in which the game goes on.
    fn states() -> (usize, usize) {
        let (mut seen, mut open, mut going) = (HashSet::new(), vec![TicTacToe::start()], 0);
        while let Some(state) = open.pop() {
            if !seen.insert(state.key()) || state.outcome().is_some() {
                continue;
            }
            going += 1;
            let mut moves = Vec::new();
            state.moves(&mut moves);
            for mv in moves {
                let mut next = state.clone();
                next.play(mv);
                open.push(next);
            }
        }
        (seen.len(), going)
    }

    #[test]
    fn a_full_graph_has_a_node_for_every_state_and_no_more() {
        let (all, going) = states();
        assert_eq!((all, going), (5_478, 4_520));
        // So much exploration that every state is reached.
        let config = Config { uct: Uct::Ucb1 { c: 20.0 }, ..config() };
        let mut search = Search::new(config.clone(), TicTacToe::start());
        search.run(&Limit::iterations(300_000));
        assert_eq!(search.tree().node_count(), going);
        let mut tree = Search::new(Config { graph: None, ..config }, TicTacToe::start());
        tree.run(&Limit::iterations(300_000));
        assert!(tree.tree().node_count() > 5 * going, "{}", tree.tree().node_count());
    }

    #[test]
    fn values_come_near_the_exact_ones() {
        for text in ["... ... ...", "x.. .o. ..x", "x.o ... ...", "xo. .x. ..o"] {
            let state = TicTacToe::parse_state(text).unwrap();
            let config = Config { uct: Uct::Ucb1 { c: 0.3 }, ..config() };
            let report = Search::new(config, state.clone()).run(&Limit::iterations(100_000));
            let exact = exact_value(&state) * if state.turn() == Side::First { 1.0 } else { -1.0 };
            let ours = report.best_move().unwrap().mean;
            assert!((ours - exact).abs() < 0.05, "{text}: {ours} for {exact}");
        }
    }

    /// The sums of a node are those of its own playouts and its edges.
    fn check_sums<G: Game>(tree: &Tree, root: &G) {
        let mut open = vec![(crate::tree::ROOT, root.clone())];
        let mut seen = HashSet::new();
        while let Some((edge, state)) = open.pop() {
            let Some(node) = tree.node(edge).filter(|&node| seen.insert(node)) else { continue };
            let (first, edges) = tree.edges(node);
            let joint = tree.joints.node(node);
            let total: i64 = edges.iter().map(|edge| for_first(edge.total(), state.turn())).sum();
            let visits: u32 = edges.iter().map(|edge| edge.visits()).sum();
            let playouts = joint.visits() - visits;
            let own = joint.sum() - total;
            assert!(own.abs() <= i64::from(playouts) * ONE, "{own} of {playouts} playouts");
            for (number, edge) in (first..).zip(edges) {
                use monteverde_game::Step;
                let most = i64::from(edge.visits()) * ONE;
                assert!(edge.total().abs() <= most);
                let mut next = state.clone();
                next.play(G::Move::from_bits(edge.step()));
                open.push((number, next));
            }
        }
    }

    /// After every iteration each edge of its path has its visits times the mean of the node below.
    fn check_paths<G: Game>(state: G, iterations: u32) -> Context<G, NoKnowledge, NoOracle> {
        let config = config();
        let context = Context::new(config.clone(), state.clone(), NoKnowledge, NoOracle);
        let rng = Rng::stream(config.seed, 0);
        let mut worker = Worker::new(&state, rng, context.tree.take_stock());
        let mut playouter = Playouter::new(config.playout, &NoKnowledge, &NoOracle, &state);
        let mut compared = 0;
        for _ in 0..iterations {
            iterate::<_, _, _, Alone>(&context, &mut worker, &mut playouter);
            let tree = &context.tree;
            let nodes = worker.path.iter().filter_map(|visit| tree.node(visit.edge));
            let mut distinct = HashSet::new();
            if !nodes.into_iter().all(|node| distinct.insert(node)) {
                continue; // A node that was left twice was told more after the first time.
            }
            for visit in &worker.path {
                let Some(node) = tree.node(visit.edge) else { continue };
                let edge = tree.edge(visit.edge);
                let went_on = edge.visits() - tree.columns.drawn_by_history.get(visit.edge);
                let expected = for_first(share(tree.joints.node(node), went_on, ONE), visit.side);
                assert_eq!(edge.total(), expected);
                compared += 1;
            }
        }
        assert!(compared > iterations, "{compared} edges compared");
        context.tree.put_back(worker.stock);
        check_sums(&context.tree, &state);
        context
    }

    /// Kings that go to and fro behind pawns that cannot move.
    fn locked(halfmoves: u32) -> Chess {
        let text = format!("7k/8/8/p1p1p1p1/P1P1P1P1/8/8/7K w - - {halfmoves} 100");
        Chess::parse_state(&text).unwrap()
    }

    fn drawn_visits(tree: &Tree) -> u32 {
        let edges = tree.edge_count() as u32;
        (0..edges).map(|edge| tree.columns.drawn_by_history.get(edge)).sum()
    }

    #[test]
    fn an_edge_has_its_visits_times_the_mean_below() {
        check_paths(TicTacToe::start(), 20_000);
        // By repetition alone, which takes eight plies, and by the rule of fifty moves.
        let context = check_paths(locked(0), 6_000);
        assert!(drawn_visits(&context.tree) > 0);
        let context = check_paths(locked(95), 1_000);
        assert!(drawn_visits(&context.tree) > 100);
    }

    #[test]
    fn a_draw_by_history_is_noted_in_no_edge() {
        let mut search = Search::new(config(), locked(96));
        search.run(&Limit::iterations(1_000));
        assert!(drawn_visits(search.tree()) > 100);
        let edges = search.tree().edge_count() as u32;
        assert!((0..edges).all(|edge| search.tree().edge(edge).status() == Status::OPEN));
    }

    /// How many nodes a search has made, and how many states they stand for.
    fn nodes_and_states(config: Config, iterations: u64) -> (usize, usize) {
        use monteverde_game::Step;
        let mut search = Search::new(config, Chess::start());
        search.run(&Limit::iterations(iterations));
        let tree = search.tree();
        let (mut seen, mut keys) = (HashSet::new(), HashSet::new());
        let mut open = vec![(crate::tree::ROOT, Chess::start())];
        while let Some((edge, state)) = open.pop() {
            let Some(node) = tree.node(edge).filter(|&node| seen.insert(node)) else { continue };
            keys.insert(key(&state));
            let (first, edges) = tree.edges(node);
            for (number, edge) in (first..).zip(edges) {
                let mut next = state.clone();
                next.play(<Chess as Game>::Move::from_bits(edge.step()));
                open.push((number, next));
            }
        }
        assert_eq!(seen.len(), tree.node_count());
        (seen.len(), keys.len())
    }

    #[test]
    fn the_graph_of_chess_has_one_node_a_state_where_its_tree_has_several() {
        let (nodes, states) = nodes_and_states(config(), 20_000);
        assert_eq!(nodes, states);
        let (nodes, states) = nodes_and_states(Config { graph: None, ..config() }, 20_000);
        assert!(nodes > states, "{nodes} nodes for {states} states");
    }

    #[test]
    fn a_graph_survives_moves_and_threads() {
        for threads in [1, 3] {
            let config = Config { threads, memory: 1 << 20, ..config() };
            let endgame = Chess::parse_state("8/8/4k3/8/8/3QK3/8/7r w - - 0 1").unwrap();
            let mut search = Search::new(config, endgame);
            let mut fullest = 0;
            for _ in 0..4 {
                let report = search.run(&Limit::iterations(3_000));
                assert!(report.tree_bytes <= 1 << 20);
                fullest = fullest.max(report.tree_bytes);
                check_sums(search.tree(), search.state());
                search.play(report.best.unwrap());
            }
            assert!(fullest > 1 << 19, "room was never made: {fullest} bytes");
        }
    }
}
