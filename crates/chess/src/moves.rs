//! Moves.

use crate::{Piece, Square};
use monteverde_game::Step;
use std::fmt;

/// A move: where from, where to, and what kind, in 16 bits.
///
/// Castling is stored as the king taking its own rook, which is unambiguous in Chess960 too. The kind
/// names the piece that moves, so that playing a move need not look it up; hence two moves with the
/// same squares may differ, and moves of a board are best taken from its list of legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    #[inline(always)]
    pub(crate) const fn new(kind: Kind, from: Square, to: Square) -> Move {
        Move((kind as u16) << 12 | (to.index() as u16) << 6 | from.index() as u16)
    }

    /// The move as 16 bits, from which [`Move::from_bits16`] restores it.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The inverse of [`Move::bits`], `None` for the bits of no possible kind of move.
    pub const fn from_bits16(bits: u16) -> Option<Move> {
        if bits >> 12 <= Kind::PromoteQueen as u16 { Some(Move(bits)) } else { None }
    }

    /// The square the piece leaves; when castling the king's.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrap(self.0 as u32)
    }

    /// The square the piece goes to; when castling the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrap((self.0 >> 6) as u32)
    }

    /// The piece that moves: a pawn when promoting, the king when castling.
    #[inline(always)]
    pub const fn piece(self) -> Piece {
        match self.kind() {
            Kind::Knight => Piece::Knight,
            Kind::Bishop => Piece::Bishop,
            Kind::Rook => Piece::Rook,
            Kind::Queen => Piece::Queen,
            Kind::King | Kind::Castling => Piece::King,
            _ => Piece::Pawn,
        }
    }

    /// What the pawn becomes, if the move is a promotion.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Piece> {
        match self.kind() {
            Kind::PromoteKnight => Some(Piece::Knight),
            Kind::PromoteBishop => Some(Piece::Bishop),
            Kind::PromoteRook => Some(Piece::Rook),
            Kind::PromoteQueen => Some(Piece::Queen),
            _ => None,
        }
    }

    /// Whether the move castles.
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), Kind::Castling)
    }

    /// Whether the move captures en passant.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        matches!(self.kind(), Kind::EnPassant)
    }

    #[inline(always)]
    pub(crate) const fn kind(self) -> Kind {
        match self.0 >> 12 {
            0 => Kind::Pawn,
            1 => Kind::Knight,
            2 => Kind::Bishop,
            3 => Kind::Rook,
            4 => Kind::Queen,
            5 => Kind::King,
            6 => Kind::DoublePush,
            7 => Kind::EnPassant,
            8 => Kind::Castling,
            9 => Kind::PromoteKnight,
            10 => Kind::PromoteBishop,
            11 => Kind::PromoteRook,
            // The constructors admit no code above this last one.
            _ => Kind::PromoteQueen,
        }
    }
}

impl Step for Move {
    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }

    fn from_bits(bits: u32) -> Move {
        u16::try_from(bits).ok().and_then(Move::from_bits16).expect("the bits of a chess move")
    }
}

impl fmt::Debug for Move {
    /// The squares and the promotion, as in `e7e8q`; castling shows the rook's square.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece) => write!(f, "{}", piece.letter(crate::Color::Black)),
            None => Ok(()),
        }
    }
}

/// What playing a move involves. The first six are ordinary moves of that piece, captures among them,
/// in the order of [`Piece::index`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    DoublePush,
    EnPassant,
    Castling,
    PromoteKnight,
    PromoteBishop,
    PromoteRook,
    PromoteQueen,
}

impl Kind {
    /// The promotions, in the order in which they are generated.
    pub(crate) const PROMOTIONS: [Kind; 4] =
        [Kind::PromoteQueen, Kind::PromoteRook, Kind::PromoteBishop, Kind::PromoteKnight];
}
