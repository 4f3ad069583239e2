//! A number with its interval, as tables and files hold it.

use super::{Estimate, Score};
use serde::{Deserialize, Serialize};

/// A number with its 95% interval; what is missing is unknown or infinite.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Interval {
    /// The estimate.
    pub value: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl Interval {
    /// A number without an error.
    pub fn exact(value: f64) -> Interval {
        Interval { value: Some(value), low: None, high: None }
    }

    /// A number with an error to both sides.
    pub fn around(value: f64, error: f64) -> Interval {
        Interval { value: Some(value), low: Some(value - error), high: Some(value + error) }
    }

    /// All three numbers times a factor that is not negative.
    pub fn times(self, factor: f64) -> Interval {
        let times = |number: Option<f64>| number.map(|number| number * factor);
        Interval { value: times(self.value), low: times(self.low), high: times(self.high) }
    }

    /// All three numbers to four decimals: more say nothing, and these are read back from a file as
    /// they were written.
    pub fn rounded(self) -> Interval {
        let round = |number: Option<f64>| number.map(rounded);
        Interval { value: round(self.value), low: round(self.low), high: round(self.high) }
    }
}

/// A number to four decimals, see [`Interval::rounded`].
pub fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

impl From<Estimate> for Interval {
    fn from(estimate: Estimate) -> Interval {
        Interval { value: estimate.value(), low: estimate.low(), high: estimate.high() }
    }
}

impl From<Score> for Interval {
    fn from(score: Score) -> Interval {
        Interval { value: Some(score.mean), low: Some(score.low), high: Some(score.high) }
    }
}
