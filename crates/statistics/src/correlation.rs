//! How two numbers go together.

/// Pearson's correlation, -1 to 1; `None` where one of the numbers is always the same, and without
/// pairs.
pub fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let means = (
        pairs.iter().map(|pair| pair.0).sum::<f64>() / count,
        pairs.iter().map(|pair| pair.1).sum::<f64>() / count,
    );
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        pairs.iter().map(|pair| of(pair.0 - means.0, pair.1 - means.1)).sum::<f64>()
    };
    let scale = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    (scale > 0.0).then(|| sum(&|x, y| x * y) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_are_those_worked_out_by_hand() {
        assert_eq!(correlation(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]), Some(1.0));
        assert_eq!(correlation(&[(1.0, 3.0), (3.0, 1.0)]), Some(-1.0));
        // The deviations are -1, 0, 1 and 0, -1, 1: 1 over the root of 2 times 2.
        assert_eq!(correlation(&[(1.0, 2.0), (2.0, 1.0), (3.0, 3.0)]), Some(0.5));
        assert_eq!(correlation(&[(1.0, 2.0), (2.0, 2.0)]), None);
        assert_eq!(correlation(&[]), None);
    }
}
