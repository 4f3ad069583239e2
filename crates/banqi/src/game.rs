//! Chinese dark chess as a [`Game`]: a board and what the repetition rules need of its past.

use crate::ending::Ending;
use crate::past::Past;
use crate::sample::{self, Weighted};
use crate::uniform::Uniform;
use crate::{Board, Likely, Move, Piece, Repetition, Weights, scene, zobrist};
use monteverde_game::playout_knowledge::WeightedPlayout;
use monteverde_game::{Game, Outcome, Playout, Rng, Side};
use std::fmt;

/// A game of Chinese dark chess.
///
/// A flip leaves the state pending until an event says which of the covered pieces shows. The game
/// is over when a side has lost all its pieces or cannot move; by the rules that are set, it is
/// drawn after so many plies without a capture or a flip, and when a position occurs again. A loss
/// goes first. [`Side::First`] is who makes the first flip, which decides the colours. Playouts
/// heed all of these rules.
pub struct Banqi {
    board: Board,
    past: Past,
}

impl Banqi {
    /// A game that starts from the board, with no past.
    pub fn new(board: Board) -> Banqi {
        Banqi { board, past: Past::default() }
    }

    /// The board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How often the position has occurred since the last capture or flip, this time included.
    pub fn occurrences(&self) -> usize {
        1 + self.past.count(self.board.key())
    }

    /// One random legal move drawn by weight, or the outcome if the game is over.
    ///
    /// # Panics
    /// May panic if the state is pending.
    pub fn sample_weighted(&self, weights: &Weights, rng: &mut Rng) -> Result<Move, Outcome> {
        self.draw(|board| scene::sample(board, Weighted(weights), rng))
    }

    /// Plays random moves drawn by weight until the game is over, or until `verdict`, which is
    /// asked after each capture about the combination that is left (see [`crate::combination`]),
    /// knows how it ends; who cannot move has lost nevertheless. Draws as a loop over
    /// [`Banqi::sample_weighted`] would. Where a side has or once had more of a kind than a game
    /// has, nothing is asked.
    pub fn playout_weighted(
        &mut self,
        weights: &Weights,
        verdict: impl FnMut(u32) -> Likely,
        rng: &mut Rng,
    ) -> WeightedPlayout {
        scene::playout((&mut self.board, &mut self.past), Weighted(weights), verdict, rng)
    }

    /// Whether any state has occurred twice since the last capture or flip, under rules by which
    /// repetitions draw.
    pub fn has_repeated(&self) -> bool {
        self.board.rules().repetition != Repetition::Off && self.past.has_repeated(self.board.key())
    }

    #[inline(always)]
    fn draw(&self, draw: impl FnOnce(&Board) -> Option<Move>) -> Result<Move, Outcome> {
        if let Some(loser) = self.board.loser() {
            return Err(Ending::Captured(loser).outcome());
        }
        if self.is_drawn_by_history() && self.board.can_move() {
            return Err(Outcome::Draw);
        }
        draw(&self.board).ok_or_else(|| Ending::NoMove(self.board.turn()).outcome())
    }

    fn ended(&self) -> Option<Ending> {
        let ended = self.board.ending();
        ended.or_else(|| self.is_repeated().then_some(Ending::Repetition))
    }

    #[inline(always)]
    fn is_repeated(&self) -> bool {
        self.past.is_repeated(self.board.rules().repetition, self.board.key())
    }
}

impl Game for Banqi {
    type Move = Move;
    type Event = Piece;

    const NAME: &'static str = "banqi";

    #[inline(always)]
    fn turn(&self) -> Side {
        self.board.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended().map(Ending::outcome)
    }

    fn ending(&self) -> Option<&'static str> {
        self.ended().map(Ending::name)
    }

    /// Where a side has lost all its pieces nobody moves any more.
    fn moves(&self, buffer: &mut Vec<Move>) {
        self.board.moves(buffer);
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        if mv.is_flip() || self.board.is_capture(mv) {
            self.past.clear();
        } else {
            self.past.push(self.board.key());
        }
        self.board.play(mv);
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.board.key()
    }

    fn recomputed_key(&self) -> u64 {
        zobrist::key(&self.board)
    }

    #[inline(always)]
    fn is_pending(&self) -> bool {
        self.board.pending().is_some()
    }

    /// The covered pieces, red ones first, each colour from the king to the pawn.
    fn events(&self, buffer: &mut Vec<(Piece, u32)>) {
        if self.is_pending() {
            let counts = Piece::all().map(|piece| (piece, u32::from(self.board.pool(piece))));
            buffer.extend(counts.filter(|&(_, count)| count > 0));
        }
    }

    #[inline(always)]
    fn event_weight(&self) -> u32 {
        if self.is_pending() { self.board.covered().count_ones() } else { 0 }
    }

    #[inline]
    fn settle(&mut self, event: Piece) {
        self.board.settle(event);
    }

    fn sample(&self, rng: &mut Rng) -> Result<Move, Outcome> {
        self.draw(|board| scene::sample(board, Uniform, rng))
    }

    fn sample_event(&self, rng: &mut Rng) -> Piece {
        sample::sample_event(&self.board, rng)
    }

    fn playout(&mut self, rng: &mut Rng) -> Playout {
        let game = (&mut self.board, &mut self.past);
        scene::playout(game, Uniform, |_| Likely::Unknown, rng).playout
    }

    #[inline]
    fn winning_move(&self, _: &mut Vec<Move>) -> Option<Move> {
        self.board.winning_move()
    }

    #[inline]
    fn is_drawn_by_history(&self) -> bool {
        self.board.is_quiet_draw() || self.is_repeated()
    }

    #[inline(always)]
    fn plies_left(&self) -> u32 {
        u32::from(self.board.rules().plies.saturating_sub(self.board.quiet()))
    }

    #[inline(always)]
    fn reversible_plies(&self) -> Option<u32> {
        Some(u32::from(self.board.quiet()))
    }

    fn may_be_drawn_by_repetition(&self) -> bool {
        self.has_repeated()
    }
}

impl Clone for Banqi {
    #[inline]
    fn clone(&self) -> Banqi {
        Banqi { board: self.board, past: self.past.clone() }
    }

    /// Takes no memory where there was enough for this game's past.
    #[inline]
    fn clone_from(&mut self, other: &Banqi) {
        self.board = other.board;
        self.past.clone_from(&other.past);
    }
}

impl fmt::Debug for Banqi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, occurrence {}", crate::state::write(&self.board), self.occurrences())
    }
}
