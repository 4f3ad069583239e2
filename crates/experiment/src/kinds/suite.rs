//! Experiments that let players answer the questions of a suite.

use super::players::{self, NamedPlayer};
use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData};
use crate::work::{Earlier, Measurement, PartKind, Session, Source, Work, WorkKind, WorkResult};
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::shard::ShardDone;
use monteverde_lab::suite::{Solver, Spend, Suite, SuiteError, SuiteResult};
use monteverde_players::AnyGame;
use monteverde_report::{DotPlot, Interval, ReportTable};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use toml::Table;

/// The share of questions that are answered.
pub(crate) const KIND: WorkKind = WorkKind {
    name: "suite",
    unit: "positions",
    read: |table, source| Ok(Box::new(Suites::read(table, source)?)),
    measures: |_| &["solved"],
    dots: DotPlot::Drawn,
    parts: PartKind::Piece,
};

/// A suite and its solvers.
#[derive(Clone, PartialEq, Debug)]
struct Suites {
    game: AnyGame,
    path: PathBuf,
    limit: usize,
    sample: Option<u64>,
    most: Spend,
    players: Vec<NamedPlayer>,
}

impl Suites {
    /// Reads the table; the path of the suite starts in `folder`.
    fn read(table: &Table, source: Source<'_>) -> Result<Suites, FileError> {
        const PLACE: &str = "the table 'suite'";
        only(PLACE, table, &["game", "file", "limit", "sample", "iterations", "nodes", "player"])?;
        let file: PathBuf = required(PLACE, table, "file")?;
        Ok(Suites {
            game: source.game(PLACE, table)?,
            path: source.folder.join(file),
            limit: optional(PLACE, table, "limit")?.unwrap_or(usize::MAX),
            sample: optional(PLACE, table, "sample")?,
            most: match optional(PLACE, table, "nodes")? {
                Some(nodes) => Spend::Nodes(nodes),
                None => Spend::Iterations(required(PLACE, table, "iterations")?),
            },
            players: players::read(PLACE, table, &["name", "spec"])?,
        })
    }

    fn solver(&self, player: &NamedPlayer, build: &str) -> Solver {
        Solver { player: player.spec.clone(), most: self.most, build: build.to_owned() }
    }
}

impl Work for Suites {
    /// Checks the players, and the suite's file if it is there: it may be kept elsewhere.
    fn check(&self) -> Result<(), ExperimentError> {
        for player in &self.players {
            self.solver(player, "").check(self.game)?;
        }
        if self.path.exists() {
            Suite::read(self.game, &self.path)?;
        }
        Ok(())
    }

    fn parts(&self) -> Vec<String> {
        players::names(&self.players)
    }

    fn only(&mut self, number: usize, _: &Earlier<'_>) -> Result<(), ExperimentError> {
        self.players = vec![self.players.swap_remove(number)];
        Ok(())
    }

    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError> {
        let suite = Suite::read(self.game, &self.path)?.sample(self.limit, self.sample);
        let hands = session.machine.hands;
        let solver = |player| self.solver(player, session.machine.build);
        if let Some(shard) = hands.shard {
            // All of it first, so that a file that was left halfway says what it lacks.
            for player in &self.players {
                solver(player).note_due(&suite, session.store, shard)?;
            }
        }
        let mut all = Vec::new();
        for player in &self.players {
            let answers = solver(player).solve(&suite, session.store, hands, session.observe);
            if let Err(SuiteError::Shard(_)) = answers {
                continue;
            }
            let answers = answers?;
            let result = SuiteResult::new(&suite, &answers);
            all.push(NamedSuite { name: player.name.clone(), spec: player.spec.clone(), result });
        }
        match hands.shard {
            None => Ok(ResultData::Suite(all).into()),
            Some(shard) => Err(ShardDone(shard).into()),
        }
    }
}

/// The answers of a player to a suite.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedSuite {
    /// The player's name.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// What was counted.
    #[serde(flatten)]
    pub result: SuiteResult,
}

/// No suite has more positions; with as many, sums of rows do not overflow.
const MOST: u64 = u32::MAX as u64;

impl Measurement for Vec<NamedSuite> {
    fn unit(&self) -> &str {
        "positions"
    }

    fn sample(&self) -> u64 {
        self.iter().map(|one| one.result.positions()).sum()
    }

    fn check(&self) -> Result<(), String> {
        for one in self {
            let odd = one.result.rows.iter().find(|row| {
                row.longer > row.solved || row.solved > row.positions || row.positions > MOST
            });
            if let Some(row) = odd {
                return Err(format!(
                    "of {} positions '{}' of '{}' has {} solved and {} of those longer",
                    row.positions, row.name, one.name, row.solved, row.longer
                ));
            }
        }
        Ok(())
    }

    fn measured(&self, compare: &Compare) -> Vec<Measured> {
        let one = |named: &NamedSuite| Measured {
            name: named.name.clone(),
            value: match compare.measure.as_str() {
                "solved" => named.result.share(),
                _ => Interval::default(),
            },
            sample: named.result.positions(),
        };
        self.iter().map(one).collect()
    }

    fn tables(&self) -> Vec<ReportTable> {
        let table = |named: &NamedSuite| named.result.table(&format!("Solved by {}", named.name));
        self.iter().map(table).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::ResultFile;

    /// A file of results in which more mates are longer than were found used to overflow where it
    /// was shown.
    #[test]
    fn more_longer_mates_than_solved_are_refused() {
        let with = |positions: u64, solved: u64, longer: u64| {
            let text = format!(
                r#"{{"experiment":"a","scale":"quick","work":"","build":"","data":{{"suite":[{{"name":"one",
                "spec":"mcc","rows":[{{"name":"mate in 3","positions":{positions},"solved":{solved},
                "longer":{longer},"wrong":0,"iterations":7}}],"wrong":[],"micros":1}}]}}}}"#
            );
            ResultFile::parse(&text)
        };
        assert_eq!(with(5, 3, 2).unwrap().tables().len(), 1);
        for (positions, solved, longer) in [(5, 3, 4), (5, 6, 1), (u64::MAX, 1, 1)] {
            let error = with(positions, solved, longer).unwrap_err();
            assert!(error.contains("'mate in 3' of 'one'"), "{error}");
        }
    }
}
