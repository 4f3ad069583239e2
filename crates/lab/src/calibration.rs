//! Equal time as iterations.
//!
//! Papers that match players at equal time let a slow playout pay for its slowness. So that load
//! and machine play no part, such a match is run here in iterations: the speeds of the players are
//! measured on this machine first, and each gets iterations in proportion to its own. What was
//! measured is kept in the store, so that a run that goes on uses the same numbers.

mod travel;

pub use travel::{Speeds, take_speeds};

use crate::contestant::{Contestant, ContestantKind};
use crate::pace::Pace;
use crate::store::StoreError;
use crate::task::Key;
use monteverde_game::{Game, Rng};
use monteverde_mcts::{Config, Control, Limit, NoClock, Report, Signal};
use monteverde_players::{
    AnyGame, AnyState, AnyStep, Player, Settings, Spec, SpecError, WallClock,
};
use monteverde_statistics::{Interval, median};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Who is to think equally long, and how long.
#[derive(Clone, PartialEq, Debug)]
pub struct EqualTime {
    /// The spec of the player whose iterations are given; it need not take part.
    pub reference: String,
    /// The reference's iterations a move, at least 1.
    pub iterations: u64,
    /// Iterations a second by a player's name or spec. If there are any, nothing is measured, and
    /// the reference and every taker must have one.
    pub speeds: BTreeMap<String, f64>,
    /// The numbers of the contestants whose pace is set; the others keep theirs.
    pub takers: Vec<usize>,
    /// Where speeds are measured.
    pub states: States,
}

/// Where speeds are measured.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum States {
    /// In states of a whole game.
    #[default]
    Game,
    /// In states of its early part, as *αβ-based Play-outs in Monte-Carlo Tree Search* does
    /// (section IV), which does not say how early.
    Early,
    /// In the initial state, as papers do that print iterations a second.
    Start,
}

/// The speeds of the players of a contest, and what each gets for a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Calibration {
    /// The spec of the reference.
    pub reference: String,
    /// Its iterations a move.
    pub iterations: u64,
    /// Where the speeds come from.
    pub source: SpeedSource,
    /// Every player that thinks equally long.
    pub players: Vec<Calibrated>,
}

/// Where speeds come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpeedSource {
    /// They were measured.
    Measured,
    /// They were given.
    Given,
}

/// One player's speed and share.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Calibrated {
    /// Its name in the contest.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// Iterations a second (nodes, for alpha-beta).
    pub per_second: f64,
    /// Iterations a move.
    pub iterations: u64,
    /// Iterations a second by round, where they were measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<f64>,
}

impl Calibrated {
    /// How many times as fast as another it is: the median of the rounds' ratios. In every round
    /// all players take turns, so that load hits both alike.
    pub fn times(&self, base: &Calibrated) -> Interval {
        if self.rounds.is_empty() || self.rounds.len() != base.rounds.len() {
            return Interval::exact(self.per_second / base.per_second);
        }
        ratio(&self.rounds, &base.rounds)
    }
}

/// Why speeds are not to be had.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// There is no such player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A player has no speed among those that are given.
    #[error(
        "the speeds of equal-time leave out '{player}'; they need a number above 0 for the reference and \
         for every player without a pace of its own, or none at all to have them measured"
    )]
    NoSpeed {
        /// The player.
        player: String,
    },
    /// An engine without a pace.
    #[error(
        "'{0}' is an engine, whose speed is not calibrated; give it a pace of its own (on a command line \
         --pace-a or --pace-b)"
    )]
    Engine(String),
    /// Speeds that have to be the same elsewhere are not there.
    #[error(
        "the speed of '{player}' is not known, and a shard does not measure it: all shards need the same. Run the \
         command once with --calibrate and --store FILE in place of --shard and --out, copy that file to all \
         machines, and give it to each shard with --speeds-from FILE"
    )]
    Unknown {
        /// The player.
        player: String,
    },
    /// Games were played with another speed.
    #[error(
        "'{}' was begun with another speed of '{player}' than the one that is given; give each shard a new \
         file, or the speeds that it was begun with", path.display()
    )]
    OtherSpeed {
        /// The player.
        player: String,
        /// The file of the shard.
        path: PathBuf,
    },
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// In how many states of a game speeds are measured.
const STATES: usize = 8;

/// How many searches of a player are timed at least: seven rounds over all states of a game, or so
/// many more over the initial state. They take a few seconds a player; the median of the rounds
/// counts.
const SEARCHES: usize = 7 * STATES;

/// The states are those of a game of at most so many plies that plain search plays against itself
/// with so many iterations a move: not the start alone, since playouts grow shorter as a game goes
/// on.
const GAME_PLIES: usize = 120;
/// The early part of it; ours.
const EARLY_PLIES: usize = 16;
const GAME_ITERATIONS: u64 = 100;
const GAME_MEMORY: usize = 1 << 24;

/// How long a player is first tried, to see how many iterations fill a slice.
const TRIAL: Duration = Duration::from_millis(20);

/// The time of one search: that of a move, as far as it lies between these.
const SHORTEST_SLICE: f64 = 0.02;
const LONGEST_SLICE: f64 = 0.1;

/// Sets the pace of those contestants that are to think equally long, after measuring what the
/// store does not know yet, where it may be measured. `behaviour` is what the program plays: one
/// that plays alike keeps the speeds, and its games with them.
pub(crate) fn equalise<'s>(
    game: AnyGame,
    equal: &EqualTime,
    contestants: &mut [Contestant],
    speeds: impl Into<Speeds<'s>>,
    behaviour: &str,
) -> Result<Calibration, CalibrationError> {
    let reference = Spec::read(game, &equal.reference)?.to_string();
    let mut players = Vec::new();
    for &taker in &equal.takers {
        let Contestant { name, kind, .. } = &contestants[taker];
        match kind {
            ContestantKind::Spec(spec) => {
                players.push((name.clone(), Spec::read(game, spec)?.to_string()))
            }
            ContestantKind::Engine(_) => return Err(CalibrationError::Engine(name.clone())),
        }
    }
    let speeds = match equal.speeds.is_empty() {
        true => SpeedBook { game, equal, reference: &reference, behaviour }
            .speeds(&players, speeds.into())?,
        false => given(equal, &reference, &players)?,
    };
    let calibrated = |((name, spec), speed): ((String, String), Speed)| Calibrated {
        name,
        spec,
        per_second: speed.per_second,
        iterations: speed.iterations,
        rounds: speed.rounds,
    };
    let players: Vec<Calibrated> = players.into_iter().zip(speeds).map(calibrated).collect();
    for (&taker, player) in equal.takers.iter().zip(&players) {
        contestants[taker].pace = Pace::Iterations(player.iterations);
    }
    let source = if equal.speeds.is_empty() { SpeedSource::Measured } else { SpeedSource::Given };
    Ok(Calibration { reference, iterations: equal.iterations, source, players })
}

/// A speed and what it comes to, as the store keeps it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Speed {
    per_second: f64,
    iterations: u64,
    #[serde(default)]
    rounds: Vec<f64>,
}

/// The speeds that were given, for each player.
fn given(
    equal: &EqualTime,
    reference: &str,
    players: &[(String, String)],
) -> Result<Vec<Speed>, CalibrationError> {
    let find = |names: [&str; 2]| {
        let found = names.iter().find_map(|name| equal.speeds.get(*name).copied());
        let found = found.filter(|speed| speed.is_finite() && *speed > 0.0);
        found.ok_or_else(|| CalibrationError::NoSpeed { player: names[0].to_owned() })
    };
    let base = find([&equal.reference, reference])?;
    let speed = |(name, spec): &(String, String)| {
        let per_second = find([name, spec])?;
        let iterations = share(equal.iterations, per_second / base);
        Ok(Speed { per_second, iterations, rounds: Vec::new() })
    };
    players.iter().map(speed).collect()
}

/// How many times as fast the one is as the other, round by round.
fn ratio(own: &[f64], base: &[f64]) -> Interval {
    median(own.iter().zip(base).map(|(own, base)| own / base).collect())
}

fn share(iterations: u64, ratio: f64) -> u64 {
    ((iterations as f64 * ratio).round() as u64).max(1)
}

/// The speeds that the store keeps, each under a key of its own: a player that joins later changes
/// nothing for the others.
struct SpeedBook<'a> {
    game: AnyGame,
    equal: &'a EqualTime,
    /// The reference's spec in its canonical form.
    reference: &'a str,
    behaviour: &'a str,
}

impl SpeedBook<'_> {
    fn speeds(
        &self,
        players: &[(String, String)],
        source: Speeds<'_>,
    ) -> Result<Vec<Speed>, CalibrationError> {
        let mut known: BTreeMap<&str, Speed> = BTreeMap::new();
        let mut missing: Vec<&str> = Vec::new();
        for (_, spec) in players {
            match source.store().findings(&self.key(spec))? {
                Some(speed) => drop(known.insert(spec, speed)),
                None if missing.contains(&spec.as_str()) => {}
                None => missing.push(spec),
            }
        }
        if let [player, ..] = missing[..] {
            let Speeds::Measured(store) = source else {
                return Err(CalibrationError::Unknown { player: player.to_owned() });
            };
            for (spec, speed) in missing.iter().zip(self.measure(&missing)?) {
                let text = serde_json::to_string(&speed).expect("a speed is plain data");
                store.keep_findings(&self.key(spec), &self.text(spec), &text)?;
                known.insert(spec, speed);
            }
        }
        Ok(players.iter().map(|(_, spec)| known[spec.as_str()].clone()).collect())
    }

    fn text(&self, spec: &str) -> String {
        let SpeedBook { game, equal, reference, behaviour } = self;
        let mut text = serde_json::json!({
            "calibration": spec, "game": game, "reference": reference,
            "iterations": equal.iterations, "behaviour": behaviour,
        });
        match equal.states {
            States::Game => {}
            States::Early => text["states"] = "early".into(),
            States::Start => text["states"] = "start".into(),
        }
        text.to_string()
    }

    fn key(&self, spec: &str) -> Key {
        Key(*blake3::hash(self.text(spec).as_bytes()).as_bytes())
    }

    fn measure(&self, specs: &[&str]) -> Result<Vec<Speed>, CalibrationError> {
        let mut runners = vec![Runner::new(self.game, self.reference)?];
        for spec in specs {
            runners.push(Runner::new(self.game, spec)?);
        }
        let states = match self.equal.states {
            States::Game => states_of_a_game(self.game, GAME_PLIES),
            States::Early => states_of_a_game(self.game, EARLY_PLIES),
            States::Start => vec![self.game.start()],
        };
        measure(&mut runners, &states, self.equal.iterations);
        let base = runners[0].speeds.clone();
        let speed = |(runner, spec): (&Runner, &&str)| {
            let ratio = ratio(&runner.speeds, &base).value.filter(|_| **spec != *self.reference);
            // More digits than these would be noise.
            let short = |speed: &f64| (speed * 10.0).round() / 10.0;
            Speed {
                per_second: median(runner.speeds.clone()).value.as_ref().map_or(0.0, short),
                iterations: share(self.equal.iterations, ratio.unwrap_or(1.0)),
                rounds: runner.speeds.iter().map(short).collect(),
            }
        };
        Ok(runners[1..].iter().zip(specs).map(speed).collect())
    }
}

/// A player whose speed is measured.
struct Runner {
    player: Box<dyn Player<AnyState>>,
    /// Whether it searches on the calling thread alone.
    alone: bool,
    /// Iterations that about fill a slice.
    slice: u64,
    /// Iterations a second, by round.
    speeds: Vec<f64>,
}

impl Runner {
    fn new(game: AnyGame, spec: &str) -> Result<Self, SpecError> {
        let spec = Spec::read(game, spec)?;
        let alone = spec.settings().is_none_or(|settings| settings.config.threads == 1);
        let player = spec.make(&game.start());
        Ok(Runner { player, alone, slice: 1, speeds: Vec::new() })
    }

    fn think(&mut self, state: &AnyState, limit: &Limit<AnyStep>) -> SpeedWork {
        self.player.begin(state);
        let started = thread_time().filter(|_| self.alone);
        let control = Control {
            clock: &WallClock::start(),
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| {},
        };
        let Report { figures, .. } = self.player.think(limit, control);
        let busy = started.and_then(|started| thread_time()?.checked_sub(started));
        let seconds = busy.unwrap_or(figures.elapsed).as_secs_f64();
        SpeedWork { iterations: figures.iterations.max(1), seconds }
    }
}

/// Iterations a second of plain search in the initial state of a game, on one thread: a figure by
/// which machines are compared, no more exact than that takes.
pub fn plain_speed(game: AnyGame) -> f64 {
    let config = Config { memory: GAME_MEMORY, ..Config::default() };
    let settings = Settings { config, ..Settings::default() };
    let start = game.start();
    let player = game.search_player(&settings, &start);
    let mut runner = Runner { player, alone: true, slice: 1, speeds: Vec::new() };
    // The first search may build or read tables.
    runner.think(&start, &Limit::time(TRIAL));
    runner.think(&start, &Limit::time(5 * TRIAL)).per_second()
}

/// The time that the processor has spent on this thread, where the system tells: unlike a clock on
/// the wall it stands still while others are served.
#[cfg(unix)]
fn thread_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

#[cfg(not(unix))]
fn thread_time() -> Option<Duration> {
    None
}

/// What was done in some time.
#[derive(Clone, Copy, Default)]
struct SpeedWork {
    iterations: u64,
    seconds: f64,
}

impl SpeedWork {
    fn per_second(self) -> f64 {
        self.iterations as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }
}

/// Lets the players, of which the first is the reference, think in turn, state by state, so that
/// whatever else the machine does hits all of them alike.
fn measure(runners: &mut [Runner], states: &[AnyState], iterations: u64) {
    let mut tried: Vec<f64> = Vec::new();
    for runner in &mut *runners {
        // The first search may build or read tables, which is not what an iteration costs.
        runner.think(&states[0], &Limit::time(TRIAL));
        tried.push(runner.think(&states[0], &Limit::time(TRIAL)).per_second());
    }
    let seconds = (iterations as f64 / tried[0]).clamp(SHORTEST_SLICE, LONGEST_SLICE);
    for (runner, speed) in runners.iter_mut().zip(tried) {
        runner.slice = ((speed * seconds) as u64).max(1);
    }
    for _ in 0..SEARCHES.div_ceil(states.len()) {
        let mut sums = vec![SpeedWork::default(); runners.len()];
        for state in states {
            for (runner, sum) in runners.iter_mut().zip(&mut sums) {
                let work = runner.think(state, &Limit::iterations(runner.slice));
                sum.iterations += work.iterations;
                sum.seconds += work.seconds;
            }
        }
        for (runner, sum) in runners.iter_mut().zip(sums) {
            runner.speeds.push(sum.per_second());
        }
    }
}

/// States of the first plies of one game, equally far apart; the same whenever it is asked.
fn states_of_a_game(game: AnyGame, plies: usize) -> Vec<AnyState> {
    let config = Config { memory: GAME_MEMORY, ..Config::default() };
    let mut rng = Rng::new(config.seed);
    let mut state = game.start();
    let settings = Settings { config, ..Settings::default() };
    let mut player = game.search_player(&settings, &state);
    let mut all = Vec::new();
    loop {
        while state.is_pending() {
            state.settle(state.sample_event(&mut rng));
        }
        if state.outcome().is_some() || all.len() == plies {
            break;
        }
        all.push(state.clone());
        player.jump(&state);
        let control = Control {
            clock: &NoClock,
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| {},
        };
        let best = player.think(&Limit::iterations(GAME_ITERATIONS), control).best;
        state.play(best.expect("a state that is not over has a move"));
    }
    let count = all.len().min(STATES);
    (0..count).map(|index| all[index * all.len() / count].clone()).collect()
}

#[cfg(test)]
mod tests;
