//! A report as a row of blocks, from which every format is written.

use super::data::{Column, Interval, Part, ReportData, Reproduce, Section, Table, Verdict};
use super::{comparison, contest, plot};

/// One piece of a page.
pub(super) enum Block {
    /// A heading under the title.
    Heading(String),
    /// A paragraph.
    Paragraph(String),
    /// Names with values.
    Facts(Vec<(String, String)>),
    /// A table.
    Grid(Grid),
    /// A figure, and the numbers it shows.
    Figure(Box<Figure>),
    /// How to get the same numbers again.
    Reproduce(Reproduce),
}

/// A table.
pub(super) struct Grid {
    pub(super) caption: String,
    /// The head; as many entries as each row has cells.
    pub(super) head: Vec<Head>,
    pub(super) rows: Vec<Vec<Cell>>,
    /// How to read it; may be empty.
    pub(super) note: String,
}

/// A column's head.
pub(super) struct Head {
    pub(super) title: String,
    pub(super) kind: Kind,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    /// Texts, to the left.
    Text,
    /// Numbers, to the right.
    Number,
    /// Narrow cells, centred.
    Matrix,
    /// Error bars between these two values; only where there is room to draw.
    Bars(f64, f64),
}

impl Head {
    pub(super) fn new(title: impl Into<String>, kind: Kind) -> Head {
        Head { title: title.into(), kind }
    }
}

/// One cell.
pub(super) enum Cell {
    /// The name of its row.
    Name(String),
    /// Text.
    Text(String),
    /// Text, and smaller text under it.
    Double(String, String),
    /// Text coloured by a share in 0..=1.
    Heat(String, f64),
    /// A drawn interval.
    Bar(Interval),
    /// A verdict.
    Verdict(Verdict),
    /// Where a player would meet itself.
    Diagonal,
}

/// A picture with its numbers.
pub(super) struct Figure {
    pub(super) caption: String,
    /// The plot as drawn.
    pub(super) plot: plot::Plot,
    /// The same as numbers.
    pub(super) numbers: Grid,
}

/// The whole report.
pub(super) fn of(report: &ReportData) -> Vec<Block> {
    let mut blocks: Vec<Block> = report.summary.iter().cloned().map(Block::Paragraph).collect();
    for section in &report.sections {
        add_section(section, &mut blocks);
    }
    blocks
}

fn add_section(section: &Section, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading(section.title.clone()));
    blocks.extend(section.text.iter().cloned().map(Block::Paragraph));
    for part in &section.parts {
        match part {
            Part::Contest(contest) => contest::add(contest, blocks),
            Part::Comparison(comparison) => blocks.push(Block::Grid(comparison::grid(comparison))),
            Part::Plot(plot) => blocks.push(Block::Figure(Box::new(plot::figure(plot)))),
            Part::Table(table) => blocks.push(Block::Grid(plain(table))),
        }
    }
    blocks.extend(section.reproduce.clone().map(Block::Reproduce));
}

fn plain(table: &Table) -> Grid {
    let head = table.columns.iter().map(|column| match column {
        Column::Text(title) => Head::new(title, Kind::Text),
        Column::Number(title) => Head::new(title, Kind::Number),
    });
    let row = |cells: &Vec<String>| {
        let cell = |(index, text): (usize, &String)| match index {
            0 => Cell::Name(text.clone()),
            _ => Cell::Text(text.clone()),
        };
        cells.iter().enumerate().map(cell).collect()
    };
    Grid {
        caption: table.caption.clone(),
        head: head.collect(),
        rows: table.rows.iter().map(row).collect(),
        note: String::new(),
    }
}
