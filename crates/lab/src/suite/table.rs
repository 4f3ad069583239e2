//! What a suite has come to, by the length of the mate.

use super::{Aim, Answer, Mark, Question, Suite};
use crate::report::{Column, Interval, Table, count_text};
use crate::statistics::{Wdl, score};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The answers of a suite, counted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SuiteResult {
    /// Questions of a kind, the shortest mate first.
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
    /// How many were contradicted.
    pub wrong: u64,
    /// The median of the iterations of the questions that were answered.
    pub iterations: Option<u64>,
}

impl SuiteResult {
    /// Counts the answers to the questions of a suite.
    pub fn new(suite: &Suite, answers: &[Answer]) -> SuiteResult {
        let mut result = SuiteResult::default();
        let mut kinds: BTreeMap<(i32, &str), Vec<(&Question, &Answer)>> = BTreeMap::new();
        for (question, answer) in suite.questions.iter().zip(answers) {
            kinds.entry(kind(&question.aim)).or_default().push((question, answer));
            result.micros += answer.micros;
            if question.mark(answer) == Mark::Wrong {
                result.wrong.push(question.id.clone());
            }
        }
        let row = |((moves, name), all): (&(i32, &str), &Vec<(&Question, &Answer)>)| {
            let count = |wanted: Mark| {
                all.iter().filter(|(question, answer)| question.mark(answer) == wanted).count()
            };
            let solved = all.iter().filter(|(question, answer)| question.mark(answer).is_solved());
            let mut iterations: Vec<u64> = solved.map(|(_, answer)| answer.iterations).collect();
            iterations.sort_unstable();
            Row {
                name: if *moves > 0 { format!("{name} in {moves}") } else { (*name).to_owned() },
                positions: all.len() as u64,
                solved: iterations.len() as u64,
                longer: count(Mark::Longer) as u64,
                wrong: count(Mark::Wrong) as u64,
                iterations: iterations.get(iterations.len() / 2).copied(),
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
        let (solved, positions) = (self.solved(), self.positions());
        score(Wdl::new(solved, 0, positions - solved)).map_or(Interval::default(), Interval::from)
    }

    /// The rows as a table.
    pub fn table(&self, caption: &str) -> Table {
        let number = |title: &str| Column::Number(title.to_owned());
        let row = |row: &Row| {
            vec![
                row.name.clone(),
                count_text(row.positions),
                count_text(row.solved),
                format!("{:.1}%", 100.0 * row.solved as f64 / row.positions.max(1) as f64),
                count_text(row.solved - row.longer),
                count_text(row.longer),
                count_text(row.wrong),
                row.iterations.map_or("\u{2013}".to_owned(), count_text),
            ]
        };
        let sum = |part: fn(&Row) -> u64| self.rows.iter().map(part).sum();
        let all = Row {
            name: "all".to_owned(),
            positions: self.positions(),
            solved: self.solved(),
            longer: sum(|row| row.longer),
            wrong: sum(|row| row.wrong),
            iterations: None,
        };
        Table {
            caption: caption.to_owned(),
            columns: vec![
                Column::Text("asked".to_owned()),
                number("positions"),
                number("solved"),
                number("share"),
                number("as stated"),
                number("longer"),
                number("contradicted"),
                number("median iterations"),
            ],
            rows: self.rows.iter().chain([&all]).map(row).collect(),
        }
    }
}

/// What questions are grouped and sorted by: the moves to mate, and which side mates.
fn kind(aim: &Aim) -> (i32, &'static str) {
    match aim {
        Aim::Mate(moves) if *moves > 0 => (*moves, "mate"),
        Aim::Mate(moves) => (moves.saturating_neg(), "mated"),
        Aim::Best(_) => (0, "best move"),
        Aim::Avoid(_) => (0, "move to avoid"),
        Aim::Proof => (0, "proof"),
    }
}
