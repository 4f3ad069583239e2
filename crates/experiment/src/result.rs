//! What was measured, as it is kept in a file.

use super::Scale;
use super::endings::{self, EndingCell};
use super::file::Compare;
use super::made::Made;
use super::mating::{self, MatingCell};
use super::prediction::{self, NamedRanks};
use super::shape;
use monteverde_lab::calibration::{Calibrated, Calibration};
use monteverde_lab::measure::{Shape, Tally, Waits};
use monteverde_lab::standings::Standings;
use monteverde_lab::suite::SuiteResult;
use monteverde_lab::sweep::SweepResult;
use monteverde_report::{Counts, Interval};
use monteverde_statistics::{Decision, SequentialTest, elo, score};
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
    /// Where and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// The speeds of the players, where they thought equally long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// What a sequential test said, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TestResult>,
    /// What was counted.
    pub data: Data,
}

/// What a sequential test of the first player said.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TestResult {
    /// The two Elo differences, the lower first.
    pub elos: [f64; 2],
    /// Games that counted.
    pub games: u64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where it decides.
    pub bounds: [f64; 2],
    /// What it decided.
    pub decision: Decision,
    /// The Elo difference of the games that counted. It is a little too far from 0 on average, because the
    /// test stops at extremes.
    pub elo: Interval,
}

impl TestResult {
    /// What the test says of two players' games.
    pub(super) fn new(test: &SequentialTest, standings: &Standings) -> TestResult {
        // More digits say nothing, and these are read back as they were written.
        let rounded = |number: f64| (number * 1e4).round() / 1e4;
        let (low, high) = test.bounds();
        let pairs = standings.pairs(0, 1);
        let elo = Interval::from(elo(standings.sample(0, 1)));
        TestResult {
            elos: test.hypotheses(),
            games: standings.games(),
            llr: rounded(test.llr(pairs)),
            bounds: [rounded(low), rounded(high)],
            decision: test.decide(pairs),
            elo: Interval {
                value: elo.value.map(rounded),
                low: elo.low.map(rounded),
                high: elo.high.map(rounded),
            },
        }
    }
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
    /// Searches for a move.
    Until(Vec<NamedWaits>),
    /// Answers to the questions of a suite.
    Suite(Vec<NamedSuite>),
    /// Games against a perfect defence.
    Mating(Vec<MatingCell>),
    /// Games against a perfect defence from random starts.
    Endings(Vec<EndingCell>),
    /// Games by ply.
    Shape(Shape),
    /// Predictions of a target's moves.
    Prediction(Vec<NamedRanks>),
}

/// The searches of a player for a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedWaits {
    /// The player's name.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// What was found.
    #[serde(flatten)]
    pub waits: Waits,
}

/// The answers of a player to a suite.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedSuite {
    /// The player's name.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// What was counted.
    #[serde(flatten)]
    pub result: SuiteResult,
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
    /// Our numbers, as far as there are any.
    pub(super) fn measured(&self, compare: &Compare) -> Vec<Measured> {
        match (&self.calibration, compare.measure.as_str()) {
            (Some(calibration), "speed") => of_speeds(calibration, compare),
            _ => self.data.measured(compare),
        }
    }

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
            Data::Until(_) => "searches",
            Data::Suite(_) => "positions",
            Data::Mating(_) | Data::Endings(_) | Data::Shape(_) => "games",
            Data::Prediction(_) => "moves",
        }
    }

    /// The size of all samples together.
    pub fn sample(&self) -> u64 {
        match self {
            Data::Playouts(tallies) => tallies.iter().map(|one| one.tally.count).sum(),
            Data::Tournament(counts) => counts.games.iter().map(|cell| cell.games.games()).sum(),
            Data::Sweep(sweep) => sweep.cells.iter().map(|cell| cell.sample).sum(),
            Data::Until(waits) => waits.iter().map(|one| one.waits.hits.len() as u64).sum(),
            Data::Suite(suites) => suites.iter().map(|one| one.result.positions()).sum(),
            Data::Mating(cells) => cells.iter().map(|cell| cell.games).sum(),
            Data::Endings(cells) => cells.iter().map(|cell| cell.starts).sum(),
            Data::Shape(shape) => shape.games,
            // All players rank the same moves.
            Data::Prediction(ranks) => ranks.first().map_or(0, |one| one.ranks.moves),
        }
    }

    /// Our numbers. A measure that this kind of work does not have gives numbers without a value.
    fn measured(&self, compare: &Compare) -> Vec<Measured> {
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
                let cell = |cell: &monteverde_lab::sweep::CellResult| Measured {
                    name: cell.name(),
                    value: cell.measure(&compare.measure),
                    sample: cell.sample,
                };
                sweep.cells.iter().map(cell).collect::<Vec<_>>()
            }
            Data::Until(waits) => of_waits(waits, compare),
            Data::Mating(cells) => mating::measured(cells, &compare.measure),
            Data::Endings(cells) => endings::measured(cells, &compare.measure),
            Data::Shape(shape) => shape::measured(shape, &compare.measure),
            Data::Prediction(ranks) => prediction::measured(ranks, compare),
            Data::Suite(suites) => {
                let one = |named: &NamedSuite| Measured {
                    name: named.name.clone(),
                    value: match compare.measure.as_str() {
                        "solved" => named.result.share(),
                        _ => Interval::default(),
                    },
                    sample: named.result.positions(),
                };
                suites.iter().map(one).collect()
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

/// Ratings relative to the base player, or shares of the points, of all or of those against the base player. A
/// base that did not play leaves ratings without a value: those relative to the mean would be other numbers than
/// the ones asked for.
fn of_counts(counts: &Counts, compare: &Compare) -> Vec<Measured> {
    let (table, ratings) = (counts.crosstable(), counts.ratings());
    let base = compare.base.as_ref().and_then(|base| counts.names.iter().position(|n| n == base));
    let one = |(player, name): (usize, &String)| {
        let games = match (compare.measure.as_str(), base) {
            ("against", Some(base)) => table.between(player, base),
            _ => table.total(player),
        };
        let value = match (compare.measure.as_str(), base) {
            ("elo", Some(base)) if base == player => Interval::around(0.0, 0.0),
            ("elo", Some(base)) => ratings.difference(player, base).into(),
            ("elo", None) if compare.base.is_none() => ratings.elo(player).into(),
            ("score", _) | ("against", Some(_)) => score(games).map(Into::into).unwrap_or_default(),
            _ => Interval::default(),
        };
        Measured { name: name.clone(), value, sample: games.games() }
    };
    counts.names.iter().enumerate().map(one).collect()
}

/// How many times as many iterations a second as the base player each makes.
fn of_speeds(calibration: &Calibration, compare: &Compare) -> Vec<Measured> {
    let base =
        calibration.players.iter().find(|player| Some(&player.name) == compare.base.as_ref());
    let one = |player: &Calibrated| Measured {
        name: player.name.clone(),
        value: base.map_or(Interval::default(), |base| player.times(base).times(compare.factor)),
        // A speed is measured for so long, not so often.
        sample: 0,
    };
    calibration.players.iter().map(one).collect()
}

/// The median iterations or seconds; or how many times as long the base player takes as this one, between the
/// extremes that the two intervals allow.
fn of_waits(all: &[NamedWaits], compare: &Compare) -> Vec<Measured> {
    let base = compare.base.as_ref().and_then(|base| all.iter().find(|one| one.name == *base));
    let one = |named: &NamedWaits| {
        let value = match (compare.measure.as_str(), base) {
            ("iterations", _) => named.waits.iterations(),
            ("seconds", _) => named.waits.seconds(),
            ("times-faster", Some(base)) => {
                let (own, base) = (named.waits.seconds(), base.waits.seconds());
                let over = |one: Option<f64>, two: Option<f64>| Some(one? / two?);
                Interval {
                    value: over(base.value, own.value),
                    low: over(base.low, own.high),
                    high: over(base.high, own.low),
                }
            }
            _ => Interval::default(),
        };
        Measured { name: named.name.clone(), value, sample: named.waits.hits.len() as u64 }
    };
    all.iter().map(one).collect()
}
