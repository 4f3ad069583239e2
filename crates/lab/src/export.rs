//! Games out of the store, for other programs and for people.

mod pgn;
mod sgf;
mod text;

use crate::record::GameRecord;
use crate::store::{Store, StoreError};
use monteverde_chess::Chess;
use monteverde_game::Game;
use monteverde_loa::Loa;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// What games are written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// PGN with a comment on every move, for chess.
    Pgn,
    /// The Smart Game Format with a comment on every move, for Lines of Action.
    Sgf,
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
    /// A store with games, none of which the format is for.
    #[error(
        "no game of the store can be written as {form}: that is for {wants}, and it holds {}; {advice}",
        games.join(", ")
    )]
    WrongForm {
        /// The format.
        form: &'static str,
        /// The game that it is for.
        wants: &'static str,
        /// The games that there are.
        games: Vec<String>,
        /// What can be done.
        advice: String,
    },
    /// A record does not follow the rules of its game.
    #[error("the record of the game {key} is damaged: {problem}")]
    Damaged {
        /// The game's key.
        key: String,
        /// What is wrong.
        problem: String,
    },
}

/// Writes the games of a store, of one name or of all, in the order in which they ended, and says
/// how many they were. Games that the format is not for are left out, and an error if there are no
/// others.
pub fn export(
    store: &Store,
    game: Option<&str>,
    form: Form,
    out: &mut dyn Write,
) -> Result<u64, ExportError> {
    let mut count = 0;
    let mut left_out = BTreeSet::new();
    store.records(game, |record: GameRecord| {
        match form {
            Form::Pgn | Form::Sgf if form.game() != Some(record.game.as_str()) => {
                left_out.insert(record.game);
                return Ok(());
            }
            Form::Sgf => out.write_all(sgf::game(&record, count + 1)?.as_bytes())?,
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
    match form.game() {
        Some(wants) if count == 0 && !left_out.is_empty() => Err(ExportError::WrongForm {
            form: form.name(),
            wants,
            advice: advice(&left_out),
            games: left_out.into_iter().collect(),
        }),
        _ => Ok(count),
    }
}

impl Form {
    /// The one game that it is for.
    fn game(self) -> Option<&'static str> {
        match self {
            Form::Pgn => Some(Chess::NAME),
            Form::Sgf => Some(Loa::NAME),
            Form::JsonLines | Form::Text => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Form::Pgn => "pgn",
            Form::Sgf => "sgf",
            Form::JsonLines => "jsonl",
            Form::Text => "text",
        }
    }
}

/// What the games can be written as.
fn advice(games: &BTreeSet<String>) -> String {
    let own = [Form::Pgn, Form::Sgf].into_iter();
    let own = own.filter(|form| form.game().is_some_and(|game| games.contains(game)));
    let names: Vec<_> = own.chain([Form::JsonLines, Form::Text]).map(Form::name).collect();
    format!("accepted: {}", names.join(", "))
}

#[cfg(test)]
mod tests;
