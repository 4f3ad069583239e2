//! The text forms of chess as the rest of the project uses them: FEN for states, UCI for moves.

use crate::{Board, Chess, Move, fen, san, uci};
use monteverde_game::{Notation, NotationError};

impl Notation for Chess {
    fn start() -> Self {
        Chess::new(Board::start())
    }

    /// Reads a FEN, X-FEN or Shredder-FEN; see [`fen`].
    fn parse_state(text: &str) -> Result<Self, NotationError> {
        match fen::parse(text) {
            Ok(board) => Ok(Chess::new(board)),
            Err(error) => Err(NotationError::new(error.to_string())),
        }
    }

    fn state_text(&self) -> String {
        fen::write(self.board())
    }

    /// Reads UCI (`g1f3`, `e7e8q`); what has not that form is read as SAN (`Nf3`, `e8=Q`).
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        match uci::parse(self.board(), text) {
            Err(uci::UciError::Malformed { .. }) => match san::parse(self.board(), text) {
                Err(san::SanError::Malformed { .. }) => Err(NotationError::new(format!(
                    "'{text}' is not a move; accepted are UCI such as g1f3 or e7e8q and SAN such \
                     as Nf3 or e8=Q"
                ))),
                read => read.map_err(|error| NotationError::new(error.to_string())),
            },
            read => read.map_err(|error| NotationError::new(error.to_string())),
        }
    }

    fn move_text(&self, mv: Move) -> String {
        uci::write(self.board(), mv)
    }

    const ENGINE_SIDES: Option<[char; 2]> = Some(['w', 'b']);

    /// The board with White below, capitals for White, and whose turn it is.
    fn picture(&self) -> String {
        let board = self.board();
        let check = if board.in_check() { ", in check" } else { "" };
        format!("{board}{} to move{check}\n", board.turn())
    }
}
