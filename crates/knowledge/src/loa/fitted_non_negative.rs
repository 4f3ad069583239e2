//! The weights of the evaluators, written by `monteverde tune`.
//!
//! Command: monteverde tune --game loa --records monte-carlo.jsonl --newest --non-negative --out crates/knowledge/src/loa/fitted_non_negative.rs
//! Data: 460 games that ended, 21,478 states fitted, 2,403 of other games held back, from ply 8 on.
//! Method: logistic loss by the game's result, Newton's method among weights that are not negative, one game in ten held back.
//! 2006: loss there 0.61407; the side ahead by 600 won 97.2% (229), 700 won 100.0% (78), 1000 won 0.0% (0).

use super::weights::Weights;

#[rustfmt::skip]
pub(super) static MIA_2006: Weights = Weights::new([
    323, // concentration
    0, // centralisation
    0, // centre
    1808, // quads
    55, // mobility
    264, // walls
    76, // connectedness
    137, // uniformity
    821, // turn
]);
