//! The file of an experiment.
//!
//! ```toml
//! title = "How often random play mates"
//! question = "How often does random play mate with king and queen?"
//! notes = ["The position is ours."]      # may be left out
//! findings = ["Ours are fewer, because ..."] # what was found; may be left out
//! cause = "the position: other-experiment" # why numbers differ, and what shows it; may be left out
//! headline = [{ question = "Does random play mate?", name = "KQK" }] # for the index of pages; may be left out
//! # and with front = "Does random play mate with king and queen?" for the read-me, too
//! topic = "Steps to best"                # under which it stands, if it has no paper; may be left out
//!
//! [paper]                                # whose question it is; ours if it is left out
//! title = "Monte Carlo Chess (2012)"
//! page = "monte-carlo-chess"             # the name of its page; made of the title if it is left out
//! short = "MCC 2012"                     # for lists; the title if it is left out
//! place = "section 5.1.1"
//! setup = "a million playouts"
//! errors = "where the errors below come from"  # may be left out
//! value = [{ name = "KQK", number = 4988, error = 138 }]
//! # in place of error: games = 25, whose score the number is; without either the number stands for all
//! # that round to it (decimals = 2, where it ends with a zero). In place of number: more-than = 0 or
//! # less-than = 0. With not-counted = "why", it is shown and has no verdict.
//!
//! [compare]                              # or several, [[compare]], each with values of its own; without any,
//!                                        # as where the paper has no number, there is no verdict
//! claim = "Random play hardly ever mates." # what the paper says, in words; may be left out
//! quantity = "mates in a million"        # the head of the table
//! measure = "first"                      # which of the measured numbers, see the kinds of work
//! factor = 1_000_000                     # measured shares are in 0..1
//! decimals = 0
//! resolution = 300                       # wider than this on each side, ours decides nothing
//! only = "paper"                         # the one scale at which the numbers are comparable; may be left out
//!
//! [playouts]                             # or [tournament] or [sweep], as their files, [until], [suite]
//! game = "chess"
//! player = "mcc"                         # whose playouts, also of a single position; uniform ones if it is left out
//! position = [{ name = "KQK", state = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1" }]
//!
//! [scale.quick]                          # what the scale sets in the table above
//! count = 10_000
//! ```
//!
//! The other kinds of work:
//!
//! ```toml
//! [until]                                # how long until players choose the move for good
//! game = "chess"
//! state = "8/6p1/k1P2p1p/7K/8/8/8/8 w - - 0 1"
//! move = "h5g6"
//! limit = 100_000                        # iterations of each search
//! count = 20                             # searches of each player, each with a seed of its own
//! player = [{ spec = "mcc" }, { name = "slow", spec = "mcc:c=2", part = 0.5 }] # part: of the limit
//!
//! [suite]                                # how many questions of a file players answer
//! game = "chess"
//! file = "mates.epd"
//! limit = 100                            # all if it is left out
//! sample = 1                             # the seed that draws them; the first ones if it is left out
//! iterations = 10_000                    # or nodes, which count the moves of new leaves too
//! player = [{ spec = "mcc" }]
//!
//! [mating]                               # how well a player mates a perfect defence, over a grid
//! game = "chess"
//! state = "8/8/4k3/8/8/8/1K6/1R6 w - - 0 1"
//! player = "krk"
//! before = 10_000                        # iterations before each game; none if it is left out
//! c = [1, 5]
//! threshold = [30, 100]                  # 0 is none
//! iterations = [3000, 6000]              # before each move
//! games = 10                             # of each cell
//! ties = "random"                        # or first, last: which of equally long defences is played
//! ends = "win-gone"                      # or players-rules: when a game is over
//!
//! [endings]                              # whether a player mates a perfect defence as soon as can be
//! game = "chess"
//! player = "mcc-combined"
//! pieces = ["KQK", "KBNK"]
//! iterations = 1000                      # before each move
//! starts = 10                            # random ones that are won, of each ending
//!
//! [shape]                                # what the states of a player's games are like, ply by ply
//! game = "banqi"
//! player = "dark-knight"
//! iterations = 10_000                    # before each move
//! games = 1000
//!
//! [prediction]                           # how well what players know of moves predicts the moves of a target
//! game = "banqi"
//! target = "dark-knight"
//! iterations = 10_000                    # before each of its moves
//! games = 100
//! player = [{ spec = "dark-knight:pb" }]
//! ```

mod headline;
mod value;

use crate::kinds::KINDS;
use crate::work::WorkKind;
use crate::{Experiment, Scale};
use monteverde_lab::keys::{FileError, only, optional, parse as parse_table, required};
use monteverde_players::Games;
use std::path::Path;
use toml::{Table, Value};

pub(crate) use headline::Headline;
pub(crate) use value::PaperValue;

/// What the paper says.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Paper {
    pub(super) title: String,
    /// The name of its page, without an ending.
    pub(super) page: String,
    /// A few letters for lists.
    pub(super) short: String,
    pub(super) place: String,
    pub(super) setup: String,
    pub(super) errors: String,
}

/// Which of our numbers stands beside the paper's, and how it is shown.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Compare {
    /// What the paper says, in words; may be empty.
    pub(super) claim: String,
    pub(super) quantity: String,
    pub(super) measure: String,
    /// The player of a tournament that ratings are relative to.
    pub(super) base: Option<String>,
    pub(super) factor: f64,
    pub(super) decimals: usize,
    pub(super) resolution: f64,
    /// The one scale at which the numbers are comparable; every scale if there is none.
    pub(super) only: Option<Scale>,
    /// The paper's numbers.
    pub(super) values: Vec<PaperValue>,
}

const PLACE: &str = "an experiment";

/// The keys of an experiment, whatever its work is.
const COMMON: [&str; 10] = [
    "title", "question", "notes", "findings", "cause", "topic", "headline", "paper", "compare",
    "scale",
];

/// Where a question without a paper stands, unless its file says otherwise.
const TOPIC: &str = "Questions that the papers leave open";

pub(super) fn parse(games: &Games, path: &Path, text: &str) -> Result<Experiment, FileError> {
    let table = parse_table(text)?;
    let kinds = KINDS.iter().map(|kind| kind.name);
    let known: Vec<&'static str> = COMMON.into_iter().chain(kinds).collect();
    only(PLACE, &table, &known)?;
    let (kind, work) = work(&table)?;
    let paper: Option<Table> = optional(PLACE, &table, "paper")?;
    let compares = compares(&table, paper.as_ref())?;
    for compare in &compares {
        kind.check_measure(&compare.measure, &work)?;
    }
    let headlines = headline::read_all(PLACE, &table, &compares)?;
    Ok(Experiment {
        id: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        title: required(PLACE, &table, "title")?,
        question: required(PLACE, &table, "question")?,
        notes: optional(PLACE, &table, "notes")?.unwrap_or_default(),
        findings: optional(PLACE, &table, "findings")?.unwrap_or_default(),
        cause: optional(PLACE, &table, "cause")?.unwrap_or_default(),
        topic: optional(PLACE, &table, "topic")?.unwrap_or_else(|| TOPIC.to_owned()),
        paper: paper.as_ref().map(read_paper).transpose()?,
        compares,
        headlines,
        kind,
        scales: scales(&table, &work)?,
        part: None,
        games: games.clone(),
        folder: path.parent().unwrap_or(Path::new("")).to_owned(),
    })
}

fn work(table: &Table) -> Result<(&'static WorkKind, Table), FileError> {
    let mut found = Vec::new();
    for kind in &KINDS {
        if let Some(work) = optional::<Table>(PLACE, table, kind.name)? {
            found.push((kind, work));
        }
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        count => Err(FileError::Value {
            place: PLACE.to_owned(),
            problem: format!(
                "exactly one of the tables {} is needed, not {count}",
                KINDS.each_ref().map(|kind| format!("'{}'", kind.name)).join(", ")
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
    const KEYS: [&str; 7] = ["title", "page", "short", "place", "setup", "errors", "value"];
    only(PAPER, table, &KEYS)?;
    let title: String = required(PAPER, table, "title")?;
    let page = optional(PAPER, table, "page")?.unwrap_or_else(|| slug(&title));
    if page.is_empty() || page != slug(&page) {
        return Err(FileError::Value {
            place: format!("the key 'page' of {PAPER}"),
            problem: format!(
                "'{}' is no name of a page; small letters, digits and hyphens are accepted",
                page.escape_debug()
            ),
        });
    }
    Ok(Paper {
        short: optional(PAPER, table, "short")?.unwrap_or_else(|| title.clone()),
        page,
        title,
        place: required(PAPER, table, "place")?,
        setup: required(PAPER, table, "setup")?,
        errors: optional(PAPER, table, "errors")?.unwrap_or_default(),
    })
}

const PAPER: &str = "the table 'paper'";

/// A title as the name of a file: its words in small letters, with hyphens between.
fn slug(title: &str) -> String {
    let letters = title.chars().flat_map(char::to_lowercase);
    let plain = letters.map(|letter| if letter.is_ascii_alphanumeric() { letter } else { ' ' });
    let plain: String = plain.collect();
    plain.split_whitespace().collect::<Vec<_>>().join("-")
}

/// Reads the one table or the several that say what is compared. The values of the paper's table
/// are those of a comparison that has none of its own.
fn compares(table: &Table, paper: Option<&Table>) -> Result<Vec<Compare>, FileError> {
    let given = match table.get("compare") {
        Some(Value::Array(_)) => required::<Vec<Table>>(PLACE, table, "compare")?,
        Some(_) => vec![required(PLACE, table, "compare")?],
        None => Vec::new(),
    };
    match paper {
        Some(paper) if given.is_empty() && paper.contains_key("value") => {
            Err(FileError::Missing { place: PLACE.to_owned(), key: "compare" })
        }
        Some(paper) => given.iter().map(|table| read_compare(table, paper)).collect(),
        None if given.is_empty() => Ok(Vec::new()),
        None => Err(FileError::Missing { place: PLACE.to_owned(), key: "paper" }),
    }
}

fn read_compare(table: &Table, paper: &Table) -> Result<Compare, FileError> {
    const COMPARE: &str = "the table 'compare'";
    const KEYS: [&str; 9] = [
        "claim",
        "quantity",
        "measure",
        "base",
        "factor",
        "decimals",
        "resolution",
        "only",
        "value",
    ];
    only(COMPARE, table, &KEYS)?;
    let factor = optional(COMPARE, table, "factor")?.unwrap_or(1.0);
    let measure: String = required(COMPARE, table, "measure")?;
    let values = match table.contains_key("value") {
        true => value::read_all(COMPARE, table, &measure, factor)?,
        false => value::read_all(PAPER, paper, &measure, factor)?,
    };
    Ok(Compare {
        claim: optional(COMPARE, table, "claim")?.unwrap_or_default(),
        quantity: required(COMPARE, table, "quantity")?,
        measure,
        base: optional(COMPARE, table, "base")?,
        factor,
        decimals: optional(COMPARE, table, "decimals")?.unwrap_or(1),
        resolution: required(COMPARE, table, "resolution")?,
        only: optional(COMPARE, table, "only")?,
        values,
    })
}
