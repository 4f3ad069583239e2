//! The squares of boards with eight ranks.

use std::fmt;
use std::str::FromStr;

/// A square of a board with so many files, 1, 2, 4 or 8, and eight ranks: a1 is 0, b1 is 1, and a2
/// is as many as there are files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square<const FILES: u8>(u8);

const RANKS: u8 = 8;

impl<const FILES: u8> Square<FILES> {
    const COUNT: u8 = {
        assert!(FILES <= 8 && FILES.is_power_of_two());
        FILES * RANKS
    };
    const MASK: u8 = Self::COUNT - 1;

    /// The square of that number.
    ///
    /// # Panics
    /// If there are not more squares than that.
    #[inline(always)]
    pub const fn new(number: u8) -> Self {
        assert!(number < Self::COUNT);
        Square(number)
    }

    /// The square of that number, which is taken modulo the number of squares: for numbers known to
    /// be in range, in code too hot for an assertion.
    #[inline(always)]
    pub const fn wrap(number: u32) -> Self {
        Square(number as u8 & Self::MASK)
    }

    /// The square on that file (0 is the a-file) and rank (0 is rank 1).
    ///
    /// # Panics
    /// If there is no such file, or the rank is above 7.
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Self {
        assert!(file < FILES && rank < RANKS);
        Square(rank * FILES + file)
    }

    /// The file; 0 is the a-file.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & (FILES - 1)
    }

    /// The rank, 0 (rank 1) to 7 (rank 8).
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        (self.0 >> FILES.trailing_zeros()) & (RANKS - 1)
    }

    /// The number. The mask tells the compiler that tables of all squares need no bounds check.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & Self::MASK) as usize
    }

    /// All squares in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..Self::COUNT).map(Square)
    }
}

impl Square<8> {
    /// The set of this one square.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self.index()
    }
}

impl Square<4> {
    /// The set of this one square.
    #[inline(always)]
    pub const fn bit(self) -> u32 {
        1 << self.index()
    }
}

impl<const FILES: u8> fmt::Display for Square<FILES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl<const FILES: u8> fmt::Debug for Square<FILES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not the name of a square.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{text}' is not a square; a square is a file a to {last} and a rank 1 to 8, such as {last}3"
)]
pub struct SquareError {
    /// What was given.
    pub text: String,
    /// The last file of the board.
    pub last: char,
}

impl<const FILES: u8> FromStr for Square<FILES> {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] if file - b'a' < FILES => {
                Ok(Square::at(file - b'a', rank - b'1'))
            }
            _ => Err(SquareError { text: text.to_owned(), last: (b'a' + FILES - 1) as char }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const FILES: u8>(last: &str) {
        for (number, square) in (0..).zip(Square::<FILES>::all()) {
            assert_eq!(square, Square::new(number));
            assert_eq!(square, Square::at(square.file(), square.rank()));
            assert_eq!(square, Square::wrap(square.index() as u32 + 8 * u32::from(FILES)));
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!(
            Square::<FILES>::all().next_back().map(|square| square.to_string()),
            Some(last.into())
        );
    }

    #[test]
    fn squares_are_numbered_and_named() {
        check::<8>("h8");
        check::<4>("d8");
        assert_eq!((Square::<8>::at(2, 1).bit(), Square::<4>::at(2, 1).bit()), (1 << 10, 1 << 6));
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for text in ["", "a", "a0", "a9", "e1", "`1", "A1", "a11", "ä1", "\u{ff}1"] {
            let error = text.parse::<Square<4>>().expect_err("no square").to_string();
            let part = "is not a square; a square is a file a to d and a rank 1 to 8, such as d3";
            assert_eq!(error, format!("'{text}' {part}"));
        }
        assert!("i1".parse::<Square<8>>().is_err() && "e1".parse::<Square<8>>().is_ok());
    }
}
