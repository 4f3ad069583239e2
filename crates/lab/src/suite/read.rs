//! The files of suites.

use super::{Aim, Question, Suite, SuiteError};
use monteverde_chess::{Board, Chess, fen, san};
use monteverde_game::{Game, Notation};
use std::path::Path;

/// Reads the text of a file, whose path stands in errors. A state in which the game is over asks
/// nothing and is an error.
pub(super) fn suite<G: Notation>(path: &Path, text: &str) -> Result<Suite, SuiteError> {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
    let mut questions = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |problem| SuiteError::Line { path: path.to_owned(), line: index + 1, problem };
        let mut question = match G::NAME == Chess::NAME {
            _ if is_json => object(line).map_err(wrong)?,
            true => epd(line).map_err(wrong)?,
            false => Question { id: String::new(), state: line.to_owned(), aim: Aim::Proof },
        };
        let state = G::parse_state(&question.state).map_err(|error| wrong(error.to_string()))?;
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
        false => Ok(Suite { game: G::NAME.to_owned(), questions }),
    }
}

/// Reads a line of JSON. Keys other than ours are left alone.
fn object(line: &str) -> Result<Question, String> {
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
    Ok(Question { id, state: entry.state, aim })
}

/// Reads a line of EPD. Operations other than ours are left alone.
fn epd(line: &str) -> Result<Question, String> {
    let (board, operations) = fen::parse_epd(line).map_err(|error| error.to_string())?;
    let mut question = Question { id: String::new(), state: fen::write(&board), aim: Aim::Proof };
    for operation in operations_of(operations) {
        let (name, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operand = operand.trim();
        match name {
            "id" => question.id = operand.trim_matches('"').to_owned(),
            "dm" => question.aim = Aim::Mate(mate(operand)?),
            "bm" => {
                question.aim = match operand.strip_prefix('#') {
                    Some(moves) => Aim::Mate(mate(moves)?),
                    None => Aim::Best(moves(&board, operand)?),
                }
            }
            "am" => question.aim = Aim::Avoid(moves(&board, operand)?),
            _ => {}
        }
    }
    Ok(question)
}

/// The operations of a line, which end with semicolons outside of quotes.
fn operations_of(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let ends = move |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    };
    text.split(ends).map(str::trim).filter(|operation| !operation.is_empty())
}

fn mate(text: &str) -> Result<i32, String> {
    let moves = text.parse().ok().filter(|moves| *moves != 0);
    moves.ok_or_else(|| format!("'{text}' is no number of moves to mate; whole numbers but 0 are"))
}

fn moves(board: &Board, text: &str) -> Result<Vec<String>, String> {
    let state = Chess::new(*board);
    let read = |word: &str| {
        let mv = san::parse(board, word).map_err(|error| error.to_string())?;
        Ok(state.move_text(mv))
    };
    text.split_whitespace().map(read).collect()
}
