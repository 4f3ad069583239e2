//! Games of chess as PGN.

use monteverde_chess::{Board, Chess, fen, pgn};
use monteverde_game::{Game, Notation, NotationError, Side};
use monteverde_players::RecordError;
use monteverde_players::transcript::{Transcript, TranscriptStep, tags};

/// Tags that PGN calls by another name.
const RENAMED: [(&str, &str); 4] = [
    (tags::FIRST, "White"),
    (tags::SECOND, "Black"),
    (tags::FIRST_PACE, "WhitePace"),
    (tags::SECOND_PACE, "BlackPace"),
];

/// A game in export form.
pub(super) fn write(game: &Transcript) -> Result<String, NotationError> {
    let mut state = Chess::parse_state(&game.start)?;
    let mut written = pgn::PgnGame::new(*state.board());
    for step in &game.steps {
        let mv = state.parse_move(&step.text)?;
        written.push(mv, comment(step, state.turn()));
        state.play(mv);
    }
    written.outcome = game.outcome;
    for (name, value) in &game.tags {
        let renamed = RENAMED.iter().find(|(ours, _)| ours == name);
        written.set_tag(renamed.map_or(name.as_str(), |(_, pgn)| pgn), value);
    }
    Ok(pgn::write(&written))
}

/// What programs read (`[%eval]`, in pawns for White; `[%clk]`; `[%emt]`), then the words for
/// people.
fn comment(step: &TranscriptStep, side: Side) -> String {
    let mut parts = Vec::new();
    let figures = &step.figures;
    // Wide enough for the negative of whatever an engine said.
    let for_white = |value: i32| i64::from(value) * if side == Side::First { 1 } else { -1 };
    let depth = figures.depth.map_or(String::new(), |depth| format!(",{depth}"));
    if let Some(mate) = figures.mate {
        parts.push(format!("[%eval #{}{depth}]", for_white(mate)));
    } else if let Some(eval) = figures.centipawns {
        parts.push(format!("[%eval {:.2}{depth}]", for_white(eval) as f64 / 100.0));
    }
    if let Some(left) = figures.clock_ms {
        parts.push(format!("[%clk {}]", clock(left)));
    }
    if let Some(elapsed) = figures.elapsed_ms {
        parts.push(format!("[%emt {}]", clock(elapsed)));
    }
    parts.push(step.comment.clone());
    parts.join(" ").trim().to_owned()
}

/// Hours, minutes and seconds with milliseconds.
fn clock(milliseconds: f64) -> String {
    let whole = milliseconds.max(0.0).round() as u64;
    let (seconds, rest) = (whole / 1000, whole % 1000);
    format!("{}:{:02}:{:02}.{rest:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Reads the games of a PGN file.
pub(super) fn read(text: &str) -> Result<Vec<Transcript>, RecordError> {
    pgn::parse(text).map(read_one).collect()
}

/// Reads the first of them, whatever follows it.
pub(super) fn read_first(text: &str) -> Option<Result<Transcript, RecordError>> {
    pgn::parse(text).next().map(read_one)
}

fn read_one(game: Result<pgn::PgnGame, pgn::PgnError>) -> Result<Transcript, RecordError> {
    match game {
        Ok(game) => Ok(transcript(&game)),
        Err(error) => Err(RecordError {
            line: error.line,
            problem: error.to_string(),
            bare: error.problem.to_string(),
        }),
    }
}

fn transcript(game: &pgn::PgnGame) -> Transcript {
    let mut state = Chess::new(game.start);
    let from_start = game.start == Board::start();
    let start = if from_start { fen::START.to_owned() } else { fen::write(&game.start) };
    let ours = |name: &str| {
        let renamed = RENAMED.iter().find(|(_, pgn)| *pgn == name);
        renamed.map_or(name, |(ours, _)| ours).to_owned()
    };
    let tags = game.tags().map(|(name, value)| (ours(name), value.to_owned())).collect();
    let mut steps = Vec::with_capacity(game.moves.len());
    for entry in &game.moves {
        let (text, comment) = (state.move_text(entry.mv), entry.comment.clone());
        steps.push(TranscriptStep { text, comment, ..TranscriptStep::default() });
        state.play(entry.mv);
    }
    Transcript { game: Chess::NAME.to_owned(), tags, start, steps, outcome: game.outcome }
}
