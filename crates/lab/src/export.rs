//! Games out of the store, for other programs and for people.

use crate::contestant::Contestant;
use crate::date;
use crate::record::{By, Failure, GameRecord, MoveRecord, Reason};
use crate::store::{Damage, Store, StoreError};
use monteverde_game::{NotationError, Side};
use monteverde_players::transcript::{self, StepFigures, Transcript, TranscriptStep, tags};
use monteverde_players::{AnyGame, Games, RecordFormat};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// What games are written as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// In the format of that name, for the games that have it, with a comment on every move: `pgn`,
    /// `sgf`.
    Records(String),
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
        form: String,
        /// The game that it is for.
        wants: &'static str,
        /// The games that there are.
        games: Vec<String>,
        /// What can be done.
        advice: String,
    },
    /// There is no such format.
    #[error("there is no format '{form}'; accepted: {}", known.join(", "))]
    UnknownForm {
        /// What was given.
        form: String,
        /// The formats that there are.
        known: Vec<&'static str>,
    },
}

/// What was written, and what was not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// So many games.
    pub games: u64,
    /// Those that cannot be read.
    pub damaged: Vec<Damage>,
}

/// Writes the games of a store, of one name or of all, in the order in which they ended, and says
/// how many they were. Games that the format is not for are left out, and an error if there are no
/// others. Games whose records cannot be read are left out, and named.
pub fn export(
    games: &Games,
    store: &Store,
    game: Option<&str>,
    form: &Form,
    out: &mut dyn Write,
) -> Result<Exported, ExportError> {
    let wanted = match form {
        Form::Records(name) => Some(the_game_of(games, name)?),
        Form::JsonLines | Form::Text => None,
    };
    let mut count = 0;
    let (mut left_out, mut wrong) = (BTreeSet::new(), Vec::new());
    let mut damaged = store.records(game, |record: GameRecord| {
        match (form, wanted) {
            (_, Some(wanted)) if wanted.name() != record.game => {
                left_out.insert(record.game);
                return Ok(());
            }
            (_, Some(wanted)) => match wanted.write_record(&transcript(&record, count + 1)) {
                Ok(written) => out.write_all(written.as_bytes())?,
                Err(error) => {
                    wrong.push(Damage { key: record.key, problem: error.to_string() });
                    return Ok(());
                }
            },
            (Form::JsonLines, _) => {
                serde_json::to_writer(&mut *out, &json(&record)).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
            _ => out.write_all(transcript::write(&transcript(&record, count + 1)).as_bytes())?,
        }
        count += 1;
        Ok::<_, ExportError>(())
    })?;
    damaged.extend(wrong);
    match wanted {
        Some(wanted) if count == 0 && !left_out.is_empty() => Err(ExportError::WrongForm {
            form: wanted.record_format().name.to_owned(),
            wants: wanted.name(),
            advice: advice(games, &left_out),
            games: left_out.into_iter().collect(),
        }),
        _ => Ok(Exported { games: count, damaged }),
    }
}

/// One game in the format of its game, as [`export`] writes it; `round` is its number.
pub fn one(game: AnyGame, record: &GameRecord, round: u64) -> Result<String, NotationError> {
    game.write_record(&transcript(record, round))
}

impl Form {
    /// The form of that name.
    pub fn of_name(name: &str) -> Form {
        match name {
            JSON_LINES => Form::JsonLines,
            name if name == RecordFormat::TEXT.name => Form::Text,
            name => Form::Records(name.to_owned()),
        }
    }

    /// The names of all forms that there are for some games.
    pub fn names(games: &Games) -> Vec<&'static str> {
        let own = games.iter().map(|game| game.record_format().name);
        let mut names: Vec<_> = own.filter(|name| *name != RecordFormat::TEXT.name).collect();
        names.dedup();
        names.extend([JSON_LINES, RecordFormat::TEXT.name]);
        names
    }
}

const JSON_LINES: &str = "jsonl";

/// The game whose records have that format.
fn the_game_of(games: &Games, form: &str) -> Result<AnyGame, ExportError> {
    games.iter().find(|game| game.record_format().name == form).ok_or_else(|| {
        ExportError::UnknownForm { form: form.to_owned(), known: Form::names(games) }
    })
}

/// What the games can be written as.
fn advice(games: &Games, held: &BTreeSet<String>) -> String {
    let own = games.iter().filter(|game| held.contains(game.name()));
    let own = own.map(|game| game.record_format().name);
    let mut names: Vec<_> = own.filter(|name| *name != RecordFormat::TEXT.name).collect();
    names.extend([JSON_LINES, RecordFormat::TEXT.name]);
    format!("accepted: {}", names.join(", "))
}

/// A record as a line of JSON. A void game has no result; it says which side failed.
fn json(record: &GameRecord) -> serde_json::Value {
    let mut value = serde_json::to_value(record).expect("a record is plain data");
    if let (Some(side), Some(fields)) = (record.voided_by(), value.as_object_mut()) {
        fields.remove("result");
        let name = if side == Side::First { "first" } else { "second" };
        fields.insert("failed".to_owned(), name.into());
    }
    value
}

/// A record as games write it; `round` is its number.
fn transcript(record: &GameRecord, round: u64) -> Transcript {
    let step = |step: &MoveRecord| TranscriptStep {
        text: step.text.clone(),
        chance: step.by == By::Chance,
        comment: words(step),
        figures: match step.by {
            By::Opening => StepFigures::default(),
            _ => StepFigures {
                centipawns: step.centipawns,
                mate: step.mate,
                depth: step.depth,
                clock_ms: step.clock_ms,
                elapsed_ms: step.elapsed_ms,
            },
        },
    };
    let mut game = Transcript {
        game: record.game.clone(),
        start: record.start_state.clone(),
        steps: record.moves.iter().map(step).collect(),
        outcome: record.voided_by().is_none().then(|| record.result.into()),
        ..Transcript::default()
    };
    game.add_tag(tags::EVENT, "Monteverde");
    game.add_tag(tags::DATE, date::day(record.started));
    game.add_tag(tags::ROUND, round.to_string());
    game.add_tag(tags::FIRST, &*record.first);
    game.add_tag(tags::SECOND, &*record.second);
    for (tag, text) in [tags::FIRST_PACE, tags::SECOND_PACE].into_iter().zip(&record.contestants) {
        if let Ok(contestant) = serde_json::from_str::<Contestant>(text) {
            game.add_tag(tag, contestant.pace.to_string());
        }
    }
    game.add_tag(tags::OPENING, &*record.opening);
    game.add_tag("PlyCount", record.moves.len().to_string());
    game.add_tag("Termination", termination(&record.reason));
    game.add_tag(tags::REASON, record.reason.to_string());
    game.add_tag("Detail", &*record.detail);
    game.add_tag("Seed", record.seed.to_string());
    game.add_tag("Build", &*record.build);
    game.add_tag("Key", &*record.key);
    game
}

/// The reason in the words of the PGN standard.
fn termination(reason: &Reason) -> &'static str {
    match reason {
        Reason::Rule(_) => "normal",
        Reason::Adjudicated(_) => "adjudication",
        Reason::Failed(Failure::TimeLoss) => "time forfeit",
        Reason::Failed(Failure::IllegalMove | Failure::Garbage) => "rules infraction",
        Reason::Failed(Failure::NoStart | Failure::Crash | Failure::Stall) => "abandoned",
    }
}

/// What a player said about its move, in words.
fn words(step: &MoveRecord) -> String {
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

#[cfg(test)]
mod tests;
