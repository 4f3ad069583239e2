//! States as text: Forsyth-Edwards notation and its two extensions to Chess960.
//!
//! Six fields: the pieces, the side to move, castling, en passant, plies since the last capture or
//! pawn move, and the number of the move. The two counters may be missing, as in EPD, and are then
//! 0 and 1.
//!
//! Castling reads in either dialect: `KQkq` means the outermost rook on that side of the king
//! (X-FEN), `A` to `H` and `a` to `h` the rook on that file (Shredder-FEN). A board is of Chess960
//! if a right is written as a file, or is one that standard chess does not know. Standard boards
//! are written with `KQkq`, Chess960 boards with files: that is never ambiguous and reads back as
//! Chess960. Only a Chess960 board on which nobody may castle any more reads back as a standard
//! one, which then has the same moves; [`parse_as`] keeps its variant.
//!
//! An en passant square is written only where a capture on it is legal. When reading, one that is
//! merely possible is accepted and forgotten.

use crate::{Board, Color, Piece, Setup, SetupError, Square, Variant, Wing};

/// The start of standard chess.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Why a text is not a state.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// Too few or too many fields.
    #[error(
        "a FEN has 4 to 6 fields (pieces, side, castling, en passant, two counters), \
         but '{text}' has {found}"
    )]
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
    #[error("'{character}' on rank {rank} is not one of PNBRQK, pnbrqk or 1 to 8")]
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
    #[error("the side to move is w or b, not '{0}'")]
    Turn(String),
    /// A castling field that has not the form of one.
    #[error(
        "castling is - or some of KQkq, A to H and a to h, at most one for each side of each king, \
         not '{0}'"
    )]
    Castling(String),
    /// A castling right without its king or rook.
    #[error("castling '{right}' needs {needs} on the back rank of {color}")]
    NoCastling {
        /// The letter of the right.
        right: char,
        /// Whose right it is.
        color: Color,
        /// What is missing there.
        needs: &'static str,
    },
    /// An en passant field that names no square.
    #[error("en passant is - or a square such as e3, not '{0}'")]
    EnPassant(String),
    /// A counter that is not a number in range.
    #[error("the {field} must be a number from 0 to {}, not '{text}'", u16::MAX)]
    Counter {
        /// Which of the two.
        field: &'static str,
        /// What was read.
        text: String,
    },
    /// Well written, but against the rules.
    #[error("'{text}' breaks the rules: {error}")]
    Setup {
        /// What was read.
        text: String,
        /// Which rule.
        error: SetupError,
    },
}

/// Reads a state; the castling field decides on the variant.
pub fn parse(text: &str) -> Result<Board, FenError> {
    read(text, None)
}

/// Reads a state of a given variant. One with rights that standard chess does not know is of
/// Chess960 all the same.
pub fn parse_as(text: &str, variant: Variant) -> Result<Board, FenError> {
    read(text, Some(variant))
}

/// Reads a line of an EPD file, and returns what follows the state: operations such as `bm e4;`.
/// The state has four fields, or six where the next two are numbers.
pub fn parse_epd(line: &str) -> Result<(Board, &str), FenError> {
    let (four, rest) = split_fields(line, 4);
    let (counters, after) = split_fields(rest, 2);
    let is_number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    let is_fen =
        counters.split_whitespace().count() == 2 && counters.split_whitespace().all(is_number);
    if is_fen {
        let end = line.len() - after.len();
        Ok((parse(&line[..end])?, after.trim_start()))
    } else {
        Ok((parse(four)?, rest.trim_start()))
    }
}

/// The state as [`parse`] reads it.
pub fn write(board: &Board) -> String {
    let turn = match board.turn() {
        Color::White => 'w',
        Color::Black => 'b',
    };
    let en_passant = board.en_passant().map_or("-".to_owned(), |square| square.to_string());
    format!(
        "{} {turn} {} {en_passant} {} {}",
        write_pieces(board),
        write_castling(board),
        board.halfmoves(),
        board.fullmoves()
    )
}

fn read(text: &str, variant: Option<Variant>) -> Result<Board, FenError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (pieces, turn, castling, en_passant, counters) = match fields[..] {
        [pieces, turn, castling, en_passant, ref counters @ ..] if counters.len() <= 2 => {
            (pieces, turn, castling, en_passant, counters)
        }
        _ => return Err(FenError::Fields { text: text.to_owned(), found: fields.len() }),
    };
    let mut setup = Setup::empty();
    read_pieces(pieces, &mut setup)?;
    setup.turn = match turn {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(FenError::Turn(turn.to_owned())),
    };
    let dialect = read_castling(castling, &mut setup)?;
    setup.variant = variant.unwrap_or(dialect);
    setup.en_passant = match en_passant {
        "-" => None,
        square => Some(square.parse().map_err(|_| FenError::EnPassant(square.to_owned()))?),
    };
    setup.halfmoves = counter("number of plies", counters.first().unwrap_or(&"0"))?;
    setup.fullmoves = counter("number of the move", counters.get(1).unwrap_or(&"1"))?;
    Board::from_setup(&setup).map_err(|error| FenError::Setup { text: text.to_owned(), error })
}

fn read_pieces(field: &str, setup: &mut Setup) -> Result<(), FenError> {
    let found = field.split('/').count();
    if found != 8 {
        return Err(FenError::Ranks { field: field.to_owned(), found });
    }
    for (text, rank) in field.split('/').zip((0..8).rev()) {
        let mut file = 0;
        for character in text.chars() {
            let width = match character {
                '1'..='8' => character as usize - '0' as usize,
                _ => {
                    let piece = Piece::from_letter(character)
                        .ok_or(FenError::Character { rank: rank + 1, character })?;
                    if file < 8 {
                        setup.pieces[Square::at(file as u8, rank).index()] = Some(piece);
                    }
                    1
                }
            };
            file += width;
        }
        if file != 8 {
            return Err(FenError::Squares { rank: rank + 1, text: text.to_owned(), found: file });
        }
    }
    Ok(())
}

/// Reads the rights, and says which variant their letters are of.
fn read_castling(field: &str, setup: &mut Setup) -> Result<Variant, FenError> {
    let mut dialect = Variant::Standard;
    if field == "-" {
        return Ok(dialect);
    }
    let malformed = || FenError::Castling(field.to_owned());
    if !field.chars().all(|right| matches!(right.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h')) {
        return Err(malformed());
    }
    for right in field.chars() {
        let (color, rank) =
            if right.is_ascii_uppercase() { (Color::White, 0) } else { (Color::Black, 7) };
        let missing = |needs| FenError::NoCastling { right, color, needs };
        let mut files = (0..8).map(|file| Square::at(file, rank));
        let stands = |square: &Square, piece| setup.pieces[square.index()] == Some((color, piece));
        let king = files.clone().find(|square| stands(square, Piece::King));
        let king = king.ok_or(missing("the king"))?;
        let mut rooks = files.clone().filter(|square| stands(square, Piece::Rook));
        let rook = match right.to_ascii_lowercase() {
            'k' => rooks.rfind(|rook| *rook > king),
            'q' => rooks.find(|rook| *rook < king),
            letter => {
                dialect = Variant::Chess960;
                files.find(|rook| rook.file() == letter as u8 - b'a' && stands(rook, Piece::Rook))
            }
        };
        let rook = rook.ok_or(missing("a rook"))?;
        let wing = if rook > king { Wing::King } else { Wing::Queen };
        let slot = &mut setup.castling[color.index()][wing.index()];
        if slot.replace(rook).is_some() {
            return Err(malformed());
        }
    }
    Ok(dialect)
}

fn counter(field: &'static str, text: &str) -> Result<u16, FenError> {
    // The parser of the standard library would accept a sign.
    match text.parse() {
        Ok(number) if !text.starts_with('+') => Ok(number),
        _ => Err(FenError::Counter { field, text: text.to_owned() }),
    }
}

fn write_pieces(board: &Board) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        let mut gap = 0;
        for file in 0..8 {
            match board.piece_at(Square::at(file, rank)) {
                None => gap += 1,
                Some((color, piece)) => {
                    push_gap(&mut text, gap);
                    gap = 0;
                    text.push(piece.letter(color));
                }
            }
        }
        push_gap(&mut text, gap);
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

fn push_gap(text: &mut String, gap: u8) {
    if gap > 0 {
        text.push(char::from(b'0' + gap));
    }
}

fn write_castling(board: &Board) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for (wing, standard) in [(Wing::King, 'K'), (Wing::Queen, 'Q')] {
            let Some(rook) = board.castling_rook(color, wing) else { continue };
            let right = match board.variant() {
                Variant::Standard => standard,
                Variant::Chess960 => char::from(b'A' + rook.file()),
            };
            text.push(match color {
                Color::White => right,
                Color::Black => right.to_ascii_lowercase(),
            });
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Splits off the first `count` fields.
fn split_fields(text: &str, count: usize) -> (&str, &str) {
    let mut at = 0;
    for _ in 0..count {
        let rest = &text[at..];
        let field = rest.trim_start();
        let width = field.find(char::is_whitespace).unwrap_or(field.len());
        at += rest.len() - field.len() + width;
    }
    text.split_at(at)
}
