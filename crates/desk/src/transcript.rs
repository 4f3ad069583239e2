//! Whole games as text: PGN for chess, SGF for Lines of Action, our own for the others.

use crate::fault::{Code, Fault};
use monteverde_chess::{self as chess, Chess, pgn};
use monteverde_game::{Game, Notation, Outcome, Side};
use monteverde_loa::{self as loa, Loa, sgf};
use monteverde_players::{Playable, game};

/// A game to be written.
#[derive(Clone, Debug)]
pub(crate) struct Transcript<'a> {
    pub(crate) game: &'static str,
    /// The state text of its start.
    pub(crate) start: String,
    /// Every step as text, events in parentheses.
    pub(crate) steps: Vec<String>,
    /// Who played.
    pub(crate) names: [&'a str; 2],
    /// How it ended and why, if it has ended.
    pub(crate) ended: Option<(Outcome, &'static str)>,
}

/// What whole games of that name are written as.
pub(crate) fn format(game: &str) -> &'static str {
    match game {
        Chess::NAME => "pgn",
        Loa::NAME => "sgf",
        _ => "text",
    }
}

/// The name of the format and the text.
pub(crate) fn write(game: &Transcript<'_>) -> Result<(&'static str, String), Fault> {
    let format = format(game.game);
    let failed = |error: &dyn ToString| Fault::new(Code::Failed, error.to_string());
    let text = match format {
        "pgn" => write_pgn(game).map_err(|error| failed(&error))?,
        "sgf" => write_sgf(game).map_err(|error| failed(&error))?,
        _ => write_text(game),
    };
    Ok((format, text))
}

fn write_pgn(game: &Transcript<'_>) -> Result<String, monteverde_game::NotationError> {
    let mut state = Chess::parse_state(&game.start)?;
    let mut written = pgn::PgnGame::new(*state.board());
    for step in &game.steps {
        let mv = state.parse_move(step)?;
        written.push(mv, "");
        state.play(mv);
    }
    written.outcome = game.ended.map(|(outcome, _)| outcome);
    written.set_tag("Event", "Monteverde");
    written.set_tag("White", game.names[0]);
    written.set_tag("Black", game.names[1]);
    if let Some((_, reason)) = game.ended {
        written.set_tag("Reason", reason);
    }
    Ok(pgn::write(&written))
}

fn write_sgf(game: &Transcript<'_>) -> Result<String, monteverde_game::NotationError> {
    let mut state = Loa::parse_state(&game.start)?;
    let mut written = sgf::SgfGame::new(*state.board());
    for step in &game.steps {
        let mv = state.parse_move(step)?;
        written.push(mv, "");
        state.play(mv);
    }
    written.outcome = game.ended.map(|(outcome, _)| outcome);
    written.set_property("EV", "Monteverde");
    written.set_property("PB", game.names[0]);
    written.set_property("PW", game.names[1]);
    Ok(sgf::write(&written))
}

/// Tags as in PGN, then the moves with their numbers, chance in parentheses.
fn write_text(game: &Transcript<'_>) -> String {
    let result = match game.ended {
        Some((Outcome::Win(Side::First), _)) => "1-0",
        Some((Outcome::Win(Side::Second), _)) => "0-1",
        Some((Outcome::Draw, _)) => "1/2-1/2",
        None => "*",
    };
    let mut text = String::new();
    let reason = game.ended.map_or("", |(_, reason)| reason);
    for (name, value) in [
        ("Game", game.game),
        ("First", game.names[0]),
        ("Second", game.names[1]),
        ("Start", &game.start),
        ("Result", result),
        ("Reason", reason),
    ] {
        if !value.is_empty() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            text += &format!("[{name} \"{value}\"]\n");
        }
    }
    text.push('\n');
    let mut number = 0;
    for step in &game.steps {
        if step.starts_with('(') {
            text += &format!(" {step}");
        } else {
            number += 1;
            let gap = if number == 1 {
                ""
            } else if number % 8 == 1 {
                "\n"
            } else {
                " "
            };
            text += &format!("{gap}{number}. {step}");
        }
    }
    let gap = if number == 0 { "" } else { " " };
    text + gap + result + "\n"
}

/// The game that a text is of, where the text says so.
pub(crate) fn guess(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    if text.starts_with('(') {
        return Some(Loa::NAME);
    }
    if let Some(name) = tag(text, "Game") {
        return game(&name).ok().map(|entry| entry.name);
    }
    (text.starts_with('[') || text.starts_with("1.")).then_some(Chess::NAME)
}

/// A game of a text: the state text of its start and its steps. A text that is a state is a game without moves.
pub(crate) fn read<G: Playable>(text: &str) -> Result<(String, Vec<String>), Fault> {
    let text = text.trim();
    if text == "startpos" {
        return Ok((G::start().state_text(), Vec::new()));
    }
    if let Ok(state) = G::parse_state(text) {
        return Ok((state.state_text(), Vec::new()));
    }
    let bad = |error: &dyn ToString| Fault::new(Code::BadText, error.to_string());
    let wanted = format!(
        "the text is neither a state nor a game of {}; accepted are a state as --state takes it, and {}",
        G::NAME,
        match format(G::NAME) {
            "pgn" => "PGN",
            "sgf" => "SGF",
            _ => "tags such as [Start \"...\"] followed by numbered moves",
        }
    );
    match format(G::NAME) {
        "pgn" => {
            let game = pgn::parse(text).next().ok_or_else(|| bad(&wanted))?;
            let game = game.map_err(|error| bad(&error))?;
            let moves = game.moves.iter().map(|entry| entry.mv);
            let mut board = game.start;
            let write = |mv| {
                let text = chess::uci::write(&board, mv);
                board.play(mv);
                text
            };
            Ok((chess::fen::write(&game.start), moves.map(write).collect()))
        }
        "sgf" => {
            let game = sgf::parse(text).next().ok_or_else(|| bad(&wanted))?;
            let game = game.map_err(|error| bad(&error))?;
            let mut state = Loa::new(game.start);
            let write = |entry: &sgf::SgfMove| {
                let text = state.move_text(entry.mv);
                state.play(entry.mv);
                text
            };
            Ok((loa::state::write(&game.start), game.moves.iter().map(write).collect()))
        }
        _ => read_text::<G>(text).ok_or_else(|| bad(&wanted)),
    }
}

fn read_text<G: Notation>(text: &str) -> Option<(String, Vec<String>)> {
    let start = tag(text, "Start").unwrap_or_else(|| G::start().state_text());
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('['));
    let words = lines.flat_map(str::split_whitespace);
    let is_step = |word: &&str| {
        let is_number =
            word.ends_with('.') && word[..word.len() - 1].bytes().all(|byte| byte.is_ascii_digit());
        !is_number && !["1-0", "0-1", "1/2-1/2", "*"].contains(word)
    };
    let steps: Vec<String> = words
        .filter(is_step)
        .map(|word| word.trim_start_matches('(').trim_end_matches(')').to_owned())
        .collect();
    (text.contains('[') || !steps.is_empty()).then_some((start, steps))
}

/// The value of a tag `[Name "value"]`.
fn tag(text: &str, name: &str) -> Option<String> {
    let value = text.lines().find_map(|line| {
        line.trim()
            .strip_prefix('[')?
            .strip_prefix(name)?
            .trim_start()
            .strip_prefix('"')?
            .strip_suffix("\"]")
    })?;
    Some(value.replace("\\\"", "\"").replace("\\\\", "\\"))
}
