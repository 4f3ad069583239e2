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

/// Independent units of play, each of which ends in one of a few classes of evenly spaced scores
/// from 0 to 1. Functions take `impl Into<Sample>`, so that a [`Wdl`] or [`Pairs`] can be handed in
/// as it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sample {
    /// Units of one game, three classes.
    Games(Wdl),
    /// Units of two games, five classes.
    Pairs(Pairs),
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
    /// What statistics of two players are to be made of: the pairs, if every game between the two
    /// belongs to a complete one, else the games.
    pub fn of(games: Wdl, pairs: Option<Pairs>) -> Sample {
        match pairs {
            Some(pairs) if pairs.games() == games.games() => pairs.into(),
            _ => games.into(),
        }
    }

    /// How many games one unit consists of.
    pub fn games_per_unit(self) -> f64 {
        match self {
            Sample::Games(_) => 1.0,
            Sample::Pairs(_) => 2.0,
        }
    }

    /// Number, mean and variance of the units' scores.
    pub fn moments(self) -> Moments {
        match self {
            Sample::Games(games) => moments(&[games.losses, games.draws, games.wins]),
            Sample::Pairs(pairs) => moments(&pairs.0),
        }
    }

    /// The same units for the opponent.
    pub fn reversed(self) -> Sample {
        match self {
            Sample::Games(games) => Sample::Games(games.reversed()),
            Sample::Pairs(pairs) => Sample::Pairs(pairs.reversed()),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

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
