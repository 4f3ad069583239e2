//! An experiment: where its files lie, what is known of it, and how it is run.

use crate::file::{self, Compare, Headline, Paper};
use crate::result::ResultFile;
use crate::work::{ReadError, Session, Source, Work, WorkKind, WorkResult};
use crate::{ExperimentError, player_hashes, verdict};
use monteverde_lab::calibration::Calibration;
use monteverde_lab::contest::ContestPlan;
use monteverde_lab::hands::Hands;
use monteverde_lab::keys::FileError;
use monteverde_lab::progress::Observer;
use monteverde_lab::store::Store;
use monteverde_players::{Games, text_file};
use monteverde_report::{Compared, Comparison, Interval, Verdict};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use toml::Table;

/// An experiment, as its file states it.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name, that of its file without the ending.
    pub id: String,
    /// Its title.
    pub title: String,
    pub(crate) question: String,
    pub(crate) notes: Vec<String>,
    /// What was found, in words.
    pub(crate) findings: Vec<String>,
    /// Why numbers differ, and which experiment shows it; empty where that is not known.
    pub(crate) cause: String,
    /// What it stands under, without a paper.
    pub(crate) topic: String,
    /// The paper whose numbers are looked into, if there is one.
    pub(crate) paper: Option<Paper>,
    pub(crate) compares: Vec<Compare>,
    /// The numbers that a read-me shows.
    pub(crate) headlines: Vec<Headline>,
    pub(crate) kind: &'static WorkKind,
    /// The work at its scales, smallest first.
    pub(crate) scales: Vec<(Scale, Table)>,
    /// The games that there are.
    pub(crate) games: Games,
    /// The one part that is to be measured; all if there is none.
    pub(crate) part: Option<usize>,
    pub(crate) folder: PathBuf,
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
    /// It was run, but the work, or how a player searches, has been changed since.
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
pub fn read_all(games: &Games, folder: &Path) -> Result<Vec<Experiment>, ExperimentError> {
    let failed = |error| ExperimentError::System { path: folder.to_owned(), error };
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| read(games, path)).collect()
}

/// The experiment of that id in a folder.
pub fn find(games: &Games, folder: &Path, id: &str) -> Result<Experiment, ExperimentError> {
    let all = read_all(games, folder)?;
    let known: Vec<String> = all.iter().map(|experiment| experiment.id.clone()).collect();
    let found = all.into_iter().find(|experiment| experiment.id == id);
    found.ok_or_else(|| {
        let nearest = nearest_of(id, &known);
        ExperimentError::Unknown { id: id.to_owned(), nearest, known }
    })
}

/// The id that begins like the one that was given, else the one most like it.
pub(crate) fn nearest_of(id: &str, known: &[String]) -> Option<String> {
    if let Some(longer) = known.iter().find(|other| !id.is_empty() && other.starts_with(id)) {
        return Some(longer.clone());
    }
    let likeness = |other: &String| strsim::normalized_damerau_levenshtein(id, other);
    let best = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= ALIKE).then(|| best.clone())
}

/// How alike two ids must be for one to be offered in place of the other.
const ALIKE: f64 = 0.5;

fn read(games: &Games, path: &Path) -> Result<Experiment, ExperimentError> {
    let text = text_file::read(path, text_file::SETTINGS)
        .map_err(|error| ExperimentError::System { path: path.to_owned(), error })?;
    Experiment::parse(games, path, &text)
        .map_err(|error| ExperimentError::File { path: path.to_owned(), error })
}

/// A title without the name of its game before it.
pub fn plain_title(title: &str) -> &str {
    title.split_once(": ").map_or(title, |(_, rest)| rest)
}

impl Experiment {
    /// Reads the text of the file at `path`.
    pub fn parse(games: &Games, path: &Path, text: &str) -> Result<Experiment, FileError> {
        file::parse(games, path, text)
    }

    /// The paper and the place in it.
    pub fn source(&self) -> String {
        match &self.paper {
            Some(paper) => format!("{}, {}", paper.title, paper.place),
            None => "our own question".to_owned(),
        }
    }

    /// The title without what all of its paper are about, which stands before a colon: on a paper's
    /// page everybody knows that.
    pub fn short_title(&self) -> &str {
        match self.paper {
            Some(_) => plain_title(&self.title),
            None => &self.title,
        }
    }

    /// What its work counts.
    pub fn unit(&self) -> &'static str {
        self.kind.unit
    }

    /// Where the results at a scale are kept.
    pub fn results_path(&self, scale: Scale) -> PathBuf {
        self.folder.join(&self.id).join(format!("{}.json", scale.name()))
    }

    /// Where the games and measurements at a scale are kept while it runs, so that it can be
    /// stopped.
    pub fn store_path(&self, scale: Scale) -> PathBuf {
        self.folder.join(&self.id).join(format!("{}.db", scale.name()))
    }

    /// The results at a scale, if there are any.
    pub fn results(&self, scale: Scale) -> Result<Option<ResultFile>, ExperimentError> {
        let path = self.results_path(scale);
        match text_file::read(&path, text_file::DATA) {
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

    /// Runs the work at a scale and gives what was found. What the store holds is not done again. A
    /// shard of it ends in [`ExperimentError::Shard`], since it has no results.
    pub fn run(
        &self,
        scale: Scale,
        store: &mut Store,
        machine: Machine<'_>,
        observe: &mut Observer<'_>,
    ) -> Result<ResultFile, ExperimentError> {
        let table = self.work(scale)?;
        let work = self.part_of(scale, machine.build)?;
        let found = work.run(&mut Session { store, machine, observe });
        let found = found.map_err(ExperimentError::flattened)?;
        let WorkResult { data, calibration, test } = found;
        Ok(ResultFile {
            experiment: self.id.clone(),
            scale,
            work: fingerprint(table),
            build: machine.build.to_owned(),
            made: None,
            players: player_hashes::of(&self.games, table),
            calibration,
            test,
            data,
        })
    }

    /// The contest that it is at a scale, if it is one.
    pub fn contest(
        &self,
        scale: Scale,
        build: &str,
    ) -> Result<Option<ContestPlan>, ExperimentError> {
        Ok(self.part_of(scale, build)?.contest().cloned())
    }

    /// The work at a scale, or the one part of it that is to be measured.
    fn part_of(&self, scale: Scale, build: &str) -> Result<Box<dyn Work>, ExperimentError> {
        let mut work = self.read(self.work(scale)?, build)?;
        if let Some(part) = self.part {
            work.only(part, &|| self.speeds(scale))?;
        }
        Ok(work)
    }

    /// The speeds that results of the same work have.
    fn speeds(&self, scale: Scale) -> Result<Option<Calibration>, ExperimentError> {
        let results = self.results(scale)?.filter(|results| self.is_current(results));
        Ok(results.and_then(|results| results.calibration))
    }

    /// Checks the work at every scale, without doing it.
    pub fn check(&self) -> Result<(), ExperimentError> {
        for (_, table) in &self.scales {
            self.read(table, "")?.check()?;
        }
        Ok(())
    }

    /// The paper's numbers beside ours.
    pub fn comparisons(&self, results: &ResultFile) -> Vec<Comparison> {
        self.compares.iter().map(|compare| self.comparison(compare, results)).collect()
    }

    pub(crate) fn comparison(&self, compare: &Compare, results: &ResultFile) -> Comparison {
        let is_comparable = compare.only.is_none_or(|only| only == results.scale);
        let measured = if is_comparable { results.measured(compare) } else { Vec::new() };
        let scale = results.range(compare);
        let row = |value: &file::PaperValue| {
            let ours = measured.iter().find(|ours| ours.name == value.name);
            let interval = ours.map(|ours| ours.value).unwrap_or_default();
            let found = verdict::verdict(value.number, interval, compare.resolution, scale);
            let reason = match found {
                _ if interval == Interval::default() => "",
                Verdict::NotCounted => verdict::TOO_WIDE,
                _ => &value.uncounted,
            };
            Compared {
                name: value.name.clone(),
                paper: value.number,
                error: value.error,
                ours: interval,
                sample: ours.map_or(0, |ours| ours.sample),
                verdict: if reason.is_empty() { found } else { Verdict::NotCounted },
                reason: reason.to_owned(),
            }
        };
        Comparison {
            caption: "The paper's numbers and ours".to_owned(),
            quantity: compare.quantity.clone(),
            source: self.source(),
            sample: results.data.unit().to_owned(),
            decimals: compare.decimals,
            rows: compare.values.iter().map(row).collect(),
            figure: self.kind.dots,
        }
    }

    /// What all numbers that were measured together say of the paper's; `None` where it has none.
    pub fn verdict(&self, results: &ResultFile) -> Option<Verdict> {
        let all = self.comparisons(results);
        let rows = all.iter().flat_map(|comparison| &comparison.rows);
        let verdicts = rows.filter(|row| row.is_measured()).map(|row| row.verdict);
        (!self.compares.is_empty()).then(|| verdict::together(verdicts))
    }

    /// Whether results were made by the work as the file states it now, and by players that still
    /// search as they did.
    pub fn is_current(&self, results: &ResultFile) -> bool {
        self.work(results.scale).is_ok_and(|table| {
            fingerprint(table) == results.work
                && player_hashes::is_current(&self.games, table, &results.players)
        })
    }

    pub(crate) fn work(&self, scale: Scale) -> Result<&Table, ExperimentError> {
        let found = self.scales.iter().find(|(one, _)| *one == scale).map(|(_, table)| table);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.scales.iter().map(|(scale, _)| scale.name()).collect();
            ExperimentError::NoScale { id: self.id.clone(), scale, known: known.join(", ") }
        })
    }

    /// The work of a scale, to be done by a program.
    pub(crate) fn read(
        &self,
        table: &Table,
        build: &str,
    ) -> Result<Box<dyn Work>, ExperimentError> {
        let source = Source { games: &self.games, folder: &self.folder, build };
        (self.kind.read)(table, source).map_err(|error| match error {
            ReadError::File(error) => {
                let path = self.folder.join(format!("{}.toml", self.id));
                ExperimentError::File { path, error }
            }
            ReadError::Sweep(error) => error.into(),
        })
    }
}

/// What runs an experiment.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'a> {
    /// The program, [`monteverde_lab::build::build`].
    pub build: &'a str,
    /// Who does the work.
    pub hands: &'a Hands,
}

/// The beginning of the hash of what is to be done: results that were made otherwise have another
/// one.
fn fingerprint(table: &Table) -> String {
    const DIGITS: usize = 16;
    let text = toml::to_string(table).expect("a table that was read can be written");
    blake3::hash(text.as_bytes()).to_hex()[..DIGITS].to_owned()
}
