//! Moves.

use crate::Square;
use monteverde_game::Step;
use std::fmt;

/// A move: where from and where to, in 12 bits; or a pass. Whether it captures the board tells:
/// [`Board::is_capture`](crate::Board::is_capture).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Move(u16);

/// More than the bits of any move.
const END: u32 = 1 << 12;

impl Move {
    /// What a side does that cannot move. As no piece moves from a square to itself, its bits are
    /// those of a1-a1.
    pub const PASS: Move = Move(0);

    /// The move between two different squares.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Move {
        Move((to.index() as u16) << 6 | from.index() as u16)
    }

    /// The move from a square to the one whose number is higher by so much. Meaningless where there
    /// is none, but not checked, so that code without branches can make it before it knows.
    #[inline(always)]
    pub(crate) const fn along(from: Square, far: i16) -> Move {
        Move(Move::new(from, from).0.wrapping_add((far << 6) as u16))
    }

    /// Whether the move is a pass.
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.0 == Move::PASS.0
    }

    /// The square the piece leaves; a1 for a pass.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrap(self.0 as u32)
    }

    /// The square the piece goes to; a1 for a pass.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrap((self.0 >> 6) as u32)
    }

    /// The number of the move, 0 to 4,095: for tables of what is remembered by move.
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

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.write_str("pass");
        }
        write!(f, "{}-{}", self.from(), self.to())
    }
}
