//! Moves as people write them: `Nf3`, `exd5`, `O-O`, `e8=Q+`.
//!
//! What is written is exact: the least disambiguation that the legal moves ask for (file before
//! rank before both), `x` for captures, `+` and `#`. What is read may be looser: `0-0` for `O-O`,
//! missing or superfluous `+ # ! ?`, `x`, `-` or `:`, `e8Q` and `e8(Q)` for `e8=Q`, a trailing
//! `e.p.`, and more origin than needed (`Ng1f3`, `e2-e4`). A pawn move without an origin file is a
//! push unless it carries an `x`.

use crate::{Board, Color, Move, Piece, Square, Wing, fen};

/// Why a text is not a move of a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// The text has not the form of a move.
    #[error("'{text}' is not a move; accepted are forms such as e4, exd5, Nf3, Nbd2, O-O, e8=Q")]
    Malformed {
        /// What was read.
        text: String,
    },
    /// No legal move fits the text.
    #[error("no legal move is '{text}' in '{fen}'")]
    NoSuchMove {
        /// What was read.
        text: String,
        /// The board on which it was to be played.
        fen: String,
    },
    /// Several legal moves fit the text.
    #[error("'{text}' is ambiguous in '{fen}': it may be {}", .candidates.join(" or "))]
    Ambiguous {
        /// What was read.
        text: String,
        /// Every legal move that fits, written exactly.
        candidates: Vec<String>,
        /// The board on which it was to be played.
        fen: String,
    },
}

/// Reads a legal move of `board`.
pub fn parse(board: &Board, text: &str) -> Result<Move, SanError> {
    let Some(pattern) = Pattern::parse(text) else {
        return Err(SanError::Malformed { text: text.to_owned() });
    };
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    moves.retain(|&mv| pattern.fits(mv));
    match moves[..] {
        [mv] => Ok(mv),
        [] => Err(SanError::NoSuchMove { text: text.to_owned(), fen: fen::write(board) }),
        _ => Err(SanError::Ambiguous {
            text: text.to_owned(),
            candidates: moves.iter().map(|&mv| write(board, mv)).collect(),
            fen: fen::write(board),
        }),
    }
}

/// A legal move of `board` as [`parse`] reads it.
pub fn write(board: &Board, mv: Move) -> String {
    let mut text = if mv.is_castling() {
        match wing(mv) {
            Wing::King => "O-O".to_owned(),
            Wing::Queen => "O-O-O".to_owned(),
        }
    } else {
        plain(board, mv)
    };
    let mut after = *board;
    after.play(mv);
    if after.in_check() {
        text.push(if after.has_legal_moves() { '+' } else { '#' });
    }
    text
}

/// The move without its check mark; not for castling.
fn plain(board: &Board, mv: Move) -> String {
    let (from, to) = (mv.from(), mv.to());
    let piece = mv.piece();
    let captures = mv.is_en_passant() || board.piece_at(to).is_some();
    let mut text = String::new();
    if piece == Piece::Pawn {
        if captures {
            text.push(file_letter(from));
        }
    } else {
        text.push(piece.letter(Color::White));
        text.push_str(&origin(board, mv));
    }
    if captures {
        text.push('x');
    }
    text.push_str(&to.to_string());
    if let Some(promotion) = mv.promotion() {
        text.push('=');
        text.push(promotion.letter(Color::White));
    }
    text
}

/// As much of the origin as sets the move apart from other moves of the same kind of piece.
fn origin(board: &Board, mv: Move) -> String {
    let mut rivals = Vec::new();
    board.legal_moves(&mut rivals);
    rivals.retain(|&other| {
        other.to() == mv.to()
            && other.from() != mv.from()
            && !other.is_castling()
            && other.piece() == mv.piece()
    });
    let from = mv.from();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|other| other.from().file() != from.file()) {
        file_letter(from).to_string()
    } else if rivals.iter().all(|other| other.from().rank() != from.rank()) {
        (from.rank() + 1).to_string()
    } else {
        from.to_string()
    }
}

/// To which side a castling move goes.
fn wing(mv: Move) -> Wing {
    if mv.to().file() > mv.from().file() { Wing::King } else { Wing::Queen }
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file())
}

/// What a text demands of a move.
enum Pattern {
    Castling(Wing),
    Plain(Plain),
}

struct Plain {
    piece: Piece,
    file: Option<u8>,
    rank: Option<u8>,
    captures: bool,
    to: Square,
    promotion: Option<Piece>,
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let text = text.strip_suffix("e.p.").map_or(text, str::trim_end);
        match text {
            "O-O" | "0-0" | "o-o" => return Some(Pattern::Castling(Wing::King)),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(Pattern::Castling(Wing::Queen)),
            _ => {}
        }
        Plain::parse(text).map(Pattern::Plain)
    }

    fn fits(&self, mv: Move) -> bool {
        match self {
            Pattern::Castling(wanted) => mv.is_castling() && wing(mv) == *wanted,
            Pattern::Plain(plain) => !mv.is_castling() && plain.fits(mv),
        }
    }
}

impl Plain {
    /// Reads from both ends: the piece in front, promotion and destination behind, and what is left
    /// between them is the origin.
    fn parse(text: &str) -> Option<Plain> {
        if !text.is_ascii() {
            return None;
        }
        let named = text.chars().next().filter(char::is_ascii_uppercase);
        let piece = match named {
            Some(letter) => Piece::from_letter(letter)?.1,
            None => Piece::Pawn,
        };
        let rest = &text[usize::from(named.is_some())..];

        let (rest, promotion) = promotion(rest)?;
        let (rest, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let to: Square = to.parse().ok()?;

        let origin = rest.strip_suffix(['x', ':', '-']).unwrap_or(rest);
        let captures = rest.ends_with(['x', ':']);
        let (file, rank) = match *origin.as_bytes() {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
            _ => return None,
        };
        Some(Plain { piece, file, rank, captures, to, promotion })
    }

    fn fits(&self, mv: Move) -> bool {
        let from = mv.from();
        let push_only = self.piece == Piece::Pawn && self.file.is_none() && !self.captures;
        mv.to() == self.to
            && mv.promotion() == self.promotion_or_any(mv)
            && mv.piece() == self.piece
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
            && (!push_only || from.file() == self.to.file())
    }

    /// A text that names no promotion fits all four, so that `e8` is reported as ambiguous.
    fn promotion_or_any(&self, mv: Move) -> Option<Piece> {
        self.promotion.or(mv.promotion())
    }
}

/// Splits the promotion off the end: `e8=Q`, `e8Q`, `e8(Q)`. `None` if the piece is none to promote
/// to.
fn promotion(text: &str) -> Option<(&str, Option<Piece>)> {
    let bare = text.strip_suffix(')').and_then(|inner| {
        let (rest, letter) = inner.split_at_checked(inner.len().checked_sub(1)?)?;
        Some((rest.strip_suffix('(')?, letter))
    });
    let (rest, letter) = match bare {
        Some(split) => split,
        None if text.ends_with(|last: char| last.is_ascii_alphabetic()) => {
            let (rest, letter) = text.split_at(text.len() - 1);
            (rest.strip_suffix('=').unwrap_or(rest), letter)
        }
        None => return Some((text, None)),
    };
    let (_, piece) = Piece::from_letter(letter.chars().next()?)?;
    let allowed = !matches!(piece, Piece::Pawn | Piece::King);
    allowed.then_some((rest, Some(piece)))
}
