//! The text forms of Chinese dark chess as the rest of the project uses them.

use crate::{Banqi, Board, Colour, Move, Piece, Setup, Square, state};
use monteverde_game::notation::legal;
use monteverde_game::{Notation, NotationError};
use std::fmt::Write;

impl Notation for Banqi {
    fn start() -> Self {
        Banqi::new(Board::new(&Setup::start()).expect("the start of the game is a board"))
    }

    /// Reads a state; see [`state`].
    fn parse_state(text: &str) -> Result<Self, NotationError> {
        match state::parse(text) {
            Ok(board) => Ok(Banqi::new(board)),
            Err(error) => Err(NotationError::new(error.to_string())),
        }
    }

    fn state_text(&self) -> String {
        state::write(self.board())
    }

    /// Reads two squares with `-` between them, or the square of a flip. A flip may also be written
    /// as a move from its square to itself, as arenas do.
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let Some(mv) = read_move(text) else {
            return Err(NotationError::new(format!(
                "'{text}' is not a move; accepted are two squares such as a1-b1, and the square of a flip such as a1"
            )));
        };
        legal(self, mv, text)
    }

    /// `a1-b1`, whether it captures or not, or the square of a flip, `a1`.
    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    /// Reads the letter of a covered piece.
    fn parse_event(&self, text: &str) -> Result<Piece, NotationError> {
        let mut letters = text.chars();
        let piece =
            letters.next().and_then(Piece::from_letter).filter(|_| letters.next().is_none());
        let Some(piece) = piece else {
            return Err(NotationError::new(format!(
                "'{text}' is not a piece; accepted are the letters KGMRNCP and kgmrncp"
            )));
        };
        if self.board().pending().is_none() {
            return Err(NotationError::new(format!(
                "'{text}' cannot show, no piece is being turned up in '{}'",
                self.state_text()
            )));
        }
        if self.board().pool(piece) == 0 {
            return Err(NotationError::new(format!(
                "'{text}' cannot show, none is covered in '{}'",
                self.state_text()
            )));
        }
        Ok(piece)
    }

    /// The letter of the piece that shows.
    fn event_text(&self, event: Piece) -> String {
        event.letter().to_string()
    }

    /// The board with a1 below left, `X` for a covered piece, and whose turn it is.
    fn picture(&self) -> String {
        let board = self.board();
        let letter = |square: Square| match board.piece(square) {
            Some(piece) => piece.letter(),
            None if board.pending() == Some(square) => '?',
            None if board.covered() & square.bit() != 0 => 'X',
            None => '.',
        };
        let mut picture = String::new();
        for rank in (0..board.ranks()).rev() {
            let _ = write!(picture, "{}", rank + 1);
            for file in 0..board.files() {
                let _ = write!(picture, " {}", letter(Square::at(file, rank)));
            }
            picture.push('\n');
        }
        picture.push(' ');
        for file in 0..board.files() {
            let _ = write!(picture, " {}", (b'a' + file) as char);
        }
        let turn = match board.colours() {
            Some(colours) if colours.mover == Colour::Red => "Red to move",
            Some(_) => "Black to move",
            None => "the first flip decides the colours",
        };
        picture + &format!("\n{turn}\n")
    }
}

/// The move of a text that has the form of one.
fn read_move(text: &str) -> Option<Move> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    Some(Move::new(from.parse().ok()?, to.parse().ok()?))
}
