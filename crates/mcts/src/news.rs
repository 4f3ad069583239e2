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

    /// Visits of an edge and their total that the others do not know.
    #[inline(always)]
    pub(crate) fn of(&self, edge: u32) -> (u32, i64) {
        let news = &self.edges[edge as usize % EDGES];
        if news.edge == edge { (news.visits, news.total) } else { (0, 0) }
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
