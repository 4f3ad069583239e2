//! Zobrist keys: one random number for each thing a position may have, combined by exclusive or.

use crate::army::{Army, Black, White};
use crate::position::{Castle, Position, bits, square_of};
use crate::{Color, Move, Piece};
use monteverde_game::rng::split_mix;

struct Numbers {
    /// By colour, piece and square.
    pieces: [[[u64; 64]; 6]; 2],
    /// By the square of a rook that may still castle.
    castling: [u64; 64],
    /// By the square of an en passant capture.
    en_passant: [u64; 64],
    black_to_move: u64,
}

static NUMBERS: Numbers = numbers();

/// The key of a position, computed anew.
pub(crate) fn key(position: &Position) -> u64 {
    let mut key = if position.turn == Color::Black { NUMBERS.black_to_move } else { 0 };
    for color in Color::ALL {
        for piece in Piece::ALL {
            for square in bits(position.pieces[piece.index()] & position.colors[color.index()]) {
                key ^= NUMBERS.pieces[color.index()][piece.index()][square];
            }
        }
    }
    key ^ rights(position.castling, position.en_passant)
}

/// What a legal move changes in the key, the rights aside: who moves, and which piece stands where.
#[inline(always)]
pub(crate) fn change(before: &Position, mv: Move) -> u64 {
    match before.turn {
        Color::White => change_as::<White>(before, mv),
        Color::Black => change_as::<Black>(before, mv),
    }
}

/// The numbers of castling rooks and of an en passant square. Exclusive or of this before and after
/// a move is what the move changes in the rights.
#[inline(always)]
pub(crate) fn rights(castling: u64, en_passant: u64) -> u64 {
    let mut key = 0;
    for rook in bits(castling) {
        key ^= NUMBERS.castling[rook];
    }
    if en_passant != 0 {
        key ^= NUMBERS.en_passant[square_of(en_passant)];
    }
    key
}

/// What a pass changes in the key: who moves, and that nothing can be taken en passant.
pub(crate) fn pass(before: &Position) -> u64 {
    NUMBERS.black_to_move ^ rights(0, before.en_passant)
}

#[inline(always)]
fn change_as<A: Army>(before: &Position, mv: Move) -> u64 {
    let ours = &NUMBERS.pieces[A::US];
    let theirs = &NUMBERS.pieces[A::THEM];
    let (from, to) = (mv.from().index(), mv.to().index());
    let mover = mv.piece();
    let mut key = NUMBERS.black_to_move ^ ours[mover.index()][from];
    if mv.is_castling() {
        let castle = Castle::of::<A>(from, to);
        let rooks = &ours[Piece::Rook.index()];
        key ^= ours[Piece::King.index()][square_of(castle.king_to)];
        return key ^ rooks[to] ^ rooks[square_of(castle.rook_to)];
    }
    key ^= ours[mv.promotion().unwrap_or(mover).index()][to];
    let victim = if mv.is_en_passant() { A::Enemy::push(1 << to) } else { 1 << to };
    if before.colors[A::THEM] & victim != 0
        && let Some(piece) = before.piece_on(victim)
    {
        key ^= theirs[piece.index()][square_of(victim)];
    }
    key
}

/// Fills the numbers from a fixed seed, so that keys are the same in every version and on every
/// machine.
const fn numbers() -> Numbers {
    let mut state = 0x6d6f_6e74_6576_6572; // The first eight letters of the project's name.
    let mut numbers = Numbers {
        pieces: [[[0; 64]; 6]; 2],
        castling: [0; 64],
        en_passant: [0; 64],
        black_to_move: split_mix(&mut state),
    };
    let mut square = 0;
    while square < 64 {
        let mut piece = 0;
        while piece < 6 {
            numbers.pieces[0][piece][square] = split_mix(&mut state);
            numbers.pieces[1][piece][square] = split_mix(&mut state);
            piece += 1;
        }
        numbers.castling[square] = split_mix(&mut state);
        numbers.en_passant[square] = split_mix(&mut state);
        square += 1;
    }
    numbers
}
