//! Every test of this crate from outside, in one program: another would be linked with everything
//! once more. A file that is not named here is found by `monteverde/tests/named.rs`.

mod alphabeta;
mod banqi;
mod entries;
mod exact;
mod exact_banqi;
mod graph_bounds;
mod history;
mod levels;
mod loa;
mod mates;
mod network;
mod presentation;
mod signature;
mod small_boards;
mod specs;
mod tcga;
