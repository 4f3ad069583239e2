//! The face of tic-tac-toe: what a small game of one's own may do.

use monteverde_game::fixtures::TicTacToe;
use monteverde_game::{Game, Notation, Outcome, Side};
use monteverde_players::face::{
    BoardView, CellStyle, MarkKind, MarkView, PieceColour, PieceView, glyph,
};

/// The rows, columns and diagonals.
const LINES: [[&str; 3]; 8] = [
    ["a1", "b1", "c1"],
    ["a2", "b2", "c2"],
    ["a3", "b3", "c3"],
    ["a1", "a2", "a3"],
    ["b1", "b2", "b3"],
    ["c1", "c2", "c3"],
    ["a1", "b2", "c3"],
    ["a3", "b2", "c1"],
];

pub(super) fn board(state: &TicTacToe) -> BoardView {
    let side = |letter| if letter == 'x' { Side::First } else { Side::Second };
    let text = state.state_text();
    let mut board = BoardView::of_rows(text.split(' '), |letter| Some(side(letter)));
    let dress = |piece: PieceView| match piece.side {
        Some(Side::First) => {
            piece.named("cross", "cross").glyph(glyph::CROSS).colour(PieceColour::Blue)
        }
        _ => piece.named("nought", "nought").glyph(glyph::RING).colour(PieceColour::Red),
    };
    board.style = CellStyle::Cells;
    board.pieces = board.pieces.into_iter().map(dress).collect();
    if let Some(Outcome::Win(winner)) = state.outcome() {
        let is_won = |square: &str| {
            board.pieces.iter().any(|piece| piece.square == square && piece.side == Some(winner))
        };
        let won = LINES.iter().filter(|line| line.iter().all(|square| is_won(square))).flatten();
        let mark = |&square: &&str| MarkView { square: square.into(), kind: MarkKind::Win };
        board.marks = won.map(mark).collect();
    }
    board
}
