//! Lines of Action as a [`Game`]: a board and what the repetition rule needs of its past.

use crate::ending::Ending;
use crate::{Board, Move, NoMove, Repetition, generate, perft, sample, zobrist};
use monteverde_game::isa::{self, Isa, Task};
use monteverde_game::{Game, Never, Outcome, Playout, Rng, Side};
use std::fmt;

/// A game of Lines of Action.
///
/// The game is over when a side is connected, or both; by the rules that are set, also when a
/// position occurs again, when a side cannot move, and when the game is long enough. A connection
/// goes first. Black is [`Side::First`].
pub struct Loa {
    board: Board,
    key: u64,
    past: Past,
}

impl Loa {
    /// A game that starts from the board, with no past.
    pub fn new(board: Board) -> Loa {
        Loa { board, key: zobrist::key(&board), past: Past::default() }
    }

    /// The board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Lets the side to move pass, as a null move of a search does. The game after it has no past:
    /// positions do not repeat across it.
    #[inline]
    pub fn pass(&mut self) {
        self.past.clear();
        self.key ^= zobrist::change(&self.board, Move::PASS);
        self.board.play(Move::PASS);
    }

    /// How often the position has occurred, this time included: with the same side to move, or,
    /// where the rules draw at the second occurrence, with either.
    pub fn occurrences(&self) -> usize {
        1 + match self.board.rules().repetition {
            Repetition::Third => self.past.count(self.key),
            Repetition::Second => self.past.count(self.key) + self.past.count_of_enemy(self.key),
            Repetition::Off => 0,
        }
    }

    fn is_repeated(&self) -> bool {
        match self.board.rules().repetition {
            Repetition::Third => self.occurrences() >= 3,
            Repetition::Second => self.occurrences() >= 2,
            Repetition::Off => false,
        }
    }

    fn ended(&self) -> Option<Ending> {
        let ended = self.board.ending();
        ended.or_else(|| self.is_repeated().then_some(Ending::Repetition))
    }
}

impl Game for Loa {
    type Move = Move;
    type Event = Never;

    const NAME: &'static str = "loa";

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

    /// Where a side is connected nobody moves any more.
    fn moves(&self, buffer: &mut Vec<Move>) {
        if self.board.connection().is_some() {
            return;
        }
        let listed = buffer.len();
        isa::run(List { board: &self.board, buffer });
        if buffer.len() == listed && self.board.rules().no_move == NoMove::Pass {
            buffer.push(Move::PASS);
        }
    }

    /// A pass may be played in any state, as a null move; it is legal only where there is no other
    /// move.
    #[inline]
    fn play(&mut self, mv: Move) {
        if self.board.is_capture(mv) {
            self.past.clear();
        } else {
            self.past.push(self.key);
        }
        self.key ^= zobrist::change(&self.board, mv);
        self.board.play(mv);
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    fn recomputed_key(&self) -> u64 {
        zobrist::key(&self.board)
    }

    /// Leaves repetitions out.
    fn sample(&self, rng: &mut Rng) -> Result<Move, Outcome> {
        // The rules that need no look at the moves, which are drawn in any case.
        if self.board.connection().is_some() || self.board.is_longest() {
            return Err(self.playout_outcome().unwrap_or(Outcome::Draw));
        }
        let side = self.board.turn();
        match sample::sample(self.board.pieces(side), self.board.pieces(side.other()), rng) {
            Some(mv) => Ok(mv),
            None if self.board.rules().no_move == NoMove::Pass => Ok(Move::PASS),
            None => Err(Ending::NoMove(side).outcome()),
        }
    }

    /// Leaves a game without a past.
    fn playout(&mut self, rng: &mut Rng) -> Playout {
        self.past.clear();
        let (ending, plies) = match self.board.connection() {
            Some(ending) => (ending, 0),
            None => sample::playout(&mut self.board, rng),
        };
        Playout { outcome: ending.outcome(), plies }
    }

    #[inline(always)]
    fn playout_outcome(&self) -> Option<Outcome> {
        self.board.ending().map(Ending::outcome)
    }

    /// Leaves a game without a past, whose key is meaningless.
    #[inline(always)]
    fn advance(&mut self, mv: Move) {
        self.past.clear();
        self.board.play(mv);
    }

    #[inline]
    fn is_legal_at_a_glance(&self, mv: Move) -> Option<bool> {
        let goes_on = self.board.connection().is_none();
        Some(
            goes_on
                && match mv.is_pass() {
                    true => {
                        let side = self.board.turn();
                        self.board.rules().no_move == NoMove::Pass && self.board.mobility(side) == 0
                    }
                    false => generate::is_legal(&self.board, mv),
                },
        )
    }

    #[inline]
    fn winning_move(&self, _: &mut Vec<Move>) -> Option<Move> {
        if self.board.connection().is_some() {
            return None;
        }
        generate::winning_move(&self.board)
    }

    /// By a repetition or the length of the game; whether a connection goes first is not asked.
    #[inline]
    fn is_drawn_by_history(&self) -> bool {
        self.board.is_longest() || self.is_repeated()
    }

    #[inline(always)]
    fn plies_left(&self) -> u32 {
        u32::from(self.board.rules().plies.saturating_sub(self.board.plies()))
    }

    /// Neither a third occurrence nor the length of the game ends a path, as is the custom. Where
    /// the second occurrence is a draw, it does.
    fn perft(&self, depth: u32) -> u64 {
        match self.board.rules().repetition {
            Repetition::Second => monteverde_game::perft(self, depth),
            Repetition::Third | Repetition::Off => perft::perft(&self.board, depth),
        }
    }
}

/// Lists the moves of a board that has no pass.
struct List<'a> {
    board: &'a Board,
    buffer: &'a mut Vec<Move>,
}

impl Task for List<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        self.buffer.extend_from_slice(generate::moves(self.board).as_slice());
    }
}

impl Clone for Loa {
    #[inline]
    fn clone(&self) -> Loa {
        Loa { board: self.board, key: self.key, past: self.past.clone() }
    }

    /// Takes no memory where there was enough for this game's past.
    #[inline]
    fn clone_from(&mut self, other: &Loa) {
        self.board = other.board;
        self.key = other.key;
        self.past.clone_from(&other.past);
    }
}

impl fmt::Debug for Loa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, occurrence {}", self.board, self.occurrences())
    }
}

/// The keys of the positions since the last capture, the present one left out.
///
/// A list that grows, since no rule limits how long a game goes on without a capture. Playouts keep
/// it empty, and an empty one costs a copy nothing.
#[derive(Default)]
struct Past {
    keys: Vec<u64>,
}

impl Past {
    #[inline(always)]
    fn clear(&mut self) {
        self.keys.clear();
    }

    #[inline(always)]
    fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// How often the key occurs with the same side to move as now: every second position back.
    fn count(&self, key: u64) -> usize {
        self.keys.iter().rev().skip(1).step_by(2).filter(|&&past| past == key).count()
    }

    /// How often the board of that key occurs with the other side to move.
    fn count_of_enemy(&self, key: u64) -> usize {
        let key = key ^ zobrist::TURN;
        self.keys.iter().rev().step_by(2).filter(|&&past| past == key).count()
    }
}

impl Clone for Past {
    #[inline]
    fn clone(&self) -> Past {
        Past { keys: self.keys.clone() }
    }

    #[inline(always)]
    fn clone_from(&mut self, other: &Past) {
        self.keys.clear();
        self.keys.extend_from_slice(&other.keys);
    }
}
