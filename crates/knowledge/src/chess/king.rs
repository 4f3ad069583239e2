//! The safety of the king: pawns before it, and what the enemy aims at it.

use super::camp::{count, flip};
use super::evaluate::{FILE_A, Side, Sink, View};
use super::terms::*;
use monteverde_chess::isa::Isa;

/// Units of danger for each square around the king that a knight, bishop, rook or queen attacks.
/// These and the other units are set by hand; what a sum of units is worth is tuned, so only their
/// ratios matter.
pub(crate) const AIM: [i32; 4] = [2, 2, 3, 4];

/// Units for each square from which a knight, bishop, rook or queen could safely give check.
const CHECK: [i32; 4] = [6, 4, 7, 6];

/// Units for each attacked square around the king that only the king holds.
const WEAK: i32 = 3;

/// Units for each term of the group.
const STEP: i32 = 3;

const STEPS: usize = GROUP_LEN - 1;
const GROUP_LEN: usize = 24;

/// The squares next to a king, its own, and those one step further up.
#[inline(always)]
pub(crate) fn zone<I: Isa>(isa: I, king: usize) -> u64 {
    let around = isa.king(king);
    around | 1 << king | around << 8
}

/// The pawns of both sides before the king.
#[inline(always)]
pub(crate) fn shelter<I: Isa, S: Sink, const SIGN: i32>(
    view: &View<'_, I>,
    sink: &mut Side<'_, S, SIGN>,
) {
    let king = view.own.king;
    let before = !0 << (king & 56);
    let own = view.own.pawns & before;
    let enemy = view.enemy_pawns() & before;
    // At the edge the three files are those of the king one step inside.
    let middle = (king & 7).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let squares = FILE_A << file;
        let group = if file == king & 7 { SHELTER } else { SHELTER_BESIDE };
        sink.add(group + nearest_rank(own & squares), 1);
        sink.add(STORM + nearest_rank(enemy & squares), 1);
    }
}

/// The rank of the lowest pawn, 1 to 6, or 0 where there is none.
#[inline(always)]
fn nearest_rank(pawns: u64) -> usize {
    let rank = (pawns.trailing_zeros() >> 3) as usize & 7;
    rank.min(6)
}

/// What the enemy aims at the king.
#[inline(always)]
pub(crate) fn danger<I: Isa, S: Sink, const SIGN: i32>(
    view: &View<'_, I>,
    sink: &mut Side<'_, S, SIGN>,
) {
    let enemy = view.danger;
    let king = view.own.king;
    let occupied = view.occupied();
    let army = flip(enemy.army);
    let weak = zone(view.isa, king) & army & !view.reach.army;

    let safe = !(view.reach.all() | flip(view.enemy.all));
    let straight = view.isa.rook(king, occupied) & safe;
    let diagonal = view.isa.bishop(king, occupied) & safe;
    let checks = [
        view.isa.knight(king) & safe & flip(enemy.knights),
        diagonal & flip(enemy.bishops),
        straight & flip(enemy.rooks),
        (straight | diagonal) & flip(enemy.queens),
    ];
    let mut units = enemy.aim + WEAK * count(weak);
    for (squares, worth) in checks.into_iter().zip(CHECK) {
        units += worth * count(squares);
    }
    sink.add(DANGER + ((units / STEP) as usize).min(STEPS), 1);
}

// The number of steps is that of the table.
const _: () = assert!(THREAT_LATER - DANGER == GROUP_LEN);
