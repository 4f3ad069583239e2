//! The file of an experiment.
//!
//! ```toml
//! title = "How often random play mates"
//! question = "How often does random play mate with king and queen?"
//! notes = ["The position is ours."]      # may be left out
//!
//! [paper]
//! title = "Monte Carlo Chess (2012)"
//! place = "section 5.1.1"
//! setup = "a million playouts"
//! errors = "where the errors below come from"  # may be left out
//! value = [{ name = "KQK", number = 4988, error = 138 }]
//!
//! [compare]
//! quantity = "mates in a million"        # the head of the table
//! measure = "first"                      # which of the measured numbers
//! factor = 1_000_000                     # measured shares are in 0..1
//! decimals = 0
//! resolution = 300                       # wider than this on each side, ours decides nothing
//!
//! [playouts]                             # or [tournament] or [sweep], as their files
//! game = "chess"
//! position = [{ name = "KQK", state = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1" }]
//!
//! [scale.quick]                          # what the scale sets in the table above
//! count = 10_000
//! ```

use super::{Experiment, Scale};
use crate::keys::{FileError, only, optional, parse as parse_table, required};
use crate::report::Interval;
use std::path::Path;
use toml::{Table, Value};

/// What kind of work an experiment is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Playouts,
    Tournament,
    Sweep,
}

impl Kind {
    const ALL: [(Kind, &'static str); 3] =
        [(Kind::Playouts, "playouts"), (Kind::Tournament, "tournament"), (Kind::Sweep, "sweep")];
}

/// What the paper says.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Paper {
    pub(super) title: String,
    pub(super) place: String,
    pub(super) setup: String,
    pub(super) errors: String,
    pub(super) values: Vec<PaperValue>,
}

/// One of the paper's numbers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PaperValue {
    pub(super) name: String,
    pub(super) number: Interval,
}

/// Which of our numbers stands beside the paper's, and how it is shown.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Compare {
    pub(super) quantity: String,
    pub(super) measure: String,
    /// The player of a tournament that ratings are relative to.
    pub(super) base: Option<String>,
    pub(super) factor: f64,
    pub(super) decimals: usize,
    pub(super) resolution: f64,
}

const PLACE: &str = "an experiment";

pub(super) fn parse(path: &Path, text: &str) -> Result<Experiment, FileError> {
    let table = parse_table(text)?;
    only(
        PLACE,
        &table,
        &[
            "title",
            "question",
            "notes",
            "paper",
            "compare",
            "scale",
            "playouts",
            "tournament",
            "sweep",
        ],
    )?;
    let (kind, work) = work(&table)?;
    let compare: Table = required(PLACE, &table, "compare")?;
    let paper: Table = required(PLACE, &table, "paper")?;
    Ok(Experiment {
        id: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        title: required(PLACE, &table, "title")?,
        question: required(PLACE, &table, "question")?,
        notes: optional(PLACE, &table, "notes")?.unwrap_or_default(),
        paper: read_paper(&paper)?,
        compare: read_compare(&compare)?,
        kind,
        scales: scales(&table, &work)?,
        folder: path.parent().unwrap_or(Path::new("")).to_owned(),
    })
}

fn work(table: &Table) -> Result<(Kind, Table), FileError> {
    let mut found = Vec::new();
    for (kind, key) in Kind::ALL {
        if let Some(work) = optional::<Table>(PLACE, table, key)? {
            found.push((kind, work));
        }
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        count => Err(FileError::Value {
            place: PLACE.to_owned(),
            problem: format!(
                "exactly one of the tables 'playouts', 'tournament' and 'sweep' is needed, not {count}"
            ),
        }),
    }
}

/// The work at each scale: the common table with what the scale sets in it.
fn scales(table: &Table, work: &Table) -> Result<Vec<(Scale, Table)>, FileError> {
    const SCALES: &str = "the table 'scale'";
    let given: Table = required(PLACE, table, "scale")?;
    only(SCALES, &given, &Scale::ALL.map(Scale::name))?;
    let mut scales = Vec::new();
    for scale in Scale::ALL {
        if let Some(changes) = optional::<Table>(SCALES, &given, scale.name())? {
            let mut at_scale = work.clone();
            merge(&mut at_scale, &changes);
            scales.push((scale, at_scale));
        }
    }
    match scales.is_empty() {
        true => Err(FileError::Missing { place: SCALES.to_owned(), key: Scale::Quick.name() }),
        false => Ok(scales),
    }
}

/// Sets what is given; tables inside are merged likewise, lists are replaced.
fn merge(table: &mut Table, changes: &Table) {
    for (key, change) in changes {
        match (table.get_mut(key), change) {
            (Some(Value::Table(inner)), Value::Table(change)) => merge(inner, change),
            _ => drop(table.insert(key.clone(), change.clone())),
        }
    }
}

fn read_paper(table: &Table) -> Result<Paper, FileError> {
    const PAPER: &str = "the table 'paper'";
    only(PAPER, table, &["title", "place", "setup", "errors", "value"])?;
    let values: Vec<Table> = required(PAPER, table, "value")?;
    let value = |table: &Table| {
        const VALUE: &str = "a value of the paper";
        only(VALUE, table, &["name", "number", "error"])?;
        let number = required(VALUE, table, "number")?;
        let number = match optional(VALUE, table, "error")? {
            Some(error) => Interval::around(number, error),
            None => Interval::exact(number),
        };
        Ok(PaperValue { name: required(VALUE, table, "name")?, number })
    };
    Ok(Paper {
        title: required(PAPER, table, "title")?,
        place: required(PAPER, table, "place")?,
        setup: required(PAPER, table, "setup")?,
        errors: optional(PAPER, table, "errors")?.unwrap_or_default(),
        values: values.iter().map(value).collect::<Result<_, FileError>>()?,
    })
}

fn read_compare(table: &Table) -> Result<Compare, FileError> {
    const COMPARE: &str = "the table 'compare'";
    const KEYS: [&str; 6] = ["quantity", "measure", "base", "factor", "decimals", "resolution"];
    only(COMPARE, table, &KEYS)?;
    Ok(Compare {
        quantity: required(COMPARE, table, "quantity")?,
        measure: required(COMPARE, table, "measure")?,
        base: optional(COMPARE, table, "base")?,
        factor: optional(COMPARE, table, "factor")?.unwrap_or(1.0),
        decimals: optional(COMPARE, table, "decimals")?.unwrap_or(1),
        resolution: required(COMPARE, table, "resolution")?,
    })
}
