//! Matches, ratings, sequential tests, sweeps and reports

pub mod report;
pub mod statistics;
