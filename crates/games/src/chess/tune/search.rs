//! The player of the tuner's games: alpha-beta to a fixed depth, then captures only.

use monteverde_chess::{Board, Chess, Move, Piece, see_at_least};
use monteverde_game::{Game, Outcome, Rng};
use monteverde_knowledge::chess::{Weights, eval_with};

/// A player; it keeps its lists of moves from search to search.
pub(super) struct Searcher<'w> {
    weights: &'w Weights,
    depth: u32,
    /// A list of moves for each ply of the search.
    lists: Vec<Vec<(i32, Move)>>,
}

/// A value and the move that has it.
pub(super) struct Choice {
    /// The move.
    pub(super) mv: Move,
    /// Centipawns for the side to move.
    pub(super) value: i32,
}

/// More than any evaluation.
const MATE: i32 = 1_000_000;

/// So much, in centipawns, may a move seem better by chance: so that games differ.
const NOISE: u32 = 12;

/// No exchange is longer: every piece but the kings is captured.
const MOST_CAPTURES: usize = 30;

impl<'w> Searcher<'w> {
    pub(super) fn new(weights: &'w Weights, depth: u32) -> Searcher<'w> {
        let lists = vec![Vec::new(); depth as usize + MOST_CAPTURES + 1];
        Searcher { weights, depth, lists }
    }

    /// The best move but for a little chance.
    ///
    /// # Panics
    /// If there is no move.
    pub(super) fn choose(&mut self, state: &Chess, rng: &mut Rng) -> Choice {
        let mut list = self.list(state.board(), 0, Kind::All);
        let mut best: Option<Choice> = None;
        for (_, mv) in list.drain(..) {
            let mut after = state.clone();
            after.play(mv);
            let noise = rng.below(NOISE) as i32;
            let low = best.as_ref().map_or(-MATE, |best| best.value);
            let value = match after.outcome() {
                Some(Outcome::Win(_)) => MATE,
                Some(Outcome::Draw) => 0,
                // What has occurred will be repeated.
                None if after.occurrences() > 1 => 0,
                None => noise - self.search(after.board(), self.depth - 1, (-MATE, noise - low), 1),
            };
            if best.as_ref().is_none_or(|best| value > best.value) {
                best = Some(Choice { mv, value });
            }
        }
        self.lists[0] = list;
        best.expect("there is a move")
    }

    /// Whether the side to move is not in check and gains nothing by capturing, so that the
    /// evaluation can be held responsible for what it says.
    pub(super) fn is_quiet(&mut self, board: &Board) -> bool {
        let still = eval_with(self.weights, board);
        !board.in_check() && self.search(board, 0, (still, still + 1), 0) <= still
    }

    /// The value for the side to move; what lies outside of the window is only a bound.
    fn search(
        &mut self,
        board: &Board,
        depth: u32,
        (mut low, high): (i32, i32),
        ply: usize,
    ) -> i32 {
        let kind = if depth > 0 { Kind::All } else { Kind::Captures };
        if kind == Kind::Captures {
            low = low.max(eval_with(self.weights, board));
            if low >= high || ply + 1 >= self.lists.len() {
                return low;
            }
        }
        let mut list = self.list(board, ply, kind);
        if list.is_empty() && kind == Kind::All {
            self.lists[ply] = list;
            return if board.in_check() { ply as i32 - MATE } else { 0 };
        }
        for (_, mv) in list.drain(..) {
            if kind == Kind::Captures && !see_at_least(board, mv, 0) {
                continue;
            }
            let mut after = *board;
            after.play(mv);
            low = low.max(-self.search(&after, depth.saturating_sub(1), (-high, -low), ply + 1));
            if low >= high {
                break;
            }
        }
        self.lists[ply] = list;
        low
    }

    /// The moves, the most valuable captures by the cheapest pieces first.
    fn list(&mut self, board: &Board, ply: usize, kind: Kind) -> Vec<(i32, Move)> {
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        board.for_each_move(|mv| {
            let urgency = urgency(board, mv);
            if urgency > 0 || kind == Kind::All {
                list.push((urgency, mv));
            }
        });
        list.sort_by_key(|&(urgency, _)| -urgency);
        list
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    All,
    Captures,
}

/// Positive for captures and promotions to a queen, more for those to be tried first; else 0.
fn urgency(board: &Board, mv: Move) -> i32 {
    let promoted = mv.promotion().map_or(0, |piece| i32::from(piece == Piece::Queen) * 100);
    let captured = match board.piece_at(mv.to()) {
        _ if mv.is_castling() => 0,
        Some((_, piece)) => 10 * (piece.index() as i32 + 1) - mv.piece().index() as i32,
        None => i32::from(mv.is_en_passant()) * 10,
    };
    promoted + captured
}
