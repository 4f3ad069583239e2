//! The face of Chinese dark chess.

use monteverde_banqi::{Board, Colour, Kind, Move, Piece, Square, bits};
use monteverde_players::face::{
    BoardView, CellStyle, MoveView, Orientation, PieceColour, PieceLook, PieceView, PoolView,
    PooledPiece, SideView, glyph,
};

pub(super) fn board(board: &Board) -> BoardView {
    let piece = |square: Square| {
        let name = square.to_string();
        if board.covered() & square.bit() != 0 || board.pending() == Some(square) {
            let covered = PieceView::new(name, 'X', None).named("covered", "covered piece");
            return Some(covered.glyph(glyph::COVERED));
        }
        let piece = board.piece(square)?;
        let look = look(piece);
        let side = board.side(piece.colour());
        Some(PieceView { square: name, look, side, name: self::name(piece).into() })
    };
    let covered: Vec<PooledPiece> = Piece::all()
        .map(|piece| PooledPiece { look: look(piece), count: board.pool(piece).into() })
        .filter(|pooled| pooled.count > 0)
        .collect();
    let title = if covered.is_empty() { "Nothing is covered" } else { "Still covered" };
    BoardView {
        orientation: Orientation::Lying,
        pieces: bits(board.squares()).filter_map(piece).collect(),
        pool: PoolView { pieces: covered, title: Some(title.into()) },
        ..BoardView::new(board.files(), board.ranks(), CellStyle::Cells)
    }
}

pub(super) fn move_view(board: &Board, mv: Move) -> MoveView {
    if mv.is_flip() {
        return MoveView::flip(mv.to());
    }
    let captured = board.is_capture(mv).then(|| mv.to().to_string());
    MoveView::step(mv.from(), mv.to(), captured)
}

/// The sides, which have colours once the first flip has given them some.
pub(super) fn sides(board: &Board) -> [SideView; 2] {
    let red = ("Red", Some(PieceColour::Red));
    let black = ("Black", Some(PieceColour::Black));
    let sides = match board.colours() {
        Some(colours) if colours.first == Colour::Red => [red, black],
        Some(_) => [black, red],
        None => [("First", None), ("Second", None)],
    };
    sides.map(|(name, colour)| SideView { name: name.into(), colour })
}

/// Which piece a flip shows.
pub(super) fn event_name(piece: Piece) -> String {
    format!("{} {}", colour_name(piece.colour()).to_lowercase(), kind(piece.kind()))
}

/// What people call a piece.
pub(super) fn name(piece: Piece) -> String {
    format!("{} {}", colour_name(piece.colour()), kind(piece.kind()))
}

pub(super) fn look(piece: Piece) -> PieceLook {
    let colour = match piece.colour() {
        Colour::Red => PieceColour::Red,
        Colour::Black => PieceColour::Black,
    };
    let kind = kind(piece.kind());
    let glyph = format!("{}{kind}", glyph::XIANGQI).into();
    PieceLook { letter: piece.letter().into(), kind: kind.into(), glyph, colour: Some(colour) }
}

fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::Red => "Red",
        Colour::Black => "Black",
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::King => "king",
        Kind::Guard => "guard",
        Kind::Minister => "minister",
        Kind::Rook => "rook",
        Kind::Knight => "knight",
        Kind::Cannon => "cannon",
        Kind::Pawn => "pawn",
    }
}
