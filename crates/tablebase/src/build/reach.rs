//! Moves on whole words: which of 64 positions are attacked, and from which a quiet move leads into
//! a set.
//!
//! A capture or promotion leads to another table, so it is none of this module's moves.

use crate::layout::{Layout, Man, Place};
use crate::symmetry::{IMAGE, undo};
use monteverde_chess::{Bitboard, Color, Piece, Square, attacks};

/// For which squares of the last man that colour's king is attacked.
pub(super) fn attacked(layout: &Layout, place: &Place, color: Color) -> u64 {
    let king = square(place.kings[color.index()]);
    let occupied = Bitboard(place.occupied);
    let mut set = 0;
    for (man, &from) in layout.fixed().iter().zip(&place.squares) {
        if man.color != color {
            let from = square(from);
            if attacks::of(man.piece, man.color, from, occupied).contains(king) {
                set |= !attacks::between(from, king).0;
            }
        }
    }
    let last = layout.last();
    if last.color != color {
        set |= sources(last, king, occupied);
    }
    set
}

/// From where the man attacks the square.
#[inline(always)]
pub(super) fn sources(man: Man, to: Square, occupied: Bitboard) -> u64 {
    // A pawn attacks from where a pawn of the other colour on the square would attack.
    attacks::of(man.piece, man.color.other(), to, occupied).0
}

/// From which of the wanted positions of the place a quiet move of `mover` leads into the targets,
/// a set of positions with the other side to move. Double steps that an enemy pawn could answer en
/// passant are left out.
///
/// The targets hold no position in which `mover`'s king could be captured, so no legality needs
/// checking.
#[inline]
pub(super) fn reach(
    layout: &Layout,
    place: &Place,
    mover: Color,
    targets: &[u64],
    wanted: u64,
) -> u64 {
    let mut missing = wanted;
    let last = layout.last();
    if last.color == mover {
        let enemies = enemy_pawns(layout, place, mover);
        missing &= !retreats(last, targets[place.word], place.occupied, enemies);
        if missing == 0 {
            return wanted;
        }
    }
    let mut found = |word: usize, blocked: u64| {
        missing &= !(targets[word] & !blocked);
        missing == 0
    };
    for (number, (man, &from)) in layout.fixed().iter().zip(&place.squares).enumerate() {
        if man.color != mover {
            continue;
        }
        let from = square(from);
        let steps = match man.piece {
            Piece::Pawn => pawn_steps(mover, from, place.occupied),
            piece => {
                let occupied = Bitboard(place.occupied);
                attacks::of(piece, mover, from, occupied) & !occupied
            }
        };
        for to in steps {
            let mut blocked = attacks::between(from, to).0 | 1 << to.index();
            if man.piece == Piece::Pawn && is_double(from, to) {
                let beside = neighbours(1 << to.index());
                if beside & enemy_pawns(layout, place, mover) != 0 {
                    continue;
                }
                if last == (Man { color: mover.other(), piece: Piece::Pawn }) {
                    blocked |= beside;
                }
            }
            let shift = (to.index() as isize - from.index() as isize)
                .wrapping_mul(layout.strides[number] as isize);
            if found(place.word.wrapping_add_signed(shift), blocked) {
                return wanted;
            }
        }
    }
    let king = square(place.kings[mover.index()]);
    for to in attacks::king(king) & !Bitboard(place.occupied) {
        let mut kings = place.kings;
        kings[mover.index()] = to.index() as u8;
        let pair = layout.kings.find(usize::from(kings[0]), usize::from(kings[1]));
        let Some((pair, symmetry)) = pair else { continue };
        let squares = place.squares.map(|square| IMAGE[symmetry][usize::from(square)]);
        missing &= !(undo(symmetry, targets[layout.word(pair, &squares)]) & !(1 << to.index()));
        if missing == 0 {
            break;
        }
    }
    wanted & !missing
}

/// From where a quiet move of the last man leads into the set.
fn retreats(man: Man, set: u64, occupied: u64, enemy_pawns: u64) -> u64 {
    let empty = !occupied;
    let found = match man.piece {
        Piece::Pawn => {
            let (fourth, back): (u64, fn(u64) -> u64) = match man.color {
                Color::White => (0xff << 24, |set| set >> 8),
                Color::Black => (0xff << 32, |set| set << 8),
            };
            back(set) | back(back(set & fourth & !neighbours(enemy_pawns)) & empty)
        }
        Piece::Knight => knight_leaps(set),
        Piece::Bishop => slide(set, empty, DIAGONAL),
        Piece::Rook => slide(set, empty, STRAIGHT),
        _ => slide(set, empty, STRAIGHT) | slide(set, empty, DIAGONAL),
    };
    found & empty
}

/// Where the pawn steps to without promoting.
fn pawn_steps(color: Color, from: Square, occupied: u64) -> Bitboard {
    let bit = 1u64 << from.index();
    let empty = !occupied & NO_PROMOTION;
    let (once, twice) = match color {
        Color::White => ((bit << 8) & empty, 0xff << 24),
        Color::Black => ((bit >> 8) & empty, 0xff << 32),
    };
    let again = match color {
        Color::White => once << 8,
        Color::Black => once >> 8,
    };
    Bitboard(once | again & twice & empty)
}

/// Pawns of the side that does not move, the last man aside.
fn enemy_pawns(layout: &Layout, place: &Place, mover: Color) -> u64 {
    let men = layout.fixed().iter().zip(&place.squares);
    men.filter(|(man, _)| man.piece == Piece::Pawn && man.color != mover)
        .fold(0, |set, (_, &square)| set | 1 << square)
}

/// The squares to the left and right.
pub(super) fn neighbours(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

pub(super) fn is_double(from: Square, to: Square) -> bool {
    from.index().abs_diff(to.index()) == 16
}

#[inline(always)]
pub(super) fn square(number: u8) -> Square {
    Square::new(number)
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const NO_PROMOTION: u64 = 0x00ff_ffff_ffff_ff00;

/// A direction: how far a step shifts, and the squares where it can arrive.
type Direction = (i32, u64);
const STRAIGHT: [Direction; 4] = [(8, !0), (-8, !0), (1, !FILE_A), (-1, !FILE_H)];
const DIAGONAL: [Direction; 4] = [(9, !FILE_A), (7, !FILE_H), (-7, !FILE_A), (-9, !FILE_H)];

/// Where sliders on the set go over empty squares: in each direction the sets are doubled in length
/// three times, which covers the board.
#[inline(always)]
fn slide(set: u64, empty: u64, directions: [Direction; 4]) -> u64 {
    let mut found = 0;
    for (step, arrivals) in directions {
        let mut flood = set;
        let mut free = empty & arrivals;
        for doubling in [1, 2, 4] {
            flood |= free & shift(flood, step * doubling);
            free &= shift(free, step * doubling);
        }
        found |= shift(flood, step) & arrivals;
    }
    found
}

fn knight_leaps(set: u64) -> u64 {
    let one = neighbours(set);
    let two = (set & !(FILE_H | FILE_H >> 1)) << 2 | (set & !(FILE_A | FILE_A << 1)) >> 2;
    one << 16 | one >> 16 | two << 8 | two >> 8
}

#[inline(always)]
fn shift(set: u64, by: i32) -> u64 {
    if by >= 0 { set << by } else { set >> -by }
}
