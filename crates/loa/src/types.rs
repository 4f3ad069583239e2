//! Squares and sets of squares. A set is a `u64`: bit `n` stands for the square of number `n`.

use std::fmt;
use std::str::FromStr;

/// A square of the board: a1 is 0, b1 is 1, a2 is 8, h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square of that number.
    ///
    /// # Panics
    /// If the number is above 63.
    #[inline(always)]
    pub const fn new(number: u8) -> Square {
        assert!(number < 64);
        Square(number)
    }

    /// The square of that number, which is taken modulo 64: for numbers known to be in range, in code too hot for an
    /// assertion.
    #[inline(always)]
    pub(crate) const fn wrap(number: u32) -> Square {
        Square(number as u8 & 63)
    }

    /// The square on that file (0 is the a-file) and rank (0 is rank 1).
    ///
    /// # Panics
    /// If either is above 7.
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Square {
        assert!(file < 8 && rank < 8);
        Square(rank * 8 + file)
    }

    /// The file, 0 (a) to 7 (h).
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, 0 (rank 1) to 7 (rank 8).
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        (self.0 >> 3) & 7
    }

    /// The number, 0 to 63. The mask tells the compiler that tables of 64 need no bounds check.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The set of this one square.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self.index()
    }

    /// All 64 squares in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not the name of a square.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a square; a square is a file a to h and a rank 1 to 8, such as c3")]
pub struct SquareError(pub String);

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::at(file - b'a', rank - b'1')),
            _ => Err(SquareError(text.to_owned())),
        }
    }
}

/// The squares of a set, lowest first.
#[inline(always)]
pub fn bits(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| Square::wrap(set.trailing_zeros()));
        set &= set.wrapping_sub(1);
        lowest
    })
}
