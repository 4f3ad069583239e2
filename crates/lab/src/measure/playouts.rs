//! What playouts come to. Everything is a whole number, so that the order of adding does not
//! matter.

use super::{MeasureError, Run};
use monteverde_game::{Outcome, Rng, Side};
use monteverde_mcts::{PlayoutResult, Playouter};
use monteverde_players::{Playable, Settings, Spec};
use monteverde_report::Interval;
use monteverde_statistics::{Wdl, Z95, score};
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
pub(super) fn settings<G: Playable>(player: Option<&str>) -> Result<Settings, MeasureError> {
    match player {
        Some(text) => {
            let spec = Spec::parse::<G>(text)?;
            spec.settings().cloned().ok_or_else(|| MeasureError::NoPlayouts(spec.to_string()))
        }
        None => Ok(Settings::default()),
    }
}

/// Plays the playouts, each with random numbers of its own.
pub(super) fn play<G: Playable>(
    run: &Run<'_>,
    state: &G,
    player: Option<&str>,
) -> Result<Tally, MeasureError> {
    let settings = settings::<G>(player)?;
    let (knowledge, oracle) = (G::knowledge(&settings), G::oracle(&settings));
    let make = || Playouter::new(settings.config.playout, &knowledge, &oracle, state);
    Ok(gather(run, state, make))
}

fn gather<'a, G: Playable>(
    run: &Run<'_>,
    state: &G,
    make: impl Fn() -> Playouter<'a, G, G::Knowledge, G::Oracle> + Sync,
) -> Tally {
    let seed = run.probe.seed;
    let unit = |part: &mut Part<'a, G>, index: u64| {
        let playouter = part.playouter.get_or_insert_with(&make);
        let mut game = state.clone();
        let result = playouter.play(&mut game, &mut Rng::stream(seed, index));
        let ending = result.ended_by.name().or_else(|| game.ending());
        part.tally.add(result, ending.unwrap_or("unknown"));
    };
    run.gather(BATCH, unit, |all, part| all.tally.merge(part.tally)).tally
}

/// What one thread gathers, and plays with.
struct Part<'a, G: Playable> {
    tally: Tally,
    playouter: Option<Playouter<'a, G, G::Knowledge, G::Oracle>>,
}

impl<G: Playable> Default for Part<'_, G> {
    fn default() -> Self {
        Part { tally: Tally::default(), playouter: None }
    }
}

impl Tally {
    /// The first side's share of the points, a draw counting one half, in 0..=1.
    pub fn score(&self) -> Interval {
        interval(Wdl::new(self.first, self.draw, self.second))
    }

    /// A part of the playouts as a share in 0..=1.
    pub fn share(&self, part: u64) -> Interval {
        interval(Wdl::new(part, 0, self.count - part))
    }

    /// The mean number of plies.
    pub fn mean_plies(&self) -> Interval {
        if self.count == 0 {
            return Interval::default();
        }
        let count = self.count as f64;
        let mean = self.plies as f64 / count;
        // The sum of the squared deviations, times the count, without a difference of rounded
        // numbers.
        let squares = u128::from(self.count) * u128::from(self.plies_squared);
        let deviations = squares.saturating_sub(u128::from(self.plies).pow(2));
        let variance = deviations as f64 / (count * (count - 1.0).max(1.0));
        Interval::around(mean, Z95 * (variance / count).sqrt())
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

    fn merge(&mut self, other: Tally) {
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

fn interval(counts: Wdl) -> Interval {
    score(counts).map_or(Interval::default(), Interval::from)
}
