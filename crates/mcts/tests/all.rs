//! Every test of this crate from outside, in one program: another would be linked with everything
//! once more. A file that is not named here is found by `monteverde/tests/named.rs`.

mod appendix;
mod correction;
mod imb;
mod modules;
mod playouts;
mod printed_solver;
mod quality;
mod search;
mod selection;
mod small_searches;
mod solver;
mod threshold;
mod your_own_game;
