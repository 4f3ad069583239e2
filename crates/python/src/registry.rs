//! The games of the package: those of the program, and those that were registered from Python.

use crate::convert::refused;
use monteverde_players::{AnyGame, Entry, Games};
use pyo3::prelude::*;
use std::sync::{LazyLock, Mutex, PoisonError};

static GAMES: LazyLock<Mutex<Games>> = LazyLock::new(|| Mutex::new(monteverde_games::games()));

/// All games.
pub(crate) fn games() -> Games {
    GAMES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The game of that name.
pub(crate) fn find(name: &str) -> PyResult<AnyGame> {
    games().game(name).map_err(refused)
}

/// Adds a game, in place of another of its name.
pub(crate) fn add(entry: impl Entry) -> AnyGame {
    let name = entry.name();
    let mut games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
    *games = std::mem::take(&mut *games).replacing(entry);
    games.game(name).expect("the game was added")
}
