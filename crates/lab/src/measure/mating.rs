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

/// How a game against a perfect defence goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MatingRules {
    /// Which of equally long defences is played.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ties: DefenceTies,
    /// When it is over.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ends: MatingEnd,
}

/// Which of several equally long defences is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefenceTies {
    /// Each with equal probability.
    #[default]
    Random,
    /// The first in generation order: of a lone king the first target square, from a1 on rank by
    /// rank.
    First,
    /// The last in generation order.
    Last,
}

/// When a game against a perfect defence is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatingEnd {
    /// By the rules of the game, or when the win is gone.
    #[default]
    WinGone,
    /// By the rules that the player plays by, see [`Player::outcome`].
    PlayersRules,
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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
    /// Of moves that gave the win away: how many moves the mate would have taken, in all.
    #[serde(default, skip_serializing_if = "is_default")]
    pub given_away: u32,
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
    (thought, rules): (MatingLimit, MatingRules),
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
        let defence =
            Defence { oracle: &oracle, ties: rules.ties, rng: Rng::stream(seed, DEFENCE) };
        games.push((index, game(&mut *player, defence, thought, rules.ends)));
    };
    let mut games = run.gather(1, unit, |all: &mut Vec<_>, part| all.extend(part));
    games.sort_by_key(|(index, _)| *index);
    Ok(games.into_iter().map(|(_, game)| game).collect())
}

/// One game.
pub(super) fn game(
    player: &mut dyn Player<AnyState>,
    mut defence: Defence<'_>,
    thought: MatingLimit,
    ends: MatingEnd,
) -> Hunt {
    let (mut game, side) = (Hunt::default(), player.state().turn());
    think(player, thought.before);
    loop {
        let before = defence.oracle.probe(player.state());
        if ends == MatingEnd::WinGone && !matches!(before, Proof::Win(_)) {
            return game;
        }
        let report = think(player, thought.iterations);
        if game.moves == 0 {
            game.first = root_moves(&report);
        } else if report.figures.kept == 0 {
            game.collapses += 1;
        }
        player.play(report.best.expect("a state that is not over has a move"));
        game.moves += 1;
        game.judge(before, defence.oracle.probe(player.state()));
        if let Some(outcome) = over(player, ends) {
            game.mated = outcome == Outcome::Win(side);
            return game;
        }
        let reply = defence.play(player.state());
        player.play(reply);
        if over(player, ends).is_some() {
            // The last reply counts as well, though nothing is searched after it.
            game.collapses += u32::from(think(player, 0).figures.kept == 0);
            return game;
        }
    }
}

fn over(player: &dyn Player<AnyState>, ends: MatingEnd) -> Option<Outcome> {
    match ends {
        MatingEnd::WinGone => player.state().outcome(),
        MatingEnd::PlayersRules => player.outcome(),
    }
}

impl Hunt {
    /// Compares what is certain before a move with what is after it.
    fn judge(&mut self, before: Proof, after: Proof) {
        match (before, after) {
            (Proof::Win(before), Proof::Loss(after)) => {
                self.judged += 1;
                self.difference += u32::from((after + 1).saturating_sub(before)) / PLIES_A_MOVE;
            }
            (Proof::Win(before), _) => {
                self.given_away += u32::from(before).div_ceil(PLIES_A_MOVE);
            }
            _ => {}
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

/// An opponent who defends perfectly.
pub(super) struct Defence<'a> {
    pub(super) oracle: &'a AnySearcher,
    pub(super) ties: DefenceTies,
    pub(super) rng: Rng,
}

impl Defence<'_> {
    /// A move that puts the mate off as long as possible, or escapes it.
    fn play(&mut self, state: &AnyState) -> AnyStep {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let (mut best, mut longest, mut equals) = (moves[0], 0, 0);
        for &mv in &moves {
            let mut after = state.clone();
            after.play(mv);
            let plies = match self.oracle.probe(&after) {
                Proof::Win(plies) => u32::from(plies),
                Proof::Open | Proof::Draw | Proof::Loss(_) => u32::MAX,
            };
            if plies > longest {
                (best, longest, equals) = (mv, plies, 0);
            }
            if plies == longest {
                equals += 1;
                let is_taken = match self.ties {
                    DefenceTies::Random => self.rng.below(equals) == 0,
                    DefenceTies::First => equals == 1,
                    DefenceTies::Last => true,
                };
                best = if is_taken { mv } else { best };
            }
        }
        best
    }
}
