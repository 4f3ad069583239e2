//! The weights of the evaluators, written by `monteverde tune`.
//!
//! Command: monteverde tune --game loa --records monte-carlo.jsonl --newest --out crates/knowledge/src/loa/fitted_monte_carlo.rs
//! Data: 460 games that ended, 21,478 states fitted, 2,403 of other games held back, from ply 8 on.
//! Method: logistic loss by the game's result, Newton's method, one game in ten held back.
//! 2006: loss there 0.61117; the side ahead by 600 won 99.8% (206), 700 won 100.0% (61), 1000 won 0.0% (0).

use super::weights::Weights;

#[rustfmt::skip]
pub(super) static MIA_2006: Weights = Weights::new([
    268, // concentration
    3, // centralisation
    -100, // centre
    1987, // quads
    86, // mobility
    329, // walls
    39, // connectedness
    112, // uniformity
    866, // turn
]);
