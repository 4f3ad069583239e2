//! Matches that are started from the page.
//!
//! One at a time, on a thread of its own, and on half of the cores, so that sessions go on. The
//! games go into the store `page.db` of the lab's folder. A match is held a few games at a time:
//! what the store holds is not played again, so that a larger match goes on where the smaller one
//! ended, and it can be stopped in between.

use crate::fault::HttpFault;
use crate::server::App;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use monteverde_desk::Code;
use monteverde_lab::build::build;
use monteverde_lab::contest::{ContestError, ContestPlan, ContestProgress, Format, Openings};
use monteverde_lab::contestant::Contestant;
use monteverde_lab::store::{RunNote, Store};
use monteverde_players::{AnyGame, Games, Pace, Spec};
use monteverde_statistics::{Interval, elo, los, score};
use serde::Deserialize;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The store that matches of the page are kept in.
const STORE: &str = "page.db";
/// So many games a match may have.
const MOST_GAMES: u64 = 10_000;
/// So many random plies an opening may have.
const MOST_RANDOM: u32 = 40;
/// So much memory a player of a match may ask for: what players have by default, and hardly ever
/// grow into.
const MOST_MEMORY: usize = 1 << 30;
/// So many matches are remembered.
const MOST_KEPT: usize = 100;

/// The matches since the server began, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Matches(Mutex<Vec<Arc<Match>>>);

/// One match.
#[derive(Debug)]
struct Match {
    id: u64,
    wanted: Wanted,
    standing: Mutex<Standing>,
}

/// How a match stands.
#[derive(Clone, Debug)]
struct Standing {
    state: Stage,
    progress: Option<ContestProgress>,
    message: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Running,
    /// It is to stop, and games are still being played.
    Stopping,
    Done,
    Stopped,
    Failed,
}

/// What a client asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    game: String,
    a: String,
    b: String,
    games: u64,
    pace: String,
    #[serde(default)]
    pace_b: Option<String>,
    #[serde(default)]
    random_plies: u32,
    #[serde(default = "one")]
    seed: u64,
}

/// Refuses a player that is too large to be let loose for a whole match.
fn check_size(game: AnyGame, text: &str) -> Result<(), HttpFault> {
    let spec = Spec::read(game, text).map_err(|error| HttpFault::new(Code::BadSpec, error))?;
    let threads = spec.settings().map_or(1, |settings| settings.config.threads);
    if spec.memory() > MOST_MEMORY || threads > 1 {
        let message = format!(
            "'{spec}' is too large for a match of the page, where a player has one thread and at most 1GiB of memory"
        );
        return Err(HttpFault::new(Code::Limit, message));
    }
    Ok(())
}

fn one() -> u64 {
    1
}

/// All matches.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<Value> {
    let matches: Vec<Value> = app.matches.lock().iter().map(|found| found.json()).collect();
    Json(json!({ "matches": matches }))
}

/// One match.
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
) -> Result<Json<Value>, HttpFault> {
    Ok(Json(app.matches.find(id)?.json()))
}

/// Stops a match after the games that are being played.
pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
) -> Result<Json<Value>, HttpFault> {
    let found = app.matches.find(id)?;
    let mut standing = found.lock();
    if standing.state == Stage::Running {
        standing.state = Stage::Stopping;
    }
    drop(standing);
    Ok(Json(found.json()))
}

/// Starts a match.
pub(crate) async fn start(
    State(app): State<Arc<App>>,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<(StatusCode, Json<Value>), HttpFault> {
    let Json(wanted) = wanted.map_err(|error| HttpFault::new(Code::BadMessage, error))?;
    let plan = wanted.plan(&app.games)?;
    let started = app.matches.add(wanted)?;
    let (path, concurrency) = (app.options.lab.join(STORE), (app.options.cores / 2).max(1));
    let own = started.clone();
    let spawned = std::thread::Builder::new().name("match".to_owned()).spawn(move || {
        // A panic of the lab is a failed match.
        let held = catch_unwind(AssertUnwindSafe(|| own.hold(plan, path, concurrency)));
        own.end(held.unwrap_or_else(|_| Err("the lab has failed".to_owned())));
    });
    if let Err(error) = spawned {
        started.end(Err(format!("the system gives no thread for a match: {error}")));
    }
    Ok((StatusCode::CREATED, Json(started.json())))
}

impl Wanted {
    /// The plan, if it can be held. Only players of our own take part: a client cannot name
    /// programs.
    fn plan(&self, games: &Games) -> Result<ContestPlan, HttpFault> {
        if !(1..=MOST_GAMES).contains(&self.games) || self.random_plies > MOST_RANDOM {
            let message = format!(
                "a match takes 1 to {MOST_GAMES} games and at most {MOST_RANDOM} random plies, not {} and {}",
                self.games, self.random_plies
            );
            return Err(HttpFault::new(Code::Limit, message));
        }
        let unknown = |error| HttpFault::new(Code::UnknownGame, error);
        let game = games.game(&self.game).map_err(unknown)?;
        for spec in [&self.a, &self.b] {
            check_size(game, spec)?;
        }
        let pace =
            |text: &str| text.parse::<Pace>().map_err(|error| HttpFault::new(Code::BadPace, error));
        let (pace_a, pace_b) =
            (pace(&self.pace)?, pace(self.pace_b.as_ref().unwrap_or(&self.pace))?);
        let openings = match self.random_plies {
            0 => Openings::Start,
            plies => Openings::Random { plies, balance: None },
        };
        let plan = ContestPlan {
            game,
            contestants: vec![Contestant::spec(&self.a, pace_a), Contestant::spec(&self.b, pace_b)],
            format: Format::RoundRobin,
            games: self.games,
            openings,
            seed: self.seed,
            adjudication: Default::default(),
            test: None,
            equal_time: None,
            build: build().to_owned(),
        };
        match plan.check() {
            Ok(()) => Ok(plan),
            Err(ContestError::Spec(error)) => Err(HttpFault::new(Code::BadSpec, error)),
            Err(error) => Err(HttpFault::new(Code::BadMessage, error)),
        }
    }

    /// The same match on the command line.
    fn command(&self) -> String {
        let Wanted { game, a, b, games, pace, random_plies, seed, .. } = self;
        let pace_b =
            self.pace_b.as_ref().map_or(String::new(), |pace| format!(" --pace-b '{pace}'"));
        let random = if *random_plies > 0 {
            format!(" --random-plies {random_plies}")
        } else {
            String::new()
        };
        format!(
            "monteverde match '{a}' '{b}' --game {game} --games {games} --pace '{pace}'{pace_b}{random} --seed {seed} \
             --store {STORE}"
        )
    }
}

impl Matches {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Match>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, id: u64) -> Result<Arc<Match>, HttpFault> {
        let found = self.lock().iter().find(|one| one.id == id).cloned();
        found.ok_or_else(|| HttpFault::new(Code::NotFound, format!("there is no match {id}")))
    }

    fn add(&self, wanted: Wanted) -> Result<Arc<Match>, HttpFault> {
        let mut matches = self.lock();
        let is_going =
            |one: &Arc<Match>| matches!(one.lock().state, Stage::Running | Stage::Stopping);
        if matches.iter().any(is_going) {
            let message = "another match runs; wait for its end or stop it first";
            return Err(HttpFault::new(Code::NotNow, message));
        }
        if matches.len() >= MOST_KEPT {
            matches.remove(0);
        }
        let id = matches.last().map_or(1, |last| last.id + 1);
        let standing =
            Mutex::new(Standing { state: Stage::Running, progress: None, message: None });
        let started = Arc::new(Match { id, wanted, standing });
        matches.push(started.clone());
        Ok(started)
    }

    /// Stops whatever runs.
    pub(crate) fn end(&self) {
        for one in self.lock().iter() {
            let mut standing = one.lock();
            if standing.state == Stage::Running {
                standing.state = Stage::Stopping;
            }
        }
    }
}

impl Match {
    fn lock(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays the match, a few games at a time.
    fn hold(&self, plan: ContestPlan, path: PathBuf, concurrency: usize) -> Result<(), String> {
        let text = |error: &dyn ToString| error.to_string();
        let mut store = Store::open(&path).map_err(|error| text(&error))?;
        let note = RunNote { command: self.wanted.command(), build: plan.build.clone() };
        store.note_run(&note).map_err(|error| text(&error))?;
        let step = 2 * concurrency as u64;
        let mut games = 0;
        while games < plan.games && self.lock().state == Stage::Running {
            games = (games + step).min(plan.games);
            let part = ContestPlan { games, ..plan.clone() };
            let so_far = games.saturating_sub(step);
            let held = part.hold(&mut store, concurrency, &mut |_, progress| {
                // Each part begins by counting the games that are there.
                if progress.standings.games() > so_far {
                    self.lock().progress = Some(progress.clone());
                }
            });
            let progress = held.map_err(|error| text(&error))?;
            self.lock().progress = Some(progress);
        }
        Ok(())
    }

    fn end(&self, result: Result<(), String>) {
        let mut standing = self.lock();
        standing.state = match (&result, standing.state) {
            (Err(_), _) => Stage::Failed,
            (Ok(()), Stage::Stopping) => Stage::Stopped,
            (Ok(()), _) => Stage::Done,
        };
        standing.message = result.err();
    }

    fn json(&self) -> Value {
        let Standing { state, progress, message } = self.lock().clone();
        let sample = progress.as_ref().map(|progress| progress.standings.sample(0, 1));
        let games =
            progress.as_ref().map(|progress| progress.standings.between(0, 1)).unwrap_or_default();
        json!({
            "id": self.id,
            "game": self.wanted.game,
            "a": self.wanted.a,
            "b": self.wanted.b,
            "pace": self.wanted.pace,
            "state": match state {
                Stage::Running | Stage::Stopping => "running",
                Stage::Done => "done",
                Stage::Stopped => "stopped",
                Stage::Failed => "failed",
            },
            "games": self.wanted.games,
            "played": games.games(),
            "wins": games.wins,
            "draws": games.draws,
            "losses": games.losses,
            "score": sample.and_then(score).map_or(Interval::default(), Interval::from),
            "elo": sample.map_or(Interval::default(), |sample| Interval::from(elo(sample))),
            "los": sample.filter(|_| games.games() > 0).map(los),
            "store": STORE,
            "message": message,
        })
    }
}
