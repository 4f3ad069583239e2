//! Moves.

use crate::{Piece, Square};
use monteverde_game::Step;
use std::fmt;

/// A move: where from, where to, and what kind, in 16 bits.
///
/// Castling is stored as the king taking its own rook, which is unambiguous in Chess960 too. The
/// kind names the piece that moves, so that playing a move need not look it up; hence two moves
/// with the same squares may differ, and moves of a board are best taken from its list of legal
/// moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    #[inline(always)]
    pub(crate) const fn new(kind: Kind, from: Square, to: Square) -> Move {
        Move((kind.0 as u16) << 12 | (to.index() as u16) << 6 | from.index() as u16)
    }

    /// The move of a piece from a square to another one that is nothing but that: no castling, and
    /// of a pawn neither a double step nor a capture en passant nor a promotion.
    #[inline(always)]
    pub const fn plain(piece: Piece, from: Square, to: Square) -> Move {
        Move::new(Kind::of(piece), from, to)
    }

    /// The move whose bits are that sum, which must be those of a move.
    #[inline(always)]
    pub(crate) const fn from_sum(base: u16, rest: u16) -> Move {
        Move(base.wrapping_add(rest))
    }

    /// The move as 16 bits, from which [`Move::from_bits16`] restores it.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The inverse of [`Move::bits`], `None` for the bits of no possible kind of move.
    pub const fn from_bits16(bits: u16) -> Option<Move> {
        if bits >> 12 <= Kind::PROMOTE_QUEEN.0 as u16 { Some(Move(bits)) } else { None }
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
            Kind::CASTLING => Piece::King,
            kind if kind.index() < Piece::ALL.len() => Piece::ALL[kind.index()],
            _ => Piece::Pawn,
        }
    }

    /// What the pawn becomes, if the move is a promotion.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Piece> {
        match self.kind() {
            Kind::PROMOTE_KNIGHT => Some(Piece::Knight),
            Kind::PROMOTE_BISHOP => Some(Piece::Bishop),
            Kind::PROMOTE_ROOK => Some(Piece::Rook),
            Kind::PROMOTE_QUEEN => Some(Piece::Queen),
            _ => None,
        }
    }

    /// Whether the move castles.
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), Kind::CASTLING)
    }

    /// Whether the move captures en passant.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        matches!(self.kind(), Kind::EN_PASSANT)
    }

    #[inline(always)]
    pub(crate) const fn kind(self) -> Kind {
        Kind((self.0 >> 12) as u8)
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

/// What playing a move involves. The first six are ordinary moves of that piece, captures among
/// them, in the order of [`Piece::index`]. A number rather than an enumeration, so that reading it
/// from a move takes no branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind(u8);

impl Kind {
    pub(crate) const PAWN: Kind = Kind(Piece::Pawn as u8);
    pub(crate) const KNIGHT: Kind = Kind(Piece::Knight as u8);
    pub(crate) const BISHOP: Kind = Kind(Piece::Bishop as u8);
    pub(crate) const ROOK: Kind = Kind(Piece::Rook as u8);
    pub(crate) const QUEEN: Kind = Kind(Piece::Queen as u8);
    pub(crate) const KING: Kind = Kind(Piece::King as u8);
    pub(crate) const DOUBLE_PUSH: Kind = Kind(6);
    pub(crate) const EN_PASSANT: Kind = Kind(7);
    pub(crate) const CASTLING: Kind = Kind(8);
    pub(crate) const PROMOTE_KNIGHT: Kind = Kind(9);
    pub(crate) const PROMOTE_BISHOP: Kind = Kind(10);
    pub(crate) const PROMOTE_ROOK: Kind = Kind(11);
    pub(crate) const PROMOTE_QUEEN: Kind = Kind(12);

    /// The promotions, in the order in which they are generated.
    pub(crate) const PROMOTIONS: [Kind; 4] =
        [Kind::PROMOTE_QUEEN, Kind::PROMOTE_ROOK, Kind::PROMOTE_BISHOP, Kind::PROMOTE_KNIGHT];

    /// An ordinary move of the piece.
    #[inline(always)]
    pub(crate) const fn of(piece: Piece) -> Kind {
        Kind(piece as u8)
    }

    /// For an ordinary move the index of the piece; larger for a special one.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}
