//! Counts of results, and the moments that every other number is made of.

use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign};

/// Results of single games, for one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Wdl {
    /// Games the player won.
    pub wins: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games the player lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts in the order wins, draws, losses.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl { wins, draws, losses }
    }

    /// How many games there are.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points, a win 1 and a draw one half.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The same games for the opponent.
    pub fn reversed(self) -> Wdl {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Add for Wdl {
    type Output = Wdl;
    fn add(self, other: Wdl) -> Wdl {
        Wdl {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        *self = *self + other;
    }
}

/// Results of pairs of games from one opening with the sides swapped, for one player: `counts[h]`
/// pairs brought `h` half points, from 0 (both lost) to 4 (both won).
///
/// The two games of a pair are not independent, since an opening that favours one side brings a win
/// and a loss. Counting pairs keeps that dependence out of the error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts of pairs that brought 0, 1/2, 1, 3/2 and 2 points.
    pub fn new(counts: [u64; 5]) -> Pairs {
        Pairs(counts)
    }

    /// How many pairs there are.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// How many games there are, twice the pairs.
    pub fn games(self) -> u64 {
        2 * self.pairs()
    }

    /// Points, a won game 1 and a drawn one one half.
    pub fn points(self) -> f64 {
        let half_points: u64 = self.0.iter().zip(0..).map(|(&count, half)| count * half).sum();
        half_points as f64 / 2.0
    }

    /// The same pairs for the opponent.
    pub fn reversed(mut self) -> Pairs {
        self.0.reverse();
        self
    }
}

impl Add for Pairs {
    type Output = Pairs;
    fn add(mut self, other: Pairs) -> Pairs {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
        self
    }
}

/// Independent units of play, each of which ends in one of a few classes of evenly spaced scores
/// from 0 to 1. Functions take `impl Into<Sample>`, so that a [`Wdl`] or [`Pairs`] can be handed in
/// as it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sample {
    /// Units of one game, three classes.
    Games(Wdl),
    /// Units of two games, five classes.
    Pairs(Pairs),
    /// Units of both kinds: complete pairs, and games whose other game is missing.
    Mixed {
        /// The complete pairs.
        pairs: Pairs,
        /// The other games.
        rest: Wdl,
    },
}

impl From<Wdl> for Sample {
    fn from(games: Wdl) -> Sample {
        Sample::Games(games)
    }
}

impl From<Pairs> for Sample {
    fn from(pairs: Pairs) -> Sample {
        Sample::Pairs(pairs)
    }
}

impl Sample {
    /// What statistics are to be made of: the complete pairs, and the games that belong to none.
    ///
    /// Of several games that belong to no pair only the points are known, and they are taken for
    /// won and lost, with one draw at most: that makes the error rather too large than too small.
    pub fn of(games: Wdl, pairs: Option<Pairs>) -> Sample {
        let pairs = pairs.unwrap_or_default();
        if pairs.pairs() == 0 {
            return games.into();
        }
        let left = games.games().saturating_sub(pairs.games());
        let half_points = (2.0 * (games.points() - pairs.points())).max(0.0) as u64;
        let half_points = half_points.min(2 * left);
        let (wins, draws) = (half_points / 2, half_points % 2);
        Sample::from_parts(pairs, Wdl::new(wins, draws, left - wins - draws))
    }

    fn from_parts(pairs: Pairs, rest: Wdl) -> Sample {
        match (pairs.pairs(), rest.games()) {
            (0, _) => rest.into(),
            (_, 0) => pairs.into(),
            _ => Sample::Mixed { pairs, rest },
        }
    }

    fn parts(self) -> (Pairs, Wdl) {
        match self {
            Sample::Games(rest) => (Pairs::default(), rest),
            Sample::Pairs(pairs) => (pairs, Wdl::default()),
            Sample::Mixed { pairs, rest } => (pairs, rest),
        }
    }

    /// How many games one unit consists of; the mean where there are units of both kinds.
    pub fn games_per_unit(self) -> f64 {
        match self {
            Sample::Games(_) => 1.0,
            Sample::Pairs(_) => 2.0,
            Sample::Mixed { pairs, rest } => {
                (pairs.games() + rest.games()) as f64 / (pairs.pairs() + rest.games()) as f64
            }
        }
    }

    /// How many games there are.
    pub fn games(self) -> u64 {
        let (pairs, rest) = self.parts();
        pairs.games() + rest.games()
    }

    /// Number, mean and variance of the units' scores.
    pub fn moments(self) -> Moments {
        match self {
            Sample::Games(games) => moments(&[games.losses, games.draws, games.wins]),
            Sample::Pairs(pairs) => moments(&pairs.0),
            Sample::Mixed { pairs, rest } => mixed_moments(pairs, rest),
        }
    }

    /// The same units for the opponent.
    pub fn reversed(self) -> Sample {
        let (pairs, rest) = self.parts();
        Sample::from_parts(pairs.reversed(), rest.reversed())
    }
}

impl Add for Sample {
    type Output = Sample;
    fn add(self, other: Sample) -> Sample {
        let ((pairs, rest), (more_pairs, more_rest)) = (self.parts(), other.parts());
        Sample::from_parts(pairs + more_pairs, rest + more_rest)
    }
}

/// Number, mean and variance of the scores of a sample's units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moments {
    /// How many units there are.
    pub units: f64,
    /// The mean score in 0..=1; one half where there are no units.
    pub mean: f64,
    /// The mean squared distance from the mean, in 0..=1/4.
    pub variance: f64,
}

/// The moments of counts by class, lowest score first.
fn moments(counts: &[u64]) -> Moments {
    let units: u64 = counts.iter().sum();
    if units == 0 {
        return Moments { units: 0.0, mean: 0.5, variance: 0.0 };
    }
    // The mean is found in whole steps, so that a sample of one class has a variance of exactly 0.
    let top = (counts.len() - 1) as f64;
    let steps: u64 = counts.iter().zip(0..).map(|(&count, step)| count * step).sum();
    let mean_steps = steps as f64 / units as f64;
    let squares: f64 = counts
        .iter()
        .zip(0..)
        .map(|(&count, step)| count as f64 * (f64::from(step) - mean_steps).powi(2))
        .sum();
    let variance = squares / units as f64 / (top * top);
    Moments { units: units as f64, mean: mean_steps / top, variance }
}

/// The moments of pairs and games together. The mean is that of the games; the variance is such
/// that over the units it gives the standard error of that mean, with every unit weighed by its
/// games.
fn mixed_moments(pairs: Pairs, rest: Wdl) -> Moments {
    let games = (pairs.games() + rest.games()) as f64;
    let units = (pairs.pairs() + rest.games()) as f64;
    let mean = (pairs.points() + rest.points()) / games;
    let square = |points: f64, games: f64| (points - games * mean).powi(2);
    let of_pairs = pairs
        .0
        .iter()
        .zip(0..)
        .map(|(&count, half_points)| count as f64 * square(f64::from(half_points) / 2.0, 2.0));
    let of_rest = [(rest.losses, 0.0), (rest.draws, 0.5), (rest.wins, 1.0)];
    let of_rest = of_rest.into_iter().map(|(count, points)| count as f64 * square(points, 1.0));
    let squares: f64 = of_pairs.chain(of_rest).sum();
    // All won or all lost leaves no more than the rounding of the mean.
    let variance = if mean <= 0.0 || mean >= 1.0 { 0.0 } else { units * squares / games.powi(2) };
    Moments { units, mean, variance }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve pairs and a game used to be taken for 25 games that are independent.
    #[test]
    fn a_game_without_its_pair_leaves_the_others_in_pairs() {
        // Every pair is a win and a loss, which opening and side explain; one game is left.
        let pairs = Pairs::new([0, 0, 12, 0, 0]);
        let sample = Sample::of(Wdl::new(13, 0, 12), Some(pairs));
        assert_eq!(sample, Sample::Mixed { pairs, rest: Wdl::new(1, 0, 0) });
        let Moments { units, mean, variance } = sample.moments();
        assert_eq!((units, mean), (13.0, 13.0 / 25.0));
        // 12 (1 - 1.04)^2 + (1 - 0.52)^2 = 0.2496, of 25 games squared.
        assert!((variance / units - 0.2496 / 625.0).abs() < 1e-12, "{variance}");
        assert!((sample.games_per_unit() - 25.0 / 13.0).abs() < 1e-12);
        let back = sample.reversed().moments();
        assert!((back.variance - variance).abs() < 1e-12 && (back.mean - 0.48).abs() < 1e-12);
        assert_eq!(Sample::of(Wdl::new(12, 0, 12), Some(pairs)), pairs.into());
        assert_eq!(Sample::of(Wdl::new(1, 1, 0), None), Wdl::new(1, 1, 0).into());
        assert_eq!((sample + sample).moments().mean, mean);
    }

    #[test]
    fn a_sample_of_one_class_has_no_variance_at_all() {
        for units in [1, 3, 7, 1_000_003] {
            for class in 0..5 {
                let mut pairs = Pairs::default();
                pairs.0[class] = units;
                let moments = Sample::from(pairs).moments();
                assert_eq!(moments.variance, 0.0);
                assert_eq!(moments.mean, class as f64 / 4.0);
            }
        }
    }

    #[test]
    fn points_and_games_agree_between_games_and_pairs() {
        // Win and draw, win and loss, two losses.
        let pairs = Pairs::new([1, 0, 1, 1, 0]);
        let games = Wdl::new(2, 1, 3);
        assert_eq!(pairs.games(), games.games());
        assert_eq!(pairs.points(), games.points());
        assert_eq!(Sample::from(pairs).moments().mean, Sample::from(games).moments().mean);
        assert_eq!(games.reversed() + games, Wdl::new(5, 2, 5));
    }
}
