//! Experiments that ask how long each of some players takes to choose a move for good.

use super::players::{self, NamedPlayer};
use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData};
use crate::work::{
    Earlier, Measurement, PartKind, Session, Source, Work, WorkKind, WorkResult, check_all,
};
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::measure::{Probe, ProbeKind, Waits};
use monteverde_players::AnyGame;
use monteverde_report::{Column, DotPlot, Interval, ReportTable, count_text, interval_text};
use serde::{Deserialize, Serialize};
use toml::Table;

/// Medians of iterations and of seconds, and how many times as fast as a player each is.
pub(crate) const KIND: WorkKind = WorkKind {
    name: "until",
    unit: "searches",
    read: |table, source| Ok(Box::new(Until::read(table, source)?)),
    measures: |_| &["iterations", "seconds", "times-faster"],
    dots: DotPlot::Drawn,
    parts: PartKind::Piece,
};

/// A state, a move, and the players that are to find it.
#[derive(Clone, PartialEq, Debug)]
struct Until {
    game: AnyGame,
    state: String,
    moves: Vec<String>,
    answer: String,
    seed: u64,
    limit: u64,
    count: u64,
    players: Vec<NamedPlayer>,
}

impl Until {
    fn read(table: &Table, source: Source<'_>) -> Result<Until, FileError> {
        const PLACE: &str = "the table 'until'";
        const KEYS: [&str; 8] =
            ["game", "state", "moves", "move", "seed", "limit", "count", "player"];
        only(PLACE, table, &KEYS)?;
        Ok(Until {
            game: source.game(PLACE, table)?,
            state: optional(PLACE, table, "state")?.unwrap_or_else(|| "startpos".to_owned()),
            moves: optional(PLACE, table, "moves")?.unwrap_or_default(),
            answer: required(PLACE, table, "move")?,
            seed: optional(PLACE, table, "seed")?.unwrap_or(1),
            limit: required(PLACE, table, "limit")?,
            count: required(PLACE, table, "count")?,
            players: players::read(PLACE, table, &["name", "spec", "part"])?,
        })
    }

    /// The measurement of each player.
    fn probes(&self, build: &str) -> Vec<Probe> {
        let probe = |player: &NamedPlayer| Probe {
            game: self.game,
            state: self.state.clone(),
            moves: self.moves.clone(),
            kind: ProbeKind::Until {
                player: player.spec.clone(),
                answer: self.answer.clone(),
                limit: (self.limit as f64 * player.part).round() as u64,
                count: self.count,
            },
            seed: self.seed,
            build: build.to_owned(),
        };
        self.players.iter().map(probe).collect()
    }
}

impl Work for Until {
    fn check(&self) -> Result<(), ExperimentError> {
        check_all(&self.probes(""))
    }

    fn parts(&self) -> Vec<String> {
        players::names(&self.players)
    }

    fn only(&mut self, number: usize, _: &Earlier<'_>) -> Result<(), ExperimentError> {
        self.players = vec![self.players.swap_remove(number)];
        Ok(())
    }

    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError> {
        let found = session.measure(&self.probes(session.machine.build))?;
        let named = |(player, waits): (&NamedPlayer, Waits)| NamedWaits {
            name: player.name.clone(),
            spec: player.spec.clone(),
            waits,
        };
        Ok(ResultData::Until(self.players.iter().zip(found).map(named).collect()).into())
    }
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

impl Measurement for Vec<NamedWaits> {
    fn unit(&self) -> &str {
        "searches"
    }

    fn sample(&self) -> u64 {
        self.iter().map(|one| one.waits.hits.len() as u64).sum()
    }

    fn measured(&self, compare: &Compare) -> Vec<Measured> {
        measured(self, compare)
    }

    fn tables(&self) -> Vec<ReportTable> {
        vec![table(self)]
    }
}

/// The median iterations or seconds; or how many times as long the base player takes as this one,
/// between the extremes that the two intervals allow.
fn measured(all: &[NamedWaits], compare: &Compare) -> Vec<Measured> {
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

fn table(all: &[NamedWaits]) -> ReportTable {
    let row = |named: &NamedWaits| {
        let waits = &named.waits;
        let median = |median: Interval, decimals| match median.value {
            None => "not found".to_owned(),
            Some(_) => interval_text(median, decimals),
        };
        vec![
            named.name.clone(),
            format!("{} of {}", waits.found(), waits.hits.len()),
            median(waits.iterations(), 0),
            median(waits.seconds(), 3),
            count_text(waits.limit),
        ]
    };
    ReportTable {
        caption: "Until the move is chosen for good".to_owned(),
        columns: vec![
            Column::text("player"),
            Column::number("found"),
            Column::number("median iterations (95%)"),
            Column::number("median seconds (95%)"),
            Column::number("limit"),
        ],
        rows: all.iter().map(row).collect(),
    }
}
