//! The median of a sample.

use super::CONFIDENCE;
use crate::Interval;

/// An interval for a median leaves out at most this share of all samples.
const LEFT_OUT: f64 = 1.0 - CONFIDENCE;

/// The median with the interval between two order statistics that holds the true median in 95% of
/// all samples, whatever the distribution. Fewer than six numbers have none, and an end that is
/// infinite is missing.
pub fn median(mut numbers: Vec<f64>) -> Interval {
    numbers.sort_by(f64::total_cmp);
    let count = numbers.len();
    if count == 0 {
        return Interval::default();
    }
    let known = |value: f64| Some(value).filter(|value| value.is_finite());
    let middle = (numbers[(count - 1) / 2] + numbers[count / 2]) / 2.0;
    let rank = rank(count);
    let end = |index: usize| (rank > 0).then(|| numbers[index]).and_then(known);
    Interval {
        value: known(middle),
        low: end(rank.saturating_sub(1)),
        high: end(count - rank.max(1)),
    }
}

/// The greatest number r for which the r-th smallest and the r-th largest of so many numbers lie
/// around the median often enough; 0 if there is none.
fn rank(count: usize) -> usize {
    // Each number is below the median with probability one half, so ranks are binomial. The
    // logarithm, since the chance that all of many are below is smaller than any number.
    let mut log_chance = -(count as f64) * std::f64::consts::LN_2;
    let mut below = 0.0;
    for rank in 0..count {
        below += log_chance.exp();
        if 2.0 * below > LEFT_OUT {
            return rank;
        }
        log_chance += ((count - rank) as f64 / (rank + 1) as f64).ln();
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ranks are those that tables of the sign test give for 95%.
    #[test]
    fn ranks_are_those_of_the_sign_test() {
        for (count, expected) in
            [(5, 0), (6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (20, 6), (25, 8), (2000, 956)]
        {
            assert_eq!(rank(count), expected, "{count}");
        }
    }
}
