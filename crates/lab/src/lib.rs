//! Games between players, many at a time: openings, tasks, the arena, external engines, matches and
//! tournaments, sweeps, suites and measurements, all kept in a store from which a stopped run goes
//! on. What they come to is counted by `monteverde-statistics` and shown by `monteverde-report`;
//! this crate knows neither experiments nor pages, and prints nothing.

pub mod adjudication;
pub mod affinity;
pub mod arena;
pub mod behaviour;
pub mod build;
pub mod calibration;
pub mod command;
pub mod contest;
pub mod contestant;
pub mod crew;
pub mod date;
pub mod digest;
pub mod document;
pub mod engine;
pub mod export;
pub mod hands;
pub mod keys;
pub mod measure;
pub mod opening;
mod pondering;
pub mod process;
pub mod progress;
pub mod reached;
pub mod record;
pub mod report;
pub mod rounds;
pub mod run;
pub mod seat;
pub mod shard;
pub mod standings;
pub mod store;
pub mod suite;
pub mod sweep;
pub mod task;
#[cfg(test)]
mod testing;
pub mod tournament;
pub mod words;

pub use monteverde_players::{duration_text, pace};
