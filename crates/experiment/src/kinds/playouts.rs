//! Experiments that play out named positions at random.

use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData};
use crate::work::{
    Earlier, Measurement, PartKind, Session, Source, Work, WorkKind, WorkResult, check_all,
};
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::measure::{Probe, ProbeKind, Tally};
use monteverde_players::AnyGame;
use monteverde_report::{Column, DotPlot, Interval, ReportTable, count_text, interval_text};
use serde::{Deserialize, Serialize};
use toml::Table;

/// Results, endings and lengths of playouts.
pub(crate) const KIND: WorkKind = WorkKind {
    name: "playouts",
    unit: "playouts",
    read: |table, source| Ok(Box::new(Playouts::read(table, source)?)),
    measures: |_| &["score", "first", "draws", "second", "plies", "ending-NAME"],
    dots: DotPlot::Drawn,
    parts: PartKind::Piece,
};

/// Random games from some positions, equally many from each.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Playouts {
    game: AnyGame,
    seed: u64,
    count: u64,
    /// The spec of the player whose playouts they are.
    player: Option<String>,
    positions: Vec<Position>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Position {
    name: String,
    state: String,
    moves: Vec<String>,
    /// Whose playouts, where they are not those of the common player.
    player: Option<String>,
}

impl Playouts {
    fn read(table: &Table, source: Source<'_>) -> Result<Playouts, FileError> {
        const PLACE: &str = "the table 'playouts'";
        only(PLACE, table, &["game", "seed", "count", "player", "position"])?;
        let positions: Vec<Table> = required(PLACE, table, "position")?;
        let position = |table: &Table| {
            const PLACE: &str = "a position";
            only(PLACE, table, &["name", "state", "moves", "player"])?;
            Ok(Position {
                name: required(PLACE, table, "name")?,
                state: optional(PLACE, table, "state")?.unwrap_or_else(|| "startpos".to_owned()),
                moves: optional(PLACE, table, "moves")?.unwrap_or_default(),
                player: optional(PLACE, table, "player")?,
            })
        };
        Ok(Playouts {
            game: source.game(PLACE, table)?,
            seed: optional(PLACE, table, "seed")?.unwrap_or(1),
            count: required(PLACE, table, "count")?,
            player: optional(PLACE, table, "player")?,
            positions: positions.iter().map(position).collect::<Result<_, FileError>>()?,
        })
    }

    /// The measurement of each position.
    fn probes(&self, build: &str) -> Vec<Probe> {
        let probe = |position: &Position| Probe {
            game: self.game,
            state: position.state.clone(),
            moves: position.moves.clone(),
            kind: ProbeKind::Playouts {
                count: self.count,
                player: position.player.clone().or_else(|| self.player.clone()),
            },
            seed: self.seed,
            build: build.to_owned(),
        };
        self.positions.iter().map(probe).collect()
    }
}

impl Work for Playouts {
    fn check(&self) -> Result<(), ExperimentError> {
        check_all(&self.probes(""))
    }

    fn parts(&self) -> Vec<String> {
        self.positions.iter().map(|position| position.name.clone()).collect()
    }

    fn only(&mut self, number: usize, _: &Earlier<'_>) -> Result<(), ExperimentError> {
        self.positions = vec![self.positions.swap_remove(number)];
        Ok(())
    }

    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError> {
        let found = session.measure(&self.probes(session.machine.build))?;
        let named = |(position, tally): (&Position, Tally)| NamedTally {
            name: position.name.clone(),
            tally,
        };
        Ok(ResultData::Playouts(self.positions.iter().zip(found).map(named).collect()).into())
    }
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

impl Measurement for Vec<NamedTally> {
    fn unit(&self) -> &str {
        "playouts"
    }

    fn sample(&self) -> u64 {
        self.iter().map(|one| one.tally.count).sum()
    }

    fn check(&self) -> Result<(), String> {
        let is_possible = |tally: &Tally| {
            let Tally { count, first, draw, second, .. } = tally;
            let results = first.checked_add(*draw).and_then(|sum| sum.checked_add(*second));
            results.is_some_and(|sum| sum <= *count) && tally.endings.values().all(|it| it <= count)
        };
        match self.iter().find(|one| !is_possible(&one.tally)) {
            Some(one) => Err(format!(
                "the results or an ending of '{}' are more than its {} playouts",
                one.name, one.tally.count
            )),
            None => Ok(()),
        }
    }

    fn measured(&self, compare: &Compare) -> Vec<Measured> {
        let one = |named: &NamedTally| Measured {
            name: named.name.clone(),
            value: measure(&named.tally, &compare.measure),
            sample: named.tally.count,
        };
        self.iter().map(one).collect()
    }

    fn range(&self, compare: &Compare) -> Option<[f64; 2]> {
        (compare.measure != "plies").then_some([0.0, 1.0])
    }

    fn tables(&self) -> Vec<ReportTable> {
        vec![table(self)]
    }
}

/// The first side's score, a result's or an ending's share in 0..=1, or the mean plies.
fn measure(tally: &Tally, measure: &str) -> Interval {
    match measure {
        "score" => tally.score(),
        "first" => tally.share(tally.first),
        "draws" => tally.share(tally.draw),
        "second" => tally.share(tally.second),
        "plies" => tally.mean_plies(),
        other => {
            let count = other.strip_prefix("ending-").and_then(|name| tally.endings.get(name));
            count.map_or(Interval::default(), |&count| tally.share(count))
        }
    }
}

fn table(tallies: &[NamedTally]) -> ReportTable {
    let share = |part: u64, whole: u64| match whole {
        0 => "\u{2013}".to_owned(),
        _ => format!("{:.2}%", 100.0 * part as f64 / whole as f64),
    };
    let row = |named: &NamedTally| {
        let tally = &named.tally;
        let endings = tally.endings.iter();
        let endings = endings.map(|(name, count)| format!("{name} {}", share(*count, tally.count)));
        vec![
            named.name.clone(),
            count_text(tally.count),
            share(tally.first, tally.count),
            share(tally.draw, tally.count),
            share(tally.second, tally.count),
            interval_text(tally.mean_plies(), 1),
            endings.collect::<Vec<_>>().join(", "),
        ]
    };
    ReportTable {
        caption: "All playouts".to_owned(),
        columns: vec![
            Column::text("Position"),
            Column::number("Playouts"),
            Column::number("First side wins"),
            Column::number("Draws"),
            Column::number("Second side wins"),
            Column::number("Plies"),
            Column::text("Endings"),
        ],
        rows: tallies.iter().map(row).collect(),
    }
}
