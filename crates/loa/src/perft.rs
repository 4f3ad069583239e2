//! Counting paths of legal moves.

use crate::{Board, Move, NoMove, generate};

/// How many paths of exactly `depth` moves lead on. A connection ends a path, and so does a side
/// that cannot move where the rules say it loses; a repetition or the length of the game does not.
pub(crate) fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if board.connection().is_some() {
        return 0;
    }
    if depth == 1 {
        // The moves of the last ply are counted, not played.
        let count = generate::count(board, board.turn());
        return u64::from(count.max(u32::from(board.rules().no_move == NoMove::Pass)));
    }
    let after = |mv: Move| {
        let mut next = *board;
        next.play(mv);
        perft(&next, depth - 1)
    };
    match generate::moves(board).as_slice() {
        [] if board.rules().no_move == NoMove::Loss => 0,
        [] => after(Move::PASS),
        moves => moves.iter().map(|&mv| after(mv)).sum(),
    }
}
