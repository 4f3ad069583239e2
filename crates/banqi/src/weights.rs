//! How likely moves are in a playout.

use crate::{KINDS, Kind};

/// How likely each move is in a playout, relative to the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// By kind; the last entry is no kind's.
    captures: [u32; 8],
    others: u32,
}

impl Weights {
    /// The greatest weight, so that their sum over all moves stays in 32 bits.
    pub const MOST: u32 = 1 << 20;

    /// Weights of captures by the kind of the captured piece, from the king to the pawn, and of all other moves.
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
        Weights { captures: by_kind, others }
    }

    /// The weight of a capture of that kind.
    pub const fn capture(&self, kind: Kind) -> u32 {
        self.captures[kind as usize]
    }

    /// The weight of every move that captures nothing.
    pub const fn others(&self) -> u32 {
        self.others
    }
}

/// Weights, or that all moves are alike, which the compiler then knows.
pub(crate) trait Weighing: Copy {
    fn capture(self, kind: usize) -> u32;
    fn others(self) -> u32;
}

/// All moves are alike.
#[derive(Clone, Copy)]
pub(crate) struct Uniform;

impl Weighing for Uniform {
    #[inline(always)]
    fn capture(self, _: usize) -> u32 {
        1
    }

    #[inline(always)]
    fn others(self) -> u32 {
        1
    }
}

impl Weighing for &Weights {
    #[inline(always)]
    fn capture(self, kind: usize) -> u32 {
        self.captures[kind]
    }

    #[inline(always)]
    fn others(self) -> u32 {
        self.others
    }
}
