//! Moves.

use crate::Square;
use monteverde_game::Step;
use std::fmt;

/// A move: where from and where to, in 10 bits. A flip goes from its square to itself. Whether a
/// move captures the board tells: [`Board::is_capture`](crate::Board::is_capture).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

/// More than the bits of any move.
const END: u32 = 1 << 10;

impl Move {
    /// The move of a piece between two different squares.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Move {
        Move((to.index() as u16) << 5 | from.index() as u16)
    }

    /// The flip of the covered piece on that square.
    #[inline(always)]
    pub const fn flip(square: Square) -> Move {
        Move::new(square, square)
    }

    /// Whether it turns a covered piece up.
    #[inline(always)]
    pub const fn is_flip(self) -> bool {
        self.0 >> 5 == self.0 & 31
    }

    /// The square the piece leaves, or the one that is turned up.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrap(self.0 as u32)
    }

    /// The square the piece goes to, or the one that is turned up.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrap((self.0 >> 5) as u32)
    }

    /// The number of the move, 0 to 1,023: for tables of what is remembered by move.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & (END as u16 - 1)) as usize
    }
}

impl Step for Move {
    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }

    fn from_bits(bits: u32) -> Move {
        assert!(bits < END, "{bits} are not the bits of a move");
        Move(bits as u16)
    }
}

impl fmt::Display for Move {
    /// `a1-b1`; a flip is the square alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_flip() {
            return write!(f, "{}", self.from());
        }
        write!(f, "{}-{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
