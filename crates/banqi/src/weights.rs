//! How likely moves are in a playout.

use crate::{KINDS, Kind, Piece};

/// How likely each move is in a playout, relative to the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// By kind; the last entry is no kind's.
    captures: [u32; 8],
    /// Of captures by a step, by the kind of the piece and what it takes; 0 where it may not.
    steps: [[u32; 8]; 8],
    others: u32,
    /// One part in `others` of 1, in units of `1 / (1 << SHIFT)` and a little too much.
    other: u64,
}

/// With weights up to [`Weights::MOST`] and less than 128 moves, a number below their sum is below
/// `1 << 27`: its product with a reciprocal that is off by less than one unit is off by less than
/// `(1 << 27) * (1 << 20)` parts of a move, which is less than one part in so many as there are; so
/// it falls into the right move, and into 64 bits.
const SHIFT: u32 = 48;

impl Weights {
    /// The greatest weight, so that their sum over all moves stays in 32 bits.
    pub const MOST: u32 = 1 << 20;

    /// Weights of captures by the kind of the captured piece, from the king to the pawn, and of all
    /// other moves.
    ///
    /// # Panics
    /// If a weight is 0 or above [`Weights::MOST`].
    pub const fn new(captures: [u32; KINDS], others: u32) -> Weights {
        let mut by_kind = [0; 8];
        let mut kind = 0;
        while kind < KINDS {
            assert!(0 < captures[kind] && captures[kind] <= Weights::MOST);
            by_kind[kind] = captures[kind];
            kind += 1;
        }
        assert!(0 < others && others <= Weights::MOST);
        let other = (1 << SHIFT) / others as u64 + 1;
        Weights { captures: by_kind, steps: steps(captures), others, other }
    }

    /// The weight of a capture of that kind.
    pub const fn capture(&self, kind: Kind) -> u32 {
        self.captures[kind as usize]
    }

    /// The same of that piece.
    #[inline(always)]
    pub(crate) fn capture_of(&self, prey: Piece) -> u32 {
        self.captures[prey.row()]
    }

    /// The weight of a capture by a step; 0 where the piece may not.
    #[inline(always)]
    pub(crate) fn step(&self, hunter: Piece, prey: Piece) -> u32 {
        self.steps[hunter.row()][prey.row()]
    }

    /// The weight of every move that captures nothing.
    #[inline(always)]
    pub const fn others(&self) -> u32 {
        self.others
    }

    /// The number of the move that captures nothing into which a number falls: that number divided
    /// by [`Weights::others`], by multiplication, which is faster.
    #[inline(always)]
    pub(crate) fn other(&self, drawn: u32) -> u32 {
        ((u64::from(drawn) * self.other) >> SHIFT) as u32
    }
}

const fn steps(captures: [u32; KINDS]) -> [[u32; 8]; 8] {
    let mut steps = [[0; 8]; 8];
    let mut hunter = 0;
    while hunter < KINDS {
        let mut prey = 0;
        while prey < KINDS {
            if Kind::ALL[hunter].takes(Kind::ALL[prey]) {
                steps[hunter][prey] = captures[prey];
            }
            prey += 1;
        }
        hunter += 1;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_falls_into_the_same_move_as_a_quotient() {
        for others in (1..=1000).chain([Weights::MOST - 1, Weights::MOST]) {
            let weights = Weights::new([1; KINDS], others);
            for index in 0..127 {
                for drawn in [index * others, index * others + others / 2, (index + 1) * others - 1]
                {
                    assert_eq!(weights.other(drawn), index, "{drawn} / {others}");
                }
            }
        }
    }
}
