//! What a match or a tournament says about its players: scores, Elo differences, likelihoods of
//! superiority, the sequential test, and ratings of many players at once.
//!
//! Everything here is a pure function of counts. Every number speaks for one player, the one whose
//! wins the counts call wins; [`Wdl::reversed`] and [`Pairs::reversed`] give the other player's
//! view. The page `docs/statistics.md` explains each number and gives its formula.

pub mod bayeselo;
pub mod binomial;
pub mod correlation;
pub mod elo;
pub mod estimate;
pub mod interval;
pub mod linear;
pub mod mean;
pub mod median;
pub mod ratio;
pub mod sample;
pub mod score;
pub mod sprt;

pub use bayeselo::{Crosstable, Fit, Model, Precision, Ratings, rate, rate_own};
pub use binomial::share;
pub use correlation::correlation;
pub use elo::{
    elo, elo_of_score, los, los_of_decisive_games, los_of_repetition, normalised_elo, score_of_elo,
};
pub use estimate::Estimate;
pub use interval::{Interval, rounded};
pub use mean::mean;
pub use median::median;
pub use ratio::ratio;
pub use sample::{Moments, Pairs, Sample, Wdl};
pub use score::{Score, score, score_with_t, total_score};
pub use sprt::{Decision, EloScale, SequentialTest};

/// How many standard errors lie on each side of a 95% interval of a normal distribution.
pub const Z95: f64 = 1.959964;

/// The share of true values that an interval is to contain.
pub const CONFIDENCE: f64 = 0.95;
