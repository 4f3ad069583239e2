//! The kinds of work that papers ask for, a file each.

pub(crate) mod endings;
pub(crate) mod mating;
mod players;
pub(crate) mod playouts;
pub(crate) mod prediction;
pub(crate) mod shape;
pub(crate) mod suite;
mod sweep;
mod tournament;
pub(crate) mod until;

use crate::work::WorkKind;

/// Every kind of work, by the name of its table.
pub(crate) static KINDS: [WorkKind; 9] = [
    playouts::KIND,
    tournament::KIND,
    sweep::KIND,
    until::KIND,
    suite::KIND,
    mating::KIND,
    endings::KIND,
    shape::KIND,
    prediction::KIND,
];
