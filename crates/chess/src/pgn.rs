//! Games as text: tag pairs, then the moves in SAN with comments, then the result.
//!
//! The main line is kept with its comments and its annotation glyphs; variations are skipped.
//! Reading is lenient where files in the wild are loose (move numbers are not checked, the result
//! may be missing, Windows line ends and a byte order mark are fine) and exact about everything
//! else: an error names line and column. What is written is the export form: the seven tags of the
//! roster first, lines of at most 80 columns.
//!
//! A brace comment cannot contain a closing brace, so one is written as `)`; runs of blanks and
//! line ends inside a comment are one blank, both ways.

mod read;
mod write;

pub use read::{Games, parse};
pub use write::write;

use crate::fen::FenError;
use crate::san::SanError;
use crate::{Board, Move};
use monteverde_game::{Outcome, Side};

/// A game and what was said about it.
#[derive(Clone, PartialEq, Debug)]
pub struct PgnGame {
    /// Where the game starts.
    pub start: Board,
    /// What is said before the first move, empty for nothing.
    pub comment: String,
    /// The main line.
    pub moves: Vec<PgnMove>,
    /// The result, `None` for a game that goes on or whose end is unknown.
    pub outcome: Option<Outcome>,
    tags: Vec<(String, String)>,
}

/// A move of the main line and what was said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs in their order: 1 for `!`, 2 for `?`, and so on.
    pub glyphs: Vec<u8>,
    /// What is said after the move, empty for nothing.
    pub comment: String,
}

/// What is wrong with a game, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct PgnError {
    /// The line in the whole text, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: PgnProblem,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PgnProblem {
    /// A character that begins nothing.
    #[error("'{0}' begins no tag, move, comment, glyph, variation or result")]
    UnexpectedCharacter(char),
    /// A tag that has not the form of one.
    #[error("a tag has the form [Name \"value\"] on one line; {0}")]
    Tag(&'static str),
    /// A brace comment without its end.
    #[error("the comment that begins here has no closing brace")]
    UnclosedComment,
    /// A variation without its end.
    #[error("the variation that begins here has no closing parenthesis")]
    UnclosedVariation,
    /// The end of a variation that never began.
    #[error("this closing parenthesis ends no variation")]
    UnopenedVariation,
    /// An annotation that is no glyph.
    #[error("'{0}' is no annotation glyph; accepted are $0 to $255 and ! ? !! ?? !? ?!")]
    Glyph(String),
    /// A variant of chess with other rules.
    #[error("the variant '{0}' is unknown; accepted are Standard and Chess960")]
    Variant(String),
    /// A starting position that is none.
    #[error("the tag FEN: {0}")]
    Fen(#[from] FenError),
    /// A move that is none.
    #[error(transparent)]
    Move(#[from] SanError),
}

/// The tags that say what `start` and `outcome` say already.
const DERIVED: [&str; 4] = ["Result", "SetUp", "FEN", "Variant"];

impl PgnGame {
    /// A game without moves, tags or comments.
    pub fn new(start: Board) -> PgnGame {
        let (comment, moves, tags) = (String::new(), Vec::new(), Vec::new());
        PgnGame { start, comment, moves, outcome: None, tags }
    }

    /// Appends a move with what is said after it.
    pub fn push(&mut self, mv: Move, comment: impl Into<String>) {
        self.moves.push(PgnMove { mv, glyphs: Vec::new(), comment: comment.into() });
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Every tag in its order, except `Result`, `SetUp`, `FEN` and `Variant`: `outcome` and `start`
    /// hold what those say.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets a tag. Control characters in the value, line ends among them, become blanks.
    ///
    /// # Panics
    /// If the name is empty, has characters other than ASCII letters, digits and `_`, or is one of
    /// those that `outcome` and `start` hold.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        assert!(is_tag_name(name) && !DERIVED.contains(&name), "'{name}' is no tag to be set");
        let value = tag_value(value);
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }
}

fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The value as it is kept, on one line.
fn tag_value(value: &str) -> String {
    value.replace(char::is_control, " ")
}

fn outcome_text(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::First)) => "1-0",
        Some(Outcome::Win(Side::Second)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// The outer `None` for a text that is no result, the inner one for a game without an end.
fn parse_outcome(text: &str) -> Option<Option<Outcome>> {
    [Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second)), Some(Outcome::Draw), None]
        .into_iter()
        .find(|&outcome| outcome_text(outcome) == text)
}
