//! What a report tells, as plain data.

use super::plot::Plot;
use monteverde_statistics::{Interval, Wdl};
use serde::{Deserialize, Serialize};

/// A whole report.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ReportData {
    /// The title of the page.
    pub title: String,
    /// Paragraphs under the title.
    pub summary: Vec<String>,
    /// What follows, in order.
    pub sections: Vec<Section>,
}

/// One question and its answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// A short name without blanks that links lead to and figures are named by; may be empty.
    pub id: String,
    /// How high it stands.
    pub rank: Rank,
    /// Paragraphs under the heading.
    pub text: Vec<String>,
    /// What was found, to be seen first.
    pub findings: Vec<String>,
    /// Remarks under all that.
    pub notes: Vec<String>,
    /// Tables and figures.
    pub parts: Vec<Part>,
    /// How to get the same numbers again.
    pub reproduce: Option<Reproduce>,
}

/// How high a section stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rank {
    /// It has other sections under it.
    Chapter,
    /// It stands under the chapter before it, if there is one.
    #[default]
    Section,
}

/// A table, a figure, or a group of them.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Players who met.
    Contest(ContestReport),
    /// A quantity over another.
    Plot(Plot),
    /// The same as a figure alone, without its numbers.
    Drawing(Plot),
    /// A paper's numbers beside ours.
    Comparison(Comparison),
    /// The figure of such numbers alone.
    Dots(Comparison),
    /// What a paper says, beside what was measured, in one table.
    Claims(Vec<Claim>),
    /// Anything else in rows and columns.
    Table(ReportTable),
    /// Command lines that repeat what stands above, one by one.
    Commands(Commands),
}

/// The standings of a contest.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ContestReport {
    /// Names and values to state first: game, pace, openings.
    pub facts: Vec<(String, String)>,
    /// The advantage of the first move and the margin of draws, in Elo, that ratings are made
    /// with; `None` where they are not known.
    pub parameters: Option<[f64; 2]>,
    /// What stands above the ratings.
    pub caption: String,
    /// The players, the best first, where all can be compared.
    pub players: Vec<Contender>,
    /// `results[i][j]` are the games of player `i` against `j`, counted for `i`; `None` if they
    /// never met.
    pub results: Vec<Vec<Option<Wdl>>>,
    /// `los[i][j]` is the likelihood in 0..=1 that player `i` is stronger than `j`.
    pub los: Vec<Vec<Option<f64>>>,
    /// Each pair of players that met.
    pub meetings: Vec<Meeting>,
    /// How games ended, with counts.
    pub endings: Vec<(String, u64)>,
    /// Games that ended because a player failed.
    pub failures: Vec<FailureCount>,
    /// Command lines that play the meetings again, one each; none where they are not known.
    pub commands: Vec<String>,
}

/// A player of a contest.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Contender {
    /// The name.
    pub name: String,
    /// What the player is made of, if the name does not say it.
    pub spec: String,
    /// The rating in Elo.
    pub rating: Interval,
    /// All games, counted for this player.
    pub games: Wdl,
}

/// Two players' games, counted for the first of them.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Meeting {
    /// The player the numbers speak for, as an index.
    pub player: usize,
    /// The opponent, as an index.
    pub opponent: usize,
    /// The games.
    pub games: Wdl,
    /// Pairs of games by half points, 0 to 4, where the games were played in pairs.
    pub pairs: Option<[u64; 5]>,
    /// The share of points in 0..=1.
    pub score: Interval,
    /// The Elo difference.
    pub elo: Interval,
    /// The normalised Elo difference.
    pub normalised_elo: Interval,
    /// The likelihood of superiority in 0..=1.
    pub los: Option<f64>,
    /// The digest of its games, where it is known.
    pub digest: Option<String>,
}

/// How often a player failed in one way.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FailureCount {
    /// The player's name.
    pub player: String,
    /// The way, such as `time-loss`.
    pub reason: String,
    /// In how many games.
    pub games: u64,
    /// Whether those games count for nobody; the others are losses.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub void: bool,
}

/// A paper's numbers beside ours.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Comparison {
    /// The caption.
    pub caption: String,
    /// What is compared, with its unit.
    pub quantity: String,
    /// Where the paper's numbers stand.
    pub source: String,
    /// What one unit of our sample is, in the plural: games, playouts.
    pub sample: String,
    /// How many decimals are shown.
    pub decimals: usize,
    /// The numbers.
    pub rows: Vec<Compared>,
    /// Whether they are drawn too.
    pub figure: DotPlot,
}

/// Whether a [`Comparison`] has a figure of its own: the paper's numbers and ours with their
/// errors, line by line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DotPlot {
    /// Nothing else shows them.
    #[default]
    Drawn,
    /// Other figures beside it show more.
    Left,
}

/// One line of a [`Comparison`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Compared {
    /// What was measured.
    pub name: String,
    /// The paper's number.
    pub paper: Interval,
    /// Where the ends of the paper's number come from.
    pub error: PaperError,
    /// Ours.
    pub ours: Interval,
    /// The size of our sample.
    pub sample: u64,
    /// What the two say about each other.
    pub verdict: Verdict,
    /// Why it is not counted; empty where it is.
    pub reason: String,
}

/// Where the ends of a paper's number come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PaperError {
    /// The paper states them, or its sample gives them.
    #[default]
    Stated,
    /// The paper states none: they are those of all numbers that round to the printed one.
    Rounding,
    /// The paper has no number, but says which side of one it is on.
    Direction,
}

impl Compared {
    /// Whether there is a number of ours at all.
    pub fn is_measured(&self) -> bool {
        self.ours != Interval::default()
    }
}

/// One number of a paper, and what became of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Claim {
    /// What the paper says, in words; empty where it is the sentence of the claim before.
    pub claim: String,
    /// What the number is of.
    pub name: String,
    /// The paper's number.
    pub paper: String,
    /// Ours.
    pub ours: String,
    /// The size of our sample, with its unit.
    pub sample: String,
    /// How large it was measured.
    pub scale: String,
    /// What the two say about each other.
    pub standing: Standing,
    /// The id of the section that tells more.
    pub section: String,
}

/// What is known of a paper's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It was measured.
    Measured(Verdict),
    /// It was measured, but the work, or how a player searches, has been changed since.
    Stale,
    /// It has not been measured yet.
    Open,
}

impl Standing {
    /// The words.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Measured(verdict) => verdict.name(),
            Standing::Stale => "out of date",
            Standing::Open => "not measured yet",
        }
    }
}

/// Whether our measurement supports a paper's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It does.
    Agrees,
    /// It contradicts it.
    Differs,
    /// It is too coarse to say, or there is none.
    Undecided,
    /// It could not have come out otherwise, so that it says nothing, or another reading of it
    /// counts.
    NotCounted,
}

impl Verdict {
    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::Undecided => "undecided",
            Verdict::NotCounted => "not counted",
        }
    }

    /// The word without blanks, for styles.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Verdict::NotCounted => "uncounted",
            counted => counted.name(),
        }
    }
}

/// Rows and columns of texts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ReportTable {
    /// The caption.
    pub caption: String,
    /// The columns; the first names the rows.
    pub columns: Vec<Column>,
    /// The cells, as many in each row as there are columns.
    pub rows: Vec<Vec<String>>,
}

/// A column of a [`ReportTable`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Column {
    /// Of texts, with its title.
    Text(String),
    /// Of numbers, with its title.
    Number(String),
    /// Of the ids of sections, which lead there, with its title.
    Link(String),
}

impl Column {
    /// Of texts.
    pub fn text(title: &str) -> Column {
        Column::Text(title.to_owned())
    }

    /// Of numbers.
    pub fn number(title: &str) -> Column {
        Column::Number(title.to_owned())
    }

    /// Of the ids of sections.
    pub fn link(title: &str) -> Column {
        Column::Link(title.to_owned())
    }
}

/// Command lines that repeat parts of what a table shows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Commands {
    /// What they repeat.
    pub caption: String,
    /// The command lines.
    pub lines: Vec<String>,
}

/// How to get the same numbers again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Reproduce {
    /// Names and values: build, seed, machine.
    pub facts: Vec<(String, String)>,
    /// Command lines, one after another.
    pub commands: Vec<String>,
}
