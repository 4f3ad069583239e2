//! One side's pieces as that side sees them, and sets of squares seen that way.
//!
//! Everything is written for a side that moves up the board. Black's camp is the board turned
//! upside down, which for a set of squares is a reversal of its bytes.

use monteverde_chess::{Board, Color, Piece};

/// The pieces of one side, the own first rank being rank 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camp {
    pub(crate) pawns: u64,
    pub(crate) knights: u64,
    pub(crate) bishops: u64,
    pub(crate) rooks: u64,
    pub(crate) queens: u64,
    /// The square of the king.
    pub(crate) king: usize,
    /// All of them.
    pub(crate) all: u64,
}

impl Camp {
    #[inline(always)]
    pub(crate) fn of(board: &Board, color: Color) -> Camp {
        let view = |set: u64| match color {
            Color::White => set,
            Color::Black => flip(set),
        };
        let all = view(board.color(color).0);
        let of = |piece: Piece| view(board.pieces(piece).0) & all;
        Camp {
            pawns: of(Piece::Pawn),
            knights: of(Piece::Knight),
            bishops: of(Piece::Bishop),
            rooks: of(Piece::Rook),
            queens: of(Piece::Queen),
            king: lowest(of(Piece::King)),
            all,
        }
    }

    /// Everything but pawns and the king.
    #[inline(always)]
    pub(crate) fn officers(&self) -> u64 {
        self.knights | self.bishops | self.rooks | self.queens
    }

    /// What its pawns attack.
    #[inline(always)]
    pub(crate) fn pawn_attacks(&self) -> u64 {
        up(beside(self.pawns))
    }
}

/// The set as the other side sees it.
#[inline(always)]
pub(crate) fn flip(set: u64) -> u64 {
    set.swap_bytes()
}

/// The square as the other side sees it.
#[inline(always)]
pub(crate) fn flip_square(square: usize) -> usize {
    square ^ 56
}

/// One step up the board.
#[inline(always)]
pub(crate) fn up(set: u64) -> u64 {
    set << 8
}

/// The squares to the left and to the right.
#[inline(always)]
pub(crate) fn beside(set: u64) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const FILE_H: u64 = FILE_A << 7;
    (set & !FILE_A) >> 1 | (set & !FILE_H) << 1
}

/// The set and everything above it.
#[inline(always)]
pub(crate) fn fill_up(mut set: u64) -> u64 {
    set |= set << 8;
    set |= set << 16;
    set | set << 32
}

/// The set and everything below it.
#[inline(always)]
pub(crate) fn fill_down(set: u64) -> u64 {
    flip(fill_up(flip(set)))
}

/// The number of the lowest square of a set that is not empty.
#[inline(always)]
pub(crate) fn lowest(set: u64) -> usize {
    (set.trailing_zeros() & 63) as usize
}

/// The squares of a set, lowest first.
#[inline(always)]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| lowest(set));
        set &= set.wrapping_sub(1);
        next
    })
}

/// How many squares a set has, signed for sums.
#[inline(always)]
pub(crate) fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// How many moves a king needs from one square to another.
#[inline(always)]
pub(crate) fn distance(a: usize, b: usize) -> usize {
    (a & 7).abs_diff(b & 7).max((a >> 3).abs_diff(b >> 3))
}
