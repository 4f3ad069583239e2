//! What was measured, as it is kept in a file.

use super::Scale;
use super::file::Compare;
use crate::measure::Tally;
use crate::report::{Counts, Interval};
use crate::statistics::score;
use crate::sweep::SweepResult;
use serde::{Deserialize, Serialize};

/// The results of an experiment at a scale.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResultFile {
    /// The experiment's id.
    pub experiment: String,
    /// The scale.
    pub scale: Scale,
    /// The fingerprint of the work that was done.
    pub work: String,
    /// The program that did it.
    pub build: String,
    /// What was counted.
    pub data: Data,
}

/// What was counted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Data {
    /// Playouts of positions.
    Playouts(Vec<NamedTally>),
    /// The results of a tournament.
    Tournament(Counts),
    /// The cells of a sweep.
    Sweep(SweepResult),
}

/// The playouts of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedTally {
    /// The position's name.
    pub name: String,
    /// What was counted.
    #[serde(flatten)]
    pub tally: Tally,
}

/// One of our numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// What it is of: a position, a player, a cell.
    pub name: String,
    /// The number in the unit of the comparison.
    pub value: Interval,
    /// The size of the sample.
    pub sample: u64,
}

impl ResultFile {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<ResultFile, String> {
        let results: ResultFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if let Data::Tournament(counts) = &results.data {
            counts.check().map_err(|error| error.to_string())?;
        }
        Ok(results)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("results are plain data") + "\n"
    }
}

impl Data {
    /// What samples count.
    pub fn unit(&self) -> &str {
        match self {
            Data::Playouts(_) => "playouts",
            Data::Tournament(_) => "games",
            Data::Sweep(sweep) => &sweep.sample,
        }
    }

    /// Our numbers. A measure that this kind of work does not have gives numbers without a value.
    pub(super) fn measured(&self, compare: &Compare) -> Vec<Measured> {
        let mut measured = match self {
            Data::Playouts(tallies) => {
                let one = |named: &NamedTally| Measured {
                    name: named.name.clone(),
                    value: of_tally(&named.tally, &compare.measure),
                    sample: named.tally.count,
                };
                tallies.iter().map(one).collect()
            }
            Data::Tournament(counts) => of_counts(counts, compare),
            Data::Sweep(sweep) => {
                let cell = |cell: &crate::sweep::CellResult| Measured {
                    name: cell.name(),
                    value: cell.measure(&compare.measure),
                    sample: cell.sample,
                };
                sweep.cells.iter().map(cell).collect::<Vec<_>>()
            }
        };
        for one in &mut measured {
            one.value = one.value.times(compare.factor);
        }
        measured
    }
}

/// The first side's score, a result's or an ending's share in 0..=1, or the mean plies.
fn of_tally(tally: &Tally, measure: &str) -> Interval {
    match measure {
        "score" => tally.score(),
        "first" => tally.share(tally.first),
        "draws" => tally.share(tally.draw),
        "second" => tally.share(tally.second),
        "plies" => tally.mean_plies(),
        ending => tally.endings.get(ending).map_or(Interval::default(), |&n| tally.share(n)),
    }
}

/// Ratings relative to the base player, or shares of the points. A base that did not play leaves ratings
/// without a value: those relative to the mean would be other numbers than the ones asked for.
fn of_counts(counts: &Counts, compare: &Compare) -> Vec<Measured> {
    let (table, ratings) = (counts.crosstable(), counts.ratings());
    let base = compare.base.as_ref().and_then(|base| counts.names.iter().position(|n| n == base));
    let one = |(player, name): (usize, &String)| {
        let games = table.total(player);
        let value = match (compare.measure.as_str(), base) {
            ("elo", Some(base)) if base == player => Interval::around(0.0, 0.0),
            ("elo", Some(base)) => ratings.difference(player, base).into(),
            ("elo", None) if compare.base.is_none() => ratings.elo(player).into(),
            ("score", _) => score(games).map(Into::into).unwrap_or_default(),
            _ => Interval::default(),
        };
        Measured { name: name.clone(), value, sample: games.games() }
    };
    counts.names.iter().enumerate().map(one).collect()
}
