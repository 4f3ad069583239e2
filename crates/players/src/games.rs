//! The games that a program plays.

use crate::entry::Entry;
use crate::erased::AnyGame;
use crate::text::nearest;

/// Some games; the first is the default. A program makes it once and hands it down.
#[derive(Clone, Debug, Default)]
pub struct Games {
    games: Vec<AnyGame>,
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
        let game = AnyGame::new(entry);
        let name = game.name();
        assert!(self.game(name).is_err(), "there are two games of the name '{name}'");
        self.games.push(game);
        self
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
