//! Zobrist keys: one random number for each piece on each square and one for the turn, combined by
//! exclusive or.

use crate::{Board, Move, bits};
use monteverde_game::Side;
use monteverde_game::rng::split_mix;

struct Numbers {
    /// By side and square.
    pieces: [[u64; 64]; 2],
    white_to_move: u64,
}

static NUMBERS: Numbers = numbers();

/// The difference between the keys of the same pieces with Black and with White to move.
pub(crate) const TURN: u64 = numbers().white_to_move;

/// The key of a board, computed anew.
pub(crate) fn key(board: &Board) -> u64 {
    let mut key = if board.turn() == Side::Second { TURN } else { 0 };
    for side in [Side::First, Side::Second] {
        for square in bits(board.pieces(side)) {
            key ^= NUMBERS.pieces[side as usize][square.index()];
        }
    }
    key
}

/// What a move changes in the key.
#[inline(always)]
pub(crate) fn change(before: &Board, mv: Move) -> u64 {
    if mv.is_pass() {
        return TURN;
    }
    let side = before.turn();
    let own = &NUMBERS.pieces[side as usize];
    let mut key = TURN ^ own[mv.from().index()] ^ own[mv.to().index()];
    if before.is_capture(mv) {
        key ^= NUMBERS.pieces[side.other() as usize][mv.to().index()];
    }
    key
}

/// Fills the numbers from a fixed seed, so that keys are the same in every version and on every
/// machine.
const fn numbers() -> Numbers {
    let mut state = 0x6c69_6e65_736f_6661; // The first eight letters of the game's name.
    let mut numbers = Numbers { pieces: [[0; 64]; 2], white_to_move: split_mix(&mut state) };
    let mut square = 0;
    while square < 64 {
        numbers.pieces[0][square] = split_mix(&mut state);
        numbers.pieces[1][square] = split_mix(&mut state);
        square += 1;
    }
    numbers
}
