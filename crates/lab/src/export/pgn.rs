//! Chess games as PGN. Comments hold what programs read (`[%eval]`, in pawns for White; `[%clk]`;
//! `[%emt]`) and the words for people.

use super::ExportError;
use crate::contestant::Contestant;
use crate::date;
use crate::record::{By, Failure, GameRecord, MoveRecord, Reason};
use monteverde_chess::{Chess, pgn};
use monteverde_game::{Game, Notation, Side};

/// A game in export form; `round` is its number.
pub(super) fn game(record: &GameRecord, round: u64) -> Result<String, ExportError> {
    let damaged = |problem: String| ExportError::Damaged { key: record.key.clone(), problem };
    let mut state =
        Chess::parse_state(&record.start_state).map_err(|error| damaged(error.to_string()))?;
    let mut game = pgn::PgnGame::new(*state.board());
    for step in &record.moves {
        let mv = state.parse_move(&step.text).map_err(|error| damaged(error.to_string()))?;
        game.push(mv, comment(step, state.turn()));
        state.play(mv);
    }
    game.outcome = Some(record.result.into());
    game.set_tag("Event", "Monteverde");
    game.set_tag("Date", &date::day(record.started));
    game.set_tag("Round", &round.to_string());
    game.set_tag("White", &record.first);
    game.set_tag("Black", &record.second);
    for (tag, text) in ["WhitePace", "BlackPace"].into_iter().zip(&record.contestants) {
        if let Ok(contestant) = serde_json::from_str::<Contestant>(text) {
            game.set_tag(tag, &contestant.pace.to_string());
        }
    }
    game.set_tag("Opening", &record.opening);
    game.set_tag("PlyCount", &record.moves.len().to_string());
    game.set_tag("Termination", termination(&record.reason));
    game.set_tag("Reason", &record.reason.to_string());
    if !record.detail.is_empty() {
        game.set_tag("Detail", &record.detail);
    }
    game.set_tag("Seed", &record.seed.to_string());
    game.set_tag("Build", &record.build);
    game.set_tag("Key", &record.key);
    Ok(pgn::write(&game))
}

/// The reason in the words of the standard.
fn termination(reason: &Reason) -> &'static str {
    match reason {
        Reason::Rule(_) => "normal",
        Reason::Adjudicated(_) => "adjudication",
        Reason::Failed(Failure::TimeLoss) => "time forfeit",
        Reason::Failed(Failure::IllegalMove | Failure::Garbage) => "rules infraction",
        Reason::Failed(Failure::NoStart | Failure::Crash | Failure::Stall) => "abandoned",
    }
}

fn comment(step: &MoveRecord, side: Side) -> String {
    if step.by == By::Opening {
        return words(step);
    }
    let mut parts = Vec::new();
    // Wide enough for the negative of whatever an engine said.
    let for_white = |value: i32| i64::from(value) * if side == Side::First { 1 } else { -1 };
    let depth = step.depth.map_or(String::new(), |depth| format!(",{depth}"));
    if let Some(mate) = step.mate {
        parts.push(format!("[%eval #{}{depth}]", for_white(mate)));
    } else if let Some(eval) = step.centipawns {
        parts.push(format!("[%eval {:.2}{depth}]", for_white(eval) as f64 / 100.0));
    }
    if let Some(left) = step.clock_ms {
        parts.push(format!("[%clk {}]", clock(left)));
    }
    if let Some(elapsed) = step.elapsed_ms {
        parts.push(format!("[%emt {}]", clock(elapsed)));
    }
    parts.push(words(step));
    parts.join(" ").trim().to_owned()
}

/// What a player said about its move, in words.
pub(super) fn words(step: &MoveRecord) -> String {
    if step.by == By::Opening {
        return "opening".to_owned();
    }
    let mut words = Vec::new();
    if let Some(mean) = step.mean {
        words.push(format!("mean {mean:+.3}"));
        words.extend(step.depth.map(|depth| format!("depth {depth}")));
        words.extend(step.iterations.map(|count| format!("{count} iterations")));
    } else if let Some(nodes) = step.iterations {
        words.push(format!("{nodes} nodes"));
    }
    words.join(", ")
}

/// Hours, minutes and seconds with milliseconds.
fn clock(milliseconds: f64) -> String {
    let whole = milliseconds.max(0.0).round() as u64;
    let (seconds, rest) = (whole / 1000, whole % 1000);
    format!("{}:{:02}:{:02}.{rest:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
