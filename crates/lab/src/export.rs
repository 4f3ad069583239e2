//! Games out of the store, for other programs and for people.

mod date;
mod pgn;
mod text;

use crate::record::GameRecord;
use crate::store::{Store, StoreError};
use monteverde_chess::Chess;
use monteverde_game::Game;
use std::io::{self, Write};

/// What games are written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// PGN with a comment on every move; chess only, other games are left out.
    Pgn,
    /// The whole record of every game, one JSON object a line.
    JsonLines,
    /// Every game in its own notation, with tags as in PGN.
    Text,
}

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nowhere to write.
    #[error("the games cannot be written: {0}")]
    Write(#[from] io::Error),
    /// A record does not follow the rules of its game.
    #[error("the record of the game {key} is damaged: {problem}")]
    Damaged {
        /// The game's key.
        key: String,
        /// What is wrong.
        problem: String,
    },
}

/// Writes the games of a store, of one name or of all, in the order in which they ended, and says how many
/// they were.
pub fn export(
    store: &Store,
    game: Option<&str>,
    form: Form,
    out: &mut dyn Write,
) -> Result<u64, ExportError> {
    let mut count = 0;
    store.records(game, |record: GameRecord| {
        match form {
            Form::Pgn if record.game != Chess::NAME => return Ok(()),
            Form::Pgn => out.write_all(pgn::game(&record, count + 1)?.as_bytes())?,
            Form::JsonLines => {
                serde_json::to_writer(&mut *out, &record).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
            Form::Text => out.write_all(text::game(&record, count + 1).as_bytes())?,
        }
        count += 1;
        Ok::<_, ExportError>(())
    })?;
    Ok(count)
}

#[cfg(test)]
mod tests;
