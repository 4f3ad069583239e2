//! The evaluation of all boards one move ahead, as greedy playouts need it at every ply.

use super::{Weights, value};
use monteverde_chess::isa::{self, Isa, Task};
use monteverde_chess::{Board, Move};

/// Hands every legal move to the function with the value of the board after it, for the side that
/// plays the move: centipawns by a full evaluation, [`MATE`] where it mates, 0 where the game is
/// drawn by stalemate, fifty moves or insufficient material. `buffer` is scratch space.
pub fn for_each_successor(
    weights: &Weights,
    board: &Board,
    buffer: &mut Vec<Move>,
    visit: impl FnMut(Move, i32),
) {
    buffer.clear();
    board.legal_moves(buffer);
    for_each_after(weights, board, buffer, visit);
}

/// [`for_each_successor`] for these legal moves, in their order.
pub fn for_each_after(
    weights: &Weights,
    board: &Board,
    moves: &[Move],
    visit: impl FnMut(Move, i32),
) {
    isa::run(Successors { weights, board, moves, visit });
}

/// The value of a move that mates: more than any evaluation.
pub const MATE: i32 = 1_000_000;

/// Plies without capture or pawn move after which the game is drawn.
const FIFTY_MOVES: u16 = 100;

struct Successors<'a, F> {
    weights: &'a Weights,
    board: &'a Board,
    moves: &'a [Move],
    visit: F,
}

impl<F: FnMut(Move, i32)> Task for Successors<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) {
        for &mv in self.moves {
            let mut after = *self.board;
            after.play(mv);
            let value = match ended(&after) {
                Some(value) => value,
                None => -value(isa, self.weights, &after),
            };
            (self.visit)(mv, value);
        }
    }
}

/// The value of a finished game for the side that has just moved.
#[inline(always)]
fn ended(board: &Board) -> Option<i32> {
    if board.is_insufficient_material() {
        return Some(0);
    }
    if !board.has_legal_moves() {
        return Some(if board.in_check() { MATE } else { 0 });
    }
    (board.halfmoves() >= FIFTY_MOVES).then_some(0)
}
