//! Matches, ratings, sequential tests, sweeps and reports

pub mod adjudication;
pub mod arena;
pub mod build;
pub mod calibration;
pub mod command;
pub mod contest;
pub mod contestant;
mod date;
pub mod digest;
pub mod engine;
pub mod experiment;
pub mod export;
pub mod keys;
pub mod measure;
pub mod opening;
pub mod process;
pub mod progress;
pub mod record;
pub mod report;
pub mod run;
pub mod seat;
pub mod standings;
pub mod statistics;
pub mod store;
pub mod suite;
pub mod sweep;
pub mod task;
pub mod tournament;
pub mod tune;

pub use monteverde_players::{pace, span};
