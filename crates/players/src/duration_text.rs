//! Lengths of time in words: `500ms`, `1.5s`, `2m`, `1h`.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A length of time that is written with its unit, to the millisecond.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub struct DurationText(pub Duration);

/// A text that is no length of time.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{}' is no length of time; accepted are numbers with a unit, ms, s, m or h, such as 500ms, 1.5s or 2m",
    .0.escape_debug()
)]
pub struct DurationTextError(pub String);

impl DurationText {
    /// So many milliseconds.
    pub const fn ms(ms: u64) -> DurationText {
        DurationText(Duration::from_millis(ms))
    }
}

/// The longest span, some 31 years: beyond it arithmetic with clocks would overflow.
const LONGEST_SECONDS: f64 = 1e9;

impl FromStr for DurationText {
    type Err = DurationTextError;

    fn from_str(text: &str) -> Result<DurationText, DurationTextError> {
        let wrong = || DurationTextError(text.to_owned());
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(wrong)?;
        let (number, unit) = text.split_at(digits);
        let number: f64 = number.parse().map_err(|_| wrong())?;
        let seconds = number
            * match unit {
                "ms" => 0.001,
                "s" => 1.0,
                "m" => 60.0,
                "h" => 3600.0,
                _ => return Err(wrong()),
            };
        if seconds > LONGEST_SECONDS {
            return Err(wrong());
        }
        Ok(DurationText::ms((seconds * 1000.0).round() as u64))
    }
}

impl fmt::Display for DurationText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_millis();
        if ms > 0 && ms.is_multiple_of(1000) {
            write!(f, "{}s", ms / 1000)
        } else {
            write!(f, "{ms}ms")
        }
    }
}

impl From<DurationText> for String {
    fn from(span: DurationText) -> String {
        span.to_string()
    }
}

impl TryFrom<String> for DurationText {
    type Error = DurationTextError;

    fn try_from(text: String) -> Result<DurationText, DurationTextError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_and_written() {
        for (text, ms, printed) in [
            ("500ms", 500, "500ms"),
            ("0.1s", 100, "100ms"),
            ("60s", 60_000, "60s"),
            ("1.5m", 90_000, "90s"),
            ("1h", 3_600_000, "3600s"),
            ("0s", 0, "0ms"),
        ] {
            let span: DurationText = text.parse().unwrap();
            assert_eq!(span, DurationText::ms(ms), "{text}");
            assert_eq!(span.to_string(), printed);
            assert_eq!(printed.parse(), Ok(span));
        }
    }

    #[test]
    fn what_is_no_span_is_refused() {
        for text in ["", "5", "ms", "-1s", "1.2.3s", "1 s", "1d", ".", ".s", "99999999999h", "1é"]
        {
            assert_eq!(text.parse::<DurationText>(), Err(DurationTextError(text.to_owned())));
        }
    }
}
