//! Boards from outside, checked.

use crate::{Colour, FILES, PIECES, Piece, RANKS, Rules, SQUARES};

/// What a board is made from.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How many files the board has, 1 to 4.
    pub files: u8,
    /// How many ranks the board has, 1 to 8.
    pub ranks: u8,
    /// What lies on each square, by its number. Squares beyond the files and ranks are not looked
    /// at.
    pub faces: [Face; SQUARES],
    /// How many of each piece are covered, by its number.
    pub covered: [u8; PIECES],
    /// The colours; `None` before the first flip.
    pub colours: Option<Colours>,
    /// Plies since the last capture or flip.
    pub quiet: u16,
    /// When the game is drawn.
    pub rules: Rules,
}

/// What lies on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Face {
    /// Nothing.
    Empty,
    /// A covered piece.
    Covered,
    /// A covered piece that is being turned up.
    Turning,
    /// A piece, face up.
    Up(Piece),
}

/// Who plays which colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Colours {
    /// The colour of the side that moved first.
    pub first: Colour,
    /// The colour to move.
    pub mover: Colour,
}

/// Why a board cannot be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// Too large or without squares.
    #[error("a board has 1 to 4 files and 1 to 8 ranks, not {files} and {ranks}")]
    Size {
        /// How many files it has.
        files: u8,
        /// How many ranks it has.
        ranks: u8,
    },
    /// Neither colour has a piece.
    #[error("there is no piece")]
    NoPiece,
    /// More or fewer covered squares than covered pieces.
    #[error("{squares} squares are covered, but {pieces} covered pieces are named")]
    Covered {
        /// How many squares are covered.
        squares: u32,
        /// How many covered pieces are named.
        pieces: u32,
    },
    /// Two pieces are being turned up.
    #[error("{0} pieces are being turned up, at most one may")]
    Turning(usize),
    /// A count of plies where there can be none.
    #[error(
        "{0} plies without a capture or a flip cannot be before or during a flip, the count must be 0"
    )]
    Quiet(u16),
    /// Pieces face up before the first flip.
    #[error("before the first flip nothing is face up; name the side to move")]
    FaceUp,
    /// A flip in a game that is over.
    #[error("a colour has no piece left, so the game is over and nothing is turned up")]
    Over,
}

impl Setup {
    /// The start of the game.
    pub fn start() -> Setup {
        let mut covered = [0; PIECES];
        for piece in Piece::all() {
            covered[piece.index()] = piece.kind().count();
        }
        Setup {
            files: FILES,
            ranks: RANKS,
            faces: [Face::Covered; SQUARES],
            covered,
            colours: None,
            quiet: 0,
            rules: Rules::default(),
        }
    }
}
