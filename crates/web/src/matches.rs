//! Matches that are started from the page.
//!
//! One at a time, on a thread of its own, and on half of the cores, so that sessions go on. The
//! games go into the store `page.db` of the lab's folder. What the store holds is not played again,
//! so that a larger match goes on where the smaller one ended. A match is stopped within a move;
//! the games that were being played are not kept.

use crate::clients::Clients;
use crate::connections::Guest;
use crate::fault::HttpFault;
use crate::request::{Body, Path};
use crate::server::App;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use monteverde_desk::{Code, pace};
use monteverde_game::limit::Signal;
use monteverde_lab::build::build;
use monteverde_lab::contest::{ContestError, ContestPlan, ContestProgress, Format, Openings};
use monteverde_lab::contestant::Contestant;
use monteverde_lab::hands::Hands;
use monteverde_lab::store::{RunNote, Store};
use monteverde_players::{AnyGame, Games, Overrides, Pace, Spec};
use monteverde_statistics::{Interval, elo, los, score};
use serde::Deserialize;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The store that matches of the page are kept in.
const STORE: &str = "page.db";
/// So many games a match may have.
const MOST_GAMES: u64 = 10_000;
/// So many random plies an opening may have.
const MOST_RANDOM: u32 = 40;
/// So many matches are remembered.
const MOST_KEPT: usize = 100;

/// The matches since the server began, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Matches(Mutex<Vec<Arc<Match>>>);

/// One match.
#[derive(Debug)]
struct Match {
    id: u64,
    /// Who has started it.
    client: IpAddr,
    wanted: Wanted,
    /// What stops it.
    stop: Arc<Signal>,
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
    /// It is to stop, and moves are still being thought about.
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

/// A player of a match, which has one thread and at most so much memory. One that does not say how
/// much it takes gets that, and its name says so: it may not be as strong as with more.
fn contestant(
    game: AnyGame,
    (text, pace): (&str, Pace),
    most: usize,
) -> Result<Contestant, HttpFault> {
    let bad = |error| HttpFault::new(Code::BadSpec, error);
    let mut spec = Spec::read_without_files(game, text).map_err(bad)?;
    let limit = |message: String| HttpFault::new(Code::Limit, message);
    if spec.settings().is_some_and(|settings| settings.config.threads > 1) {
        return Err(limit(format!(
            "'{spec}' has several threads; in a match of the page one is accepted"
        )));
    }
    if spec.memory() > most && !spec.to_string().contains("memory=") {
        let overrides = Overrides { memory: Some(most), ..Overrides::default() };
        spec = spec.with(&overrides).map_err(bad)?;
    }
    spec.check_memory(most).map_err(|error| limit(error.to_string()))?;
    Ok(Contestant::spec(&spec.to_string(), pace))
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

/// Stops a match. The games that are being played are not kept.
pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    Extension(guest): Extension<Arc<Guest>>,
    Path(id): Path<u64>,
) -> Result<Json<Value>, HttpFault> {
    let found = app.matches.find(id)?;
    if !app.clients.may_stop(guest.client, found.client) {
        let message = "another client has started the match; only that one stops it";
        return Err(HttpFault::new(Code::Refused, message));
    }
    found.stop();
    Ok(Json(found.json()))
}

/// Starts a match.
pub(crate) async fn start(
    State(app): State<Arc<App>>,
    Extension(guest): Extension<Arc<Guest>>,
    Body(wanted): Body<Wanted>,
) -> Result<(StatusCode, Json<Value>), HttpFault> {
    let concurrency = (app.options.cores / 2).max(1);
    let (own, memory) = (app.clone(), app.memory.for_match(2 * concurrency));
    let planned = app.work.run(move || Ok((wanted.plan(&own.games, memory)?, wanted)));
    let (plan, wanted) = planned.await?;
    let started = app.matches.add(wanted, guest.client, &app.clients)?;
    let path = app.options.lab.join(STORE);
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
    /// The plan, if it can be held by players of at most so much memory. Only players of our own
    /// take part: a client cannot name programs.
    fn plan(&self, games: &Games, memory: usize) -> Result<ContestPlan, HttpFault> {
        if !(1..=MOST_GAMES).contains(&self.games) || self.random_plies > MOST_RANDOM {
            let message = format!(
                "a match takes 1 to {MOST_GAMES} games and at most {MOST_RANDOM} random plies, not {} and {}",
                self.games, self.random_plies
            );
            return Err(HttpFault::new(Code::BadMessage, message));
        }
        let unknown = |error| HttpFault::new(Code::UnknownGame, error);
        let game = games.game(&self.game).map_err(unknown)?;
        let (pace_a, pace_b) =
            (pace(&self.pace)?, pace(self.pace_b.as_ref().unwrap_or(&self.pace))?);
        let openings = match self.random_plies {
            0 => Openings::Start,
            plies => Openings::Random { plies, balance: None },
        };
        let plan = ContestPlan {
            game,
            contestants: vec![
                contestant(game, (&self.a, pace_a), memory)?,
                contestant(game, (&self.b, pace_b), memory)?,
            ],
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

    /// The same match of these players on the command line.
    fn command(&self, players: &[Contestant]) -> String {
        let Wanted { game, games, pace, random_plies, seed, .. } = self;
        let players: String = players.iter().map(|one| format!(" '{}'", one.name)).collect();
        let pace_b =
            self.pace_b.as_ref().map_or(String::new(), |pace| format!(" --pace-b '{pace}'"));
        let random = if *random_plies > 0 {
            format!(" --random-plies {random_plies}")
        } else {
            String::new()
        };
        format!(
            "monteverde match{players} --game {game} --games {games} --pace '{pace}'{pace_b}{random} --seed {seed} \
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

    /// Adds a match, if none runs and the client may start one.
    fn add(
        &self,
        wanted: Wanted,
        client: IpAddr,
        clients: &Clients,
    ) -> Result<Arc<Match>, HttpFault> {
        let mut matches = self.lock();
        if matches.iter().any(|one| one.is_going()) {
            let message = "another match runs; wait for its end or stop it first";
            return Err(HttpFault::new(Code::NotNow, message));
        }
        clients.start_match(client)?;
        if matches.len() >= MOST_KEPT {
            matches.remove(0);
        }
        let id = matches.last().map_or(1, |last| last.id + 1);
        let standing =
            Mutex::new(Standing { state: Stage::Running, progress: None, message: None });
        let started = Arc::new(Match { id, client, wanted, stop: Arc::default(), standing });
        matches.push(started.clone());
        Ok(started)
    }

    /// Stops whatever runs.
    pub(crate) fn end(&self) {
        self.lock().iter().for_each(|one| one.stop());
    }

    /// Waits until none runs.
    pub(crate) async fn ended(&self) {
        while self.lock().iter().any(|one| one.is_going()) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Match {
    fn lock(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_going(&self) -> bool {
        matches!(self.lock().state, Stage::Running | Stage::Stopping)
    }

    /// Lets it end within a move.
    fn stop(&self) {
        let mut standing = self.lock();
        if standing.state == Stage::Running {
            standing.state = Stage::Stopping;
        }
        self.stop.stop();
    }

    /// Plays the match.
    fn hold(&self, plan: ContestPlan, path: PathBuf, concurrency: usize) -> Result<(), String> {
        let text = |error: &dyn ToString| error.to_string();
        let mut store = Store::open(&path).map_err(|error| text(&error))?;
        let command = self.wanted.command(&plan.contestants);
        let note = RunNote { command, build: plan.build.clone() };
        store.note_run(&note).map_err(|error| text(&error))?;
        let hands = Hands { stop: self.stop.clone(), ..Hands::from(concurrency) };
        let held = plan.hold(&mut store, hands, &mut |_, progress| {
            self.lock().progress = Some(progress.clone());
        });
        self.lock().progress = Some(held.map_err(|error| text(&error))?);
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
