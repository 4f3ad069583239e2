//! What the evaluation knows of the pieces of one side alone: how close together and how near to
//! the centre they are.

use super::mass::{Mass, king_steps};
use monteverde_loa::Square;

/// The features of one side that depend on nothing but its pieces. More of each is meant to be
/// better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// One over one plus the mean distance of the pieces from their centre of mass, less the least
    /// that so many pieces can have; times [`CLOSE`].
    pub(super) concentration: i32,
    /// The mean worth of the pieces' squares, times [`PARTS`].
    pub(super) centralisation: i32,
    /// Minus how many half squares the centre of mass lies from that of the board, by files and by
    /// ranks together; times [`PARTS`].
    pub(super) centre: i32,
    /// The 2x2 windows with three or four of the pieces, within distance 2 of the centre of mass.
    pub(super) quads: i32,
    /// The mean number of a piece's neighbours of its own side, times [`PARTS`].
    pub(super) connectedness: i32,
    /// Minus the squares of the smallest rectangle around all pieces.
    pub(super) uniformity: i32,
}

/// The concentration of pieces as close together as can be.
pub(super) const CLOSE: i32 = 256;
/// Means are counted in such parts.
pub(super) const PARTS: i32 = 16;

/// The worth of a square: corner, edge beside a corner, other edge, the rims of the inner 6x6 and
/// 4x4 squares, the centre. From a printed table of an evaluation for this game.
const CORNER: i32 = -80;
const BESIDE_CORNER: i32 = -25;
const EDGE: i32 = -20;
const MIDDLE: i32 = 10;
const INNER: i32 = 25;
const CENTRE: i32 = 50;

/// The least sum of distances from their centre of mass that so many pieces can have.
const LEAST_DISTANCES: [i32; 13] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14];

impl Shape {
    /// Of the pieces on these squares, 1 to 12.
    #[inline(always)]
    pub(super) fn of(pieces: u64) -> Shape {
        Shape::new(pieces, Sums::of(pieces))
    }

    /// The same where the sums over the pieces are known.
    #[inline(always)]
    pub(super) fn new(pieces: u64, sums: Sums) -> Shape {
        let mass = sums.mass();
        let around = &AROUND[mass.square().index()];
        let off = |sum| off_centre(sum, mass.pieces);
        Shape {
            concentration: concentration(mass.pieces, distances(pieces, around) as i32),
            centralisation: mean(sums.worth(), mass.pieces),
            centre: -mean(off(mass.files) + off(mass.ranks), mass.pieces),
            quads: quads(pieces, around),
            connectedness: mean(2 * sums.pairs(), mass.pieces),
            uniformity: uniformity(pieces),
        }
    }
}

/// What the pieces of a side add up to: how many they are, their files, their ranks, how many pairs
/// of neighbours, and the worth of their squares. All in one word, so that a piece comes or goes by
/// one addition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sums(u64);

/// Each sum has so many bits but for the worth, which may be negative and has all that are left.
const SUM_BITS: u32 = 8;
const PAIRS_SHIFT: u32 = 3 * SUM_BITS;
const WORTH_SHIFT: u32 = 4 * SUM_BITS;

impl Sums {
    /// Of the pieces on these squares, 1 to 12.
    #[inline(always)]
    pub(super) fn of(pieces: u64) -> Sums {
        Sums(
            Sums::pack(Mass::of(pieces), worth(pieces)).0
                + ((neighbours(pieces) as u64) << PAIRS_SHIFT),
        )
    }

    /// With a piece more, which comes to these.
    #[inline(always)]
    pub(super) fn with(self, square: Square, pieces: u64) -> Sums {
        Sums(self.0.wrapping_add(Sums::of_one(square, pieces)))
    }

    /// With a piece less, which leaves these.
    #[inline(always)]
    pub(super) fn without(self, square: Square, pieces: u64) -> Sums {
        Sums(self.0.wrapping_sub(Sums::of_one(square, pieces)))
    }

    /// What a piece adds beside these.
    #[inline(always)]
    fn of_one(square: Square, pieces: u64) -> u64 {
        let pairs = count(AROUND[square.index()].neighbours & pieces) as u64;
        SUMS[square.index()].0.wrapping_add(pairs << PAIRS_SHIFT)
    }

    /// As a word, never 0.
    #[inline(always)]
    pub(super) fn to_bits(self) -> u64 {
        self.0
    }

    /// From the word that they are.
    #[inline(always)]
    pub(super) fn from_bits(bits: u64) -> Sums {
        Sums(bits)
    }

    const fn pack(mass: Mass, worth: i32) -> Sums {
        let Mass { pieces, files, ranks } = mass;
        let mass = pieces as u64 | (files as u64) << SUM_BITS | (ranks as u64) << (2 * SUM_BITS);
        Sums(mass | (worth as u64) << WORTH_SHIFT)
    }

    #[inline(always)]
    pub(super) fn mass(self) -> Mass {
        let sum = |number: u32| u32::from((self.0 >> (number * SUM_BITS)) as u8);
        Mass { pieces: sum(0), files: sum(1), ranks: sum(2) }
    }

    #[inline(always)]
    pub(super) fn pairs(self) -> i32 {
        i32::from((self.0 >> PAIRS_SHIFT) as u8)
    }

    #[inline(always)]
    pub(super) fn worth(self) -> i32 {
        (self.0 as i64 >> WORTH_SHIFT) as i32
    }
}

/// Those of one piece by its square.
static SUMS: [Sums; 64] = sums();

const fn sums() -> [Sums; 64] {
    let mut sums = [Sums(0); 64];
    let mut square = 0;
    while square < 64 {
        let mass = Mass { pieces: 1, files: square % 8, ranks: square / 8 };
        sums[square as usize] = Sums::pack(mass, worth(1 << square));
        square += 1;
    }
    sums
}

/// The mean of a sum over the pieces in [`PARTS`], rounded down.
#[inline(always)]
pub(super) const fn mean(sum: i32, pieces: u32) -> i32 {
    (sum * SHARES[pieces as usize & 15]) >> (SHARE_BITS - PARTS.trailing_zeros())
}

/// One over the number of pieces, in parts of 2 to the power of this.
const SHARE_BITS: u32 = 16;
static SHARES: [i32; 16] = shares();

const fn shares() -> [i32; 16] {
    let mut shares = [0; 16];
    let mut pieces = 1;
    while pieces < 16 {
        shares[pieces] = (1 << SHARE_BITS) / pieces as i32;
        pieces += 1;
    }
    shares
}

#[inline(always)]
const fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The sum of the pieces' distances from the middle of what is around.
#[inline(always)]
pub(super) fn distances(pieces: u64, around: &Around) -> usize {
    // The binary digits of all distances are counted one after another.
    let [ones, twos, fours] = around.digits;
    (count(pieces & ones) + 2 * count(pieces & twos) + 4 * count(pieces & fours)) as usize
}

/// See [`Shape::concentration`], by the number of pieces and the sum of their distances.
pub(super) const fn concentration(pieces: u32, distances: i32) -> i32 {
    let surplus = distances - LEAST_DISTANCES[pieces as usize];
    let surplus = if surplus > 0 { surplus } else { 0 };
    CLOSE * pieces as i32 / (pieces as i32 + surplus)
}

/// See [`Shape::quads`].
#[inline(always)]
pub(super) fn quads(pieces: u64, around: &Around) -> i32 {
    count(crowded(pieces) & around.windows)
}

#[inline(always)]
const fn worth(pieces: u64) -> i32 {
    // From the outside in: each square is worth what lies outside of it and the difference.
    CORNER * count(pieces)
        + (BESIDE_CORNER - CORNER) * count(pieces & !CORNERS)
        + (EDGE - BESIDE_CORNER) * count(pieces & !(CORNERS | BESIDE_CORNERS))
        + (MIDDLE - EDGE) * count(pieces & SIX_BY_SIX)
        + (INNER - MIDDLE) * count(pieces & FOUR_BY_FOUR)
        + (CENTRE - INNER) * count(pieces & TWO_BY_TWO)
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
const BESIDE_CORNERS: u64 = 0x4281_0000_0000_8142;
const SIX_BY_SIX: u64 = 0x007e_7e7e_7e7e_7e00;
const FOUR_BY_FOUR: u64 = 0x0000_3c3c_3c3c_0000;
const TWO_BY_TWO: u64 = 0x0000_0018_1800_0000;

/// How far the mean of these coordinates is from the middle of the board, in half squares and times
/// the pieces.
pub(super) const fn off_centre(sum: u32, pieces: u32) -> i32 {
    (2 * sum as i32 - 7 * pieces as i32).abs()
}

pub(super) const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The lower left squares of the windows with three or four of the pieces; on the h-file
/// meaningless.
#[inline(always)]
pub(super) fn crowded(pieces: u64) -> u64 {
    let (right, above, across) = (pieces >> 1, pieces >> 8, pieces >> 9);
    (pieces & right & (above | across)) | (above & across & (pieces | right))
}

/// How many pairs of neighbours there are.
#[inline(always)]
pub(super) fn neighbours(pieces: u64) -> i32 {
    const NOT_A_FILE: u64 = !0x0101_0101_0101_0101;
    count(pieces & NOT_H_FILE & pieces >> 1)
        + count(pieces & pieces >> 8)
        + count(pieces & NOT_H_FILE & pieces >> 9)
        + count(pieces & NOT_A_FILE & pieces >> 7)
}

/// See [`Shape::uniformity`]; there must be a piece.
#[inline(always)]
pub(super) fn uniformity(pieces: u64) -> i32 {
    let halves = pieces | pieces >> 32;
    let quarters = halves | halves >> 16;
    let width = i32::from(WIDTHS[((quarters | quarters >> 8) & 0xff) as usize]);
    let height = (pieces.trailing_zeros() / 8) as i32 + (pieces.leading_zeros() / 8) as i32 - 8;
    width * height
}

/// From the first to the last file of a set of files.
static WIDTHS: [u8; 256] = widths();

const fn widths() -> [u8; 256] {
    let mut widths = [0; 256];
    let mut files = 1u32;
    while files < 256 {
        widths[files as usize] = (32 - files.leading_zeros() - files.trailing_zeros()) as u8;
        files += 1;
    }
    widths
}

/// What lies around a square.
pub(super) struct Around {
    /// The squares whose distance has each binary digit, the lowest first.
    digits: [u64; 3],
    /// The squares at distance 1.
    neighbours: u64,
    /// The lower left squares of the windows within distance 2.
    windows: u64,
}

pub(super) static AROUND: [Around; 64] = all_around();

const fn all_around() -> [Around; 64] {
    let mut all = [const { Around { digits: [0; 3], neighbours: 0, windows: 0 } }; 64];
    let mut centre = 0;
    while centre < 64 {
        let mut square = 0;
        while square < 64 {
            let distance = king_steps(centre, square);
            let mut digit = 0;
            while digit < 3 {
                all[centre as usize].digits[digit] |= (distance as u64 >> digit & 1) << square;
                digit += 1;
            }
            if distance == 1 {
                all[centre as usize].neighbours |= 1 << square;
            }
            let is_window = square % 8 < 7 && square / 8 < 7;
            if is_window && distance <= 2 && king_steps(centre, square + 9) <= 2 {
                all[centre as usize].windows |= 1 << square;
            }
            square += 1;
        }
        centre += 1;
    }
    all
}
