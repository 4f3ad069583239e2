//! Draw weight: a drawn playout counts as less than a visit in the selection formula (*Monte Carlo Chess*, section
//! 5.1.1, which finds it tempting and leaves it to others). Draws that end the game in the tree are no guesses
//! and count in full. A draw's reward is 0, so only the counts change: `n - (1 - w) d` in place of `n`, where
//! `d` of the `n` visits were drawn.

use crate::backup::{Sharing, Visit};
use crate::config::Normalised;
use crate::reward::ONE;
use crate::tree::{Edge, Tree};
use std::sync::atomic::Ordering::Relaxed;

/// Counts a drawn playout at every edge of the path.
pub(crate) fn count<S: Sharing>(tree: &Tree, path: &[Visit]) {
    for visit in path {
        S::increment(tree.extra.draws(visit.edge));
    }
}

/// The edge with the highest upper confidence bound by weighted counts, as [`crate::select`] finds it by plain
/// ones: of equals the last. `above` leads to the node whose edges are compared, and has `visits`.
pub(crate) fn best(
    tree: &Tree,
    uct: Normalised,
    above: (u32, u32),
    below: (u32, &[Edge]),
) -> usize {
    let count = |edge: u32, visits: u32| {
        let draws = tree.extra.draws(edge).load(Relaxed);
        // An edge counts at least one visit, so that draws of no weight do not make it untried.
        (f64::from(visits) - uct.discount * f64::from(draws)).max(1.0)
    };
    let explore = uct.factor * libm::log(count(above.0, above.1));
    let scale = uct.scale / ONE as f64;
    let (first, edges) = below;
    let mut best = (f64::NEG_INFINITY, 0);
    for (index, edge) in edges.iter().enumerate() {
        let visits = edge.visits();
        if visits == 0 {
            continue; // Another thread is about to enter it.
        }
        let share = 1.0 / count(first + index as u32, visits);
        let value = uct.offset + scale * edge.total() as f64 * share;
        let bound = value + (explore * share).sqrt();
        if bound >= best.0 {
            best = (bound, index);
        }
    }
    best.1
}
