//! Records of games: one JSON object a line with `moves` and `result`, as archives have them or as
//! the lab exports them.

use monteverde_game::{Game, Notation, Outcome, Side};
use monteverde_loa::{Board, Loa, Move};
use serde_json::Value;

/// A game from the start, every move of it legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    /// What was played.
    pub(super) moves: Vec<Move>,
    /// How it ended, `None` where the record stops before.
    pub(super) outcome: Option<Outcome>,
}

/// A line that is not the record of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "line {line}: {reason}; a record is one JSON object with \"moves\", a list such as [\"c1-c3\"], and \
     \"result\", \"B\", \"W\", \"both\" or null, or a line of `monteverde export --format jsonl`"
)]
pub(super) struct RecordError {
    /// The number of the line, from 1.
    pub(super) line: usize,
    /// What is wrong with it.
    pub(super) reason: String,
}

impl Record {
    /// The states of the game in which a move was played, each with that move.
    pub(super) fn for_each(&self, mut visit: impl FnMut(&Loa, Move)) {
        let mut state = Loa::new(Board::start());
        for &mv in &self.moves {
            visit(&state, mv);
            state.play(mv);
        }
    }
}

/// Reads the records of a text, one a line; empty lines do not count.
pub(super) fn read_records(text: &str) -> Result<Vec<Record>, RecordError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| read(line).map_err(|reason| RecordError { line: number, reason }))
        .collect()
}

fn read(line: &str) -> Result<Record, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let outcome = match value.get("result") {
        Some(Value::Null) | None => None,
        Some(result) => match result.as_str() {
            Some("B" | "first") => Some(Outcome::Win(Side::First)),
            Some("W" | "second") => Some(Outcome::Win(Side::Second)),
            Some("both" | "draw") => Some(Outcome::Draw),
            _ => return Err(format!("'{result}' is no result")),
        },
    };
    let start = value.get("start_state").and_then(Value::as_str);
    if let Some(other) = start.filter(|&text| text != Loa::start().state_text()) {
        return Err(format!("the game starts from '{other}', not from the initial state"));
    }
    let texts = value.get("moves").and_then(Value::as_array).ok_or("there are no moves")?;
    let mut state = Loa::new(Board::start());
    let mut moves = Vec::with_capacity(texts.len());
    for text in texts {
        let text = text.get("text").unwrap_or(text);
        let text = text.as_str().ok_or_else(|| format!("'{text}' is no move"))?;
        let mv = state.parse_move(text).map_err(|error| error.to_string())?;
        state.play(mv);
        moves.push(mv);
    }
    Ok(Record { moves, outcome })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_and_told_state_by_state() {
        let text = "{\"result\": \"W\", \"plies\": 2, \"moves\": [\"c1xa3\", \"a2-c4\"]}\n\n";
        let records = read_records(text).expect("a record");
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].outcome, Some(Outcome::Win(Side::Second)));
        let mut texts = Vec::new();
        records[0].for_each(|state, mv| texts.push(state.move_text(mv)));
        assert_eq!(texts, ["c1xa3", "a2-c4"]);
    }

    #[test]
    fn a_line_of_an_export_is_read_too() {
        let line = format!(
            "{{\"start_state\": \"{}\", \"result\": \"first\", \"moves\": [{{\"text\": \"c1xa3\", \"by\": \"opening\"}}]}}",
            Loa::start().state_text()
        );
        let records = read_records(&line).expect("a record");
        assert_eq!(records[0].outcome, Some(Outcome::Win(Side::First)));
        assert_eq!(records[0].moves.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (line, reason) in [
            ("{\"moves\": [\"c1-c4\"]}", "not legal"),
            ("{\"moves\": [7]}", "'7' is no move"),
            ("{\"result\": \"X\", \"moves\": []}", "is no result"),
            ("{}", "there are no moves"),
            ("{\"start_state\": \"8/8\", \"moves\": []}", "the game starts from '8/8'"),
            ("moves", "expected"),
        ] {
            let text = format!("{{\"moves\": []}}\n{line}");
            let error = read_records(&text).expect_err(line);
            assert_eq!(error.line, 2);
            assert!(error.to_string().contains(reason), "{error}");
        }
    }
}
