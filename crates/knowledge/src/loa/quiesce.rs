//! Quiescence: captures that make or break connections are played out before a board is evaluated.

use super::evaluate::{Pieces, Seen, connected};
use super::tactics::{euler, for_each_capture};
use super::values::Values;
use monteverde_game::isa::{self, Isa, Task};
use monteverde_game::playout_knowledge::{LOST, WON};
use monteverde_loa::{Board, Move};

/// The value of the board for the side to move, in points, when both sides may go on with captures
/// that make or break connections as long as that pays. A connection on the way is worth
/// [`CONNECTED`].
pub(super) fn quiesce(values: &Values, board: &Board) -> i32 {
    isa::run(Quiesce { values, board })
}

/// What a connection counts in the course of captures; more than any evaluation.
const CONNECTED: i32 = 3_000;

/// So many captures follow each other at most. Ours, not tuned: twelve pieces a side allow many
/// more, and few of them pay.
const PLIES: u32 = 4;

/// Twelve pieces have no more, in eight directions each.
const MOST_MOVES: usize = 96;

struct Quiesce<'a> {
    values: &'a Values,
    board: &'a Board,
}

impl Task for Quiesce<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> i32 {
        let Quiesce { values, board } = self;
        let seen = Seen::of(values, board);
        search(values, (board, &seen), Window { low: -CONNECTED, high: CONNECTED }, PLIES)
    }
}

/// What matters: a value of at most `low` or of at least `high` is as good as any such.
#[derive(Clone, Copy)]
struct Window {
    low: i32,
    high: i32,
}

fn search(values: &Values, (board, seen): (&Board, &Seen), window: Window, plies: u32) -> i32 {
    let mut best = seen.value(values, board.turn());
    if best >= window.high || plies == 0 {
        return best;
    }
    let pieces = Pieces::of(board);
    let (own, enemy) = (euler(pieces.own), euler(pieces.enemy));
    let mut captures = [Move::PASS; MOST_MOVES];
    let mut count = 0;
    for_each_capture(board, |mv| {
        let after = pieces.after(mv);
        if euler(after.own) < own || euler(after.enemy) > enemy {
            captures[count] = mv;
            count += 1;
        }
    });
    for &mv in &captures[..count] {
        let pieces = pieces.after(mv);
        let value = match connected(board, pieces, mv) {
            Some(WON) => CONNECTED,
            Some(LOST) => -CONNECTED,
            Some(_) => 0,
            None => {
                let mut after = *board;
                after.play(mv);
                let seen = seen.after(values, board, (mv, pieces));
                let window = Window { low: -window.high, high: -window.low.max(best) };
                -search(values, (&after, &seen), window, plies - 1)
            }
        };
        best = best.max(value);
        if best >= window.high {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::tactics::LoaTactics;
    use super::super::{Evaluator, LoaKnowledge};
    use super::*;
    use monteverde_game::{Game, Knowledge, Notation, Outcome, Rng};
    use monteverde_loa::Loa;
    use monteverde_minimax::Tactics;

    /// Without windows, incremental values or tables of captures.
    fn plainly(state: &Loa, plies: u32) -> i32 {
        let known = LoaKnowledge::default();
        let mut best = known.eval(state).expect("every state has one") as i32;
        let mut loud = Vec::new();
        LoaTactics(known).loud_moves(state, &mut loud);
        for mv in loud.into_iter().filter(|_| plies > 0) {
            let mut after = state.clone();
            after.advance(mv);
            best = best.max(match after.playout_outcome() {
                Some(Outcome::Draw) => 0,
                Some(Outcome::Win(side)) if side == state.turn() => CONNECTED,
                Some(Outcome::Win(_)) => -CONNECTED,
                None => -plainly(&after, plies - 1),
            });
        }
        best
    }

    #[test]
    fn quiescence_is_the_minimax_value_of_captures_that_change_connections() {
        let mut rng = Rng::new(4);
        let mut state = Loa::start();
        let mut changed = 0;
        for _ in 0..1_000 {
            match state.sample(&mut rng) {
                Ok(mv) => state.play(mv),
                Err(_) => state = Loa::start(),
            }
            if state.outcome().is_some() {
                continue;
            }
            let found = quiesce(Evaluator::default().values(), state.board());
            assert_eq!(found, plainly(&state, PLIES), "{state:?}");
            let eval = LoaKnowledge::default().eval(&state).expect("every state has one");
            changed += u32::from(found != eval as i32);
        }
        assert!(changed > 100, "{changed}");
    }
}
