//! Elo differences and the likelihood of superiority of one match.

use super::score::least_share;
use super::{Estimate, Moments, Sample, Score, Wdl, Z95, score};
use libm::{erf, erfc};
use std::f64::consts::LN_10;

/// Elo points of one standard deviation of a game's score on the normalised scale: chosen so that
/// both scales agree for players of nearly equal strength who never draw.
pub(crate) const NORMALISED_UNIT: f64 = 800.0 / LN_10;

/// The Elo difference that a score in 0..=1 stands for; infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    // Subtracted from 0, so that one half gives 0 and not its negative.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

/// The score in 0..=1 that a player with this Elo difference is to reach.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference to the opponent with the ends of the score's 95% interval. An end at or
/// beyond a score of 0 or 1 is missing: a player who won every game gets a lower bound only.
pub fn elo(sample: impl Into<Sample>) -> Estimate {
    let Some(Score { mean, low, high }) = score(sample) else { return Estimate::Unknown };
    let finite = |score: f64| (0.0 < score && score < 1.0).then(|| elo_of_score(score));
    Estimate::from_parts(finite(low), finite(mean), finite(high))
}

/// Normalised Elo: how many standard deviations of a game's score the player is above one half, in
/// units of 347.4. It says how many games it takes to show the difference, whatever the share of
/// draws: the error depends on the number of games alone.
///
/// A sample of one class has no deviation to divide by. All draws (or every pair split) is 0 with
/// the usual error; any other such sample gives a one-sided bound: the least value that is possible
/// when the class has the least share that [`score()`] allows and every other unit is lost.
pub fn normalised_elo(sample: impl Into<Sample>) -> Estimate {
    let sample = sample.into();
    let Moments { units, mean, variance } = sample.moments();
    if units == 0.0 {
        return Estimate::Unknown;
    }
    let unit = NORMALISED_UNIT / sample.games_per_unit().sqrt();
    if variance == 0.0 && mean != 0.5 {
        let share = least_share(units);
        let distance =
            |score: f64| (share * score - 0.5) / (score * (share * (1.0 - share)).sqrt());
        return if mean > 0.5 {
            Estimate::AtLeast { bound: unit * distance(mean), value: None }
        } else {
            Estimate::AtMost { bound: -unit * distance(1.0 - mean), value: None }
        };
    }
    let value = if variance > 0.0 { unit * (mean - 0.5) / variance.sqrt() } else { 0.0 };
    let error = Z95 * unit / units.sqrt();
    Estimate::Value { value, low: value - error, high: value + error }
}

/// The likelihood of superiority, in 0..=1: the probability that the player is the stronger one,
/// from the mean and the variance of the units' scores: `(1 + erf((mean - 1/2) / sqrt(2 variance /
/// n))) / 2`.
///
/// Where all of n units fell into one class and the variance is 0, it is the answer of the sign
/// test with a flat prior instead, `1 - 2^-(n+1)` for a class above one half. Without games and for
/// drawn games only it is one half.
pub fn los(sample: impl Into<Sample>) -> f64 {
    let Moments { units, mean, variance } = sample.into().moments();
    if variance > 0.0 {
        return normal_share((mean - 0.5) / (variance / units).sqrt());
    }
    let opposite = 0.5f64.powf(units + 1.0);
    match mean {
        mean if mean > 0.5 => 1.0 - opposite,
        mean if mean < 0.5 => opposite,
        _ => 0.5,
    }
}

/// The likelihood of superiority, in 0..=1, from the decisive games alone: `1/2 + 1/2 erf((wins -
/// losses) / sqrt(2 (wins + losses)))`, as some match runners show it. One half without decisive
/// games. It takes the sides to be equally strong, which [`los`] does not, and so is the more
/// cautious of the two.
pub fn los_of_decisive_games(games: Wdl) -> f64 {
    let decisive = (games.wins + games.losses) as f64;
    if decisive == 0.0 {
        return 0.5;
    }
    0.5 + 0.5 * erf((games.wins as f64 - games.losses as f64) / (2.0 * decisive).sqrt())
}

/// Between what ends the likelihood of superiority, in 0..=1, of a repetition of a match lies with
/// 95%, if that of the match itself was printed as a number between `low` and `high`.
pub fn los_of_repetition(low: f64, high: f64) -> [f64; 2] {
    [normal_share(normal_quantile(low) - Z95), normal_share(normal_quantile(high) + Z95)]
}

/// How many standard deviations have that share of a normal distribution below them, between -9 and
/// 9, beyond which a share cannot be told from 0 and 1.
fn normal_quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-9.0, 9.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if normal_share(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The share of a standard normal distribution below `deviations`. By `erfc`, which keeps its
/// digits far out in the lower tail.
pub(crate) fn normal_share(deviations: f64) -> f64 {
    0.5 * erfc(-deviations / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pairs;
    use proptest::prelude::*;

    const GOLDEN: Pairs = Pairs([34, 54, 63, 64, 75]);

    #[test]
    fn pairs_have_their_known_elo() {
        assert_eq!(elo(GOLDEN).to_string(), "55.58 ± 27.65");
        assert_eq!(normalised_elo(GOLDEN).to_string(), "57.94 ± 28.28");
        assert!((los(GOLDEN) - 0.99997).abs() < 1e-5);
    }

    #[test]
    fn games_have_the_elo_worked_out_by_hand() {
        // 60 wins, 20 draws, 20 losses: mean 0.7, variance 0.16, standard error 0.04.
        let games = Wdl::new(60, 20, 20);
        assert_eq!(elo(games).to_string(), "147.19 ± 66.01");
        // 347.4356 * 0.2 / 0.4 and 1.959964 * 347.4356 / 10.
        assert_eq!(normalised_elo(games).to_string(), "173.72 ± 68.10");
        // Five standard errors, and 40 / sqrt(80) = 4.47 deviations.
        assert!((los(games) - (1.0 - 2.866_516e-7)).abs() < 1e-12);
        assert!((los_of_decisive_games(games) - (1.0 - 3.872e-6)).abs() < 1e-8);
    }

    #[test]
    fn a_repetition_moves_a_likelihood_by_two_deviations() {
        let [low, high] = los_of_repetition(0.5, 0.5);
        assert!((low - 0.025).abs() < 1e-6 && (high - 0.975).abs() < 1e-6, "{low} to {high}");
        let [low, high] = los_of_repetition(0.99, 1.0);
        assert!((low - 0.6430).abs() < 1e-3 && high == 1.0, "{low} to {high}");
    }

    #[test]
    fn equality_has_no_sign() {
        assert_eq!(elo(Wdl::new(30, 0, 30)).value().map(f64::is_sign_negative), Some(false));
        assert!(elo(Pairs::new([0, 0, 30, 0, 0])).to_string().starts_with("0.00 ± "));
    }

    #[test]
    fn a_clean_score_gives_a_bound() {
        assert_eq!(elo(Wdl::new(10, 0, 0)).to_string(), "> 140.22");
        assert_eq!(elo(Wdl::new(0, 0, 10)).to_string(), "< -140.22");
        assert_eq!(elo(Wdl::new(25, 0, 0)).to_string(), "> 319.44");
        assert_eq!(elo(Pairs::new([0, 0, 0, 0, 10])).to_string(), "> 140.22");
        // One lost game in ten leaves both ends finite, far apart: 55.5% to 99.75% of the points.
        assert!(matches!(elo(Wdl::new(9, 0, 1)), Estimate::Value { value, low, high }
            if (value - 381.7).abs() < 0.1 && (low - 38.4).abs() < 0.1 && high > 1000.0));
        assert!(matches!(elo(Wdl::new(1, 0, 1)), Estimate::Value { value: 0.0, low, .. }
            if low < -600.0));
        assert_eq!(elo(Wdl::default()), Estimate::Unknown);
    }

    #[test]
    fn equal_units_do_not_divide_by_zero() {
        assert_eq!(normalised_elo(Wdl::new(0, 100, 0)).to_string(), "0.00 ± 68.10");
        assert_eq!(normalised_elo(Pairs::new([0, 0, 50, 0, 0])).to_string(), "0.00 ± 68.10");
        assert!(matches!(elo(Wdl::new(0, 100, 0)), Estimate::Value { value: 0.0, low, .. }
            if low < 0.0));
        // With the share q = 0.025^(1/20), the rest lost: 347.4 (q - 1/2) / sqrt(q (1 - q)).
        let clean = normalised_elo(Wdl::new(20, 0, 0));
        assert!((clean.low().unwrap() - 307.81).abs() < 0.01, "{clean}");
        assert_eq!(clean.value(), None);
        let three_quarters = Pairs::new([0, 0, 0, 100, 0]);
        assert!(normalised_elo(three_quarters).low().unwrap() > 0.0);
        assert_eq!(los(Wdl::default()), 0.5);
        assert_eq!(los(Wdl::new(0, 9, 0)), 0.5);
        assert_eq!(los(Wdl::new(1, 0, 0)), 0.75);
        assert_eq!(los(Wdl::new(0, 0, 1)), 0.25);
        assert_eq!(los_of_decisive_games(Wdl::new(0, 9, 0)), 0.5);
    }

    #[test]
    fn the_normalised_bound_is_the_least_value_of_a_grid_of_distributions() {
        // Twelve pairs of 3/2 points: the class has a share of at least q. Spread the rest over all
        // classes on a fine grid; no distribution may lie below the bound.
        let units = 12u64;
        let share = least_share(units as f64);
        let bound = normalised_elo(Pairs::new([0, 0, 0, units, 0])).low().unwrap();
        let steps = 12;
        let mut least = f64::INFINITY;
        for a in 0..=steps {
            for b in 0..=steps - a {
                for c in 0..=steps - a - b {
                    for d in 0..=steps - a - b - c {
                        let spread = [a, b, c, d, steps - a - b - c - d];
                        let mut p = spread.map(|s| (1.0 - share) * f64::from(s) / f64::from(steps));
                        p[3] += share;
                        let mean: f64 =
                            p.iter().zip(0..).map(|(p, i)| p * f64::from(i) / 4.0).sum();
                        let variance: f64 = p
                            .iter()
                            .zip(0..)
                            .map(|(p, i)| p * (f64::from(i) / 4.0 - mean).powi(2))
                            .sum();
                        if variance > 1e-12 {
                            let unit = NORMALISED_UNIT / 2f64.sqrt();
                            least = least.min(unit * (mean - 0.5) / variance.sqrt());
                        }
                    }
                }
            }
        }
        assert!((least - bound).abs() < 1e-6, "{least} against {bound}");
    }

    fn close(a: Estimate, b: Estimate) -> bool {
        let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-7 * (1.0 + a.abs()),
            (a, b) => a == b,
        };
        near(a.value(), b.value()) && near(a.low(), b.low()) && near(a.high(), b.high())
    }

    fn finite(estimate: Estimate) -> bool {
        [estimate.value(), estimate.low(), estimate.high()]
            .into_iter()
            .flatten()
            .all(f64::is_finite)
    }

    proptest! {
        #[test]
        fn the_opponent_sees_the_negative(counts in prop::array::uniform5(0u64..40)) {
            let pairs = Pairs::new(counts);
            let games = Wdl::new(counts[0], counts[1], counts[2]);
            prop_assert!(close(elo(pairs.reversed()), elo(pairs).reversed()));
            prop_assert!(close(elo(games.reversed()), elo(games).reversed()));
            prop_assert!(close(normalised_elo(pairs.reversed()), normalised_elo(pairs).reversed()));
            prop_assert!(close(normalised_elo(games.reversed()), normalised_elo(games).reversed()));
            prop_assert!((los(pairs) + los(pairs.reversed()) - 1.0).abs() < 1e-12);
            prop_assert!((los(games) + los(games.reversed()) - 1.0).abs() < 1e-12);
            let decisive = los_of_decisive_games;
            prop_assert!((decisive(games) + decisive(games.reversed()) - 1.0).abs() < 1e-12);
        }

        #[test]
        fn no_sample_gives_an_infinity(counts in prop::array::uniform5(0u64..3)) {
            let pairs = Pairs::new(counts);
            let games = Wdl::new(counts[0], counts[1], counts[2]);
            for estimate in [elo(pairs), elo(games), normalised_elo(pairs), normalised_elo(games)] {
                prop_assert!(finite(estimate), "{estimate:?}");
            }
            prop_assert!((0.0..=1.0).contains(&los(pairs)) && (0.0..=1.0).contains(&los(games)));
        }

        #[test]
        fn elo_and_score_are_inverse(elo in -800.0f64..800.0) {
            prop_assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-6);
        }
    }
}
