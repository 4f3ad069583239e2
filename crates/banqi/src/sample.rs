//! One random legal move without listing them all, and whole playouts, by the weight of what a move captures.
//!
//! Moves are counted, not listed: flips, steps to empty squares, of which the squares in each direction are one shifted set,
//! and captures, for which only enemies beside own pieces are looked at one by one. One random number then falls into
//! one of these, and into a move of it.

use crate::attacks::{NEIGHBOURS, jumps};
use crate::board::ALL;
use crate::ending::Ending;
use crate::generate::hunters;
use crate::past::Past;
use crate::{Board, Kind, Move, Piece, Square, Weights, bits};
use monteverde_game::isa::{self, Isa, Task};
use monteverde_game::{Outcome, Rng};

/// A random legal move of a board on which both colours have pieces and nothing is pending; `None`, without drawing, if there
/// is none.
pub(crate) fn sample(board: &Board, weights: &Weights, rng: &mut Rng) -> Option<Move> {
    isa::run(Sample { board, weights, rng })
}

struct Sample<'a> {
    board: &'a Board,
    weights: &'a Weights,
    rng: &'a mut Rng,
}

impl Task for Sample<'_> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        match draw(isa, self.board, self.weights, self.rng)? {
            Drawn::Flip(square) => Some(Move::flip(square)),
            Drawn::Quiet(mv) | Drawn::Capture(mv) => Some(mv),
        }
    }
}

/// Plays random moves to the end of the game, or until `verdict`, asked after each capture, knows an outcome. Says what
/// the outcome is and after how many plies.
pub(crate) fn playout<V>(
    (board, past): (&mut Board, &mut Past),
    weights: &Weights,
    verdict: V,
    rng: &mut Rng,
) -> (Outcome, u32)
where
    V: FnMut(&Board) -> Option<Outcome>,
{
    isa::run(Playout { board, past, weights, verdict, rng })
}

struct Playout<'a, V> {
    board: &'a mut Board,
    past: &'a mut Past,
    weights: &'a Weights,
    verdict: V,
    rng: &'a mut Rng,
}

impl<V: FnMut(&Board) -> Option<Outcome>> Task for Playout<'_, V> {
    type Output = (Outcome, u32);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (Outcome, u32) {
        let Playout { board, past, weights, mut verdict, rng } = self;
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
            match draw(isa, board, weights, rng) {
                None => return (Ending::NoMove(board.turn()).outcome(), plies),
                Some(Drawn::Quiet(mv)) => {
                    past.push(board.key());
                    board.step(mv);
                    plies += 1;
                }
                Some(Drawn::Flip(square)) => {
                    past.clear();
                    board.flip(square);
                    board.settle(sample_event(board, rng));
                    plies += 1;
                    // The first flip may show that all pieces are of one colour.
                    if plies == 1
                        && let Some(loser) = board.loser()
                    {
                        return (Ending::Captured(loser).outcome(), plies);
                    }
                }
                Some(Drawn::Capture(mv)) => {
                    past.clear();
                    board.capture(mv);
                    plies += 1;
                    let ended = board.loser().map(|loser| Ending::Captured(loser).outcome());
                    if let Some(outcome) = ended.or_else(|| verdict(board)) {
                        return (outcome, plies);
                    }
                }
            }
        }
    }
}

/// A random covered piece of a board that has some.
#[inline(always)]
pub(crate) fn sample_event(board: &Board, rng: &mut Rng) -> Piece {
    sample_piece(board.pools(), board.covered().count_ones(), rng)
}

/// A random piece of `count` covered ones, of which the pools of red and black hold so many of each kind as a byte says.
#[inline(always)]
pub(crate) fn sample_piece(pools: [u64; 2], count: u32, rng: &mut Rng) -> Piece {
    // Each byte of a product holds the sum of the counts up to its kind, at most 32.
    let (red, black) = (pools[0].wrapping_mul(EACH_BYTE), pools[1].wrapping_mul(EACH_BYTE));
    let drawn = u64::from(rng.below(count));
    let reds = red >> 56;
    let (colour, sums, rest) =
        if drawn < reds { (0, red, drawn) } else { (8, black, drawn - reds) };
    // The first sum above the rest is the first byte that reaches 128.
    let above = sums.wrapping_add((127 - rest).wrapping_mul(EACH_BYTE)) & (EACH_BYTE << 7);
    Piece::wrap(colour + (above.trailing_zeros() / 8) as u8)
}

const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// A move with what is known of it when it was drawn.
enum Drawn {
    Flip(Square),
    Quiet(Move),
    Capture(Move),
}

#[inline(always)]
fn draw<I: Isa>(isa: I, board: &Board, weights: &Weights, rng: &mut Rng) -> Option<Drawn> {
    let mover = board.mover();
    let (own, enemy) = (board.sets(mover), board.sets(mover.other()));
    let reach = steps(own[ALL]);
    let quiet = onto(reach, board.empty());
    let flips = board.covered().count_ones();
    let others = flips + quiet[0].count_ones() + quiet[1].count_ones();
    let prey = Prey { board, enemy: enemy[ALL], touched: targets(reach) & enemy[ALL], own };
    let captures = prey.weight(weights);
    let total = captures + others * weights.others();
    if total == 0 {
        return None;
    }
    let drawn = rng.below(total);
    if drawn < captures {
        return Some(Drawn::Capture(prey.capture(isa, weights, drawn)));
    }
    let index = weights.other(drawn - captures);
    if index < flips {
        return Some(Drawn::Flip(Square::wrap(isa.nth(u64::from(board.covered()), index))));
    }
    Some(Drawn::Quiet(nth_step(isa, quiet, index - flips)))
}

/// Where steps go: upwards and downwards in the halves of the first word, to the right and to the left in those of the
/// second.
pub(crate) type Steps = [u64; 2];

/// The steps from a set of squares.
#[inline(always)]
pub(crate) fn steps(from: u32) -> Steps {
    const A_FILE: u32 = 0x1111_1111;
    const D_FILE: u32 = 0x8888_8888;
    let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    [both(from << 4, from >> 4), both((from & !D_FILE) << 1, (from & !A_FILE) >> 1)]
}

/// Those of the steps that end in a set of squares.
#[inline(always)]
pub(crate) fn onto(steps: Steps, to: u32) -> Steps {
    let to = u64::from(to) | u64::from(to) << 32;
    [steps[0] & to, steps[1] & to]
}

/// The squares that steps end on.
#[inline(always)]
fn targets(steps: Steps) -> u32 {
    let all = steps[0] | steps[1];
    (all | all >> 32) as u32
}

/// The step of that number.
#[inline(always)]
fn nth_step<I: Isa>(isa: I, steps: Steps, index: u32) -> Move {
    let first = steps[0].count_ones();
    // All three are selected without a branch, which nobody could predict.
    let is_first = index < first;
    let word = if is_first { steps[0] } else { steps[1] };
    let index = if is_first { index } else { index - first };
    let length = if is_first { 4 } else { 1 };
    let bit = isa.nth(word, index);
    // In the upper half of a word the step went down or to the left.
    let from = if bit < 32 { bit.wrapping_sub(length) } else { bit + length };
    Move::new(Square::wrap(from), Square::wrap(bit))
}

/// What the mover may capture.
struct Prey<'a> {
    board: &'a Board,
    enemy: u32,
    /// The enemies beside own pieces, of any rank.
    touched: u32,
    own: &'a [u32; 8],
}

impl Prey<'_> {
    /// The weight of all captures.
    #[inline(always)]
    fn weight(&self, weights: &Weights) -> u32 {
        let mut weight = 0;
        if self.touched != 0 {
            let hunters = hunters(self.own);
            for to in bits(self.touched) {
                let kind = self.kind(to);
                let count = (NEIGHBOURS[to.index()] & hunters[kind]).count_ones();
                weight += count * weights.capture_of(kind);
            }
        }
        for cannon in bits(self.own[Kind::Cannon as usize]) {
            for to in bits(self.jumps(cannon)) {
                weight += weights.capture_of(self.kind(to));
            }
        }
        weight
    }

    /// The capture into which a number below the weight of all falls.
    #[inline(always)]
    fn capture<I: Isa>(&self, isa: I, weights: &Weights, mut rest: u32) -> Move {
        let hunters = hunters(self.own);
        for to in bits(self.touched) {
            let kind = self.kind(to);
            let from = NEIGHBOURS[to.index()] & hunters[kind];
            let weight = from.count_ones() * weights.capture_of(kind);
            if rest < weight {
                let index = rest / weights.capture_of(kind);
                return Move::new(Square::wrap(isa.nth(u64::from(from), index)), to);
            }
            rest -= weight;
        }
        for cannon in bits(self.own[Kind::Cannon as usize]) {
            for to in bits(self.jumps(cannon)) {
                let weight = weights.capture_of(self.kind(to));
                if rest < weight {
                    return Move::new(cannon, to);
                }
                rest -= weight;
            }
        }
        unreachable!("the weights of all captures add up")
    }

    #[inline(always)]
    fn kind(&self, square: Square) -> usize {
        self.board.piece_unchecked(square).row()
    }

    #[inline(always)]
    fn jumps(&self, cannon: Square) -> u32 {
        jumps(cannon, self.board.covered() | self.board.face_up()) & self.enemy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Banqi;
    use monteverde_game::{Game, Notation, Side};

    /// Paper 004, table 1, and 2 for every other move.
    const PAPER: Weights = Weights::new([55, 50, 25, 10, 8, 30, 8], 2);

    fn start() -> Board {
        *Banqi::start().board()
    }

    /// Without the machine's special instructions the same moves are drawn.
    #[test]
    fn instruction_sets_draw_alike() {
        let (mut rng, mut portable_rng) = (Rng::new(1), Rng::new(1));
        let (mut past, mut portable_past) = (Past::default(), Past::default());
        for _ in 0..200 {
            let (mut board, mut portable) = (start(), start());
            past.clear();
            portable_past.clear();
            let found = playout((&mut board, &mut past), &PAPER, |_| None, &mut rng);
            let task = Playout {
                board: &mut portable,
                past: &mut portable_past,
                weights: &PAPER,
                verdict: |_: &Board| None,
                rng: &mut portable_rng,
            };
            assert_eq!(isa::run_portably(task), found);
            assert_eq!((portable.key(), &portable_rng), (board.key(), &rng));
        }
    }

    /// A weighted playout is the loop over weighted moves.
    #[test]
    fn weighted_playouts_are_loops_over_weighted_moves() {
        for seed in 0..100 {
            let (mut whole, mut looped) = (Banqi::start(), Banqi::start());
            let (mut rng, mut loop_rng) = (Rng::new(seed), Rng::new(seed));
            let found = whole.playout_weighted(&PAPER, |_| None, &mut rng);
            let mut plies = 0;
            let outcome = loop {
                match looped.sample_weighted(&PAPER, &mut loop_rng) {
                    Ok(mv) => looped.play(mv),
                    Err(outcome) => break outcome,
                }
                plies += 1;
                if looped.is_pending() {
                    let event = looped.sample_event(&mut loop_rng);
                    looped.settle(event);
                }
            };
            assert_eq!((found.outcome, found.plies), (outcome, plies));
            assert_eq!((whole.ending(), rng), (looped.ending(), loop_rng));
        }
    }

    /// As others have counted: they take 147.2 plies.
    #[test]
    fn playouts_are_as_long_as_is_known() {
        const GAMES: u32 = 20_000;
        let mut rng = Rng::new(2);
        let (mut plies, mut firsts) = (0, 0);
        for _ in 0..GAMES {
            let playout = Banqi::start().playout_weighted(&PAPER, |_| None, &mut rng);
            plies += playout.plies;
            firsts += playout.outcome.value_for(Side::First);
        }
        // The standard error is 0.3 plies.
        let mean = f64::from(plies) / f64::from(GAMES);
        assert!((mean - 147.2).abs() < 1.5, "mean {mean}");
        assert!(f64::from(firsts.abs()) / f64::from(GAMES) < 0.03, "an even game: {firsts}");
    }
}
