//! The games that a program plays.

use crate::entry::Entry;
use crate::erased::AnyGame;
use crate::text::nearest;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Some games; the first is the default. A program makes it once and hands it down.
#[derive(Clone, Debug, Default)]
pub struct Games {
    games: Vec<AnyGame>,
    siblings: Siblings,
}

impl Games {
    /// No games yet.
    pub fn new() -> Games {
        Games::default()
    }

    /// These and one more.
    ///
    /// # Panics
    /// If there is a game of that name already.
    #[must_use]
    pub fn with<E: Entry>(mut self, entry: E) -> Games {
        let game = AnyGame::new(entry, self.siblings.clone());
        let name = game.name();
        assert!(self.game(name).is_err(), "there are two games of the name '{name}'");
        self.games.push(game);
        self.siblings.add(game);
        self
    }

    /// These and one more, which takes the place of another of its name. Who has the other keeps
    /// it: games stay for as long as the program runs.
    #[must_use]
    pub fn replacing<E: Entry>(mut self, entry: E) -> Games {
        let name = entry.name();
        self.games.retain(|game| game.name() != name);
        self.siblings.remove(name);
        self.with(entry)
    }

    /// The game of that name.
    pub fn game(&self, name: &str) -> Result<AnyGame, UnknownGame> {
        let found = self.games.iter().find(|game| game.name() == name);
        found.copied().ok_or_else(|| {
            let known = self.names();
            UnknownGame { name: name.to_owned(), nearest: nearest(name, &known), known }
        })
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl Iterator<Item = AnyGame> + '_ {
        self.games.iter().copied()
    }

    /// Their names, in their order.
    pub fn names(&self) -> Vec<&'static str> {
        self.games.iter().map(|game| game.name()).collect()
    }
}

/// The games of a program as each of them knows them, so that a game can say which other has what
/// it has not.
#[derive(Clone, Default)]
pub(crate) struct Siblings(Arc<Mutex<Vec<AnyGame>>>);

impl Siblings {
    /// All of them.
    pub(crate) fn all(&self) -> Vec<AnyGame> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn remove(&self, name: &str) {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|game| game.name() != name);
    }

    fn add(&self, game: AnyGame) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(game);
    }
}

impl fmt::Debug for Siblings {
    /// In few words: each of them would list all the others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games", self.all().len())
    }
}

/// No game has that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no game '{}'{}; games: {}",
    name.escape_debug(),
    nearest.map_or(String::new(), |name| format!(" (perhaps '{name}'?)")),
    known.join(", ")
)]
pub struct UnknownGame {
    /// What was given.
    pub name: String,
    /// The name most like it.
    pub nearest: Option<&'static str>,
    /// The names of all games.
    pub known: Vec<&'static str>,
}
