//! Experiments that let a player play against itself and count, ply by ply, what its game looks
//! like.

use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData};
use crate::work::{
    Earlier, Measurement, PartKind, Session, Source, Work, WorkKind, WorkResult, check_all,
};
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::measure::{Probe, ProbeKind, Shape};
use monteverde_players::AnyGame;
use monteverde_report::{
    Axis, AxisScale, Column, DotPlot, Interval, Plot, Point, ReportTable, Series, count_text,
    interval_text,
};
use toml::Table;

/// Heights and plies of the means of what is counted.
pub(crate) const KIND: WorkKind = WorkKind {
    name: "shape",
    unit: "games",
    read: |table, source| Ok(Box::new(Shaping::read(table, source)?)),
    measures: |_| &["peak", "peak-ply", "gone"],
    dots: DotPlot::Left,
    parts: PartKind::Piece,
};

/// A player and its games.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shaping {
    game: AnyGame,
    player: String,
    seed: u64,
    iterations: u64,
    games: u64,
}

/// Plies that fewer games in a hundred reach are left out: their means say little.
const ENOUGH: u64 = 10;

impl Shaping {
    fn read(table: &Table, source: Source<'_>) -> Result<Shaping, FileError> {
        const PLACE: &str = "the table 'shape'";
        only(PLACE, table, &["game", "player", "seed", "iterations", "games"])?;
        Ok(Shaping {
            game: source.game(PLACE, table)?,
            player: required(PLACE, table, "player")?,
            seed: optional(PLACE, table, "seed")?.unwrap_or(1),
            iterations: required(PLACE, table, "iterations")?,
            games: required(PLACE, table, "games")?,
        })
    }

    /// The one measurement.
    fn probe(&self, build: &str) -> Probe {
        Probe {
            game: self.game,
            state: "startpos".to_owned(),
            moves: Vec::new(),
            kind: ProbeKind::Shape {
                player: self.player.clone(),
                iterations: self.iterations,
                count: self.games,
            },
            seed: self.seed,
            build: build.to_owned(),
        }
    }
}

impl Work for Shaping {
    fn check(&self) -> Result<(), ExperimentError> {
        check_all(&[self.probe("")])
    }

    fn parts(&self) -> Vec<String> {
        Vec::new()
    }

    fn only(&mut self, _: usize, _: &Earlier<'_>) -> Result<(), ExperimentError> {
        Ok(())
    }

    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError> {
        let shape: Shape = session.measure_one(self.probe(session.machine.build))?;
        Ok(ResultData::Shape(shape.cut(ENOUGH)).into())
    }
}

impl Measurement for Shape {
    fn unit(&self) -> &str {
        "games"
    }

    fn sample(&self) -> u64 {
        self.games
    }

    fn measured(&self, compare: &Compare) -> Vec<Measured> {
        measured(self, &compare.measure)
    }

    fn tables(&self) -> Vec<ReportTable> {
        vec![table(self)]
    }

    fn figures(&self) -> Vec<Plot> {
        vec![plot(self)]
    }
}

/// Of each gauge the highest mean (`peak`), the ply before which it is (`peak-ply`), or the first
/// ply before which the mean is below one half (`gone`); plies between the extremes that the
/// intervals allow.
fn measured(shape: &Shape, measure: &str) -> Vec<Measured> {
    let one = |gauge: &String| {
        let means = shape.means(gauge);
        Measured {
            name: gauge.clone(),
            value: match measure {
                "peak" => peak(&means).map_or(Interval::default(), |ply| means[ply]),
                "peak-ply" => peak_ply(&means),
                "gone" => gone(&means),
                _ => Interval::default(),
            },
            sample: shape.games,
        }
    };
    shape.gauges.iter().map(one).collect()
}

fn peak(means: &[Interval]) -> Option<usize> {
    let value = |ply: &usize| means[*ply].value.unwrap_or(f64::NEG_INFINITY);
    // Of equals the first.
    (0..means.len()).rev().max_by(|one, two| value(one).total_cmp(&value(two)))
}

/// The ply of the peak, between the first and the last that may be as high.
fn peak_ply(means: &[Interval]) -> Interval {
    let Some(peak) = peak(means) else { return Interval::default() };
    let is_as_high = |mean: &Interval| mean.high >= means[peak].low;
    let ply = |ply: Option<usize>| ply.map(number);
    Interval {
        value: Some(number(peak)),
        low: ply(means.iter().position(is_as_high)),
        high: ply(means.iter().rposition(is_as_high)),
    }
}

/// A mean below this is nearer to none than to one.
const HALF: f64 = 0.5;

fn gone(means: &[Interval]) -> Interval {
    let first = |end: fn(&Interval) -> Option<f64>| {
        means.iter().position(|mean| end(mean).is_some_and(|end| end < HALF)).map(number)
    };
    Interval {
        value: first(|mean| mean.value),
        low: first(|mean| mean.low),
        high: first(|mean| mean.high),
    }
}

/// Plies are counted from 1: before the first one nothing has been played.
fn number(index: usize) -> f64 {
    (index + 1) as f64
}

/// The means of every gauge over the plies.
fn plot(shape: &Shape) -> Plot {
    let series = |gauge: &String| {
        let point = |(index, y): (usize, Interval)| Point { x: number(index), y };
        Series {
            name: gauge.clone(),
            points: shape.means(gauge).into_iter().enumerate().map(point).collect(),
        }
    };
    Plot {
        caption: "Means over games by ply".to_owned(),
        x: Axis { label: "ply".to_owned(), scale: AxisScale::Linear },
        y: Axis { label: "mean number".to_owned(), scale: AxisScale::Linear },
        series: shape.gauges.iter().map(series).collect(),
        reference: None,
    }
}

/// Every tenth ply is enough for a table; the plot has all.
const STEP: usize = 10;

/// The means of every gauge at some plies.
fn table(shape: &Shape) -> ReportTable {
    let means: Vec<Vec<Interval>> = shape.gauges.iter().map(|gauge| shape.means(gauge)).collect();
    let row = |index: usize| {
        let mut row = vec![(index + 1).to_string(), count_text(shape.plies[index].games)];
        row.extend(means.iter().map(|means| interval_text(means[index], 2)));
        row
    };
    let own = shape.gauges.iter().map(|gauge| Column::Number(gauge.clone()));
    let fixed = ["ply", "games"].map(|title| Column::Number(title.to_owned()));
    ReportTable {
        caption: "Means over the games that last up to a ply, before it is played".to_owned(),
        columns: fixed.into_iter().chain(own).collect(),
        rows: (0..shape.plies.len()).step_by(STEP).map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(game: &str, threads: usize) -> Shape {
        let text =
            format!("game = '{game}'\nplayer = 'uct:memory=1MiB'\niterations = 20\ngames = 6");
        let work = Shaping::read(&text.parse::<Table>().unwrap(), Source::of_test()).unwrap();
        let probe = work.probe("test");
        probe.check().unwrap();
        Shape::try_from(probe.run(threads, &|_| ()).unwrap()).unwrap().cut(ENOUGH)
    }

    /// Every ply of tic-tac-toe takes a square, and none is left to chance.
    #[test]
    fn moves_are_counted_ply_by_ply() {
        let shape = shape("tic-tac-toe", 2);
        let moves = shape.means("moves");
        for (ply, mean) in moves.iter().enumerate() {
            assert_eq!(mean.value, Some((9 - ply) as f64));
        }
        assert_eq!(measured(&shape, "peak")[0].value.value, Some(9.0));
        assert_eq!(
            measured(&shape, "peak-ply")[0].value,
            Interval { value: Some(1.0), low: Some(1.0), high: Some(1.0) }
        );
        assert_eq!(measured(&shape, "gone")[1].value.value, Some(1.0), "no chance at all");
        assert_eq!(table(&shape).rows[0][..3], ["1", "6", "9.00 \u{b1} 0.00"]);
    }

    #[test]
    fn dark_chess_begins_with_flips_only() {
        let found = shape("banqi", 2);
        assert_eq!(found, shape("banqi", 1), "threads change nothing");
        let at = |gauge: &str, ply: usize| found.means(gauge)[ply].value.unwrap();
        assert_eq!((at("moves", 0), at("chance moves", 0), at("revealed", 0)), (32.0, 32.0, 0.0));
        assert_eq!((at("chance moves", 1), at("revealed", 1)), (31.0, 1.0));
        let peak = measured(&found, "peak").into_iter().find(|one| one.name == "revealed").unwrap();
        assert!((8.0..20.0).contains(&peak.value.value.unwrap()), "{peak:?}");
        assert_eq!(plot(&found).series.len(), 3);
    }
}
