//! The commands of the laboratory.

pub(crate) mod adjudication;
pub(crate) mod experiment;
pub(crate) mod export;
mod figures;
pub(crate) mod import;
mod live;
pub(crate) mod matches;
mod pages;
pub(crate) mod report;
pub(crate) mod shard;
pub(crate) mod solve;
pub(crate) mod sweep;
pub(crate) mod tournament;
mod view;
mod work;

use crate::failure::{bad_input, interrupted};
use crate::input::note_missing;
use crate::nats::{CrewArgs, without_server};
use crate::progress::note;
use live::LiveArgs;
use monteverde_lab::build::build;
use monteverde_lab::calibration::CalibrationError;
use monteverde_lab::contest::{ContestError, ContestPlan, ContestProgress};
use monteverde_lab::contestant::ContestantKind;
use monteverde_lab::pace::Pace;
use monteverde_lab::run::RunError;
use monteverde_lab::store::{RunNote, Store, StoreError};
use monteverde_players::{Spec, text_file};
use shard::Keeping;
use std::path::{Path, PathBuf};
use view::MatchView;

/// How many games are played at once where nobody said so: one a core.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Refuses what cannot be held before it begins at a server, or a store is made for it.
fn check(plan: &ContestPlan, crew: &CrewArgs, store: Option<&Path>) -> anyhow::Result<()> {
    crew.check_address()?;
    match crew.is_asked_for() || store.is_none() {
        true => plan.check().map_err(contest_failure),
        false => Ok(()),
    }
}

/// Holds a contest, or a shard of it, showing how it goes, and says at its end what was done.
/// Ctrl-C ends it with what was found so far.
fn hold(
    plan: ContestPlan,
    keeping: &mut Keeping,
    live: &LiveArgs,
) -> anyhow::Result<ContestProgress> {
    let Keeping { store, workforce } = keeping;
    live.set(&mut workforce.hands)?;
    let mut file = live.file(plan.game)?;
    let hands = &workforce.hands;
    if hands.crew.is_none() {
        live::stop_at_interrupt(hands.stop.clone());
    }
    // Unreadable specs are reported by the contest.
    for contestant in &plan.contestants {
        if let ContestantKind::Spec(text) = &contestant.kind
            && let Ok(spec) = Spec::read(plan.game, text)
        {
            note_missing(plan.game, &spec, text);
        }
    }
    if hands.shard.is_some() {
        note_clock(&plan);
    } else if plan.equal_time.is_some() {
        note("measuring the players' speeds, where the store does not know them");
    }
    let mut view = MatchView::new(&plan, hands.shard);
    let mut unwritten = None;
    let held = plan.hold(store, hands, &mut |finished, progress| {
        view.show(progress);
        if let Some(file) = &mut file
            && let Err(error) = file.add(finished)
        {
            // What cannot be written once cannot be written; the store has the games.
            unwritten.get_or_insert(error);
            hands.stop.stop();
        }
    });
    let progress = held.map_err(contest_failure)?;
    view.finish(&progress);
    unwritten.map_or(Ok(progress), Err)
}

/// The failure that a run ends in which Ctrl-C has stopped, after its table.
fn unless_interrupted(keeping: &Keeping) -> anyhow::Result<()> {
    let Keeping { store, workforce } = keeping;
    match workforce.hands.crew.is_none() && workforce.hands.stop.is_stopped() {
        true => Err(interrupted(store.is_kept().then(|| store.path()))),
        false => Ok(()),
    }
}

/// Says of a contest by the clock that its shards should be played by equal machines, and of one
/// with a test that all games are played.
fn note_clock(plan: &ContestPlan) {
    let is_clock = |pace| matches!(pace, Pace::Time(_) | Pace::Clock(_));
    if plan.contestants.iter().any(|one| is_clock(one.pace)) {
        note(
            "players by the clock: games depend on the machine, so equal machines should play all shards",
        );
    }
    if plan.test.is_some() {
        note(
            "a shard does not know what the others find, so the test stops nothing here: all of its games are \
             played, and the run after the import decides",
        );
    }
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
pub(crate) fn store_failure(error: StoreError) -> anyhow::Error {
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
