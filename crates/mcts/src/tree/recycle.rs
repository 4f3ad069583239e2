//! Recycling: where memory is full, nodes with few visits are given up for new ones, while the
//! search goes on.
//!
//! What nothing leads to any more goes first: what the root has left behind, and what was below a
//! node that went. Then a hand goes round all nodes, some at a time, as that of a clock. A node
//! that was not visited since the hand came by last goes; one with many visits only after some
//! rounds more. What is visited at present stays, however little is known of it: else a tree could
//! not become deeper than its most visited nodes. The edge that led to a node stays, with all that
//! it knows, proofs too; and a node to which a proven edge leads stays, so that the proof can be
//! shown.
//!
//! Other threads may be in a node that is given up. So it is not used again before each of them has
//! begun another batch of iterations ([`crate::run`]). What such a thread still adds below the node
//! nothing leads to, and the hand finds it.
//!
//! Graphs are not recycled, since several edges lead to a node there; see [`super::room`].

use super::edge::{BUSY, NO_NODE};
use super::hand::{Hand, REMEMBERED, SWEEP};
use super::stock::Stock;
use super::{ROOT, Tree, lock};
use std::sync::atomic::Ordering::{AcqRel, Relaxed};

/// A thread calls for it when it has room for fewer edges than this, or than this part of the tree.
const LOW: usize = 4096;
const LOW_PART: usize = 32;
/// With so many times as much free it waits until that is used.
const ENOUGH: usize = 2;
/// It goes on until this part of those that it may look at has gone.
const GONE_PART: usize = 4;
/// In a small tree it looks at this part of the nodes at a time, but not at less than so many.
const PART: usize = 4;
const FEWEST: usize = 64;
/// After so many rounds in vain it gives up for a while.
const ROUNDS: usize = 8;

impl Tree {
    /// Whether a thread with this stock should let the hand go on.
    #[inline(always)]
    pub(crate) fn is_short(&self, stock: &Stock) -> bool {
        let low = LOW.min(self.arena.edges.len() / LOW_PART);
        let is_low = stock.free_edges() < low && self.arena.edges_left() < low;
        // Should nodes be missing that are larger than all that go, the tree must not dwindle.
        let is_stuck = stock.has_failed() && stock.free_edges() < ENOUGH * low;
        (is_low || is_stuck) && !self.is_graph()
    }

    /// Lets the hand go on, and notes in `gone` the nodes that it takes from the tree. Returns
    /// whether it is worth while to do so again.
    pub(crate) fn sweep(&self, stock: &mut Stock, gone: &mut Vec<u32>) -> bool {
        let mut hand = lock(&self.hand);
        self.is_recycled.store(true, Relaxed);
        let count = self.arena.claimed_nodes();
        let most = SWEEP.min((count / PART).max(FEWEST)).min(count);
        while gone.len() < most
            && let Some(number) = hand.left_behind.pop()
        {
            self.take_out(number, stock, (&mut hand, gone));
        }
        for _ in 0..most {
            if gone.len() > most / GONE_PART {
                break;
            }
            hand.at = (hand.at + 1) % count as u32;
            hand.in_vain += 1;
            self.take_out(hand.at, stock, (&mut hand, gone));
        }
        hand.in_vain < ROUNDS * count
    }

    /// Makes the nodes that `sweep` took from the tree free to be used again. Nobody may be in them
    /// any more.
    pub(crate) fn reuse(&self, stock: &mut Stock, gone: &mut Vec<u32>) {
        gone.drain(..).for_each(|number| stock.give_up(&self.arena, number));
    }

    /// Takes the node from the tree, unless it has many visits or shows a proof. Nothing leads to
    /// those below it any more then.
    fn take_out(&self, number: u32, stock: &mut Stock, (hand, gone): (&mut Hand, &mut Vec<u32>)) {
        let node = &self.arena.nodes[number as usize];
        let Some(above) = node.edge_above() else { return };
        let edge = self.edge(above);
        if edge.link.load(Relaxed) == number {
            let age = node.age.load(Relaxed);
            let stays = above == ROOT || edge.status().is_proven() || age < lifetime(edge.visits());
            if stays {
                node.age.store(age + 1, Relaxed);
            }
            if stays || edge.link.compare_exchange(number, NO_NODE, AcqRel, Relaxed).is_err() {
                return;
            }
        }
        node.set_edge_above(None);
        let others = self.extensions.take(number);
        for holder in [Some(number), others].into_iter().flatten() {
            for edge in self.edges(holder).1 {
                let below = edge.link.swap(NO_NODE, AcqRel);
                if below < BUSY && hand.left_behind.len() < REMEMBERED {
                    hand.left_behind.push(below);
                }
            }
            gone.push(holder);
        }
        hand.in_vain = 0;
        stock.note_gone(self.edges(number).1.len());
        stock.note_more_gone(others.map_or(0, |others| self.edges(others).1.len()));
    }
}

/// The rounds after which a node goes that nobody visits, by the visits of the edge that leads
/// there.
fn lifetime(visits: u32) -> u32 {
    1 + visits.max(1).ilog2() / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Status;
    use crate::tree::edge::Edge;
    use crate::{Config, Limit, Search, Solver, Uct};
    use monteverde_chess::Chess;
    use monteverde_game::fixtures::DiceRace;
    use monteverde_game::{Game, Notation, Proof};
    use std::collections::HashSet;

    const MEMORY: usize = 200_000;

    /// Every node is where the edge that leads to it says, nothing lies in two places, and what is
    /// counted is there. Returns how many nodes can be reached.
    fn check(tree: &Tree) -> usize {
        let mut owner = vec![None; tree.arena.edges.len()];
        let mut open = vec![ROOT];
        let mut reached = 0;
        while let Some(number) = open.pop() {
            let Some(node) = tree.node(number) else { continue };
            reached += 1;
            assert_eq!(tree.arena.nodes[node as usize].edge_above(), Some(number), "node {node}");
            for (edge, _) in tree.listed(node).numbered() {
                let before = owner[edge as usize].replace(node);
                assert_eq!(before, None, "edge {edge} belongs to {node}, too");
                assert!(edge != ROOT);
                open.push(edge);
            }
        }
        assert!(reached <= tree.node_count(), "{reached} of {}", tree.node_count());
        assert!(tree.bytes() <= tree.limit() && tree.limit() <= MEMORY);
        reached
    }

    fn search<G: Game>(state: G, threads: usize) -> Search<G> {
        let solver = Some(Solver::FULL);
        Search::new(Config { memory: MEMORY, threads, solver, ..Config::default() }, state)
    }

    #[test]
    fn a_full_tree_goes_on_growing() {
        let mut search = search(Chess::start(), 1);
        let full = search.run(&Limit::iterations(2_000));
        assert!(full.fullness > 0.8, "{}", full.fullness);
        let before = nodes(search.tree());
        let later = search.run(&Limit::iterations(30_000));
        assert!(later.fullness > 0.7 && later.fullness <= 1.0, "{}", later.fullness);
        let new = nodes(search.tree()).difference(&before).count();
        assert!(new * 10 > before.len(), "{new} nodes are new");
        assert_eq!(search.tree().edge(ROOT).visits(), 32_000);
        let reached = check(search.tree());
        assert!(reached * 2 > search.tree().node_count(), "{reached}");
    }

    /// What happens is decided by the seed, with full memory, too.
    #[test]
    fn the_same_seed_gives_the_same_full_tree() {
        let run = || {
            let mut search = search(Chess::start(), 1);
            let report = search.run(&Limit::iterations(20_000));
            let (_, edges) = search.tree().edges_under(ROOT);
            let edges = edges.iter().map(|edge| (edge.visits(), edge.total())).collect::<Vec<_>>();
            (edges, report.nodes, report.figures.deepest)
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn threads_share_a_full_tree() {
        for threads in [2, 5] {
            play_on(search(Chess::start(), threads));
        }
    }

    /// Nodes list few moves at first, and the others in a place of their own that is recycled with
    /// them.
    #[test]
    fn what_is_listed_later_is_recycled_too() {
        for threads in [1, 2, 5] {
            let (solver, uct) = (Some(Solver::FULL), Uct::Puct { c: 4.0, temperature: 1.0 });
            let config = Config { memory: MEMORY, threads, solver, uct, ..Config::default() };
            play_on(Search::new(config, Chess::start()));
        }
    }

    fn play_on(mut search: Search<Chess>) {
        for _ in 0..5 {
            let report = search.run(&Limit::iterations(10_000));
            assert!(search.tree().is_recycled());
            check(search.tree());
            search.play(report.best.expect("a move"));
            check(search.tree());
        }
    }

    /// Where nodes have few moves, nodes run out before edges do.
    #[test]
    fn whatever_runs_out_is_recycled() {
        let ending = Chess::parse_state("8/8/8/3k4/8/8/7r/K7 b - - 0 1").expect("a state");
        let pawns = Chess::parse_state("8/5k2/p7/8/8/P7/5K2/8 w - - 0 1").expect("a state");
        for state in [Chess::start(), ending, pawns] {
            for threads in [1, 2] {
                let config = Config { memory: MEMORY, threads, ..Config::default() };
                let mut search = Search::new(config, state.clone());
                search.run(&Limit::iterations(10_000));
                let before = nodes(search.tree());
                for _ in 0..3 {
                    search.run(&Limit::iterations(3_000));
                }
                check(search.tree());
                let after = nodes(search.tree());
                let new = after.difference(&before).count();
                // How much two threads recycle depends on how long the system lets one wait.
                let least = if threads == 1 { after.len() / 20 } else { 0 };
                assert!(new > least, "{new} of {} nodes are new", after.len());
            }
        }
    }

    #[test]
    fn chance_is_recycled_too() {
        let mut search = search(DiceRace::start(), 1);
        search.run(&Limit::iterations(5_000));
        let before = nodes(search.tree());
        search.run(&Limit::iterations(50_000));
        check(search.tree());
        let after = nodes(search.tree());
        assert!(after.difference(&before).count() > 0, "{} nodes", after.len());
    }

    /// Where each node can be reached: the steps that lead there.
    fn nodes(tree: &Tree) -> HashSet<Vec<u32>> {
        let mut open = vec![(ROOT, Vec::new())];
        let mut found = HashSet::new();
        while let Some((number, way)) = open.pop() {
            for (edge, below) in tree.listed_under(number).numbered() {
                let mut way: Vec<u32> = way.clone();
                way.push(below.step());
                open.push((edge, way));
            }
            if tree.node(number).is_some() {
                found.insert(way);
            }
        }
        found
    }

    /// What the root has left behind goes before what is below it.
    #[test]
    fn what_was_played_past_makes_way() {
        let mut search = search(Chess::start(), 1);
        let mut last = 0;
        for _ in 0..6 {
            let report = search.run(&Limit::iterations(5_000));
            search.play(report.best.expect("a move"));
            last = check(search.tree());
        }
        search.run(&Limit::iterations(5_000));
        let reached = check(search.tree());
        assert!(reached > last && reached * 2 > search.tree().node_count(), "{last} {reached}");
    }

    /// A thread that gave nothing up itself has to know, too: it may have visits of an edge to tell
    /// that another has given up.
    #[test]
    fn all_threads_know_that_edges_give_way() {
        let tree = Tree::new(MEMORY);
        assert!(!tree.is_recycled());
        tree.grow(ROOT, 0..2, &mut tree.take_stock(), |_, _| {}).expect("room");
        tree.sweep(&mut tree.take_stock(), &mut Vec::new());
        assert!(tree.is_recycled());
        tree.clear();
        assert!(!tree.is_recycled());
    }

    #[test]
    fn a_shown_proof_stays() {
        let search = search(Chess::start(), 1);
        let (tree, mut stock) = (search.tree(), Stock::default());
        let root = tree.grow(ROOT, 0..2, &mut stock, |_, _| {}).expect("room");
        let first = tree.edges(root).0;
        let [proven, open] = [first, first + 1].map(|edge| {
            tree.grow(edge, 0..3, &mut stock, |_, _| {}).expect("room");
            edge
        });
        let below = tree.grow(tree.edges_under(open).0, 0..1, &mut stock, |_, _| {}).expect("room");
        tree.edge(proven).improve(Status::of(Proof::Win(3)));
        let number = |edge: &Edge| edge.link.load(Relaxed);
        let mut gone = Vec::with_capacity(SWEEP);
        let was = number(tree.edge(open));
        tree.sweep(&mut stock, &mut gone);
        tree.sweep(&mut stock, &mut gone);
        gone.sort_unstable();
        assert_eq!(gone, [was, below]);
        assert!(tree.node(proven).is_some() && tree.node(ROOT).is_some());
        tree.reuse(&mut stock, &mut gone);
        assert_eq!(stock.free_edges(), 4);
    }
}
