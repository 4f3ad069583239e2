//! The moves of the likeliest categories, without weights for all moves.

use super::category::View;
use super::mass::Mass;
use monteverde_game::Step;
use monteverde_game::isa::{Isa, Task};
use monteverde_loa::{Board, Move, Square};
use std::sync::LazyLock;

/// Where more moves are asked for, sorting them takes less time.
pub(super) const FEW: usize = 8;

/// Takes the likeliest moves of a board, which are not passes, likeliest first; of equals those
/// that come first.
pub(super) struct Likeliest<'a> {
    pub(super) board: &'a Board,
    pub(super) moves: &'a [Move],
    /// How many of them.
    pub(super) most: usize,
    pub(super) likeliest: &'a mut Vec<Move>,
}

impl Task for Likeliest<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let Likeliest { board, moves, most, likeliest } = self;
        let side = board.turn();
        let enemy = board.pieces(side.other());
        let ranks = &RANKS[Mass::of(board.pieces(side)).square().index()];
        let mut keys = [0i16; MOST_MOVES];
        for (place, (key, &mv)) in keys.iter_mut().zip(moves).enumerate() {
            let takes = (enemy >> mv.to().index() & 1) as usize;
            let rank = ranks[(takes * MOVES + mv.index()) % (2 * MOVES)];
            *key = i16::from(rank) << PLACE_BITS | (LAST - place as i16);
        }
        // A pass for each: it looks at several keys at a time, which no way to sort them does.
        let keys = &keys[..moves.len().next_multiple_of(LANES).min(MOST_MOVES)];
        likeliest.clear();
        let mut above = i16::MAX;
        for _ in 0..most.min(moves.len()) {
            let mut highest = -1;
            for &key in keys {
                highest = (if key < above { key } else { -1 }).max(highest);
            }
            above = highest;
            likeliest.push(moves[(LAST - (above & LAST)) as usize]);
        }
    }
}

/// How many numbers moves have, see [`Move::index`].
const MOVES: usize = 64 * 64;

/// By centre of mass the ranks of the categories of moves that take nothing, and of those that take
/// a piece.
static RANKS: LazyLock<Box<[[u8; 2 * MOVES]]>> = LazyLock::new(|| {
    let of_centre = |centre| {
        std::array::from_fn(|index| {
            let (taken, mv) = (index / MOVES, Move::from_bits((index % MOVES) as u32));
            let enemy = mv.to().bit() * taken as u64;
            View::from(centre, enemy).category(mv).rank()
        })
    };
    Square::all().map(of_centre).collect()
});

/// More moves than a board has: eight for each of twelve pieces.
const MOST_MOVES: usize = 128;
/// As many keys as are looked at at a time, or a multiple.
const LANES: usize = 16;

/// A key is the rank of a category, and below it how many places there are behind the move.
const PLACE_BITS: u32 = 7;
const LAST: i16 = (1 << PLACE_BITS) - 1;
