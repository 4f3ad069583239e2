//! Numbers as a report prints them.

use super::data::PaperError;
use monteverde_statistics::Interval;

/// A number with a true minus sign and without a sign at a rounded zero.
pub(super) fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{:.*}", decimals, value.abs());
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let (whole, fraction) =
        text.split_once('.').map_or((text.as_str(), None), |(w, f)| (w, Some(f)));
    let sign = if value < 0.0 && !is_zero { "\u{2212}" } else { "" };
    let fraction = fraction.map_or(String::new(), |digits| format!(".{digits}"));
    format!("{sign}{}{fraction}", grouped(whole))
}

/// A count.
pub(super) fn count(count: u64) -> String {
    grouped(&count.to_string())
}

/// Points, with a half where there is one.
pub(super) fn points(points: f64) -> String {
    let decimals = if points.fract() == 0.0 { 0 } else { 1 };
    decimal(points, decimals)
}

/// A share as a percentage without its decimals, never rounded up: as the papers print likelihoods.
pub(super) fn truncated_percent(share: f64) -> String {
    format!("{}", (100.0 * share) as u32)
}

/// A number with its interval: `36 ± 43` where both sides look alike, else `36 (−7 to 81)`, and a
/// bound where that is all there is.
pub(super) fn interval(interval: Interval, decimals: usize) -> String {
    let show = |value: f64| decimal(value, decimals);
    match (interval.low, interval.value, interval.high) {
        (Some(low), Some(value), Some(high)) => {
            let (below, above) = (show(value - low), show(high - value));
            if below == above {
                format!("{} ± {above}", show(value))
            } else {
                format!("{} ({} to {})", show(value), show(low), show(high))
            }
        }
        (None, Some(value), None) => show(value),
        (Some(low), Some(value), None) => format!("{} (at least {})", show(value), show(low)),
        (None, Some(value), Some(high)) => format!("{} (at most {})", show(value), show(high)),
        (Some(low), None, Some(high)) => format!("{} to {}", show(low), show(high)),
        (Some(low), None, None) => format!("at least {}", show(low)),
        (None, None, Some(high)) => format!("at most {}", show(high)),
        (None, None, None) => "\u{2013}".to_owned(),
    }
}

/// A paper's number, with a mark where its ends are those of its rounding.
pub(super) fn of_paper(paper: Interval, error: PaperError, decimals: usize) -> String {
    match (error, paper) {
        (PaperError::Rounding, Interval { value: Some(value), .. }) => {
            format!("{}, as printed", decimal(value, decimals))
        }
        (PaperError::Direction, Interval { low: Some(low), .. }) => {
            format!("more than {}", decimal(low, decimals))
        }
        (PaperError::Direction, Interval { high: Some(high), .. }) => {
            format!("less than {}", decimal(high, decimals))
        }
        _ => interval(paper, decimals),
    }
}

/// Digits with a comma before each group of three; four digits stay together.
fn grouped(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(decimal(-0.04, 1), "0.0");
        assert_eq!(decimal(-12345.678, 2), "\u{2212}12,345.68");
        assert_eq!(decimal(1000.0, 0), "1000");
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(points(12.5), "12.5");
        assert_eq!(points(12.0), "12");
        assert_eq!(truncated_percent(0.9999), "99");
        assert_eq!(truncated_percent(1.0), "100");
    }

    #[test]
    fn intervals_show_what_is_known() {
        let some = |low, value, high| Interval { low, value, high };
        assert_eq!(interval(Interval::around(36.2, 43.0), 0), "36 ± 43");
        assert_eq!(interval(some(Some(-7.0), Some(36.0), Some(90.0)), 0), "36 (\u{2212}7 to 90)");
        assert_eq!(interval(some(Some(120.0), None, None), 0), "at least 120");
        assert_eq!(interval(some(None, None, Some(-3.0)), 0), "at most \u{2212}3");
        assert_eq!(interval(some(Some(1.0), Some(2.0), None), 0), "2 (at least 1)");
        assert_eq!(interval(Interval::exact(2.5), 1), "2.5");
        assert_eq!(interval(Interval::default(), 1), "\u{2013}");
    }
}
