//! Experiments: a paper's numbers, the work that measures the same, and what was found.
//!
//! `experiments/ID.toml` states the question, the paper's figures and the work, which is a tournament, a
//! sweep, a suite or one of several measurements, in three scales ([`Scale`]). What was measured at a scale is kept in
//! `experiments/ID/SCALE.json`, written by this program only. Verdicts ([`verdict`]) and pages ([`report`])
//! are made from those two files and nothing else, so they come out the same whenever they are made.

mod commands;
mod endings;
mod error;
mod file;
mod list;
mod made;
mod mating;
mod page;
mod part;
mod playouts;
mod prediction;
mod result;
mod shape;
mod shelf;
mod site;
mod suites;
mod tables;
mod until;
pub mod verdict;

pub use error::ExperimentError;
pub use list::{Listed, ListedPaper, list};
pub use made::Made;
pub use page::{report, section};
pub use result::{Data, Measured, ResultFile, TestResult};
pub use site::{Places, Site, SummaryError, site, with_summary};

use endings::Endings;
use file::{Compare, Kind, Paper};
use mating::Mating;
use monteverde_lab::keys::FileError;
use monteverde_lab::measure::{self, Findings, MeasureError, Probe};
use monteverde_lab::progress::{Observer, Watch};
use monteverde_lab::store::Store;
use monteverde_lab::sweep::Sweep;
use monteverde_lab::tournament::Tournament;
use monteverde_report::{Compared, Comparison, Counts, DotPlot, Verdict};
use playouts::Playouts;
use prediction::Prediction;
use serde::{Deserialize, Serialize};
use shape::Shaping;
use std::io;
use std::path::{Path, PathBuf};
use suites::Suites;
use toml::Table;
use until::Until;

/// An experiment, as its file states it.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// Its name, that of its file without the ending.
    pub id: String,
    /// Its title.
    pub title: String,
    question: String,
    notes: Vec<String>,
    /// What was found, in words.
    findings: Vec<String>,
    /// What it stands under, without a paper.
    topic: String,
    /// The paper whose numbers are looked into, if there is one.
    paper: Option<Paper>,
    compares: Vec<Compare>,
    kind: Kind,
    /// The work at its scales, smallest first.
    scales: Vec<(Scale, Table)>,
    /// The one part that is to be measured; all if there is none.
    cell: Option<usize>,
    folder: PathBuf,
}

/// How large an experiment is run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// About a minute, to see that it works.
    Quick,
    /// About twenty minutes on 16 cores.
    Standard,
    /// As large as in the paper.
    Paper,
}

/// What is known of an experiment at a scale.
#[derive(Clone, PartialEq, Debug)]
pub enum State {
    /// It was not run.
    Open,
    /// It was run, but the work has been changed since.
    Stale,
    /// It was run, and its numbers together say this of the paper's.
    Done(Verdict),
    /// It was run, and there is no paper to compare with.
    Measured,
}

impl Scale {
    /// Every scale, the smallest first.
    pub const ALL: [Scale; 3] = [Scale::Quick, Scale::Standard, Scale::Paper];

    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Quick => "quick",
            Scale::Standard => "standard",
            Scale::Paper => "paper",
        }
    }
}

/// Every experiment of a folder, by id.
pub fn read_all(folder: &Path) -> Result<Vec<Experiment>, ExperimentError> {
    let failed = |error| ExperimentError::System { path: folder.to_owned(), error };
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

/// The experiment of that id in a folder.
pub fn find(folder: &Path, id: &str) -> Result<Experiment, ExperimentError> {
    let all = read_all(folder)?;
    let known: Vec<String> = all.iter().map(|experiment| experiment.id.clone()).collect();
    let found = all.into_iter().find(|experiment| experiment.id == id);
    found.ok_or_else(|| {
        let nearest = nearest_of(id, &known);
        ExperimentError::Unknown { id: id.to_owned(), nearest, known }
    })
}

/// The id that begins like the one that was given, else the one most like it.
fn nearest_of(id: &str, known: &[String]) -> Option<String> {
    if let Some(longer) = known.iter().find(|other| !id.is_empty() && other.starts_with(id)) {
        return Some(longer.clone());
    }
    let likeness = |other: &String| strsim::normalized_damerau_levenshtein(id, other);
    let best = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= ALIKE).then(|| best.clone())
}

/// How alike two ids must be for one to be offered in place of the other.
const ALIKE: f64 = 0.5;

fn read(path: &Path) -> Result<Experiment, ExperimentError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| ExperimentError::System { path: path.to_owned(), error })?;
    Experiment::parse(path, &text)
        .map_err(|error| ExperimentError::File { path: path.to_owned(), error })
}

impl Experiment {
    /// Reads the text of the file at `path`.
    pub fn parse(path: &Path, text: &str) -> Result<Experiment, FileError> {
        file::parse(path, text)
    }

    /// The paper and the place in it.
    pub fn source(&self) -> String {
        match &self.paper {
            Some(paper) => format!("{}, {}", paper.title, paper.place),
            None => "our own question".to_owned(),
        }
    }

    /// What its work counts.
    pub fn unit(&self) -> &'static str {
        match self.kind {
            Kind::Playouts => "playouts",
            Kind::Tournament => "games",
            Kind::Sweep => "units",
            Kind::Until => "searches",
            Kind::Suite => "positions",
            Kind::Mating | Kind::Endings | Kind::Shape | Kind::Prediction => "games",
        }
    }

    /// Where the results at a scale are kept.
    pub fn results_path(&self, scale: Scale) -> PathBuf {
        self.folder.join(&self.id).join(format!("{}.json", scale.name()))
    }

    /// Where the games and measurements at a scale are kept while it runs, so that it can be stopped.
    pub fn store_path(&self, scale: Scale) -> PathBuf {
        self.folder.join(&self.id).join(format!("{}.db", scale.name()))
    }

    /// The results at a scale, if there are any.
    pub fn results(&self, scale: Scale) -> Result<Option<ResultFile>, ExperimentError> {
        let path = self.results_path(scale);
        match std::fs::read_to_string(&path) {
            Ok(text) => ResultFile::parse(&text)
                .map(Some)
                .map_err(|problem| ExperimentError::Results { path, problem }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ExperimentError::System { path, error }),
        }
    }

    /// What is known at a scale.
    pub fn state(&self, scale: Scale) -> Result<State, ExperimentError> {
        let Some(results) = self.results(scale)? else { return Ok(State::Open) };
        Ok(match self.is_current(&results) {
            true => self.verdict(&results).map_or(State::Measured, State::Done),
            false => State::Stale,
        })
    }

    /// Runs the work at a scale, on so many threads, and gives what was found. What the store holds is not
    /// done again.
    pub fn run(
        &self,
        scale: Scale,
        store: &mut Store,
        machine: Machine<'_>,
        observe: &mut Observer<'_>,
    ) -> Result<ResultFile, ExperimentError> {
        let table = self.work(scale)?;
        let Machine { build, concurrency } = machine;
        let mut results = ResultFile {
            experiment: self.id.clone(),
            scale,
            work: fingerprint(table),
            build: build.to_owned(),
            made: None,
            calibration: None,
            test: None,
            data: Data::Playouts(Vec::new()),
        };
        results.data = match self.kind {
            Kind::Playouts => {
                let work = self.narrowed(Playouts::read(table), Playouts::only)?;
                Data::Playouts(work.named(probe_all(&work.probes(build), store, machine, observe)?))
            }
            Kind::Until => {
                let work = self.narrowed(Until::read(table), Until::only)?;
                Data::Until(work.named(probe_all(&work.probes(build), store, machine, observe)?))
            }
            Kind::Mating => {
                let work = self.narrowed(Mating::read(table), Mating::only)?;
                Data::Mating(work.cells(probe_all(&work.probes(build), store, machine, observe)?))
            }
            Kind::Endings => {
                let work = self.narrowed(Endings::read(table), Endings::only)?;
                Data::Endings(work.cells(probe_all(&work.probes(build), store, machine, observe)?))
            }
            Kind::Shape => {
                let work = Shaping::read(table).map_err(|error| self.error(error))?;
                Data::Shape(work.shape(probe_all(&work.probes(build), store, machine, observe)?))
            }
            Kind::Prediction => {
                let work = Prediction::read(table).map_err(|error| self.error(error))?;
                let probes = work.probes(build);
                Data::Prediction(work.named(probe_all(&probes, store, machine, observe)?))
            }
            Kind::Suite => {
                let work = self.narrowed(Suites::read(table, &self.folder), Suites::only)?;
                Data::Suite(work.solve(store, machine, observe)?)
            }
            Kind::Sweep => {
                let mut sweep = Sweep::from_table(table, &self.folder, build)?;
                if let Some(cell) = self.cell {
                    sweep.only(cell);
                }
                Data::Sweep(sweep.run(store, concurrency, observe)?)
            }
            Kind::Tournament => {
                let plan = self.narrowed_plan(scale, self.tournament(table, build)?.plan)?;
                let test = plan.test;
                let mut watch = Watch::new(1, plan.total(), observe);
                let held = plan.hold(store, concurrency, &mut |finished, _| {
                    match finished.played {
                        Some(_) => watch.done(1),
                        None => watch.found(1),
                    };
                })?;
                watch.part_done();
                results.calibration = held.calibration;
                results.test = test.map(|test| TestResult::new(&test, &held.standings));
                Data::Tournament(Counts::from(&held.standings))
            }
        };
        Ok(results)
    }

    /// Checks the work at every scale, without doing it.
    pub fn check(&self) -> Result<(), ExperimentError> {
        for (_, table) in &self.scales {
            let probes = match self.kind {
                Kind::Playouts => Playouts::read(table).map(|work| work.probes("")),
                Kind::Until => Until::read(table).map(|work| work.probes("")),
                Kind::Mating => Mating::read(table).map(|work| work.probes("")),
                Kind::Endings => Endings::read(table).map(|work| work.probes("")),
                Kind::Shape => Shaping::read(table).map(|work| work.probes("")),
                Kind::Prediction => Prediction::read(table).map(|work| work.probes("")),
                Kind::Suite | Kind::Sweep | Kind::Tournament => Ok(Vec::new()),
            };
            for probe in probes.map_err(|error| self.error(error))? {
                probe.check()?;
            }
            match self.kind {
                Kind::Suite => {
                    let work = Suites::read(table, &self.folder);
                    work.map_err(|error| self.error(error))?.check()?;
                }
                Kind::Sweep => drop(Sweep::from_table(table, &self.folder, "")?),
                Kind::Tournament => self.tournament(table, "")?.plan.check()?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The paper's numbers beside ours.
    pub fn comparisons(&self, results: &ResultFile) -> Vec<Comparison> {
        self.compares.iter().map(|compare| self.comparison(compare, results)).collect()
    }

    fn comparison(&self, compare: &Compare, results: &ResultFile) -> Comparison {
        let measured = results.measured(compare);
        let row = |value: &file::PaperValue| {
            let ours = measured.iter().find(|ours| ours.name == value.name);
            let interval = ours.map(|ours| ours.value).unwrap_or_default();
            Compared {
                name: value.name.clone(),
                paper: value.number,
                ours: interval,
                sample: ours.map_or(0, |ours| ours.sample),
                verdict: verdict::verdict(value.number, interval, compare.resolution),
            }
        };
        Comparison {
            caption: "The paper's numbers and ours".to_owned(),
            quantity: compare.quantity.clone(),
            source: self.source(),
            sample: results.data.unit().to_owned(),
            decimals: compare.decimals,
            rows: compare.values.iter().map(row).collect(),
            figure: match self.kind {
                Kind::Mating | Kind::Shape | Kind::Prediction => DotPlot::Left,
                _ => DotPlot::Drawn,
            },
        }
    }

    /// What all numbers together say of the paper's; `None` where it has none.
    pub fn verdict(&self, results: &ResultFile) -> Option<Verdict> {
        let all = self.comparisons(results);
        let verdicts = all.iter().flat_map(|comparison| &comparison.rows).map(|row| row.verdict);
        (!self.compares.is_empty()).then(|| verdict::together(verdicts))
    }

    /// Whether results were made by the work as the file states it now.
    pub fn is_current(&self, results: &ResultFile) -> bool {
        self.work(results.scale).is_ok_and(|table| fingerprint(table) == results.work)
    }

    fn work(&self, scale: Scale) -> Result<&Table, ExperimentError> {
        let found = self.scales.iter().find(|(one, _)| *one == scale).map(|(_, table)| table);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.scales.iter().map(|(scale, _)| scale.name()).collect();
            ExperimentError::NoScale { id: self.id.clone(), scale, known: known.join(", ") }
        })
    }

    fn tournament(&self, table: &Table, build: &str) -> Result<Tournament, ExperimentError> {
        Tournament::from_table(table, &self.folder, build).map_err(|error| self.error(error))
    }

    fn error(&self, error: FileError) -> ExperimentError {
        let path = self.folder.join(format!("{}.toml", self.id));
        ExperimentError::File { path, error }
    }
}

/// Makes some measurements, each of which is a part of the work.
fn probe_all(
    probes: &[Probe],
    store: &mut Store,
    machine: Machine<'_>,
    observe: &mut Observer<'_>,
) -> Result<Vec<Findings>, MeasureError> {
    let total = probes.iter().map(Probe::units).sum();
    let mut watch = Watch::new(probes.len(), total, observe);
    measure::run_all(probes, store, machine.concurrency, &mut watch)
}

/// What runs an experiment.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'a> {
    /// The program, [`monteverde_lab::build::build`].
    pub build: &'a str,
    /// On how many threads.
    pub concurrency: usize,
}

/// The beginning of the hash of what is to be done: results that were made otherwise have another one.
fn fingerprint(table: &Table) -> String {
    const DIGITS: usize = 16;
    let text = toml::to_string(table).expect("a table that was read can be written");
    blake3::hash(text.as_bytes()).to_hex()[..DIGITS].to_owned()
}

#[cfg(test)]
mod tests;
