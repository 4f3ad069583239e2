//! Every test of this crate from outside, in one program: another would be linked with everything
//! once more. A file that is not named here is found by `monteverde/tests/named.rs`.

mod arena;
mod behaviour;
mod contest;
mod crew;
mod engines;
mod failures;
mod king_and_rook;
mod loa_openings;
mod pondering;
mod queen_ending;
