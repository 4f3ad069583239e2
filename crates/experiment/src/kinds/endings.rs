//! Experiments that let a player mate a perfect defence from random starts, and count how often it
//! takes just the moves that endgame tables need.

use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData};
use crate::work::{
    Earlier, Measurement, PartKind, Session, Source, Work, WorkKind, WorkResult, check_all,
};
use monteverde_game::rng::stream_seed;
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::measure::{Mate, Probe, ProbeKind};
use monteverde_players::AnyGame;
use monteverde_report::{Column, DotPlot, Interval, ReportTable, count_text, interval_text};
use monteverde_statistics::share;
use serde::{Deserialize, Serialize};
use toml::Table;

/// Shares of starts.
pub(crate) const KIND: WorkKind = WorkKind {
    name: "endings",
    unit: "games",
    read: |table, source| Ok(Box::new(Endings::read(table, source)?)),
    measures: |_| &["mated", "exact"],
    dots: DotPlot::Drawn,
    parts: PartKind::Piece,
};

/// A player and the endings.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Endings {
    game: AnyGame,
    player: String,
    seed: u64,
    iterations: u64,
    starts: u64,
    pieces: Vec<String>,
    /// The one ending that is played; all if there is none.
    cell: Option<usize>,
}

/// What the games of an ending came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EndingCell {
    /// The pieces.
    pub name: String,
    /// Games, each from a start of its own.
    pub starts: u64,
    /// How many of them ended in mate.
    pub mated: u64,
    /// How many of them in exactly as many moves as the tables need.
    pub exact: u64,
    /// The mean of the moves that the tables need.
    pub mean: f64,
    /// The most moves that they need.
    pub longest: u32,
    /// The games that did not end so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Mate>,
}

impl Endings {
    fn read(table: &Table, source: Source<'_>) -> Result<Endings, FileError> {
        const PLACE: &str = "the table 'endings'";
        only(PLACE, table, &["game", "player", "seed", "iterations", "starts", "pieces"])?;
        Ok(Endings {
            game: source.game(PLACE, table)?,
            player: required(PLACE, table, "player")?,
            seed: optional(PLACE, table, "seed")?.unwrap_or(1),
            iterations: required(PLACE, table, "iterations")?,
            starts: required(PLACE, table, "starts")?,
            pieces: required(PLACE, table, "pieces")?,
            cell: None,
        })
    }

    /// The endings that are played, with their numbers in the whole, which their seeds follow from.
    fn chosen(&self) -> impl Iterator<Item = (usize, &String)> {
        let all = self.pieces.iter().enumerate();
        all.filter(|(number, _)| self.cell.is_none_or(|cell| cell == *number))
    }

    /// The measurement of each ending.
    fn probes(&self, build: &str) -> Vec<Probe> {
        let probe = |(number, pieces): (usize, &String)| Probe {
            game: self.game,
            state: "startpos".to_owned(),
            moves: Vec::new(),
            kind: ProbeKind::Endings {
                player: self.player.clone(),
                pieces: pieces.clone(),
                iterations: self.iterations,
                count: self.starts,
            },
            seed: stream_seed(self.seed, number as u64),
            build: build.to_owned(),
        };
        self.chosen().map(probe).collect()
    }

    /// What the games of each ending came to.
    fn cells(&self, games: Vec<Vec<Mate>>) -> Vec<EndingCell> {
        let cells = self.chosen().zip(games);
        cells.map(|((_, name), games)| EndingCell::new(name, games)).collect()
    }
}

impl Work for Endings {
    fn check(&self) -> Result<(), ExperimentError> {
        check_all(&self.probes(""))
    }

    fn parts(&self) -> Vec<String> {
        self.pieces.clone()
    }

    fn only(&mut self, number: usize, _: &Earlier<'_>) -> Result<(), ExperimentError> {
        self.cell = Some(number);
        Ok(())
    }

    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError> {
        let found = session.measure(&self.probes(session.machine.build))?;
        Ok(ResultData::Endings(self.cells(found)).into())
    }
}

impl Measurement for Vec<EndingCell> {
    fn unit(&self) -> &str {
        "games"
    }

    fn sample(&self) -> u64 {
        self.iter().map(|cell| cell.starts).sum()
    }

    fn check(&self) -> Result<(), String> {
        match self.iter().find(|cell| cell.mated.max(cell.exact) > cell.starts) {
            Some(cell) => {
                Err(format!("'{}' has more mates than its {} starts", cell.name, cell.starts))
            }
            None => Ok(()),
        }
    }

    fn measured(&self, compare: &Compare) -> Vec<Measured> {
        measured(self, &compare.measure)
    }

    fn range(&self, _: &Compare) -> Option<[f64; 2]> {
        Some([0.0, 1.0])
    }

    fn tables(&self) -> Vec<ReportTable> {
        vec![table(self)]
    }
}

impl EndingCell {
    fn new(name: &str, games: Vec<Mate>) -> EndingCell {
        let starts = games.len() as u64;
        let needed: u32 = games.iter().map(|game| game.needed).sum();
        // Two digits say enough, and these are read back as they were written.
        let mean = (100.0 * f64::from(needed) / starts as f64).round() / 100.0;
        let longest = games.iter().map(|game| game.needed).max().unwrap_or(0);
        let mated = games.iter().filter(|game| game.taken.is_some()).count() as u64;
        let is_other = |game: &Mate| game.taken != Some(game.needed);
        let others: Vec<Mate> = games.into_iter().filter(is_other).collect();
        let exact = starts - others.len() as u64;
        EndingCell { name: name.to_owned(), starts, mated, exact, mean, longest, others }
    }
}

/// The share of starts, in 0..=1, that ended in mate (`mated`), or in as many moves as are needed
/// (`exact`).
fn measured(cells: &[EndingCell], measure: &str) -> Vec<Measured> {
    let share = |cell: &EndingCell, part: u64| share(part, cell.starts);
    let one = |cell: &EndingCell| Measured {
        name: cell.name.clone(),
        value: match measure {
            "mated" => share(cell, cell.mated),
            "exact" => share(cell, cell.exact),
            _ => Interval::default(),
        },
        sample: cell.starts,
    };
    cells.iter().map(one).collect()
}

/// Every ending.
fn table(cells: &[EndingCell]) -> ReportTable {
    let row = |cell: &EndingCell| {
        vec![
            cell.name.clone(),
            count_text(cell.starts),
            count_text(cell.mated),
            count_text(cell.exact),
            interval_text(Interval::exact(cell.mean), 1),
            count_text(u64::from(cell.longest)),
        ]
    };
    ReportTable {
        caption: "Mates from random starts".to_owned(),
        columns: vec![
            Column::text("ending"),
            Column::number("starts"),
            Column::number("mated"),
            Column::number("in exactly the tables' moves"),
            Column::number("mean moves"),
            Column::number("longest"),
        ],
        rows: cells.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endings(player: &str, iterations: u64) -> Endings {
        let text = format!(
            "game = 'chess'\nplayer = '{player}'\niterations = {iterations}\nstarts = 5\n\
             pieces = ['KQK', 'KRK']"
        );
        Endings::read(&text.parse::<Table>().unwrap(), Source::of_test()).unwrap()
    }

    fn cells(work: &Endings, threads: usize) -> Vec<EndingCell> {
        let probes = work.probes("test");
        assert!(probes.iter().all(|probe| probe.check().is_ok()));
        let games = |probe: &Probe| probe.run(threads, &|_| ()).unwrap().try_into().unwrap();
        work.cells(probes.iter().map(games).collect())
    }

    /// With tables in its tree a player mates as soon as can be.
    #[test]
    fn tables_in_the_tree_mate_in_as_many_moves_as_they_say() {
        let work = endings("mcc-combined:memory=16MiB", 1000);
        let found = cells(&work, 2);
        assert_eq!(found, cells(&work, 1), "threads change nothing");
        for cell in &found {
            assert_eq!((cell.starts, cell.mated, cell.exact), (5, 5, 5), "{cell:?}");
            assert!(cell.longest > 3 && cell.others.is_empty(), "{cell:?}");
        }
        assert_eq!(measured(&found, "exact")[0].value.value, Some(1.0));
        assert_eq!(table(&found).rows[0][..4], ["KQK", "5", "5", "5"]);
    }

    /// Without them a hundred playouts a move are not enough: the count can tell.
    #[test]
    fn a_player_without_tables_is_not_exact() {
        let found = cells(&endings("mcc:memory=16MiB", 100), 2);
        assert!(found.iter().any(|cell| cell.exact < cell.starts), "{found:?}");
        for cell in &found {
            assert_eq!(cell.others.len() as u64, cell.starts - cell.exact);
        }
    }

    #[test]
    fn pieces_that_cannot_win_are_refused() {
        let mut work = endings("mcc", 1);
        work.pieces = vec!["KXK".to_owned()];
        let error = work.probes("test")[0].check().unwrap_err().to_string();
        assert!(error.contains("'KXK'"), "{error}");
        work.pieces = vec!["KNK".to_owned()];
        let error = work.probes("test")[0].run(1, &|_| ()).unwrap_err().to_string();
        assert!(error.contains("'KNK'") && error.contains("won"), "{error}");
    }
}
