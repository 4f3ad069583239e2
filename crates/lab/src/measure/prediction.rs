//! How well what players know of moves in advance predicts what a target player chooses: the rank
//! of its move when all moves are ordered by their priors.

use super::selfplay::{self, Moment};
use super::{MeasureError, Run};
use monteverde_game::rng::stream_seed;
use monteverde_game::{Game, Rng};
use monteverde_players::{AnyGame, AnySearcher, AnyState, Spec};
use monteverde_statistics::{Interval, mean, share};
use serde::{Deserialize, Serialize};

/// How often the target's move had each rank.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ranks {
    /// Moves of the target.
    pub moves: u64,
    /// How often it was the first, the second and so on.
    pub counts: Vec<u64>,
    /// The games that the moves are of; unknown in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<GameLengths>,
}

/// How many plies some games lasted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameLengths {
    /// Games.
    pub count: u64,
    /// The plies of all of them.
    pub sum: u64,
    /// The sum of the squares.
    pub squares: u64,
}

impl GameLengths {
    /// The mean number of plies.
    pub fn mean(&self) -> Interval {
        mean(self.count, self.sum, self.squares.into())
    }

    fn add(&mut self, plies: u64) {
        self.count += 1;
        self.sum += plies;
        self.squares += plies * plies;
    }

    fn merge(&mut self, other: GameLengths) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

impl Ranks {
    /// The share of moves that were found within the first so many, in 0..=1.
    pub fn within(&self, rank: usize) -> Interval {
        let found: u64 = self.counts.iter().take(rank).sum();
        share(found, self.moves)
    }

    fn add(&mut self, rank: usize) {
        if self.counts.len() <= rank {
            self.counts.resize(rank + 1, 0);
        }
        self.counts[rank] += 1;
        self.moves += 1;
    }

    fn merge(&mut self, other: &Ranks) {
        self.counts.resize(self.counts.len().max(other.counts.len()), 0);
        self.counts.iter_mut().zip(&other.counts).for_each(|(all, part)| *all += part);
        self.moves += other.moves;
        if let Some(games) = other.games {
            self.games.get_or_insert_default().merge(games);
        }
    }

    /// Adds those of each player; who has none yet has none of the others either.
    pub(super) fn merge_all(all: &mut Vec<Ranks>, part: Vec<Ranks>) {
        all.resize(all.len().max(part.len()), Ranks::default());
        all.iter_mut().zip(&part).for_each(|(all, part)| all.merge(part));
    }
}

/// Checks that there are such players, and that the latter know something of moves.
pub(super) fn check(
    state: &AnyState,
    target: &str,
    players: &[String],
) -> Result<(), MeasureError> {
    Spec::read(state.game(), target)?;
    let mut moves = Vec::new();
    state.moves(&mut moves);
    for player in players {
        if searcher(state.game(), player)?.priors(state, &moves).is_none() {
            return Err(MeasureError::NoPriors(player.clone()));
        }
    }
    Ok(())
}

/// Lets the target play against itself, one game at a time on each thread, and ranks its moves for
/// each player.
pub(super) fn rank(
    run: &Run<'_>,
    state: &AnyState,
    (target, iterations): (&str, u64),
    players: &[String],
) -> Result<Vec<Ranks>, MeasureError> {
    let game = state.game();
    let spec = Spec::read(game, target)?;
    let all: Result<Vec<AnySearcher>, _> = players.iter().map(|it| searcher(game, it)).collect();
    let all = all?;
    let unit = |ranks: &mut Vec<Ranks>, index: u64| {
        ranks.resize(all.len(), Ranks::default());
        let seed = stream_seed(run.probe.seed, index);
        let mut rng = Rng::stream(seed, TIES);
        let mut plies = 0;
        selfplay::play(&spec, state, (iterations, seed), |moment| {
            for (searcher, ranks) in all.iter().zip(&mut *ranks) {
                let priors = searcher.priors(moment.state, moment.moves);
                let priors = priors.unwrap_or_else(|| vec![0.0; moment.moves.len()]);
                ranks.add(place(&moment, &priors, &mut rng));
            }
            plies += 1;
        });
        for ranks in ranks.iter_mut() {
            ranks.games.get_or_insert_default().add(plies);
        }
    };
    Ok(run.gather(1, unit, Ranks::merge_all))
}

/// Random numbers for equals, apart from those of the games.
const TIES: u64 = 3;

/// How many moves come before the one that was played; among equals its place is drawn.
fn place(moment: &Moment<'_>, priors: &[f32], rng: &mut Rng) -> usize {
    let index = moment.moves.iter().position(|&mv| mv == moment.played);
    let own = priors[index.expect("a player plays legal moves")];
    let better = priors.iter().filter(|&&prior| prior > own).count();
    let equal = priors.iter().filter(|&&prior| prior == own).count();
    better + rng.below(equal as u32) as usize
}

/// What a player knows.
fn searcher(game: AnyGame, player: &str) -> Result<AnySearcher, MeasureError> {
    let spec = Spec::read(game, player)?;
    let no_priors = || MeasureError::NoPriors(player.to_owned());
    Ok(game.searcher(spec.settings().ok_or_else(no_priors)?))
}
