//! The tree: an arena of edges and nodes under a hard memory limit.
//!
//! An **edge** is a step out of a node with its statistics, for the side that plays it (for an
//! event: the side whose move left it to chance). A **node** is a state whose steps are listed; its
//! edges lie side by side in generation order. Edge 0 is the root edge: it leads to the root. Nodes
//! are numbered in the order of their creation, and edges lie in the order of their nodes. Several
//! edges may lead to one node (see [`crate::graph`]). No states are stored.
//!
//! All fields are atomics, so that threads can share the tree. What a node's creator wrote is
//! visible to whoever finds the node, since the link is stored with release and loaded with acquire
//! order; statistics are relaxed.

pub(crate) mod cell;
mod column;
pub(crate) mod columns;
mod edge;
mod joints;
mod room;
mod table;
mod zeroed;

pub use edge::Edge;

use columns::{Columns, Needs};
use edge::{BUSY, NO_NODE, Node};
use joints::Joints;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

/// The root edge.
pub(crate) const ROOT: u32 = 0;
/// The arena has room for one node to so many edges: less than the games worth a large tree branch,
/// so that edges run out first and little lies idle.
const EDGES_A_NODE: usize = 8;

/// The arena.
#[derive(Debug)]
pub struct Tree {
    edges: Box<[Edge]>,
    nodes: Box<[Node]>,
    needs: Needs,
    /// Statistics of edges that only some techniques need.
    pub(crate) columns: Columns,
    /// What a graph keeps of its nodes.
    pub(crate) joints: Joints,
    /// Nodes in the high half, edges in the low half: both grow at once, so that they keep one
    /// order.
    top: AtomicU64,
}

impl Tree {
    /// A tree that takes at most `memory` bytes, with an untried root edge and no more than plain
    /// UCT needs. Memory is only claimed from the system as the tree grows into it.
    pub fn new(memory: usize) -> Tree {
        Tree::with(memory, Needs::default())
    }

    /// The same with the statistics that techniques need.
    pub(crate) fn with(memory: usize, needs: Needs) -> Tree {
        let unit = EDGES_A_NODE * bytes_an_edge(needs) + bytes_a_node(needs);
        // Links have 32 bits, two of whose values are taken.
        let nodes = (memory / unit).clamp(1, (BUSY as usize) / EDGES_A_NODE - 1);
        let tree = Tree {
            edges: zeroed::slice(nodes * EDGES_A_NODE),
            nodes: zeroed::slice(nodes),
            needs,
            columns: Columns::new(needs, nodes * EDGES_A_NODE),
            joints: Joints::new(needs, nodes),
            top: AtomicU64::new(0),
        };
        tree.clear();
        tree
    }

    /// Forgets everything.
    pub fn clear(&self) {
        if self.node_count() > 0 {
            self.joints.forget();
        }
        self.edges[ROOT as usize].reset(0);
        self.columns.reset(ROOT, 1);
        self.set_top(0, 1);
    }

    /// The bytes in use.
    pub fn bytes(&self) -> usize {
        self.node_count() * bytes_a_node(self.needs) + self.edge_count() * bytes_an_edge(self.needs)
    }

    /// The most bytes it may take.
    pub fn limit(&self) -> usize {
        self.edges.len() * bytes_an_edge(self.needs) + self.nodes.len() * bytes_a_node(self.needs)
    }

    /// Whether several edges may lead to one node.
    #[inline(always)]
    pub(crate) fn is_graph(&self) -> bool {
        self.joints.are_kept()
    }

    /// How full it is, in 0..1: full is when either nodes or edges run out.
    pub fn fullness(&self) -> f64 {
        let share = |used: usize, all: usize| used as f64 / all as f64;
        share(self.node_count(), self.nodes.len()).max(share(self.edge_count(), self.edges.len()))
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        (self.top.load(Relaxed) >> 32) as usize
    }

    /// How many edges there are, the root edge included.
    pub fn edge_count(&self) -> usize {
        (self.top.load(Relaxed) as u32) as usize
    }

    #[inline(always)]
    pub(crate) fn edge(&self, index: u32) -> &Edge {
        &self.edges[index as usize]
    }

    /// The node that an edge leads to, if there is one.
    #[inline(always)]
    pub(crate) fn node(&self, edge: u32) -> Option<u32> {
        let link = self.edge(edge).link.load(Acquire);
        (link < BUSY).then_some(link)
    }

    /// The index of a node's first edge, and its edges.
    #[inline(always)]
    pub(crate) fn edges(&self, node: u32) -> (u32, &[Edge]) {
        let node = &self.nodes[node as usize];
        let first = node.first.load(Relaxed);
        let count = node.count.load(Relaxed);
        (first, &self.edges[first as usize..(first + count) as usize])
    }

    /// So many edges from an edge on.
    #[inline(always)]
    pub(crate) fn edges_from(&self, first: u32, count: usize) -> &[Edge] {
        &self.edges[first as usize..first as usize + count]
    }

    /// The edges under an edge; empty where it leads to no node.
    pub(crate) fn edges_under(&self, edge: u32) -> (u32, &[Edge]) {
        self.node(edge).map_or((0, &[]), |node| self.edges(node))
    }

    /// How many of the node's edges have been tried, or are being tried: the first so many.
    #[inline(always)]
    pub(crate) fn tried(&self, node: u32) -> usize {
        let node = &self.nodes[node as usize];
        node.tried.load(Relaxed).min(node.count.load(Relaxed)) as usize
    }

    /// The next untried edge of the node, which now counts as tried.
    #[inline(always)]
    pub(crate) fn try_next(&self, node: u32) -> Option<u32> {
        let node = &self.nodes[node as usize];
        let count = node.count.load(Relaxed);
        if node.tried.load(Relaxed) >= count {
            return None;
        }
        let next = node.tried.fetch_add(1, Relaxed);
        (next < count).then(|| node.first.load(Relaxed) + next)
    }

    /// Makes a node with these steps under an edge that has none. `None` when the memory is full or
    /// another thread is at it; then the caller goes on without. Before anybody can see the node,
    /// `fill` gets its number and that of its first edge, to write what else is kept of them.
    #[inline(always)]
    pub(crate) fn grow(
        &self,
        edge: u32,
        steps: impl ExactSizeIterator<Item = u32>,
        fill: impl FnOnce(u32, u32),
    ) -> Option<u32> {
        let link = &self.edge(edge).link;
        link.compare_exchange(NO_NODE, BUSY, AcqRel, Acquire).ok()?;
        let Some((number, first)) = self.claim(steps.len()) else {
            link.store(NO_NODE, Relaxed);
            return None;
        };
        let node = &self.nodes[number as usize];
        node.first.store(first, Relaxed);
        node.count.store(steps.len() as u32, Relaxed);
        node.tried.store(0, Relaxed);
        self.columns.reset(first, steps.len());
        for (edge, step) in self.edges[first as usize..].iter().zip(steps) {
            edge.reset(step);
        }
        fill(number, first);
        link.store(number, Release);
        Some(number)
    }

    /// Lets an edge that leads to no node lead to this one. Returns whether it does so now for the
    /// first time.
    pub(crate) fn link(&self, edge: u32, node: u32) -> bool {
        self.edge(edge).link.compare_exchange(NO_NODE, node, AcqRel, Acquire).is_ok()
    }

    /// Whether the node has just these steps.
    pub(crate) fn has_steps(&self, node: u32, steps: &[u32]) -> bool {
        let (_, edges) = self.edges(node);
        edges.len() == steps.len()
            && edges.iter().zip(steps).all(|(edge, &step)| edge.step() == step)
    }

    /// Room for one node and `count` edges.
    fn claim(&self, count: usize) -> Option<(u32, u32)> {
        let mut top = self.top.load(Relaxed);
        loop {
            let (nodes, edges) = ((top >> 32) as usize, top as u32 as usize);
            if nodes == self.nodes.len() || edges + count > self.edges.len() {
                return None;
            }
            let more = top + (1 << 32) + count as u64;
            match self.top.compare_exchange_weak(top, more, Relaxed, Relaxed) {
                Ok(_) => return Some((nodes as u32, edges as u32)),
                Err(now) => top = now,
            }
        }
    }

    fn set_top(&self, nodes: usize, edges: usize) {
        self.top.store((nodes as u64) << 32 | edges as u64, Relaxed);
    }
}

fn bytes_an_edge(needs: Needs) -> usize {
    size_of::<Edge>() + needs.bytes_an_edge()
}

fn bytes_a_node(needs: Needs) -> usize {
    size_of::<Node>() + Joints::bytes_a_node(needs)
}
