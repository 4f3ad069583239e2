//! Weights and curve by descending the logistic loss.
//!
//! The loss of a board is `-r ln p - (1 - r) ln(1 - p)`, where `r` is the result of its game for
//! White (1, 0.5, 0) and `p` the expected result by the value `v` for White: `1 / (1 + exp(-v /
//! unit))`. Weights descend by Adam over batches in random order; a small penalty for leaving the
//! weights set by hand decides about terms that hardly occur. One game in ten is held back, and the
//! weights that are best on those games are kept.

use super::games::{LabelledBoard, in_parallel};
use monteverde_game::Rng;
use monteverde_knowledge::chess::{Curve, GROUPS, TERMS, Weights};

/// The curve before anything is known.
pub(super) const START_CURVE: Curve = Curve { midgame: 200.0, endgame: 200.0 };

/// One game in so many is held back.
const HELD_BACK: u32 = 10;

/// How often the boards are gone through.
const EPOCHS: usize = 40;

/// Boards for each step.
const BATCH: usize = 16_384;

/// Batches are cut into so many parts for the threads; sums are taken in their order, so that the
/// number of threads changes nothing.
const PARTS: usize = 32;

/// Adam (Kingma and Ba, 2015) with the constants of its paper; the first rate is in centipawns a
/// step.
const FIRST_RATE: f64 = 2.0;
const LAST_RATE: f64 = 0.1;
const MEAN_DECAY: f64 = 0.9;
const SQUARE_DECAY: f64 = 0.999;
const TINY: f64 = 1e-8;

/// How far, in centipawns, weights may be expected to lie from those set by hand: a weight so far
/// away costs as much as half a unit of the loss on one board. Squares of a piece are compared
/// after a shift of the whole piece, so that its worth is free while neighbours stay alike.
const TRUST: f64 = 12.0;
const TRUST_OF_SQUARES: f64 = 5.0;

/// The mean worth of a pawn in the ending, which makes the unit of evaluation.
const PAWN: f64 = 100.0;

/// A group of so many terms is one of squares: half a board.
const SQUARES: usize = 32;

type Table = [[f32; 2]; TERMS];

/// Boards to fit to, and boards held back.
pub(super) struct Fit<'a> {
    train: Vec<&'a LabelledBoard>,
    test: Vec<&'a LabelledBoard>,
    threads: usize,
    seed: u64,
}

impl<'a> Fit<'a> {
    pub(super) fn new(samples: &'a [LabelledBoard], threads: usize, seed: u64) -> Fit<'a> {
        let (test, train) = samples.iter().partition(|sample| sample.game % HELD_BACK == 0);
        Fit { train, test, threads, seed }
    }

    pub(super) fn fitted(&self) -> usize {
        self.train.len()
    }

    pub(super) fn held_back(&self) -> usize {
        self.test.len()
    }

    /// The mean loss on the boards held back.
    pub(super) fn held_back_loss(&self, weights: &Weights, curve: Curve) -> f64 {
        let values = self.values(&self.test, &table(weights));
        mean_loss(&self.test, &values, curve)
    }

    /// The curve of the least loss for these weights.
    pub(super) fn curve(&self, weights: &Weights) -> Curve {
        let values = self.values(&self.train, &table(weights));
        let loss = |curve| mean_loss(&self.train, &values, curve);
        let unit = lowest(|unit| loss(Curve { midgame: unit, endgame: unit }));
        let mut curve = Curve { midgame: unit, endgame: unit };
        for _ in 0..CURVE_ROUNDS {
            curve.midgame = lowest(|midgame| loss(Curve { midgame, ..curve }));
            curve.endgame = lowest(|endgame| loss(Curve { endgame, ..curve }));
        }
        curve
    }

    /// The weights of the least loss, starting from `start`, in a unit in which a pawn is worth
    /// [`PAWN`].
    pub(super) fn weights(
        &self,
        start: &Weights,
        by_hand: &Weights,
        tell: &mut dyn FnMut(usize, usize),
    ) -> Weights {
        let anchor = table(by_hand);
        let mut descent = Descent::new(table(start));
        // Weights and the unit of the curve could grow together for ever, so the unit stays.
        let curve = self.curve(start);
        let mut best = (f64::INFINITY, descent.table);
        let mut order: Vec<&LabelledBoard> = self.train.clone();
        let mut rng = Rng::new(self.seed);
        for epoch in 0..EPOCHS {
            rng.shuffle(&mut order);
            let part = epoch as f64 / (EPOCHS - 1) as f64;
            let rate = FIRST_RATE * libm::pow(LAST_RATE / FIRST_RATE, part);
            for batch in order.chunks(BATCH) {
                let mut gradient = self.gradient(batch, &descent.table, curve);
                descent.pull(&mut gradient, &anchor, self.train.len());
                descent.step(&gradient, rate);
            }
            let values = self.values(&self.test, &descent.table);
            let loss = mean_loss(&self.test, &values, curve);
            if loss < best.0 {
                best = (loss, descent.table);
            }
            tell(epoch + 1, EPOCHS);
        }
        rounded(&best.1)
    }

    fn values(&self, samples: &[&LabelledBoard], table: &Table) -> Vec<f32> {
        let size = samples.len().div_ceil(PARTS).max(1);
        let parts: Vec<&[&LabelledBoard]> = samples.chunks(size).collect();
        let values = in_parallel(self.threads, parts.len(), |part| {
            parts[part].iter().map(|sample| sample.trace.value(table)).collect::<Vec<f32>>()
        });
        values.concat()
    }

    /// The mean gradient of the loss over a batch.
    fn gradient(&self, batch: &[&LabelledBoard], table: &Table, curve: Curve) -> Gradient {
        let parts: Vec<&[&LabelledBoard]> =
            batch.chunks(batch.len().div_ceil(PARTS).max(1)).collect();
        let gradients = in_parallel(self.threads, parts.len(), |part| {
            let mut gradient = vec![[0.0; 2]; TERMS];
            for sample in parts[part] {
                add_gradient(sample, table, curve, &mut gradient);
            }
            gradient
        });
        let mut sum = vec![[0.0; 2]; TERMS];
        for (total, part) in gradients.iter().flat_map(|gradient| (0..).zip(gradient)) {
            let entry: &mut [f64; 2] = &mut sum[total];
            entry[0] += part[0] / batch.len() as f64;
            entry[1] += part[1] / batch.len() as f64;
        }
        sum
    }
}

/// Coordinates of the curve are improved in turn so often.
const CURVE_ROUNDS: usize = 6;

type Gradient = Vec<[f64; 2]>;

fn add_gradient(sample: &LabelledBoard, table: &Table, curve: Curve, gradient: &mut Gradient) {
    let trace = &sample.trace;
    let tapered = trace.tapered(table);
    let scale = trace.scale_of(tapered);
    let value = tapered * scale + trace.rest;
    let unit = unit(curve, trace.phase);
    let miss = f64::from(chance(value, unit)) - f64::from(sample.result);
    let slope = miss / unit * f64::from(scale);
    let (midgame, endgame) = (f64::from(trace.phase), f64::from(1.0 - trace.phase));
    for &(term, count) in &trace.terms {
        let entry = &mut gradient[usize::from(term)];
        entry[0] += slope * midgame * f64::from(count);
        entry[1] += slope * endgame * f64::from(count);
    }
}

/// A point on its way down.
struct Descent {
    table: Table,
    means: Gradient,
    squares: Gradient,
    steps: i32,
}

impl Descent {
    fn new(table: Table) -> Descent {
        let zero = vec![[0.0; 2]; TERMS];
        Descent { table, means: zero.clone(), squares: zero, steps: 0 }
    }

    /// Adds the pull towards the weights set by hand.
    fn pull(&self, gradient: &mut Gradient, anchor: &Table, samples: usize) {
        for group in GROUPS {
            let is_of_squares = group.len == SQUARES;
            let trust = if is_of_squares { TRUST_OF_SQUARES } else { TRUST };
            let strength = 1.0 / (trust * trust * samples as f64);
            for half in 0..2 {
                let terms = group.start..group.start + group.len;
                let distance = |term: usize| f64::from(self.table[term][half] - anchor[term][half]);
                let shift = match is_of_squares {
                    true => terms.clone().map(distance).sum::<f64>() / SQUARES as f64,
                    false => 0.0,
                };
                for term in terms {
                    gradient[term][half] += strength * (distance(term) - shift);
                }
            }
        }
    }

    fn step(&mut self, gradient: &Gradient, rate: f64) {
        self.steps += 1;
        let mean_part = 1.0 - libm::pow(MEAN_DECAY, f64::from(self.steps));
        let square_part = 1.0 - libm::pow(SQUARE_DECAY, f64::from(self.steps));
        for (term, entry) in gradient.iter().enumerate() {
            for (half, slope) in entry.iter().enumerate() {
                let mean = &mut self.means[term][half];
                *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
                let square = &mut self.squares[term][half];
                *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
                let size = (*square / square_part).sqrt() + TINY;
                self.table[term][half] -= (rate * *mean / mean_part / size) as f32;
            }
        }
    }
}

/// The weights in whole centipawns, in a unit in which a pawn in the ending is worth [`PAWN`].
fn rounded(table: &Table) -> Weights {
    let pawn = GROUPS.iter().find(|group| group.name == "PAWN").expect("pawns have weights");
    // Without the first and the last rank.
    let squares = &table[pawn.start + 4..pawn.start + pawn.len - 4];
    let mean =
        squares.iter().map(|weight| f64::from(weight[1])).sum::<f64>() / squares.len() as f64;
    let whole = |value: f32| (f64::from(value) * PAWN / mean).round() as i16;
    Weights::new(&table.map(|[midgame, endgame]| (whole(midgame), whole(endgame))))
}

fn table(weights: &Weights) -> Table {
    weights.values().map(|(midgame, endgame)| [f32::from(midgame), f32::from(endgame)])
}

fn mean_loss(samples: &[&LabelledBoard], values: &[f32], curve: Curve) -> f64 {
    let losses = samples.iter().zip(values).map(|(sample, &value)| {
        let chance = f64::from(chance(value, unit(curve, sample.trace.phase)));
        let result = f64::from(sample.result);
        -result * libm::log(chance) - (1.0 - result) * libm::log(1.0 - chance)
    });
    losses.sum::<f64>() / samples.len().max(1) as f64
}

fn unit(curve: Curve, phase: f32) -> f64 {
    curve.endgame + (curve.midgame - curve.endgame) * f64::from(phase)
}

/// The expected result for White, never quite certain.
fn chance(value: f32, unit: f64) -> f32 {
    const CERTAIN: f64 = 1e-6;
    (1.0 / (1.0 + libm::exp(-f64::from(value) / unit))).clamp(CERTAIN, 1.0 - CERTAIN) as f32
}

/// Where a function with one valley is lowest among the possible units of a curve, by golden
/// section.
fn lowest(f: impl Fn(f64) -> f64) -> f64 {
    const RANGE: (f64, f64) = (20.0, 2_000.0);
    const STEPS: usize = 24;
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = RANGE;
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..STEPS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = f(right);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_chess::{Board, Chess};
    use monteverde_game::Game;
    use monteverde_knowledge::chess::{plain, trace};

    /// Boards of random games with results drawn by a known evaluation: the fit must come closer to
    /// it than where it starts, on boards that it has not seen.
    #[test]
    fn a_known_evaluation_is_found_again() {
        let truth = plain();
        let curve = Curve { midgame: 150.0, endgame: 150.0 };
        let mut rng = Rng::new(5);
        let mut samples = Vec::new();
        for game in 0..2_000 {
            let mut state = Chess::new(Board::start());
            for _ in 0..10 + rng.below(100) {
                let Ok(mv) = state.sample(&mut rng) else { break };
                state.play(mv);
            }
            let trace = trace(state.board());
            let chance = chance(trace.value(&table(&truth)), unit(curve, trace.phase));
            let result = if rng.unit() < f64::from(chance) { 1.0 } else { 0.0 };
            samples.push(LabelledBoard { trace, result, game });
        }
        let fit = Fit::new(&samples, 2, 1);
        assert_eq!(fit.held_back(), 200);
        let worthless = Weights::new(&truth.values().map(|(m, e)| (m / 4 + 40, e / 2 - 20)));
        let before = fit.held_back_loss(&worthless, fit.curve(&worthless));
        let fitted = fit.weights(&worthless, &worthless, &mut |_, _| {});
        let after = fit.held_back_loss(&fitted, fit.curve(&fitted));
        let best = fit.held_back_loss(&truth, curve);
        assert!(
            after < before && before - after > (before - best) / 4.0,
            "{before} {after} {best}"
        );
    }

    #[test]
    fn the_curve_of_the_truth_is_found() {
        let lowest = lowest(|unit| (unit - 321.0) * (unit - 321.0));
        assert!((lowest - 321.0).abs() < 0.1, "{lowest}");
    }
}
