//! Quiescence: captures and promotions are played out before a board is evaluated.

use super::eval;
use monteverde_chess::{Board, Move, Piece, see_at_least};

/// The value of the board for the side to move, in centipawns, when both sides may capture and
/// promote as long as it pays, and answer checks near the beginning. A mate that is found on the
/// way is worth [`MATED`] less its distance.
pub fn quiesce(board: &Board) -> i32 {
    search(board, Window { low: -MATED, high: MATED }, 0)
}

/// What being mated costs; more than any evaluation.
pub const MATED: i32 = 30_000;

/// Checks are answered by every move in so many plies, later only by captures. Two plies see the
/// mates that a capture leads to; more would let checks go on for ever.
const CHECKED_PLIES: i32 = 2;

/// A capture that wins less than what is missing by more than this is not tried: no evaluation
/// changes so much by squares alone.
const MARGIN: i32 = 200;

/// By [`Piece::index`]. What a captured piece brings at most, for the order and for leaving
/// captures out.
const WORTH: [i32; 6] = [100, 320, 330, 500, 950, 0];

#[derive(Clone, Copy)]
struct Window {
    low: i32,
    high: i32,
}

fn search(board: &Board, mut window: Window, ply: i32) -> i32 {
    let checked = ply < CHECKED_PLIES && board.in_check();
    let stand = if checked { ply - MATED } else { eval(board) };
    if stand >= window.high {
        return stand;
    }
    window.low = window.low.max(stand);
    let mut moves = Loud::default();
    let least = window.low - stand - MARGIN;
    moves.fill(board, if checked { Which::All } else { Which::Loud { least } });
    let mut best = stand;
    while let Some(mv) = moves.next() {
        if !checked && !see_at_least(board, mv, 0) {
            continue;
        }
        let mut after = *board;
        after.play(mv);
        let value = if after.is_insufficient_material() {
            0
        } else {
            -search(&after, Window { low: -window.high, high: -window.low }, ply + 1)
        };
        if value > best {
            best = value;
            if best >= window.high {
                break;
            }
            window.low = window.low.max(best);
        }
    }
    best
}

/// Calls `take` with the captures and promotions to a queen that lose nothing by exchanges, in the
/// order in which a search should look at them.
pub(super) fn for_each_sound_capture(board: &Board, take: &mut dyn FnMut(Move)) {
    let mut moves = Loud::default();
    moves.fill(board, Which::Loud { least: 0 });
    while let Some(mv) = moves.next() {
        if see_at_least(board, mv, 0) {
            take(mv);
        }
    }
}

/// Which moves are searched.
#[derive(Clone, Copy)]
enum Which {
    All,
    /// Captures and promotions to a queen that may win at least so much.
    Loud {
        least: i32,
    },
}

/// Moves in the order in which they are searched: the most valuable victim first, of equals the
/// cheapest attacker. No board has more moves than there is room for.
struct Loud {
    moves: [(i32, Move); ROOM],
    len: usize,
}

/// The most moves that a side has in any position that can arise is 218.
const ROOM: usize = 218;

impl Default for Loud {
    fn default() -> Loud {
        let none = Move::from_bits16(0).expect("zero is a move of a pawn");
        Loud { moves: [(0, none); ROOM], len: 0 }
    }
}

impl Loud {
    fn fill(&mut self, board: &Board, which: Which) {
        let theirs = board.color(board.turn().other());
        board.for_each_move(|mv| {
            let captures = theirs.contains(mv.to()) || mv.is_en_passant();
            let queens = mv.promotion() == Some(Piece::Queen);
            let worth = gain(board, mv, captures);
            let searched = match which {
                Which::All => true,
                Which::Loud { least } => (captures || queens) && worth >= least,
            };
            if searched && self.len < ROOM {
                self.moves[self.len] = (worth * 8 - mv.piece().index() as i32, mv);
                self.len += 1;
            }
        });
    }

    /// The first move in order of those that are left; of equals the first in generation order.
    fn next(&mut self) -> Option<Move> {
        let rest = &self.moves[..self.len];
        let (index, _) = rest.iter().enumerate().rev().max_by_key(|(_, (key, _))| *key)?;
        let mv = self.moves[index].1;
        self.moves.copy_within(index + 1..self.len, index);
        self.len -= 1;
        Some(mv)
    }
}

/// What the move brings at most before it is answered.
fn gain(board: &Board, mv: Move, captures: bool) -> i32 {
    let victim = match captures {
        true if mv.is_en_passant() => WORTH[Piece::Pawn.index()],
        true => board.piece_at(mv.to()).map_or(0, |(_, piece)| WORTH[piece.index()]),
        false => 0,
    };
    let promotion = mv.promotion().map_or(0, |piece| WORTH[piece.index()] - WORTH[0]);
    victim + promotion
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_chess::fen;

    fn value(text: &str) -> i32 {
        quiesce(&fen::parse(text).expect("a position of the test"))
    }

    #[test]
    fn a_hanging_piece_is_taken_and_a_defended_one_is_not() {
        let hanging = "4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1";
        let defended = "4k3/8/2p5/3p4/8/8/3R4/4K3 w - - 0 1";
        let board = |text| fen::parse(text).expect("a position of the test");
        assert!(value(hanging) > eval(&board(hanging)) + 300);
        assert_eq!(value(defended), eval(&board(defended)));
    }

    #[test]
    fn a_side_that_is_mated_where_it_stands_has_lost() {
        assert_eq!(value("4R1k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"), -MATED);
    }

    #[test]
    fn a_capture_that_mates_is_worth_a_mate() {
        assert_eq!(value("4r1k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"), MATED - 1);
    }
}
