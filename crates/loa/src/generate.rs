//! Legal moves, from the table of what can move on a line.

use crate::lines::{self, LINES, STEPS};
use crate::{Board, Move, Square, bits, connection};
use monteverde_game::Side;

/// The moves of a state: at most eight for each piece.
pub(crate) struct List {
    moves: [Move; 128],
    len: usize,
}

impl List {
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    /// Appends a move if it is legal; in any case without a branch, as whether it is cannot be foreseen.
    #[inline(always)]
    fn push_if(&mut self, legal: u8, from: Square, to: u8) {
        self.moves[self.len & 127] = Move::new(from, Square::wrap(u32::from(to)));
        self.len += usize::from(legal);
    }
}

/// The moves of the pieces of the side to move, no matter whether the game is over: piece by piece from a1 to h8, for
/// each along its rank, its file, the diagonal that rises to the right and the other one, forward before backward.
#[inline(always)]
pub(crate) fn moves(board: &Board) -> List {
    moves_of(board, board.pieces(board.turn()))
}

/// The moves of some of these pieces, in the same order.
#[inline(always)]
fn moves_of(board: &Board, pieces: u64) -> List {
    let side = board.turn();
    let mut list = List { moves: [Move::PASS; 128], len: 0 };
    for from in bits(pieces) {
        let number = from.index() as u8;
        for (place, step) in lines::lines_of(from).iter().zip(STEPS) {
            let line = place.line as usize;
            let reach = lines::reach(side, lines::first_entry(line) + board.line(line) as usize);
            let far = reach.distance * step;
            list.push_if(reach.forward >> place.position & 1, from, number.wrapping_add(far));
            list.push_if(reach.backward >> place.position & 1, from, number.wrapping_sub(far));
        }
    }
    list
}

/// How many moves the pieces of a side have.
#[inline(always)]
pub(crate) fn count(board: &Board, side: Side) -> u32 {
    (0..LINES)
        .map(|line| {
            let entry = lines::first_entry(line) + board.line(line) as usize;
            u32::from(lines::reach(side, entry).count)
        })
        .sum()
}

/// The first move that wins at once. The game must not be over.
///
/// Most pieces cannot connect their side wherever they go, as what they leave behind is in pieces too far apart for one
/// to join. So the rest is flooded once for each piece, and only its moves to squares beside the flooded unit and
/// beside what was not flooded are tried.
pub(crate) fn winning_move(board: &Board) -> Option<Move> {
    let side = board.turn();
    let own = board.pieces(side);
    for from in bits(own) {
        let rest = own ^ from.bit();
        let joints = joints(rest);
        if joints == 0 {
            continue;
        }
        for &mv in moves_of(board, from.bit()).as_slice() {
            if joints & mv.to().bit() == 0 || !connection::is_connected(rest | mv.to().bit()) {
                continue;
            }
            let mut after = *board;
            after.play(mv);
            let outcome = after.connection().map(|ending| ending.outcome());
            if outcome == Some(monteverde_game::Outcome::Win(side)) {
                return Some(mv);
            }
        }
    }
    None
}

/// Where one more piece might connect these: certain nowhere, impossible elsewhere.
#[inline(always)]
fn joints(pieces: u64) -> u64 {
    if pieces == 0 {
        // One piece alone is connected wherever it is.
        return !0;
    }
    // A piece without a neighbour is a unit of its own, which takes no flood to find; two settle most boards.
    let lonely = pieces & !connection::neighbours(pieces);
    let lowest = lonely & lonely.wrapping_neg();
    if lonely != lowest {
        let highest = 1 << (63 - lonely.leading_zeros());
        return connection::spread(lowest) & connection::spread(highest);
    }
    let seed = pieces & pieces.wrapping_neg();
    let unit = if lonely != 0 { lonely } else { connection::unit_of(seed, pieces) };
    let others = pieces ^ unit;
    let beside = connection::spread(unit);
    if others == 0 { beside } else { beside & connection::spread(others) }
}
