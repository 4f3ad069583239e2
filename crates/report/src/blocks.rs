//! A report as a row of blocks, from which every format is written.

use super::data::{
    Column, Commands, Comparison, DotPlot, Part, Rank, ReportData, ReportTable, Reproduce, Section,
    Standing, Verdict,
};
use super::{claims, comparison, contest, plot};
use monteverde_statistics::Interval;

/// One piece of a page.
pub(super) enum Block {
    /// A heading under the title.
    Heading(Heading),
    /// A paragraph.
    Paragraph(String),
    /// What was found, to be seen first.
    Findings(Vec<String>),
    /// Remarks.
    Notes(Vec<String>),
    /// Names with values.
    Facts(Vec<(String, String)>),
    /// A table.
    Grid(Grid),
    /// A figure, and the numbers it shows.
    Figure(Box<Figure>),
    /// Command lines, folded.
    Commands(Commands),
    /// How to get the same numbers again.
    Reproduce(Reproduce),
}

/// A heading.
pub(super) struct Heading {
    pub(super) text: String,
    /// What links lead to; may be empty.
    pub(super) id: String,
    pub(super) rank: Rank,
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
    pub(super) kind: ColumnKind,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum ColumnKind {
    /// Texts, to the left.
    Text,
    /// Numbers, to the right.
    Number,
    /// Narrow cells, centred.
    Matrix,
    /// Sentences that hold for their row and those below: over them where cells can span columns.
    Claim,
    /// Error bars between these two values; only where there is room to draw.
    Bars(f64, f64),
}

impl Head {
    pub(super) fn new(title: impl Into<String>, kind: ColumnKind) -> Head {
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
    /// What is known of a number.
    Standing(Standing),
    /// A text that leads to the section of that id.
    Link(String),
    /// Where a player would meet itself.
    Diagonal,
}

/// A picture with its numbers.
pub(super) struct Figure {
    pub(super) caption: String,
    /// What is drawn.
    pub(super) drawing: Drawing,
    /// The same as numbers, where no table beside it has them.
    pub(super) numbers: Option<Grid>,
}

/// What is drawn.
pub(super) enum Drawing {
    /// A quantity over another.
    Plot(plot::Plot),
    /// A paper's numbers and ours, line by line.
    Dots(Comparison),
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
    let Section { title, id, rank, text, findings, notes, parts: _, reproduce: _ } = section;
    blocks.push(Block::Heading(Heading { text: title.clone(), id: id.clone(), rank: *rank }));
    blocks.extend(text.iter().cloned().map(Block::Paragraph));
    if !findings.is_empty() {
        blocks.push(Block::Findings(findings.clone()));
    }
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes.clone()));
    }
    for part in &section.parts {
        match part {
            Part::Contest(contest) => contest::add(contest, blocks),
            Part::Comparison(comparison) => {
                blocks.push(Block::Grid(comparison::grid(comparison)));
                if comparison.figure == DotPlot::Drawn {
                    blocks.extend(dots(comparison));
                }
            }
            Part::Dots(comparison) => blocks.extend(dots(comparison)),
            Part::Claims(claims) => blocks.push(Block::Grid(claims::grid(claims))),
            Part::Commands(commands) => blocks.push(Block::Commands(commands.clone())),
            Part::Plot(plot) => blocks.push(Block::Figure(Box::new(plot::figure(plot)))),
            Part::Drawing(plot) => {
                let figure = Figure { numbers: None, ..plot::figure(plot) };
                blocks.push(Block::Figure(Box::new(figure)));
            }
            Part::Table(table) => blocks.push(Block::Grid(plain(table))),
        }
    }
    blocks.extend(section.reproduce.clone().map(Block::Reproduce));
}

/// The figure of a comparison that has numbers.
fn dots(comparison: &Comparison) -> Option<Block> {
    let figure = Figure {
        caption: comparison::caption(comparison),
        drawing: Drawing::Dots(comparison.clone()),
        numbers: None,
    };
    (!comparison.rows.is_empty()).then(|| Block::Figure(Box::new(figure)))
}

fn plain(table: &ReportTable) -> Grid {
    let head = table.columns.iter().map(|column| match column {
        Column::Text(title) | Column::Link(title) => Head::new(title, ColumnKind::Text),
        Column::Number(title) => Head::new(title, ColumnKind::Number),
    });
    let row = |cells: &Vec<String>| {
        let cell = |(index, text): (usize, &String)| match (index, table.columns.get(index)) {
            (_, Some(Column::Link(_))) => Cell::Link(text.clone()),
            (0, _) => Cell::Name(text.clone()),
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
