//! The structure of pawns, and those that are passed.

use super::camp::{beside, count, distance, fill_down, fill_up, flip, squares, up};
use super::evaluate::{Side, Sink, View, before, phalanx};
use super::terms::*;
use monteverde_chess::isa::Isa;

/// Weaknesses and strengths of the pawns among themselves.
#[inline(always)]
pub(crate) fn structure<I: Isa, S: Sink, const SIGN: i32>(
    view: &View<'_, I>,
    sink: &mut Side<'_, S, SIGN>,
) {
    let own = view.own.pawns;
    let enemy = view.enemy_pawns();
    let files = fill_up(fill_down(own));
    let isolated = own & !beside(files);
    let closed = fill_up(fill_down(enemy));
    sink.add(ISOLATED, count(isolated & closed));
    sink.add(ISOLATED_OPEN, count(isolated & !closed));
    sink.add(DOUBLED, count(own & before(own)));

    let holdable = fill_up(view.reach.pawns);
    let stopped = up(own) & flip(view.danger.pawns) & !holdable;
    sink.add(BACKWARD, count(stopped & !up(isolated)));

    let connected = own & view.reach.pawns | phalanx(own);
    for rank in 0..6 {
        sink.add(CONNECTED + rank, count(connected & SECOND_RANK << (8 * rank)));
    }
}

/// Pawns that no enemy pawn can stop any more.
#[inline(always)]
pub(crate) fn passed<I: Isa, S: Sink, const SIGN: i32>(
    view: &View<'_, I>,
    sink: &mut Side<'_, S, SIGN>,
    on_move: bool,
) {
    let own = view.own.pawns;
    let fronts = fill_down(view.enemy_pawns() >> 8);
    let behind = fill_down(own >> 8);
    let passed = own & !(fronts | beside(fronts) | behind);
    if passed == 0 {
        return;
    }
    let occupied = view.occupied();
    let attacked = flip(view.danger.all());
    let enemy_king = view.enemy_king();
    let enemy_is_bare = view.enemy.officers() == 0;
    for square in squares(passed) {
        let rank = (square >> 3).wrapping_sub(1).min(5);
        let next = (square + 8) & 63;
        sink.add(PASSED + rank, 1);
        if (occupied | attacked) >> next & 1 == 0 {
            sink.add(PASSED_FREE + rank, 1);
        }
        if view.reach.all() >> next & 1 != 0 {
            sink.add(PASSED_BACKED + rank, 1);
        }
        if rank >= FOURTH_RANK {
            sink.add(PASSED_OWN_KING + distance(view.own.king, next), 1);
            sink.add(PASSED_ENEMY_KING + distance(enemy_king, next), 1);
        }
        if enemy_is_bare && before(1 << square) & view.own.all == 0 {
            // From the second rank the double step saves a move.
            let steps = (7 - (square >> 3)).min(5);
            let goal = 56 + (square & 7);
            if distance(enemy_king, goal) > steps + usize::from(!on_move) {
                sink.add(UNSTOPPABLE, 1);
            }
        }
    }
}

const SECOND_RANK: u64 = 0xff00;

/// The fourth rank, counted from the second.
const FOURTH_RANK: usize = 2;
