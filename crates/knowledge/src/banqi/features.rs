//! What a network sees of Chinese dark chess, which is what the players see: never what a covered
//! piece is.
//!
//! Inputs, in this order: what lies on one of 32 squares, seven kinds of own pieces, seven of the
//! enemy's, or a covered piece; face-up pieces that can be captured with profit, by square and
//! kind; kinds of which one can be captured, with profit or not; how many of each kind are in the
//! game, covered or not, own ones first, one input a number, `MOST` standing for more as well; how
//! many are covered, likewise; how that material is likely to end; how much of the plies after which
//! the game is drawn has gone by, in sixteenths; whether the position has occurred before; whether
//! colours are decided; and the size of a board that is smaller than usual. Before colours are
//! decided, those pieces count as own of which more are covered, higher kinds first.
//!
//! Outputs: pairs of squares on a rank or file, four times, for moves that capture or do not, and
//! that lose material by exchanges or do not; and a flip of each square, three times, for flips that
//! look bad, neither, and good.
//!
//! The rules do not tell left from right nor up from down. So the board is reflected such that own
//! pieces that are face up lie on the left and below, on average, then the enemy's; where that
//! leaves several ways, what lies on the squares decides.

use super::exchange;
use super::likely;
use super::moves::{CURB, FLIP, MoveEval};
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
        // Every piece may be hanging; then how it is likely to end, what has gone by, a repetition, and
        // a smaller size; colours are then decided or not.
        2 * SQUARES + 3 * 2 * KINDS + 5
    }
    fn outputs(&self) -> usize {
        FLIPS + FLIP_CLASSES * SQUARES
    }

    fn write(&self, state: &Banqi, inputs: &mut Vec<u16>) {
        let board = state.board();
        let view = View::of(board);
        let mut push = |input: usize| inputs.push(input as u16);
        let mut attacked = [false; 2 * KINDS];
        for square in bits(board.covered() | board.face_up()) {
            let (place, face) = (view.square(square), view.face(board, square));
            push(place * FACES + face);
            let Some(piece) = board.piece(square) else { continue };
            let Some(lost) = exchange::lost(board, piece, square) else { continue };
            attacked[face] = true;
            if lost > 0 {
                push(HANGING_INPUTS + place * 2 * KINDS + face);
            }
        }
        let kinds = attacked.iter().enumerate().filter(|&(_, &is_attacked)| is_attacked);
        kinds.for_each(|(face, _)| push(ATTACKED_INPUTS + face));
        for (number, piece) in view.pieces().enumerate() {
            let counts = [board.material()[piece.index()], board.pool(piece)];
            for (count, first) in counts.into_iter().zip([MATERIAL_INPUTS, COVERED_INPUTS]) {
                if count > 0 {
                    push(first + number * MOST + usize::from(count).min(MOST) - 1);
                }
            }
        }
        if let Some(outcome) = likely::verdict(board) {
            let likely = match outcome {
                Outcome::Draw => 0,
                Outcome::Win(side) if side == board.turn() => 1,
                Outcome::Win(_) => 2,
            };
            push(LIKELY_INPUTS + likely);
        }
        let gone = usize::from(board.quiet()) * SIXTEENTHS / usize::from(board.rules().plies);
        push(QUIET_INPUTS + gone.min(SIXTEENTHS - 1));
        if state.occurrences() > 1 {
            push(REPEATED_INPUT);
        }
        if board.colours().is_some() {
            push(DECIDED_INPUT);
        }
        if (view.files, view.ranks) != (FILES, RANKS) {
            push(SIZE_INPUTS + usize::from(view.files - 1) * 8 + usize::from(view.ranks - 1));
        }
    }

    fn write_moves(&self, state: &Banqi, moves: &[Move], outputs: &mut Vec<u16>) {
        let board = state.board();
        let view = View::of(board);
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
const MOST: usize = 5;
const SIXTEENTHS: usize = 16;
const HANGING_INPUTS: usize = SQUARES * FACES;
const ATTACKED_INPUTS: usize = HANGING_INPUTS + SQUARES * 2 * KINDS;
const MATERIAL_INPUTS: usize = ATTACKED_INPUTS + 2 * KINDS;
const COVERED_INPUTS: usize = MATERIAL_INPUTS + 2 * KINDS * MOST;
const LIKELY_INPUTS: usize = COVERED_INPUTS + 2 * KINDS * MOST;
const QUIET_INPUTS: usize = LIKELY_INPUTS + 3;
const REPEATED_INPUT: usize = QUIET_INPUTS + SIXTEENTHS;
const DECIDED_INPUT: usize = REPEATED_INPUT + 1;
const SIZE_INPUTS: usize = DECIDED_INPUT + 1;

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
struct View {
    files: u8,
    ranks: u8,
    /// The colour that counts as own.
    own: Colour,
    is_left_right: bool,
    is_up_down: bool,
}

impl View {
    fn of(board: &Board) -> View {
        let own = board.colours().map_or_else(|| fuller(board), |colours| colours.mover);
        let view = |is_left_right, is_up_down| View {
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
        bits(set).fold([0, 0], |[right, up], square| {
            [
                right + 2 * i32::from(square.file()) - i32::from(self.files - 1),
                up + 2 * i32::from(square.rank()) - i32::from(self.ranks - 1),
            ]
        })
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

    /// All pieces, own ones first.
    fn pieces(&self) -> impl Iterator<Item = Piece> {
        let colours = [self.own, self.own.other()].into_iter();
        colours.flat_map(|colour| Kind::ALL.into_iter().map(move |kind| Piece::new(colour, kind)))
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
