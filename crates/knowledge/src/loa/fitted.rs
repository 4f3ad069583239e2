//! The weights of the evaluators, written by `monteverde tune`.
//!
//! Command: monteverde tune --game loa --records ../shared/data/loa/archive_games.jsonl --out crates/knowledge/src/loa/fitted.rs
//! Data: 670 games that ended, 13,969 states fitted, 1,579 of other games held back, from ply 8 on.
//! Method: logistic loss by the game's result, Newton's method, one game in ten held back.
//! 2000: loss there 0.49785; the side ahead by 600 won 99.1% (637), 700 won 100.0% (311), 1000 won 100.0% (28).
//! 2002: loss there 0.48234; the side ahead by 600 won 98.4% (799), 700 won 99.5% (425), 1000 won 100.0% (44).
//! 2006: loss there 0.49155; the side ahead by 600 won 98.8% (995), 700 won 99.2% (533), 1000 won 100.0% (61).

use super::weights::Weights;

#[rustfmt::skip]
pub(super) static MIA_2000: Weights = Weights::new([
    497, // concentration
    0, // centralisation
    0, // centre
    0, // quads
    278, // mobility
    0, // walls
    0, // connectedness
    0, // uniformity
    3641, // turn
]);

#[rustfmt::skip]
pub(super) static MIA_2002: Weights = Weights::new([
    380, // concentration
    -1, // centralisation
    -138, // centre
    2204, // quads
    329, // mobility
    0, // walls
    0, // connectedness
    0, // uniformity
    3807, // turn
]);

#[rustfmt::skip]
pub(super) static MIA_2006: Weights = Weights::new([
    337, // concentration
    -22, // centralisation
    -85, // centre
    -117, // quads
    339, // mobility
    1418, // walls
    486, // connectedness
    202, // uniformity
    3977, // turn
]);
