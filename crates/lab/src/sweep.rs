//! Sweeps: one measurement in every cell of a grid over settings and limits.
//!
//! A file in TOML says what is measured and which values span the grid ([`Sweep::parse`]). Every
//! game and every measurement of a cell goes into the store under its own key, so a sweep that was
//! stopped goes on where it was. What comes out is a table and a plot ([`SweepResult`]).

mod cell;
mod grid;
mod result;

pub use cell::measures_of;
pub use grid::{GridError, MOST_CELLS};
pub use result::{CellResult, Measure, PlotError, SweepResult};

use crate::contest::{Contest, ContestError, ContestPlan};
use crate::engine::Identities;
use crate::hands::Hands;
use crate::keys::{self, FileError};
use crate::measure::{self, Findings, MeasureError};
use crate::progress::{Observer, Watch};
use crate::run::{self, RunError};
use crate::shard::ShardDone;
use crate::standings::{Counted, Standings};
use crate::store::{Store, StoreError};
use cell::{CellKind, CellWork, SweepCell};
use monteverde_players::{AnyGame, Games, UnknownGame};
use result::Plies;
use std::ops::ControlFlow;
use std::path::Path;

/// A grid of measurements.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The title of its report.
    pub title: String,
    game: AnyGame,
    kind: CellKind,
    cells: Vec<SweepCell>,
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
    /// Only a shard was to be measured, and was.
    #[error(transparent)]
    Shard(#[from] ShardDone),
}

impl Sweep {
    /// Reads the text of a file that stands in `folder`, where relative paths start, and checks
    /// every cell. `build` is the program that will measure.
    pub fn parse(
        games: &Games,
        text: &str,
        folder: &Path,
        build: &str,
    ) -> Result<Sweep, SweepError> {
        Sweep::from_table(games, &keys::parse(text)?, folder, build)
    }

    /// As [`Sweep::parse`], from a file that is read already.
    pub fn from_table(
        games: &Games,
        table: &toml::Table,
        folder: &Path,
        build: &str,
    ) -> Result<Sweep, SweepError> {
        let mut sweep = cell::read(games, table, folder, build)?;
        for cell in &mut sweep.cells {
            cell.check().map_err(|error| cell.error(error))?;
        }
        Ok(sweep)
    }

    /// The names of the cells: their values by the grid's keys.
    pub fn names(&self) -> Vec<String> {
        self.cells.iter().map(SweepCell::name).collect()
    }

    /// Keeps the cell of that number.
    ///
    /// # Panics
    /// If there is none.
    pub fn only(&mut self, number: usize) {
        self.cells = vec![self.cells.swap_remove(number)];
    }

    /// The matches that cells are, by their numbers; none of cells that are something else.
    pub fn plans(&self) -> impl Iterator<Item = (usize, &ContestPlan)> {
        self.cells.iter().enumerate().filter_map(|(number, cell)| match &cell.work {
            CellWork::Contest(plan) => Some((number, plan)),
            CellWork::Probe(_) => None,
        })
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// How many games, playouts or searches there are in all.
    pub fn total(&self) -> u64 {
        self.cells.iter().map(SweepCell::units).sum()
    }

    /// What [`Sweep::total`] counts.
    pub fn unit(&self) -> &'static str {
        self.kind.unit()
    }

    /// Measures what the store does not hold yet. A shard of a sweep has no results and ends in
    /// [`SweepError::Shard`].
    pub fn run(
        &self,
        store: &mut Store,
        hands: impl Into<Hands>,
        observe: &mut Observer<'_>,
    ) -> Result<SweepResult, SweepError> {
        let watch = Watch::new(self.cells(), self.total(), observe);
        let run = Run { sweep: self, store, hands: hands.into(), watch };
        let cells = match self.kind {
            CellKind::Match | CellKind::SelfPlay => run.games()?,
            CellKind::Playouts | CellKind::Search => run.probes()?,
        };
        Ok(SweepResult {
            title: self.title.clone(),
            kind: self.kind.name().to_owned(),
            sample: self.kind.unit().to_owned(),
            x: self.plot.x.clone(),
            y: self.plot.y.clone(),
            cells,
        })
    }
}

struct Run<'a, 'o> {
    sweep: &'a Sweep,
    store: &'a mut Store,
    hands: Hands,
    watch: Watch<'a, 'o>,
}

impl Run<'_, '_> {
    fn probes(mut self) -> Result<Vec<CellResult>, SweepError> {
        let probes = self.sweep.cells.iter().map(|cell| match &cell.work {
            CellWork::Probe(probe) => probe,
            CellWork::Contest(_) => unreachable!("cells are of one kind"),
        });
        let all = measure::run_all(probes, self.store, &self.hands, &mut self.watch)?;
        let result = |(cell, findings): (&SweepCell, &Findings)| {
            CellResult::of_findings(cell.labels.clone(), findings, &cell.answer)
        };
        Ok(self.sweep.cells.iter().zip(&all).map(result).collect())
    }

    /// Plays the games of all cells as one run, so that no thread waits for the last game of a
    /// cell.
    fn games(mut self) -> Result<Vec<CellResult>, SweepError> {
        let plans = self.sweep.cells.iter().map(|cell| match &cell.work {
            CellWork::Contest(plan) => plan,
            CellWork::Probe(_) => unreachable!("cells are of one kind"),
        });
        let mut known = Identities::default();
        let contest = |plan| Contest::new(plan).and_then(|contest| contest.identified(&mut known));
        let contests: Result<Vec<Contest>, _> = plans.clone().cloned().map(contest).collect();
        let contests = contests?;
        let totals: Vec<u64> = plans.map(ContestPlan::total).collect();
        let mut standings: Vec<Standings> = totals.iter().map(|_| two_players()).collect();
        let tasks = || contests.iter().flat_map(Contest::tasks);
        let watch = &mut self.watch;
        if let Some(shard) = self.hands.shard {
            let games = shard.note_games(tasks(), self.store)?;
            watch.only(contests.len(), games);
        }
        run::run(self.sweep.game, tasks(), self.store, &self.hands, &mut |finished| {
            let (cell, index) = place(&totals, finished.index);
            // Two games in a row are a pair, and the first contestant begins the first of them.
            let first = (index % 2) as usize;
            let (result, reason, pair) = (finished.result, finished.reason, finished.task.pair);
            let (second, digest) = (1 - first, Some(finished.digest));
            standings[cell].count(&Counted { first, second, pair, result, reason, digest });
            match finished.played {
                Some(_) => watch.done(1),
                None => watch.found(1),
            }
            if standings[cell].games() + standings[cell].void() == totals[cell] {
                watch.part_done();
            }
            ControlFlow::Continue(())
        })?;
        if let Some(shard) = self.hands.shard {
            return Err(ShardDone(shard).into());
        }
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
            let key = task.key();
            let ending = self.store.result(&key)?;
            if ending.is_some_and(|(_, reason)| !reason.is_void()) {
                plies.extend(self.store.plies(&key)?);
            }
        }
        Ok(plies)
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
