//! The two colours as types, so that directions and ranks are constants in hot code.

use crate::Color;

/// A colour known at compile time.
pub(crate) trait Army: Copy {
    type Enemy: Army<Enemy = Self>;

    const COLOR: Color;
    /// Squares from a pawn to where it goes: one step, and the captures towards the a- and h-file.
    const PUSH: i8;
    const WEST: i8 = Self::PUSH - 1;
    const EAST: i8 = Self::PUSH + 1;
    /// The rank where pieces start.
    const BACK_RANK: u64;
    /// The rank that pawns pass over in a double step.
    const THIRD_RANK: u64;
    /// The rank from which pawns promote.
    const SEVENTH_RANK: u64;

    const US: usize = Self::COLOR.index();
    const THEM: usize = Self::COLOR.other().index();

    /// Where the pawns step to.
    #[inline(always)]
    fn push(pawns: u64) -> u64 {
        shift(pawns, Self::PUSH)
    }

    /// What the pawns attack towards the a-file.
    #[inline(always)]
    fn west(pawns: u64) -> u64 {
        shift(pawns & !FILE_A, Self::WEST)
    }

    /// What the pawns attack towards the h-file.
    #[inline(always)]
    fn east(pawns: u64) -> u64 {
        shift(pawns & !FILE_H, Self::EAST)
    }
}

/// White as a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct White;

/// Black as a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Black;

impl Army for White {
    type Enemy = Black;
    const COLOR: Color = Color::White;
    const PUSH: i8 = 8;
    const BACK_RANK: u64 = 0xff;
    const THIRD_RANK: u64 = 0xff << 16;
    const SEVENTH_RANK: u64 = 0xff << 48;
}

impl Army for Black {
    type Enemy = White;
    const COLOR: Color = Color::Black;
    const PUSH: i8 = -8;
    const BACK_RANK: u64 = 0xff << 56;
    const THIRD_RANK: u64 = 0xff << 40;
    const SEVENTH_RANK: u64 = 0xff << 8;
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

#[inline(always)]
fn shift(set: u64, by: i8) -> u64 {
    if by >= 0 { set << by } else { set >> -by }
}
