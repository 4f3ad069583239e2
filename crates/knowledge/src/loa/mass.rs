//! Where the pieces of a side are on the whole: their centre of mass, and distances.

use monteverde_loa::{Board, Square};

/// The sums of files and ranks of some pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mass {
    /// How many pieces, 0 to 12.
    pub pieces: u32,
    /// Their files added up, the a-file counting 0.
    pub files: u32,
    /// Their ranks added up, rank 1 counting 0.
    pub ranks: u32,
}

impl Mass {
    /// Of the pieces on these squares, which are 12 at most.
    #[inline(always)]
    pub fn of(pieces: u64) -> Mass {
        // The binary digits of all files, and of all ranks, are counted one after another.
        let count = |mask: u64| (pieces & mask).count_ones();
        Mass {
            pieces: pieces.count_ones(),
            files: count(ODD_FILES) + 2 * count(ODD_PAIRS_OF_FILES) + 4 * count(RIGHT_HALF),
            ranks: count(ODD_RANKS) + 2 * count(ODD_PAIRS_OF_RANKS) + 4 * count(UPPER_HALF),
        }
    }

    /// The square of the centre of mass: mean file and mean rank, each rounded to the nearest,
    /// halves up. a1 without pieces.
    #[inline(always)]
    pub fn square(self) -> Square {
        let means = &ROUNDED[self.pieces as usize & 15];
        let (file, rank) = (means[self.files as usize & 127], means[self.ranks as usize & 127]);
        Square::at(file & 7, rank & 7)
    }
}

/// How many steps of a king it is from one square to another.
#[inline(always)]
pub fn distance(from: Square, to: Square) -> u8 {
    DISTANCES[from.index()][to.index()]
}

const ODD_FILES: u64 = 0xaaaa_aaaa_aaaa_aaaa;
const ODD_PAIRS_OF_FILES: u64 = 0xcccc_cccc_cccc_cccc;
const RIGHT_HALF: u64 = 0xf0f0_f0f0_f0f0_f0f0;
const ODD_RANKS: u64 = 0xff00_ff00_ff00_ff00;
const ODD_PAIRS_OF_RANKS: u64 = 0xffff_0000_ffff_0000;
const UPPER_HALF: u64 = 0xffff_ffff_0000_0000;

/// The rounded mean by the number of pieces and the sum, in powers of two so that no index is out
/// of bounds.
static ROUNDED: [[u8; 128]; 16] = rounded();

const fn rounded() -> [[u8; 128]; 16] {
    let mut table = [[0; 128]; 16];
    let mut pieces = 1;
    while pieces <= Board::MOST_PIECES as usize {
        let mut sum = 0;
        while sum <= 7 * pieces {
            table[pieces][sum] = ((2 * sum + pieces) / (2 * pieces)) as u8;
            sum += 1;
        }
        pieces += 1;
    }
    table
}

static DISTANCES: [[u8; 64]; 64] = distances();

const fn distances() -> [[u8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            table[from][to] = king_steps(from as u8, to as u8);
            to += 1;
        }
        from += 1;
    }
    table
}

/// The distance of two squares by their numbers.
pub(super) const fn king_steps(from: u8, to: u8) -> u8 {
    let files = (from % 8).abs_diff(to % 8);
    let ranks = (from / 8).abs_diff(to / 8);
    if files > ranks { files } else { ranks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Rng;

    #[test]
    fn the_centre_of_mass_is_the_rounded_mean() {
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let pieces = (0..1 + rng.below(12)).fold(0, |set, _| set | 1u64 << rng.below(64));
            let squares: Vec<Square> = monteverde_loa::bits(pieces).collect();
            let mean = |part: fn(Square) -> u8| {
                let sum: f64 = squares.iter().map(|&square| f64::from(part(square))).sum();
                (sum / squares.len() as f64 + 0.5).floor() as u8
            };
            let expected = Square::at(mean(Square::file), mean(Square::rank));
            assert_eq!(Mass::of(pieces).square(), expected, "{squares:?}");
        }
    }

    #[test]
    fn distances_are_those_of_a_king() {
        let square = |name: &str| name.parse::<Square>().expect("a square");
        assert_eq!(distance(square("a1"), square("h8")), 7);
        assert_eq!(distance(square("c3"), square("d7")), 4);
        assert_eq!(distance(square("g2"), square("g2")), 0);
    }
}
