//! The lab over HTTP: stores and experiments, to look at.
//!
//! Only files of the lab's folder are read, and only those whose names a listing of that folder
//! gives: what a client writes into an address is compared with names, never made into a path.

use crate::fault::HttpFault;
use crate::request::{Path, Query, QueryKeys};
use crate::server::App;
use axum::Json;
use axum::extract::State;
use monteverde_desk::Code;
use monteverde_experiment::{self as experiment, Experiment, Scale, State as Known};
use monteverde_lab::report::of_store;
use monteverde_lab::store::{Store, StoreError, left_out};
use monteverde_report::ReportData;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

/// The folder of experiments in the lab's folder.
const EXPERIMENTS: &str = "experiments";
/// So many games of a store are listed at once.
const MOST_LISTED: u64 = 200;
/// So many games are listed where nobody says it.
const LISTED: u64 = 50;

/// Every store.
pub(crate) async fn stores(State(app): State<Arc<App>>) -> Result<Json<Value>, HttpFault> {
    blocking(app, move |app| {
        let stores = find_stores(&app.options.lab).into_iter().filter_map(|(id, path)| {
            let bytes = path.metadata().map_or(0, |data| data.len());
            let read = Store::read(&path)
                .and_then(|store| Ok((store.count(None)?, store.games()?)));
            Some(match read {
                Ok((games, kinds)) => {
                    json!({ "id": id, "bytes": bytes, "games": games, "kinds": kinds, "error": null })
                }
                // A match that begins makes one.
                Err(StoreError::Missing(_)) => return None,
                Err(error) => {
                    json!({ "id": id, "bytes": bytes, "games": 0, "kinds": [], "error": error.to_string() })
                }
            })
        });
        Ok(json!({ "stores": stores.collect::<Vec<_>>() }))
    })
    .await
}

/// The report of a store.
pub(crate) async fn store(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, HttpFault> {
    blocking(app, move |app| {
        let report = of_store(&open(&app.options.lab, &id)?).map_err(failed)?;
        Ok(json!({ "report": report }))
    })
    .await
}

/// Which games are asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct Page {
    game: Option<String>,
    offset: Option<u64>,
    count: Option<u64>,
}

impl QueryKeys for Page {
    const ACCEPTED: &str = "game=NAME, offset=N and count=N, whole numbers from 0 on";
}

/// Some games of a store.
pub(crate) async fn games(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(page): Query<Page>,
) -> Result<Json<Value>, HttpFault> {
    blocking(app, move |app| {
        let store = open(&app.options.lab, &id)?;
        let game = page.game.as_deref().filter(|game| !game.is_empty());
        let count = page.count.unwrap_or(LISTED).min(MOST_LISTED);
        let total = store.count(game).map_err(failed)?;
        let found = store.lines(game, page.offset.unwrap_or(0), count).map_err(failed)?;
        let (lines, damaged) = found;
        Ok(json!({ "total": total, "games": lines, "left_out": left_out(&damaged) }))
    })
    .await
}

/// One game of a store.
pub(crate) async fn game(
    State(app): State<Arc<App>>,
    Path((id, key)): Path<(String, String)>,
) -> Result<Json<Value>, HttpFault> {
    blocking(app, move |app| {
        let record = open(&app.options.lab, &id)?.record(&key).map_err(failed)?;
        let missing =
            || HttpFault::new(Code::NotFound, format!("the store '{id}' holds no game '{key}'"));
        Ok(json!({ "game": record.ok_or_else(missing)? }))
    })
    .await
}

/// Every experiment, and what is known at its scales.
pub(crate) async fn experiments(State(app): State<Arc<App>>) -> Result<Json<Value>, HttpFault> {
    blocking(app, move |app| {
        let all = read_experiments(app)?;
        let listed = all.iter().map(|experiment| {
            let scale = |scale: Scale| {
                let state =
                    experiment.state(scale).map_or("unreadable", |state| state_name(&state));
                (scale.name().to_owned(), Value::from(state))
            };
            json!({
                "id": experiment.id,
                "title": experiment.title,
                "paper": experiment.source(),
                "scales": Scale::ALL.map(scale).into_iter().collect::<Map<_, _>>(),
            })
        });
        Ok(json!({ "experiments": listed.collect::<Vec<_>>() }))
    })
    .await
}

/// An experiment with the paper's numbers beside ours.
pub(crate) async fn experiment(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, HttpFault> {
    blocking(app, move |app| {
        let all = read_experiments(app)?;
        let Some(found) = all.into_iter().find(|experiment| experiment.id == id) else {
            return Err(HttpFault::new(Code::NotFound, format!("there is no experiment '{id}'")));
        };
        let sections = vec![experiment::section(&found).map_err(failed)?];
        let report = ReportData { sections, ..ReportData::default() };
        Ok(json!({ "id": id, "title": found.title, "report": report }))
    })
    .await
}

fn state_name(state: &Known) -> &'static str {
    match state {
        Known::Open => "open",
        Known::Stale => "out of date",
        Known::Done(verdict) => verdict.name(),
        Known::Measured => "measured",
    }
}

fn read_experiments(app: &App) -> Result<Vec<Experiment>, HttpFault> {
    let folder = app.options.lab.join(EXPERIMENTS);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    experiment::read_all(&app.games, &folder).map_err(failed)
}

/// The stores of the lab's folder by their names: those that lie in it, and those of experiments.
fn find_stores(lab: &FilePath) -> Vec<(String, PathBuf)> {
    let mut folders = vec![(String::new(), lab.to_owned())];
    for (name, path) in list(&lab.join(EXPERIMENTS)) {
        if path.is_dir() {
            folders.push((format!("{EXPERIMENTS}/{name}/"), path));
        }
    }
    let files = |(folder, path): (String, PathBuf)| {
        let stores =
            list(&path).into_iter().filter(|(name, path)| name.ends_with(".db") && path.is_file());
        stores.map(move |(name, path)| (format!("{folder}{name}"), path)).collect::<Vec<_>>()
    };
    folders.into_iter().flat_map(files).collect()
}

/// What lies in a folder, by name; nothing where it cannot be read.
fn list(folder: &FilePath) -> Vec<(String, PathBuf)> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let named =
        |entry: std::fs::DirEntry| Some((entry.file_name().into_string().ok()?, entry.path()));
    let mut listed: Vec<_> = entries.filter_map(named).collect();
    listed.sort();
    listed
}

fn open(lab: &FilePath, id: &str) -> Result<Store, HttpFault> {
    let missing =
        || HttpFault::new(Code::NotFound, format!("there is no store '{id}' in the lab's folder"));
    let (_, path) =
        find_stores(lab).into_iter().find(|(name, _)| name == id).ok_or_else(missing)?;
    Store::read(&path).map_err(|error| match error {
        StoreError::Missing(_) => missing(),
        error => failed(error),
    })
}

fn failed(error: impl ToString) -> HttpFault {
    HttpFault::new(Code::Failed, error.to_string())
}

/// Files are read on threads that may wait.
async fn blocking(
    app: Arc<App>,
    work: impl FnOnce(&App) -> Result<Value, HttpFault> + Send + 'static,
) -> Result<Json<Value>, HttpFault> {
    let own = app.clone();
    app.reading.run(move || work(&own)).await.map(Json)
}
