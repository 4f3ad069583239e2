//! Draw weight: a drawn playout counts as less than a visit in the selection formula (*Monte Carlo
//! Chess*, section 5.1.1, which finds it tempting and leaves it to others). Draws that end the game
//! in the tree are no guesses and count in full. A draw's reward is 0, so only the counts change:
//! `n - (1 - w) d` in place of `n`, where `d` of the `n` visits were drawn.

use crate::path::Visit;
use crate::sharing::Sharing;
use crate::tree::Tree;

/// Counts a drawn playout at every edge of the path.
pub(crate) fn count<S: Sharing>(tree: &Tree, path: &[Visit]) {
    for visit in path {
        S::increment(tree.columns.draws.cell(visit.edge));
    }
}

/// What an edge's visits count as, where a drawn playout counts less than a visit by `discount`: at
/// least one, so that draws of no weight do not make it untried.
#[inline(always)]
pub(crate) fn weighted(tree: &Tree, edge: u32, visits: u32, discount: f64) -> f64 {
    let draws = tree.columns.draws.get(edge);
    (f64::from(visits) - discount * f64::from(draws)).max(1.0)
}
