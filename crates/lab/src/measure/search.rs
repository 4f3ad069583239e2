//! What a player chooses in a state, over many seeds.

use super::{MeasureError, Run};
use crate::pace::Pace;
use monteverde_game::rng::stream_seed;
use monteverde_mcts::{Clock, Control, Limit, NoClock, Signal};
use monteverde_players::{AnyGame, AnyState, AnyStep, Overrides, Spec, WallClock};
use monteverde_statistics::{Interval, share};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The moves that some searches chose.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Choices {
    /// Searches.
    pub count: u64,
    /// How often each move was chosen.
    pub moves: BTreeMap<String, u64>,
}

impl Choices {
    /// The share of the searches that chose a move, in 0..=1.
    pub fn share(&self, mv: &str) -> Interval {
        let chosen = self.moves.get(mv).copied().unwrap_or(0);
        share(chosen, self.count)
    }

    pub(super) fn merge(&mut self, other: Choices) {
        self.count += other.count;
        for (mv, count) in other.moves {
            *self.moves.entry(mv).or_default() += count;
        }
    }
}

/// Checks that there is such a player and that the pace can limit a single search.
pub(super) fn check(game: AnyGame, player: &str, pace: Pace) -> Result<(), MeasureError> {
    Spec::read(game, player)?;
    limit(pace).map(drop)
}

/// Searches, one at a time on each thread.
pub(super) fn think(
    run: &Run<'_>,
    state: &AnyState,
    player: &str,
    pace: Pace,
) -> Result<Choices, MeasureError> {
    let spec = Spec::read(state.game(), player)?;
    let limit = limit(pace)?;
    let unit = |choices: &mut Choices, index: u64| {
        let overrides =
            Overrides { seed: Some(stream_seed(run.probe.seed, index)), ..Overrides::default() };
        let spec = spec.clone().with(&overrides).expect("every seed is accepted");
        let clock: &dyn Clock = if limit.time.is_some() { &WallClock::start() } else { &NoClock };
        let control = Control {
            clock,
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| (),
        };
        let report = spec.make(state).think(&limit, control);
        let best = report.best.expect("a state that is not over has a move");
        choices.count += 1;
        *choices.moves.entry(state.move_text(best)).or_default() += 1;
    };
    Ok(run.gather(1, unit, Choices::merge))
}

fn limit(pace: Pace) -> Result<Limit<AnyStep>, MeasureError> {
    match pace {
        Pace::Iterations(count) | Pace::Nodes(count) => Ok(Limit::iterations(count)),
        Pace::Time(span) => Ok(Limit::time(span.0)),
        Pace::Depth(plies) => Ok(Limit { depth: Some(plies), ..Limit::none() }),
        Pace::Clock(_) => Err(MeasureError::Clock(pace)),
    }
}
