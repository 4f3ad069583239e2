//! Where pieces reach: neighbours, and a cannon's jumps.

use crate::{FILES, RANKS, SQUARES, Square};
use monteverde_game::isa::Isa;

/// The up to four squares beside each square.
pub static NEIGHBOURS: [u32; SQUARES] = neighbours();

/// What a cannon on the square hits where `occupied` squares hold pieces, face up or down: in each
/// direction the second piece on the way, whatever lies between.
#[inline(always)]
pub fn jumps(square: Square, occupied: u32) -> u32 {
    jumps_with(square, occupied, column(occupied >> square.file()))
}

/// The same on a machine that may have an instruction for it.
#[inline(always)]
pub(crate) fn jumps_by<I: Isa>(isa: I, square: Square, occupied: u32) -> u32 {
    match isa.gather(occupied, A_FILE << square.file()) {
        Some(column) => jumps_with(square, occupied, column as usize & 0xff),
        None => jumps(square, occupied),
    }
}

/// The same with the pieces on the square's file.
#[inline(always)]
fn jumps_with(square: Square, occupied: u32, column: usize) -> u32 {
    let (file, first) = (square.file(), FILES * square.rank());
    let along = ALONG[usize::from(file)][(occupied >> first & 0xf) as usize];
    u32::from(along) << first | UPWARDS[usize::from(square.rank())][column] << file
}

const A_FILE: u32 = 0x1111_1111;

/// The squares of the a-file, the first rank in the lowest of eight bits.
#[inline(always)]
const fn column(occupied: u32) -> usize {
    let pairs = (occupied & 0x1111_1111 | (occupied & 0x1111_1111) >> 3) & 0x0303_0303;
    // Each pair moves six places less than the one below it, and no two sums fall on the same
    // place.
    ((pairs as u64 * 0x0104_1040) >> 24 & 0xff) as usize
}

/// What a cannon hits along a rank, by its file and the pieces on the rank.
static ALONG: [[u8; 16]; FILES as usize] = along();

/// What a cannon hits on the a-file, by its rank and the pieces on the file.
static UPWARDS: [[u32; 256]; RANKS as usize] = upwards();

const fn along() -> [[u8; 16]; FILES as usize] {
    let mut hits = [[0; 16]; FILES as usize];
    let mut file = 0;
    while file < FILES as usize {
        let mut occupied = 0;
        while occupied < 16 {
            let [right, _, left, _] = RAYS[file];
            hits[file][occupied] = (second_above(occupied as u32 & right)
                | second_below(occupied as u32 & left)) as u8;
            occupied += 1;
        }
        file += 1;
    }
    hits
}

const fn upwards() -> [[u32; 256]; RANKS as usize] {
    let mut hits = [[0; 256]; RANKS as usize];
    let mut rank = 0;
    while rank < RANKS as usize {
        let mut pieces = 0;
        while pieces < 256 {
            let occupied = a_file(pieces);
            let [_, up, _, down] = RAYS[rank * FILES as usize];
            hits[rank][pieces as usize] =
                second_above(occupied & up) | second_below(occupied & down);
            pieces += 1;
        }
        rank += 1;
    }
    hits
}

/// The squares of the a-file whose ranks are set.
const fn a_file(ranks: u32) -> u32 {
    let mut squares = 0;
    let mut rank = 0;
    while rank < RANKS {
        squares |= (ranks >> rank & 1) << (rank * FILES);
        rank += 1;
    }
    squares
}

/// The second lowest bit of a set, if it has one.
const fn second_above(set: u32) -> u32 {
    lowest(set & set.wrapping_sub(1))
}

/// The second highest bit of a set, if it has one.
const fn second_below(set: u32) -> u32 {
    highest(set ^ highest(set))
}

const fn lowest(set: u32) -> u32 {
    set & set.wrapping_neg()
}

const fn highest(set: u32) -> u32 {
    // In 64 bits, since the empty set has 32 leading zeros.
    ((1u64 << 31) >> set.leading_zeros()) as u32
}

/// The squares to the right, above, to the left and below, up to the edge, the square itself left
/// out.
const RAYS: [[u32; 4]; SQUARES] = rays();

const fn rays() -> [[u32; 4]; SQUARES] {
    let mut rays = [[0; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            rays[square][direction] = ray(square as i8, direction);
            direction += 1;
        }
        square += 1;
    }
    rays
}

const fn ray(square: i8, direction: usize) -> u32 {
    const TO_THE_RIGHT: [i8; 4] = [1, 0, -1, 0];
    const UPWARDS: [i8; 4] = [0, 1, 0, -1];
    let (files, ranks) = (FILES as i8, RANKS as i8);
    let mut file = square % files + TO_THE_RIGHT[direction];
    let mut rank = square / files + UPWARDS[direction];
    let mut ray = 0;
    while 0 <= file && file < files && 0 <= rank && rank < ranks {
        ray |= 1u32 << (rank * files + file);
        file += TO_THE_RIGHT[direction];
        rank += UPWARDS[direction];
    }
    ray
}

const fn neighbours() -> [u32; SQUARES] {
    let mut neighbours = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let [right, up, left, down] = RAYS[square];
        neighbours[square] = lowest(right) | lowest(up) | highest(left) | highest(down);
        square += 1;
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits;

    /// Counted square by square.
    #[test]
    fn a_cannon_jumps_over_exactly_one_piece() {
        let mut occupied = 0x9e37_79b9u32;
        for _ in 0..1000 {
            occupied = occupied.wrapping_mul(0x2c1b_3c6d).rotate_left(7) ^ 0x1d;
            for square in bits(u32::MAX) {
                let mut expected = 0;
                for (right, up) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                    let (mut file, mut rank) = (square.file() as i8, square.rank() as i8);
                    let mut met = 0;
                    loop {
                        (file, rank) = (file + right, rank + up);
                        if !(0..4).contains(&file) || !(0..8).contains(&rank) {
                            break;
                        }
                        let bit = Square::at(file as u8, rank as u8).bit();
                        met += u32::from(occupied & bit != 0);
                        if met == 2 {
                            expected |= bit;
                            break;
                        }
                    }
                }
                assert_eq!(jumps(square, occupied), expected, "{square} {occupied:x}");
            }
        }
    }

    #[test]
    fn neighbours_are_one_step_away() {
        for square in bits(u32::MAX) {
            let near = |other: &Square| {
                let files = square.file().abs_diff(other.file());
                files + square.rank().abs_diff(other.rank()) == 1
            };
            let expected = bits(u32::MAX).filter(near).fold(0, |set, other| set | other.bit());
            assert_eq!(NEIGHBOURS[square.index()], expected, "{square}");
        }
    }
}
