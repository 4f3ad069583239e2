//! Whether a player mates an opponent who defends perfectly as soon as can be: games from random
//! starts that endgame tables call won, with the moves that the tables say.

use super::mating::{self, DEFENCE, Defence, DefenceTies, MatingEnd, MatingLimit};
use super::{MeasureError, Run};
use monteverde_game::rng::stream_seed;
use monteverde_game::{Proof, Rng};
use monteverde_players::{AnyGame, AnySearcher, AnyState, Overrides, Settings, Spec};
use serde::{Deserialize, Serialize};

/// A game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mate {
    /// Where it started.
    pub start: String,
    /// The moves of the player with which the tables mate.
    pub needed: u32,
    /// The moves that it took; `None` if it did not mate.
    pub taken: Option<u32>,
}

/// Random numbers for the start, apart from those of the player and of the defence.
const START: u64 = DEFENCE + 1;

/// How many states are drawn before a start is given up.
const DRAWS: usize = 10_000;

/// Checks that there is such a player and that the game has such pieces.
pub(super) fn check(game: AnyGame, player: &str, pieces: &str) -> Result<(), MeasureError> {
    Spec::read(game, player)?;
    let mut rng = Rng::new(0);
    let found = (0..DRAWS).find_map(|_| game.scatter(pieces, &mut rng));
    found.map(drop).ok_or_else(|| MeasureError::NoStart(pieces.to_owned()))
}

/// Plays the games, one at a time on each thread, with so many iterations a move.
pub(super) fn mate_all(
    run: &Run<'_>,
    player: &str,
    (pieces, iterations): (&str, u64),
) -> Result<Vec<Mate>, MeasureError> {
    let game = run.probe.game;
    let spec = Spec::read(game, player)?;
    let oracle = game.searcher(&Settings { pieces: u32::MAX, ..Settings::default() });
    let play = |index: u64| {
        let seed = stream_seed(run.probe.seed, index);
        let (state, plies) = start(game, pieces, &oracle, Rng::stream(seed, START))?;
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let spec = spec.clone().with(&overrides).expect("every seed is accepted");
        let mut player = spec.make(&state);
        let thought = MatingLimit { before: 0, iterations };
        let rng = Rng::stream(seed, DEFENCE);
        let defence = Defence { oracle: &oracle, ties: DefenceTies::Random, rng };
        let hunt = mating::game(&mut *player, defence, thought, MatingEnd::WinGone);
        Some(Mate {
            start: state.state_text(),
            needed: u32::from(plies).div_ceil(2),
            taken: hunt.mated.then_some(hunt.moves),
        })
    };
    let unit = |games: &mut Vec<_>, index: u64| games.push((index, play(index)));
    let mut games = run.gather(1, unit, |all: &mut Vec<_>, part| all.extend(part));
    games.sort_by_key(|(index, _)| *index);
    let games: Option<Vec<Mate>> = games.into_iter().map(|(_, game)| game).collect();
    games.ok_or_else(|| MeasureError::NoStart(pieces.to_owned()))
}

/// A random state that is won for the side to move, and in how many plies.
fn start(
    game: AnyGame,
    pieces: &str,
    oracle: &AnySearcher,
    mut rng: Rng,
) -> Option<(AnyState, u16)> {
    (0..DRAWS).find_map(|_| {
        let state = game.scatter(pieces, &mut rng)?;
        match oracle.probe(&state) {
            Proof::Win(plies) => Some((state, plies)),
            Proof::Open | Proof::Draw | Proof::Loss(_) => None,
        }
    })
}
