//! The face of chess.

use monteverde_chess::{Board, Color, Move, Piece, Square};
use monteverde_game::Side;
use monteverde_players::face::{
    BoardView, CellStyle, Companion, MarkKind, MarkView, MoveKind, MoveView, PieceColour,
    PieceView, Promotion, Words, glyph,
};

pub(super) fn board(board: &Board) -> BoardView {
    let piece = |square: Square| {
        let (color, piece) = board.piece_at(square)?;
        let (colour, side) = match color {
            Color::White => (PieceColour::White, Side::First),
            Color::Black => (PieceColour::Black, Side::Second),
        };
        let view = PieceView::new(square.to_string(), piece.letter(color), Some(side))
            .named(kind(piece), format!("{color} {}", kind(piece)));
        Some(view.glyph(glyph_of(piece)).colour(colour))
    };
    let check = MarkView { square: board.king(board.turn()).to_string(), kind: MarkKind::Check };
    BoardView {
        pieces: Square::all().filter_map(piece).collect(),
        marks: if board.in_check() { vec![check] } else { Vec::new() },
        ..BoardView::new(8, 8, CellStyle::Checkered)
    }
}

pub(super) fn move_view(board: &Board, mv: Move) -> MoveView {
    let (from, to) = (mv.from(), mv.to());
    if mv.is_castling() {
        // Stored as the king taking its rook: the king goes to the c- or g-file, the rook beside
        // it.
        let (king, rook) = if to.file() > from.file() { (6, 5) } else { (2, 3) };
        let at = |file| Square::at(file, from.rank()).to_string();
        let companion = Some(Companion { from: to.to_string(), to: at(rook) });
        return MoveView {
            kind: MoveKind::Castling,
            companion,
            ..MoveView::step(from, at(king), None)
        };
    }
    let captured = if mv.is_en_passant() {
        Some(Square::at(to.file(), from.rank()).to_string())
    } else {
        board.piece_at(to).map(|_| to.to_string())
    };
    let promotion = Promotion {
        kind: mv.promotion().map(|piece| kind(piece).into()),
        glyph: mv.promotion().map(glyph_of),
    };
    MoveView { promotion, ..MoveView::step(from, to, captured) }
}

pub(super) fn kind(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

pub(super) fn glyph_of(piece: Piece) -> Words {
    format!("{}{}", glyph::CHESS, kind(piece)).into()
}
