//! Games of Lines of Action in the Smart Game Format.

use monteverde_game::{Game, Notation, NotationError};
use monteverde_loa::{Loa, sgf, state};
use monteverde_players::RecordError;
use monteverde_players::transcript::{Transcript, TranscriptStep, tags};

/// What the format calls the tags that it knows.
const PROPERTIES: [(&str, &str); 6] = [
    (tags::EVENT, "EV"),
    (tags::DATE, "DT"),
    (tags::ROUND, "RO"),
    (tags::FIRST, "PB"),
    (tags::SECOND, "PW"),
    (tags::OPENING, "ON"),
];

/// A game in strict form.
pub(super) fn write(game: &Transcript) -> Result<String, NotationError> {
    let mut state = Loa::parse_state(&game.start)?;
    let mut written = sgf::SgfGame::new(*state.board());
    for step in &game.steps {
        let mv = state.parse_move(&step.text)?;
        written.push(mv, step.comment.as_str());
        state.play(mv);
    }
    written.outcome = game.outcome;
    for (name, property) in PROPERTIES {
        if let Some(value) = game.tag(name) {
            // A date has hyphens here.
            let value = if property == "DT" { value.replace('.', "-") } else { value.to_owned() };
            written.set_property(property, &value);
        }
    }
    written.comment = comment(game);
    Ok(sgf::write(&written))
}

/// Why the game ended, and what it takes to play it again.
fn comment(game: &Transcript) -> String {
    let mut comment = game.tag(tags::REASON).unwrap_or_default().to_owned();
    if let Some(detail) = game.tag("Detail") {
        comment += &format!(" ({detail})");
    }
    let origin = ["Seed", "Build", "Key"]
        .into_iter()
        .filter_map(|name| Some(format!("{} {}", name.to_lowercase(), game.tag(name)?)))
        .collect::<Vec<_>>();
    if !origin.is_empty() {
        comment += &format!("; {}", origin.join(", "));
    }
    comment
}

/// Reads the games of a file.
pub(super) fn read(text: &str) -> Result<Vec<Transcript>, RecordError> {
    sgf::parse(text).map(read_one).collect()
}

/// Reads the first of them, whatever follows it.
pub(super) fn read_first(text: &str) -> Option<Result<Transcript, RecordError>> {
    sgf::parse(text).next().map(read_one)
}

fn read_one(game: Result<sgf::SgfGame, sgf::SgfError>) -> Result<Transcript, RecordError> {
    match game {
        Ok(game) => Ok(transcript(&game)),
        Err(error) => Err(RecordError {
            line: error.line,
            problem: error.to_string(),
            bare: error.problem.to_string(),
        }),
    }
}

fn transcript(game: &sgf::SgfGame) -> Transcript {
    let mut state = Loa::new(game.start);
    let tag = |(name, property): (&str, &str)| {
        Some((name.to_owned(), game.property(property)?.to_owned()))
    };
    let tags = PROPERTIES.into_iter().filter_map(tag).collect();
    let mut steps = Vec::with_capacity(game.moves.len());
    for entry in &game.moves {
        let (text, comment) = (state.move_text(entry.mv), entry.comment.clone());
        steps.push(TranscriptStep { text, comment, ..TranscriptStep::default() });
        state.play(entry.mv);
    }
    let start = state::write(&game.start);
    Transcript { game: Loa::NAME.to_owned(), tags, start, steps, outcome: game.outcome }
}
