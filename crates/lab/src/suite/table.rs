//! What a suite has come to, by the length of the mate or win.

use super::{Answer, Mark, Suite};
use monteverde_players::{Aim, Puzzle};
use monteverde_report::{Column, Interval, ReportTable, count_text};
use monteverde_statistics::share;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The answers of a suite, counted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SuiteResult {
    /// Puzzles of a kind, the shortest mate first.
    pub rows: Vec<Row>,
    /// The ids of questions whose proof contradicts what is stated.
    pub wrong: Vec<String>,
    /// The time of all searches together, in microseconds.
    pub micros: u64,
}

/// The questions of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// What is asked: `mate in 3`, `mated in 2`, `best move`.
    pub name: String,
    /// How many there are.
    pub positions: u64,
    /// How many were answered.
    pub solved: u64,
    /// How many of those with a longer mate than is stated.
    pub longer: u64,
    /// How many claims could not be checked, and do not count as answers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unchecked: u64,
    /// How many were contradicted.
    pub wrong: u64,
    /// The median of the iterations of the questions that were answered.
    pub iterations: Option<u64>,
    /// What was spent, where nodes were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
}

/// What the questions of one kind have taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spent {
    /// The median of the nodes of the questions that were answered.
    pub nodes: Option<u64>,
    /// The median of their time, in microseconds.
    pub micros: Option<u64>,
    /// The nodes of all questions together.
    pub total_nodes: u64,
}

// The signature is what serde asks for.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn median(mut values: Vec<u64>) -> Option<u64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

impl Spent {
    /// `None` if any of the answers has no nodes.
    fn of(all: &[(&Puzzle, &Answer)]) -> Option<Spent> {
        let nodes: Option<Vec<u64>> = all.iter().map(|(_, answer)| answer.nodes).collect();
        let solved =
            || all.iter().filter(|(question, answer)| Mark::of(question, answer).is_solved());
        Some(Spent {
            total_nodes: nodes?.iter().sum(),
            nodes: median(solved().filter_map(|(_, answer)| answer.nodes).collect()),
            micros: median(solved().map(|(_, answer)| answer.micros).collect()),
        })
    }
}

impl SuiteResult {
    /// Counts the answers to the questions of a suite.
    pub fn new(suite: &Suite, answers: &[Answer]) -> SuiteResult {
        let mut result = SuiteResult::default();
        let mut kinds: BTreeMap<(i32, &str), Vec<(&Puzzle, &Answer)>> = BTreeMap::new();
        for (question, answer) in suite.questions.iter().zip(answers) {
            kinds.entry(kind(&question.aim)).or_default().push((question, answer));
            result.micros += answer.micros;
            if Mark::of(question, answer) == Mark::Wrong {
                result.wrong.push(question.id.clone());
            }
        }
        let row = |((moves, name), all): (&(i32, &str), &Vec<(&Puzzle, &Answer)>)| {
            let count = |wanted: Mark| {
                all.iter().filter(|(question, answer)| Mark::of(question, answer) == wanted).count()
            };
            let solved =
                all.iter().filter(|(question, answer)| Mark::of(question, answer).is_solved());
            let iterations: Vec<u64> = solved.map(|(_, answer)| answer.iterations).collect();
            Row {
                name: match *name {
                    name if *moves == 0 => name.to_owned(),
                    "win" => format!("win in {moves} plies"),
                    name => format!("{name} in {moves}"),
                },
                positions: all.len() as u64,
                solved: iterations.len() as u64,
                longer: count(Mark::Longer) as u64,
                wrong: count(Mark::Wrong) as u64,
                unchecked: count(Mark::Unchecked) as u64,
                iterations: median(iterations),
                spent: Spent::of(all),
            }
        };
        result.rows = kinds.iter().map(row).collect();
        result
    }

    /// How many questions there are.
    pub fn positions(&self) -> u64 {
        self.rows.iter().map(|row| row.positions).sum()
    }

    /// How many were answered.
    pub fn solved(&self) -> u64 {
        self.rows.iter().map(|row| row.solved).sum()
    }

    /// The share that was answered, in 0..=1.
    pub fn share(&self) -> Interval {
        share(self.solved(), self.positions())
    }

    /// The rows as a table. What was spent is told where nodes were counted.
    pub fn table(&self, caption: &str) -> ReportTable {
        let number = |title: &str| Column::Number(title.to_owned());
        let is_spent = self.rows.iter().any(|row| row.spent.is_some());
        let none = || "\u{2013}".to_owned();
        let row = |row: &Row| {
            let mut cells = vec![
                row.name.clone(),
                count_text(row.positions),
                count_text(row.solved),
                format!("{:.1}%", 100.0 * row.solved as f64 / row.positions.max(1) as f64),
                count_text(row.solved - row.longer),
                count_text(row.longer),
                count_text(row.wrong),
                row.iterations.map_or_else(none, count_text),
            ];
            if is_spent {
                let seconds = |micros: u64| format!("{:.3}", micros as f64 / 1e6);
                let spent = row.spent;
                cells.extend([
                    count_text(row.unchecked),
                    spent.and_then(|spent| spent.nodes).map_or_else(none, count_text),
                    spent.and_then(|spent| spent.micros).map_or_else(none, seconds),
                    spent.map_or_else(none, |spent| count_text(spent.total_nodes)),
                ]);
            }
            cells
        };
        let sum = |part: fn(&Row) -> u64| self.rows.iter().map(part).sum();
        let all = Row {
            name: "all".to_owned(),
            positions: self.positions(),
            solved: self.solved(),
            longer: sum(|row| row.longer),
            wrong: sum(|row| row.wrong),
            unchecked: sum(|row| row.unchecked),
            iterations: None,
            spent: is_spent.then(|| Spent {
                nodes: None,
                micros: None,
                total_nodes: sum(|row| row.spent.map_or(0, |spent| spent.total_nodes)),
            }),
        };
        let spent = ["unchecked", "median nodes", "median seconds", "total nodes"];
        let spent = spent.into_iter().filter(|_| is_spent).map(number);
        ReportTable {
            caption: caption.to_owned(),
            columns: [
                Column::Text("asked".to_owned()),
                number("positions"),
                number("solved"),
                number("share"),
                number("as stated"),
                number("longer"),
                number("contradicted"),
                number("median iterations"),
            ]
            .into_iter()
            .chain(spent)
            .collect(),
            rows: self.rows.iter().chain([&all]).map(row).collect(),
        }
    }
}

/// What questions are grouped and sorted by: the moves to mate, and which side mates.
fn kind(aim: &Aim) -> (i32, &'static str) {
    match aim {
        Aim::Mate(moves) if *moves > 0 => (*moves, "mate"),
        Aim::Mate(moves) => (moves.saturating_neg(), "mated"),
        Aim::Win(plies) => (i32::from(*plies), "win"),
        Aim::Best(_) => (0, "best move"),
        Aim::Avoid(_) => (0, "move to avoid"),
        Aim::Proof => (0, "proof"),
    }
}
