//! The tree: an arena of edges and nodes under a hard memory limit.
//!
//! An **edge** is a step out of a node with its statistics, for the side that plays it (for an
//! event: the side whose move left it to chance). A **node** is a state whose steps are listed; its
//! edges lie side by side in generation order. Where moves are explored by priors it lists few at
//! first and the others when they are wanted (`extensions.rs`). Edge 0 is the root edge: it leads
//! to the root. Several edges may lead to one node (see [`crate::graph`]). No states are stored.
//!
//! A thread takes room for its nodes from a stock of its own. Where memory is full, nodes with
//! few visits make way for new ones (`recycle.rs`). In a graph they stay until the search is over,
//! and are then slid together (`room.rs`), for which nodes and their edges lie in one order.
//!
//! All fields are atomics, so that threads can share the tree. What a node's creator wrote is
//! visible to whoever finds the node, since the link is stored with release and loaded with acquire
//! order; statistics are relaxed.

mod arena;
pub(crate) mod cell;
mod column;
pub(crate) mod columns;
mod edge;
mod extensions;
pub(crate) mod hand;
mod joints;
pub(crate) mod listed;
mod recycle;
mod room;
pub(crate) mod stock;
mod table;
mod zeroed;

pub use edge::Edge;

use crate::padded::Padded;
use arena::{Arena, EDGES_A_NODE, LISTED_EDGES_A_NODE};
use column::Column;
use columns::{Columns, Needs};
pub(crate) use edge::trace;
use edge::{BUSY, Extension, GONE, NO_NODE, Node};
use extensions::{Extensions, Others};
use hand::Hand;
use joints::Joints;
use listed::Listed;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicBool, AtomicI64, AtomicIsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use stock::Stock;

/// The root edge.
pub(crate) const ROOT: u32 = 0;

/// A line of a processor's cache holds so many edges, rounded up.
const EDGES_A_LINE: u32 = 3;

/// The tree.
#[derive(Debug)]
pub struct Tree {
    arena: Arena,
    needs: Needs,
    /// Statistics of edges that only some techniques need.
    pub(crate) columns: Columns,
    /// The squares of the rewards of every node, where a technique needs them.
    pub(crate) squares: Column<AtomicI64>,
    /// What a graph keeps of its nodes.
    pub(crate) joints: Joints,
    /// What nodes have listed later.
    extensions: Extensions,
    /// How many nodes and edges there are, as far as threads have told.
    used: Padded<[AtomicIsize; 2]>,
    hand: Mutex<Hand>,
    /// Whether any node was given up for others.
    is_recycled: AtomicBool,
    /// Stocks that no thread has at the moment.
    stocks: Mutex<Vec<Stock>>,
}

impl Tree {
    /// A tree that takes at most `memory` bytes, with an untried root edge and no more than plain
    /// UCT needs. Memory is only claimed from the system as the tree grows into it.
    pub fn new(memory: usize) -> Tree {
        Tree::with(memory, Needs::default())
    }

    /// The same with the statistics that techniques need.
    pub(crate) fn with(memory: usize, needs: Needs) -> Tree {
        let a_node = if needs.extensions { LISTED_EDGES_A_NODE } else { EDGES_A_NODE };
        let unit = a_node * bytes_an_edge(needs) + bytes_a_node(needs);
        // Links have 32 bits; the highest values lead to no node.
        let nodes = (memory / unit).clamp(1, (GONE as usize) / a_node - 1);
        let edges = nodes * a_node;
        let tree = Tree {
            arena: Arena::new((nodes, edges), needs.extensions),
            needs,
            columns: Columns::new(needs, edges),
            squares: Column::new(needs.squares, nodes),
            joints: Joints::new(needs, nodes),
            extensions: Extensions::new(needs.extensions, nodes),
            used: Padded::default(),
            hand: Mutex::default(),
            is_recycled: AtomicBool::new(false),
            stocks: Mutex::default(),
        };
        tree.clear();
        tree
    }

    /// Forgets everything.
    pub fn clear(&self) {
        if self.arena.claimed_nodes() > 0 {
            self.joints.forget();
        }
        for node in &self.arena.nodes[..self.arena.claimed_nodes()] {
            node.set_edge_above(None);
            node.tried.store(0, Relaxed);
        }
        self.arena.edges[ROOT as usize].reset(0);
        self.columns.reset(ROOT, 1);
        lock(&self.stocks).clear();
        *lock(&self.hand) = Hand::default();
        self.is_recycled.store(false, Relaxed);
        self.set_top(0, 1);
    }

    /// Counts a visit of the root that brings no reward.
    pub(crate) fn visit_root(&self) {
        let root = &self.arena.edges[ROOT as usize];
        root.visits_cell().store(root.visits() + 1, Relaxed);
    }

    /// The bytes in use.
    pub fn bytes(&self) -> usize {
        self.node_count() * bytes_a_node(self.needs) + self.edge_count() * bytes_an_edge(self.needs)
    }

    /// The most bytes it may take.
    pub fn limit(&self) -> usize {
        self.arena.edges.len() * bytes_an_edge(self.needs)
            + self.arena.nodes.len() * bytes_a_node(self.needs)
    }

    /// Whether several edges may lead to one node.
    #[inline(always)]
    pub(crate) fn is_graph(&self) -> bool {
        self.joints.are_kept()
    }

    /// How full it is, in 0..1: full is when either nodes or edges run out.
    pub fn fullness(&self) -> f64 {
        let share = |used: usize, all: usize| used as f64 / all as f64;
        share(self.node_count(), self.arena.nodes.len())
            .max(share(self.edge_count(), self.arena.edges.len()))
    }

    /// How many nodes there are. While threads search, some may not be counted yet.
    pub fn node_count(&self) -> usize {
        self.used[0].load(Relaxed).max(0) as usize
    }

    /// How many edges there are, the root edge included.
    pub fn edge_count(&self) -> usize {
        self.used[1].load(Relaxed).max(1) as usize
    }

    /// Whether an edge may give way to another, since memory is or was full.
    #[inline(always)]
    pub(crate) fn is_recycled(&self) -> bool {
        self.is_recycled.load(Relaxed)
    }

    /// A stock for a thread; it comes back by [`Tree::put_back`].
    pub(crate) fn take_stock(&self) -> Stock {
        lock(&self.stocks).pop().unwrap_or_default()
    }

    /// Keeps a stock for the next search.
    pub(crate) fn put_back(&self, mut stock: Stock) {
        self.settle(&mut stock);
        lock(&self.stocks).push(stock);
    }

    /// Counts what was made with the stock since the last time.
    pub(crate) fn settle(&self, stock: &mut Stock) {
        let (nodes, edges) = stock.settle();
        self.used[0].fetch_add(nodes, Relaxed);
        self.used[1].fetch_add(edges, Relaxed);
    }

    #[inline(always)]
    pub(crate) fn edge(&self, index: u32) -> &Edge {
        &self.arena.edges[index as usize]
    }

    /// The node that an edge leads to, if there is one.
    #[inline(always)]
    pub(crate) fn node(&self, edge: u32) -> Option<u32> {
        let link = self.edge(edge).link.load(Acquire);
        (link < GONE).then_some(link)
    }

    /// The index of a node's first edge, and its edges.
    #[inline(always)]
    pub(crate) fn edges(&self, node: u32) -> (u32, &[Edge]) {
        let node = &self.arena.nodes[node as usize];
        let first = node.first.load(Relaxed);
        let count = node.count.load(Relaxed);
        (first, &self.arena.edges[first as usize..(first + count) as usize])
    }

    /// The edges of a node that are listed.
    #[inline(always)]
    pub(crate) fn listed(&self, node: u32) -> Listed<'_> {
        let own = self.edges(node);
        match self.extensions.others(node) {
            Others::None => Listed::new([own, (0, &[])], true),
            Others::Unlisted => Listed::new([own, (0, &[])], false),
            Others::Listed(first, count) => {
                Listed::new([own, (first, self.edges_from(first, count))], true)
            }
        }
    }

    /// The listed edges under an edge; none where it leads to no node.
    pub(crate) fn listed_under(&self, edge: u32) -> Listed<'_> {
        self.node(edge).map_or(Listed::NONE, |node| self.listed(node))
    }

    /// So many edges from an edge on.
    #[inline(always)]
    pub(crate) fn edges_from(&self, first: u32, count: usize) -> &[Edge] {
        &self.arena.edges[first as usize..first as usize + count]
    }

    /// The edges under an edge; empty where it leads to no node.
    pub(crate) fn edges_under(&self, edge: u32) -> (u32, &[Edge]) {
        self.node(edge).map_or((0, &[]), |node| self.edges(node))
    }

    /// Asks for the first edges under an edge to be at hand soon. The selection is about to look at
    /// them, and in a large tree that is what it waits for.
    #[inline(always)]
    pub(crate) fn prefetch_under(&self, edge: u32) {
        if let Some(node) = self.node(edge) {
            self.extensions.prefetch(node);
            let node = &self.arena.nodes[node as usize];
            let first = node.first.load(Relaxed);
            self.arena.edges.prefetch(first);
            self.arena.edges.prefetch(first + EDGES_A_LINE);
            self.columns.share.prefetch(first);
        }
    }

    /// Notes that the node is visited.
    #[inline(always)]
    pub(crate) fn touch(&self, node: u32) {
        let node = &self.arena.nodes[node as usize];
        // Most are not due, and need not be written.
        if node.age() != 0 {
            node.set_age(0);
        }
    }

    /// How many visits of the edge that leads to a node its own edges know nothing of, because it
    /// was given up and made anew. Selection counts those since: the exploration of all the others
    /// would be far too wide for what is known here.
    #[inline(always)]
    pub(crate) fn forgotten(&self, node: u32) -> u32 {
        self.arena.nodes[node as usize].forgotten()
    }

    /// Notes them of a node that nobody can see yet.
    pub(crate) fn forget(&self, node: u32, visits: u32) {
        self.arena.nodes[node as usize].start_with_forgotten(visits);
    }

    /// How many of the node's edges, as they were found listed, have been tried, or are being
    /// tried: the first so many.
    #[inline(always)]
    pub(crate) fn tried(&self, node: u32, edges: Listed<'_>) -> usize {
        let tried = self.arena.nodes[node as usize].tried.load(Relaxed) as usize;
        tried.min(edges.len())
    }

    /// The next untried edge of the node, which now counts as tried.
    #[inline(always)]
    pub(crate) fn try_next(&self, node: u32) -> Option<u32> {
        let (edges, tried) = (self.listed(node), &self.arena.nodes[node as usize].tried);
        // Never more than there are: others may be listed later, and those count on.
        let next = |tried: u32| ((tried as usize) < edges.len()).then_some(tried + 1);
        let next = tried.try_update(Relaxed, Relaxed, next).ok()?;
        Some(edges.number(next as usize))
    }

    /// Whether the node has edges that are not listed, and is to list them before it tries another:
    /// the last one that is listed says how likely the next one is.
    #[inline(always)]
    pub(crate) fn is_to_be_extended(&self, node: u32) -> bool {
        let edges = self.listed(node);
        !edges.is_whole() && self.tried(node, edges) + 1 >= edges.len()
    }

    /// Makes a node with these steps under an edge that has none, with room from the stock. `None`
    /// when the memory is full or another thread is at it; then the caller goes on without. Before
    /// anybody can see the node, `fill` gets its number and that of its first edge, to write what
    /// else is kept of them.
    #[inline(always)]
    pub(crate) fn grow(
        &self,
        edge: u32,
        steps: impl ExactSizeIterator<Item = u32>,
        stock: &mut Stock,
        fill: impl FnOnce(u32, u32),
    ) -> Option<u32> {
        let link = &self.edge(edge).link;
        let before = link.load(Relaxed);
        if before < GONE || before == BUSY {
            return None;
        }
        link.compare_exchange(before, BUSY, AcqRel, Acquire).ok()?;
        let Some((number, first)) = stock.take(&self.arena, steps.len()) else {
            link.store(before, Relaxed);
            return None;
        };
        let node = &self.arena.nodes[number as usize];
        node.first.store(first, Relaxed);
        node.count.store(steps.len() as u32, Relaxed);
        node.tried.store(0, Relaxed);
        // What was there before may have been old.
        node.start_with_forgotten(0);
        self.extensions.start_whole(number);
        self.reset_edges(first, steps);
        fill(number, first);
        link.store(number, Release);
        // Only now may the node be given up again.
        node.set_edge_above(Some(edge));
        Some(number)
    }

    /// What is left of the most visited reply to an edge whose node was given up, see [`trace`].
    pub(crate) fn reply_before(&self, edge: u32) -> Option<u16> {
        let link = self.edge(edge).link.load(Relaxed);
        (GONE..BUSY).contains(&link).then(|| (link - GONE) as u16)
    }

    /// Lets the first edge of a node that nobody can see yet count as tried once, with that reward.
    pub(crate) fn start_tried(&self, node: u32, first: u32, reward: i64) {
        self.edge(first).visits_cell().store(1, Relaxed);
        self.edge(first).total_cell().store(reward, Relaxed);
        self.arena.nodes[node as usize].tried.store(1, Relaxed);
    }

    /// Notes of a node that nobody can see yet that it has other edges, which are not listed.
    pub(crate) fn leave_short(&self, node: u32) {
        self.extensions.start_short(node);
    }

    /// Lists the other steps of a node that was left short, with room from the stock; `fill` gets
    /// the number of the first edge. `None` when the memory is full or another thread is at it;
    /// then the caller goes on without.
    pub(crate) fn extend(
        &self,
        node: u32,
        steps: impl ExactSizeIterator<Item = u32>,
        stock: &mut Stock,
        fill: impl FnOnce(u32),
    ) -> Option<()> {
        if !self.extensions.begin(node) {
            return None;
        }
        let count = steps.len();
        let Some((number, first)) = stock.take_more(&self.arena, count) else {
            self.extensions.give_up(node);
            return None;
        };
        let holder = &self.arena.nodes[number as usize];
        holder.first.store(first, Relaxed);
        holder.count.store(count as u32, Relaxed);
        holder.set_edge_above(None);
        self.reset_edges(first, steps);
        fill(first);
        if !self.extensions.end(node, number, (first, count)) {
            stock.take_back(&self.arena, number, count);
            return None;
        }
        Some(())
    }

    #[inline(always)]
    fn reset_edges(&self, first: u32, steps: impl ExactSizeIterator<Item = u32>) {
        self.columns.reset(first, steps.len());
        for (edge, step) in self.arena.edges[first as usize..].iter().zip(steps) {
            edge.reset(step);
        }
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

    /// All nodes and edges up to there are in use.
    fn set_top(&self, nodes: usize, edges: usize) {
        self.arena.set_claimed(nodes, edges);
        self.used[0].store(nodes as isize, Relaxed);
        self.used[1].store(edges as isize, Relaxed);
    }
}

/// Nobody panics while holding these locks; should it happen, what they guard is still whole.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn bytes_an_edge(needs: Needs) -> usize {
    size_of::<Edge>() + needs.bytes_an_edge()
}

fn bytes_a_node(needs: Needs) -> usize {
    let extension = if needs.extensions { size_of::<Extension>() } else { 0 };
    let squares = if needs.squares { size_of::<AtomicI64>() } else { 0 };
    size_of::<Node>() + Joints::bytes_a_node(needs) + extension + squares
}
