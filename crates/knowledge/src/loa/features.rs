//! What a network sees of Lines of Action.
//!
//! Inputs, in this order: a piece on one of 64 squares, own ones first; what lies in one of the 81
//! windows of two by two squares, those over the border included, which is what connection is made
//! of; how many pieces stand on one of the 46 lines, which is how far they move. Empty windows and
//! lines have no input.
//!
//! Outputs: pairs of squares on a line, and one for a pass.
//!
//! The rules tell none of the eight turns and reflections of the board apart, so one of them is
//! looked at: that in which own pieces stand furthest to the left and, of those, furthest down, on
//! average. Where that leaves several, the numbers of the sets of squares decide.

use crate::active::ActiveInputs;
use crate::pairs::{Between, Pairs};
use monteverde_game::Game;
use monteverde_loa::{Loa, Move, bits, lines};
use monteverde_network::Features;

/// What a network sees of Lines of Action. The head of the file says what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoaFeatures;

impl Features<Loa> for LoaFeatures {
    fn name(&self) -> &'static str {
        "loa-windows-lines-1"
    }
    fn inputs(&self) -> usize {
        LINE_INPUTS + lines::LINES * LONGEST
    }
    fn most(&self) -> usize {
        MOST_INPUTS
    }
    fn outputs(&self) -> usize {
        PASS + 1
    }

    fn write(&self, state: &Loa, inputs: &mut Vec<u16>) {
        let view = SeenBoard::of(state);
        let mut room = [0; MOST_INPUTS + 1];
        let mut active = ActiveInputs::new(&mut room);
        let mut windows = [0u16; WINDOWS];
        let mut counts = [0u8; lines::LINES];
        for (side, &set) in view.pieces.iter().enumerate() {
            let digit = side as u16 + 1;
            for square in bits(set) {
                active.push(side * SQUARES + square.index());
                let window = usize::from(square.rank()) * ACROSS + usize::from(square.file());
                // The square is on the upper right of the first, and so on.
                windows[window] += 27 * digit;
                windows[window + 1] += 9 * digit;
                windows[window + ACROSS] += 3 * digit;
                windows[window + ACROSS + 1] += digit;
                for place in lines::lines_of(square) {
                    counts[usize::from(place.line)] += 1;
                }
            }
        }
        for (window, pattern) in windows.into_iter().enumerate() {
            let input = WINDOW_INPUTS + window * PATTERNS + usize::from(pattern);
            active.push_if(pattern > 0, input - 1);
        }
        for (line, count) in counts.into_iter().enumerate() {
            let input = LINE_INPUTS + line * LONGEST + usize::from(count);
            active.push_if(count > 0, input - 1);
        }
        inputs.extend_from_slice(active.as_slice());
    }

    fn write_moves(&self, state: &Loa, moves: &[Move], outputs: &mut Vec<u16>) {
        let squares = &SYMMETRIES[SeenBoard::of(state).symmetry];
        outputs.extend(moves.iter().map(|mv| {
            if mv.is_pass() {
                return PASS as u16;
            }
            let (from, to) = (squares[mv.from().index()], squares[mv.to().index()]);
            PAIRS.numbers[usize::from(from)][usize::from(to)]
        }));
    }
}

const SQUARES: usize = 64;
/// How many windows there are from left to right.
const ACROSS: usize = 9;
const WINDOWS: usize = ACROSS * ACROSS;
/// How a window is filled: four squares, each empty, own or the enemy's, but not all empty.
const PATTERNS: usize = 80;
/// The most pieces that a line holds.
const LONGEST: usize = 8;
const WINDOW_INPUTS: usize = 2 * SQUARES;
const LINE_INPUTS: usize = WINDOW_INPUTS + WINDOWS * PATTERNS;

/// Twelve a side.
const MOST_PIECES: usize = 24;
const MOST_INPUTS: usize = MOST_PIECES + WINDOWS + lines::LINES;

static PAIRS: Pairs<SQUARES> = Pairs::new(8, Between::Lines);
/// The output of a pass.
const PASS: usize = PAIRS.count;

/// The board as it is looked at.
struct SeenBoard {
    symmetry: usize,
    /// Own and the enemy's.
    pieces: [u64; 2],
}

impl SeenBoard {
    fn of(state: &Loa) -> SeenBoard {
        let board = state.board();
        let pieces = [state.turn(), state.turn().other()].map(|side| board.pieces(side));
        let (right, up) = place_of(pieces[0]);
        let place = |symmetry: usize| {
            let (right, up) = if symmetry & 4 != 0 { (up, right) } else { (right, up) };
            let sign = |bit: usize| if symmetry & bit != 0 { -1 } else { 1 };
            (sign(1) * right, sign(2) * up)
        };
        let furthest = (0..8).map(place).min().expect("there are eight");
        let (mut best, mut turned) = (0, [u64::MAX; 2]);
        for symmetry in (0..8).filter(|&symmetry| place(symmetry) == furthest) {
            let candidate = pieces.map(|set| turn(symmetry, set));
            if candidate < turned {
                (best, turned) = (symmetry, candidate);
            }
        }
        SeenBoard { symmetry: best, pieces: turned }
    }
}

/// How far to the right and how far up these squares lie, all together; 0 in the middle.
fn place_of(set: u64) -> (i32, i32) {
    // The files of all squares add up to the sums of their bits, as do the ranks.
    let sum = |bits: [u64; 3]| {
        let [ones, twos, fours] = bits.map(|bit| (set & bit).count_ones() as i32);
        ones + 2 * twos + 4 * fours
    };
    let files = sum([0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0]);
    let ranks = sum([0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000]);
    let middle = 7 * set.count_ones() as i32;
    (2 * files - middle, 2 * ranks - middle)
}

/// Where a set of squares goes, as [`SYMMETRIES`] has it for each of them.
fn turn(symmetry: usize, mut set: u64) -> u64 {
    if symmetry & 4 != 0 {
        // Blocks of four squares by four are exchanged, then of two by two, then single squares.
        for (mask, by) in [
            (0x0f0f_0f0f_0000_0000_u64, 28),
            (0x3333_0000_3333_0000, 14),
            (0x5500_5500_5500_5500, 7),
        ] {
            let exchanged = (set ^ set << by) & mask;
            set ^= exchanged ^ exchanged >> by;
        }
    }
    if symmetry & 1 != 0 {
        set = set.reverse_bits().swap_bytes();
    }
    if symmetry & 2 != 0 { set.swap_bytes() } else { set }
}

/// Where each square goes: bit 2 of a symmetry's number exchanges files and ranks, then bit 0
/// exchanges left and right, and bit 1 up and down.
static SYMMETRIES: [[u8; SQUARES]; 8] = {
    let mut symmetries = [[0; SQUARES]; 8];
    let mut at = 0;
    while at < 8 * SQUARES {
        let (symmetry, square) = (at / SQUARES, at % SQUARES);
        let turned = if symmetry & 4 != 0 { square % 8 * 8 + square / 8 } else { square };
        let left_right = if symmetry & 1 != 0 { 7 } else { 0 };
        let up_down = if symmetry & 2 != 0 { 56 } else { 0 };
        symmetries[symmetry][square] = (turned ^ left_right ^ up_down) as u8;
        at += 1;
    }
    symmetries
};

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Rng;

    /// A set that holds every third square or so.
    fn any_set(rng: &mut Rng) -> u64 {
        (0..64).fold(0, |set, square| set | u64::from(rng.below(3) == 0) << square)
    }

    #[test]
    fn sets_are_turned_square_by_square() {
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let set = any_set(&mut rng);
            for (symmetry, squares) in SYMMETRIES.iter().enumerate() {
                let goes = |square: usize| 1 << squares[square];
                let turned = (0..64).filter(|square| set >> square & 1 != 0).map(goes);
                assert_eq!(turn(symmetry, set), turned.sum::<u64>(), "{symmetry} {set:#x}");
            }
        }
    }

    #[test]
    fn the_place_of_a_set_is_that_of_its_squares() {
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let set = any_set(&mut rng);
            let (mut right, mut up) = (0, 0);
            for square in bits(set) {
                right += 2 * i32::from(square.file()) - 7;
                up += 2 * i32::from(square.rank()) - 7;
            }
            assert_eq!(place_of(set), (right, up), "{set:#x}");
        }
    }
}
