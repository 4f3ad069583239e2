//! Any game in its own notation: tags as in PGN, then moves with their numbers, chance in
//! parentheses.

use crate::date;
use crate::record::{By, GameRecord, GameResult};

/// The widest line of moves.
const WIDTH: usize = 80;

/// A game, ending in an empty line; `round` is its number.
pub(super) fn game(record: &GameRecord, round: u64) -> String {
    let mut text = String::new();
    for (name, value) in [
        ("Game", &record.game),
        ("Date", &date::day(record.started)),
        ("Round", &round.to_string()),
        ("First", &record.first),
        ("Second", &record.second),
        ("Opening", &record.opening),
        ("Start", &record.start_state),
        ("Result", &result(record.result).to_owned()),
        ("Reason", &record.reason.to_string()),
        ("Detail", &record.detail),
        ("Seed", &record.seed.to_string()),
        ("Build", &record.build),
        ("Key", &record.key),
    ] {
        if !value.is_empty() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            text += &format!("[{name} \"{}\"]\n", value.replace(char::is_control, " "));
        }
    }
    text.push('\n');
    let mut words = Vec::new();
    let mut number = 0;
    for step in &record.moves {
        if step.by == By::Chance {
            words.push(format!("({})", step.text));
        } else {
            number += 1;
            words.push(format!("{number}. {}", step.text));
        }
    }
    words.push(result(record.result).to_owned());
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += &word;
        column += width;
    }
    text + "\n\n"
}

fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::First => "1-0",
        GameResult::Second => "0-1",
        GameResult::Draw => "1/2-1/2",
    }
}
