//! What a kind of work is: a table of an experiment's file, how it is done, and how what was found
//! is shown.
//!
//! A kind is a file in `kinds/`. It implements [`Work`] for what the table states and
//! [`Measurement`] for what files keep of it: results are read and shown without the work, which
//! may have changed since. The list of all kinds is [`crate::kinds::KINDS`], their results are the
//! variants of [`ResultData`].

use crate::experiment::nearest_of;
use crate::file::Compare;
use crate::result::{Measured, ResultData, TestResult};
use crate::{ExperimentError, Machine};
use monteverde_lab::calibration::Calibration;
use monteverde_lab::contest::ContestPlan;
use monteverde_lab::keys::{FileError, required};
use monteverde_lab::measure::{self, Findings, MeasureError, Probe};
use monteverde_lab::progress::{Observer, Watch};
use monteverde_lab::store::Store;
use monteverde_lab::sweep::SweepError;
use monteverde_players::{AnyGame, Games};
use monteverde_report::{ContestReport, DotPlot, Plot, ReportTable};
use std::path::Path;
use toml::Table;

/// A kind of work.
#[derive(Debug)]
pub(crate) struct WorkKind {
    /// The key of its table in the file of an experiment.
    pub(crate) name: &'static str,
    /// What progress counts.
    pub(crate) unit: &'static str,
    /// Reads the table.
    pub(crate) read: ReadWork,
    /// The names by which a comparison may ask for its numbers. A capital N at the end of a name
    /// stands for any number, NAME for any word.
    pub(crate) measures: fn(&Table) -> &'static [&'static str],
    /// Whether a comparison has a figure of its own.
    pub(crate) dots: DotPlot,
    /// What its parts are.
    pub(crate) parts: PartKind,
}

/// Reads a table.
type ReadWork = fn(&Table, Source<'_>) -> Result<Box<dyn Work>, ReadError>;

/// What the parts of some work are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PartKind {
    /// A cell, a player, a position: something that only an experiment measures.
    Piece,
    /// The games of two players, which are a match. All of them are listed, however many there are.
    Meeting,
}

/// Where the work stands, and who is to do it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// The games that there are.
    pub(crate) games: &'a Games,
    /// The folder of the file, where paths in it start.
    pub(crate) folder: &'a Path,
    /// The program, [`monteverde_lab::build::build`].
    pub(crate) build: &'a str,
}

impl Source<'_> {
    /// The game that a table names.
    pub(crate) fn game(&self, place: &str, table: &Table) -> Result<AnyGame, FileError> {
        Ok(self.games.game(&required::<String>(place, table, "game")?)?)
    }
}

#[cfg(test)]
impl Source<'static> {
    /// A table of a test.
    pub(crate) fn of_test() -> Source<'static> {
        let games = Box::leak(Box::new(monteverde_games::games()));
        Source { games, folder: Path::new(""), build: "test" }
    }
}

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The table is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is no sweep.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

/// The work of an experiment at a scale, as its file states it.
pub(crate) trait Work {
    /// Checks that it can be done, without doing it.
    fn check(&self) -> Result<(), ExperimentError>;

    /// The names of its parts; none where it can only be done as a whole.
    fn parts(&self) -> Vec<String>;

    /// Leaves out all parts but the one of that number. Its seeds stay those that it has in the
    /// whole, so that it comes out the same.
    fn only(&mut self, number: usize, earlier: &Earlier<'_>) -> Result<(), ExperimentError>;

    /// Does what the store does not hold yet.
    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError>;

    /// The contest that all of it is, if it is one.
    fn contest(&self) -> Option<&ContestPlan> {
        None
    }

    /// The matches that parts are: the number of the part, the plan, and who meets in it.
    fn matches(&self) -> Vec<(usize, &ContestPlan, (usize, usize))> {
        Vec::new()
    }
}

/// What was measured, as files keep it.
pub(crate) trait Measurement {
    /// What samples count.
    fn unit(&self) -> &str;

    /// The size of all samples together.
    fn sample(&self) -> u64;

    /// Says what cannot be, where numbers contradict each other: they may come from a file.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// The numbers that a comparison asks for, before its factor. What is not known has no value.
    fn measured(&self, compare: &Compare) -> Vec<Measured>;

    /// The least and the largest that such a number can be, before the factor; `None` where there
    /// are no such ends.
    fn range(&self, _: &Compare) -> Option<[f64; 2]> {
        None
    }

    /// Everything, for pages and terminals.
    fn tables(&self) -> Vec<ReportTable>;

    /// Figures that stand before the tables of a page.
    fn figures(&self) -> Vec<Plot> {
        Vec::new()
    }

    /// The contest that a page shows in place of tables and figures.
    fn contest(&self) -> Option<ContestReport> {
        None
    }
}

/// Looks up the speeds that earlier results of the same work have.
pub(crate) type Earlier<'a> = dyn Fn() -> Result<Option<Calibration>, ExperimentError> + 'a;

/// What some work comes to.
pub(crate) struct WorkResult {
    pub(crate) data: ResultData,
    /// The speeds of the players, where they thought equally long.
    pub(crate) calibration: Option<Calibration>,
    /// What a sequential test said, where there was one.
    pub(crate) test: Option<TestResult>,
}

impl From<ResultData> for WorkResult {
    fn from(data: ResultData) -> WorkResult {
        WorkResult { data, calibration: None, test: None }
    }
}

/// What work is done with.
pub(crate) struct Session<'s, 'o> {
    pub(crate) store: &'s mut Store,
    pub(crate) machine: Machine<'s>,
    pub(crate) observe: &'s mut Observer<'o>,
}

impl Session<'_, '_> {
    /// Makes some measurements, each of which is a part of the work.
    pub(crate) fn measure<F>(&mut self, probes: &[Probe]) -> Result<Vec<F>, MeasureError>
    where
        F: TryFrom<Findings, Error = MeasureError>,
    {
        let total = probes.iter().map(Probe::units).sum();
        let mut watch = Watch::new(probes.len(), total, self.observe);
        let all = measure::run_all(probes, self.store, self.machine.hands, &mut watch)?;
        all.into_iter().map(F::try_from).collect()
    }

    /// Makes a measurement that is all of the work.
    pub(crate) fn measure_one<F>(&mut self, probe: Probe) -> Result<F, MeasureError>
    where
        F: TryFrom<Findings, Error = MeasureError>,
    {
        let mut found = self.measure(&[probe])?;
        Ok(found.pop().expect("each measurement finds something"))
    }
}

/// Checks that measurements can be made.
pub(crate) fn check_all(probes: &[Probe]) -> Result<(), ExperimentError> {
    Ok(probes.iter().try_for_each(Probe::check)?)
}

impl WorkKind {
    /// Refuses a measure that this work does not have.
    pub(crate) fn check_measure(&self, measure: &str, work: &Table) -> Result<(), FileError> {
        let known = (self.measures)(work);
        if known.iter().any(|name| is_named(measure, name)) {
            return Ok(());
        }
        let names: Vec<String> = known.iter().map(|&name| name.to_owned()).collect();
        let perhaps = nearest_of(measure, &names);
        Err(FileError::Value {
            place: "the key 'measure' of the table 'compare'".to_owned(),
            problem: format!(
                "'{}' is not measured by '{}'{}; measures: {}",
                measure.escape_debug(),
                self.name,
                perhaps.map_or(String::new(), |name| format!(" (perhaps '{name}'?)")),
                names.join(", ")
            ),
        })
    }
}

/// Whether a measure is the one of that name, in which N and NAME stand for a number and a word.
fn is_named(measure: &str, name: &str) -> bool {
    let rest = |mark: &str| measure.strip_prefix(name.strip_suffix(mark)?);
    match (rest("-NAME"), rest("-N")) {
        (Some(word), _) => word.len() > 1 && word.starts_with('-'),
        (_, Some(number)) => {
            number.strip_prefix('-').is_some_and(|digits| digits.parse::<usize>().is_ok())
        }
        _ => measure == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_may_end_a_measure() {
        for (measure, name, expected) in [
            ("first", "first", true),
            ("frist", "first", false),
            ("within-3", "within-N", true),
            ("within-", "within-N", false),
            ("within-x", "within-N", false),
            ("within3", "within-N", false),
            ("ending-checkmate", "ending-NAME", true),
            ("ending-", "ending-NAME", false),
            ("checkmate", "ending-NAME", false),
        ] {
            assert_eq!(is_named(measure, name), expected, "{measure}, {name}");
        }
    }
}
