//! What a network sees of chess.
//!
//! Inputs: a piece of six kinds, own or the enemy's, on one of 64 squares: `(side * 6 + kind) * 64 +
//! square`, own pieces first, pawns first. The board is turned upside down for Black, so that own
//! pawns go up, and mirrored where the own king stands on the files e to h, so that it never does.
//! Rights to castle, a pawn that may be taken en passant and the fifty moves are not seen.
//!
//! Outputs: pairs of squares between which a queen or a knight can go, those that promote to less
//! than a queen once more for each piece; all of them twice, first for moves that lose nothing by
//! exchanges, then for the others. Castling goes from the king to its rook, which no other move
//! does. So every move has an output of its own: a promotion to a queen has that of its squares,
//! `UNDER_PROMOTIONS` others follow the pairs.

use crate::pairs::{Between, Pairs};
use monteverde_chess::{Board, Chess, Color, Move, Piece, Square, see_at_least};
use monteverde_network::Features;

/// What a network sees of chess. The head of the file says what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChessFeatures;

impl Features<Chess> for ChessFeatures {
    fn name(&self) -> &'static str {
        "chess-768-mirrored-1"
    }
    fn inputs(&self) -> usize {
        INPUTS
    }
    fn most(&self) -> usize {
        MOST_PIECES
    }
    fn outputs(&self) -> usize {
        2 * MOVES
    }

    fn write(&self, state: &Chess, inputs: &mut Vec<u16>) {
        let board = state.board();
        let turn = Turn::of(board);
        for (side, color) in [board.turn(), board.turn().other()].into_iter().enumerate() {
            let of_side = board.color(color);
            for piece in Piece::ALL {
                let first = (side * Piece::ALL.len() + piece.index()) * SQUARES;
                let squares = board.pieces(piece) & of_side;
                inputs.extend(squares.map(|square| (first + turn.square(square)) as u16));
            }
        }
    }

    fn write_moves(&self, state: &Chess, moves: &[Move], outputs: &mut Vec<u16>) {
        let board = state.board();
        let turn = Turn::of(board);
        outputs.extend(moves.iter().map(|&mv| {
            let number = turn.number(mv);
            if see_at_least(board, mv, 0) { number } else { MOVES as u16 + number }
        }));
    }
}

const SQUARES: usize = 64;
/// Two sides, six kinds, every square.
const INPUTS: usize = 2 * 6 * SQUARES;
/// Sixteen a side.
const MOST_PIECES: usize = 32;
/// Pairs of squares between which a queen or a knight can go.
const PAIRS: usize = PAIRS_OF_SQUARES.count;
/// Pawns reach the last rank in 22 ways, and become a knight, a bishop or a rook.
const UNDER_PROMOTIONS: usize = 3 * 22;
/// The moves that are told apart, exchanges aside.
const MOVES: usize = PAIRS + UNDER_PROMOTIONS;

/// How the board is turned and mirrored: what is to be added to a square's number, bit by bit.
#[derive(Clone, Copy)]
struct Turn(usize);

impl Turn {
    fn of(board: &Board) -> Turn {
        /// Exchanges rank 1 and rank 8, rank 2 and rank 7, ...
        const UPSIDE_DOWN: usize = 56;
        /// Exchanges the files a and h, b and g, ...
        const MIRRORED: usize = 7;
        let turn = board.turn();
        let king = board.king(turn);
        let mirror = if king.file() >= 4 { MIRRORED } else { 0 };
        Turn(mirror | if turn == Color::Black { UPSIDE_DOWN } else { 0 })
    }

    #[inline(always)]
    fn square(self, square: Square) -> usize {
        square.index() ^ self.0
    }

    /// The number of a move, below [`MOVES`].
    #[inline(always)]
    fn number(self, mv: Move) -> u16 {
        let (from, to) = (self.square(mv.from()), self.square(mv.to()));
        match mv.promotion() {
            None | Some(Piece::Queen) => PAIRS_OF_SQUARES.numbers[from][to],
            // Straight ahead is 1, to the left 0, to the right 2; the corner pawns have two ways.
            Some(piece) => {
                let way = 3 * (from & 7) + ((to & 7) + 1 - (from & 7)) - 1;
                (PAIRS + 22 * (piece.index() - Piece::Knight.index()) + way) as u16
            }
        }
    }
}

static PAIRS_OF_SQUARES: Pairs<SQUARES> = Pairs::new(8, Between::LinesAndKnights);
