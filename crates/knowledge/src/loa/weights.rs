//! The weights of the evaluators.

use super::evaluate::FEATURES;
use super::fitted::{MIA_2000, MIA_2002, MIA_2006};
use super::tallies::Tally;
use super::values::Values;
use super::{fitted_monte_carlo, fitted_non_negative};
use monteverde_game::Side;

/// A weight for each feature, in [`FINENESS`] parts of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    pub(super) concentration: i32,
    pub(super) centralisation: i32,
    pub(super) centre: i32,
    pub(super) quads: i32,
    mobility: i32,
    walls: i32,
    pub(super) connectedness: i32,
    pub(super) uniformity: i32,
    pub(super) turn: i32,
}

/// Weights are counted in such parts of a point.
pub const FINENESS: i32 = 64;

/// The evaluators of the program MIA, by their year, and the last of them with other weights. Which
/// features each has is our reading, since the papers only name them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evaluator {
    /// Concentration, mobility, and the turn.
    Mia2000,
    /// Centralisation, the centre of mass and quads as well.
    Mia2002,
    /// All nine.
    #[default]
    Mia2006,
    /// All nine, with weights that were fitted to games of Monte-Carlo players alone: no alpha-beta
    /// player has had a hand in them.
    MonteCarlo,
    /// The same games, with weights of which none is negative.
    NonNegative,
}

impl Evaluator {
    /// All of them.
    pub const ALL: [Evaluator; 5] = [
        Evaluator::Mia2000,
        Evaluator::Mia2002,
        Evaluator::Mia2006,
        Evaluator::MonteCarlo,
        Evaluator::NonNegative,
    ];

    /// Those that differ by their features, with weights fitted to the same games.
    pub const BY_YEAR: [Evaluator; 3] =
        [Evaluator::Mia2000, Evaluator::Mia2002, Evaluator::Mia2006];

    /// Its weights.
    #[inline(always)]
    pub fn weights(self) -> &'static Weights {
        match self {
            Evaluator::Mia2000 => &MIA_2000,
            Evaluator::Mia2002 => &MIA_2002,
            Evaluator::Mia2006 => &MIA_2006,
            Evaluator::MonteCarlo => &fitted_monte_carlo::MIA_2006,
            Evaluator::NonNegative => &fitted_non_negative::MIA_2006,
        }
    }

    /// Its weights in tables.
    #[inline(always)]
    pub(super) fn values(self) -> &'static Values {
        match self {
            Evaluator::Mia2000 => &VALUES_2000,
            Evaluator::Mia2002 => &VALUES_2002,
            Evaluator::Mia2006 => &VALUES_2006,
            Evaluator::MonteCarlo => &VALUES_MONTE_CARLO,
            Evaluator::NonNegative => &VALUES_NON_NEGATIVE,
        }
    }

    /// Whether it has the feature of that number.
    pub fn has(self, feature: usize) -> bool {
        let last = match self {
            Evaluator::Mia2000 => return matches!(feature, 0 | 4 | 8),
            Evaluator::Mia2002 => 4,
            Evaluator::Mia2006 | Evaluator::MonteCarlo | Evaluator::NonNegative => FEATURES,
        };
        feature <= last || feature == 8
    }
}

static VALUES_2000: Values = Values::new(MIA_2000);
static VALUES_2002: Values = Values::new(MIA_2002);
static VALUES_2006: Values = Values::new(MIA_2006);
static VALUES_MONTE_CARLO: Values = Values::new(fitted_monte_carlo::MIA_2006);
static VALUES_NON_NEGATIVE: Values = Values::new(fitted_non_negative::MIA_2006);

impl Weights {
    /// The weights in the order of [`NAMES`](super::NAMES).
    pub const fn new(values: [i32; FEATURES]) -> Weights {
        let [
            concentration,
            centralisation,
            centre,
            quads,
            mobility,
            walls,
            connectedness,
            uniformity,
            turn,
        ] = values;
        Weights {
            concentration,
            centralisation,
            centre,
            quads,
            mobility,
            walls,
            connectedness,
            uniformity,
            turn,
        }
    }

    /// The weights in the order of [`NAMES`](super::NAMES).
    pub const fn values(&self) -> [i32; FEATURES] {
        [
            self.concentration,
            self.centralisation,
            self.centre,
            self.quads,
            self.mobility,
            self.walls,
            self.connectedness,
            self.uniformity,
            self.turn,
        ]
    }

    /// What the lines count for a side.
    #[inline(always)]
    pub(super) const fn of_tally(&self, tally: Tally, side: Side) -> i32 {
        self.mobility * tally.mobility(side) + self.walls * tally.walls(side)
    }

    /// In whole points, rounded towards 0, so that the value for one side is minus that for the
    /// other.
    #[inline(always)]
    pub(super) fn points(&self, sum: i32) -> i32 {
        sum / FINENESS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_not_negative_where_they_should_not_be() {
        let lowest = |evaluator: Evaluator| evaluator.weights().values().into_iter().min();
        assert_eq!(lowest(Evaluator::NonNegative), Some(0));
        assert!(lowest(Evaluator::MonteCarlo) < Some(0));
    }
}
