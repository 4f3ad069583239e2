//! Matches, tournaments and sweeps, as the program holds them.

mod settings;
mod watch;

pub(crate) use settings::read_toml;

use crate::convert::{document, failed, refused};
use crate::limit;
use crate::own::{is_raised, raised_last};
use crate::registry;
use crate::search::check_progress;
use monteverde_lab::build::build;
use monteverde_lab::contest::{ContestError, ContestProgress};
use monteverde_lab::document::{match_document, tournament_document};
use monteverde_lab::hands::Hands;
use monteverde_lab::record::GameRecord;
use monteverde_lab::run::RunError;
use monteverde_lab::store::{Store, StoreError};
use monteverde_lab::sweep::{Sweep, SweepError};
use monteverde_lab::tournament::Tournament;
use monteverde_statistics::SequentialTest;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};
use std::path::PathBuf;
use watch::{Told, watched};

/// Where finished games go, who plays, and who is told.
struct Work {
    store: Option<PathBuf>,
    concurrency: Option<usize>,
    progress: Option<Py<PyAny>>,
}

/// The most games that are played at once.
const MOST_AT_ONCE: u64 = 1024;

impl Work {
    /// What keywords say, refused before anything is played.
    fn read(
        store: Option<PathBuf>,
        concurrency: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Work> {
        // SQLite takes an empty path for a file that it throws away.
        if store.as_ref().is_some_and(|path| path.as_os_str().is_empty()) {
            return Err(refused("store: the path of a file is accepted, not an empty text"));
        }
        check_progress(progress.as_ref())?;
        let concurrency =
            concurrency.map(|given| limit::whole("concurrency", given, 1..=MOST_AT_ONCE));
        let concurrency = concurrency.transpose()?.map(|count| count as usize);
        Ok(Work { store, concurrency, progress })
    }

    fn hands(&self, other: Option<usize>) -> Hands {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Hands::from(self.concurrency.or(other).unwrap_or_else(cores))
    }

    fn open(&self) -> PyResult<Store> {
        match &self.store {
            Some(path) => Store::open(path).map_err(store_error),
            None => Store::memory().map_err(store_error),
        }
    }
}

/// Holds a match or a tournament that a dictionary or the text of a file describes, and gives the
/// program's own document; ``keys`` are those of all games in the order of the tasks, ``records``
/// the games themselves as JSON texts, where no store keeps them.
#[pyfunction]
#[pyo3(name = "_contest")]
#[pyo3(signature = (plan, folder, *, store = None, concurrency = None, progress = None))]
pub(crate) fn contest<'py>(
    plan: &Bound<'py, PyAny>,
    folder: PathBuf,
    store: Option<PathBuf>,
    concurrency: Option<&Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let work = Work::read(store, concurrency, progress)?;
    let games = registry::games();
    let read = match plan.cast::<PyDict>() {
        Ok(plan) => Tournament::from_table(&games, &settings::table(plan)?, &folder, build()),
        Err(_) => Tournament::parse(&games, &plan.extract::<String>()?, &folder, build()),
    };
    hold(plan.py(), read.map_err(refused)?, &work)
}

fn hold<'py>(py: Python<'py>, held: Tournament, work: &Work) -> PyResult<Bound<'py, PyAny>> {
    let Tournament { plan, concurrency, .. } = held;
    let (test, hands) = (plan.test, work.hands(concurrency));
    let total = plan.total();
    let mut store = work.open()?;
    let value = watched(py, &hands, work.progress.as_ref(), |tell| {
        let mut keys = Vec::new();
        let played = plan.hold(&mut store, &hands, &mut |finished, progress| {
            keys.push((finished.index, finished.task.key().to_string()));
            let done = progress.found + progress.played;
            tell(Told { done, total, found: progress.found });
            if is_raised() {
                hands.stop.stop();
            }
        });
        let progress = played.map_err(contest_error)?;
        if let Some(raised) = raised_last() {
            return Err(raised);
        }
        keys.sort_unstable();
        let keys: Vec<String> = keys.into_iter().map(|(_, key)| key).collect();
        let mut value = value(&progress, test.as_ref());
        // A store that is a file keeps them; one in memory goes.
        if !store.is_kept() {
            let mut records = Vec::with_capacity(keys.len());
            for key in &keys {
                let record: Option<GameRecord> = store.record(key).map_err(store_error)?;
                records.extend(record.map(|record| json!(record).to_string()));
            }
            value["records"] = json!(records);
        }
        value["keys"] = json!(keys);
        Ok(value)
    })?;
    document(py, &value)
}

/// The document of a contest; of two players also that of their match.
fn value(progress: &ContestProgress, test: Option<&SequentialTest>) -> Value {
    let mut value = tournament_document(progress);
    if let [a, b] = progress.standings.names() {
        value["match"] = match_document(progress, [a, b], test);
    }
    value["found"] = json!(progress.found);
    value["played"] = json!(progress.played);
    value
}

/// Measures a grid that a dictionary or the text of a file describes, and gives the program's own
/// document.
#[pyfunction]
#[pyo3(name = "_sweep")]
#[pyo3(signature = (plan, folder, *, store = None, concurrency = None, progress = None))]
pub(crate) fn sweep<'py>(
    plan: &Bound<'py, PyAny>,
    folder: PathBuf,
    store: Option<PathBuf>,
    concurrency: Option<&Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let work = Work::read(store, concurrency, progress)?;
    let games = registry::games();
    let read = match plan.cast::<PyDict>() {
        Ok(plan) => Sweep::from_table(&games, &settings::table(plan)?, &folder, build()),
        Err(_) => Sweep::parse(&games, &plan.extract::<String>()?, &folder, build()),
    };
    let sweep = read.map_err(sweep_error)?;
    let hands = work.hands(None);
    let mut store = work.open()?;
    let value = watched(plan.py(), &hands, work.progress.as_ref(), |tell| {
        let result = sweep.run(&mut store, &hands, &mut |progress| {
            tell(Told { done: progress.done, total: progress.total, found: progress.found });
        });
        Ok(result.map_err(sweep_error)?.json())
    })?;
    document(plan.py(), &value)
}

/// A store that is not one is bad input; one that fails is a failure of the system.
pub(crate) fn store_error(error: StoreError) -> PyErr {
    match error {
        StoreError::System { .. } | StoreError::Database { .. } | StoreError::Damaged { .. } => {
            PyOSError::new_err(error.to_string())
        }
        error => refused(error),
    }
}

fn contest_error(error: ContestError) -> PyErr {
    // A game that is written in Python fails by what its methods raised.
    if let Some(raised) = raised_last() {
        return raised;
    }
    match error {
        ContestError::Run(RunError::Store(error)) => store_error(error),
        ContestError::Run(
            RunError::Broken { .. } | RunError::Player { .. } | RunError::Crew(_),
        ) => failed(error),
        error => refused(error),
    }
}

fn sweep_error(error: SweepError) -> PyErr {
    if let Some(raised) = raised_last() {
        return raised;
    }
    match error {
        SweepError::Store(error) | SweepError::Run(RunError::Store(error)) => store_error(error),
        SweepError::Run(
            error @ (RunError::Broken { .. } | RunError::Player { .. } | RunError::Crew(_)),
        ) => failed(error),
        SweepError::Contest(error) => contest_error(error),
        error => refused(error),
    }
}
