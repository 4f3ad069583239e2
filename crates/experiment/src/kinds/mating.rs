//! Experiments that let a player mate a perfect defence, over a grid of its exploration constant,
//! its threshold and its iterations: the king-and-rook study, and the same for other endings.

mod figures;

use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData};
use crate::work::{
    Earlier, Measurement, PartKind, Session, Source, Work, WorkKind, WorkResult, check_all,
};
use figures::figures;
use monteverde_game::rng::stream_seed;
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::measure::{Hunt, MatingLimit, MatingRules, Probe, ProbeKind};
use monteverde_players::AnyGame;
use monteverde_report::{Column, DotPlot, Interval, Plot, ReportTable, count_text, interval_text};
use monteverde_statistics::{Z95, share};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use toml::Table;

/// The numbers that the study's claims are about, see [`measured`].
pub(crate) const KIND: WorkKind = WorkKind {
    name: "mating",
    unit: "games",
    read: |table, source| Ok(Box::new(Mating::read(table, source)?)),
    measures: |_| &["best-c", "best-t", "collapses", "length", "mated", "first-moves"],
    dots: DotPlot::Left,
    parts: PartKind::Piece,
};

/// A state, a player and the grid.
#[derive(Clone, PartialEq, Debug)]
struct Mating {
    game: AnyGame,
    state: String,
    player: String,
    seed: u64,
    before: u64,
    c: Vec<f64>,
    /// 0 is none.
    threshold: Vec<u64>,
    iterations: Vec<u64>,
    games: u64,
    rules: MatingRules,
    /// The one cell that is played; all if there is none.
    cell: Option<usize>,
}

/// What the games of a cell came to. Means are over games, with 95% intervals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatingCell {
    /// The exploration constant.
    pub c: f64,
    /// The threshold; 0 is none.
    pub threshold: u64,
    /// Iterations a move.
    pub iterations: u64,
    /// Games.
    pub games: u64,
    /// How many of them ended in mate.
    pub mated: u64,
    /// By how many moves a move put the mate off: the mean over all moves of all games. One after
    /// which nothing is to be put off counts as 0.
    pub difference: Interval,
    /// Moves of a game, whether it ended in mate or not.
    pub length: Interval,
    /// Moves of the opponent in a game that were not in the tree.
    pub collapses: Interval,
    /// At the first move, the standard deviation of visits over the moves in the tree.
    pub visits_deviation: Interval,
    /// The same of mates in playouts.
    pub mates_deviation: Interval,
    /// At the first move, mates in playouts over visits.
    pub mates_share: Interval,
    /// Games by how many moves were in the tree at the first move, from none on; empty in results
    /// that are older than this count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_moves: Vec<u64>,
}

impl Mating {
    fn read(table: &Table, source: Source<'_>) -> Result<Mating, FileError> {
        const PLACE: &str = "the table 'mating'";
        const KEYS: [&str; 11] = [
            "game",
            "state",
            "player",
            "seed",
            "before",
            "c",
            "threshold",
            "iterations",
            "games",
            "ties",
            "ends",
        ];
        only(PLACE, table, &KEYS)?;
        let rules = MatingRules {
            ties: optional(PLACE, table, "ties")?.unwrap_or_default(),
            ends: optional(PLACE, table, "ends")?.unwrap_or_default(),
        };
        Ok(Mating {
            game: source.game(PLACE, table)?,
            state: required(PLACE, table, "state")?,
            player: required(PLACE, table, "player")?,
            seed: optional(PLACE, table, "seed")?.unwrap_or(1),
            before: optional(PLACE, table, "before")?.unwrap_or(0),
            c: required(PLACE, table, "c")?,
            threshold: required(PLACE, table, "threshold")?,
            iterations: required(PLACE, table, "iterations")?,
            games: required(PLACE, table, "games")?,
            rules,
            cell: None,
        })
    }

    /// The measurement of each cell.
    fn probes(&self, build: &str) -> Vec<Probe> {
        let joint = if self.player.contains(':') { ',' } else { ':' };
        let probe = |(number, (c, threshold, iterations)): (usize, (f64, u64, u64))| Probe {
            game: self.game,
            state: self.state.clone(),
            moves: Vec::new(),
            kind: ProbeKind::Mating {
                player: format!("{}{joint}c={c},threshold={}", self.player, setting(threshold)),
                thought: MatingLimit { before: self.before, iterations },
                rules: self.rules,
                count: self.games,
            },
            seed: stream_seed(self.seed, number as u64),
            build: build.to_owned(),
        };
        self.grid().into_iter().map(probe).collect()
    }

    /// What the games of each cell came to.
    fn cells(&self, games: Vec<Vec<Hunt>>) -> Vec<MatingCell> {
        let cells = self.grid().into_iter().zip(&games);
        cells.map(|((_, place), games)| MatingCell::new(place, games)).collect()
    }

    /// The cells that are played, with their numbers in the whole, which their seeds follow from.
    fn grid(&self) -> Vec<(usize, (f64, u64, u64))> {
        let mut grid = Vec::new();
        for &iterations in &self.iterations {
            for &c in &self.c {
                grid.extend(self.threshold.iter().map(|&threshold| (c, threshold, iterations)));
            }
        }
        let all = grid.into_iter().enumerate();
        all.filter(|(number, _)| self.cell.is_none_or(|cell| cell == *number)).collect()
    }
}

impl Work for Mating {
    fn check(&self) -> Result<(), ExperimentError> {
        check_all(&self.probes(""))
    }

    fn parts(&self) -> Vec<String> {
        let name = |(_, (c, threshold, iterations)): (usize, (f64, u64, u64))| {
            format!("c={c}, threshold={threshold}, iterations={iterations}")
        };
        self.grid().into_iter().map(name).collect()
    }

    fn only(&mut self, number: usize, _: &Earlier<'_>) -> Result<(), ExperimentError> {
        self.cell = Some(number);
        Ok(())
    }

    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError> {
        let found = session.measure(&self.probes(session.machine.build))?;
        Ok(ResultData::Mating(self.cells(found)).into())
    }
}

impl Measurement for Vec<MatingCell> {
    fn unit(&self) -> &str {
        "games"
    }

    fn sample(&self) -> u64 {
        self.iter().map(|cell| cell.games).sum()
    }

    fn check(&self) -> Result<(), String> {
        if let Some(cell) = self.iter().find(|cell| cell.mated > cell.games) {
            return Err(format!("a cell has {} mates in {} games", cell.mated, cell.games));
        }
        let is_other =
            |cell: &&MatingCell| !cell.first_moves.is_empty() && cell.first_sum() != cell.games;
        match self.iter().find(is_other) {
            Some(cell) => {
                Err(format!("a cell has {} first moves in {} games", cell.first_sum(), cell.games))
            }
            None => Ok(()),
        }
    }

    fn measured(&self, compare: &Compare) -> Vec<Measured> {
        measured(self, &compare.measure)
    }

    fn range(&self, compare: &Compare) -> Option<[f64; 2]> {
        let ends = |of: &dyn Fn(&MatingCell) -> f64| {
            let all = distinct(self, of);
            Some([*all.first()?, *all.last()?])
        };
        match compare.measure.as_str() {
            "best-c" => ends(&|cell| cell.c),
            "best-t" => ends(&|cell| cell.threshold as f64),
            "collapses" => Some([-1.0, 1.0]),
            "mated" | "first-moves" => Some([0.0, 1.0]),
            _ => None,
        }
    }

    fn tables(&self) -> Vec<ReportTable> {
        vec![table(self)]
    }

    fn figures(&self) -> Vec<Plot> {
        figures(self)
    }
}

fn setting(threshold: u64) -> String {
    if threshold == 0 { "off".to_owned() } else { threshold.to_string() }
}

impl MatingCell {
    fn new((c, threshold, iterations): (f64, u64, u64), games: &[Hunt]) -> MatingCell {
        let over = |number: &dyn Fn(&Hunt) -> Option<f64>| mean(games.iter().filter_map(number));
        let visits = |game: &Hunt| deviation(game.first.iter().map(|entry| f64::from(entry.0)));
        let mates = |game: &Hunt| deviation(game.first.iter().map(|entry| f64::from(entry.1)));
        MatingCell {
            c,
            threshold,
            iterations,
            games: games.len() as u64,
            mated: games.iter().filter(|game| game.mated).count() as u64,
            difference: pooled(games.iter().map(|game| (game.difference, game.moves))),
            length: over(&|game| Some(f64::from(game.moves))),
            collapses: over(&|game| Some(f64::from(game.collapses))),
            visits_deviation: over(&|game| Some(visits(game))),
            mates_deviation: over(&|game| Some(mates(game))),
            mates_share: over(&|game| {
                let sum = |part: fn(&(u32, u32)) -> u32| game.first.iter().map(part).sum::<u32>();
                ratio(sum(|entry| entry.1), sum(|entry| entry.0))
            }),
            first_moves: counts(games.iter().map(|game| game.first.len())),
        }
    }

    /// The games in which moves in the tree were counted.
    fn first_sum(&self) -> u64 {
        self.first_moves.iter().fold(0, |sum, &games| sum.saturating_add(games))
    }

    /// Those with so many moves as the study says that there usually were.
    fn first_usual(&self) -> u64 {
        self.first_moves.iter().skip(*USUAL.start()).take(USUAL.count()).sum()
    }
}

/// "There were usually 2 or 3 top-level nodes" (section 4.2.2).
const USUAL: RangeInclusive<usize> = 2..=3;

/// How often each number occurs, from 0 on.
fn counts(numbers: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut counts = Vec::new();
    for number in numbers {
        counts.resize(counts.len().max(number + 1), 0);
        counts[number] += 1;
    }
    counts
}

fn ratio(part: u32, whole: u32) -> Option<f64> {
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

/// The sum of parts over the sum of wholes, one of each a game, with its 95% interval: moves of one
/// game are not independent, so that games are what is counted.
fn pooled(games: impl Iterator<Item = (u32, u32)> + Clone) -> Interval {
    let sum = |part: fn((u32, u32)) -> u32| games.clone().map(part).map(f64::from).sum::<f64>();
    let (part, whole) = (sum(|game| game.0), sum(|game| game.1));
    if whole == 0.0 {
        return Interval::default();
    }
    let (mean, count) = (part / whole, games.clone().count() as f64);
    if count < 2.0 {
        return Interval::exact(mean).rounded();
    }
    let square = |(part, whole)| (f64::from(part) - mean * f64::from(whole)).powi(2);
    let squares: f64 = games.map(square).sum();
    Interval::around(mean, Z95 * (squares * count / (count - 1.0)).sqrt() / whole).rounded()
}

/// The standard deviation of all there is.
fn deviation(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// The mean of a sample with its 95% interval, which a single value has not.
fn mean(values: impl Iterator<Item = f64>) -> Interval {
    let values: Vec<f64> = values.collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    match values.len() {
        0 => Interval::default(),
        1 => Interval::exact(mean).rounded(),
        _ => {
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            Interval::around(mean, Z95 * (squares / (count - 1.0) / count).sqrt()).rounded()
        }
    }
}

/// The mean of several cells' means, with the error that follows from theirs.
fn together<'c>(
    cells: impl Iterator<Item = &'c MatingCell>,
    number: impl Fn(&MatingCell) -> Interval,
) -> Interval {
    let known: Vec<Interval> = cells.map(number).filter(|one| one.value.is_some()).collect();
    let count = known.len() as f64;
    if known.is_empty() {
        return Interval::default();
    }
    let mean = known.iter().filter_map(|one| one.value).sum::<f64>() / count;
    let squares: Option<f64> = known.iter().map(|one| Some((one.high? - one.value?).powi(2))).sum();
    match squares {
        Some(squares) => Interval::around(mean, squares.sqrt() / count),
        None => Interval::exact(mean),
    }
}

/// The numbers that the study's claims are about:
///
/// - `best-c`: for each number of iterations the constant with the least mean difference over all
///   thresholds;
/// - `best-t`: the threshold with the least mean difference over all cells with a constant of at
///   least 5;
/// - `collapses`: the correlation of difference and collapses over cells;
/// - `length`: the shortest and the longest mean game of a cell; and of the means over all cells
///   that share a constant, or a threshold, and the iterations;
/// - `mated`: the share of all games that ended in mate;
/// - `first-moves`: the share of all games that had two or three moves in the tree at the first
///   move. Nothing where that was not counted.
fn measured(cells: &[MatingCell], measure: &str) -> Vec<Measured> {
    let games = |of: &dyn Fn(&MatingCell) -> bool| {
        cells.iter().filter(|cell| of(cell)).map(|cell| cell.games).sum()
    };
    match measure {
        "best-c" => {
            let one = |iterations: u64| {
                let of = |cell: &MatingCell| cell.iterations == iterations;
                let value = best(cells.iter().filter(|cell| of(cell)), |cell| cell.c);
                Measured { name: iterations.to_string(), value, sample: games(&of) }
            };
            distinct(cells, |cell| cell.iterations as f64).iter().map(|&n| one(n as u64)).collect()
        }
        "best-t" => {
            let of = |cell: &MatingCell| cell.c >= ENOUGH;
            let value = best(cells.iter().filter(|cell| of(cell)), |cell| cell.threshold as f64);
            vec![Measured { name: format!("C of {ENOUGH} or more"), value, sample: games(&of) }]
        }
        "collapses" => {
            let both = |cell: &MatingCell| Some((cell.difference.value?, cell.collapses.value?));
            let value = correlation(&cells.iter().filter_map(both).collect::<Vec<_>>());
            vec![Measured { name: "correlation".to_owned(), value, sample: games(&|_| true) }]
        }
        "length" => {
            let of_cells = cells.iter().map(|cell| (cell.length, cell.games)).collect();
            let by = |of: fn(&MatingCell) -> f64| {
                let place = |cell: &MatingCell| (of(cell), cell.iterations);
                let mut places: Vec<(f64, u64)> = cells.iter().map(place).collect();
                places.sort_by(|one, two| one.partial_cmp(two).expect("settings are numbers"));
                places.dedup();
                let mean = |here: (f64, u64)| {
                    let own = || cells.iter().filter(|cell| place(cell) == here);
                    let sample = own().map(|cell| cell.games).sum();
                    (together(own(), |cell| cell.length), sample)
                };
                places.into_iter().map(mean).collect()
            };
            let mut found = ends(of_cells, "");
            found.extend(ends(by(|cell| cell.c), " of a C"));
            found.extend(ends(by(|cell| cell.threshold as f64), " of a T"));
            found
        }
        "mated" => {
            let (mated, all) = (cells.iter().map(|cell| cell.mated).sum(), games(&|_| true));
            vec![Measured { name: "all games".to_owned(), value: share(mated, all), sample: all }]
        }
        "first-moves" => {
            let sum = |of: fn(&MatingCell) -> u64| cells.iter().map(of).sum();
            let (usual, all) = (sum(MatingCell::first_usual), sum(MatingCell::first_sum));
            let (name, value) = ("2 or 3".to_owned(), share(usual, all));
            (all > 0).then_some(Measured { name, value, sample: all }).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The shortest and the longest of some mean lengths, given with the games that they are of.
fn ends(lengths: Vec<(Interval, u64)>, of: &str) -> Vec<Measured> {
    let known = lengths.into_iter().filter(|(length, _)| length.value.is_some());
    let order = |one: &(Interval, u64), two: &(Interval, u64)| {
        one.0.value.partial_cmp(&two.0.value).expect("means are numbers")
    };
    let ends = [("shortest", known.clone().min_by(order)), ("longest", known.max_by(order))];
    let one = |(name, length): (&str, Option<(Interval, u64)>)| {
        let (value, sample) = length?;
        Some(Measured { name: format!("{name}{of}"), value, sample })
    };
    ends.into_iter().filter_map(one).collect()
}

/// "For chess games where C was set to 5 or higher" (Figure 4.8).
const ENOUGH: f64 = 5.0;

/// The values of a coordinate, each once, from the smallest on.
fn distinct(cells: &[MatingCell], of: impl Fn(&MatingCell) -> f64) -> Vec<f64> {
    let mut all: Vec<f64> = cells.iter().map(of).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// The value of a coordinate with the least mean difference, between the smallest and the largest
/// whose difference is not larger for certain: the difference of the two means has 0 in its 95%
/// interval.
fn best<'c>(
    cells: impl Iterator<Item = &'c MatingCell>,
    of: impl Fn(&MatingCell) -> f64,
) -> Interval {
    let cells: Vec<MatingCell> = cells.cloned().collect();
    let mean = |value: f64| {
        let here = cells.iter().filter(|cell| of(cell) == value);
        Some((value, together(here, |cell| cell.difference)))
    };
    let all: Vec<(f64, Interval)> = distinct(&cells, &of).into_iter().filter_map(mean).collect();
    let known = |one: &Interval| one.value.unwrap_or(f64::INFINITY);
    let Some(least) = all.iter().min_by(|one, two| known(&one.1).total_cmp(&known(&two.1))) else {
        return Interval::default();
    };
    let error = |one: &Interval| {
        one.high.zip(one.value).map_or(f64::INFINITY, |(high, value)| high - value)
    };
    let is_as_good = |one: &&(f64, Interval)| {
        known(&one.1) - known(&least.1) <= error(&one.1).hypot(error(&least.1))
    };
    let as_good: Vec<f64> = all.iter().filter(is_as_good).map(|one| one.0).collect();
    Interval { value: Some(least.0), low: as_good.first().copied(), high: as_good.last().copied() }
}

/// Pearson's correlation with its 95% interval by Fisher's transformation; fewer than four pairs
/// have none.
fn correlation(pairs: &[(f64, f64)]) -> Interval {
    let Some(value) = monteverde_statistics::correlation(pairs).filter(|_| pairs.len() >= 4) else {
        return Interval::default();
    };
    let (middle, error) = (libm::atanh(value), Z95 / (pairs.len() as f64 - 3.0).sqrt());
    let end = |shift: f64| Some(libm::tanh(middle + shift));
    Interval { value: Some(value), low: end(-error), high: end(error) }.rounded()
}

/// Every cell.
fn table(cells: &[MatingCell]) -> ReportTable {
    let has_first = cells.iter().any(|cell| !cell.first_moves.is_empty());
    let row = |cell: &MatingCell| {
        let first = has_first.then(|| format!("{} of {}", cell.first_usual(), cell.first_sum()));
        let mut row = vec![
            format!("C {}, T {}, {}", cell.c, cell.threshold, count_text(cell.iterations)),
            count_text(cell.games),
            count_text(cell.mated),
            interval_text(cell.difference, 3),
            interval_text(cell.length, 1),
            interval_text(cell.collapses, 2),
        ];
        row.extend(first);
        row
    };
    let mut columns = vec![
        Column::text("C, T, iterations"),
        Column::number("games"),
        Column::number("mates"),
        Column::number("DTM difference (95%)"),
        Column::number("moves (95%)"),
        Column::number("collapses (95%)"),
    ];
    columns.extend(has_first.then(|| Column::number("with 2 or 3 first moves in the tree")));
    let rows = cells.iter().map(row).collect();
    ReportTable { caption: "All cells".to_owned(), columns, rows }
}

#[cfg(test)]
mod tests;
