//! One random legal move without listing them all, and whole playouts. Both work on the pieces alone.

use crate::ending::Ending;
use crate::{Board, Move, NoMove, Square, bits, connection};
use monteverde_game::Rng;

/// A uniformly random legal move of the side whose pieces are `own`, `None` if it has none.
///
/// A piece and a direction are drawn until they are a move. Every pair is as likely as every other, so every legal move
/// is too. Of the pairs of a usual board more than a third are moves; where many draws have failed, the moves are
/// listed.
#[inline(always)]
pub(crate) fn sample(own: u64, enemy: u64, rng: &mut Rng) -> Option<Move> {
    let pairs = own.count_ones() * DIRECTIONS;
    for _ in 0..MOST_TRIES {
        let pair = rng.below(pairs);
        let from = nth(own, pair / DIRECTIONS);
        let mv = target(own, enemy, from, pair % DIRECTIONS);
        if mv.is_some() {
            return mv;
        }
    }
    sample_listed(own, enemy, rng)
}

/// Plays uniformly random moves from a board on which the game is not over by a connection, and says how the game ended
/// and after how many plies.
pub(crate) fn playout(board: &mut Board, rng: &mut Rng) -> (Ending, u32) {
    let most = u32::from(board.rules().plies.saturating_sub(board.plies()));
    let mut side = board.turn();
    let (mut own, mut enemy) = (board.pieces(side), board.pieces(side.other()));
    let mut plies = 0;
    while plies < most {
        match sample(own, enemy, rng) {
            Some(mv) => {
                let captured = enemy & mv.to().bit();
                own ^= mv.from().bit() | mv.to().bit();
                enemy ^= captured;
                plies += 1;
                (own, enemy, side) = (enemy, own, side.other());
                if connection::is_connected(enemy) || captured != 0 && connection::is_connected(own)
                {
                    break;
                }
            }
            None if board.rules().no_move == NoMove::Loss => break,
            None => {
                plies += 1;
                (own, enemy, side) = (enemy, own, side.other());
            }
        }
    }
    let pieces = if side == monteverde_game::Side::First { [own, enemy] } else { [enemy, own] };
    *board = board.after(pieces, side, plies);
    (board.ending().unwrap_or(Ending::Length), plies)
}

const DIRECTIONS: u32 = 8;

/// After so many draws in vain there are few moves or none: with one move in twelve pairs, which is rare, one try in
/// four comes here.
const MOST_TRIES: u32 = 16;

/// What [`sample`] does where moves are rare.
#[cold]
#[inline(never)]
fn sample_listed(own: u64, enemy: u64, rng: &mut Rng) -> Option<Move> {
    let moves = || {
        let pairs = bits(own).flat_map(|from| (0..DIRECTIONS).map(move |way| (from, way)));
        pairs.filter_map(|(from, direction)| target(own, enemy, from, direction))
    };
    match moves().count() {
        0 => None,
        count => moves().nth(rng.below(count as u32) as usize),
    }
}

/// The move of the piece in that direction, if it is legal.
#[inline(always)]
fn target(own: u64, enemy: u64, from: Square, direction: u32) -> Option<Move> {
    let (ahead, behind) = (direction as usize & 7, (direction as usize & 7) ^ 4);
    let rays = &RAYS[from.index()];
    let (ray, back) = (rays[ahead], rays[behind]);
    // The piece itself is on none of its rays.
    let distance = 1 + ((own | enemy) & (ray | back)).count_ones() as i32;
    // Beyond the edge this wraps around, but never onto the ray: no multiple of a step below 8 is 64.
    let to = Square::wrap((from.index() as i32 + distance * OFFSETS[ahead]) as u32);
    let jumped = ray & RAYS[to.index()][behind];
    let legal = (ray & !own & to.bit() != 0) & (enemy & jumped == 0);
    legal.then(|| Move::new(from, to))
}

/// The square of the `n`-th lowest bit that is set, counting from 0; there must be so many.
#[inline(always)]
fn nth(mut set: u64, n: u32) -> Square {
    for _ in 0..n {
        set &= set.wrapping_sub(1);
    }
    Square::wrap(set.trailing_zeros())
}

/// From a square to the next one in each direction; the opposite direction is four further on.
const OFFSETS: [i32; 8] = [1, 8, 9, 7, -1, -8, -9, -7];

/// The squares in each direction up to the edge, the square itself left out.
static RAYS: [[u64; 8]; 64] = rays();

const fn rays() -> [[u64; 8]; 64] {
    const FILES: [i8; 8] = [1, 0, 1, -1, -1, 0, -1, 1];
    const RANKS: [i8; 8] = [0, 1, 1, 1, 0, -1, -1, -1];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let mut file = square as i8 % 8 + FILES[direction];
            let mut rank = square as i8 / 8 + RANKS[direction];
            while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                rays[square][direction] |= 1u64 << (rank * 8 + file);
                file += FILES[direction];
                rank += RANKS[direction];
            }
            direction += 1;
        }
        square += 1;
    }
    rays
}
