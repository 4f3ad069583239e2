//! Weights by the least logistic loss, for the features of an evaluator.
//!
//! The loss of a state is `-r ln p - (1 - r) ln(1 - p)`, where `r` is the result of its game for
//! the side to move (1, 0.5, 0) and `p = 1 / (1 + exp(-v / UNIT))` what the value `v` lets one
//! expect. The loss is convex in the few weights that there are, so Newton's method finds the least
//! of it in some steps. Where no weight may be negative, each step goes to the least of Newton's
//! parabola among such weights. One game in ten is held back to judge the fit.

use super::records::Record;
use monteverde_game::Game;
use monteverde_knowledge::loa::{Evaluator, FEATURES, FINENESS, UNIT, features};
use monteverde_statistics::linear::{Cholesky, Matrix};

/// States with the results of their games, some to fit to and some held back.
pub(super) struct Fit {
    train: Vec<LabelledState>,
    test: Vec<LabelledState>,
}

/// A state and how its game ended.
struct LabelledState {
    features: [f64; FEATURES],
    /// 1.0, 0.5 or 0.0 for the side to move.
    result: f64,
}

/// Weights that were fitted, in points.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fitted {
    /// By feature, 0 for those that the evaluator does not have.
    pub(super) weights: [f64; FEATURES],
    /// The mean loss on the states held back.
    pub(super) loss: f64,
}

/// Which weights a fit may find.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Signs {
    /// Any.
    #[default]
    Any,
    /// None below 0: every feature is counted so that more of it was thought to be better.
    NonNegative,
}

/// How often the side ahead won by more than some points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Beyond {
    /// How many states there were.
    pub(super) states: usize,
    /// What part of their games the side ahead won, a draw being half a win.
    pub(super) won: f64,
}

/// One game in so many is held back.
const HELD_BACK: usize = 10;

/// More than Newton's method needs to converge to the last digit that matters.
const STEPS: usize = 25;

/// More than a parabola of so few weights needs until none of them changes by a digit that matters.
const SWEEPS: usize = 10_000;

/// Keeps weights of features that hardly occur near 0: a pull so weak that the others do not feel
/// it.
const PULL: f64 = 1e-6;

impl Fit {
    /// Of the states of games that ended, from `skip` plies after the start on.
    pub(super) fn new(records: &[Record], skip: usize) -> Fit {
        let mut fit = Fit { train: Vec::new(), test: Vec::new() };
        let ended = records.iter().filter(|record| record.outcome.is_some());
        for (game, record) in ended.enumerate() {
            let samples = if game % HELD_BACK == 0 { &mut fit.test } else { &mut fit.train };
            let Some(outcome) = record.outcome else { continue };
            let mut ply = 0;
            record.for_each(|state, _| {
                ply += 1;
                if ply > skip {
                    let result = f64::from(outcome.value_for(state.turn()) + 1) / 2.0;
                    let features = features(state.board()).map(f64::from);
                    samples.push(LabelledState { features, result });
                }
            });
        }
        fit
    }

    /// How many states it fits to, and how many are held back.
    pub(super) fn states(&self) -> [usize; 2] {
        [self.train.len(), self.test.len()]
    }

    /// The weights of the features that the evaluator has.
    pub(super) fn weights(&self, evaluator: Evaluator, signs: Signs) -> Fitted {
        let own: Vec<usize> = (0..FEATURES).filter(|&feature| evaluator.has(feature)).collect();
        let mut weights = [0.0; FEATURES];
        for _ in 0..STEPS {
            let parabola = self.parabola(&weights, &own);
            let mut values: Vec<f64> = own.iter().map(|&feature| weights[feature]).collect();
            match signs {
                Signs::Any => parabola.least(&mut values),
                Signs::NonNegative => parabola.least_non_negative(&mut values),
            }
            for (&feature, value) in own.iter().zip(values) {
                weights[feature] = value;
            }
        }
        Fitted { weights, loss: self.held_back_loss(&weights) }
    }

    /// The mean loss of any weights, in points, on the states held back.
    pub(super) fn held_back_loss(&self, weights: &[f64; FEATURES]) -> f64 {
        let loss = |sample: &LabelledState| {
            let chance = chance(sample.value(weights));
            -sample.result * libm::log(chance) - (1.0 - sample.result) * libm::log(1.0 - chance)
        };
        self.test.iter().map(loss).sum::<f64>() / self.test.len().max(1) as f64
    }

    /// How often the side that is ahead by at least so many points won, over all states.
    pub(super) fn beyond(&self, weights: &[f64; FEATURES], points: f64) -> Beyond {
        let mut beyond = Beyond { states: 0, won: 0.0 };
        for sample in self.train.iter().chain(&self.test) {
            let value = sample.value(weights);
            if value.abs() >= points {
                beyond.states += 1;
                beyond.won += if value > 0.0 { sample.result } else { 1.0 - sample.result };
            }
        }
        beyond.won /= beyond.states.max(1) as f64;
        beyond
    }

    /// The loss near these weights.
    fn parabola(&self, weights: &[f64; FEATURES], own: &[usize]) -> Parabola {
        let (mut slope, mut curvature) = ([0.0; FEATURES], [[0.0; FEATURES]; FEATURES]);
        for sample in &self.train {
            let chance = chance(sample.value(weights));
            let miss = (chance - sample.result) / UNIT;
            let bend = chance * (1.0 - chance) / (UNIT * UNIT);
            for &row in own {
                slope[row] += miss * sample.features[row];
                for &column in own {
                    curvature[row][column] += bend * sample.features[row] * sample.features[column];
                }
            }
        }
        let mut matrix = Matrix::zero(own.len());
        for (i, &row) in own.iter().enumerate() {
            for (j, &column) in own.iter().enumerate() {
                *matrix.at_mut(i, j) = curvature[row][column];
            }
            *matrix.at_mut(i, i) += PULL;
        }
        let slope = own.iter().map(|&row| slope[row] + PULL * weights[row]).collect();
        Parabola { slope, curvature: matrix }
    }
}

/// The loss near some weights, by its first and second derivatives there.
struct Parabola {
    slope: Vec<f64>,
    curvature: Matrix,
}

impl Parabola {
    /// Goes from where it touches the loss to its least.
    fn least(self, weights: &mut [f64]) {
        let Parabola { slope: mut step, curvature } = self;
        let curvature =
            Cholesky::new(curvature).expect("what pulls weights to 0 keeps it positive definite");
        curvature.solve(&mut step);
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight -= step;
        }
    }

    /// The same among weights that are not negative, one weight after the other, over and over.
    fn least_non_negative(&self, weights: &mut [f64]) {
        let mut slope = self.slope.clone();
        for _ in 0..SWEEPS {
            for row in 0..weights.len() {
                let new = (weights[row] - slope[row] / self.curvature.at(row, row)).max(0.0);
                let step = new - weights[row];
                weights[row] = new;
                for (column, slope) in slope.iter_mut().enumerate() {
                    *slope += step * self.curvature.at(column, row);
                }
            }
        }
    }
}

impl LabelledState {
    fn value(&self, weights: &[f64; FEATURES]) -> f64 {
        self.features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
    }
}

/// In whole parts of a point, as the evaluation has them.
pub(super) fn rounded(weights: &[f64; FEATURES]) -> [i32; FEATURES] {
    weights.map(|weight| (weight * f64::from(FINENESS)).round() as i32)
}

/// The chance to win, never quite certain.
fn chance(value: f64) -> f64 {
    const CERTAIN: f64 = 1e-9;
    (1.0 / (1.0 + libm::exp(-value / UNIT))).clamp(CERTAIN, 1.0 - CERTAIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States in which the first feature wins and the second loses, each nine times in ten.
    fn fit() -> Fit {
        let sample = |number: usize, own: f64, other: f64| {
            let mut features = [0.0; FEATURES];
            (features[0], features[1]) = (own, other);
            let wins = if number.is_multiple_of(10) { other > own } else { own > other };
            LabelledState { features, result: f64::from(u8::from(wins)) }
        };
        let train = (0..200).map(|number| match number % 2 {
            0 => sample(number / 2, 100.0, 0.0),
            _ => sample(number / 2, 0.0, 100.0),
        });
        Fit { train: train.collect(), test: Vec::new() }
    }

    #[test]
    fn weights_below_0_are_kept_at_0_and_the_others_are_the_best_beside_them() {
        let any = fit().weights(Evaluator::Mia2006, Signs::Any).weights;
        assert!(any[0] > 1.0 && any[1] < -1.0, "{any:?}");
        let some = fit().weights(Evaluator::Mia2006, Signs::NonNegative).weights;
        assert_eq!(some[1..], [0.0; FEATURES - 1]);
        // Beside a feature that decides nothing the other one is fitted as it was.
        assert!((some[0] - any[0]).abs() < 1e-3, "{some:?} {any:?}");
    }

    #[test]
    fn weights_that_are_positive_anyway_are_the_same_for_either_signs() {
        let mut fit = fit();
        fit.train.retain(|sample| sample.features[0] > 0.0);
        let [any, some] = [Signs::Any, Signs::NonNegative]
            .map(|signs| fit.weights(Evaluator::Mia2000, signs).weights);
        assert!(any[0] > 1.0 && any.iter().zip(some).all(|(any, some)| (any - some).abs() < 1e-6));
    }
}
