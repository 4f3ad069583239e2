//! How many iterations a player needs until it chooses a move for good.

use super::{MeasureError, Run};
use monteverde_game::rng::stream_seed;
use monteverde_mcts::{Control, Limit, Signal};
use monteverde_players::{AnyState, AnyStep, Overrides, Spec, WallClock};
use monteverde_statistics::{Interval, median};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// When each of some searches came to choose the move for good.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Waits {
    /// How far the searches went.
    pub limit: u64,
    /// For each search the moment from which on it chose the move at every look; `None` if it did
    /// not in the end.
    pub hits: Vec<Option<Hit>>,
}

/// A moment in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hit {
    /// Iterations so far.
    pub iterations: u64,
    /// The time so far, in microseconds.
    pub micros: u64,
}

/// The first look comes after so many iterations, and each further one after this many times as
/// many: a wait is known to about a tenth.
const FIRST_LOOK: u64 = 16;
const GROWTH: f64 = 1.1;

impl Waits {
    /// How many searches chose the move in the end.
    pub fn found(&self) -> u64 {
        self.hits.iter().flatten().count() as u64
    }

    /// The median of the iterations; an end that lies beyond the limit is missing.
    pub fn iterations(&self) -> Interval {
        self.median(|hit| hit.iterations as f64)
    }

    /// The median of the time in seconds, likewise.
    pub fn seconds(&self) -> Interval {
        self.median(|hit| hit.micros as f64 / 1e6)
    }

    fn median(&self, number: impl Fn(&Hit) -> f64) -> Interval {
        let hit = |hit: &Option<Hit>| hit.as_ref().map_or(f64::INFINITY, &number);
        median(self.hits.iter().map(hit).collect())
    }
}

/// Checks that there are such a player and such a move.
pub(super) fn check(state: &AnyState, player: &str, answer: &str) -> Result<(), MeasureError> {
    Spec::read(state.game(), player)?;
    state.parse_move(answer)?;
    Ok(())
}

/// Searches, one at a time on each thread.
pub(super) fn wait(
    run: &Run<'_>,
    state: &AnyState,
    player: &str,
    (answer, limit): (&str, u64),
) -> Result<Waits, MeasureError> {
    let spec = Spec::read(state.game(), player)?.keeping();
    let answer = state.parse_move(answer)?;
    let unit = |hits: &mut Vec<(u64, Option<Hit>)>, index: u64| {
        let overrides =
            Overrides { seed: Some(stream_seed(run.probe.seed, index)), ..Overrides::default() };
        let spec = spec.clone().with(&overrides).expect("every seed is accepted");
        hits.push((index, search(&spec, state, answer, limit)));
    };
    let mut hits = run.gather(1, unit, |all: &mut Vec<_>, part| all.extend(part));
    hits.sort_by_key(|(index, _)| *index);
    Ok(Waits { limit, hits: hits.into_iter().map(|(_, hit)| hit).collect() })
}

/// One search, which goes on from look to look with the same tree.
fn search(spec: &Spec, state: &AnyState, answer: AnyStep, limit: u64) -> Option<Hit> {
    let mut player = spec.make(state);
    let started = Instant::now();
    let mut hit = None;
    let (mut done, mut look) = (0, FIRST_LOOK.min(limit));
    loop {
        let control = Control {
            clock: &WallClock::start(),
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| (),
        };
        let report = player.think(&Limit::iterations(look - done), control);
        done = look;
        match report.best == Some(answer) {
            true => {
                let micros = started.elapsed().as_micros() as u64;
                hit.get_or_insert(Hit { iterations: done, micros });
            }
            false => hit = None,
        }
        if done == limit {
            return hit;
        }
        look = ((done as f64 * GROWTH) as u64).max(done + 1).min(limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(iterations: &[Option<u64>]) -> Waits {
        let hit =
            |iterations: &Option<u64>| iterations.map(|iterations| Hit { iterations, micros: 0 });
        Waits { limit: 100, hits: iterations.iter().map(hit).collect() }
    }

    #[test]
    fn the_median_may_lie_beyond_the_limit() {
        let all: Vec<Option<u64>> = (1..=6).map(Some).collect();
        assert_eq!(
            waits(&all).iterations(),
            Interval { value: Some(3.5), low: Some(1.0), high: Some(6.0) }
        );
        let most = [Some(9), None, Some(3), None, Some(4), Some(5), Some(2)];
        let some = waits(&most);
        assert_eq!(some.iterations(), Interval { value: Some(5.0), low: Some(2.0), high: None });
        assert_eq!(some.found(), 5);
        assert_eq!(waits(&[None, None, Some(1)]).iterations(), Interval::default());
        assert_eq!(waits(&[]).iterations(), Interval::default());
    }
}
