//! Recycling: where memory is full, nodes with few visits are given up for new ones, while the
//! search goes on.
//!
//! What nothing leads to any more goes first: what the root has left behind, and what was below a
//! node that went. Then a hand goes round all nodes, some at a time, as that of a clock. A node
//! that was not visited since the hand came by last goes; one with many visits only after some
//! rounds more. What is visited at present stays, however little is known of it: else a tree could
//! not become deeper than its most visited nodes.
//!
//! The edge that led to a node stays, with all that it knows, proofs too, and what tells the best
//! reply from most others: when the node is made anew, that one comes first and counts as tried. A
//! node to which a proven edge leads stays, so that the proof can be shown.
//!
//! A node that lists its other moves needs much room in one place. For that the hand looks for
//! nodes side by side that are worth little, and takes them all, however lately they were visited.
//!
//! Other threads may be in a node that is given up. So it is not used again before each of them has
//! begun another batch of iterations ([`crate::run`]). What such a thread still adds below the node
//! nothing leads to, and the hand finds it.
//!
//! Graphs are not recycled, since several edges lead to a node there; see [`super::room`].

use super::edge::{GONE, NO_NODE, gone_link};
use super::hand::{Hand, REMEMBERED, SWEEP};
use super::stock::{ABSORBED, Stock};
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
/// A node of so many visits is worth little, if there is none below it.
const LITTLE: u32 = 4;
/// Where much room is wanted in one place, it is made in so many at a time.
const RUNS: usize = 2;

impl Tree {
    /// Whether a thread with this stock should let the hand go on.
    #[inline(always)]
    pub(crate) fn is_short(&self, stock: &Stock) -> bool {
        let is_short = self.is_low(stock) || stock.is_wanting() || self.is_stuck(stock);
        is_short && !self.is_graph()
    }

    /// How few free edges are few.
    fn low(&self) -> usize {
        LOW.min(self.arena.edges.len() / LOW_PART)
    }

    fn is_low(&self, stock: &Stock) -> bool {
        stock.free_edges() < self.low() && self.arena.edges_left() < self.low()
    }

    /// Whether there is no room for a node in what is free. Should nodes be missing that are larger
    /// than all that go, the tree must not dwindle.
    fn is_stuck(&self, stock: &Stock) -> bool {
        stock.has_failed() && stock.free_edges() < ENOUGH * self.low()
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
        let was_wanting = stock.is_wanting();
        let has_runs = self.take_runs(stock, (&mut hand, gone));
        let is_stuck = !has_runs && (self.is_stuck(stock) || !was_wanting);
        let goes_round = self.is_low(stock) || is_stuck;
        for _ in 0..most {
            if gone.len() > most / GONE_PART || !goes_round {
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

    /// Makes room while nobody is in the tree. Returns whether it is worth while to do so again.
    pub(crate) fn recycle_alone(&self, stock: &mut Stock) -> bool {
        let mut gone = Vec::new();
        let is_worth_while = self.sweep(stock, &mut gone) || !gone.is_empty();
        self.reuse(stock, &mut gone);
        is_worth_while
    }

    /// Where there was no room for a node, takes nodes that are worth little and lie side by side,
    /// until they have that room together. Returns whether there were any.
    fn take_runs(&self, stock: &mut Stock, (hand, gone): (&mut Hand, &mut Vec<u32>)) -> bool {
        let wanted = stock.take_wanted();
        if wanted == 0 {
            return false;
        }
        let count = self.arena.claimed_nodes() as u32;
        let (mut runs, mut start, mut room, mut end) = (0, 0, 0, 0);
        for _ in 0..SWEEP.min(count as usize) {
            hand.run_at = (hand.run_at + 1) % count;
            let number = hand.run_at;
            let node = &self.arena.nodes[number as usize];
            if node.tried.load(Relaxed) == ABSORBED {
                continue;
            }
            let first = node.first.load(Relaxed);
            if room == 0 || first != end || number == 0 {
                (start, room) = (number, 0);
            }
            end = first + node.room.load(Relaxed);
            if !self.is_worth_little(number) {
                room = 0;
                continue;
            }
            room += node.room.load(Relaxed) as usize;
            if room >= wanted {
                (start..=number).for_each(|it| self.cut(it, stock, (&mut *hand, &mut *gone)));
                (runs, room) = (runs + 1, 0);
                if runs == RUNS || gone.len() > SWEEP / 2 {
                    break;
                }
            }
        }
        runs > 0
    }

    /// What the link of the edge that led to it keeps of a node.
    fn left_of(&self, number: u32) -> u32 {
        if !self.arena.keeps_large {
            return NO_NODE;
        }
        let edges = self.listed(number);
        let best = edges.iter().max_by_key(|edge| edge.visits()).filter(|edge| edge.visits() > 0);
        best.map_or(NO_NODE, |edge| gone_link(edge.step()))
    }

    /// Whether the node has few visits, no node below it, and shows no proof.
    fn is_worth_little(&self, number: u32) -> bool {
        let Some(above) = self.arena.nodes[number as usize].edge_above() else { return false };
        let edge = self.edge(above);
        let is_open = edge.link.load(Relaxed) == number && !edge.status().is_proven();
        is_open
            && above != ROOT
            && edge.visits() <= LITTLE
            && self.listed(number).iter().all(|edge| edge.link.load(Relaxed) >= GONE)
    }

    /// Takes the node from the tree, unless it has many visits or shows a proof. Nothing leads to
    /// those below it any more then.
    fn take_out(&self, number: u32, stock: &mut Stock, (hand, gone): (&mut Hand, &mut Vec<u32>)) {
        let node = &self.arena.nodes[number as usize];
        let Some(above) = node.edge_above() else { return };
        let edge = self.edge(above);
        if edge.link.load(Relaxed) == number {
            let age = node.age();
            let stays = above == ROOT || edge.status().is_proven() || age < lifetime(edge.visits());
            if stays {
                node.set_age(age + 1);
                return;
            }
        }
        self.cut(number, stock, (hand, gone));
    }

    /// Takes the node from the tree.
    fn cut(&self, number: u32, stock: &mut Stock, (hand, gone): (&mut Hand, &mut Vec<u32>)) {
        let node = &self.arena.nodes[number as usize];
        let Some(above) = node.edge_above() else { return };
        let link = &self.edge(above).link;
        if link.load(Relaxed) == number
            && link.compare_exchange(number, self.left_of(number), AcqRel, Relaxed).is_err()
        {
            return;
        }
        node.set_edge_above(None);
        let others = self.extensions.take(number);
        for holder in [Some(number), others].into_iter().flatten() {
            for edge in self.edges(holder).1 {
                let below = edge.link.swap(NO_NODE, AcqRel);
                if below < GONE && hand.left_behind.len() < REMEMBERED {
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
    use crate::tree::columns::Needs;
    use crate::tree::edge::Edge;
    use crate::{Config, Fpu, Limit, Search, Solver, Uct};
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

    /// It would go before others that were visited as lately.
    #[test]
    fn a_new_node_is_not_as_old_as_what_was_in_its_place() {
        let (tree, mut stock, mut gone) = (Tree::new(MEMORY), Stock::default(), Vec::new());
        let root = tree.grow(ROOT, 0..1, &mut stock, |_, _| {}).expect("room");
        let edge = tree.edges(root).0;
        let grow = |stock: &mut Stock| tree.grow(edge, 0..3, stock, |_, _| {}).expect("room");
        let node = grow(&mut stock);
        tree.arena.nodes[node as usize].set_age(100);
        tree.sweep(&mut stock, &mut gone);
        assert_eq!(gone, [node]);
        tree.reuse(&mut stock, &mut gone);
        tree.arena.set_claimed(tree.arena.nodes.len(), tree.arena.edges.len());
        assert_eq!(grow(&mut stock), node, "it takes its place");
        assert_eq!(tree.arena.nodes[node as usize].age(), 0);
    }

    /// A tree whose nodes list few edges at first, full of nodes with six.
    fn full_of_small_nodes() -> (Tree, Stock) {
        let needs = Needs { extensions: true, ..Needs::default() };
        let (tree, mut stock) = (Tree::with(20_000, needs), Stock::default());
        let root = tree.grow(ROOT, 0..200, &mut stock, |_, _| {}).expect("room");
        let first = tree.edges(root).0;
        let is_made = |edge: &u32| tree.grow(*edge, 0..6, &mut stock, |_, _| {}).is_some();
        let made = (first..first + 200).take_while(is_made).count();
        assert!(made > 50 && made < 200, "{made}");
        tree.settle(&mut stock);
        (tree, stock)
    }

    #[test]
    fn nodes_side_by_side_make_room_for_a_large_one() {
        let (tree, mut stock) = full_of_small_nodes();
        let before = check(&tree);
        let edge = (ROOT..).find(|&edge| tree.node(edge).is_none()).expect("one without a node");
        let grow = |stock: &mut Stock, count| tree.grow(edge, 0..count, stock, |_, _| {});
        assert_eq!(grow(&mut stock, 40), None);
        let mut gone = Vec::new();
        tree.sweep(&mut stock, &mut gone);
        assert_eq!(gone.len(), RUNS * 7, "as many as have room for 42 edges");
        tree.reuse(&mut stock, &mut gone);
        assert!(grow(&mut stock, 40).is_some());
        tree.settle(&mut stock);
        assert_eq!(check(&tree), before - RUNS * 7 + 1);
        // The other room is split where small nodes want it.
        let mut open = (edge + 1..).filter(|&edge| tree.node(edge).is_none());
        for _ in 0..7 {
            let edge = open.next().expect("an edge");
            assert!(tree.grow(edge, 0..6, &mut stock, |_, _| {}).is_some());
        }
        tree.settle(&mut stock);
        assert_eq!(check(&tree), before - RUNS * 7 + 1 + 7);
    }

    /// Else it would be looked for among all moves again.
    #[test]
    fn a_node_that_is_made_anew_remembers_its_best_reply() {
        let uct = Uct::Puct { c: 1.0, temperature: 1.0 };
        let config = Config { memory: 8 << 20, uct, ..Config::default() };
        let mut search = Search::new(config, Chess::start());
        search.run(&Limit::iterations(3_000));
        let tree = search.tree();
        let best = |edge: u32| {
            let replies = tree.listed_under(edge);
            replies.iter().max_by_key(|reply| reply.visits()).map(Edge::step)
        };
        let first = |edge: u32| tree.listed_under(edge).iter().next().map(Edge::step);
        let moves: Vec<u32> = tree.listed_under(ROOT).numbered().map(|(edge, _)| edge).collect();
        let mut moves = moves.into_iter();
        let edge = moves.find(|&edge| best(edge) != first(edge)).expect("another reply is best");
        let (reply, node) = (best(edge), tree.node(edge).expect("a node"));
        let mut stock = Stock::default();
        search.tree().cut(node, &mut stock, (&mut Hand::default(), &mut Vec::new()));
        while search.tree().node(edge).is_none() {
            search.run(&Limit::iterations(1));
        }
        let replies = search.tree().listed_under(edge);
        assert_eq!(Some(replies[0].step()), reply);
        assert_eq!(replies.iter().map(Edge::visits).sum::<u32>(), 2);
    }

    /// Else moves that were found bad would be tried again for all the visits that the edge has.
    #[test]
    fn a_node_that_is_made_anew_explores_as_narrowly_as_a_new_one() {
        let (uct, fpu) = (Uct::Puct { c: 1.0, temperature: 1.0 }, Some(Fpu::Reduced(1.0)));
        let config = Config { memory: 8 << 20, uct, fpu, ..Config::default() };
        let mut search = Search::new(config, Chess::start());
        search.run(&Limit::iterations(20_000));
        let moves = search.tree().listed_under(ROOT);
        let (edge, _) = moves.numbered().max_by_key(|(_, edge)| edge.visits()).expect("a move");
        let tried = |search: &Search<Chess>| {
            let replies = search.tree().listed_under(edge);
            replies.iter().filter(|reply| reply.visits() > 0).count()
        };
        let visits = |search: &Search<Chess>| search.tree().edge(edge).visits();
        let go_on = |search: &mut Search<Chess>, until| {
            while visits(search) < until {
                search.run(&Limit::iterations(1));
            }
        };
        let before = visits(&search);
        assert!(before > 1_000, "{before}");
        let node = search.tree().node(edge).expect("a node");
        let mut stock = Stock::default();
        search.tree().cut(node, &mut stock, (&mut Hand::default(), &mut Vec::new()));
        search.tree().is_recycled.store(true, Relaxed);
        go_on(&mut search, before + 10);
        assert!(tried(&search) <= 3, "{}", tried(&search));
        let node = search.tree().node(edge).expect("a node");
        let replies = search.tree().listed(node);
        let known = replies.iter().map(Edge::visits).sum::<u32>();
        assert_eq!(visits(&search) - search.tree().forgotten(node), 1 + known);
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
