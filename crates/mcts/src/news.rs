//! What a thread has found out about edges and not yet told the others.
//!
//! All threads pass the edges near the root. If each wrote them in every iteration, each would find
//! them in another's cache, with all that lies beside them. So a thread adds its rewards up, and
//! tells them when they are a small share of what the edge knows.

use crate::tree::Tree;
use std::sync::atomic::Ordering::Relaxed;

/// A thread keeps at most one in so many visits of an edge to itself. On 16 threads a smaller number
/// made iterations faster by some percent, and the tree thinner by as much.
const SHARE: u32 = 256;
/// And at most so many.
const MOST: u32 = 64;
/// From so many visits on it keeps any: more than one.
const LEAST: u32 = 2 * SHARE;
/// For so many edges at once.
const EDGES: usize = 256;

/// Visits and rewards of edges, by the number of the edge.
#[derive(Debug)]
pub(crate) struct News {
    edges: Vec<EdgeNews>,
}

#[derive(Clone, Copy, Debug, Default)]
struct EdgeNews {
    edge: u32,
    visits: u32,
    total: i64,
}

impl News {
    /// For a thread that shares its tree with others.
    pub(crate) fn shared() -> News {
        News { edges: vec![EdgeNews::default(); EDGES] }
    }

    /// For a thread that has the tree for itself: there is nobody to tell.
    pub(crate) fn alone() -> News {
        News { edges: Vec::new() }
    }

    /// Whether those of an edge with so many visits are kept for a while.
    #[inline(always)]
    pub(crate) fn are_kept(visits: u32) -> bool {
        visits >= LEAST
    }

    /// Notes a visit and its reward.
    #[inline(always)]
    pub(crate) fn add(&mut self, tree: &Tree, edge: u32, reward: i64) {
        let news = &mut self.edges[edge as usize % EDGES];
        if news.edge != edge {
            news.tell(tree);
            news.edge = edge;
        }
        news.visits += 1;
        news.total += reward;
        if news.visits >= (tree.edge(edge).visits() / SHARE).min(MOST) {
            news.tell(tree);
        }
    }

    /// Tells everything.
    pub(crate) fn tell(&mut self, tree: &Tree) {
        self.edges.iter_mut().for_each(|news| news.tell(tree));
    }
}

impl EdgeNews {
    fn tell(&mut self, tree: &Tree) {
        if self.visits > 0 {
            let edge = tree.edge(self.edge);
            edge.visits_cell().fetch_add(self.visits, Relaxed);
            edge.total_cell().fetch_add(self.total, Relaxed);
            (self.visits, self.total) = (0, 0);
        }
    }
}
