//! What a game looks like, ply by ply: how many moves there are, how many of them are left to
//! chance, and what else the game itself counts. Everything is a whole number, so that the order of
//! adding does not matter.

use super::selfplay::{self, Moment};
use super::{MeasureError, Run};
use monteverde_game::Game;
use monteverde_game::rng::stream_seed;
use monteverde_players::{AnyState, AnyStep, Spec};
use monteverde_statistics::{Interval, mean};
use serde::{Deserialize, Serialize};

/// The shape of some games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Shape {
    /// Games.
    pub games: u64,
    /// What is counted: `moves`, `chance moves`, and what the game adds.
    pub gauges: Vec<String>,
    /// What was counted before each ply, from the first on.
    pub plies: Vec<PlySums>,
}

/// What was counted in all games that lasted up to a ply.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlySums {
    /// How many games did.
    pub games: u64,
    /// The sum of each gauge.
    pub sums: Vec<u64>,
    /// The sum of its squares.
    pub squares: Vec<u64>,
}

/// Counted in every game.
const COMMON: [&str; 2] = ["moves", "chance moves"];

/// Plays the games, one at a time on each thread.
pub(super) fn play(
    run: &Run<'_>,
    state: &AnyState,
    player: &str,
    iterations: u64,
) -> Result<Shape, MeasureError> {
    let spec = Spec::read(state.game(), player)?;
    let unit = |shape: &mut Shape, index: u64| {
        let seed = stream_seed(run.probe.seed, index);
        let mut ply = 0;
        selfplay::play(&spec, state, (iterations, seed), |moment| {
            shape.add(ply, &gauge(&moment));
            ply += 1;
        });
        shape.games += 1;
    };
    let mut shape = run.gather(1, unit, Shape::merge);
    shape.gauges = COMMON.into_iter().chain(state.game().gauges()).map(str::to_owned).collect();
    Ok(shape)
}

/// Every gauge at a moment.
fn gauge(moment: &Moment<'_>) -> Vec<u64> {
    let is_left_to_chance = |mv: &&AnyStep| {
        let mut after = moment.state.clone();
        after.play(**mv);
        after.is_pending()
    };
    let chance = moment.moves.iter().filter(is_left_to_chance).count();
    let own = moment.state.gauges().into_iter().map(u64::from);
    [moment.moves.len() as u64, chance as u64].into_iter().chain(own).collect()
}

impl Shape {
    /// The mean of a gauge before each ply over the games that lasted so long, with its 95%
    /// interval.
    pub fn means(&self, gauge: &str) -> Vec<Interval> {
        let Some(index) = self.gauges.iter().position(|name| name == gauge) else {
            return Vec::new();
        };
        self.plies.iter().map(|ply| ply.mean(index)).collect()
    }

    /// Leaves out the plies that few games reached: so many in a hundred are enough.
    pub fn cut(mut self, percent: u64) -> Shape {
        let games = self.games;
        self.plies.retain(|ply| 100 * ply.games >= percent * games);
        self
    }

    fn add(&mut self, ply: usize, values: &[u64]) {
        if self.plies.len() == ply {
            let zeros = vec![0; values.len()];
            self.plies.push(PlySums { games: 0, sums: zeros.clone(), squares: zeros });
        }
        let at = &mut self.plies[ply];
        at.games += 1;
        for (index, value) in values.iter().enumerate() {
            at.sums[index] += value;
            at.squares[index] += value * value;
        }
    }

    pub(super) fn merge(&mut self, other: Shape) {
        self.games += other.games;
        for (ply, part) in other.plies.into_iter().enumerate() {
            match self.plies.get_mut(ply) {
                Some(all) => all.merge(&part),
                None => self.plies.push(part),
            }
        }
    }
}

impl PlySums {
    fn mean(&self, index: usize) -> Interval {
        mean(self.games, self.sums[index], self.squares[index].into())
    }

    fn merge(&mut self, other: &PlySums) {
        self.games += other.games;
        let add = |all: &mut Vec<u64>, part: &[u64]| {
            all.iter_mut().zip(part).for_each(|(all, part)| *all += part);
        };
        add(&mut self.sums, &other.sums);
        add(&mut self.squares, &other.squares);
    }
}
