//! The files of suites.

use super::{Suite, SuiteError};
use monteverde_game::Game;
use monteverde_players::{Aim, AnyGame, Puzzle};
use std::path::Path;

/// Reads the text of a file, whose path stands in errors. A state in which the game is over asks
/// nothing and is an error.
pub(super) fn suite(game: AnyGame, path: &Path, text: &str) -> Result<Suite, SuiteError> {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
    let mut questions = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |problem| SuiteError::Line { path: path.to_owned(), line: index + 1, problem };
        let read = if is_json { object(line) } else { game.read_line(line) };
        let mut question = read.map_err(wrong)?;
        let state = game.parse_state(&question.state).map_err(|error| wrong(error.to_string()))?;
        if state.outcome().is_some() || state.is_pending() {
            return Err(wrong("the game is over there, or chance is to decide".to_owned()));
        }
        question.state = state.state_text();
        if question.id.is_empty() {
            question.id = format!("line {}", index + 1);
        }
        questions.push(question);
    }
    match questions.is_empty() {
        true => Err(SuiteError::Empty(path.to_owned())),
        false => Ok(Suite { game, questions }),
    }
}

/// Reads a line of JSON. Keys other than ours are left alone.
fn object(line: &str) -> Result<Puzzle, String> {
    #[derive(serde::Deserialize)]
    struct Entry {
        id: Option<serde_json::Value>,
        state: String,
        win_in_plies: Option<u16>,
    }
    let entry: Entry = serde_json::from_str(line).map_err(|error| {
        format!("{error}; accepted is an object with a 'state', and an 'id' and 'win_in_plies'")
    })?;
    let id = match entry.id {
        Some(serde_json::Value::String(id)) => id,
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let aim = match entry.win_in_plies {
        Some(0) => return Err("'win_in_plies' is 0; whole numbers from 1 are accepted".to_owned()),
        Some(plies) => Aim::Win(plies),
        None => Aim::Proof,
    };
    Ok(Puzzle { id, state: entry.state, aim })
}
