//! Games as text in the Smart Game Format, where Lines of Action is game number 9.
//!
//! `(;FF[4]GM[9]SZ[8]PB[one]PW[other]RE[B+];B[c1-c3];W[a6-c6])`: a tree of nodes, each with
//! properties. The main line is kept with its comments; variations are skipped. Reading is lenient
//! where files in the wild are loose:
//!
//! - what stands before a game, odd spaces and line ends are skipped, and so are properties that
//!   say nothing here;
//! - long names count by their capitals (`Black[...]`, `GaMe[9]`), small ones as if they were
//!   capitals;
//! - moves are two squares in either case with `-`, `:`, `x`, a blank or nothing between them,
//!   whether they capture or not, and signs such as `+` and `!` after them; `resign` and `draw` end
//!   the game;
//! - a side that must pass need not be recorded as passing.
//!
//! About everything else it is exact: an error names line and column. A start of its own is the
//! pieces of `AB` and `AW` with the side of `PL` to move; rules other than the usual ones are in
//! `RU`, as [`Rules`](crate::Rules) writes them, and a rule set of another form is forgotten. What
//! is written has captures as `c1:a3`, as the format asks for.
//!
//! Runs of blanks and line ends inside a comment are one blank, both ways.

mod read;
mod write;

pub use read::{Games, parse};
pub use write::write;

use crate::{Board, Move, SetupError};
use monteverde_game::{NotationError, Outcome, Side};

/// A game and what was said about it.
#[derive(Clone, PartialEq, Debug)]
pub struct SgfGame {
    /// Where the game starts.
    pub start: Board,
    /// What is said before the first move, empty for nothing.
    pub comment: String,
    /// The main line.
    pub moves: Vec<SgfMove>,
    /// The result, `None` for a game that goes on or whose end is unknown.
    pub outcome: Option<Outcome>,
    properties: Vec<(String, String)>,
}

/// A move of the main line and what was said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SgfMove {
    /// The move.
    pub mv: Move,
    /// What is said after the move, empty for nothing.
    pub comment: String,
}

/// What is wrong with a game, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct SgfError {
    /// The line in the whole text, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: SgfProblem,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SgfProblem {
    /// A character that begins nothing.
    #[error("'{0}' begins no node, property or variation")]
    UnexpectedCharacter(char),
    /// A property without a value.
    #[error("the property '{0}' has no value; a value stands in brackets, as in B[c1-c3]")]
    NoValue(String),
    /// A value without its end.
    #[error("the value that begins here has no closing bracket")]
    UnclosedValue,
    /// A game without its end.
    #[error("the game that begins here has no closing parenthesis")]
    UnclosedGame,
    /// Another game than this one.
    #[error("the game GM[{0}] is not Lines of Action, which is GM[9]")]
    Game(String),
    /// Another board than ours.
    #[error("the board size SZ[{0}] is not 8")]
    Size(String),
    /// A start that is not known.
    #[error("the setup SU[{0}] is unknown; accepted is Standard, or the pieces by AB and AW")]
    Setup(String),
    /// A square of a setup that is none.
    #[error("'{0}' is not a square; a square is a file a to h and a rank 1 to 8, such as c3")]
    Square(String),
    /// A side to move that is none.
    #[error("the side to move is B or W, not '{0}'")]
    Turn(String),
    /// Pieces that are no board.
    #[error("the setup breaks the rules: {0}")]
    Board(#[from] SetupError),
    /// A move of the side that is not to move.
    #[error("'{text}' is a move of {}, but {} is to move", crate::board::name(*.side), crate::board::name(.side.other()))]
    WrongSide {
        /// The move.
        text: String,
        /// Whose it is said to be.
        side: Side,
    },
    /// A move that is none, or not legal.
    #[error(transparent)]
    Move(#[from] NotationError),
}

/// The properties that say what the other fields say already, or that are the same in every game.
const DERIVED: [&str; 13] =
    ["FF", "GM", "SZ", "CA", "RE", "RU", "AB", "AW", "AE", "PL", "SU", "B", "W"];

impl SgfGame {
    /// A game without moves, properties or comments.
    pub fn new(start: Board) -> SgfGame {
        let (comment, moves, properties) = (String::new(), Vec::new(), Vec::new());
        SgfGame { start, comment, moves, outcome: None, properties }
    }

    /// Appends a move with what is said after it.
    pub fn push(&mut self, mv: Move, comment: impl Into<String>) {
        self.moves.push(SgfMove { mv, comment: comment.into() });
    }

    /// The value of a property of the game, such as `PB`, Black's name.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Every property of the game in its order, except those that `start`, `outcome`, `moves` and
    /// `comment` hold.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &str)> {
        self.properties.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets a property of the game. Control characters in the value, line ends among them, become
    /// blanks.
    ///
    /// # Panics
    /// If the name is empty, has characters other than capital ASCII letters, or is one of those
    /// that other fields hold.
    pub fn set_property(&mut self, name: &str, value: &str) {
        assert!(is_property(name), "'{name}' is no property to be set");
        let value = value.replace(char::is_control, " ");
        match self.properties.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.properties.push((name.to_owned(), value)),
        }
    }
}

/// Whether a game keeps a property of that name as it is.
fn is_property(name: &str) -> bool {
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase());
    is_name && name != "C" && !DERIVED.contains(&name)
}

fn outcome_text(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::First)) => "B+",
        Some(Outcome::Win(Side::Second)) => "W+",
        Some(Outcome::Draw) => "0",
        None => "?",
    }
}

/// Any text that begins like a result; `None` for one that is unknown.
fn parse_outcome(text: &str) -> Option<Outcome> {
    match text.trim_start().as_bytes() {
        [b'B' | b'b', ..] => Some(Outcome::Win(Side::First)),
        [b'W' | b'w', ..] => Some(Outcome::Win(Side::Second)),
        [b'0' | b'D' | b'd', ..] => Some(Outcome::Draw),
        _ => None,
    }
}
