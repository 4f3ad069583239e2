//! The mean score with its 95% interval.

use super::binomial::clopper_pearson;
use super::{CONFIDENCE, Moments, Sample, Z95};
use std::f64::consts::FRAC_2_PI;

/// A mean score in 0..=1 and its 95% interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Score {
    /// The share of the points that the player got.
    pub mean: f64,
    /// The lower end of the interval, at least 0.
    pub low: f64,
    /// The upper end of the interval, at most 1.
    pub high: f64,
}

impl Score {
    fn around(mean: f64, error: f64) -> Score {
        Score { mean, low: mean - error, high: mean + error }
    }

    /// Half the width of the interval.
    pub fn error(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The score with 1.96 standard errors of a unit's score, as most papers and match runners print
/// it. `None` without games.
///
/// Near the edge of the scale that formula claims too much: after one game, certainty; after 0 of
/// 40, that nothing will ever be won. There the interval is that of Clopper and Pearson
/// ([`share()`](crate::share)), each unit taken for won or lost whole. Near is where fewer than
/// [`ENOUGH`] wins or losses of independent games would have the same standard error. The same
/// holds for fewer than twice as many units, whose variance is itself a guess.
///
/// A sample of one class that is not at the edge (all drawn) has no standard error either: the
/// class has a share of at least q by the same rule, and whatever the other units may score, the
/// true mean lies between `q mean` and `q mean + 1 - q`.
pub fn score(sample: impl Into<Sample>) -> Option<Score> {
    of_moments(sample.into().moments())
}

/// The score of a player over its meetings with several opponents. How strong each opponent is adds
/// nothing to the error, since the same games would be played against each again: only what varies
/// within a meeting does. A meeting in which nothing varies is taken for one in which a unit of two
/// more would have come out otherwise.
pub fn total_score(meetings: impl IntoIterator<Item = Sample>) -> Option<Score> {
    let (mut games, mut points, mut units, mut squares) = (0.0, 0.0, 0.0, 0.0);
    for meeting in meetings {
        let Moments { units: count, mean, variance } = meeting.moments();
        if count > 0.0 {
            let size = meeting.games() as f64;
            let least = 1.0 / (count + 2.0);
            let variance = if variance > 0.0 { variance } else { least * (1.0 - least) };
            games += size;
            points += size * mean;
            units += count;
            squares += size * size * variance / count;
        }
    }
    let mean = if games > 0.0 { points / games } else { 0.5 };
    let variance = if mean > 0.0 && mean < 1.0 { units * squares / (games * games) } else { 0.0 };
    of_moments(Moments { units, mean, variance })
}

fn of_moments(moments: Moments) -> Option<Score> {
    let Moments { units, mean, variance } = moments;
    if units == 0.0 {
        return None;
    }
    Some(if is_normal(moments) {
        Score::around(mean, Z95 * (variance / units).sqrt())
    } else {
        exact(moments)
    })
}

/// How many wins and how many losses it takes for the normal distribution to be a fair picture.
pub const ENOUGH: f64 = 10.0;

/// Whether 1.96 standard errors are the interval.
pub(crate) fn is_normal(moments: Moments) -> bool {
    let Moments { units, mean, variance } = moments;
    // As many games without draws would have this standard error.
    let games = units * mean * (1.0 - mean) / variance;
    // Rounding must not tell a player from its opponent.
    let is_inside = variance > 0.0 && games * mean.min(1.0 - mean) >= ENOUGH - 1e-9;
    is_inside && units >= 2.0 * ENOUGH
}

/// The interval where the normal distribution is no fair picture.
fn exact(Moments { units, mean, variance }: Moments) -> Score {
    if variance == 0.0 && mean > 0.0 && mean < 1.0 {
        let least = least_share(units);
        return Score { mean, low: least * mean, high: least * mean + 1.0 - least };
    }
    let (low, high) = clopper_pearson(units * mean, units);
    Score { mean, low, high }
}

/// The score with Student's t interval, for comparison with a paper that prints it: the variance is
/// estimated with one degree of freedom less. Equal to [`score()`] near the edge, `None` without
/// games.
pub fn score_with_t(sample: impl Into<Sample>) -> Option<Score> {
    let sample = sample.into();
    let moments = sample.moments();
    if !is_normal(moments) {
        return score(sample);
    }
    let freedom = moments.units - 1.0;
    let error = t95(freedom as u64) * (moments.variance / freedom).sqrt();
    Some(Score::around(moments.mean, error))
}

/// The smallest share of a class when all of so many units fell into it; 0 for no units.
pub(crate) fn least_share(units: f64) -> f64 {
    if units == 0.0 { 0.0 } else { clopper_pearson(units, units).0 }
}

/// Student's t for a 95% interval at `freedom` degrees, at least 1.
fn t95(freedom: u64) -> f64 {
    // The exact sum has as many terms as half the degrees of freedom. From here on the expansion
    // around the normal distribution is right to nine digits.
    const EXPANSION_FROM: u64 = 200;
    if freedom >= EXPANSION_FROM {
        return t95_expanded(freedom as f64);
    }
    // t at one degree is 12.7 and falls from there.
    let (mut low, mut high) = (1.0, 16.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if t_central_share(middle, freedom) < CONFIDENCE {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The Cornish-Fisher expansion of t in powers of 1/freedom (Abramowitz and Stegun, 26.7.5).
fn t95_expanded(freedom: f64) -> f64 {
    let z = Z95;
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + (first + (second + third / freedom) / freedom) / freedom
}

/// The probability that a t variable lies in `-t..t` (Abramowitz and Stegun, 26.7.3 and 26.7.4): a
/// finite sum for whole degrees of freedom.
fn t_central_share(t: f64, freedom: u64) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let even = freedom.is_multiple_of(2);
    let mut term = if even { 1.0 } else { cosine };
    let mut sum = if freedom == 1 { 0.0 } else { term };
    let mut index = if even { 2 } else { 3 };
    while index < freedom {
        term *= (index - 1) as f64 / index as f64 * cosine * cosine;
        sum += term;
        index += 2;
    }
    if even { sine * sum } else { FRAC_2_PI * (angle + sine * sum) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pairs, Wdl};

    #[track_caller]
    fn check(got: f64, expected: f64, tolerance: f64) {
        assert!((got - expected).abs() <= tolerance, "{got} is not {expected}");
    }

    #[test]
    fn the_interval_is_196_standard_errors() {
        // 1,000 games without draws at 55.4%: sqrt(0.554 * 0.446 / 1000) * 1.96 = 0.0308.
        let sample = Wdl::new(554, 0, 446);
        check(score(sample).unwrap().error(), 0.030809, 1e-6);
        check(score_with_t(sample).unwrap().error(), 0.030861, 1e-6);
    }

    #[test]
    fn the_lines_of_action_tables_print_these_t_intervals() {
        // Winands and Bjornsson, Tables I and III: 1,000 games a cell, percent to one digit.
        for (wins, printed) in [(554, "3.1"), (566, "3.1"), (401, "3.0"), (405, "3.0")] {
            let sample = Wdl::new(wins, 0, 1000 - wins);
            let error = score_with_t(sample).unwrap().error();
            assert_eq!(format!("{:.1}", 100.0 * error), printed, "{wins} wins");
        }
    }

    #[test]
    fn t_has_its_table_values() {
        let table = [
            (1, 12.7062),
            (2, 4.3027),
            (3, 3.1824),
            (4, 2.7764),
            (10, 2.2281),
            (30, 2.0423),
            (100, 1.9840),
            (999, 1.9623),
        ];
        for (freedom, expected) in table {
            check(t95(freedom), expected, 5e-5);
        }
        check(t95(199), t95_expanded(199.0), 1e-7);
    }

    #[test]
    fn one_class_gets_the_exact_interval() {
        // 0.025^(1/10) = 0.692: ten wins in a row show that at least 69% of the points are won.
        let ten_wins = score(Wdl::new(10, 0, 0)).unwrap();
        check(ten_wins.low, 0.691503, 1e-6);
        assert_eq!(ten_wins.high, 1.0);
        let ten_draws = score(Wdl::new(0, 10, 0)).unwrap();
        check(ten_draws.low, 0.345751, 1e-6);
        check(ten_draws.high, 0.654249, 1e-6);
        let one_pair = score_with_t(Pairs::new([0, 0, 0, 1, 0])).unwrap();
        assert!(one_pair.error() > 0.4 && one_pair.error().is_finite());
        assert_eq!(score(Wdl::default()), None);
        assert_eq!(score_with_t(Pairs::default()), None);
    }

    /// Two pairs that happened to come out nearly alike used to decide a verdict: 37.5 ± 17.3%.
    #[test]
    fn two_pairs_decide_nothing() {
        let few = score(Pairs::new([0, 1, 1, 0, 0])).unwrap();
        assert!(few.low < 0.02 && few.high > 0.9, "{few:?}");
    }

    /// A player that beats one opponent and loses to another used to have an error as if chance had
    /// chosen its opponents.
    #[test]
    fn the_strength_of_opponents_is_no_error() {
        let (won, lost) = (Pairs::new([0, 0, 10, 10, 80]), Pairs::new([80, 10, 10, 0, 0]));
        let both = total_score([won.into(), lost.into()]).unwrap();
        assert!((both.mean - 0.5).abs() < 1e-12);
        // Two independent means of 100 pairs each, halved.
        let expected = score(won).unwrap().error() / 2f64.sqrt();
        check(both.error(), expected, 1e-12);
        let as_one = score(Sample::from(won) + lost.into()).unwrap();
        assert!(as_one.error() > 2.0 * both.error());
        // Alone it is the meeting's own score, and clean meetings leave an error.
        assert_eq!(total_score([won.into()]), score(won));
        assert_eq!(total_score([]), None);
        let clean = [Pairs::new([0, 0, 0, 0, 50]).into(), Pairs::new([50, 0, 0, 0, 0]).into()];
        assert!(total_score(clean).unwrap().error() > 0.01);
        let all_won = total_score([Pairs::new([0, 0, 0, 0, 20]).into(); 2]).unwrap();
        check(all_won.low, 0.911903, 1e-6);
    }

    /// An interval at the edge used to be one-sided: 0 of 40 was 0 to 7.2%.
    #[test]
    fn no_point_of_forty_games_or_pairs_is_0_to_8_8_percent() {
        for sample in [Sample::from(Wdl::new(0, 0, 40)), Pairs::new([40, 0, 0, 0, 0]).into()] {
            let none = score(sample).unwrap();
            assert_eq!((none.mean, none.low), (0.0, 0.0));
            check(none.high, 0.088097, 1e-6);
        }
    }

    /// One point more used to make the interval smaller: 1 of 40 ended at 7.3%.
    #[test]
    fn a_point_more_never_lowers_an_end() {
        for games in [5, 40, 100] {
            let ends = |wins: u64| {
                let found = score(Wdl::new(wins, 0, games - wins)).unwrap();
                assert!(0.0 <= found.low && found.low <= found.mean, "{wins} of {games}");
                assert!(found.mean <= found.high && found.high <= 1.0, "{wins} of {games}");
                found
            };
            for wins in 0..games.min(9) {
                let (one, two) = (ends(wins), ends(wins + 1));
                assert!(one.low <= two.low && one.high <= two.high, "{wins} of {games}");
            }
        }
        let quarter = score(Pairs::new([39, 1, 0, 0, 0])).unwrap();
        assert!(quarter.high > 0.0881, "{quarter:?}");
    }
}
