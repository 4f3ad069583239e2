//! Every test of this crate from outside, in one program: another would be linked with everything
//! once more. A file that is not named here is found by `monteverde/tests/named.rs`.

mod common;
mod conformance;
mod fen;
mod greedy;
mod mate;
mod perft;
mod pgn;
mod random;
mod rules;
mod rules_peer;
mod sample;
mod san;
mod see;
mod uci;
