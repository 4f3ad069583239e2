//! Ratings of many players at once by the model of Coulom's BayesElo, which the papers use.
//!
//! With D the rating of the first side minus that of the second and `f(x) = 1 / (1 + 10^(x/400))`,
//! the first side wins with probability `f(-D - advantage + draw)`, the second with `f(D +
//! advantage + draw)`, and the rest are draws. A prior of a few virtual draws against each player's
//! actual opponents keeps every rating finite. The ratings are the most likely ones; their errors
//! come from the curvature of the likelihood there.

mod fit;
mod own;

pub use own::{FEWEST, pair_effect, rate_own};

use super::elo::normal_share;
use super::linear::Matrix;
use super::{Estimate, Interval, Wdl, Z95};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rates the players of a table, holding the model's two Elo parameters fixed or fitting them too.
///
/// Players who are linked by no chain of games cannot be compared; each such group is rated by
/// itself, with a mean of 0.
pub fn rate(
    table: &Crosstable,
    model: Model,
    fit: Fit,
    precision: Precision,
) -> Result<Ratings, ModelError> {
    model.check()?;
    Ok(fit::rate(table, model, fit, precision))
}

/// Results between numbered players, by who had the first move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Crosstable {
    players: usize,
    cells: BTreeMap<(usize, usize), Wdl>,
}

impl Crosstable {
    /// A table without games for players `0..players`.
    pub fn new(players: usize) -> Crosstable {
        Crosstable { players, cells: BTreeMap::new() }
    }

    /// Adds games, counted for the player `first` who had the first move in all of them.
    ///
    /// # Panics
    /// If a player is not in the table, or plays against itself.
    pub fn add(&mut self, first: usize, second: usize, games: Wdl) {
        assert!(first < self.players && second < self.players, "{first}-{second}: no such player");
        assert_ne!(first, second, "a player has no games against itself");
        if games.games() > 0 {
            *self.cells.entry((first, second)).or_default() += games;
        }
    }

    /// How many players there are, with or without games.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The games between two players, counted for `player`, whoever had the first move.
    pub fn between(&self, player: usize, opponent: usize) -> Wdl {
        let cell = |first, second| self.cells.get(&(first, second)).copied().unwrap_or_default();
        cell(player, opponent) + cell(opponent, player).reversed()
    }

    /// All games of a player, counted for it.
    pub fn total(&self, player: usize) -> Wdl {
        self.cells.iter().fold(Wdl::default(), |sum, (&(first, second), &games)| {
            if first == player {
                sum + games
            } else if second == player {
                sum + games.reversed()
            } else {
                sum
            }
        })
    }
}

/// The parameters of the model. The default is that of BayesElo, found on chess games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Model {
    /// What having the first move is worth in Elo, within ±1000.
    pub advantage: f64,
    /// How wide the margin is in which games are drawn, in Elo, in 0..=1000.
    pub draw: f64,
    /// How many virtual draws stand for what is believed before any game, above 0 and at most
    /// 1000.
    pub prior: f64,
}

impl Default for Model {
    fn default() -> Model {
        Model { advantage: 32.8, draw: 97.3, prior: 2.0 }
    }
}

/// A parameter of a model that is out of range.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the {name} of a rating model is {value}, but {accepted} is accepted")]
pub struct ModelError {
    /// The field of [`Model`].
    pub name: &'static str,
    /// Its value as given.
    pub value: f64,
    /// What would have been accepted.
    pub accepted: &'static str,
}

impl Model {
    fn check(&self) -> Result<(), ModelError> {
        let Model { advantage, draw, prior } = *self;
        let checks = [
            ("advantage", advantage, advantage.abs() <= LIMIT, "-1000 to 1000"),
            ("draw", draw, (0.0..=LIMIT).contains(&draw), "0 to 1000"),
            ("prior", prior, prior > 0.0 && prior <= LIMIT, "more than 0, up to 1000"),
        ];
        match checks.into_iter().find(|&(_, _, fine, _)| !fine) {
            Some((name, value, _, accepted)) => Err(ModelError { name, value, accepted }),
            None => Ok(()),
        }
    }
}

/// How far the model's parameters may go, given or fitted, in Elo or in draws.
const LIMIT: f64 = 1000.0;

/// Which of the model's parameters are fitted to the games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fit {
    /// None: both stay as given.
    #[default]
    Nothing,
    /// The advantage of the first move.
    Advantage,
    /// The margin of draws.
    Draw,
    /// Both.
    Both,
}

/// When the search for the most likely ratings stops.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// Where BayesElo stops: once a round changes no strength by more than a relative 2e-5. Within
    /// about a hundredth of an Elo of the maximum where most players have met, and equal to that
    /// program in more digits than it prints.
    #[default]
    AsBayesElo,
    /// At the maximum, also where players are linked by long chains of games only.
    Exact,
}

/// The ratings of a table's players.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    model: Model,
    /// Unscaled, with a mean of 0 in each group.
    elo: Vec<f64>,
    /// Unscaled; 0 between groups.
    covariance: Matrix,
    group: Vec<usize>,
    games: Vec<u64>,
}

impl Ratings {
    /// The model with its fitted parameters.
    pub fn model(&self) -> Model {
        self.model
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.elo.len()
    }

    /// The rating with its 95% interval on the displayed scale, relative to the mean of the
    /// player's group. [`Estimate::Unknown`] for a player without games.
    pub fn elo(&self, player: usize) -> Estimate {
        if self.games[player] == 0 {
            return Estimate::Unknown;
        }
        self.displayed(self.elo[player], self.covariance.at(player, player))
    }

    /// By how much a player is rated above another, with the 95% interval of the difference, on the
    /// displayed scale. [`Estimate::Unknown`] if no chain of games links them.
    pub fn difference(&self, player: usize, opponent: usize) -> Estimate {
        if !self.comparable(player, opponent) {
            return Estimate::Unknown;
        }
        let difference = self.elo[player] - self.elo[opponent];
        self.displayed(difference, self.variance_between(player, opponent))
    }

    /// The probability that a player is stronger than another, in 0..=1. `None` for a player and
    /// itself and if no chain of games links the two.
    pub fn los(&self, player: usize, opponent: usize) -> Option<f64> {
        if player == opponent || !self.comparable(player, opponent) {
            return None;
        }
        let difference = self.elo[player] - self.elo[opponent];
        Some(normal_share(difference / self.variance_between(player, opponent).sqrt()))
    }

    /// [`Ratings::los`] with what it would be at the ends of the 95% interval of the difference:
    /// what to expect of the same match played again.
    pub fn los_interval(&self, player: usize, opponent: usize) -> Interval {
        let Some(value) = self.los(player, opponent) else { return Interval::default() };
        let difference = self.elo[player] - self.elo[opponent];
        let deviations = difference / self.variance_between(player, opponent).sqrt();
        let end = |shift: f64| Some(normal_share(deviations + shift));
        Interval { value: Some(value), low: end(-Z95), high: end(Z95) }
    }

    /// [`Ratings::los`] as tables print it: a percentage without its decimals, never rounded up.
    pub fn los_percent(&self, player: usize, opponent: usize) -> Option<u32> {
        self.los(player, opponent).map(|los| (100.0 * los) as u32)
    }

    /// Whether a chain of games links two players.
    pub fn comparable(&self, player: usize, opponent: usize) -> bool {
        self.group[player] == self.group[opponent]
    }

    /// The rating in the model's own unit, without error; [`Ratings::elo`] is this times the
    /// displayed scale.
    pub fn unscaled(&self, player: usize) -> f64 {
        self.elo[player]
    }

    /// What ratings are multiplied with for display.
    pub fn scale(&self) -> f64 {
        display_scale(self.model.draw)
    }

    fn variance_between(&self, player: usize, opponent: usize) -> f64 {
        let covariance = &self.covariance;
        let sum = covariance.at(player, player) + covariance.at(opponent, opponent);
        (sum - 2.0 * covariance.at(player, opponent)).max(0.0)
    }

    fn displayed(&self, elo: f64, variance: f64) -> Estimate {
        let value = elo * self.scale();
        let error = Z95 * variance.sqrt() * self.scale();
        Estimate::Value { value, low: value - error, high: value + error }
    }
}

/// What an Elo difference in the model is multiplied with to agree, near 0, with the Elo difference
/// that its expected score stands for: in the model a wide margin of draws flattens the score.
pub(crate) fn display_scale(draw: f64) -> f64 {
    let x = 10f64.powf(-draw / 400.0);
    4.0 * x / (1.0 + x).powi(2)
}

#[cfg(test)]
mod tests;
