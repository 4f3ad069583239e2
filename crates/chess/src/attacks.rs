//! What pieces attack, for code that works on sets of squares rather than on boards.

use crate::isa::{Isa, Portable};
use crate::tables::{ABOUT, BETWEEN};
use crate::{Bitboard, Color, Piece, Square};

/// What the piece attacks from the square, the first occupied square of each line included. Only
/// sliders ask for the occupied squares, only pawns for the colour.
#[inline]
pub fn of(piece: Piece, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        Piece::Pawn => pawn(color, square),
        Piece::Knight => knight(square),
        Piece::Bishop => bishop(square, occupied),
        Piece::Rook => rook(square, occupied),
        Piece::Queen => bishop(square, occupied) | rook(square, occupied),
        Piece::King => king(square),
    }
}

/// What a pawn of that colour attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    Bitboard(ABOUT[square.index()].pawn[color.index()])
}

/// Where a knight goes.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    Bitboard(ABOUT[square.index()].knight)
}

/// Where a king goes, castling aside.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    Bitboard(ABOUT[square.index()].king)
}

/// What a bishop attacks, the first occupied square of each line included.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(Portable.bishop(square.index(), occupied.0))
}

/// What a rook attacks, the first occupied square of each line included.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(Portable.rook(square.index(), occupied.0))
}

/// The squares strictly between two squares on one rank, file or diagonal; none for any other two.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Bitboard {
        text.split(' ').map(|square| square.parse::<Square>().expect("a square")).collect()
    }

    #[test]
    fn attacks_on_small_boards() {
        let at = |text: &str| text.parse::<Square>().expect("a square");
        let (a1, none) = (at("a1"), Bitboard::EMPTY);
        assert_eq!(of(Piece::Knight, Color::White, a1, none), set("b3 c2"));
        assert_eq!(of(Piece::King, Color::White, a1, none), set("a2 b1 b2"));
        assert_eq!(of(Piece::Pawn, Color::Black, at("a7"), none), set("b6"));
        assert_eq!(of(Piece::Bishop, Color::White, a1, set("c3 d4")), set("b2 c3"));
        assert_eq!(of(Piece::Queen, Color::White, a1, set("a2 b1 b2")), set("a2 b1 b2"));
        assert_eq!(between(a1, at("d4")), set("b2 c3"));
        assert_eq!(between(a1, at("b3")), none);
    }
}
