//! The sequential probability ratio test: play until the games decide between two Elo differences,
//! instead of fixing their number in advance.
//!
//! The log-likelihood ratio is the generalised one: each hypothesis fixes one number (the expected
//! score, or the normalised Elo), and stands for the distribution over the classes that fulfils it
//! and is most likely given the sample. The share of draws therefore needs no model.

use super::bayeselo::display_scale;
use super::elo::{NORMALISED_UNIT, score_of_elo};
use super::{Pairs, Sample, Wdl};
use serde::{Deserialize, Serialize};

/// What the two hypotheses of a test are measured in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloScale {
    /// Ordinary Elo, which fixes the expected score.
    Logistic,
    /// Elo in standard deviations, as [`super::normalised_elo`] gives it.
    Normalised,
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The games played so far do not decide.
    Continue,
    /// The lower difference is accepted.
    AcceptH0,
    /// The higher difference is accepted.
    AcceptH1,
}

/// A test of the hypothesis `elo0` against the higher `elo1`, both for the player whose wins the
/// sample counts as wins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SequentialTest {
    scale: EloScale,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why a test cannot be made.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum TestError {
    /// The hypotheses are out of order, too far out, or not numbers.
    #[error(
        "elo0 {elo0} and elo1 {elo1} do not make a test: elo0 < elo1 is needed, both in -{limit}..={limit}"
    )]
    Hypotheses {
        /// The lower hypothesis as given.
        elo0: f64,
        /// The higher hypothesis as given.
        elo1: f64,
        /// The largest difference that the scale takes.
        limit: f64,
    },
    /// An error rate is out of range.
    #[error("{name} is {rate}, but an error rate lies between 0 and 0.5, both excluded")]
    Rate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// The rate as given.
        rate: f64,
    },
}

impl SequentialTest {
    /// A test that accepts `elo1` wrongly with probability `alpha` and `elo0` wrongly with
    /// probability `beta`, both in 0..0.5. The hypotheses lie within 1000 Elo, or 200 normalised
    /// Elo: beyond that some samples have no distribution that fulfils them.
    pub fn new(
        scale: EloScale,
        [elo0, elo1]: [f64; 2],
        alpha: f64,
        beta: f64,
    ) -> Result<SequentialTest, TestError> {
        let limit = match scale {
            EloScale::Logistic => 1000.0,
            EloScale::Normalised => 200.0,
        };
        let inside = |elo: f64| (-limit..=limit).contains(&elo);
        if !(inside(elo0) && inside(elo1) && elo0 < elo1) {
            return Err(TestError::Hypotheses { elo0, elo1, limit });
        }
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(TestError::Rate { name, rate });
            }
        }
        Ok(SequentialTest { scale, elo0, elo1, alpha, beta })
    }

    /// What the hypotheses are measured in.
    pub fn scale(&self) -> EloScale {
        self.scale
    }

    /// The two hypotheses, the lower first.
    pub fn hypotheses(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The error rates: how likely the higher difference is accepted wrongly, and how likely the
    /// lower.
    pub fn rates(&self) -> [f64; 2] {
        [self.alpha, self.beta]
    }

    /// The log-likelihood ratios at which `elo0` (the first, negative) and `elo1` (the second,
    /// positive) are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of `elo1` to `elo0`: positive where the sample speaks for `elo1`. 0
    /// without games.
    pub fn llr(&self, sample: impl Into<Sample>) -> f64 {
        let sample = sample.into();
        // The constraint on the normalised scale is in deviations of a unit's score, not of a
        // game's.
        let unit = NORMALISED_UNIT / sample.games_per_unit().sqrt();
        match sample {
            Sample::Games(Wdl { wins, draws, losses }) => {
                self.llr_of_classes([losses, draws, wins], unit)
            }
            // The test is one of pairs: a game whose pair is not complete waits for it.
            Sample::Pairs(Pairs(counts)) | Sample::Mixed { pairs: Pairs(counts), .. } => {
                self.llr_of_classes(counts, unit)
            }
        }
    }

    /// The log-likelihood ratio that older match runners used for single games, to compare with
    /// them: BayesElo's model of wins, draws and losses, with half a game added to each class and
    /// the draw Elo taken from the sample. The hypotheses are read as ordinary Elo, whatever the
    /// test's scale.
    pub fn bayeselo_llr(&self, games: Wdl) -> f64 {
        let counts = [games.wins, games.draws, games.losses].map(|count| count as f64 + 0.5);
        let total: f64 = counts.iter().sum();
        let [win, _, loss] = counts.map(|count| count / total);
        let draw_elo = 200.0 * ((1.0 - win) / win * (1.0 - loss) / loss).log10();
        let scale = display_scale(draw_elo);
        // Far-off hypotheses can round a share to 0, whose logarithm would be infinite.
        let shares = |elo: f64| {
            let win = score_of_elo(elo / scale - draw_elo);
            let loss = score_of_elo(-elo / scale - draw_elo);
            [win, 1.0 - win - loss, loss].map(|share| share.max(f64::MIN_POSITIVE))
        };
        let (under0, under1) = (shares(self.elo0), shares(self.elo1));
        (0..3).map(|i| counts[i] * (under1[i] / under0[i]).ln()).sum()
    }

    /// Whether the sample decides the test.
    pub fn decide(&self, sample: impl Into<Sample>) -> Decision {
        self.decide_by(self.llr(sample))
    }

    /// Whether a log-likelihood ratio decides the test.
    pub fn decide_by(&self, llr: f64) -> Decision {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Decision::AcceptH1
        } else if llr <= lower {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }

    fn llr_of_classes<const N: usize>(&self, counts: [u64; N], unit: f64) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = counts.map(|count| if count == 0 { EMPTY_CLASS } else { count as f64 });
        let units: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / units);
        let nearest = |elo: f64| match self.scale {
            EloScale::Logistic => nearest_with_mean(&observed, score_of_elo(elo)),
            EloScale::Normalised => nearest_with_deviations(&observed, elo / unit),
        };
        let (under0, under1) = (nearest(self.elo0), nearest(self.elo1));
        let ratio = |i: usize| observed[i] * (under1[i] / under0[i]).ln();
        units * (0..N).map(ratio).sum::<f64>()
    }
}

/// What an empty class counts as, so that every class keeps a positive share.
const EMPTY_CLASS: f64 = 1e-3;

/// The score of class `i` of `N`.
fn class_score<const N: usize>(i: usize) -> f64 {
    i as f64 / (N - 1) as f64
}

/// The distribution with that mean, in 0..1, under which the observed one is most likely.
fn nearest_with_mean<const N: usize>(observed: &[f64; N], mean: f64) -> [f64; N] {
    nearest(observed, &std::array::from_fn(|i| class_score::<N>(i) - mean))
        .expect("a mean inside 0..1 has classes on both sides")
}

/// The distribution whose mean is `deviations` standard deviations above one half and under which
/// the observed one is most likely. The constraint is not linear; each round replaces it by its
/// tangent at the last distribution.
fn nearest_with_deviations<const N: usize>(observed: &[f64; N], deviations: f64) -> [f64; N] {
    const ROUNDS: usize = 100;
    const SETTLED: f64 = 1e-12;
    let mut shares = [1.0 / N as f64; N];
    for _ in 0..ROUNDS {
        let mean: f64 = (0..N).map(|i| shares[i] * class_score::<N>(i)).sum();
        let variance: f64 = (0..N).map(|i| shares[i] * (class_score::<N>(i) - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let tangent = std::array::from_fn(|i| {
            let distance = (class_score::<N>(i) - mean) / deviation;
            class_score::<N>(i) - 0.5 - 0.5 * deviations * deviation * (1.0 + distance * distance)
        });
        // Should a tangent leave all classes on one side, the last distribution is the answer.
        let Some(next) = nearest(observed, &tangent) else { break };
        let change = (0..N).map(|i| (next[i] - shares[i]).abs()).fold(0.0, f64::max);
        shares = next;
        if change < SETTLED {
            break;
        }
    }
    shares
}

/// The distribution with `sum shares * slope = 0` under which the observed one is most likely:
/// `observed / (1 + theta slope)`. `None` if no distribution can fulfil the constraint because the
/// slopes have one sign.
fn nearest<const N: usize>(observed: &[f64; N], slope: &[f64; N]) -> Option<[f64; N]> {
    let steepest = slope.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = slope.iter().copied().fold(f64::INFINITY, f64::min);
    if !(lowest < 0.0 && steepest > 0.0) {
        return None;
    }
    // Between -1/steepest and -1/lowest every share stays positive, and the sum falls from
    // +infinity to -infinity. So bisection cannot fail, and Newton's step is taken wherever it
    // stays inside. Theta is counted from the nearer of the two ends, where a share that is
    // hardly observed would lose its digits otherwise.
    const STEPS: usize = 200;
    let width = 1.0 / steepest - 1.0 / lowest;
    let sums = |end: f64, step: f64| {
        let ratios = (0..N).map(|i| (observed[i], slope[i] / factor(slope[i], end, step)));
        ratios.fold((0.0, 0.0), |(sum, derivative), (share, ratio)| {
            (sum + share * ratio, derivative - share * ratio * ratio)
        })
    };
    let is_upper = sums(steepest, 0.5 * width).0 > 0.0;
    let (end, mut low, mut high) =
        if is_upper { (lowest, -0.5 * width, 0.0) } else { (steepest, 0.0, 0.5 * width) };
    let mut step = 0.5 * (low + high);
    for _ in 0..STEPS {
        let (sum, derivative) = sums(end, step);
        if sum > 0.0 {
            low = step;
        } else {
            high = step;
        }
        let newton = step - sum / derivative;
        let next = if low < newton && newton < high { newton } else { 0.5 * (low + high) };
        let settled = (next - step).abs() <= 1e-15 * step.abs();
        step = next;
        if settled {
            break;
        }
    }
    Some(std::array::from_fn(|i| observed[i] / factor(slope[i], end, step)))
}

/// `1 + theta slope` for the theta that lies `step` above `-1 / end`.
fn factor(slope: f64, end: f64, step: f64) -> f64 {
    (1.0 - slope / end) + step * slope
}

#[cfg(test)]
#[path = "sprt_tests.rs"]
mod tests;
