//! The tuner: fits the weights of an evaluation to the results of games that it plays with them.
//!
//! A round plays games with the weights of the round before, writes down boards of them with the
//! game's result, and fits all weights to these by descending the logistic loss; the first round
//! starts from weights set by hand. What comes out depends on the [`Plan`] alone, not on the number
//! of threads.

use super::fit::{self, Fit};
use super::games;
use monteverde_game::rng::stream_seed;
use monteverde_knowledge::chess::{Curve, Weights, plain};
use monteverde_statistics::Wdl;
use std::time::{Duration, Instant};

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// How many boards a round collects, at least.
    pub(super) positions: usize,
    /// How many rounds; with none the weights are those set by hand, and only the curve is fitted.
    pub(super) rounds: u32,
    /// How many plies the players look ahead before they only capture, at least 1.
    pub(super) depth: u32,
    /// How many games the result plays against the weights set by hand.
    pub(super) games: u32,
    /// Where all randomness comes from.
    pub(super) seed: u64,
    /// How many threads work.
    pub(super) threads: usize,
}

/// What a round is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// It plays and has so many boards.
    Collecting,
    /// It fits and has gone through the boards so many times.
    Fitting,
    /// The result plays against the weights set by hand and has finished so many games.
    Checking,
}

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    /// The round, from 1.
    pub(super) round: u32,
    /// What it is doing.
    pub(super) stage: Stage,
    /// How much of it is done.
    pub(super) done: usize,
    /// How much there is to do.
    pub(super) all: usize,
}

/// What a round did.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Round {
    /// How many games it played, and how they ended for White.
    pub(super) games: Wdl,
    /// On how many boards the weights were fitted.
    pub(super) fitted: usize,
    /// How many boards, of other games, were held back.
    pub(super) held_back: usize,
    /// The mean loss on the boards held back: by the weights and the curve before, and after.
    pub(super) before: f64,
    /// See `before`.
    pub(super) after: f64,
    /// How long it took.
    pub(super) elapsed: Duration,
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tuned {
    /// The weights.
    pub(super) weights: Weights,
    /// From their values to results.
    pub(super) curve: Curve,
    /// What each round did.
    pub(super) rounds: Vec<Round>,
    /// How the weights did against those set by hand, both looking [`Plan::depth`] plies ahead.
    pub(super) check: Wdl,
}

/// Tunes the evaluation of chess. `observe` sees the progress, on the calling thread.
pub(super) fn tune(plan: &Plan, observe: &mut dyn FnMut(Progress)) -> Tuned {
    let by_hand = plain();
    let mut weights = by_hand.clone();
    let mut curve = fit::START_CURVE;
    let mut rounds = Vec::new();
    // Without rounds there are still games for the curve.
    for round in 1..=plan.rounds.max(1) {
        let start = Instant::now();
        let mut tell = |stage, done, all| observe(Progress { round, stage, done, all });
        let seed = stream_seed(plan.seed, u64::from(round));
        let collected = games::collect(plan, seed, &weights, &mut |done| {
            tell(Stage::Collecting, done.min(plan.positions), plan.positions);
        });
        let fit = Fit::new(&collected.samples, plan.threads, stream_seed(seed, u64::MAX));
        let curve_before = fit.curve(&weights);
        let before = fit.held_back_loss(&weights, curve_before);
        if plan.rounds > 0 {
            let mut tell = |done, all| tell(Stage::Fitting, done, all);
            weights = fit.weights(&weights, &by_hand, &mut tell);
        }
        curve = fit.curve(&weights);
        let after = fit.held_back_loss(&weights, curve);
        rounds.push(Round {
            games: collected.results,
            fitted: fit.fitted(),
            held_back: fit.held_back(),
            before,
            after,
            elapsed: start.elapsed(),
        });
    }
    let mut tell = |done| {
        let (round, all) = (plan.rounds, plan.games as usize);
        observe(Progress { round, stage: Stage::Checking, done, all });
    };
    let check = games::check(plan, [&weights, &by_hand], &mut tell);
    Tuned { weights, curve, rounds, check }
}

#[cfg(test)]
mod tests {
    use super::super::source::source;
    use super::*;
    use monteverde_knowledge::chess::{CURVE, TUNED};

    #[test]
    fn the_result_does_not_depend_on_the_number_of_threads() {
        let tuned = |threads| {
            let plan = Plan { positions: 600, rounds: 2, depth: 1, games: 10, seed: 7, threads };
            let mut stages = Vec::new();
            let tuned = tune(&plan, &mut |progress| {
                assert!(progress.done <= progress.all, "{progress:?}");
                stages.push((progress.round, progress.stage));
            });
            stages.dedup();
            assert_eq!(stages.len(), 5, "{stages:?}");
            (tuned.weights, tuned.curve, tuned.check)
        };
        let alone = tuned(1);
        assert_eq!(tuned(3), alone);
        assert_eq!(alone.2.games(), 10);
        assert_ne!(alone.0, plain());
    }

    #[test]
    fn without_rounds_the_weights_are_those_set_by_hand() {
        let plan = Plan { positions: 100, rounds: 0, depth: 1, games: 2, seed: 7, threads: 1 };
        let tuned = tune(&plan, &mut |_| {});
        assert_eq!(tuned.weights, plain());
        assert_eq!(tuned.rounds.len(), 1);
        assert_eq!(tuned.rounds[0].before, tuned.rounds[0].after);
        // The same player with both colours, from the same opening.
        assert_eq!(tuned.check.games(), 2);
    }

    /// What the evaluation is compiled with is what the tuner writes.
    #[test]
    fn the_compiled_weights_are_a_written_file() {
        const FILE: &str = include_str!("../../../../knowledge/src/chess/weights.rs");
        let about: Vec<&str> =
            FILE.lines().skip(2).map_while(|line| line.strip_prefix("//! ")).collect();
        assert!(!about.is_empty());
        assert_eq!(source(&TUNED, CURVE, &about.join("\n")), FILE);
    }
}
