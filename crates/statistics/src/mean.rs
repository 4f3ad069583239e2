//! The mean of a sample of whole numbers.

use super::{Interval, Z95};

/// The mean with its 95% interval, from the size of the sample, the sum and the sum of the squares.
/// An empty sample has none.
pub fn mean(count: u64, sum: u64, squares: u128) -> Interval {
    if count == 0 {
        return Interval::default();
    }
    // The sum of the squared deviations, times the count, without a difference of rounded numbers.
    let deviations = (u128::from(count) * squares).saturating_sub(u128::from(sum).pow(2));
    let count = count as f64;
    let variance = deviations as f64 / (count * (count - 1.0).max(1.0));
    Interval::around(sum as f64 / count, Z95 * (variance / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 1, 2 and 6 have the mean 3 and the variance 7.
    #[test]
    fn means_have_the_error_of_the_sample() {
        let found = mean(3, 9, 41);
        assert_eq!(found.value, Some(3.0));
        assert_eq!(found, Interval::around(3.0, Z95 * (7.0_f64 / 3.0).sqrt()));
        assert_eq!(mean(1, 5, 25), Interval::around(5.0, 0.0));
        assert_eq!(mean(0, 0, 0), Interval::default());
    }
}
