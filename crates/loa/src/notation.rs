//! The text forms of Lines of Action as the rest of the project uses them.

use crate::board::name;
use crate::{Board, Loa, Move, Square, state};
use monteverde_game::notation::legal;
use monteverde_game::{Notation, NotationError, Side};
use std::fmt::Write;

impl Notation for Loa {
    fn start() -> Self {
        Loa::new(Board::start())
    }

    /// Reads a state; see [`state`].
    fn parse_state(text: &str) -> Result<Self, NotationError> {
        match state::parse(text) {
            Ok(board) => Ok(Loa::new(board)),
            Err(error) => Err(NotationError::new(error.to_string())),
        }
    }

    fn state_text(&self) -> String {
        state::write(self.board())
    }

    /// Reads two squares with `-`, `x`, `:` or nothing between them, whether the move captures or
    /// not, or `pass`.
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let Some(mv) = read_move(text) else {
            return Err(NotationError::new(format!(
                "'{text}' is not a move; accepted are two squares such as c1-c3, c1xa3, c1:a3 or c1c3, and pass"
            )));
        };
        legal(self, mv, text)
    }

    /// `c1-c3`, a capture `c1xa3`, or `pass`.
    fn move_text(&self, mv: Move) -> String {
        if mv.is_pass() {
            return "pass".to_owned();
        }
        let sign = if self.board().is_capture(mv) { 'x' } else { '-' };
        format!("{}{sign}{}", mv.from(), mv.to())
    }

    const ENGINE_SIDES: Option<[char; 2]> = Some(['b', 'w']);

    /// `c1c3`, captures alike, or `pass`.
    fn engine_text(&self, mv: Move) -> String {
        if mv.is_pass() { "pass".to_owned() } else { format!("{}{}", mv.from(), mv.to()) }
    }

    /// The board with a1 below left, `x` for Black and `o` for White, and whose turn it is.
    fn picture(&self) -> String {
        let board = self.board();
        let letter = |square: Square| {
            if board.pieces(Side::First) & square.bit() != 0 {
                'x'
            } else if board.pieces(Side::Second) & square.bit() != 0 {
                'o'
            } else {
                '.'
            }
        };
        let mut picture = String::new();
        for rank in (0..8).rev() {
            let _ = write!(picture, "{}", rank + 1);
            for file in 0..8 {
                let _ = write!(picture, " {}", letter(Square::at(file, rank)));
            }
            picture.push('\n');
        }
        picture += "  a b c d e f g h\n";
        picture + &format!("{} to move\n", name(board.turn()))
    }
}

/// The move of a text that has the form of one.
fn read_move(text: &str) -> Option<Move> {
    if text == "pass" {
        return Some(Move::PASS);
    }
    let bytes = text.as_bytes();
    let (from, to) = match bytes.len() {
        4 => (bytes.get(..2)?, bytes.get(2..)?),
        5 if matches!(bytes[2], b'-' | b'x' | b':') => (bytes.get(..2)?, bytes.get(3..)?),
        _ => return None,
    };
    let square = |name: &[u8]| std::str::from_utf8(name).ok()?.parse::<Square>().ok();
    let (from, to) = (square(from)?, square(to)?);
    // From a1 to a1 would be read as a pass.
    (from != to).then(|| Move::new(from, to))
}
