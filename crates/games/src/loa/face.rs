//! The face of Lines of Action.

use monteverde_game::Side;
use monteverde_loa::{Board, Move, bits};
use monteverde_players::face::{BoardView, CellStyle, MoveView, PieceColour, PieceView, glyph};

pub(super) fn board(board: &Board) -> BoardView {
    let stones = [
        (Side::First, 'x', PieceColour::Black, "Black stone"),
        (Side::Second, 'o', PieceColour::White, "White stone"),
    ];
    let pieces = stones.into_iter().flat_map(|(side, letter, colour, name)| {
        bits(board.pieces(side)).map(move |square| {
            PieceView::new(square.to_string(), letter, Some(side))
                .named("stone", name)
                .glyph(glyph::STONE)
                .colour(colour)
        })
    });
    BoardView { pieces: pieces.collect(), ..BoardView::new(8, 8, CellStyle::Plain) }
}

pub(super) fn move_view(board: &Board, mv: Move) -> MoveView {
    if mv.is_pass() {
        return MoveView::pass();
    }
    let captured = board.is_capture(mv).then(|| mv.to().to_string());
    MoveView::step(mv.from(), mv.to(), captured)
}
