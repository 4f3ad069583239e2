//! What pieces are worth.

use monteverde_banqi::{Board, Colour, KINDS, PIECES, Piece};

/// The weights of the pieces from the king to the pawn (paper 004, Table 1).
pub const PIECE_WEIGHTS: [u32; KINDS] = [55, 50, 25, 10, 8, 30, 8];

/// By how much the pieces of a colour outweigh those of the other. Covered pieces count as those
/// that are face up.
#[inline]
pub fn balance(board: &Board, colour: Colour) -> i32 {
    let own = total(board, colour) as i32;
    own - total(board, colour.other()) as i32
}

/// What the pieces of a colour weigh, covered ones included.
#[inline]
pub(super) fn total(board: &Board, colour: Colour) -> u32 {
    let counts = &board.material()[colour as usize * (PIECES / 2)..][..KINDS];
    counts.iter().zip(PIECE_WEIGHTS).map(|(&count, weight)| u32::from(count) * weight).sum()
}

/// What a piece weighs.
#[inline(always)]
pub(super) fn weight(piece: Piece) -> f32 {
    PIECE_WEIGHTS[piece.kind() as usize] as f32
}
