//! Matches, ratings, sequential tests, sweeps and reports

pub mod statistics;
