//! The commands of the laboratory.

mod adjudication;
pub(crate) mod experiment;
pub(crate) mod export;
mod figures;
pub(crate) mod matches;
mod pages;
pub(crate) mod report;
pub(crate) mod solve;
pub(crate) mod sweep;
pub(crate) mod tournament;
mod view;
mod work;

use crate::failure::bad_input;
use crate::input::note_missing;
use crate::nats::{CrewArgs, without_server};
use crate::progress::note;
use monteverde_lab::build::build;
use monteverde_lab::calibration::CalibrationError;
use monteverde_lab::contest::{ContestError, ContestPlan, ContestProgress};
use monteverde_lab::contestant::ContestantKind;
use monteverde_lab::run::RunError;
use monteverde_lab::store::{RunNote, Store, StoreError};
use monteverde_players::{Spec, text_file};
use std::path::{Path, PathBuf};
use view::View;

/// How many games are played at once where nobody said so: one a core.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Holds a contest, showing how it goes, and says at its end what was done.
fn hold(
    plan: ContestPlan,
    store: Option<&Path>,
    (crew, concurrency): (&CrewArgs, usize),
) -> anyhow::Result<ContestProgress> {
    // What cannot be held is not to begin at a server.
    if crew.is_asked_for() {
        plan.check().map_err(contest_failure)?;
    }
    let path = store;
    let mut store = match path {
        Some(path) => open(path)?,
        None => Store::memory()?,
    };
    // Unreadable specs are reported by the contest.
    for contestant in &plan.contestants {
        if let ContestantKind::Spec(text) = &contestant.kind
            && let Ok(spec) = Spec::read(plan.game, text)
        {
            note_missing(plan.game, &spec, text);
        }
    }
    if plan.equal_time.is_some() {
        note("measuring the players' speeds, where the store does not know them");
    }
    let workforce = crew.workforce(concurrency, path)?;
    let mut view = View::new(&plan);
    let held = plan.hold(&mut store, &workforce.hands, &mut |_, progress| view.show(progress));
    let progress = held.map_err(contest_failure)?;
    view.finish(&progress);
    workforce.finish();
    Ok(progress)
}

/// A file in TOML: its text, its name for errors, and the folder where relative paths in it start.
struct TomlFile {
    text: String,
    place: String,
    folder: PathBuf,
}

impl TomlFile {
    fn read(path: &Path) -> anyhow::Result<TomlFile> {
        let place = path.display().to_string();
        let text =
            text_file::read(path, text_file::SETTINGS).map_err(|error| bad_input(&place, error))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(TomlFile { text, place, folder })
    }
}

/// Opens a store to write into it, and notes the command line there.
fn open(path: &Path) -> anyhow::Result<Store> {
    let mut store = Store::open(path).map_err(store_failure)?;
    let command = command_line();
    store.note_run(&RunNote { command, build: build().to_owned() })?;
    Ok(store)
}

/// The command line that is running, as a shell would read it again, without where its work is
/// done: that changes nothing, and may be secret.
pub(crate) fn command_line() -> String {
    monteverde_lab::command::line(without_server(std::env::args().skip(1)))
}

/// A store that is not one is bad input; one that fails is a failure.
fn store_failure(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::System { .. } | StoreError::Database { .. } | StoreError::Damaged { .. } => {
            error.into()
        }
        _ => bad_input("--store", error),
    }
}

/// A contest that cannot be held is bad input; one that breaks off is a failure.
fn contest_failure(error: ContestError) -> anyhow::Error {
    match error {
        ContestError::Run(RunError::Store(error)) => store_failure(error),
        ContestError::Run(
            RunError::Broken { .. } | RunError::Player { .. } | RunError::Crew(_),
        ) => error.into(),
        ContestError::Spec(error) => bad_input("a player", error),
        ContestError::Calibration(CalibrationError::Store(error)) => store_failure(error),
        error => bad_input("the contest", error),
    }
}
