//! What a thread has found out about edges and not yet told the others.
//!
//! All threads pass the edges near the root. If each wrote them in every iteration, each would find
//! them in another's cache, with all that lies beside them. So a thread adds its rewards up, and
//! tells them when they are a small share of what the edge knows. Its own it sees at once: else it
//! would go the same way again until it tells, and all threads go that way together.

use crate::tree::Tree;
use std::sync::atomic::Ordering::Relaxed;

/// A thread keeps at most one in so many visits of an edge to itself. On 16 threads this is faster
/// than 256 by 4% to 8%; 32 is no faster (`docs/techniques/threads.md`).
const SHARE: u32 = 64;
/// And at most so many, so that a report while the search goes on misses little.
const MOST: u32 = 1024;
/// From so many visits on it keeps any: more than one.
const LEAST: u32 = 2 * SHARE;
/// For so many edges at once: 16 KiB, half of a small first-level cache.
const EDGES: usize = 1024;

/// Visits and rewards of edges, by the number of the edge.
#[derive(Debug)]
pub(crate) struct News {
    edges: Vec<EdgeNews>,
    /// The squares of those rewards, where the tree keeps them.
    squares: Vec<i64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct EdgeNews {
    edge: u32,
    visits: u32,
    total: i64,
}

impl News {
    /// For a thread that shares this tree with others.
    pub(crate) fn shared(tree: &Tree) -> News {
        let squares = if tree.squares.is_kept() { EDGES } else { 0 };
        News { edges: vec![EdgeNews::default(); EDGES], squares: vec![0; squares] }
    }

    /// For a thread that has the tree for itself: there is nobody to tell.
    pub(crate) fn alone() -> News {
        News { edges: Vec::new(), squares: Vec::new() }
    }

    /// Whether those of an edge with so many visits are kept for a while.
    #[inline(always)]
    pub(crate) fn are_kept(visits: u32) -> bool {
        visits >= LEAST
    }

    /// Notes a visit and its reward.
    #[inline(always)]
    pub(crate) fn add(&mut self, tree: &Tree, edge: u32, reward: i64) {
        let index = self.make_room(tree, edge);
        let news = &mut self.edges[index];
        news.visits += 1;
        news.total += reward;
        if news.visits >= (tree.edge(edge).visits() / SHARE).min(MOST) {
            self.tell_one(tree, index);
        }
    }

    /// Notes the square of a reward, before its visit is noted.
    #[inline(always)]
    pub(crate) fn add_square(&mut self, tree: &Tree, edge: u32, square: i64) {
        let index = self.make_room(tree, edge);
        self.squares[index] += square;
    }

    /// Where the edge's news are, once another's have made room for them.
    #[inline(always)]
    fn make_room(&mut self, tree: &Tree, edge: u32) -> usize {
        let index = edge as usize % EDGES;
        if self.edges[index].edge != edge {
            self.tell_one(tree, index);
            self.edges[index].edge = edge;
        }
        index
    }

    /// Visits of an edge and their total that the others do not know.
    #[inline(always)]
    pub(crate) fn of(&self, edge: u32) -> (u32, i64) {
        let news = &self.edges[edge as usize % EDGES];
        if news.edge == edge { (news.visits, news.total) } else { (0, 0) }
    }

    /// The squares of rewards of an edge that the others do not know.
    #[inline(always)]
    pub(crate) fn squares_of(&self, edge: u32) -> i64 {
        let index = edge as usize % EDGES;
        if self.edges[index].edge == edge { self.squares[index] } else { 0 }
    }

    /// Tells everything.
    pub(crate) fn tell(&mut self, tree: &Tree) {
        (0..self.edges.len()).for_each(|index| self.tell_one(tree, index));
    }

    fn tell_one(&mut self, tree: &Tree, index: usize) {
        let news = &mut self.edges[index];
        if news.visits > 0 {
            let edge = tree.edge(news.edge);
            edge.visits_cell().fetch_add(news.visits, Relaxed);
            edge.total_cell().fetch_add(news.total, Relaxed);
            (news.visits, news.total) = (0, 0);
        }
        let squares = self.squares.get_mut(index).map_or(0, std::mem::take);
        if squares != 0
            && let Some(node) = tree.node(news.edge)
        {
            tree.squares.cell(node).fetch_add(squares, Relaxed);
        }
    }
}
