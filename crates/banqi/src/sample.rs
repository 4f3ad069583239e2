//! One random legal move without listing them all, and whole playouts: uniform, or by the weight of what a move captures.
//!
//! Moves are counted by class: flips, steps to empty squares, and captures of each kind of piece. A class is a set of
//! squares for each direction, so that counting is shifting sets and counting bits. One random number then falls into
//! a class, and into a move of it.

use crate::attacks::jumps;
use crate::board::ALL;
use crate::ending::Ending;
use crate::past::Past;
use crate::{Board, KINDS, Kind, Move, PIECES, Piece, Square, bits};
use monteverde_game::isa::{self, Isa, Task};
use monteverde_game::{Outcome, Rng};

/// How likely each move is in a playout, relative to the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    captures: [u32; KINDS],
    others: u32,
}

impl Weights {
    /// The greatest weight, so that their sum over all moves stays in 32 bits.
    pub const MOST: u32 = 1 << 20;

    /// Weights of captures by the kind of the captured piece, from the king to the pawn, and of all other moves.
    ///
    /// # Panics
    /// If a weight is 0 or above [`Weights::MOST`].
    pub const fn new(captures: [u32; KINDS], others: u32) -> Weights {
        let mut kind = 0;
        while kind < KINDS {
            assert!(0 < captures[kind] && captures[kind] <= Weights::MOST);
            kind += 1;
        }
        assert!(0 < others && others <= Weights::MOST);
        Weights { captures, others }
    }
}

/// Weights, or that all moves are alike, which the compiler then knows.
pub(crate) trait Weighing: Copy {
    fn capture(self, kind: usize) -> u32;
    fn others(self) -> u32;
}

/// All moves are alike.
#[derive(Clone, Copy)]
pub(crate) struct Uniform;

impl Weighing for Uniform {
    #[inline(always)]
    fn capture(self, _: usize) -> u32 {
        1
    }

    #[inline(always)]
    fn others(self) -> u32 {
        1
    }
}

impl Weighing for &Weights {
    #[inline(always)]
    fn capture(self, kind: usize) -> u32 {
        self.captures[kind]
    }

    #[inline(always)]
    fn others(self) -> u32 {
        self.others
    }
}

/// A random legal move of a board on which both colours have pieces and nothing is pending; `None`, without drawing, if there
/// is none.
pub(crate) fn sample<W: Weighing>(board: &Board, weighing: W, rng: &mut Rng) -> Option<Move> {
    isa::run(Sample { board, weighing, rng })
}

struct Sample<'a, W> {
    board: &'a Board,
    weighing: W,
    rng: &'a mut Rng,
}

impl<W: Weighing> Task for Sample<'_, W> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        draw(isa, self.board, self.weighing, self.rng)
    }
}

/// Plays random moves to the end of the game, or until `verdict`, asked after each capture, knows an outcome. Says what
/// the outcome is and after how many plies.
pub(crate) fn playout<W, V>(
    (board, past): (&mut Board, &mut Past),
    weighing: W,
    verdict: V,
    rng: &mut Rng,
) -> (Outcome, u32)
where
    W: Weighing,
    V: FnMut(&Board) -> Option<Outcome>,
{
    isa::run(Playout { board, past, weighing, verdict, rng })
}

struct Playout<'a, W, V> {
    board: &'a mut Board,
    past: &'a mut Past,
    weighing: W,
    verdict: V,
    rng: &'a mut Rng,
}

impl<W: Weighing, V: FnMut(&Board) -> Option<Outcome>> Task for Playout<'_, W, V> {
    type Output = (Outcome, u32);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (Outcome, u32) {
        let Playout { board, past, weighing, mut verdict, rng } = self;
        let mut plies = 0;
        if board.pending().is_some() {
            board.settle(sample_event(board, rng));
        }
        if let Some(loser) = board.loser() {
            return (Ending::Captured(loser).outcome(), plies);
        }
        loop {
            let drawn =
                board.is_quiet_draw() || past.is_repeated(board.rules().repetition, board.key());
            if drawn && board.can_move() {
                return (Outcome::Draw, plies);
            }
            let Some(mv) = draw(isa, board, weighing, rng) else {
                return (Ending::NoMove(board.turn()).outcome(), plies);
            };
            plies += 1;
            if mv.is_flip() {
                past.clear();
                board.play(mv);
                board.settle(sample_event(board, rng));
                // The first flip may show that the pieces are all of one colour.
                if plies == 1
                    && let Some(loser) = board.loser()
                {
                    return (Ending::Captured(loser).outcome(), plies);
                }
            } else if board.is_capture(mv) {
                past.clear();
                board.play(mv);
                if let Some(loser) = board.loser() {
                    return (Ending::Captured(loser).outcome(), plies);
                }
                if let Some(outcome) = verdict(board) {
                    return (outcome, plies);
                }
            } else {
                past.push(board.key());
                board.play(mv);
            }
        }
    }
}

/// A random covered piece of a board that has some.
#[inline(always)]
pub(crate) fn sample_event(board: &Board, rng: &mut Rng) -> Piece {
    let mut rest = rng.below(board.covered().count_ones());
    for number in 0..PIECES as u8 {
        let piece = Piece::wrap(number);
        let count = u32::from(board.pool(piece));
        if rest < count {
            return piece;
        }
        rest -= count;
    }
    unreachable!("as many pieces are covered as squares")
}

#[inline(always)]
fn draw<I: Isa, W: Weighing>(isa: I, board: &Board, weighing: W, rng: &mut Rng) -> Option<Move> {
    let mover = board.mover();
    let (own, enemy) = (board.sets(mover), board.sets(mover.other()));
    let quiet = steps(own[ALL], board.empty());
    let others = board.covered().count_ones() + count(quiet);
    let captures = step_captures(own, enemy);
    let mut weight = 0;
    for (kind, &steps) in captures.iter().enumerate() {
        weight += count(steps) * weighing.capture(kind);
    }
    let occupied = board.covered() | board.face_up();
    for cannon in bits(own[Kind::Cannon as usize]) {
        for to in bits(jumps(cannon, occupied) & enemy[ALL]) {
            weight += weighing.capture(board.piece_unchecked(to).kind() as usize);
        }
    }
    let total = others * weighing.others() + weight;
    if total == 0 {
        return None;
    }
    let mut rest = rng.below(total);
    // Captures first, since they leave a rest that is divided by one number for all others.
    if rest >= weight {
        let mut index = (rest - weight) / weighing.others();
        let flips = board.covered().count_ones();
        if index < flips {
            return Some(Move::flip(Square::wrap(isa.nth(u64::from(board.covered()), index))));
        }
        index -= flips;
        return Some(nth_step(isa, quiet, index));
    }
    for (kind, &steps) in captures.iter().enumerate() {
        let here = count(steps) * weighing.capture(kind);
        if rest < here {
            return Some(nth_step(isa, steps, rest / weighing.capture(kind)));
        }
        rest -= here;
    }
    for cannon in bits(own[Kind::Cannon as usize]) {
        for to in bits(jumps(cannon, occupied) & enemy[ALL]) {
            let here = weighing.capture(board.piece_unchecked(to).kind() as usize);
            if rest < here {
                return Some(Move::new(cannon, to));
            }
            rest -= here;
        }
    }
    unreachable!("the weights of all moves add up to the total")
}

/// The squares that steps go to: upwards and downwards in the halves of the first word, to the right and to the left in
/// those of the second.
type Steps = [u64; 2];

/// The steps from one set of squares to another.
#[inline(always)]
fn steps(from: u32, to: u32) -> Steps {
    const A_FILE: u32 = 0x1111_1111;
    const D_FILE: u32 = 0x8888_8888;
    let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let to = both(to, to);
    [both(from << 4, from >> 4) & to, both((from & !D_FILE) << 1, (from & !A_FILE) >> 1) & to]
}

#[inline(always)]
fn count(steps: Steps) -> u32 {
    steps[0].count_ones() + steps[1].count_ones()
}

/// The step of that number.
#[inline(always)]
fn nth_step<I: Isa>(isa: I, steps: Steps, index: u32) -> Move {
    let first = steps[0].count_ones();
    let (bit, length) = if index < first {
        (isa.nth(steps[0], index), 4)
    } else {
        (isa.nth(steps[1], index - first), 1)
    };
    // In the upper half of a word the step went down or to the left.
    let from = if bit < 32 { bit.wrapping_sub(length) } else { bit + length };
    Move::new(Square::wrap(from), Square::wrap(bit))
}

/// The captures by stepping, by the kind of the captured piece.
#[inline(always)]
fn step_captures(own: &[u32; 8], enemy: &[u32; 8]) -> [Steps; KINDS] {
    let [king, guard, minister, rook, knight, _, pawn, _] = *own;
    // As `Kind::takes` has it; a test compares the two.
    let to_guard = king | guard;
    let to_minister = to_guard | minister;
    let to_rook = to_minister | rook;
    let to_knight = to_rook | knight;
    [
        steps(king | pawn, enemy[Kind::King as usize]),
        steps(to_guard, enemy[Kind::Guard as usize]),
        steps(to_minister, enemy[Kind::Minister as usize]),
        steps(to_rook, enemy[Kind::Rook as usize]),
        steps(to_knight, enemy[Kind::Knight as usize]),
        steps(to_knight, enemy[Kind::Cannon as usize]),
        steps(to_knight & !king | pawn, enemy[Kind::Pawn as usize]),
    ]
}
