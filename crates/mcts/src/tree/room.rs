//! Keeping the subtree of what was played, and making room.
//!
//! [`Tree::advance`] only moves the root: what is no longer reachable stays where it is. When room is
//! short, [`Tree::make_room`] slides what is still reachable together, in place, least visited nodes left
//! out if it is too much. Both need the tree for themselves.

use super::{BUSY, Edge, NO_NODE, Node, ROOT, Tree};
use std::sync::atomic::Ordering::Relaxed;

/// The mark of a node that goes nowhere.
const DROPPED: u32 = u32::MAX;

impl Tree {
    /// Makes the edge with that step under the root the new root edge and keeps what is below it. Clears the
    /// tree where there is none. Returns whether anything was kept.
    pub fn advance(&mut self, step: u32) -> bool {
        let (first, edges) = self.edges_under(ROOT);
        match edges.iter().position(|edge| edge.step() == step) {
            Some(index) if self.node(first + index as u32).is_some() => {
                self.edge(ROOT).copy_from(self.edge(first + index as u32));
                true
            }
            _ => {
                self.clear();
                false
            }
        }
    }

    /// Sees to it that at least half of the memory is free: nothing happens if it is; else what cannot be
    /// reached any more goes, and then nodes with few visits, as many as it takes.
    pub fn make_room(&mut self) {
        let keep = self.edges.len() / 2;
        let keep_nodes = self.nodes.len() / 2;
        if self.edge_count() <= keep && self.node_count() <= keep_nodes {
            return;
        }
        let least = self.least_visits(keep.min(keep_nodes));
        for node in &self.nodes[..self.node_count()] {
            node.moves_to.store(DROPPED, Relaxed);
        }
        self.for_reachable(least, |node, _| node.moves_to.store(0, Relaxed));
        self.number();
        self.relink();
        self.slide();
    }

    /// The least visits with which a node can stay so that at most `keep` edges stay. Descendants never
    /// have more visits than their ancestors, so what stays is a tree.
    fn least_visits(&self, keep: usize) -> u32 {
        // Class i holds the edges of nodes with visits of i bits.
        let mut classes = [0usize; 33];
        self.for_reachable(0, |node, visits| {
            classes[(32 - visits.leading_zeros()) as usize] +=
                1 + node.count.load(Relaxed) as usize;
        });
        let mut kept = 0;
        for bits in (0..33).rev() {
            kept += classes[bits];
            if kept > keep {
                return u32::try_from(1u64 << bits).unwrap_or(u32::MAX);
            }
        }
        0
    }

    /// Calls `visit` with every reachable node that has at least `least` visits, and its visits.
    fn for_reachable(&self, least: u32, mut visit: impl FnMut(&Node, u32)) {
        let mut open: Vec<u32> = vec![ROOT];
        while let Some(edge) = open.pop() {
            let visits = self.edge(edge).visits();
            let Some(node) = self.node(edge).filter(|_| visits >= least) else { continue };
            visit(&self.nodes[node as usize], visits);
            let (first, edges) = self.edges(node);
            open.extend((first..first + edges.len() as u32).filter(|&e| self.node(e).is_some()));
        }
    }

    /// Gives the nodes that stay their new numbers, in the old order.
    fn number(&self) {
        let mut next = 0;
        for node in &self.nodes[..self.node_count()] {
            if node.moves_to.load(Relaxed) != DROPPED {
                node.moves_to.store(next, Relaxed);
                next += 1;
            }
        }
    }

    /// Lets the edges that stay lead to the new numbers.
    fn relink(&self) {
        let relink = |edge: &Edge| {
            let link = edge.link.load(Relaxed);
            if link < BUSY {
                let to = self.nodes[link as usize].moves_to.load(Relaxed);
                edge.link.store(if to == DROPPED { NO_NODE } else { to }, Relaxed);
            }
        };
        relink(self.edge(ROOT));
        for number in 0..self.node_count() as u32 {
            if self.nodes[number as usize].moves_to.load(Relaxed) != DROPPED {
                self.edges(number).1.iter().for_each(relink);
            }
        }
    }

    /// Moves nodes and edges to the front. Nodes and their edges have one order, so nothing is overwritten
    /// before it has moved.
    fn slide(&self) {
        let (mut nodes, mut edges) = (0, 1);
        for number in 0..self.node_count() {
            let from = &self.nodes[number];
            if from.moves_to.load(Relaxed) == DROPPED {
                continue;
            }
            let first = from.first.load(Relaxed) as usize;
            let count = from.count.load(Relaxed);
            let to = &self.nodes[nodes];
            to.tried.store(from.tried.load(Relaxed), Relaxed);
            to.count.store(count, Relaxed);
            to.first.store(edges as u32, Relaxed);
            for offset in 0..count as usize {
                self.edges[edges + offset].copy_from(&self.edges[first + offset]);
            }
            nodes += 1;
            edges += count as usize;
        }
        self.set_top(nodes, edges);
    }
}
