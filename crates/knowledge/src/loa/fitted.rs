//! The weights of the evaluators, written by `monteverde tune`.
//!
//! Command: monteverde tune --game loa --records data/loa/games.jsonl --records self-play.jsonl --out crates/knowledge/src/loa/fitted.rs
//! Data: 2,270 games that ended, 60,063 states fitted, 6,543 of other games held back, from ply 8 on.
//! Method: logistic loss by the game's result, Newton's method, one game in ten held back.
//! 2000: loss there 0.57016; the side ahead by 600 won 97.0% (1807), 700 won 97.9% (908), 1000 won 95.9% (73).
//! 2002: loss there 0.55792; the side ahead by 600 won 97.3% (1974), 700 won 98.2% (979), 1000 won 97.0% (99).
//! 2006: loss there 0.54964; the side ahead by 600 won 97.2% (2564), 700 won 98.2% (1369), 1000 won 98.2% (163).

use super::weights::Weights;

#[rustfmt::skip]
pub(super) static MIA_2000: Weights = Weights::new([
    560, // concentration
    0, // centralisation
    0, // centre
    0, // quads
    252, // mobility
    0, // walls
    0, // connectedness
    0, // uniformity
    3935, // turn
]);

#[rustfmt::skip]
pub(super) static MIA_2002: Weights = Weights::new([
    384, // concentration
    25, // centralisation
    -171, // centre
    1693, // quads
    276, // mobility
    0, // walls
    0, // connectedness
    0, // uniformity
    4305, // turn
]);

#[rustfmt::skip]
pub(super) static MIA_2006: Weights = Weights::new([
    359, // concentration
    9, // centralisation
    -130, // centre
    -338, // quads
    297, // mobility
    1028, // walls
    418, // connectedness
    201, // uniformity
    4689, // turn
]);
