//! A number of a paper, as an experiment's file states it.

use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_report::PaperError;
use monteverde_statistics::{Interval, Wdl, los_of_repetition, score};
use toml::{Table, Value};

/// One of the paper's numbers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PaperValue {
    pub(crate) name: String,
    pub(crate) number: Interval,
    /// Where the ends of the number come from.
    pub(crate) error: PaperError,
    /// Why it is shown but not counted; empty where it is counted.
    pub(crate) uncounted: String,
}

const VALUE: &str = "a value of the paper";
const KEYS: [&str; 8] =
    ["name", "number", "error", "games", "decimals", "more-than", "less-than", "not-counted"];

/// Reads all values of a table. Shares are multiplied by `factor`.
pub(super) fn read_all(
    place: &str,
    table: &Table,
    measure: &str,
    factor: f64,
) -> Result<Vec<PaperValue>, FileError> {
    let values: Vec<Table> = required(place, table, "value")?;
    let values = values.iter().map(|value| {
        let read = read(value, factor)?;
        Ok(if measure == "los" { read.into_likelihood(factor) } else { read })
    });
    values.collect()
}

impl PaperValue {
    /// A likelihood of superiority is printed in percent with its decimals cut off, and says itself
    /// how far a repetition of the match may be from it.
    fn into_likelihood(mut self, factor: f64) -> PaperValue {
        if let (Some(value), PaperError::Rounding) = (self.number.value, self.error) {
            let [low, high] = los_of_repetition(value / factor, (value + 1.0) / factor);
            // Whole percents, as printed: beyond 99 nothing tells likelihoods apart.
            self.number.low = Some((low * factor).floor());
            self.number.high = Some((high * factor).ceil());
            self.error = PaperError::Stated;
        }
        self
    }
}

fn read(table: &Table, factor: f64) -> Result<PaperValue, FileError> {
    only(VALUE, table, &KEYS)?;
    let (number, error) = number(table, factor)?;
    Ok(PaperValue {
        name: required(VALUE, table, "name")?,
        number,
        error,
        uncounted: optional(VALUE, table, "not-counted")?.unwrap_or_default(),
    })
}

fn number(table: &Table, factor: f64) -> Result<(Interval, PaperError), FileError> {
    let sides = [optional(VALUE, table, "more-than")?, optional(VALUE, table, "less-than")?];
    if let [Some(_), _] | [_, Some(_)] = sides {
        let others = ["number", "error", "games", "decimals"];
        let extra = others.iter().find(|key| table.contains_key(**key));
        if extra.is_some() || sides.iter().all(Option::is_some) {
            return Err(FileError::Value {
                place: VALUE.to_owned(),
                problem: "one of 'number', 'more-than' and 'less-than' is accepted, not several"
                    .to_owned(),
            });
        }
        let [low, high] = sides;
        return Ok((Interval { value: None, low, high }, PaperError::Direction));
    }
    let number: f64 = required(VALUE, table, "number")?;
    if let Some(error) = optional(VALUE, table, "error")? {
        return Ok((Interval::around(number, error), PaperError::Stated));
    }
    if let Some(games) = optional(VALUE, table, "games")? {
        let ends = of_games(number / factor, games)?.times(factor);
        return Ok((Interval { value: Some(number), ..ends }, PaperError::Stated));
    }
    let decimals = optional(VALUE, table, "decimals")?.unwrap_or_else(|| decimals(table));
    Ok((Interval::around(number, 0.5 * 0.1f64.powi(decimals)), PaperError::Rounding))
}

/// The interval of a score in so many games of which the draws are not known: as if there was one
/// at most, which makes it rather too wide.
fn of_games(share: f64, games: u64) -> Result<Interval, FileError> {
    let half_points = (2.0 * share * games as f64).round();
    if games == 0 || !(0.0..=2.0 * games as f64).contains(&half_points) {
        return Err(FileError::Value {
            place: format!("the key 'games' of {VALUE}"),
            problem: format!("{share} is no share of the points of {games} games"),
        });
    }
    let (wins, draws) = (half_points as u64 / 2, half_points as u64 % 2);
    Ok(score(Wdl::new(wins, draws, games - wins - draws)).map_or(Interval::default(), Into::into))
}

/// How many decimals the file's number has; trailing zeros are not seen and need the key.
fn decimals(table: &Table) -> i32 {
    match table.get("number") {
        Some(Value::Float(number)) => {
            let text = number.to_string();
            text.split_once('.').map_or(0, |(_, digits)| digits.len() as i32)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<PaperValue, FileError> {
        let table: Table = format!("value = {{ name = 'a', {text} }}").parse().unwrap();
        read(table["value"].as_table().unwrap(), 100.0)
    }

    #[track_caller]
    fn check(text: &str, [low, high]: [f64; 2], error: PaperError) {
        let found = value(text).unwrap();
        let near = |one: Option<f64>, two: f64| one.is_some_and(|one| (one - two).abs() < 1e-3);
        assert!(near(found.number.low, low) && near(found.number.high, high), "{found:?}");
        assert_eq!(found.error, error);
    }

    /// A number without an error used to be a point, which only luck can meet.
    #[test]
    fn a_number_without_an_error_stands_for_all_that_round_to_it() {
        check("number = 148.4", [148.35, 148.45], PaperError::Rounding);
        check("number = 36", [35.5, 36.5], PaperError::Rounding);
        check("number = 44.6, decimals = 2", [44.595, 44.605], PaperError::Rounding);
        check("number = 44.6, error = 3.1", [41.5, 47.7], PaperError::Stated);
    }

    #[test]
    fn the_sample_of_the_paper_gives_its_interval() {
        // 0 of 25 is 0 to 13.7%.
        check("number = 0, games = 25", [0.0, 13.719], PaperError::Stated);
        check("number = 100.0, games = 25", [86.281, 100.0], PaperError::Stated);
        // 16.5 of 25, 1.96 standard errors.
        let found = value("number = 66.0, games = 25").unwrap().number;
        assert!(found.low.unwrap() > 42.0 && found.high.unwrap() < 90.0, "{found:?}");
        assert!(
            value("number = 101, games = 25").is_err() && value("number = 1, games = 0").is_err()
        );
    }

    #[test]
    fn a_direction_has_no_number() {
        let more = value("more-than = 0").unwrap();
        assert_eq!((more.number.low, more.number.high), (Some(0.0), None));
        assert_eq!(more.error, PaperError::Direction);
        for wrong in ["more-than = 0, number = 1", "more-than = 0, less-than = 1", "error = 1"] {
            assert!(value(wrong).is_err(), "{wrong}");
        }
    }
}
