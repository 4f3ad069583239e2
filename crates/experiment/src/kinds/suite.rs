//! Experiments that let players answer the questions of a suite.

use super::players::{self, NamedPlayer};
use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData};
use crate::work::{Earlier, Measurement, PartKind, Session, Source, Work, WorkKind, WorkResult};
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::shard::ShardDone;
use monteverde_lab::suite::{Answer, Mark, Solver, Spend, Suite, SuiteError, SuiteResult};
use monteverde_players::{AnyGame, Puzzle};
use monteverde_report::{DotPlot, ReportTable};
use monteverde_statistics::ratio;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use toml::Table;

/// The share of questions that are answered; and what a player spends as a multiple of the base
/// player, on the questions that both answer.
pub(crate) const KIND: WorkKind = WorkKind {
    name: "suite",
    unit: "positions",
    read: |table, source| Ok(Box::new(Suites::read(table, source)?)),
    measures: |_| &["solved", "nodes-of-both", "time-of-both"],
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
            let [nodes, micros_each] = each(&suite, &answers);
            let (name, spec) = (player.name.clone(), player.spec.clone());
            all.push(NamedSuite { name, spec, result, nodes, micros_each });
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
    /// The nodes of each question in the order of the suite, 0 where it was not answered; empty
    /// where nodes were not counted, and in older files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<u64>,
    /// The microseconds of each question that was answered, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub micros_each: Vec<u64>,
}

/// The nodes and the microseconds of each question that was answered, 0 for the others; nothing
/// where nodes were not counted.
fn each(suite: &Suite, answers: &[Answer]) -> [Vec<u64>; 2] {
    let spent = |(question, answer): (&Puzzle, &Answer)| {
        let (nodes, micros) = (answer.nodes?.max(1), answer.micros.max(1));
        let is_solved = Mark::of(question, answer).is_solved();
        Some(if is_solved { (nodes, micros) } else { (0, 0) })
    };
    let all: Option<Vec<(u64, u64)>> = suite.questions.iter().zip(answers).map(spent).collect();
    let (nodes, micros) = all.unwrap_or_default().into_iter().unzip();
    [nodes, micros]
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
        let base = self.iter().find(|one| Some(&one.name) == compare.base.as_ref());
        let one = |named: &NamedSuite| {
            let both = |of: fn(&NamedSuite) -> &[u64]| {
                base.map_or(Vec::new(), |base| common(of(named), of(base)))
            };
            let spent = match compare.measure.as_str() {
                "nodes-of-both" => both(|one| &one.nodes),
                "time-of-both" => both(|one| &one.micros_each),
                _ => Vec::new(),
            };
            let (value, sample) = match compare.measure.as_str() {
                "solved" => (named.result.share(), named.result.positions()),
                _ => (ratio(&spent), spent.len() as u64),
            };
            Measured { name: named.name.clone(), value, sample }
        };
        self.iter().map(one).collect()
    }

    fn range(&self, compare: &Compare) -> Option<[f64; 2]> {
        (compare.measure == "solved").then_some([0.0, 1.0])
    }

    fn tables(&self) -> Vec<ReportTable> {
        let table = |named: &NamedSuite| named.result.table(&format!("Solved by {}", named.name));
        self.iter().map(table).collect()
    }
}

/// What two players spent on the questions that both answered.
fn common(one: &[u64], two: &[u64]) -> Vec<(f64, f64)> {
    let both = one.iter().zip(two).filter(|&(&one, &two)| one > 0 && two > 0);
    both.map(|(&one, &two)| (one as f64, two as f64)).collect()
}

#[cfg(test)]
mod tests {
    use super::common;
    use crate::ResultFile;

    #[test]
    fn only_questions_that_both_answer_are_compared() {
        assert_eq!(common(&[5, 0, 7, 9], &[1, 2, 0, 3]), [(5.0, 1.0), (9.0, 3.0)]);
    }

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
