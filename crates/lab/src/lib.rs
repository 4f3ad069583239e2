//! Matches, ratings, sequential tests, sweeps and reports

pub mod adjudication;
pub mod contestant;
pub mod opening;
pub mod pace;
pub mod record;
pub mod report;
pub mod span;
pub mod statistics;
pub mod store;
pub mod task;
