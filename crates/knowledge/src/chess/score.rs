//! A value for the middlegame and one for the ending, added up as one number.

use std::ops::{Add, AddAssign, Mul};

/// Two values in centipawns, in one number: the ending's in the upper half, the middlegame's, which
/// borrows from it when negative, in the lower. Sums and multiples are right as long as each of the
/// two stays within 16 bits, which no legal board comes near to exceeding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// A score of these two values.
    #[inline(always)]
    pub const fn new(midgame: i16, endgame: i16) -> Score {
        Score(((endgame as i32) << 16) + midgame as i32)
    }

    /// The value in the middlegame.
    #[inline(always)]
    pub const fn midgame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value in the ending.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        // Rounding to the nearest gives back what a negative lower half has borrowed.
        (self.0 + 0x8000) >> 16
    }
}

impl Add for Score {
    type Output = Score;
    #[inline(always)]
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl AddAssign for Score {
    #[inline(always)]
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl Mul<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn mul(self, count: i32) -> Score {
        Score(self.0 * count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        let values = [-3000, -129, -1, 0, 1, 128, 3000];
        for (midgame, endgame) in values.iter().flat_map(|&a| values.map(|b| (a, b))) {
            for count in -9..=9 {
                let score = Score::new(100, -7) + Score::new(midgame, endgame) * count;
                assert_eq!(score.midgame(), 100 + i32::from(midgame) * count);
                assert_eq!(score.endgame(), -7 + i32::from(endgame) * count);
            }
        }
    }
}
