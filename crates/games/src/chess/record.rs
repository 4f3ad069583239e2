//! Games of chess as PGN.

use monteverde_chess::{Board, Chess, fen, pgn};
use monteverde_game::{Game, Notation, NotationError};
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
        written.push(mv, step.comment.as_str());
        state.play(mv);
    }
    written.outcome = game.outcome;
    for (name, value) in &game.tags {
        let renamed = RENAMED.iter().find(|(ours, _)| ours == name);
        written.set_tag(renamed.map_or(name.as_str(), |(_, pgn)| pgn), value);
    }
    Ok(pgn::write(&written))
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
        steps.push(TranscriptStep { text, chance: false, comment });
        state.play(entry.mv);
    }
    Transcript { game: Chess::NAME.to_owned(), tags, start, steps, outcome: game.outcome }
}
