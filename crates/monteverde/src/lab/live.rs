//! What people want of a contest while it is played: the games as they end, cores of their own for
//! them, an end by Ctrl-C with what was found so far, and a place where games are kept.

use crate::failure::bad_input;
use crate::progress::note;
use anyhow::Context;
use monteverde_game::limit::Signal;
use monteverde_lab::affinity::{self, Affinity};
use monteverde_lab::date;
use monteverde_lab::export;
use monteverde_lab::hands::Hands;
use monteverde_lab::run::Finished;
use monteverde_players::AnyGame;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a contest is played and followed.
#[derive(clap::Args)]
pub(crate) struct LiveArgs {
    /// Appends every game to this file as soon as it has ended, in the format of its game (PGN for
    /// chess); games that the store held already are not written again
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Gives games that are played at once cores of their own, equally many each, and their
    /// engines with them (Linux)
    #[arg(long)]
    affinity: bool,
}

impl LiveArgs {
    /// Opens the file of games.
    pub(super) fn file(&self, game: AnyGame) -> anyhow::Result<Option<GameFile>> {
        let Some(path) = &self.pgn else { return Ok(None) };
        let opened = OpenOptions::new().create(true).append(true).open(path);
        let file = opened.map_err(|error| {
            bad_input("--pgn", format!("'{}' cannot be written: {error}", path.display()))
        })?;
        Ok(Some(GameFile { game, file, path: path.clone() }))
    }

    /// Says which cores games have.
    pub(super) fn set(&self, hands: &mut Hands) -> anyhow::Result<()> {
        if self.affinity {
            affinity::shares(hands.concurrency).map_err(|error| bad_input("--affinity", error))?;
            hands.affinity = Affinity::Pinned;
        }
        Ok(())
    }
}

/// A file that grows by a game at a time.
pub(super) struct GameFile {
    game: AnyGame,
    file: File,
    path: PathBuf,
}

impl GameFile {
    /// Writes a game that has just been played.
    pub(super) fn add(&mut self, finished: &Finished<'_>) -> anyhow::Result<()> {
        let Some(record) = finished.played else { return Ok(()) };
        let place = || format!("a game cannot be written to '{}'", self.path.display());
        let text = export::one(self.game, record, finished.index + 1).with_context(place)?;
        self.file.write_all(text.as_bytes()).with_context(place)
    }
}

/// Stops the work at the first Ctrl-C, the process at the second. Without a runtime for signals
/// Ctrl-C ends the process, as it does by default.
pub(super) fn stop_at_interrupt(stop: Arc<Signal>) {
    /// What shells give a process that Ctrl-C has ended.
    const INTERRUPTED: i32 = 130;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Ok(runtime) = runtime else { return };
    std::thread::spawn(move || {
        runtime.block_on(async {
            if tokio::signal::ctrl_c().await.is_err() {
                return;
            }
            note("stopping within a move; Ctrl-C again ends the program at once");
            stop.stop();
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(INTERRUPTED);
            }
        });
    });
}

/// The file that keeps the games of a run for which nobody named one; it says which. `None`, and a
/// sentence, where there is no place for it.
pub(super) fn default_store() -> Option<PathBuf> {
    let Some(folder) = folder() else {
        note("the games are not kept: there is no home folder; --store FILE keeps them");
        return None;
    };
    if let Err(error) = fs::create_dir_all(&folder) {
        let place = folder.display();
        note(&format!("the games are not kept: {place}: {error}; --store FILE keeps them"));
        return None;
    }
    let path = folder.join(name());
    note(&format!(
        "the games are kept in {}; the same command with --store and that file goes on",
        path.display()
    ));
    Some(path)
}

/// Where programs keep what belongs to their users.
fn folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set("XDG_DATA_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .or_else(|| Some(set("HOME")?.join(".local").join("share")))?;
    Some(base.join("monteverde").join("matches"))
}

/// A name that no other run has: the moment and the process.
fn name() -> String {
    let now = date::now();
    let seconds = now.as_secs() % (24 * 60 * 60);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let day = date::day(u64::try_from(now.as_millis()).unwrap_or_default());
    let process = std::process::id();
    format!("{day}-{hours:02}{minutes:02}{:02}-{process}.db", seconds % 60)
}

/// The store of a run: what was asked for, or the default one where all of the work is done here.
pub(super) fn store_or_default(store: Option<&Path>, is_shard: bool) -> Option<PathBuf> {
    match store {
        Some(path) => Some(path.to_owned()),
        None if is_shard => None,
        None => default_store(),
    }
}
