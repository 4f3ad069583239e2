//! The share of a class, with the interval of Clopper and Pearson.
//!
//! This is the one place where intervals at the edge of a scale come from. The two usual choices
//! there are Wilson's interval and that of Clopper and Pearson; 0 of 40 is 0 to 8.76% by the first
//! and 0 to 8.81% by the second. The second is used everywhere, because it holds the true share in
//! at least 95 of 100 cases whatever the share and the size of the sample are; the first does so
//! only on average over shares. Both are two-sided: 2.5% are left out on each side.

use super::{CONFIDENCE, Interval, Z95};
use libm::{exp, lgamma, log, log1p};

/// The share of a class in 0..=1, with its exact two-sided 95% interval. Unknown without a sample.
///
/// # Panics
/// If the part is larger than the whole.
pub fn share(part: u64, whole: u64) -> Interval {
    assert!(part <= whole, "{part} of {whole} is no share");
    if whole == 0 {
        return Interval::default();
    }
    let (part, whole) = (part as f64, whole as f64);
    let (low, high) = clopper_pearson(part, whole);
    Interval { value: Some(part / whole), low: Some(low), high: Some(high) }
}

/// The ends of the interval of Clopper and Pearson for so many successes of so many trials, of
/// which there is at least one. Successes may be a fraction: points of games, some of them drawn.
/// That is on the safe side, since units that are won or lost whole vary most.
pub(crate) fn clopper_pearson(successes: f64, trials: f64) -> (f64, f64) {
    let tail = (1.0 - CONFIDENCE) / 2.0;
    let failures = trials - successes;
    if successes.min(failures) > LARGE {
        let (mean, variance) = (successes / trials, successes * failures / trials.powi(3));
        return (mean - Z95 * variance.sqrt(), mean + Z95 * variance.sqrt());
    }
    let low = match successes {
        none if none <= 0.0 => 0.0,
        _ => beta_quantile(tail, successes, failures + 1.0),
    };
    let high = match failures {
        none if none <= 0.0 => 1.0,
        _ => beta_quantile(1.0 - tail, successes + 1.0, failures),
    };
    (low, high)
}

/// From so many successes and failures on, 1.96 standard errors are the same to eight digits, and
/// take no time.
const LARGE: f64 = 1e8;

/// Where the share of a beta distribution below it is `share`.
fn beta_quantile(share: f64, a: f64, b: f64) -> f64 {
    // Halving the interval until its ends are neighbours needs no derivative and cannot fail.
    const STEPS: u32 = 60;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..STEPS {
        let middle = 0.5 * (low + high);
        if beta_share(middle, a, b) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The share of a beta distribution with the parameters `a` and `b` below `x` in 0..=1: the
/// regularised incomplete beta function.
pub(crate) fn beta_share(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // The fraction converges quickly below the mean; above it, that of the mirror image does.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_share(1.0 - x, b, a);
    }
    let front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x);
    exp(front) * continued_fraction(x, a, b) / a
}

/// The continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8), by
/// Lentz's method.
fn continued_fraction(x: f64, a: f64, b: f64) -> f64 {
    // It takes in the order of the square root of the larger parameter; a sample of a billion
    // needs fewer steps than this.
    const STEPS: u32 = 100_000;
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check((low, high): (f64, f64), expected: (f64, f64)) {
        let near = |one: f64, two: f64| (one - two).abs() < 6e-5;
        assert!(near(low, expected.0) && near(high, expected.1), "{low} to {high}");
    }

    /// An interval at the edge used to be one-sided: 0 of 40 was 0 to 7.2%.
    #[test]
    fn none_of_forty_is_0_to_8_8_percent() {
        let found = share(0, 40);
        assert_eq!((found.value, found.low), (Some(0.0), Some(0.0)));
        check((0.0, found.high.unwrap()), (0.0, 1.0 - 0.025f64.powf(1.0 / 40.0)));
        assert_eq!(format!("{:.2}", 100.0 * found.high.unwrap()), "8.81");
        let all = share(40, 40);
        check((all.low.unwrap(), all.high.unwrap()), (0.025f64.powf(1.0 / 40.0), 1.0));
        // Wilson's interval, which is not used: z^2 / (n + z^2).
        let wilson = 1.959964f64.powi(2) / (40.0 + 1.959964f64.powi(2));
        assert_eq!(format!("{:.2}", 100.0 * wilson), "8.76");
        assert_eq!(share(0, 0), Interval::default());
    }

    /// From tables of exact intervals, for example Clopper and Pearson's own charts.
    #[test]
    fn shares_have_their_table_values() {
        check(clopper_pearson(1.0, 10.0), (0.002529, 0.445016));
        check(clopper_pearson(5.0, 10.0), (0.187086, 0.812914));
        check(clopper_pearson(10.0, 100.0), (0.049005, 0.176223));
        check(clopper_pearson(81.0, 263.0), (0.252709, 0.367629));
        // Far from the edge of a large sample it is 1.96 standard errors.
        let (low, high) = clopper_pearson(499_800.0, 1_000_000.0);
        assert!(((high - low) / 2.0 - 1.959964 * 0.0005).abs() < 2e-6, "{low} to {high}");
        let (exact, normal) = (clopper_pearson(9e7, 2e8), clopper_pearson(1.1e8, 2.2e8));
        assert!((exact.1 - exact.0 - 2.0 * 1.959964 * (0.45 * 0.55 / 2e8f64).sqrt()).abs() < 1e-8);
        assert!((normal.1 - normal.0 - 1.959964 / 2.2e8f64.sqrt()).abs() < 1e-8);
    }

    /// The probability of each number of successes, from the largest term outwards.
    fn binomial(trials: u32, share: f64) -> Vec<f64> {
        let (n, odds) = (f64::from(trials), share.ln() - (-share).ln_1p());
        let mut log_term = n * (-share).ln_1p();
        let mut terms = vec![log_term.exp()];
        for k in 1..=trials {
            log_term += (f64::from(trials - k + 1) / f64::from(k)).ln() + odds;
            terms.push(log_term.exp());
        }
        terms
    }

    /// How probable it is, exactly, that an interval holds the true share.
    fn coverage(trials: u32, true_share: f64, interval: &dyn Fn(u32) -> (f64, f64)) -> f64 {
        let terms = binomial(trials, true_share);
        let held = (0..=trials).filter(|&successes| {
            let (low, high) = interval(successes);
            low <= true_share && true_share <= high
        });
        held.map(|successes| terms[successes as usize]).sum()
    }

    const SIZES: [u32; 9] = [1, 2, 5, 10, 20, 40, 100, 250, 500];

    fn grid() -> impl Iterator<Item = f64> {
        let fine = [1e-4, 3e-4, 0.001, 0.002, 0.005];
        let even = (1..100).map(|step| f64::from(step) / 100.0);
        fine.into_iter().chain(even).chain(fine.map(|share| 1.0 - share))
    }

    /// Computed, not simulated: the sum of the probabilities of all samples whose interval holds
    /// the true share.
    #[test]
    fn shares_are_covered_at_least_95_times_in_100_whatever_they_are() {
        for trials in SIZES {
            let all: Vec<(f64, f64)> = (0..=trials)
                .map(|part| share(part.into(), trials.into()))
                .map(|found| (found.low.unwrap(), found.high.unwrap()))
                .collect();
            for true_share in grid() {
                let found = coverage(trials, true_share, &|part| all[part as usize]);
                assert!(found >= 0.95 - 1e-9, "{trials} trials of {true_share}: {found}");
            }
        }
    }

    /// The one-sided bound that was used before fails this, so that the test can fail.
    #[test]
    fn a_one_sided_bound_is_not_covered() {
        let bound = |part: u32| match part {
            0 => (0.0, 1.0 - 0.05f64.powf(1.0 / 40.0)),
            part => {
                let mean = f64::from(part) / 40.0;
                let error = 1.959964 * (mean * (1.0 - mean) / 40.0).sqrt();
                (mean - error, mean + error)
            }
        };
        let least = grid().map(|share| coverage(40, share, &bound)).fold(1.0, f64::min);
        assert!(least < 0.9, "{least}");
    }

    /// Pairs with draws: all samples of so many pairs of independent games, each with its
    /// probability.
    #[test]
    fn scores_of_pairs_are_covered_nearly_as_often() {
        use crate::{Pairs, score};
        let mut least = 1.0f64;
        for pairs in [2u64, 5, 12, 24] {
            let factorials: Vec<f64> = (0..=pairs)
                .scan(0.0, |sum, k| {
                    *sum += if k > 0 { (k as f64).ln() } else { 0.0 };
                    Some(*sum)
                })
                .collect();
            for win in [0.02, 0.1, 0.3, 0.5, 0.7, 0.9] {
                for drawn in [0.02, 0.2, 0.6] {
                    let draw = drawn * (1.0 - win);
                    let lost = 1.0 - win - draw;
                    let classes = [
                        lost * lost,
                        2.0 * lost * draw,
                        2.0 * lost * win + draw * draw,
                        2.0 * win * draw,
                        win * win,
                    ];
                    let truth = win + draw / 2.0;
                    let mut covered = 0.0;
                    let mut counts = [0; 5];
                    every_split(pairs, &mut counts, 0, &mut |counts| {
                        let found = score(Pairs::new(*counts)).unwrap();
                        if found.low <= truth && truth <= found.high {
                            let log: f64 = counts
                                .iter()
                                .zip(classes)
                                .map(|(&count, p)| {
                                    count as f64 * p.ln() - factorials[count as usize]
                                })
                                .sum();
                            covered += (factorials[pairs as usize] + log).exp();
                        }
                    });
                    least = least.min(covered);
                }
            }
        }
        assert!(least > 0.925, "{least}");
    }

    /// Every way to put so many units into the classes from one on.
    fn every_split(
        left: u64,
        counts: &mut [u64; 5],
        class: usize,
        each: &mut dyn FnMut(&[u64; 5]),
    ) {
        if class == 4 {
            counts[4] = left;
            return each(counts);
        }
        for count in 0..=left {
            counts[class] = count;
            every_split(left - count, counts, class + 1, each);
        }
    }

    /// A game's score is the normal interval far from the edge, which is a little too narrow there,
    /// and the exact one near it.
    #[test]
    fn scores_of_games_are_covered_nearly_as_often() {
        use crate::{Wdl, score};
        let mut least = 1.0f64;
        for trials in SIZES {
            let all: Vec<(f64, f64)> = (0..=trials)
                .map(|wins| score(Wdl::new(wins.into(), 0, (trials - wins).into())).unwrap())
                .map(|score| (score.low, score.high))
                .collect();
            for true_share in grid() {
                least = least.min(coverage(trials, true_share, &|part| all[part as usize]));
            }
        }
        assert!(least > 0.915, "{least}");
    }
}
