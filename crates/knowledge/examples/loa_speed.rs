//! How fast the evaluation of Lines of Action is: states of random games, and all successors of
//! them.
#![allow(clippy::print_stdout)] // It is a program.

use monteverde_game::playout_knowledge::Tries;
use monteverde_game::{Game, Knowledge, Notation, PlayoutKnowledge, Rng};
use monteverde_knowledge::loa::LoaKnowledge;
use monteverde_loa::Loa;
use std::time::{Duration, Instant};

fn main() {
    let (states, known) = (states(2_000), LoaKnowledge::default());
    let count: usize = states.iter().map(|(_, moves)| moves.len()).sum();
    for _ in 0..ROUNDS {
        let (sum, single) =
            timed(|| states.iter().map(|(state, _)| known.eval(state).unwrap_or(0.0)).sum());
        let (mut after, mut list) = (Loa::start(), Vec::new());
        let (total, all) = timed(|| {
            let mut sum = 0.0;
            for (state, moves) in &states {
                list.clear();
                known.evals_up_to(state, Tries::all(moves), &mut after, &mut list);
                sum += list.iter().sum::<f32>().clamp(-1e6, 1e6);
            }
            sum
        });
        let (weight, weights) = timed(|| {
            let mut sum = 0.0;
            for (state, moves) in &states {
                list.clear();
                known.weights(state, moves, &mut list);
                sum += list.iter().sum::<f32>();
            }
            sum
        });
        println!(
            "eval {:.0} ns, a move of evals_up_to {:.0} ns, a move of weights {:.1} ns (sums {sum} {total} {weight})",
            nanoseconds(states.len(), single),
            nanoseconds(count, all),
            nanoseconds(count, weights)
        );
    }
}

const ROUNDS: usize = 5;
const REPEATS: usize = 50;

/// The result of doing it once, and the time of doing it [`REPEATS`] times.
fn timed(mut work: impl FnMut() -> f32) -> (f32, Duration) {
    let start = Instant::now();
    let results: Vec<f32> = (0..REPEATS).map(|_| std::hint::black_box(work())).collect();
    (results[0], start.elapsed())
}

fn nanoseconds(count: usize, time: Duration) -> f64 {
    time.as_nanos() as f64 / (count * REPEATS) as f64
}

/// States of random games with their moves, at most 40 plies from the start, so that many pieces
/// are left.
fn states(count: usize) -> Vec<(Loa, Vec<monteverde_loa::Move>)> {
    let mut rng = Rng::new(1);
    let mut states = Vec::new();
    while states.len() < count {
        let mut state = Loa::start();
        for _ in 0..40 {
            let Ok(mv) = state.sample(&mut rng) else { break };
            state.play(mv);
            let mut moves = Vec::new();
            state.moves(&mut moves);
            if state.outcome().is_none() {
                states.push((state.clone(), moves));
            }
        }
    }
    states
}
