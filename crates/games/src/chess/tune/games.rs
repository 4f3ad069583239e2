//! The games that weights are tuned on.

use super::rounds::Plan;
use super::search::Searcher;
use monteverde_chess::{Board, Chess, Color};
use monteverde_game::{Game, Outcome, Rng, Side};
use monteverde_knowledge::chess::{Trace, Weights, trace};
use monteverde_statistics::Wdl;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A board and how its game ended.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LabelledBoard {
    /// The terms of the board.
    pub(super) trace: Trace,
    /// The result for White: 1.0, 0.5 or 0.0.
    pub(super) result: f32,
    /// The number of its game.
    pub(super) game: u32,
}

/// The boards of a round.
pub(super) struct Collected {
    pub(super) samples: Vec<LabelledBoard>,
    /// How the games ended, for White.
    pub(super) results: Wdl,
}

/// Random plies from the start, at least, and how many more at most.
const RANDOM_PLIES: (u32, u32) = (6, 6);

/// An opening is taken if neither side is seen to be ahead by more centipawns: what decides a game
/// that begins even is what there is to learn.
const BALANCED: i32 = 120;

/// One in so many boards of a game is taken, if it is quiet: neighbours are much alike.
const THINNING: u32 = 12;

/// A game is won when both players have seen such a value, in centipawns, so many plies in a row.
const DECIDED: (i32, u32) = (1_200, 6);

/// A game that lasts so many plies is drawn.
const LONGEST: u32 = 300;

/// Games that are played between two looks at the number of boards. It decides where the boards
/// end, so it must not depend on the number of threads.
const BATCH: usize = 64;

/// Plays games with the weights until there are enough boards.
pub(super) fn collect(
    plan: &Plan,
    seed: u64,
    weights: &Weights,
    tell: &mut dyn FnMut(usize),
) -> Collected {
    let mut collected = Collected { samples: Vec::new(), results: Wdl::default() };
    let mut next = 0;
    while collected.samples.len() < plan.positions {
        let games = in_parallel(plan.threads, BATCH, |index| {
            let game = next + index as u32;
            play_and_note(plan.depth, weights, &mut Rng::stream(seed, u64::from(game)), game)
        });
        next += BATCH as u32;
        for (samples, outcome) in games {
            collected.samples.extend(samples);
            note(&mut collected.results, outcome, Side::First);
        }
        tell(collected.samples.len());
    }
    collected
}

/// Plays a match of the first weights against the second, each opening with both colours. The
/// result is for the first.
pub(super) fn check(plan: &Plan, weights: [&Weights; 2], tell: &mut dyn FnMut(usize)) -> Wdl {
    let mut results = Wdl::default();
    let mut done = 0;
    while done < plan.games as usize {
        let count = BATCH.min(plan.games as usize - done);
        let outcomes = in_parallel(plan.threads, count, |index| {
            let game = done + index;
            // No round has this number, so these openings are none that were learnt from.
            let mut rng = Rng::stream(plan.seed, CHECK_STREAM + game as u64 / 2);
            let state = opening(&mut Searcher::new(weights[1], plan.depth), &mut rng);
            let sides = if game.is_multiple_of(2) { weights } else { [weights[1], weights[0]] };
            play(state, sides.map(|w| Searcher::new(w, plan.depth)), &mut rng, &mut |_, _| {})
        });
        for (index, outcome) in outcomes.into_iter().enumerate() {
            let is_first = (done + index).is_multiple_of(2);
            note(&mut results, outcome, if is_first { Side::First } else { Side::Second });
        }
        done += count;
        tell(done);
    }
    results
}

const CHECK_STREAM: u64 = 1 << 32;

fn note(results: &mut Wdl, outcome: Outcome, side: Side) {
    match outcome.value_for(side) {
        1 => results.wins += 1,
        0 => results.draws += 1,
        _ => results.losses += 1,
    }
}

fn play_and_note(
    depth: u32,
    weights: &Weights,
    rng: &mut Rng,
    game: u32,
) -> (Vec<LabelledBoard>, Outcome) {
    let mut judge = Searcher::new(weights, depth);
    let state = opening(&mut judge, rng);
    let players = [weights; 2].map(|weights| Searcher::new(weights, depth));
    let mut samples = Vec::new();
    let outcome = play(state, players, rng, &mut |board, rng| {
        if rng.below(THINNING) == 0 && judge.is_quiet(board) {
            samples.push(LabelledBoard { trace: trace(board), result: 0.0, game });
        }
    });
    for sample in &mut samples {
        sample.result = (outcome.value_for(Side::First) + 1) as f32 / 2.0;
    }
    (samples, outcome)
}

/// Plays a game, White's player first, and shows each board that a player has to think about.
fn play(
    mut state: Chess,
    mut players: [Searcher<'_>; 2],
    rng: &mut Rng,
    see: &mut dyn FnMut(&Board, &mut Rng),
) -> Outcome {
    // For how many plies in a row White, and Black, has been seen to win.
    let mut decided = [0; 2];
    for _ in 0..LONGEST {
        if let Some(outcome) = state.outcome() {
            return outcome;
        }
        see(state.board(), rng);
        let turn = state.board().turn();
        let choice = players[turn.index()].choose(&state, rng);
        let white = if turn == Color::White { choice.value } else { -choice.value };
        for (side, value) in [(Side::First, white), (Side::Second, -white)] {
            let plies = &mut decided[usize::from(side == Side::Second)];
            *plies = if value >= DECIDED.0 { *plies + 1 } else { 0 };
            if *plies >= DECIDED.1 {
                return Outcome::Win(side);
            }
        }
        state.play(choice.mv);
    }
    Outcome::Draw
}

/// A random opening that the player takes for balanced.
fn opening(judge: &mut Searcher<'_>, rng: &mut Rng) -> Chess {
    loop {
        let mut state = Chess::new(Board::start());
        for _ in 0..RANDOM_PLIES.0 + rng.below(RANDOM_PLIES.1 + 1) {
            if let Ok(mv) = state.sample(rng) {
                state.play(mv);
            }
        }
        if state.outcome().is_none() && judge.choose(&state, rng).value.abs() <= BALANCED {
            return state;
        }
    }
}

/// Does jobs `0..count` on several threads and returns the results in the order of the jobs.
pub(super) fn in_parallel<T: Send>(
    threads: usize,
    count: usize,
    job: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(count));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let result = job(index);
                    results.lock().expect("no job panics").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no job panics");
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}
