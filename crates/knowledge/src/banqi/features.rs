//! What a network sees of Chinese dark chess, which is what the players see: never what a covered
//! piece is.
//!
//! Inputs, in this order: what lies on one of 32 squares, seven kinds of own pieces, seven of the
//! enemy's, or a covered piece; face-up pieces that can be captured with profit, by square and
//! kind; kinds of which one can be captured, with profit or not; how many of each kind are in the
//! game, covered or not, own ones first, one input a number, `MOST_OF_KIND` standing for more as
//! well; how many are covered, likewise; how that material is likely to end; how much of the plies
//! after which the game is drawn has gone by, in sixteenths; whether the position has occurred
//! before; whether colours are decided; and the size of a board that is smaller than usual. Before
//! colours are decided, those pieces count as own of which more are covered, higher kinds first.
//!
//! Outputs: pairs of squares on a rank or file, four times, for moves that capture or do not, and
//! that lose material by exchanges or do not; and a flip of each square, three times, for flips
//! that look bad, neither, and good.
//!
//! The rules do not tell left from right nor up from down. So the board is reflected such that own
//! pieces that are face up lie on the left and below, on average, then the enemy's; where that
//! leaves several ways, what lies on the squares decides.

use super::exchange;
use super::likely;
use super::moves::{CURB, FLIP, MoveEval};
use crate::active::ActiveInputs;
use crate::pairs::{Between, Pairs};
use monteverde_banqi::{
    Banqi, Board, Colour, FILES, KINDS, Kind, Move, Piece, RANKS, SQUARES, Square, bits,
};
use monteverde_game::Outcome;
use monteverde_network::Features;

/// What a network sees of Chinese dark chess. The head of the file says what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BanqiFeatures;

impl Features<Banqi> for BanqiFeatures {
    fn name(&self) -> &'static str {
        "banqi-exchanges-material-2"
    }
    fn inputs(&self) -> usize {
        SIZE_INPUTS + usize::from(FILES) * usize::from(RANKS)
    }
    fn most(&self) -> usize {
        MOST_INPUTS
    }
    fn outputs(&self) -> usize {
        FLIPS + FLIP_CLASSES * SQUARES
    }

    fn write(&self, state: &Banqi, inputs: &mut Vec<u16>) {
        let board = state.board();
        let view = SeenBoard::of(board);
        let mut room = [0; MOST_INPUTS + 1];
        let mut active = ActiveInputs::new(&mut room);
        for place in bits(view.squares(board.covered())) {
            active.push(place.index() * FACES + COVERED);
        }
        let mut attacked = [false; 2 * KINDS];
        for square in bits(board.face_up()) {
            let (place, face) = (view.square(square), view.face(board, square));
            active.push(place * FACES + face);
            let lost = board.piece(square).and_then(|piece| exchange::lost(board, piece, square));
            attacked[face] |= lost.is_some();
            let is_hanging = lost.is_some_and(|lost| lost > 0);
            active.push_if(is_hanging, HANGING_INPUTS + place * 2 * KINDS + face);
        }
        for (face, is_attacked) in attacked.into_iter().enumerate() {
            active.push_if(is_attacked, ATTACKED_INPUTS + face);
        }
        for (side, colour) in [view.own, view.own.other()].into_iter().enumerate() {
            for (number, kind) in Kind::ALL.into_iter().enumerate() {
                let piece = Piece::new(colour, kind);
                let counts = [board.material()[piece.index()], board.pool(piece)];
                for (count, first) in counts.into_iter().zip([MATERIAL_INPUTS, COVERED_INPUTS]) {
                    let input = first + (side * KINDS + number) * MOST_OF_KIND - 1;
                    active.push_if(count > 0, input + usize::from(count).min(MOST_OF_KIND));
                }
            }
        }
        if let Some(outcome) = likely::verdict(board) {
            let likely = match outcome {
                Outcome::Draw => 0,
                Outcome::Win(side) if side == board.turn() => 1,
                Outcome::Win(_) => 2,
            };
            active.push(LIKELY_INPUTS + likely);
        }
        let gone = usize::from(board.quiet()) * SIXTEENTHS / usize::from(board.rules().plies);
        active.push(QUIET_INPUTS + gone.min(SIXTEENTHS - 1));
        active.push_if(state.occurrences() > 1, REPEATED_INPUT);
        active.push_if(board.colours().is_some(), DECIDED_INPUT);
        let is_smaller = (view.files, view.ranks) != (FILES, RANKS);
        let size = usize::from(view.files - 1) * 8 + usize::from(view.ranks - 1);
        active.push_if(is_smaller, SIZE_INPUTS + size);
        inputs.extend_from_slice(active.as_slice());
    }

    fn write_moves(&self, state: &Banqi, moves: &[Move], outputs: &mut Vec<u16>) {
        let board = state.board();
        let view = SeenBoard::of(board);
        outputs.extend(moves.iter().map(|&mv| {
            let (from, to) = (view.square(mv.from()), view.square(mv.to()));
            if mv.is_flip() {
                return (FLIPS + flip_class(board, mv) * SQUARES + from) as u16;
            }
            let class =
                2 * usize::from(board.is_capture(mv)) + usize::from(exchange::loses(board, mv));
            (class * PAIRS.count) as u16 + PAIRS.numbers[from][to]
        }));
    }
}

/// What may lie on a square.
const FACES: usize = 2 * KINDS + 1;
/// The last of them.
const COVERED: usize = 2 * KINDS;
/// As many pawns as a side has.
const MOST_OF_KIND: usize = 5;
const SIXTEENTHS: usize = 16;
const HANGING_INPUTS: usize = SQUARES * FACES;
const ATTACKED_INPUTS: usize = HANGING_INPUTS + SQUARES * 2 * KINDS;
const MATERIAL_INPUTS: usize = ATTACKED_INPUTS + 2 * KINDS;
const COVERED_INPUTS: usize = MATERIAL_INPUTS + 2 * KINDS * MOST_OF_KIND;
const LIKELY_INPUTS: usize = COVERED_INPUTS + 2 * KINDS * MOST_OF_KIND;
const QUIET_INPUTS: usize = LIKELY_INPUTS + 3;
const REPEATED_INPUT: usize = QUIET_INPUTS + SIXTEENTHS;
const DECIDED_INPUT: usize = REPEATED_INPUT + 1;
const SIZE_INPUTS: usize = DECIDED_INPUT + 1;
/// Every piece may be hanging; then how it is likely to end, what has gone by, a repetition, and
/// a smaller size; colours are then decided or not.
const MOST_INPUTS: usize = 2 * SQUARES + 3 * 2 * KINDS + 5;

/// Whether a move captures, and whether it loses by exchanges.
const MOVE_CLASSES: usize = 4;
/// Whether a flip looks bad, neither, or good.
const FLIP_CLASSES: usize = 3;

fn flip_class(board: &Board, mv: Move) -> usize {
    let eval = MoveEval::Flips { curb: CURB, flip: FLIP }.eval(board, mv);
    if eval < 0.0 { 0 } else { 1 + usize::from(eval > 0.0) }
}

static PAIRS: Pairs<SQUARES> = Pairs::new(FILES as usize, Between::Straight);
/// The first output of a flip.
const FLIPS: usize = MOVE_CLASSES * PAIRS.count;

/// The board as it is looked at.
struct SeenBoard {
    files: u8,
    ranks: u8,
    /// The colour that counts as own.
    own: Colour,
    is_left_right: bool,
    is_up_down: bool,
}

impl SeenBoard {
    fn of(board: &Board) -> SeenBoard {
        let own = board.colours().map_or_else(|| fuller(board), |colours| colours.mover);
        let view = |is_left_right, is_up_down| SeenBoard {
            files: board.files(),
            ranks: board.ranks(),
            own,
            is_left_right,
            is_up_down,
        };
        let plain = view(false, false);
        let [own_right, own_up] = plain.place(board.of(own));
        let [enemy_right, enemy_up] = plain.place(board.of(own.other()));
        // Left and right are one question, up and down another.
        let left_right = choices((own_right, enemy_right));
        let up_down = choices((own_up, enemy_up));
        if let ([left_right], [up_down]) = (left_right, up_down) {
            return view(*left_right, *up_down);
        }
        let ways = left_right.iter().flat_map(|&x| up_down.iter().map(move |&y| view(x, y)));
        ways.min_by_key(|view| view.picture(board)).expect("there is a way")
    }

    /// How far to the right and how far up these squares lie, all together; 0 in the middle.
    fn place(&self, set: u32) -> [i32; 2] {
        // The files of all squares add up to the sums of their bits, as do the ranks.
        let count = |bit: u32| (set & bit).count_ones() as i32;
        let files = count(0xaaaa_aaaa) + 2 * count(0xcccc_cccc);
        let ranks = count(0xf0f0_f0f0) + 2 * count(0xff00_ff00) + 4 * count(0xffff_0000);
        let squares = set.count_ones() as i32;
        let [right, up] = [self.files, self.ranks].map(|size| squares * i32::from(size - 1));
        [2 * files - right, 2 * ranks - up]
    }

    /// Where a set of squares is seen, as [`SeenBoard::square`] has it for each of them.
    fn squares(&self, mut set: u32) -> u32 {
        if self.is_left_right {
            set = (set & 0x3333_3333) << 2 | set >> 2 & 0x3333_3333;
            set = (set & 0x5555_5555) << 1 | set >> 1 & 0x5555_5555;
            set >>= FILES - self.files;
        }
        if self.is_up_down {
            set = set.swap_bytes();
            set = (set & 0x0f0f_0f0f) << 4 | set >> 4 & 0x0f0f_0f0f;
            set >>= FILES * (RANKS - self.ranks);
        }
        set
    }

    /// Where a square is seen.
    fn square(&self, square: Square) -> usize {
        let (file, rank) = (square.file(), square.rank());
        let file = if self.is_left_right { self.files - 1 - file } else { file };
        let rank = if self.is_up_down { self.ranks - 1 - rank } else { rank };
        Square::at(file, rank).index()
    }

    /// What is seen on a square that holds a piece.
    fn face(&self, board: &Board, square: Square) -> usize {
        let Some(piece) = board.piece(square) else { return COVERED };
        let side = if piece.colour() == self.own { 0 } else { KINDS };
        side + piece.kind() as usize
    }

    /// What is seen on all squares.
    fn picture(&self, board: &Board) -> [u8; SQUARES] {
        const EMPTY: u8 = FACES as u8;
        let mut picture = [EMPTY; SQUARES];
        for square in bits(board.covered() | board.face_up()) {
            picture[self.square(square)] = self.face(board, square) as u8;
        }
        picture
    }
}

/// The ways to look along an axis on which own pieces and the enemy's lie so far from the middle.
fn choices(place: (i32, i32)) -> &'static [bool] {
    match place {
        (0, 0) => &[false, true],
        place if place > (0, 0) => &[true],
        _ => &[false],
    }
}

/// The colour of which more is covered.
fn fuller(board: &Board) -> Colour {
    let [red, black] =
        Colour::ALL.map(|colour| Kind::ALL.map(|kind| board.pool(Piece::new(colour, kind))));
    if red >= black { Colour::Red } else { Colour::Black }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Rng;

    /// Every view of every size of a board, with a set of some of its squares.
    fn for_each_view(mut check: impl FnMut(&SeenBoard, u32)) {
        let mut rng = Rng::new(1);
        for (files, ranks) in (1..=FILES).flat_map(|files| (1..=RANKS).map(move |it| (files, it))) {
            for way in 0..4 {
                let (is_left_right, is_up_down) = (way & 1 != 0, way & 2 != 0);
                let view = SeenBoard { files, ranks, own: Colour::Red, is_left_right, is_up_down };
                let board = bits(u32::MAX).filter(|it| it.file() < files && it.rank() < ranks);
                let set = board.filter(|_| rng.below(3) > 0).fold(0, |set, it| set | it.bit());
                check(&view, set);
            }
        }
    }

    #[test]
    fn sets_are_seen_square_by_square() {
        for_each_view(|view, set| {
            let seen = bits(set).fold(0, |seen, square| seen | 1 << view.square(square));
            assert_eq!(view.squares(set), seen, "{} by {}: {set:#x}", view.files, view.ranks);
        });
    }

    #[test]
    fn the_place_of_a_set_is_that_of_its_squares() {
        for_each_view(|view, set| {
            let place = bits(set).fold([0, 0], |[right, up], square| {
                [
                    right + 2 * i32::from(square.file()) - i32::from(view.files - 1),
                    up + 2 * i32::from(square.rank()) - i32::from(view.ranks - 1),
                ]
            });
            assert_eq!(view.place(set), place, "{} by {}: {set:#x}", view.files, view.ranks);
        });
    }
}
