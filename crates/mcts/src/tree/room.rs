//! Keeping the subtree of what was played, and making room in a graph.
//!
//! [`Tree::advance`] only moves the root: what is no longer reachable stays where it is. In a tree
//! it is found when room is short ([`super::recycle`]). In a graph [`Tree::make_room`] slides what
//! is still reachable together, in place, least visited nodes left out if it is too much. Both need
//! the tree for themselves.

use super::edge::{Edge, GONE, NO_NODE, Node};
use super::{ROOT, Tree, lock};
use std::sync::atomic::Ordering::Relaxed;

/// The mark of a node that goes nowhere.
const DROPPED: u32 = u32::MAX;

/// So many nodes and edges.
#[derive(Clone, Copy)]
struct Size {
    nodes: usize,
    edges: usize,
}

impl Size {
    fn holds(self, other: Size) -> bool {
        other.nodes <= self.nodes && other.edges <= self.edges
    }
}

impl Tree {
    /// Makes the edge with that step under the root the new root edge and keeps what is below it,
    /// or its visits where nothing is. Clears the tree where it was never followed. Returns whether
    /// anything was kept.
    pub fn advance(&mut self, step: u32) -> bool {
        let edges = self.listed_under(ROOT);
        match edges.iter().position(|edge| edge.step() == step) {
            Some(index) if let Some(node) = self.node(edges.number(index)) => {
                lock(&self.hand).left_behind.extend(self.node(ROOT).filter(|_| !self.is_graph()));
                self.edge(ROOT).copy_from(&edges[index]);
                self.columns.copy(edges.number(index), ROOT);
                self.arena.nodes[node as usize].set_edge_above(Some(ROOT));
                true
            }
            Some(index) if edges[index].visits() > 0 => {
                let (visits, total) = (edges[index].visits(), edges[index].total());
                self.clear();
                self.edge(ROOT).visits_cell().store(visits, Relaxed);
                self.edge(ROOT).total_cell().store(total, Relaxed);
                true
            }
            _ => {
                self.clear();
                false
            }
        }
    }

    /// Sees to it that at least half of the memory of a graph is free: nothing happens if it is, or
    /// in a tree; else what cannot be reached any more goes, and then nodes with few visits, as
    /// many as it takes.
    pub fn make_room(&mut self) {
        if !self.is_graph() {
            return;
        }
        let keep = Size { nodes: self.arena.nodes.len() / 2, edges: self.arena.edges.len() / 2 };
        if keep.holds(Size { nodes: self.arena.claimed_nodes(), edges: self.arena.claimed_edges() })
        {
            return;
        }
        let least = self.least_visits(keep);
        for node in &self.arena.nodes[..self.arena.claimed_nodes()] {
            node.above.store(DROPPED, Relaxed);
        }
        self.for_reachable(least, |node, _| node.above.store(0, Relaxed));
        self.number();
        self.relink();
        self.slide();
    }

    /// The least visits with which a node can stay so that no more than `keep` stays. Where nodes
    /// have more visits than those above them, more goes than would have to.
    fn least_visits(&self, keep: Size) -> u32 {
        // Classes of visits: each number below 64 is one of its own, beyond that each power of two.
        let class = |visits: u32| if visits < 64 { visits } else { 58 + visits.ilog2() } as usize;
        let least = |class: usize| match class {
            ..64 => class as u32,
            _ => 1u32.checked_shl(class as u32 - 58).unwrap_or(u32::MAX),
        };
        let mut classes = [Size { nodes: 0, edges: 0 }; 90];
        self.for_reachable(0, |node, visits| {
            let size = &mut classes[class(visits)];
            size.nodes += 1;
            size.edges += node.count.load(Relaxed) as usize;
        });
        let mut kept = Size { nodes: 0, edges: 1 };
        for (number, size) in classes.iter().enumerate().rev() {
            kept.nodes += size.nodes;
            kept.edges += size.edges;
            if !keep.holds(kept) {
                return least(number + 1);
            }
        }
        0
    }

    /// Calls `visit` with every node that has at least `least` visits and can be reached through
    /// such, and its visits, once each.
    fn for_reachable(&self, least: u32, mut visit: impl FnMut(&Node, u32)) {
        let mut seen = vec![false; self.arena.claimed_nodes()];
        let mut open: Vec<u32> = vec![ROOT];
        while let Some(edge) = open.pop() {
            let Some(node) = self.node(edge) else { continue };
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            let visits = self.joints.node(node).visits();
            if visits < least {
                continue;
            }
            visit(&self.arena.nodes[node as usize], visits);
            let (first, edges) = self.edges(node);
            open.extend((first..first + edges.len() as u32).filter(|&e| self.node(e).is_some()));
        }
    }

    /// Gives the nodes that stay their new numbers, in the old order.
    fn number(&self) {
        let mut next = 0;
        for node in &self.arena.nodes[..self.arena.claimed_nodes()] {
            if node.above.load(Relaxed) != DROPPED {
                node.above.store(next, Relaxed);
                next += 1;
            }
        }
    }

    /// Lets the edges that stay lead to the new numbers.
    fn relink(&self) {
        let relink = |edge: &Edge| {
            let link = edge.link.load(Relaxed);
            if link < GONE {
                let to = self.arena.nodes[link as usize].above.load(Relaxed);
                edge.link.store(if to == DROPPED { NO_NODE } else { to }, Relaxed);
            }
        };
        relink(self.edge(ROOT));
        for number in 0..self.arena.claimed_nodes() as u32 {
            if self.arena.nodes[number as usize].above.load(Relaxed) != DROPPED {
                self.edges(number).1.iter().for_each(relink);
            }
        }
    }

    /// Moves nodes and edges to the front. Nodes and their edges have one order, so nothing is
    /// overwritten before it has moved.
    fn slide(&self) {
        let (mut nodes, mut edges) = (0, 1);
        for number in 0..self.arena.claimed_nodes() {
            let from = &self.arena.nodes[number];
            if from.above.load(Relaxed) == DROPPED {
                continue;
            }
            let first = from.first.load(Relaxed) as usize;
            let count = from.count.load(Relaxed);
            let to = &self.arena.nodes[nodes];
            to.tried.store(from.tried.load(Relaxed), Relaxed);
            to.count.store(count, Relaxed);
            to.first.store(edges as u32, Relaxed);
            for offset in 0..count as usize {
                self.arena.edges[edges + offset].copy_from(&self.arena.edges[first + offset]);
                self.columns.copy((first + offset) as u32, (edges + offset) as u32);
            }
            self.joints.copy(number as u32, nodes as u32);
            self.squares.copy(number as u32, nodes as u32);
            nodes += 1;
            edges += count as usize;
        }
        self.set_top(nodes, edges);
        lock(&self.stocks).clear();
        self.joints.forget();
        (0..nodes as u32).for_each(|node| self.joints.remember(node));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::columns::Needs;
    use crate::tree::stock::Stock;
    use monteverde_game::Rng;

    /// An edge with everything below it; `below` is `None` where it leads to no node.
    #[derive(PartialEq, Debug)]
    struct Dump {
        step: u32,
        visits: u32,
        total: i64,
        below: Option<Vec<Dump>>,
    }

    fn dump(tree: &Tree, edge: u32) -> Dump {
        let below = tree.node(edge).map(|node| {
            let (first, edges) = tree.edges(node);
            (0..edges.len() as u32).map(|offset| dump(tree, first + offset)).collect()
        });
        let edge = tree.edge(edge);
        Dump { step: edge.step(), visits: edge.visits(), total: edge.total(), below }
    }

    /// Grows a graph by random walks, with random branching and totals, until the memory is full.
    fn random_graph(memory: usize, rng: &mut Rng) -> Tree {
        let tree = Tree::with(memory, Needs { joints: true, ..Needs::default() });
        let mut stock = Stock::default();
        for _ in 0..100_000 {
            let mut edge = ROOT;
            loop {
                let at = tree.edge(edge);
                at.visits.fetch_add(1, Relaxed);
                at.total.fetch_add(i64::from(rng.below(1000)), Relaxed);
                let Some(node) = tree.node(edge) else { break };
                tree.joints.node(node).add(0, 1);
                let (first, edges) = tree.edges(node);
                edge = first + rng.below(edges.len() as u32).min(rng.below(edges.len() as u32));
            }
            let steps = 1 + rng.below(40);
            let visits = tree.edge(edge).visits();
            let fill = |node, _| tree.joints.start(node, u64::from(node), (0, visits));
            if tree.grow(edge, 100..100 + steps, &mut stock, fill).is_none() {
                break;
            }
        }
        tree.put_back(stock);
        tree
    }

    #[test]
    fn what_can_be_reached_is_kept_to_the_last_number() {
        let mut rng = Rng::new(1);
        for memory in [20_000, 200_000, 2_000_000] {
            let mut tree = random_graph(memory, &mut rng);
            let full = tree.bytes();
            while tree.edge_count() > tree.arena.edges.len() / 2 && tree.node(ROOT).is_some() {
                let step = 100 + rng.below(3);
                let (first, edges) = tree.edges_under(ROOT);
                let index = edges.iter().position(|edge| edge.step() == step).unwrap_or(0);
                let expected = dump(&tree, first + index as u32);
                let step = expected.step;
                if tree.advance(step) {
                    assert_eq!(dump(&tree, ROOT), expected);
                    let whole = dump_size(&expected) <= tree.arena.edges.len() / 2;
                    tree.make_room();
                    if whole {
                        assert_eq!(dump(&tree, ROOT), expected);
                    }
                } else {
                    assert_eq!(expected.below, None);
                }
            }
            assert!(tree.bytes() <= full / 2 + 2 * size_of::<Edge>());
        }
    }

    fn dump_size(dump: &Dump) -> usize {
        1 + dump.below.iter().flatten().map(|edge| 1 + dump_size(edge)).sum::<usize>()
    }

    #[test]
    fn where_too_much_can_be_reached_the_least_visited_nodes_go() {
        let mut rng = Rng::new(2);
        let mut tree = random_graph(1 << 20, &mut rng);
        let before = dump(&tree, ROOT);
        tree.make_room();
        let after = dump(&tree, ROOT);
        assert!(tree.edge_count() <= tree.arena.edges.len() / 2);
        assert!(tree.edge_count() > tree.arena.edges.len() / 4, "{} edges left", tree.edge_count());
        let mut dropped = 0;
        let mut kept = u32::MAX;
        compare(&before, &after, &mut |visits, stays| {
            if stays { kept = kept.min(visits) } else { dropped = dropped.max(visits) }
        });
        assert!(dropped < kept, "a node of {dropped} visits went, one of {kept} stayed");
        // There is room again, and what grows does not touch what stayed.
        let mut leaf = ROOT;
        while let Some(node) = tree.node(leaf) {
            leaf = tree.edges(node).0;
        }
        assert!(tree.grow(leaf, 0..5, &mut tree.take_stock(), |_, _| {}).is_some());
    }

    fn compare(before: &Dump, after: &Dump, see: &mut impl FnMut(u32, bool)) {
        assert_eq!(
            (before.step, before.visits, before.total),
            (after.step, after.visits, after.total)
        );
        let Some(below) = &before.below else { return };
        see(before.visits, after.below.is_some());
        for (b, a) in below.iter().zip(after.below.iter().flatten()) {
            compare(b, a, see);
        }
    }
}
