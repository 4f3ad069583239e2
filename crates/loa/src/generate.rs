//! Legal moves, from the table of what can move on a line.

use crate::lines::{self, AXES, LINES, STEPS};
use crate::{Board, Move, bits, connection};
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

    /// Appends a move if it is legal; in any case without a branch, as whether it is cannot be
    /// foreseen.
    #[inline(always)]
    fn push_if(&mut self, legal: u32, mv: Move) {
        self.moves[self.len & 127] = mv;
        self.len += (legal & 1) as usize;
    }
}

/// The moves of the pieces of the side to move, no matter whether the game is over: piece by piece
/// from a1 to h8, for each along its rank, its file, the diagonal that rises to the right and the
/// other one, forward before backward.
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
        for (place, step) in lines::lines_of(from).iter().zip(STEPS) {
            let entry = place.first_entry + board.line(place.line as usize);
            let reach = lines::reach(side, entry as usize);
            let far = i16::from(reach.distance) * i16::from(step);
            list.push_if(u32::from(reach.forward) >> place.position, Move::along(from, far));
            list.push_if(u32::from(reach.backward) >> place.position, Move::along(from, -far));
        }
    }
    list
}

/// Whether a move, which is not a pass, is one of these.
#[inline(always)]
pub(crate) fn is_legal(board: &Board, mv: Move) -> bool {
    let (side, from) = (board.turn(), mv.from());
    // Most moves that are remembered from elsewhere fail here.
    if board.pieces(side) & from.bit() == 0 {
        return false;
    }
    let way = lines::way(from, mv.to());
    let place = lines::lines_of(from)[way.axis as usize % AXES];
    let reach = lines::reach(side, (place.first_entry + board.line(place.line as usize)) as usize);
    let able = if way.is_forward { reach.forward } else { reach.backward };
    way.distance == reach.distance && able >> place.position & 1 != 0
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
/// A piece that connects its side goes to a square beside every unit of the pieces, its own left
/// out if it is alone in it. Most boards have no such square; on the others only moves to one are
/// tried.
pub(crate) fn winning_move(board: &Board) -> Option<Move> {
    let side = board.turn();
    let own = board.pieces(side);
    let joints = Joints::of(own)?;
    for from in bits(own) {
        let targets = joints.of_piece(from.bit());
        if targets == 0 {
            continue;
        }
        let rest = own ^ from.bit();
        for &mv in moves_of(board, from.bit()).as_slice() {
            if targets & mv.to().bit() == 0 || !connection::is_connected(rest | mv.to().bit()) {
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

/// Where a piece might connect the others: certain nowhere, impossible elsewhere.
struct Joints {
    /// The squares in or beside every unit.
    of_all: u64,
    /// The squares in or beside every unit but one.
    of_all_but_one: u64,
    /// The pieces that are a unit of their own.
    lonely: u64,
}

impl Joints {
    /// `None` where there are none for any piece.
    #[inline(always)]
    fn of(pieces: u64) -> Option<Joints> {
        let lonely = pieces & !connection::neighbours(pieces);
        let mut joints = Joints { of_all: !0, of_all_but_one: 0, lonely };
        let mut rest = pieces;
        while rest != 0 {
            // Pieces without a neighbour first: they take no flood to find, and a few of them
            // settle most boards.
            let left = if rest & lonely != 0 { rest & lonely } else { rest };
            let seed = left & left.wrapping_neg();
            let unit = if seed & lonely != 0 { seed } else { connection::unit_of(seed, rest) };
            rest ^= unit;
            let beside = connection::spread(unit);
            joints.of_all_but_one = (joints.of_all_but_one & beside) | (joints.of_all & !beside);
            joints.of_all &= beside;
            if joints.of_all | joints.of_all_but_one == 0 {
                return None;
            }
        }
        Some(joints)
    }

    /// Those of a piece: it need not go beside a unit that it leaves empty.
    #[inline(always)]
    fn of_piece(&self, piece: u64) -> u64 {
        match self.lonely & piece {
            0 => self.of_all,
            _ => self.of_all | self.of_all_but_one & !connection::spread(piece),
        }
    }
}
