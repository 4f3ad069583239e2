//! Squares, sets of squares, and pieces. A set is a `u32`: bit `n` stands for the square of number
//! `n`.

use monteverde_game::Step;
use std::fmt;

/// How many files the largest board has.
pub const FILES: u8 = 4;
/// How many ranks the largest board has.
pub const RANKS: u8 = 8;
/// How many squares the largest board has.
pub const SQUARES: usize = 32;

/// A square of the board: a1 is 0, b1 is 1, a2 is 4, d8 is 31. A smaller board is the lower left
/// part of this one.
pub type Square = monteverde_game::Square<FILES>;

/// The squares of a set, lowest first.
#[inline(always)]
pub fn bits(mut set: u32) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let lowest = Square::wrap(set.trailing_zeros());
        set &= set - 1;
        Some(lowest)
    })
}

/// A colour of pieces. Which side plays it the first flip decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colour {
    /// Red, written in upper case.
    Red,
    /// Black, written in lower case.
    Black,
}

impl Colour {
    /// Both, red first.
    pub const ALL: [Colour; 2] = [Colour::Red, Colour::Black];

    /// The other colour.
    #[inline(always)]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Red => Colour::Black,
            Colour::Black => Colour::Red,
        }
    }
}

/// What a piece is, from the highest rank to the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// K, one a side.
    King,
    /// G, two a side.
    Guard,
    /// M, two a side.
    Minister,
    /// R, two a side.
    Rook,
    /// N, two a side.
    Knight,
    /// C, two a side: it captures by jumping.
    Cannon,
    /// P, five a side.
    Pawn,
}

/// How many kinds there are.
pub const KINDS: usize = 7;

impl Kind {
    /// All kinds from the highest rank to the lowest.
    pub const ALL: [Kind; KINDS] = [
        Kind::King,
        Kind::Guard,
        Kind::Minister,
        Kind::Rook,
        Kind::Knight,
        Kind::Cannon,
        Kind::Pawn,
    ];

    /// Whether it captures an enemy of that kind by stepping onto it: equal or lower rank, but a
    /// cannon never does, a pawn takes a king, and a king takes no pawn.
    #[inline(always)]
    pub const fn takes(self, prey: Kind) -> bool {
        match (self, prey) {
            (Kind::Cannon, _) | (Kind::King, Kind::Pawn) => false,
            (Kind::Pawn, Kind::King) => true,
            _ => self as u8 <= prey as u8,
        }
    }

    /// How many of it each side has at the start of the game.
    pub const fn count(self) -> u8 {
        match self {
            Kind::King => 1,
            Kind::Pawn => 5,
            _ => 2,
        }
    }
}

/// A piece, face up. As an event, that a flip shows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(u8);

/// More than the number of any piece.
pub const PIECES: usize = 16;

impl Piece {
    /// The piece of that colour and kind.
    #[inline(always)]
    pub const fn new(colour: Colour, kind: Kind) -> Piece {
        Piece((colour as u8) << 3 | kind as u8)
    }

    /// The piece of that number.
    #[inline(always)]
    pub(crate) const fn wrap(number: u8) -> Piece {
        Piece(number & 15)
    }

    /// Its number, 0 to 6 for red pieces and 8 to 14 for black ones, each from the king to the
    /// pawn.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Its colour.
    #[inline(always)]
    pub const fn colour(self) -> Colour {
        if self.0 & 8 == 0 { Colour::Red } else { Colour::Black }
    }

    /// Its kind.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        const BY_NUMBER: [Kind; 8] = [
            Kind::King,
            Kind::Guard,
            Kind::Minister,
            Kind::Rook,
            Kind::Knight,
            Kind::Cannon,
            Kind::Pawn,
            Kind::Pawn,
        ];
        BY_NUMBER[(self.0 & 7) as usize]
    }

    /// The number of its kind, which a table of 8 needs no bounds check for.
    #[inline(always)]
    pub(crate) const fn row(self) -> usize {
        (self.0 & 7) as usize
    }

    /// All pieces, red ones first, each colour from the king to the pawn.
    #[inline]
    pub fn all() -> impl Iterator<Item = Piece> {
        (0..2 * KINDS).map(|number| Piece((number / KINDS * 8 + number % KINDS) as u8))
    }

    /// Its letter: KGMRNCP in upper case for red, in lower case for black.
    pub const fn letter(self) -> char {
        let letter = b"KGMRNCP"[self.kind() as usize];
        match self.colour() {
            Colour::Red => letter as char,
            Colour::Black => letter.to_ascii_lowercase() as char,
        }
    }

    /// The piece of that letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::all().find(|piece| piece.letter() == letter)
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl Step for Piece {
    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }

    fn from_bits(bits: u32) -> Piece {
        assert!(
            bits < PIECES as u32 && bits & 7 < KINDS as u32,
            "{bits} are not the bits of a piece"
        );
        Piece(bits as u8)
    }
}
