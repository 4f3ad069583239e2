//! Published counts: a table of tab-separated values with a line for each ending.

use super::{Counts, Findings};
use crate::{Material, MaterialError};
use monteverde_chess::Color;
use std::collections::HashMap;

/// The columns that are read, by the names in the first line.
const ENDING: &str = "ending";
const LONGEST: [&str; 2] = ["maxDTM_white_wins_wtm(moves)", "maxDTM_black_wins_btm(moves)"];
const COUNTS: [[&str; 3]; 2] = [
    ["syz_wtm_win", "syz_wtm_draw", "syz_wtm_loss"],
    ["syz_btm_win", "syz_btm_draw", "syz_btm_loss"],
];

/// Counts and longest mates of endings, as somebody else found them.
#[derive(Clone, Debug)]
pub struct Reference {
    endings: HashMap<Material, [Expected; 2]>,
}

/// What is expected with one side to move, for that side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Expected {
    counts: [u64; 3],
    /// In moves.
    longest_win: u16,
}

/// Why a reference cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReferenceError {
    /// The first line lacks a column.
    #[error("the first line has no column '{0}'")]
    Column(&'static str),
    /// A line has no number where it should.
    #[error("line {line}: '{text}' in column '{column}' is not a whole number")]
    Number {
        /// The line, from 1.
        line: usize,
        /// The column.
        column: &'static str,
        /// What stands there.
        text: String,
    },
    /// A line does not name an ending.
    #[error("line {line}: {source}")]
    Ending {
        /// The line, from 1.
        line: usize,
        /// What is wrong with the name.
        source: MaterialError,
    },
}

impl Reference {
    /// Reads tab-separated values whose first line names the columns. Counts are of positions up to
    /// symmetry.
    pub fn parse(text: &str) -> Result<Reference, ReferenceError> {
        let mut lines = text.lines().enumerate();
        let names: Vec<_> = lines.next().map_or("", |(_, line)| line).split('\t').collect();
        let find = |column: &'static str| {
            names.iter().position(|&name| name == column).ok_or(ReferenceError::Column(column))
        };
        let ending_at = find(ENDING)?;
        let mut endings = HashMap::new();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let line_number = number + 1;
            let cells: Vec<_> = line.split('\t').collect();
            let read = |column: &'static str| {
                let text = cells.get(find(column)?).copied().unwrap_or("");
                let number = text.parse::<u64>();
                number.map_err(|_| ReferenceError::Number {
                    line: line_number,
                    column,
                    text: text.to_owned(),
                })
            };
            let name = cells.get(ending_at).copied().unwrap_or("");
            let material: Material = name
                .parse()
                .map_err(|source| ReferenceError::Ending { line: line_number, source })?;
            let mut sides = [Expected { counts: [0; 3], longest_win: 0 }; 2];
            for (side, (longest, columns)) in sides.iter_mut().zip(LONGEST.into_iter().zip(COUNTS))
            {
                side.longest_win = u16::try_from(read(longest)?).unwrap_or(u16::MAX);
                for (count, column) in side.counts.iter_mut().zip(columns) {
                    *count = read(column)?;
                }
            }
            if material.to_string() != name {
                // The line has the colours the other way round.
                sides.reverse();
            }
            endings.insert(material, sides);
        }
        Ok(Reference { endings })
    }

    /// How the findings differ from what is expected, a sentence each; `None` if the ending is not
    /// in the reference.
    pub fn compare(&self, material: Material, findings: &Findings) -> Option<Vec<String>> {
        let sides = self.endings.get(&material)?;
        let mut differences = Vec::new();
        for ((turn, expected), found) in Color::ALL.into_iter().zip(sides).zip(&findings.counts) {
            let Counts { wins, draws, losses, .. } = *found;
            if [wins, draws, losses] != expected.counts {
                differences.push(format!(
                    "{turn} to move has {wins} wins, {draws} draws and {losses} losses instead of {:?}",
                    expected.counts
                ));
            }
            if found.longest_win_moves() != expected.longest_win {
                differences.push(format!(
                    "{turn}'s longest mate takes {} moves instead of {}",
                    found.longest_win_moves(),
                    expected.longest_win
                ));
            }
        }
        Some(differences)
    }
}
