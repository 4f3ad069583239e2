//! Zobrist keys: random numbers for what lies where, for what is covered, for the colours and the
//! turn, combined by exclusive or.

use crate::{Board, Colour, PIECES, Piece, SQUARES, Square, bits};
use monteverde_game::rng::split_mix;

struct Numbers {
    /// By piece and square.
    pieces: [[u64; SQUARES]; PIECES],
    covered: [u64; SQUARES],
    pending: [u64; SQUARES],
    /// By piece and how many of it are covered.
    pool: [[u64; SQUARES + 1]; PIECES],
    /// For the colour of the side that moved first: red, black, not decided.
    first: [u64; 3],
    black_to_move: u64,
}

static NUMBERS: Numbers = numbers();

/// The difference between the keys of the same pieces with Red and with Black to move.
pub(crate) const TURN: u64 = numbers().black_to_move;

/// The key of a board, computed anew.
pub(crate) fn key(board: &Board) -> u64 {
    let colours = board.colours();
    let mut key = first(colours.map(|colours| colours.first));
    key ^= colours.map_or(0, |colours| mover(colours.mover));
    for square in bits(board.covered()) {
        key ^= covered(square);
    }
    for square in bits(board.face_up()) {
        key ^= board.piece(square).map_or(0, |face| piece(face, square));
    }
    for piece in Piece::all() {
        key ^= pool(piece, board.pool(piece));
    }
    key ^ board.pending().map_or(0, pending)
}

/// A piece that lies face up on a square.
#[inline(always)]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// What a step of a piece changes.
#[inline(always)]
pub(crate) fn step(face: Piece, from: Square, to: Square) -> u64 {
    piece(face, from) ^ piece(face, to) ^ TURN
}

/// What changes where a covered square turns out to be that piece, of which so many were covered.
#[inline(always)]
pub(crate) fn turned_up(face: Piece, square: Square, count: u8) -> u64 {
    covered(square) ^ piece(face, square) ^ pool(face, count) ^ pool(face, count - 1) ^ TURN
}

/// What changes where the first flip shows that colour.
#[inline(always)]
pub(crate) fn decided(colour: Colour) -> u64 {
    first(Some(colour)) ^ first(None) ^ mover(colour)
}

/// A square with a covered piece.
#[inline(always)]
pub(crate) fn covered(square: Square) -> u64 {
    NUMBERS.covered[square.index()]
}

/// A square that is being turned up.
#[inline(always)]
pub(crate) fn pending(square: Square) -> u64 {
    NUMBERS.pending[square.index()]
}

/// So many covered pieces of a kind, at most 32.
#[inline(always)]
pub(crate) fn pool(piece: Piece, count: u8) -> u64 {
    NUMBERS.pool[piece.index()][usize::from(count)]
}

/// The colour of the side that moved first.
#[inline(always)]
pub(crate) fn first(colour: Option<Colour>) -> u64 {
    NUMBERS.first[colour.map_or(2, |colour| colour as usize)]
}

/// The colour to move.
#[inline(always)]
pub(crate) fn mover(colour: Colour) -> u64 {
    match colour {
        Colour::Red => 0,
        Colour::Black => TURN,
    }
}

/// Fills the numbers from a fixed seed, so that keys are the same in every version and on every
/// machine.
const fn numbers() -> Numbers {
    let mut state = 0x6461_726b_6368_6573; // The first eight letters of the game's name.
    let mut numbers = Numbers {
        pieces: [[0; SQUARES]; PIECES],
        covered: [0; SQUARES],
        pending: [0; SQUARES],
        pool: [[0; SQUARES + 1]; PIECES],
        first: [split_mix(&mut state), split_mix(&mut state), split_mix(&mut state)],
        black_to_move: split_mix(&mut state),
    };
    let mut square = 0;
    while square < SQUARES {
        numbers.covered[square] = split_mix(&mut state);
        numbers.pending[square] = split_mix(&mut state);
        let mut piece = 0;
        while piece < PIECES {
            numbers.pieces[piece][square] = split_mix(&mut state);
            // The number of none at all stays 0.
            numbers.pool[piece][square + 1] = split_mix(&mut state);
            piece += 1;
        }
        square += 1;
    }
    numbers
}
