//! The symmetries of the board, and the pairs of kings up to symmetry.
//!
//! A symmetry is three bits: exchange left and right, then top and bottom, then the axes. Without
//! pawns all eight leave the rules as they are, with pawns only the identity and the first.

use monteverde_chess::{Square, attacks};
use std::sync::LazyLock;

pub(crate) const LEFT_RIGHT: usize = 1;
pub(crate) const TOP_BOTTOM: usize = 2;
pub(crate) const AXES: usize = 4;

/// Where each symmetry takes each square.
pub(crate) static IMAGE: [[u8; 64]; 8] = images();

const fn images() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 64 {
            let mut image = square;
            if symmetry & LEFT_RIGHT != 0 {
                image ^= 7;
            }
            if symmetry & TOP_BOTTOM != 0 {
                image ^= 56;
            }
            if symmetry & AXES != 0 {
                image = image % 8 * 8 + image / 8;
            }
            table[symmetry][square] = image as u8;
            square += 1;
        }
        symmetry += 1;
    }
    table
}

/// The set whose image under the symmetry is the given one.
#[inline(always)]
pub(crate) fn undo(symmetry: usize, mut set: u64) -> u64 {
    if symmetry & AXES != 0 {
        set = transpose(set);
    }
    if symmetry & TOP_BOTTOM != 0 {
        set = set.swap_bytes();
    }
    if symmetry & LEFT_RIGHT != 0 {
        set = set.reverse_bits().swap_bytes();
    }
    set
}

/// Exchanges the axes, by exchanging ever smaller squares across the diagonal.
fn transpose(mut set: u64) -> u64 {
    for (shift, mask) in
        [(28, 0x0000_0000_f0f0_f0f0), (14, 0x0000_cccc_0000_cccc), (7, 0x00aa_00aa_00aa_00aa)]
    {
        let swapped = (set ^ set >> shift) & mask;
        set ^= swapped ^ swapped << shift;
    }
    set
}

/// The pairs of kings that do not touch, up to the symmetries of one kind of table.
pub(crate) struct Kings {
    /// By the squares of the white and the black king: the number of the pair that stands for
    /// them, above the three bits of the symmetry that takes them there; [`NO_PAIR`] for kings
    /// that touch.
    entries: [[u16; 64]; 64],
    /// The squares of each pair.
    pub(crate) pairs: Vec<[u8; 2]>,
}

/// More than any pair with its symmetry.
const NO_PAIR: u16 = u16::MAX;

impl Kings {
    /// Those of tables with or without pawns.
    pub(crate) fn of(has_pawns: bool) -> &'static Kings {
        static WITHOUT_PAWNS: LazyLock<Kings> = LazyLock::new(|| Kings::new(8));
        static WITH_PAWNS: LazyLock<Kings> = LazyLock::new(|| Kings::new(2));
        if has_pawns { &WITH_PAWNS } else { &WITHOUT_PAWNS }
    }

    /// The pair for the kings' squares and the symmetry that takes them to it.
    #[inline(always)]
    pub(crate) fn find(&self, white: usize, black: usize) -> Option<(usize, usize)> {
        let entry = usize::from(self.entries[white & 63][black & 63]);
        (entry != usize::from(NO_PAIR)).then_some((entry >> 3, entry & 7))
    }

    /// The first pair met, in the order of squares, stands for all its images.
    fn new(symmetries: usize) -> Kings {
        let mut kings = Kings { entries: [[NO_PAIR; 64]; 64], pairs: Vec::new() };
        for (white, black) in Square::all().flat_map(|white| Square::all().map(move |b| (white, b)))
        {
            let touch = white == black || attacks::king(white).contains(black);
            if touch || kings.entries[white.index()][black.index()] != NO_PAIR {
                continue;
            }
            let pair = kings.pairs.len() as u16;
            kings.pairs.push([white.index() as u8, black.index() as u8]);
            for symmetry in 0..symmetries {
                let image = &IMAGE[inverse(symmetry)];
                let (white, black) = (image[white.index()], image[black.index()]);
                let entry = &mut kings.entries[usize::from(white)][usize::from(black)];
                if *entry == NO_PAIR {
                    *entry = pair << 3 | symmetry as u16;
                }
            }
        }
        kings
    }
}

/// The symmetry that undoes another. Only the two quarter turns are not their own inverses.
fn inverse(symmetry: usize) -> usize {
    match symmetry {
        5 => 6,
        6 => 5,
        own => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_462_and_1806_pairs() {
        assert_eq!(Kings::of(false).pairs.len(), 462);
        assert_eq!(Kings::of(true).pairs.len(), 1806);
    }

    #[test]
    fn a_symmetry_takes_the_kings_to_their_pair() {
        for has_pawns in [false, true] {
            let kings = Kings::of(has_pawns);
            for (white, black) in (0..64).flat_map(|white| (0..64).map(move |black| (white, black)))
            {
                let Some((pair, symmetry)) = kings.find(white, black) else { continue };
                let image = &IMAGE[symmetry];
                assert_eq!(kings.pairs[pair], [image[white], image[black]]);
            }
        }
    }

    #[test]
    fn sets_go_back_as_squares_go_forth() {
        for (symmetry, image) in IMAGE.iter().enumerate() {
            for (square, &image) in image.iter().enumerate() {
                assert_eq!(undo(symmetry, 1 << image), 1 << square, "{symmetry} {square}");
                assert_eq!(usize::from(IMAGE[inverse(symmetry)][usize::from(image)]), square);
            }
        }
    }
}
