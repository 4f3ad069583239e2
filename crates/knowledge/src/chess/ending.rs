//! What material alone says about an ending: how far it is from decided, and how a bare king is
//! mated.

use super::camp::{Camp, count, distance, flip_square};

/// The scale of a value of which nothing is taken away.
pub(crate) const WHOLE: i32 = 64;

/// With only bishops of opposite colours besides pawns about half of the pawns ahead win nothing.
const OPPOSITE_BISHOPS: i32 = 32;

/// With further officers opposite bishops are less of a draw.
const OPPOSITE_BISHOPS_AND_MORE: i32 = 56;

/// Without pawns a minor piece ahead does not win, as tables of such endings show.
const MINOR_AHEAD: i32 = 6;

/// How much is left of the value for the side that is ahead, 0 to [`WHOLE`].
#[inline(always)]
pub(crate) fn scale(strong: &Camp, weak: &Camp) -> i32 {
    if strong.pawns == 0 {
        return without_pawns(strong, weak);
    }
    if count(strong.bishops) == 1 && is_opposite(strong, weak) {
        let more = strong.officers() ^ strong.bishops | weak.officers() ^ weak.bishops;
        return if more == 0 { OPPOSITE_BISHOPS } else { OPPOSITE_BISHOPS_AND_MORE };
    }
    if has_wrong_bishop(strong, weak) { 0 } else { WHOLE }
}

/// Drives a bare king to the edge, the kings together, and with bishop and knight into a corner of
/// the bishop's colour; for the side that mates, in centipawns. 0 where the other side is not bare
/// or cannot be mated by force.
#[inline(always)]
pub(crate) fn mop_up(strong: &Camp, weak: &Camp) -> i32 {
    let is_bare = weak.all & weak.all.wrapping_sub(1) == 0;
    if !is_bare || worth(strong) <= MINOR || is_two_knights(strong) {
        return 0;
    }
    let king = flip_square(weak.king);
    let closeness = 7 - distance(strong.king, king) as i32;
    let edge = if is_bishop_and_knight(strong) {
        7 - corner_distance(king, strong.bishops & DARK != 0)
    } else {
        centre_distance(king)
    };
    EDGE * edge + CLOSE * closeness
}

/// Centipawns for each step of the bare king away from the centre.
const EDGE: i32 = 40;

/// Centipawns for each step of the kings towards each other.
const CLOSE: i32 = 20;

/// Pawns' worth of an officer, where only the kind of ending matters.
const MINOR: i32 = 3;
const ROOK: i32 = 5;
const QUEEN: i32 = 9;

const DARK: u64 = monteverde_chess::Bitboard::DARK.0;

fn without_pawns(strong: &Camp, weak: &Camp) -> i32 {
    let (ours, theirs) = (worth(strong), worth(weak));
    if ours <= MINOR || is_two_knights(strong) && weak.pawns == 0 {
        0
    } else if ours - theirs <= MINOR {
        MINOR_AHEAD
    } else {
        WHOLE
    }
}

#[inline(always)]
fn worth(camp: &Camp) -> i32 {
    MINOR * count(camp.knights | camp.bishops)
        + ROOK * count(camp.rooks)
        + QUEEN * count(camp.queens)
}

fn is_two_knights(camp: &Camp) -> bool {
    count(camp.knights) == 2 && camp.officers() == camp.knights && camp.pawns == 0
}

fn is_bishop_and_knight(camp: &Camp) -> bool {
    count(camp.knights) == 1 && count(camp.bishops) == 1 && count(camp.all) == 3
}

/// Whether each side has one bishop, on squares of different colours.
#[inline(always)]
fn is_opposite(a: &Camp, b: &Camp) -> bool {
    // Seen from the other side a square has the other colour.
    count(a.bishops) == 1
        && count(b.bishops) == 1
        && (a.bishops & DARK == 0) == (b.bishops & DARK == 0)
}

/// Whether all pawns are on one edge file, their last square is not of the bishop's colour, there
/// is no other officer, and the enemy king is there in time.
#[inline(always)]
fn has_wrong_bishop(strong: &Camp, weak: &Camp) -> bool {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const FILE_H: u64 = FILE_A << 7;
    if strong.officers() != strong.bishops || strong.bishops == 0 {
        return false;
    }
    let (corner, is_dark) = if strong.pawns & !FILE_A == 0 {
        (56, false)
    } else if strong.pawns & !FILE_H == 0 {
        (63, true)
    } else {
        return false;
    };
    let right = if is_dark { DARK } else { !DARK };
    strong.bishops & right == 0 && distance(flip_square(weak.king), corner) <= 1
}

/// Steps from a square to the nearer of the two corners of a colour.
fn corner_distance(square: usize, is_dark: bool) -> i32 {
    let corners = if is_dark { [0, 63] } else { [7, 56] };
    corners.map(|corner| distance(square, corner) as i32).into_iter().min().unwrap_or(0)
}

/// Steps of a rook from a square to the nearest of the four in the centre, 0 to 6.
fn centre_distance(square: usize) -> i32 {
    let away = |line: usize| (3 - line as i32).max(line as i32 - 4);
    away(square & 7) + away(square >> 3)
}
