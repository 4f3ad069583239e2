//! Positions as they are set up, and what makes one legal.

use crate::army::{Army, Black, White};
use crate::position::{PAWN, Position};
use crate::{Board, Color, Piece, Square, Variant, Wing, zobrist};

/// A position as plain data, not yet known to be legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands on each square, by [`Square::index`].
    pub pieces: [Option<(Color, Piece)>; 64],
    /// The side to move.
    pub turn: Color,
    /// The rook with which a side may still castle, by [`Color::index`] and [`Wing::index`].
    pub castling: [[Option<Square>; 2]; 2],
    /// The square that a pawn has just passed over. A board keeps it only if a capture there is
    /// legal.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// The number of the move, from 1; 0 is read as 1.
    pub fullmoves: u16,
    /// How castling is written. A board with rights that standard chess does not know is of
    /// Chess960 whatever this says.
    pub variant: Variant,
}

/// Why a setup is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// A side has no king, or several.
    #[error("{color} has {count} kings; each side must have exactly one")]
    Kings {
        /// The side.
        color: Color,
        /// How many kings it has.
        count: usize,
    },
    /// A side has too many pieces.
    #[error("{color} has {count} pieces; at most 16 are possible")]
    Pieces {
        /// The side.
        color: Color,
        /// How many pieces it has, pawns and king included.
        count: usize,
    },
    /// A side has too many pawns.
    #[error("{color} has {count} pawns; at most 8 are possible")]
    Pawns {
        /// The side.
        color: Color,
        /// How many pawns it has.
        count: usize,
    },
    /// A pawn stands where none can.
    #[error("there is a pawn on {square}; pawns stand on ranks 2 to 7")]
    PawnRank {
        /// Where it stands.
        square: Square,
    },
    /// The king could be captured.
    #[error("{color} is in check although it is {}'s turn", .color.other())]
    OpponentInCheck {
        /// The side in check.
        color: Color,
    },
    /// The king has left its rank.
    #[error("{color} cannot have the right to castle: its king is on {king}, not on rank {}", back_rank(*.color) + 1)]
    CastlingKing {
        /// The side.
        color: Color,
        /// Where its king stands.
        king: Square,
    },
    /// There is no such rook.
    #[error(
        "{color} cannot have the right to castle with a rook on {rook}: none of its rooks is there"
    )]
    CastlingRook {
        /// The side.
        color: Color,
        /// Where the rook should be.
        rook: Square,
    },
    /// The rook is not on the side of the king, or not on its rank.
    #[error(
        "{color} cannot castle {} with the rook on {rook}: its king is on {king}, and the rook must be on \
         the same rank towards the {}-file",
        match .wing { Wing::King => "king's side", Wing::Queen => "queen's side" },
        match .wing { Wing::King => 'h', Wing::Queen => 'a' }
    )]
    CastlingSide {
        /// The side.
        color: Color,
        /// The wing of the right.
        wing: Wing,
        /// Where the king stands.
        king: Square,
        /// Where the rook stands.
        rook: Square,
    },
    /// No pawn can just have passed over the square.
    #[error(
        "{square} cannot be the en passant square with {turn} to move: it must be an empty square on rank {} \
         that a pawn of {} has just passed over, standing one rank beyond it with nothing where it came from",
        if *.turn == Color::White { 6 } else { 3 }, .turn.other()
    )]
    EnPassant {
        /// The square.
        square: Square,
        /// The side to move.
        turn: Color,
    },
}

impl Setup {
    /// An empty board, White to move, no rights, move 1.
    pub fn empty() -> Setup {
        Setup {
            pieces: [None; 64],
            turn: Color::White,
            castling: [[None; 2]; 2],
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
            variant: Variant::Standard,
        }
    }

    /// The initial position of Chess960 of that number in Scharnagl's numbering; `None` above 959.
    pub fn chess960(number: u16) -> Option<Setup> {
        let files = back_rank_files(number)?;
        let mut setup = Setup { variant: Variant::Chess960, ..Setup::empty() };
        for color in Color::ALL {
            let rank = back_rank(color);
            let pawn_rank = if color == Color::White { 1 } else { 6 };
            let king = files.iter().position(|&piece| piece == Piece::King);
            for (file, &piece) in files.iter().enumerate() {
                let square = Square::at(file as u8, rank);
                setup.pieces[square.index()] = Some((color, piece));
                setup.pieces[Square::at(file as u8, pawn_rank).index()] =
                    Some((color, Piece::Pawn));
                if piece == Piece::Rook {
                    let wing = if Some(file) > king { Wing::King } else { Wing::Queen };
                    setup.castling[color.index()][wing.index()] = Some(square);
                }
            }
        }
        Some(setup)
    }
}

impl From<&Board> for Setup {
    fn from(board: &Board) -> Setup {
        Setup {
            pieces: std::array::from_fn(|square| board.piece_at(Square::new(square as u8))),
            turn: board.turn(),
            castling: Color::ALL
                .map(|color| Wing::ALL.map(|wing| board.castling_rook(color, wing))),
            en_passant: board.en_passant(),
            halfmoves: board.halfmoves(),
            fullmoves: board.fullmoves(),
            variant: board.variant(),
        }
    }
}

impl TryFrom<Setup> for Board {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Board, SetupError> {
        Board::from_setup(&setup)
    }
}

impl Board {
    /// The board of a setup, if it is a legal position as far as the rules of this crate need:
    /// promoted pieces are not counted against missing pawns, and checks may be such as no move
    /// can give.
    pub fn from_setup(setup: &Setup) -> Result<Board, SetupError> {
        let mut position = Position {
            pieces: [0; 6],
            colors: [0; 2],
            castling: 0,
            en_passant: 0,
            turn: setup.turn,
            halfmoves: setup.halfmoves,
        };
        for square in Square::all() {
            if let Some((color, piece)) = setup.pieces[square.index()] {
                position.pieces[piece.index()] |= 1 << square.index();
                position.colors[color.index()] |= 1 << square.index();
            }
        }
        check_material(setup)?;
        check_opponent(&position)?;
        for color in Color::ALL {
            for wing in Wing::ALL {
                if let Some(rook) = setup.castling[color.index()][wing.index()] {
                    check_castling(setup, &position, (color, wing), rook)?;
                    position.castling |= 1 << rook.index();
                }
            }
        }
        if let Some(square) = setup.en_passant {
            match setup.turn {
                Color::White => set_en_passant::<Black>(&mut position, square)?,
                Color::Black => set_en_passant::<White>(&mut position, square)?,
            }
        }
        let variant = if is_standard(&position) { setup.variant } else { Variant::Chess960 };
        let key = zobrist::key(&position);
        Ok(Board { position, key, fullmoves: setup.fullmoves.max(1), variant })
    }
}

/// The rank where that side's pieces start, 0 or 7.
fn back_rank(color: Color) -> u8 {
    match color {
        Color::White => 0,
        Color::Black => 7,
    }
}

fn check_material(setup: &Setup) -> Result<(), SetupError> {
    for color in Color::ALL {
        let count = |wanted: Option<Piece>| {
            let is_counted = |&&(owner, piece): &&(Color, Piece)| {
                owner == color && wanted.is_none_or(|wanted| piece == wanted)
            };
            setup.pieces.iter().flatten().filter(is_counted).count()
        };
        match count(Some(Piece::King)) {
            1 => {}
            count => return Err(SetupError::Kings { color, count }),
        }
        match count(None) {
            0..=16 => {}
            count => return Err(SetupError::Pieces { color, count }),
        }
        match count(Some(Piece::Pawn)) {
            0..=8 => {}
            count => return Err(SetupError::Pawns { color, count }),
        }
    }
    let is_misplaced = |square: &Square| {
        matches!(square.rank(), 0 | 7)
            && matches!(setup.pieces[square.index()], Some((_, Piece::Pawn)))
    };
    match Square::all().find(is_misplaced) {
        Some(square) => Err(SetupError::PawnRank { square }),
        None => Ok(()),
    }
}

fn check_opponent(position: &Position) -> Result<(), SetupError> {
    let color = position.turn.other();
    match (Position { turn: color, ..*position }).checkers() {
        0 => Ok(()),
        _ => Err(SetupError::OpponentInCheck { color }),
    }
}

fn check_castling(
    setup: &Setup,
    position: &Position,
    (color, wing): (Color, Wing),
    rook: Square,
) -> Result<(), SetupError> {
    let king = Square::new(position.king(color.index()) as u8);
    if king.rank() != back_rank(color) {
        return Err(SetupError::CastlingKing { color, king });
    }
    if setup.pieces[rook.index()] != Some((color, Piece::Rook)) {
        return Err(SetupError::CastlingRook { color, rook });
    }
    if rook.rank() != king.rank() || (rook > king) != (wing == Wing::King) {
        return Err(SetupError::CastlingSide { color, wing, king, rook });
    }
    Ok(())
}

/// Takes over the square that a pawn of `A` has passed over, if one can have.
fn set_en_passant<A: Army>(position: &mut Position, square: Square) -> Result<(), SetupError> {
    let passed = 1 << square.index();
    let empty = !position.occupied();
    let pawns = position.pieces[PAWN] & position.colors[A::US];
    if passed & A::THIRD_RANK & empty & A::Enemy::push(pawns) & A::push(empty) == 0 {
        return Err(SetupError::EnPassant { square, turn: position.turn });
    }
    position.allow_en_passant::<A>(passed);
    Ok(())
}

/// Whether every castling right is one of standard chess.
fn is_standard(position: &Position) -> bool {
    const CORNERS: u64 = 0x8100_0000_0000_0081;
    const KING_FILE: usize = 4;
    position.castling & !CORNERS == 0
        && Color::ALL.into_iter().map(Color::index).all(|color| {
            position.castling & position.colors[color] == 0 || position.king(color) % 8 == KING_FILE
        })
}

/// The pieces of a back rank from the a-file on, by the number of the start. The remainders by 4, 4
/// and 6 place the bishops and the queen; what is left places the knights, and rook, king and rook
/// take the squares that remain in that order.
fn back_rank_files(number: u16) -> Option<[Piece; 8]> {
    if number >= 960 {
        return None;
    }
    let number = usize::from(number);
    let mut files = [None; 8];
    files[number % 4 * 2 + 1] = Some(Piece::Bishop);
    files[number / 4 % 4 * 2] = Some(Piece::Bishop);
    let mut place = |nth: usize, piece: Piece| {
        let free = files.iter_mut().filter(|file| file.is_none()).nth(nth);
        *free.expect("enough files are free") = Some(piece);
    };
    place(number / 16 % 6, Piece::Queen);
    let (first, second) = KNIGHTS[number / 96];
    // The second is placed first, so that it does not shift the first.
    place(second, Piece::Knight);
    place(first, Piece::Knight);
    for piece in [Piece::Rook, Piece::King, Piece::Rook] {
        place(0, piece);
    }
    Some(files.map(|piece| piece.expect("every file has a piece")))
}

/// Where among five free files the two knights go.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
