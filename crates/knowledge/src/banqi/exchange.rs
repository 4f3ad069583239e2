//! What exchanges on a square come to, two plies deep: a capture, and whether the capturer can be
//! captured in turn. In the unit of the piece weights.

use super::material::PIECE_WEIGHTS;
use monteverde_banqi::{Board, Move, Piece, Square, bits};

/// What a piece that lies face up on a square loses at most if the enemy captures it; 0 or less
/// where that does not pay. `None` where nobody can.
#[inline]
pub(super) fn lost(board: &Board, piece: Piece, square: Square) -> Option<i32> {
    lost_at(board, piece, square, board.covered() | board.face_up())
}

/// Whether the enemy gains more by captures where a legal move leads, no flip, than the move takes.
pub(super) fn loses(board: &Board, mv: Move) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = board.piece(from) else { return false };
    let occupied = (board.covered() | board.face_up()) & !from.bit() | to.bit();
    let taken = board.piece(to).map_or(0, weight);
    lost_at(board, piece, to, occupied).is_some_and(|lost| lost > taken)
}

/// The same for a piece that may come from elsewhere, with these squares holding pieces.
#[inline(always)]
fn lost_at(board: &Board, piece: Piece, square: Square, occupied: u32) -> Option<i32> {
    let attackers = board.attackers(square, piece, occupied) & occupied;
    let lost = |from: Square| {
        let attacker = board.piece(from).expect("what attacks lies face up");
        let after = occupied & !from.bit();
        let is_safe = board.attackers(square, attacker, after) & after == 0;
        weight(piece) - if is_safe { 0 } else { weight(attacker) }
    };
    bits(attackers).map(lost).max()
}

fn weight(piece: Piece) -> i32 {
    PIECE_WEIGHTS[piece.kind() as usize] as i32
}
