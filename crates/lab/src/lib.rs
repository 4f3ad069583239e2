//! Matches, ratings, sequential tests, sweeps and reports
