//! The tables of a tournament that say how long players think and when games and contests end.

use crate::adjudication::{
    Adjudication, DrawRule, MOST_SCORE, ResignRule, TABLES, value_of_centipawns,
};
use crate::calibration::EqualTime;
use crate::keys::{FileError, only, optional, required};
use monteverde_statistics::{EloScale, SequentialTest};
use toml::Table;

/// Reads who thinks equally long: every player with a spec and no pace of its own.
pub(super) fn equal_time(table: &Table, players: &[Table]) -> Result<EqualTime, FileError> {
    const PLACE: &str = "the table 'equal-time'";
    only(PLACE, table, &["reference", "iterations", "speeds", "states"])?;
    let iterations = required(PLACE, table, "iterations")?;
    if iterations == 0 {
        return Err(FileError::Value {
            place: format!("the key 'iterations' of {PLACE}"),
            problem: "0 is not accepted; whole numbers from 1 are".to_owned(),
        });
    }
    let follows = |player: &&Table| player.contains_key("spec") && !player.contains_key("pace");
    let takers = players.iter().enumerate().filter(|(_, player)| follows(player));
    Ok(EqualTime {
        reference: required(PLACE, table, "reference")?,
        iterations,
        speeds: optional(PLACE, table, "speeds")?.unwrap_or_default(),
        takers: takers.map(|(number, _)| number).collect(),
        states: optional(PLACE, table, "states")?.unwrap_or_default(),
    })
}

/// Reads a sequential test.
pub(super) fn test(table: &Table) -> Result<SequentialTest, FileError> {
    const PLACE: &str = "the table 'test'";
    /// The error rates where the file gives none.
    const ERROR_RATE: f64 = 0.05;
    only(PLACE, table, &["elo0", "elo1", "alpha", "beta", "scale"])?;
    let rate = |key| optional(PLACE, table, key).map(|rate| rate.unwrap_or(ERROR_RATE));
    let scale = optional(PLACE, table, "scale")?.unwrap_or(EloScale::Logistic);
    let elos = [required(PLACE, table, "elo0")?, required(PLACE, table, "elo1")?];
    SequentialTest::new(scale, elos, rate("alpha")?, rate("beta")?)
        .map_err(|error| FileError::Value { place: PLACE.to_owned(), problem: error.to_string() })
}

/// Reads when games are ended early.
pub(super) fn adjudication(table: &Table) -> Result<Adjudication, FileError> {
    const PLACE: &str = "the table 'adjudication'";
    only(PLACE, table, &["draw", "resign", "length", "tables"])?;
    let length = optional(PLACE, table, "length")?;
    if length == Some(0) {
        return Err(FileError::Value {
            place: format!("the key 'length' of {PLACE}"),
            problem: "0 is not accepted; whole numbers from 1 are".to_owned(),
        });
    }
    let tables = table_pieces(PLACE, table, "tables")?;
    let mut rules = Adjudication { length, tables, ..Adjudication::default() };
    if let Some(draw) = optional::<Table>(PLACE, table, "draw")? {
        const PLACE: &str = "the table 'draw'";
        only(PLACE, &draw, &["from", "moves", "within", "score"])?;
        rules.draw = Some(DrawRule {
            from: required(PLACE, &draw, "from")?,
            moves: moves(PLACE, &draw)?,
            within: value(PLACE, &draw, "within")?,
        });
    }
    if let Some(resign) = optional::<Table>(PLACE, table, "resign")? {
        const PLACE: &str = "the table 'resign'";
        only(PLACE, &resign, &["moves", "beyond", "score", "sides"])?;
        rules.resign = Some(ResignRule {
            moves: moves(PLACE, &resign)?,
            beyond: value(PLACE, &resign, "beyond")?,
            sides: optional(PLACE, &resign, "sides")?.unwrap_or_default(),
        });
    }
    Ok(rules)
}

/// Reads how many pieces endgame tables are asked for.
pub fn table_pieces(place: &str, table: &Table, key: &str) -> Result<Option<u32>, FileError> {
    let pieces = optional(place, table, key)?;
    match pieces {
        Some(pieces) if !TABLES.contains(&pieces) => {
            let (least, most) = TABLES.into_inner();
            Err(FileError::Value {
                place: format!("the key '{key}' of {place}"),
                problem: format!(
                    "{pieces} is not accepted; whole numbers from {least} to {most} are"
                ),
            })
        }
        _ => Ok(pieces),
    }
}

/// How many moves in a row a rule of adjudication waits for. None would end every game at once.
fn moves(place: &str, table: &Table) -> Result<u32, FileError> {
    const MOST: u32 = 1_000_000;
    let moves = required(place, table, "moves")?;
    let known = (1..=MOST).contains(&moves);
    known.then_some(moves).ok_or_else(|| FileError::Value {
        place: format!("the key 'moves' of {place}"),
        problem: format!("{moves} is not accepted; whole numbers from 1 to {MOST} are"),
    })
}

/// How far from 0 a value may be, given as such or as a `score` in hundredths of a pawn.
fn value(place: &str, table: &Table, key: &'static str) -> Result<f64, FileError> {
    let score: Option<f64> = optional(place, table, "score")?;
    let wrong = |problem: String| FileError::Value { place: place.to_owned(), problem };
    match (score, table.contains_key(key)) {
        (None, _) => share(place, table, key),
        (Some(_), true) => {
            Err(wrong(format!("'{key}' and 'score' say the same; give one of them")))
        }
        (Some(score), false) if (0.0..=MOST_SCORE).contains(&score) => {
            Ok(value_of_centipawns(score))
        }
        (Some(score), false) => Err(wrong(format!(
            "the score {score} is not accepted; numbers from 0 to {MOST_SCORE} are"
        ))),
    }
}

/// How far from 0 a value may be.
pub(super) fn share(place: &str, table: &Table, key: &'static str) -> Result<f64, FileError> {
    let value = required(place, table, key)?;
    (0.0..=1.0).contains(&value).then_some(value).ok_or_else(|| FileError::Value {
        place: format!("the key '{key}' of {place}"),
        problem: format!("{value} is not accepted; numbers from 0 to 1 are"),
    })
}
