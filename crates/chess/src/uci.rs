//! Moves as engines and graphical interfaces exchange them: `e2e4`, `e7e8q`.
//!
//! Castling is written `e1g1` on standard boards and as the king taking its own rook, `e1h1`, on
//! Chess960 boards, where `e1g1` could also be a plain king move. When reading, a standard board
//! accepts both forms, since neither can mean anything else there.

use crate::{Board, Color, Move, Piece, Square, Variant, fen};

/// Why a text is not a move of a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UciError {
    /// The null move, which some programs send to pass.
    #[error("'{text}' is a null move, and chess has no pass; accepted are moves such as e2e4")]
    Null {
        /// What was read.
        text: String,
    },
    /// The text has not the form of a move.
    #[error(
        "'{text}' is not a move; accepted are two squares and, for a promotion, one of q r b n, \
         such as e2e4 or e7e8q"
    )]
    Malformed {
        /// What was read.
        text: String,
    },
    /// The text has the form of a move, but the rules do not allow it.
    #[error("'{text}' is not legal in '{fen}'")]
    Illegal {
        /// What was read.
        text: String,
        /// The board on which it was to be played.
        fen: String,
    },
}

/// Reads a legal move of `board`.
pub fn parse(board: &Board, text: &str) -> Result<Move, UciError> {
    if text == "0000" {
        return Err(UciError::Null { text: text.to_owned() });
    }
    let Some(wanted) = squares(text) else {
        return Err(UciError::Malformed { text: text.to_owned() });
    };
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    moves
        .into_iter()
        .find(|&mv| {
            let stored = (mv.from(), mv.to(), mv.promotion());
            stored == wanted
                || board.variant() == Variant::Standard
                    && mv.is_castling()
                    && (mv.from(), castled_king(mv), None) == wanted
        })
        .ok_or_else(|| UciError::Illegal { text: text.to_owned(), fen: fen::write(board) })
}

/// A move of `board` as [`parse`] reads it.
pub fn write(board: &Board, mv: Move) -> String {
    let to = match board.variant() {
        Variant::Standard if mv.is_castling() => castled_king(mv),
        _ => mv.to(),
    };
    let mut text = format!("{}{to}", mv.from());
    if let Some(piece) = mv.promotion() {
        text.push(piece.letter(Color::Black));
    }
    text
}

/// Where the king stands after a castling move, which is stored as the king taking its rook.
pub(crate) fn castled_king(mv: Move) -> Square {
    const C_FILE: u8 = 2;
    const G_FILE: u8 = 6;
    let file = if mv.to().file() > mv.from().file() { G_FILE } else { C_FILE };
    Square::at(file, mv.from().rank())
}

fn squares(text: &str) -> Option<(Square, Square, Option<Piece>)> {
    let from = text.get(0..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promotion = match text.get(4..)? {
        "" => None,
        "q" => Some(Piece::Queen),
        "r" => Some(Piece::Rook),
        "b" => Some(Piece::Bishop),
        "n" => Some(Piece::Knight),
        _ => return None,
    };
    Some((from, to, promotion))
}
