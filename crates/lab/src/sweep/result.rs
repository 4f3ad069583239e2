//! What a sweep has found, as a table, as data and as a plot.

use super::cell::CellKind;
use crate::measure::Findings;
use crate::standings::Standings;
use monteverde_report::{
    Axis, AxisScale, Column, Interval, Part, Plot, Point, Reference, ReportData, ReportTable,
    Reproduce, Section, Series,
};
use monteverde_statistics::{elo, mean, score, share};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The results of all cells.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SweepResult {
    /// The title.
    pub title: String,
    /// What was measured in each cell.
    pub kind: String,
    /// What the samples count.
    pub sample: String,
    /// The grid's key that the plot has to the right.
    pub x: String,
    /// The measure that the plot has upwards.
    pub y: String,
    /// The cells, in the order of the grid.
    pub cells: Vec<CellResult>,
}

/// The result of one cell.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CellResult {
    /// The grid's keys with this cell's values.
    pub labels: Vec<(String, String)>,
    /// How many games, playouts or searches.
    pub sample: u64,
    /// What was measured, for the player of the cell, in the order of the kind's measures.
    pub measures: Vec<Measure>,
}

/// A measured number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// What it is.
    pub name: String,
    /// The number with its 95% interval.
    pub value: Interval,
}

impl Measure {
    fn new(name: &str, value: Interval) -> Measure {
        Measure { name: name.to_owned(), value }
    }
}

/// Why a plot cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlotError {
    /// The grid has no such key.
    #[error("the plot's x '{x}' is no key of the grid; keys: {}", known.join(", "))]
    X {
        /// What was given.
        x: String,
        /// The grid's keys.
        known: Vec<String>,
    },
    /// The cells have no such measure.
    #[error("the plot's y '{y}' is not measured by this kind of sweep; measures: {}", known.join(", "))]
    Y {
        /// What was given.
        y: String,
        /// The kind's measures.
        known: Vec<&'static str>,
    },
}

/// The measures of a kind; the first is plotted unless the file asks for another.
pub(super) fn measures(kind: CellKind) -> &'static [&'static str] {
    match kind {
        CellKind::Match => &["score", "elo", "draws"],
        CellKind::SelfPlay => &["first-score", "draws", "plies"],
        CellKind::Playouts => &["score", "first", "draws", "second", "plies"],
        CellKind::Search => &["found"],
    }
}

/// The measures of all kinds.
pub(super) const ALL_MEASURES: &[&str] =
    &["score", "elo", "draws", "first-score", "plies", "first", "second", "found"];

/// The sum of game lengths and of their squares.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plies {
    count: u64,
    sum: u64,
    squares: u128,
}

impl Extend<u64> for Plies {
    fn extend<T: IntoIterator<Item = u64>>(&mut self, lengths: T) {
        for plies in lengths {
            self.count += 1;
            self.sum += plies;
            self.squares += u128::from(plies).pow(2);
        }
    }
}

impl Plies {
    fn mean(self) -> Interval {
        mean(self.count, self.sum, self.squares)
    }
}

impl CellResult {
    pub(super) fn of_match(labels: Vec<(String, String)>, standings: &Standings) -> CellResult {
        let (sample, games) = (standings.sample(0, 1), standings.between(0, 1));
        let measures = vec![
            Measure::new("score", score(sample).map(Into::into).unwrap_or_default()),
            Measure::new("elo", elo(sample).into()),
            Measure::new("draws", share(games.draws, games.games())),
        ];
        CellResult { labels, sample: games.games(), measures }
    }

    pub(super) fn of_self_play(
        labels: Vec<(String, String)>,
        standings: &Standings,
        plies: Plies,
    ) -> CellResult {
        let games = standings.as_first(0, 1) + standings.as_first(1, 0);
        let first = score(games).map(Into::into).unwrap_or_default();
        let measures = vec![
            Measure::new("first-score", first),
            Measure::new("draws", share(games.draws, games.games())),
            Measure::new("plies", plies.mean()),
        ];
        CellResult { labels, sample: games.games(), measures }
    }

    pub(super) fn of_findings(
        labels: Vec<(String, String)>,
        findings: &Findings,
        answer: &str,
    ) -> CellResult {
        match findings {
            Findings::Playouts(tally) => CellResult {
                labels,
                sample: tally.count,
                measures: vec![
                    Measure::new("score", tally.score()),
                    Measure::new("first", tally.share(tally.first)),
                    Measure::new("draws", tally.share(tally.draw)),
                    Measure::new("second", tally.share(tally.second)),
                    Measure::new("plies", tally.mean_plies()),
                ],
            },
            Findings::Searches(choices) => CellResult {
                labels,
                sample: choices.count,
                measures: vec![Measure::new("found", choices.share(answer))],
            },
            Findings::Until(_)
            | Findings::Mating(_)
            | Findings::Endings(_)
            | Findings::Shape(_)
            | Findings::Prediction(_) => unreachable!("no cell asks for these"),
        }
    }

    /// Shares with the interval of [`share`]: a file may hold those of an earlier program, which
    /// were too narrow at the edge. What they are of is told by the numbers themselves.
    fn refresh(&mut self) {
        let sample = self.sample;
        let shares = self.measures.iter_mut().filter(|one| SHARES.contains(&one.name.as_str()));
        for Measure { value, .. } in shares {
            let part = value.value.map(|value| (value * sample as f64).round() as u64);
            *value = part.map_or(*value, |part| share(part.min(sample), sample));
        }
    }

    /// The measure of that name.
    pub fn measure(&self, name: &str) -> Interval {
        let found = self.measures.iter().find(|measure| measure.name == name);
        found.map(|measure| measure.value).unwrap_or_default()
    }

    /// The cell in words: each key of the grid with its value.
    pub fn name(&self) -> String {
        self.others("")
    }

    fn label(&self, key: &str) -> &str {
        self.labels.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }

    /// The values of all keys but one, which name the series of a plot.
    fn others(&self, key: &str) -> String {
        let others = self.labels.iter().filter(|(name, _)| name != key);
        others.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
    }
}

/// The measures that are shares of the sample.
const SHARES: [&str; 4] = ["draws", "first", "second", "found"];

impl SweepResult {
    /// The same with the intervals that this program computes, as far as they follow from what a
    /// file holds.
    pub fn refreshed(mut self) -> SweepResult {
        self.cells.iter_mut().for_each(CellResult::refresh);
        self
    }

    /// A table with a line for each cell: the grid's values, the sample, and each measure with the
    /// ends of its interval.
    pub fn csv(&self) -> String {
        let mut text = self.header().join(",") + "\n";
        for cell in &self.cells {
            let number =
                |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let mut fields: Vec<String> = cell.labels.iter().map(|(_, v)| csv_field(v)).collect();
            fields.push(cell.sample.to_string());
            for Measure { value, .. } in &cell.measures {
                fields.extend([value.value, value.low, value.high].map(number));
            }
            text += &(fields.join(",") + "\n");
        }
        text
    }

    /// The same as one JSON document.
    pub fn json(&self) -> Value {
        let cell = |cell: &CellResult| {
            let labels: serde_json::Map<String, Value> = cell
                .labels
                .iter()
                .map(|(key, value)| (key.clone(), value.clone().into()))
                .collect();
            let measures: serde_json::Map<String, Value> = cell
                .measures
                .iter()
                .map(|measure| (measure.name.clone(), json!(measure.value)))
                .collect();
            json!({ "cell": labels, "sample": cell.sample, "measures": measures })
        };
        json!({
            "title": self.title,
            "kind": self.kind,
            "sample": self.sample,
            "cells": self.cells.iter().map(cell).collect::<Vec<_>>(),
        })
    }

    /// The plot: a line for each combination of the other keys' values.
    pub fn plot(&self) -> Plot {
        let mut texts: Vec<String> = Vec::new();
        for cell in &self.cells {
            let text = cell.label(&self.x).to_owned();
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        // A limit is a number behind its unit, and is drawn as one where all have the same unit.
        let units: Vec<_> = texts.iter().map(|text| text.split_once('=')).collect();
        let unit = units.first().copied().flatten().map(|(unit, _)| unit);
        let same = unit.is_some() && units.iter().all(|one| one.map(|(unit, _)| unit) == unit);
        let shown: Vec<String> = match same {
            true => units.iter().flatten().map(|&(_, value)| value.to_owned()).collect(),
            false => texts.clone(),
        };
        let (x, places) =
            Axis::fitting(if same { unit.unwrap_or(&self.x) } else { &self.x }, &shown);
        let mut series: Vec<Series> = Vec::new();
        for cell in &self.cells {
            let place = texts.iter().position(|text| text == cell.label(&self.x)).unwrap_or(0);
            let point = Point { x: places[place], y: cell.measure(&self.y) };
            let name = match cell.others(&self.x) {
                none if none.is_empty() => self.y.clone(),
                others => others,
            };
            match series.iter_mut().find(|line| line.name == name) {
                Some(line) => line.points.push(point),
                None => series.push(Series { name, points: vec![point] }),
            }
        }
        for line in &mut series {
            line.points.sort_by(|one, two| one.x.total_cmp(&two.x));
        }
        let even = |y, label: &str| Some(Reference { y, label: label.to_owned() });
        Plot {
            caption: format!("{}: {} over {}", self.title, self.y, self.x),
            x,
            y: Axis { label: self.y.clone(), scale: AxisScale::Linear },
            series,
            reference: match (self.kind.as_str(), self.y.as_str()) {
                ("match", "score") => even(0.5, "equal"),
                ("match", "elo") => even(0.0, "equal"),
                _ => None,
            },
        }
    }

    /// The table of a report.
    pub fn table(&self) -> ReportTable {
        let keys = self.cells.first().map(|cell| cell.labels.as_slice()).unwrap_or_default();
        let measures = self.cells.first().map(|cell| cell.measures.as_slice()).unwrap_or_default();
        let mut columns: Vec<Column> =
            keys.iter().map(|(key, _)| Column::Text(key.clone())).collect();
        columns.push(Column::Number(self.sample.clone()));
        columns.extend(measures.iter().map(|measure| Column::Number(measure.name.clone())));
        let row = |cell: &CellResult| {
            let mut row: Vec<String> = cell.labels.iter().map(|(_, value)| value.clone()).collect();
            row.push(monteverde_report::count_text(cell.sample));
            row.extend(cell.measures.iter().map(|measure| {
                let decimals = if matches!(measure.name.as_str(), "elo" | "plies") { 1 } else { 4 };
                monteverde_report::interval_text(measure.value, decimals)
            }));
            row
        };
        ReportTable {
            caption: "Every cell, with 95% intervals".to_owned(),
            columns,
            rows: self.cells.iter().map(row).collect(),
        }
    }

    /// The whole report.
    pub fn report(&self, reproduce: Reproduce) -> ReportData {
        ReportData {
            title: self.title.clone(),
            summary: Vec::new(),
            sections: vec![Section {
                title: format!("{} cells of kind {}", self.cells.len(), self.kind),
                parts: vec![Part::Plot(self.plot()), Part::Table(self.table())],
                reproduce: Some(reproduce),
                ..Section::default()
            }],
        }
    }

    fn header(&self) -> Vec<String> {
        let Some(cell) = self.cells.first() else { return Vec::new() };
        let mut header: Vec<String> = cell.labels.iter().map(|(key, _)| csv_field(key)).collect();
        header.push(self.sample.clone());
        for Measure { name, .. } in &cell.measures {
            header.extend([name.clone(), format!("{name}_low"), format!("{name}_high")]);
        }
        header
    }
}

/// A field of a table with commas: in quotes where it needs them.
fn csv_field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
