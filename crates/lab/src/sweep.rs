//! Sweeps: one measurement in every cell of a grid over settings and limits.
//!
//! A file in TOML says what is measured and which values span the grid ([`Sweep::parse`]). Every game and
//! every measurement of a cell goes into the store under its own key, so a sweep that was stopped goes on
//! where it was. What comes out is a table and a plot ([`SweepResult`]).

mod cell;
mod grid;
mod result;

pub use grid::{GridError, MOST_CELLS};
pub use result::{CellResult, Measure, PlotError, SweepResult};

use crate::contest::{Contest, ContestError, Plan};
use crate::keys::{self, FileError};
use crate::measure::{Findings, MeasureError, Probe};
use crate::run::{self, RunError};
use crate::standings::{Counted, Standings};
use crate::store::{Store, StoreError};
use cell::{Cell, CellKind, Work};
use monteverde_players::{Playable, UnknownGame, Visitor, visit};
use result::Plies;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A grid of measurements.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The title of its report.
    pub title: String,
    game: String,
    kind: CellKind,
    cells: Vec<Cell>,
    plot: PlotChoice,
}

/// What the plot shows, by the names of grid keys and of a measure.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PlotChoice {
    x: String,
    y: String,
}

/// Why a sweep cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The file is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The grid is wrong.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The plot is wrong.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// A cell cannot be measured.
    #[error("the cell {cell}: {error}")]
    Cell {
        /// The cell's values.
        cell: String,
        /// What is wrong with it.
        error: Box<SweepError>,
    },
    /// A contest cannot be held.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// A measurement cannot be made.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// Games cannot be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What the store holds cannot be read.
    #[error("the store holds findings of a measurement that cannot be read: {0}")]
    Damaged(String),
}

/// How far a sweep is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Cells that are complete.
    pub cells_done: usize,
    /// All cells.
    pub cells: usize,
    /// Games, playouts or searches that are done, now or in an earlier run.
    pub done: u64,
    /// All of them.
    pub total: u64,
    /// How many of those done were found in the store.
    pub found: u64,
    /// The time since the run began.
    pub elapsed: Duration,
}

impl Progress {
    /// The time that is left, if the rest goes as fast as what was done in this run; `None` before anything
    /// was done.
    pub fn remaining(&self) -> Option<Duration> {
        let played = self.done - self.found;
        (played > 0).then(|| {
            let left = (self.total - self.done) as f64 / played as f64;
            Duration::try_from_secs_f64(self.elapsed.as_secs_f64() * left).unwrap_or(Duration::MAX)
        })
    }
}

/// Sees how far a sweep is, after each game or batch.
pub type Observer<'a> = dyn FnMut(&Progress) + Send + 'a;

impl Sweep {
    /// Reads the file of a sweep, and checks every cell.
    pub fn parse(text: &str, build: &str) -> Result<Sweep, SweepError> {
        Sweep::from_table(&keys::parse(text)?, build)
    }

    /// As [`Sweep::parse`], from a file that is read already.
    pub fn from_table(table: &toml::Table, build: &str) -> Result<Sweep, SweepError> {
        let sweep = cell::read(table, build)?;
        visit(&sweep.game, Check(&sweep))??;
        Ok(sweep)
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// How many games, playouts or searches there are in all.
    pub fn total(&self) -> u64 {
        self.cells.iter().map(Cell::units).sum()
    }

    /// What [`Sweep::total`] counts.
    pub fn unit(&self) -> &'static str {
        self.kind.unit()
    }

    /// Measures what the store does not hold yet, on so many threads.
    pub fn run(
        &self,
        store: &mut Store,
        concurrency: usize,
        observe: &mut Observer<'_>,
    ) -> Result<SweepResult, SweepError> {
        let progress = Progress {
            cells_done: 0,
            cells: self.cells(),
            done: 0,
            total: self.total(),
            found: 0,
            elapsed: Duration::ZERO,
        };
        let mut run =
            Run { sweep: self, store, concurrency, observe, progress, start: Instant::now() };
        let cells = match self.kind {
            CellKind::Match | CellKind::SelfPlay => visit(&self.game, Games(run))??,
            CellKind::Playouts | CellKind::Search => run.probes()?,
        };
        Ok(SweepResult {
            title: self.title.clone(),
            kind: self.kind.name(),
            sample: self.kind.unit(),
            x: self.plot.x.clone(),
            y: self.plot.y.clone(),
            cells,
        })
    }
}

struct Check<'a>(&'a Sweep);

impl Visitor for Check<'_> {
    type Output = Result<(), SweepError>;

    fn visit<G: Playable>(self) -> Self::Output {
        for cell in &self.0.cells {
            let checked = match &cell.work {
                Work::Contest(plan) => {
                    Contest::new::<G>(plan.clone()).map(drop).map_err(SweepError::from)
                }
                Work::Probe(probe) => probe.check().map_err(SweepError::from),
            };
            checked.map_err(|error| cell.error(error))?;
        }
        Ok(())
    }
}

struct Run<'a, 'o> {
    sweep: &'a Sweep,
    store: &'a mut Store,
    concurrency: usize,
    observe: &'a mut Observer<'o>,
    progress: Progress,
    start: Instant,
}

impl Run<'_, '_> {
    fn probes(&mut self) -> Result<Vec<CellResult>, SweepError> {
        let mut results = Vec::new();
        for cell in &self.sweep.cells {
            let Work::Probe(probe) = &cell.work else { unreachable!("cells are of one kind") };
            let findings = self.probe(probe)?;
            self.progress.cells_done += 1;
            self.tell();
            results.push(CellResult::of_findings(cell.labels.clone(), &findings, &cell.answer));
        }
        Ok(results)
    }

    fn probe(&mut self, probe: &Probe) -> Result<Findings, SweepError> {
        let key = probe.key();
        if let Some(text) = self.store.findings(&key)? {
            self.progress.found += probe.units();
            self.progress.done += probe.units();
            return serde_json::from_str(&text)
                .map_err(|error| SweepError::Damaged(error.to_string()));
        }
        let start = self.start;
        let shared = Mutex::new((&mut self.progress, &mut *self.observe));
        let findings = probe.run(self.concurrency, &|units| {
            let mut shared = shared.lock().expect("an observer does not panic");
            let (progress, observe) = &mut *shared;
            progress.done += units;
            progress.elapsed = start.elapsed();
            observe(progress);
        })?;
        let text = |result: serde_json::Result<String>| result.expect("plain data");
        let described = text(serde_json::to_string(probe));
        let found = text(serde_json::to_string(&findings));
        self.store.keep_findings(&key, &described, &found)?;
        Ok(findings)
    }

    fn tell(&mut self) {
        self.progress.elapsed = self.start.elapsed();
        (self.observe)(&self.progress);
    }

    /// Plays the games of all cells as one run, so that no thread waits for the last game of a cell.
    fn games<G: Playable>(mut self) -> Result<Vec<CellResult>, SweepError> {
        let plans = self.sweep.cells.iter().map(|cell| match &cell.work {
            Work::Contest(plan) => plan,
            Work::Probe(_) => unreachable!("cells are of one kind"),
        });
        let contests: Result<Vec<Contest>, _> =
            plans.clone().cloned().map(Contest::new::<G>).collect();
        let contests = contests?;
        let totals: Vec<u64> = plans.map(Plan::total).collect();
        let mut standings: Vec<Standings> = totals.iter().map(|_| two_players()).collect();
        let tasks = contests.iter().flat_map(Contest::tasks);
        let (progress, observe, start) = (&mut self.progress, &mut *self.observe, self.start);
        run::run::<G>(tasks, self.store, self.concurrency, &mut |finished| {
            let (cell, index) = place(&totals, finished.index);
            // Two games in a row are a pair, and the first contestant begins the first of them.
            let first = (index % 2) as usize;
            let (result, reason, pair) = (finished.result, finished.reason, finished.task.pair);
            standings[cell].count(&Counted { first, second: 1 - first, pair, result, reason });
            progress.done += 1;
            progress.found += u64::from(finished.played.is_none());
            progress.cells_done += usize::from(standings[cell].games() == totals[cell]);
            progress.elapsed = start.elapsed();
            observe(progress);
            ControlFlow::Continue(())
        })?;
        let mut results = Vec::new();
        for ((cell, contest), standings) in self.sweep.cells.iter().zip(&contests).zip(&standings) {
            let labels = cell.labels.clone();
            results.push(match self.sweep.kind {
                CellKind::SelfPlay => {
                    CellResult::of_self_play(labels, standings, self.plies(contest)?)
                }
                _ => CellResult::of_match(labels, standings),
            });
        }
        Ok(results)
    }

    fn plies(&self, contest: &Contest) -> Result<Plies, SweepError> {
        let mut plies = Plies::default();
        for task in contest.tasks() {
            plies.extend(self.store.plies(&task.key())?);
        }
        Ok(plies)
    }
}

struct Games<'a, 'o>(Run<'a, 'o>);

impl Visitor for Games<'_, '_> {
    type Output = Result<Vec<CellResult>, SweepError>;

    fn visit<G: Playable>(self) -> Self::Output {
        self.0.games::<G>()
    }
}

fn two_players() -> Standings {
    Standings::new(vec!["player".to_owned(), "opponent".to_owned()])
}

/// The cell of a game, and the game's number in the cell, from its number in the run.
fn place(totals: &[u64], mut index: u64) -> (usize, u64) {
    for (cell, &total) in totals.iter().enumerate() {
        if index < total {
            return (cell, index);
        }
        index -= total;
    }
    unreachable!("every game belongs to a cell")
}

#[cfg(test)]
mod tests;
