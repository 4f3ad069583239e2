//! How well a player mates an opponent who defends perfectly: games from one state, judged move by
//! move by endgame tables.

use super::{MeasureError, Run};
use monteverde_game::rng::stream_seed;
use monteverde_game::{Game, Outcome, Proof, Rng};
use monteverde_mcts::{Control, Limit, NoClock, Report, Signal};
use monteverde_players::{AnySearcher, AnyState, AnyStep, Overrides, Player, Settings, Spec};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long the player thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatingLimit {
    /// Iterations before the game.
    pub before: u64,
    /// Iterations before each of its moves.
    pub iterations: u64,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Hunt {
    /// Whether it ended in mate.
    pub mated: bool,
    /// Moves of the player.
    pub moves: u32,
    /// By how many moves its moves put the mate off, in all.
    pub difference: u32,
    /// Moves that kept the win, so that the tables have a distance to compare.
    pub judged: u32,
    /// Moves of the opponent that were not in the tree.
    pub collapses: u32,
    /// At the first move, the visits of each move in the tree, and how many of them ended in mate.
    pub first: Vec<(u32, u32)>,
}

/// Random numbers for the defence, apart from those of the player.
pub(super) const DEFENCE: u64 = 1;

/// Plays the games, one at a time on each thread.
pub(super) fn hunt(
    run: &Run<'_>,
    state: &AnyState,
    player: &str,
    thought: MatingLimit,
) -> Result<Vec<Hunt>, MeasureError> {
    let spec = Spec::read(state.game(), player)?.keeping();
    let oracle = state.game().searcher(&Settings { pieces: u32::MAX, ..Settings::default() });
    if !matches!(oracle.probe(state), Proof::Win(_)) {
        return Err(MeasureError::NotWon(state.state_text()));
    }
    let unit = |games: &mut Vec<(u64, Hunt)>, index: u64| {
        let seed = stream_seed(run.probe.seed, index);
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let spec = spec.clone().with(&overrides).expect("every seed is accepted");
        let mut player = spec.make(state);
        games.push((index, game(&mut *player, &oracle, thought, Rng::stream(seed, DEFENCE))));
    };
    let mut games = run.gather(1, unit, |all: &mut Vec<_>, part| all.extend(part));
    games.sort_by_key(|(index, _)| *index);
    Ok(games.into_iter().map(|(_, game)| game).collect())
}

/// One game, until it is over or the win is gone.
pub(super) fn game(
    player: &mut dyn Player<AnyState>,
    oracle: &AnySearcher,
    thought: MatingLimit,
    mut rng: Rng,
) -> Hunt {
    let mut game = Hunt::default();
    think(player, thought.before);
    loop {
        let Proof::Win(before) = oracle.probe(player.state()) else { return game };
        let report = think(player, thought.iterations);
        if game.moves == 0 {
            game.first = root_moves(&report);
        } else if report.figures.kept == 0 {
            game.collapses += 1;
        }
        player.play(report.best.expect("a state that is won has a move"));
        game.moves += 1;
        if let Proof::Loss(after) = oracle.probe(player.state()) {
            game.judged += 1;
            game.difference += u32::from((after + 1).saturating_sub(before)) / PLIES_A_MOVE;
        }
        if let Some(outcome) = player.state().outcome() {
            game.mated = outcome != Outcome::Draw;
            return game;
        }
        let reply = defend(player.state(), oracle, &mut rng);
        player.play(reply);
        if player.state().outcome().is_some() {
            return game;
        }
    }
}

const PLIES_A_MOVE: u32 = 2;

fn think(player: &mut dyn Player<AnyState>, iterations: u64) -> Report<AnyState> {
    let control = Control {
        clock: &NoClock,
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| (),
    };
    player.think(&Limit::iterations(iterations), control)
}

/// The visits of each move in the tree and the wins among them, which are exact where a draw counts
/// as a loss.
fn root_moves(report: &Report<AnyState>) -> Vec<(u32, u32)> {
    let tried = report.moves.iter().filter(|entry| entry.visits > 0);
    let wins = |visits: u32, mean: f64| (f64::from(visits) * (1.0 + mean) / 2.0).round() as u32;
    tried.map(|entry| (entry.visits, wins(entry.visits, entry.mean))).collect()
}

/// A move that puts the mate off as long as possible, or escapes it; of equals each with equal
/// probability.
fn defend(state: &AnyState, oracle: &AnySearcher, rng: &mut Rng) -> AnyStep {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let (mut best, mut longest, mut equals) = (moves[0], 0, 0);
    for &mv in &moves {
        let mut after = state.clone();
        after.play(mv);
        let plies = match oracle.probe(&after) {
            Proof::Win(plies) => u32::from(plies),
            Proof::Open | Proof::Draw | Proof::Loss(_) => u32::MAX,
        };
        if plies > longest {
            (best, longest, equals) = (mv, plies, 0);
        }
        if plies == longest {
            equals += 1;
            if rng.below(equals) == 0 {
                best = mv;
            }
        }
    }
    best
}
