//! Material combinations by number: which pieces are in the game, whether covered or not and
//! wherever they lie.

use crate::{KINDS, Kind, PIECES};

/// How many sets of pieces a side may have, none at all included: paper 004, section 3.1.2.
pub const SETS: u32 = sets();

/// A number above that of every combination: two sets, the red one counting [`SETS`] times.
pub const COMBINATIONS: u32 = SETS * SETS;

/// What each piece adds to the number of a combination.
pub(crate) const STRIDES: [u32; PIECES] = strides();

/// The number of a combination by how many of each piece there are; `None` where a side has more of
/// a kind than at the start of the game.
pub fn number(material: &[u8; PIECES]) -> Option<u32> {
    let mut number = 0;
    for kind in Kind::ALL {
        for piece in [kind as usize, kind as usize + PIECES / 2] {
            if material[piece] > kind.count() {
                return None;
            }
            number += u32::from(material[piece]) * STRIDES[piece];
        }
    }
    Some(number)
}

/// How many of each kind the set of that number has, from the king to the pawn.
pub fn set(number: u32) -> [u8; KINDS] {
    Kind::ALL.map(|kind| {
        let counts = u32::from(kind.count()) + 1;
        (number / STRIDES[PIECES / 2 + kind as usize] % counts) as u8
    })
}

const fn sets() -> u32 {
    let mut sets = 1;
    let mut kind = 0;
    while kind < KINDS {
        sets *= Kind::ALL[kind].count() as u32 + 1;
        kind += 1;
    }
    sets
}

const fn strides() -> [u32; PIECES] {
    let mut strides = [0; PIECES];
    let mut stride = 1;
    let mut kind = KINDS;
    while kind > 0 {
        kind -= 1;
        strides[kind] = stride * SETS;
        strides[PIECES / 2 + kind] = stride;
        stride *= Kind::ALL[kind].count() as u32 + 1;
    }
    strides
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Piece;

    /// Paper 004 counts 8,503,055, all but the one of no piece at all.
    #[test]
    fn every_combination_has_a_number_of_its_own() {
        assert_eq!((SETS, COMBINATIONS - 1), (2_916, 8_503_055));
        for red in (0..SETS).step_by(7) {
            for black in [0, 1, 5, 6, 1_000, SETS - 1] {
                let mut material = [0; PIECES];
                for kind in Kind::ALL {
                    material[kind as usize] = set(red)[kind as usize];
                    material[PIECES / 2 + kind as usize] = set(black)[kind as usize];
                }
                assert_eq!(number(&material), Some(red * SETS + black));
            }
        }
        let mut material = [0; PIECES];
        material[Piece::from_letter('k').expect("a piece").index()] = 2;
        assert_eq!(number(&material), None, "there is one king");
    }
}
