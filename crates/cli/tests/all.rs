//! Every test of this crate from outside, in one program: another would be linked with everything
//! once more. A file that is not named here is found by `monteverde/tests/named.rs`.

mod before;
mod cli;
mod cluster;
mod contests;
mod engines;
mod lab;
mod lab_report;
mod nats;
mod network;
mod serve;
mod shards;
mod tablebase;
mod tables_unasked;
mod training;
