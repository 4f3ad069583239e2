//! What playouts come to. Everything is a whole number, so that the order of adding does not
//! matter.

use super::{MeasureError, Run};
use monteverde_game::{Outcome, Rng, Side};
use monteverde_mcts::PlayoutResult;
use monteverde_players::{AnyGame, AnySearcher, AnyState, PlayOne, Settings, Spec};
use monteverde_statistics::{Interval, Wdl, mean, score, share};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The sums of some playouts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Playouts.
    pub count: u64,
    /// How many the first side won.
    pub first: u64,
    /// How many were drawn.
    pub draw: u64,
    /// How many the second side won.
    pub second: u64,
    /// How the games ended, by name.
    pub endings: BTreeMap<String, u64>,
    /// Plies of all of them.
    pub plies: u64,
    /// The squares of their plies; stays at its maximum should it ever get there.
    pub plies_squared: u64,
}

/// A thread takes this many playouts at a time.
const BATCH: u64 = 64;

/// The settings of the player whose playouts are played.
pub(super) fn settings(game: AnyGame, player: Option<&str>) -> Result<Settings, MeasureError> {
    match player {
        Some(text) => {
            let spec = Spec::read(game, text)?;
            spec.settings().cloned().ok_or_else(|| MeasureError::NoPlayouts(spec.to_string()))
        }
        None => Ok(Settings::default()),
    }
}

/// Plays the playouts, each with random numbers of its own.
pub(super) fn play(
    run: &Run<'_>,
    state: &AnyState,
    player: Option<&str>,
) -> Result<Tally, MeasureError> {
    let settings = settings(state.game(), player)?;
    Ok(gather(run, state, &settings, &state.game().searcher(&settings)))
}

fn gather<'a>(
    run: &Run<'_>,
    state: &AnyState,
    settings: &Settings,
    searcher: &'a AnySearcher,
) -> Tally {
    let seed = run.probe.seed;
    let unit = |part: &mut Part<'a>, index: u64| {
        let playouts = part.playouts.get_or_insert_with(|| searcher.playouts(settings, state));
        let (result, ending) = playouts.play(&mut Rng::stream(seed, index));
        part.tally.add(result, ending);
    };
    run.gather(BATCH, unit, |all, part| all.tally.merge(part.tally)).tally
}

/// What one thread gathers, and plays with.
#[derive(Default)]
struct Part<'a> {
    tally: Tally,
    playouts: Option<Box<dyn PlayOne + 'a>>,
}

impl Tally {
    /// The first side's share of the points, a draw counting one half, in 0..=1.
    pub fn score(&self) -> Interval {
        let results = Wdl::new(self.first, self.draw, self.second);
        score(results).map_or(Interval::default(), Interval::from)
    }

    /// A part of the playouts as a share in 0..=1.
    pub fn share(&self, part: u64) -> Interval {
        share(part, self.count)
    }

    /// The mean number of plies.
    pub fn mean_plies(&self) -> Interval {
        mean(self.count, self.plies, self.plies_squared.into())
    }

    /// A reward between those of outcomes counts as the nearest of them.
    fn add(&mut self, playout: PlayoutResult, ending: &str) {
        self.count += 1;
        match playout.outcome() {
            Outcome::Win(Side::First) => self.first += 1,
            Outcome::Win(Side::Second) => self.second += 1,
            Outcome::Draw => self.draw += 1,
        }
        match self.endings.get_mut(ending) {
            Some(count) => *count += 1,
            None => drop(self.endings.insert(ending.to_owned(), 1)),
        }
        self.plies += u64::from(playout.plies);
        self.plies_squared = self.plies_squared.saturating_add(u64::from(playout.plies).pow(2));
    }

    pub(super) fn merge(&mut self, other: Tally) {
        self.count += other.count;
        self.first += other.first;
        self.draw += other.draw;
        self.second += other.second;
        for (name, count) in other.endings {
            *self.endings.entry(name).or_default() += count;
        }
        self.plies += other.plies;
        self.plies_squared = self.plies_squared.saturating_add(other.plies_squared);
    }
}
