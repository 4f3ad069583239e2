//! Chess as a [`Game`]: a board and what the repetition rule needs of its past.

use crate::ending::{Ending, FIFTY_MOVES, side};
use crate::{Board, Move, Piece, Square, by_piece, sample};
use monteverde_game::{Game, Never, Outcome, Playout, Rng, Side};
use std::fmt;

/// A game of chess.
///
/// The game is over by mate, stalemate, fifty moves of both sides without a capture or pawn move
/// (mate goes first), insufficient material, or the third occurrence of a position. White is
/// [`Side::First`].
pub struct Chess {
    board: Board,
    past: Past,
}

impl Chess {
    /// A game that starts from the board, with no past.
    pub fn new(board: Board) -> Chess {
        Chess { board, past: Past::default() }
    }

    /// The board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How often the position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        1 + self.past.count(self.board.key())
    }

    /// Passes, which the rules do not allow; see [`Board::passed`]. Its past stays, as after any
    /// other ply without capture or pawn move. `false`, and nothing happens, in check.
    pub fn pass(&mut self) -> bool {
        let Some(after) = self.board.passed() else { return false };
        self.past.push(self.board.key(), PASS);
        self.board = after;
        true
    }

    /// Whether a position other than the present one has occurred twice since the last capture or
    /// pawn move, so that going back to it draws.
    pub fn has_repeated(&self) -> bool {
        let keys = &self.past.keys[..self.past.len];
        (0..keys.len()).any(|at| is_second(keys, at))
    }

    /// Calls `visit` with every position that has occurred twice since the last capture or pawn
    /// move, whose next occurrence draws; the present one is left out. Positions that cannot occur
    /// again, since castling has become impossible meanwhile, may be left out as well.
    pub fn for_each_repeated(&self, mut visit: impl FnMut(&Board)) {
        let (keys, moves) = (&self.past.keys[..self.past.len], &self.past.moves);
        let mut board = self.board;
        for at in (0..keys.len()).rev() {
            let Some(before) = board.before(moves[at]).filter(|board| board.key == keys[at]) else {
                return;
            };
            board = before;
            if is_second(keys, at) {
                visit(&board);
            }
        }
    }

    fn ended(&self) -> Option<Ending> {
        let ended = self.ended_on_board();
        ended.or_else(|| (self.occurrences() >= 3).then_some(Ending::Repetition))
    }

    /// By what the board shows: repetitions are left out.
    fn ended_on_board(&self) -> Option<Ending> {
        if self.board.is_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        if !self.board.has_legal_moves() {
            return Some(Ending::without_moves(&self.board.position));
        }
        (self.board.halfmoves() >= FIFTY_MOVES).then_some(Ending::FiftyMoves)
    }
}

impl Game for Chess {
    type Move = Move;
    type Event = Never;

    const NAME: &'static str = "chess";

    #[inline(always)]
    fn turn(&self) -> Side {
        side(self.board.turn())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended().map(|ending| ending.outcome(self.board.turn()))
    }

    fn ending(&self) -> Option<&'static str> {
        self.ended().map(Ending::name)
    }

    fn moves(&self, buffer: &mut Vec<Move>) {
        self.board.legal_moves(buffer);
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let key = self.board.key();
        self.board.play(mv);
        if self.board.halfmoves() == 0 {
            self.past.clear();
        } else {
            self.past.push(key, mv);
        }
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.board.key()
    }

    fn recomputed_key(&self) -> u64 {
        self.board.recomputed_key()
    }

    fn sample(&self, rng: &mut Rng) -> Result<Move, Outcome> {
        sample::sample(&self.board.position, rng)
            .map_err(|ending| ending.outcome(self.board.turn()))
    }

    fn sample_by_piece(&self, rng: &mut Rng) -> Result<Move, Outcome> {
        by_piece::sample(&self.board.position, rng)
            .map_err(|ending| ending.outcome(self.board.turn()))
    }

    /// Leaves a game without a past.
    fn playout(&mut self, rng: &mut Rng) -> Playout {
        let (ending, plies) = self.board.playout(rng);
        self.past.clear();
        Playout { outcome: ending.outcome(self.board.turn()), plies }
    }

    fn playout_outcome(&self) -> Option<Outcome> {
        self.ended_on_board().map(|ending| ending.outcome(self.board.turn()))
    }

    /// Leaves a game whose key and past are meaningless.
    #[inline(always)]
    fn advance(&mut self, mv: Move) {
        self.board.position.play(mv);
    }

    #[inline]
    fn winning_move(&self, _: &mut Vec<Move>) -> Option<Move> {
        self.board.mating_move()
    }

    /// By fifty moves or a repetition; whether a mate goes first is not asked.
    #[inline]
    fn is_drawn_by_history(&self) -> bool {
        self.board.halfmoves() >= FIFTY_MOVES || self.occurrences() >= 3
    }

    #[inline(always)]
    fn occurrences(&self) -> u32 {
        Chess::occurrences(self) as u32
    }

    fn plies_left(&self) -> u32 {
        u32::from(FIFTY_MOVES.saturating_sub(self.board.halfmoves()))
    }

    fn perft(&self, depth: u32) -> u64 {
        self.board.perft(depth)
    }
}

impl Clone for Chess {
    #[inline]
    fn clone(&self) -> Chess {
        let mut copy = Chess::new(self.board);
        copy.past.clone_from(&self.past);
        copy
    }

    /// Copies no more of the past than there is.
    #[inline]
    fn clone_from(&mut self, other: &Chess) {
        self.board = other.board;
        self.past.clone_from(&other.past);
    }
}

impl fmt::Debug for Chess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, occurrence {}", self.board, self.occurrences())
    }
}

/// The keys of the positions since the last capture or pawn move, the present one left out, and the
/// move that was played in each. After [`FIFTY_MOVES`] of them the game is drawn in any case, so no
/// more need be kept.
struct Past {
    keys: [u64; FIFTY_MOVES as usize],
    moves: [Move; FIFTY_MOVES as usize],
    len: usize,
}

/// What stands for no move at all: it goes nowhere.
const PASS: Move = Move::plain(Piece::King, Square::new(0), Square::new(0));

/// Whether the key at that place has been there once before; two plies cannot restore a position.
fn is_second(keys: &[u64], at: usize) -> bool {
    keys[..at].iter().rev().skip(3).step_by(2).any(|&key| key == keys[at])
}

impl Default for Past {
    #[inline(always)]
    fn default() -> Past {
        Past { keys: [0; FIFTY_MOVES as usize], moves: [PASS; FIFTY_MOVES as usize], len: 0 }
    }
}

impl Past {
    #[inline(always)]
    fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    fn push(&mut self, key: u64, mv: Move) {
        if let Some(slot) = self.keys.get_mut(self.len) {
            *slot = key;
            self.moves[self.len] = mv;
            self.len += 1;
        }
    }

    /// How often the key occurs with the same side to move as now: every second position back. Two
    /// plies cannot restore a position, so the first that may be equal lies four back.
    fn count(&self, key: u64) -> usize {
        let keys = &self.keys[..self.len];
        keys.iter().rev().skip(3).step_by(2).filter(|&&past| past == key).count()
    }

    #[inline(always)]
    fn clone_from(&mut self, other: &Past) {
        self.len = other.len;
        self.keys[..other.len].copy_from_slice(&other.keys[..other.len]);
        self.moves[..other.len].copy_from_slice(&other.moves[..other.len]);
    }
}
