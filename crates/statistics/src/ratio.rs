//! The ratio of two sums over one sample.

use super::{Interval, Z95};

/// The sum of the first numbers of all pairs over that of the second, with the 95% interval that
/// follows from how far single pairs are from it. Fewer than two pairs have no interval; none, and
/// those whose second numbers add up to 0, have no ratio.
pub fn ratio(pairs: &[(f64, f64)]) -> Interval {
    let sum = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let whole = sum(|pair| pair.1);
    if whole == 0.0 {
        return Interval::default();
    }
    let value = sum(|pair| pair.0) / whole;
    let count = pairs.len() as f64;
    if pairs.len() < 2 {
        return Interval::exact(value);
    }
    let squares: f64 = pairs.iter().map(|(part, whole)| (part - value * whole).powi(2)).sum();
    Interval::around(value, Z95 * (squares * count / (count - 1.0)).sqrt() / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_the_error_of_the_sample() {
        // 1/2 and 3/2: the ratio is 1, each pair is 1 off, sqrt(2 * 2 / 1) / 4 is one half.
        assert_eq!(ratio(&[(1.0, 2.0), (3.0, 2.0)]), Interval::around(1.0, Z95 * 0.5));
        assert_eq!(ratio(&[(4.0, 2.0), (6.0, 3.0)]), Interval::around(2.0, 0.0));
        assert_eq!(ratio(&[(4.0, 2.0)]), Interval::exact(2.0));
        assert_eq!(ratio(&[]), Interval::default());
    }
}
