//! States as text: `1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b`.
//!
//! Ranks 8 to 1, each from the a-file on, `x` for a black piece, `o` for a white one and a digit
//! for so many empty squares; then `b` or `w` for the side to move; then, where they are not the
//! usual ones, the rules as [`Rules`] writes them.

use crate::{Board, Rules, SetupError};
use monteverde_game::Side;
use monteverde_game::switches::SwitchError;

/// The start of the game.
pub const START: &str = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b";

/// Why a text is not a state.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StateError {
    /// Too few or too many fields.
    #[error("a state has 2 or 3 fields (pieces, side, and rules if any), but '{text}' has {found}")]
    Fields {
        /// What was read.
        text: String,
        /// How many fields it has.
        found: usize,
    },
    /// Too few or too many ranks.
    #[error("the pieces are 8 ranks with '/' between them, but '{field}' has {found}")]
    Ranks {
        /// The field of the pieces.
        field: String,
        /// How many ranks it has.
        found: usize,
    },
    /// A character that is neither a piece nor a number of empty squares.
    #[error("'{character}' on rank {rank} is not one of x, o or 1 to 8")]
    Character {
        /// The rank, 8 to 1.
        rank: u8,
        /// The character.
        character: char,
    },
    /// A rank that is too short or too long.
    #[error("rank {rank} must have 8 squares, but '{text}' has {found}")]
    Squares {
        /// The rank, 8 to 1.
        rank: u8,
        /// The rank as it was read.
        text: String,
        /// How many squares it has.
        found: usize,
    },
    /// Neither side to move.
    #[error("the side to move is b or w, not '{0}'")]
    Turn(String),
    /// Rules that are none.
    #[error(transparent)]
    Rules(#[from] SwitchError),
    /// Well written, but against the rules.
    #[error("'{text}' breaks the rules: {error}")]
    Setup {
        /// What was read.
        text: String,
        /// Which rule.
        error: SetupError,
    },
}

/// Reads a state.
pub fn parse(text: &str) -> Result<Board, StateError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (pieces, turn, rules) = match fields[..] {
        [pieces, turn] => (pieces, turn, None),
        [pieces, turn, rules] => (pieces, turn, Some(rules)),
        _ => return Err(StateError::Fields { text: text.to_owned(), found: fields.len() }),
    };
    let pieces = parse_pieces(pieces)?;
    let turn = match turn {
        "b" => Side::First,
        "w" => Side::Second,
        other => return Err(StateError::Turn(other.to_owned())),
    };
    let rules = rules.map_or(Ok(Rules::default()), str::parse)?;
    let setup = |error| StateError::Setup { text: text.to_owned(), error };
    Board::new(pieces, turn, rules).map_err(setup)
}

/// The state as [`parse`] reads it.
pub fn write(board: &Board) -> String {
    let ranks: Vec<String> = (0..8).rev().map(|rank| rank_text(board, rank)).collect();
    let turn = match board.turn() {
        Side::First => 'b',
        Side::Second => 'w',
    };
    let rules = board.rules().to_string();
    let gap = if rules.is_empty() { "" } else { " " };
    format!("{} {turn}{gap}{rules}", ranks.join("/"))
}

fn parse_pieces(field: &str) -> Result<[u64; 2], StateError> {
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != 8 {
        return Err(StateError::Ranks { field: field.to_owned(), found: ranks.len() });
    }
    let mut pieces = [0; 2];
    for (rank, &text) in (0..8u8).rev().zip(&ranks) {
        let mut files = 0;
        for character in text.chars() {
            // Beyond the eighth square a piece is counted, not placed: the shift must stay in
            // range.
            let bit = if files < 8 { 1u64 << (usize::from(rank) * 8 + files) } else { 0 };
            match character {
                'x' => pieces[Side::First as usize] |= bit,
                'o' => pieces[Side::Second as usize] |= bit,
                '1'..='8' => files += character as usize - '1' as usize,
                _ => return Err(StateError::Character { rank: rank + 1, character }),
            }
            files += 1;
        }
        if files != 8 {
            let text = text.to_owned();
            return Err(StateError::Squares { rank: rank + 1, text, found: files });
        }
    }
    Ok(pieces)
}

fn rank_text(board: &Board, rank: usize) -> String {
    let mut text = String::new();
    let mut empty = 0;
    let flush = |empty: &mut u8, text: &mut String| {
        if *empty > 0 {
            text.push((b'0' + *empty) as char);
        }
        *empty = 0;
    };
    for file in 0..8 {
        let bit = 1u64 << (rank * 8 + file);
        let letter = if board.pieces(Side::First) & bit != 0 {
            'x'
        } else if board.pieces(Side::Second) & bit != 0 {
            'o'
        } else {
            empty += 1;
            continue;
        };
        flush(&mut empty, &mut text);
        text.push(letter);
    }
    flush(&mut empty, &mut text);
    text
}
