//! A number with its 95% interval, where either end may be missing.

use std::fmt;

/// An estimate on a scale without ends, such as Elo. Every bound belongs to a 95% interval.
///
/// A player who won every game has no finite Elo estimate, but the games still prove that the
/// player is stronger than some bound. No variant ever holds an infinity or a NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Estimate {
    /// There are no games.
    Unknown,
    /// There are games, but so few that the interval covers the whole scale.
    Unbounded {
        /// The estimate itself.
        value: f64,
    },
    /// The ordinary case.
    Value {
        /// The estimate itself.
        value: f64,
        /// The lower end of the interval.
        low: f64,
        /// The upper end of the interval.
        high: f64,
    },
    /// The interval has a lower end only.
    AtLeast {
        /// The lower end.
        bound: f64,
        /// The estimate itself; `None` where it would be infinite.
        value: Option<f64>,
    },
    /// The interval has an upper end only.
    AtMost {
        /// The upper end.
        bound: f64,
        /// The estimate itself; `None` where it would be infinite.
        value: Option<f64>,
    },
}

impl Estimate {
    /// The estimate from its three parts, each `None` where it is infinite.
    pub(crate) fn from_parts(low: Option<f64>, value: Option<f64>, high: Option<f64>) -> Estimate {
        match (low, value, high) {
            (Some(low), Some(value), Some(high)) => Estimate::Value { value, low, high },
            (Some(bound), value, _) => Estimate::AtLeast { bound, value },
            (None, value, Some(bound)) => Estimate::AtMost { bound, value },
            (None, Some(value), None) => Estimate::Unbounded { value },
            (None, None, None) => Estimate::Unknown,
        }
    }

    /// The estimate itself, where it is finite.
    pub fn value(self) -> Option<f64> {
        match self {
            Estimate::Unknown => None,
            Estimate::Unbounded { value } | Estimate::Value { value, .. } => Some(value),
            Estimate::AtLeast { value, .. } | Estimate::AtMost { value, .. } => value,
        }
    }

    /// The lower end of the 95% interval, where it has one.
    pub fn low(self) -> Option<f64> {
        match self {
            Estimate::Value { low, .. } => Some(low),
            Estimate::AtLeast { bound, .. } => Some(bound),
            _ => None,
        }
    }

    /// The upper end of the 95% interval, where it has one.
    pub fn high(self) -> Option<f64> {
        match self {
            Estimate::Value { high, .. } => Some(high),
            Estimate::AtMost { bound, .. } => Some(bound),
            _ => None,
        }
    }

    /// Half the width of the 95% interval, the number behind the plus-minus sign, where both ends
    /// exist.
    pub fn error(self) -> Option<f64> {
        Some((self.high()? - self.low()?) / 2.0)
    }

    /// The same estimate for the opponent, on a scale where the two add up to 0.
    pub fn reversed(self) -> Estimate {
        match self {
            Estimate::Unknown => Estimate::Unknown,
            Estimate::Unbounded { value } => Estimate::Unbounded { value: -value },
            Estimate::Value { value, low, high } => {
                Estimate::Value { value: -value, low: -high, high: -low }
            }
            Estimate::AtLeast { bound, value } => {
                Estimate::AtMost { bound: -bound, value: value.map(|value| -value) }
            }
            Estimate::AtMost { bound, value } => {
                Estimate::AtLeast { bound: -bound, value: value.map(|value| -value) }
            }
        }
    }
}

/// `55.58 ± 27.65`, `> 350.00`, `381.70 (> 120.00)`, `0.00 ± ?` or `?`. A precision such as `{:.0}`
/// sets the decimals; two are the default.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
        let (sign, bound, value) = match *self {
            Estimate::Unknown => return f.write_str("?"),
            Estimate::Unbounded { value } => return write!(f, "{value:.digits$} ± ?"),
            Estimate::Value { value, low, high } => {
                let error = (high - low) / 2.0;
                return write!(f, "{value:.digits$} ± {error:.digits$}");
            }
            Estimate::AtLeast { bound, value } => ('>', bound, value),
            Estimate::AtMost { bound, value } => ('<', bound, value),
        };
        match value {
            Some(value) => write!(f, "{value:.digits$} ({sign} {bound:.digits$})"),
            None => write!(f, "{sign} {bound:.digits$}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_a_text() {
        let text = |low, value, high| Estimate::from_parts(low, value, high).to_string();
        assert_eq!(text(Some(-1.0), Some(1.0), Some(3.0)), "1.00 ± 2.00");
        assert_eq!(text(Some(350.0), None, None), "> 350.00");
        assert_eq!(text(Some(120.0), Some(381.7), None), "381.70 (> 120.00)");
        assert_eq!(text(None, None, Some(-350.0)), "< -350.00");
        assert_eq!(text(None, Some(0.0), None), "0.00 ± ?");
        assert_eq!(text(None, None, None), "?");
        assert_eq!(
            format!("{:.0}", Estimate::Value { value: 36.4, low: -6.6, high: 79.4 }),
            "36 ± 43"
        );
    }
}
