//! How promising moves look (paper 004, section 3.4.2), in the unit of the piece weights, for the
//! side that plays them.
//!
//! 1. **Captures, escapes, suicides.** What a move captures is added; so is a piece that could be
//!    captured where it stood and cannot where it goes; one that was safe and no longer is is
//!    subtracted. Whether anything is protected does not count.
//! 2. **Curbs.** A move that puts a piece diagonally beside an enemy that it takes by a step curbs
//!    that enemy, the heaviest if there are several; a part of its weight is added, unless the move
//!    is a suicide.
//! 3. **Flips.** For each piece that may show, by its probability: an own one that can be captured
//!    at once is subtracted, and a part of the heaviest enemy that it could capture is added; for
//!    an enemy's, the heaviest own piece that it could capture is subtracted, and a part of it is
//!    added if it can be captured.

use super::material::weight;
use monteverde_banqi::attacks::{NEIGHBOURS, jumps};
use monteverde_banqi::{Board, Colour, Kind, Move, Piece, SQUARES, Square, bits};

/// Which of the three evaluations of moves counts, with its coefficients.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MoveEval {
    /// Captures, escapes and suicides.
    Captures,
    /// Also curbs.
    Curbs {
        /// What part of a curbed piece's weight counts.
        curb: f64,
    },
    /// Also flips.
    Flips {
        /// What part of a curbed piece's weight counts.
        curb: f64,
        /// What part of a piece's weight counts that is threatened by a flip.
        flip: f64,
    },
}

/// c_curb (paper 004, section 4.1.4).
pub const CURB: f64 = 1.0 / 4.0;
/// c_flip (paper 004, section 4.1.4).
pub const FLIP: f64 = 1.0 / 12.0;

impl MoveEval {
    /// The evaluation of a legal move.
    #[inline]
    pub fn eval(self, board: &Board, mv: Move) -> f32 {
        let Some(colours) = board.colours() else { return 0.0 };
        match (self, mv.is_flip()) {
            (MoveEval::Flips { flip, .. }, true) => {
                eval_flip(board, colours.mover, mv.from(), flip as f32)
            }
            (_, true) => 0.0,
            (MoveEval::Captures, false) => eval_step(board, mv, None),
            (MoveEval::Curbs { curb } | MoveEval::Flips { curb, .. }, false) => {
                eval_step(board, mv, Some(curb as f32))
            }
        }
    }
}

fn eval_step(board: &Board, mv: Move, curb: Option<f32>) -> f32 {
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = board.piece(from) else { return 0.0 };
    let occupied = board.covered() | board.face_up();
    let was_safe = board.attackers(from, piece, occupied) == 0;
    let after = occupied & !from.bit() | to.bit();
    let is_safe = board.attackers(to, piece, after) == 0;
    let mut eval = board.piece(to).map_or(0.0, weight);
    match (was_safe, is_safe) {
        (false, true) => eval += weight(piece),
        (true, false) => return eval - weight(piece),
        _ => {}
    }
    let Some(curb) = curb else { return eval };
    let curbed = DIAGONALS[to.index()] & board.prey(piece.colour().other(), piece.kind());
    eval + curb * heaviest(board, curbed)
}

fn eval_flip(board: &Board, mover: Colour, square: Square, flip: f32) -> f32 {
    let occupied = board.covered() | board.face_up();
    let (beside, jumped) = (NEIGHBOURS[square.index()], jumps(square, occupied));
    if (beside | jumped) & board.face_up() == 0 {
        return 0.0;
    }
    let mut sum = 0.0;
    for piece in Piece::all().filter(|&piece| board.pool(piece) > 0) {
        let enemy = piece.colour().other();
        let reached = match piece.kind() {
            Kind::Cannon => jumped & board.of(enemy),
            kind => beside & board.prey(enemy, kind),
        };
        let taken = heaviest(board, reached);
        let lost = match board.attackers(square, piece, occupied) {
            0 => 0.0,
            _ => weight(piece),
        };
        let eval = if piece.colour() == mover { flip * taken - lost } else { flip * lost - taken };
        sum += f32::from(board.pool(piece)) * eval;
    }
    sum / board.covered().count_ones() as f32
}

/// The weight of the heaviest piece on these squares, which hold face-up pieces; 0 where there is
/// none.
#[inline(always)]
fn heaviest(board: &Board, squares: u32) -> f32 {
    bits(squares).filter_map(|square| board.piece(square)).map(weight).fold(0.0, f32::max)
}

/// The up to four squares diagonally beside each square.
static DIAGONALS: [u32; SQUARES] = diagonals();

const fn diagonals() -> [u32; SQUARES] {
    let mut diagonals = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            let (a, b) = (Square::new(from as u8), Square::new(to as u8));
            let files = a.file().abs_diff(b.file());
            if files == 1 && a.rank().abs_diff(b.rank()) == 1 {
                diagonals[from] |= b.bit();
            }
            to += 1;
        }
        from += 1;
    }
    diagonals
}
