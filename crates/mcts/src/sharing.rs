//! The two ways of keeping statistics: alone and shared.

use crate::news::News;
use crate::path::{Counted, Visit};
use crate::reward::ONE;
use crate::tree::{Edge, Tree};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering::Relaxed};

/// How edges are updated.
pub(crate) trait Sharing {
    /// An iteration enters the edge, given with its number. Returns its visits before, and when
    /// this one is counted.
    fn enter(edge: (&Edge, u32), news: &News) -> (u32, Counted);
    /// The visits and the total of an edge, given with its number, as far as the thread knows.
    fn statistics(edge: (&Edge, u32), news: &News) -> (u32, i64);
    /// An iteration that entered the edge leaves it with a reward.
    fn leave(tree: &Tree, visit: Visit, reward: i64, news: &mut News);
    /// The same in a graph, where a total is no sum of rewards; see [`crate::graph`].
    fn enter_joint(edge: &Edge) -> (u32, Counted);
    /// Counts the visit of an iteration that leaves, if that was not done on entering.
    fn count(edge: &Edge);
    /// An iteration that entered the edge goes back over it: it was no visit.
    fn withdraw(edge: &Edge, counted: Counted);
    /// The same in a graph.
    fn retreat(edge: &Edge);
    /// Counts one more of something.
    fn increment(counter: &AtomicU32);
    /// Adds to a sum.
    fn add(sum: &AtomicI64, more: i64);
    /// The same with the square of the reward with which an iteration will leave the edge, which
    /// leads to that node.
    fn add_square(tree: &Tree, visit: (&Visit, u32), square: i64, news: &mut News);
    /// The squares of the rewards of a node, given with the edge that leads there, as far as the
    /// thread knows.
    fn squares(tree: &Tree, node: (u32, u32), news: &News) -> i64;
}

/// One thread has the tree for itself: plain loads and stores, and nothing happens on entering, so
/// that the visits of a node during selection are those of earlier iterations, as the formulas mean
/// them.
pub(crate) struct Alone;

impl Sharing for Alone {
    #[inline(always)]
    fn enter((edge, _): (&Edge, u32), _: &News) -> (u32, Counted) {
        (edge.visits(), Counted::OnLeaving)
    }
    #[inline(always)]
    fn statistics((edge, _): (&Edge, u32), _: &News) -> (u32, i64) {
        (edge.visits(), edge.total())
    }
    #[inline(always)]
    fn leave(tree: &Tree, visit: Visit, reward: i64, _: &mut News) {
        let edge = tree.edge(visit.edge);
        edge.visits_cell().store(edge.visits() + 1, Relaxed);
        edge.total_cell().store(edge.total() + reward, Relaxed);
    }
    #[inline(always)]
    fn enter_joint(edge: &Edge) -> (u32, Counted) {
        (edge.visits(), Counted::OnLeaving)
    }
    #[inline(always)]
    fn count(edge: &Edge) {
        edge.visits_cell().store(edge.visits() + 1, Relaxed);
    }
    #[inline(always)]
    fn withdraw(_: &Edge, _: Counted) {}
    #[inline(always)]
    fn retreat(_: &Edge) {}
    #[inline(always)]
    fn increment(counter: &AtomicU32) {
        counter.store(counter.load(Relaxed) + 1, Relaxed);
    }
    #[inline(always)]
    fn add(sum: &AtomicI64, more: i64) {
        sum.store(sum.load(Relaxed) + more, Relaxed);
    }
    #[inline(always)]
    fn add_square(tree: &Tree, (_, node): (&Visit, u32), square: i64, _: &mut News) {
        Alone::add(tree.squares.cell(node), square);
    }
    #[inline(always)]
    fn squares(tree: &Tree, (node, _): (u32, u32), _: &News) -> i64 {
        tree.squares.get(node)
    }
}

/// Threads share the tree: on entering, the edge counts as visited with a little less than its
/// mean, so that other threads spread out; on leaving, that is taken back. Where an edge has been
/// visited so often that this changes nothing, the thread keeps its [`News`] of it for a while
/// instead: else all threads would write the topmost edges in every iteration, and wait for each
/// other.
pub(crate) struct SharedTree;

/// How much less than the mean of its edge a visit counts until its reward is known. A whole loss
/// in its place drives the other threads to moves that are not worth looking at, and nothing at all
/// lets them meet in the same leaves (`docs/techniques/threads.md`).
const VIRTUAL_LOSS: i64 = 3 * ONE / 10;

/// What a visit counts until its reward is known, where an edge has so many with that total. Of an
/// edge that nobody has left nothing is known; what goes there first is looked at by one thread.
/// Between two looks at them the total may have grown by thousands of visits, where the thread had
/// to wait for a core: then it is no mean, and no reward either.
#[inline(always)]
fn virtual_reward(visits: u32, total: i64) -> i64 {
    if visits == 0 {
        return -ONE;
    }
    (total / i64::from(visits) - VIRTUAL_LOSS).clamp(-ONE, ONE - VIRTUAL_LOSS)
}

impl Sharing for SharedTree {
    #[inline(always)]
    fn enter((edge, number): (&Edge, u32), news: &News) -> (u32, Counted) {
        let visits = edge.visits();
        if News::are_kept(visits) {
            return (visits + news.of(number).0, Counted::OnLeaving);
        }
        let virtual_reward = virtual_reward(visits, edge.total());
        edge.total_cell().fetch_add(virtual_reward, Relaxed);
        (edge.visits_cell().fetch_add(1, Relaxed), Counted::OnEntering { virtual_reward })
    }
    #[inline(always)]
    fn statistics((edge, number): (&Edge, u32), news: &News) -> (u32, i64) {
        let (visits, total) = (edge.visits(), edge.total());
        if !News::are_kept(visits) {
            return (visits, total);
        }
        let own = news.of(number);
        (visits + own.0, total + own.1)
    }
    #[inline(always)]
    fn leave(tree: &Tree, visit: Visit, reward: i64, news: &mut News) {
        match visit.counted {
            Counted::OnEntering { virtual_reward } => {
                tree.edge(visit.edge).total_cell().fetch_add(reward - virtual_reward, Relaxed);
            }
            Counted::OnLeaving => news.add(tree, visit.edge, reward),
        }
    }
    #[inline(always)]
    fn enter_joint(edge: &Edge) -> (u32, Counted) {
        (edge.visits_cell().fetch_add(1, Relaxed), Counted::OnEntering { virtual_reward: 0 })
    }
    #[inline(always)]
    fn count(_: &Edge) {}
    #[inline(always)]
    fn withdraw(edge: &Edge, counted: Counted) {
        if let Counted::OnEntering { virtual_reward } = counted {
            edge.total_cell().fetch_sub(virtual_reward, Relaxed);
            edge.visits_cell().fetch_sub(1, Relaxed);
        }
    }
    #[inline(always)]
    fn retreat(edge: &Edge) {
        edge.visits_cell().fetch_sub(1, Relaxed);
    }
    #[inline(always)]
    fn increment(counter: &AtomicU32) {
        counter.fetch_add(1, Relaxed);
    }
    #[inline(always)]
    fn add(sum: &AtomicI64, more: i64) {
        sum.fetch_add(more, Relaxed);
    }
    #[inline(always)]
    fn add_square(tree: &Tree, (visit, node): (&Visit, u32), square: i64, news: &mut News) {
        match visit.counted {
            Counted::OnEntering { .. } => SharedTree::add(tree.squares.cell(node), square),
            Counted::OnLeaving => news.add_square(tree, visit.edge, square),
        }
    }
    #[inline(always)]
    fn squares(tree: &Tree, (node, edge): (u32, u32), news: &News) -> i64 {
        tree.squares.get(node) + news.squares_of(edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_on_its_way_counts_a_little_less_than_the_mean() {
        assert_eq!(virtual_reward(0, 0), -ONE);
        assert_eq!(virtual_reward(4, 2 * ONE), ONE / 2 - VIRTUAL_LOSS);
        assert_eq!(virtual_reward(1, 0), -VIRTUAL_LOSS);
        assert_eq!(virtual_reward(3, -3 * ONE), -ONE);
        // Others that are on their way add up to no more than a loss each.
        let (mut visits, mut total) = (1, ONE / 4);
        for _ in 0..100 {
            total += virtual_reward(visits, total);
            visits += 1;
        }
        assert!(total >= -ONE * i64::from(visits), "{total}");
    }

    #[test]
    fn a_total_that_others_have_added_to_meanwhile_attracts_nobody() {
        assert_eq!(virtual_reward(2, 1_000 * ONE), ONE - VIRTUAL_LOSS);
        assert_eq!(virtual_reward(2, -1_000 * ONE), -ONE);
    }
}
