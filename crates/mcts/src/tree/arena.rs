//! The memory of a tree: records of nodes and edges, and how far they are claimed.

use super::edge::{Edge, Node};
use super::zeroed::Zeroed;
use crate::padded::Padded;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// There is room for one node to so many edges: less than the games worth a large tree branch, so
/// that edges run out first and little lies idle.
pub(super) const EDGES_A_NODE: usize = 8;
/// The same where nodes list few of their edges at first.
pub(super) const LISTED_EDGES_A_NODE: usize = 6;

/// The records.
#[derive(Debug)]
pub(super) struct Arena {
    pub(super) edges: Zeroed<Edge>,
    pub(super) nodes: Zeroed<Node>,
    /// Whether nodes list few of their edges at first and the others later. These take so much
    /// room in one place that it is not given to the first edges of other nodes.
    pub(super) keeps_large: bool,
    /// How far room is claimed, nodes in the high half, edges in the low half: both at once, so
    /// that they keep one order.
    top: Padded<AtomicU64>,
}

impl Arena {
    /// Room for so many nodes and edges.
    pub(super) fn new((nodes, edges): (usize, usize), keeps_large: bool) -> Arena {
        let (edges, nodes) = (Zeroed::new(edges), Zeroed::new(nodes));
        Arena { edges, nodes, keeps_large, top: Padded::default() }
    }

    /// Room for so many nodes and edges that nobody has used yet: the first of each.
    pub(super) fn claim(&self, nodes: usize, edges: usize) -> Option<(u32, u32)> {
        let mut top = self.top.load(Relaxed);
        loop {
            let (node, edge) = ((top >> 32) as usize, top as u32 as usize);
            if node + nodes > self.nodes.len() || edge + edges > self.edges.len() {
                return None;
            }
            let more = top + ((nodes as u64) << 32) + edges as u64;
            match self.top.compare_exchange_weak(top, more, Relaxed, Relaxed) {
                Ok(_) => return Some((node as u32, edge as u32)),
                Err(now) => top = now,
            }
        }
    }

    /// How many edges there is room for to each node.
    pub(super) fn edges_a_node(&self) -> usize {
        self.edges.len() / self.nodes.len()
    }

    /// How many nodes have been claimed, used or not.
    pub(super) fn claimed_nodes(&self) -> usize {
        (self.top.load(Relaxed) >> 32) as usize
    }

    /// How many edges have been.
    pub(super) fn claimed_edges(&self) -> usize {
        self.top.load(Relaxed) as u32 as usize
    }

    pub(super) fn nodes_left(&self) -> usize {
        self.nodes.len() - self.claimed_nodes()
    }

    #[inline(always)]
    pub(super) fn edges_left(&self) -> usize {
        self.edges.len() - self.claimed_edges()
    }

    /// Just so many nodes and edges are claimed.
    pub(super) fn set_claimed(&self, nodes: usize, edges: usize) {
        self.top.store((nodes as u64) << 32 | edges as u64, Relaxed);
    }
}
