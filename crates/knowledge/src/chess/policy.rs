//! How likely each move is the best, before anything is searched.

use super::camp::flip_square;
use super::evaluate::LEFT_HALF;
use super::terms::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};
use super::{MATE, TUNED, WHOLE_PHASE, eval, for_each_after, phase};
use monteverde_chess::{Board, Color, Move, Square, see};

/// Appends for each of these legal moves the logarithm of how likely it is the best, up to a
/// constant that they share. A quiet move goes by what it does to the evaluation, a capture or
/// promotion by what it wins in exchanges; moves that lose material by exchanges fall behind.
pub fn log_priors(board: &Board, moves: &[Move], priors: &mut Vec<f32>) {
    let before = eval(board);
    let theirs = board.color(board.turn().other());
    for_each_after(&TUNED, board, moves, |mv, after| {
        if after == MATE {
            priors.push(MATING);
            return;
        }
        let loud = is_loud(mv, theirs.contains(mv.to()));
        priors.push(log_prior(see(board, mv), (!loud).then(|| after - before)));
    });
}

/// Appends for each of these legal moves how likely it is to be played, relative to the others. As
/// [`log_priors`], but at a glance: a quiet move goes by the squares that it leaves and reaches, so
/// that no board is made and evaluated, and mates are not looked for.
pub fn move_weights(board: &Board, moves: &[Move], weights: &mut Vec<f32>) {
    let glance = Glance::at(board);
    weights.extend(moves.iter().map(|&mv| glance.weight(mv)));
}

/// What the weights of moves have in common.
pub(super) struct Glance<'a> {
    board: &'a Board,
    phase: i32,
}

impl Glance<'_> {
    pub(super) fn at(board: &Board) -> Glance<'_> {
        Glance { board, phase: phase(board) }
    }

    pub(super) fn weight(&self, mv: Move) -> f32 {
        let theirs = self.board.color(self.board.turn().other());
        let loud = is_loud(mv, theirs.contains(mv.to()));
        let reached = || self.place(mv, mv.to()) - self.place(mv, mv.from());
        // The system's exponential differs from machine to machine; this one does not.
        libm::expf(log_prior(see(self.board, mv), (!loud).then(reached)))
    }

    /// What the moving piece is worth on a square, in centipawns.
    fn place(&self, mv: Move, square: Square) -> i32 {
        const GROUPS: [usize; 6] = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING];
        let square = match self.board.turn() {
            Color::White => square.index(),
            Color::Black => flip_square(square.index()),
        };
        let score = TUNED.0[GROUPS[mv.piece().index()] + usize::from(LEFT_HALF[square])];
        let tapered = score.midgame() * self.phase + score.endgame() * (WHOLE_PHASE - self.phase);
        tapered / WHOLE_PHASE
    }
}

fn is_loud(mv: Move, captures: bool) -> bool {
    captures || mv.is_en_passant() || mv.promotion().is_some()
}

/// For a move that wins so much by exchanges, and by which the value of the board changes so much
/// if it is quiet.
fn log_prior(exchange: i32, change: Option<i32>) -> f32 {
    let pawns = |centipawns: i32| centipawns as f32 / 100.0;
    let gain = match change {
        None => pawns(exchange.max(0)) * A_PAWN_WON,
        Some(change) => {
            (pawns(change) * A_PAWN_BY_SQUARES).clamp(-MOST_BY_SQUARES, MOST_BY_SQUARES)
        }
    };
    gain + pawns(exchange.min(0)) * A_PAWN_LOST
}

/// How much likelier a mating move is, as a logarithm.
const MATING: f32 = 6.0;
/// A pawn won by exchanges, likewise; this and the rest are our choice, not fitted.
const A_PAWN_WON: f32 = 0.7;
/// A pawn lost by exchanges.
const A_PAWN_LOST: f32 = 0.6;
/// A pawn's worth of evaluation gained by a quiet move.
const A_PAWN_BY_SQUARES: f32 = 1.0;
/// Evaluation alone makes a quiet move this much likelier at most.
const MOST_BY_SQUARES: f32 = 1.5;

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_chess::{fen, uci};

    /// The legal moves of a position, the likeliest first.
    fn order(text: &str) -> Vec<String> {
        order_by(log_priors, text)
    }

    fn order_by(weigh: fn(&Board, &[Move], &mut Vec<f32>), text: &str) -> Vec<String> {
        let board = fen::parse(text).expect("a position of the test");
        let (mut moves, mut priors) = (Vec::new(), Vec::new());
        board.legal_moves(&mut moves);
        weigh(&board, &moves, &mut priors);
        assert_eq!(priors.len(), moves.len());
        let mut order: Vec<_> = moves.iter().zip(&priors).collect();
        order.sort_by(|a, b| b.1.total_cmp(a.1));
        order.iter().map(|(mv, _)| uci::write(&board, **mv)).collect()
    }

    #[test]
    fn mates_come_first_then_captures_that_win() {
        let order = order("6k1/5ppp/8/3n4/8/8/3R4/R3K3 w - - 0 1");
        assert_eq!(order[0], "a1a8", "{order:?}");
        assert_eq!(order[1], "d2d5", "{order:?}");
    }

    #[test]
    fn a_capture_that_loses_the_exchange_comes_last() {
        let order = order("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1");
        assert_eq!(order.last().map(String::as_str), Some("d1d5"), "{order:?}");
    }

    #[test]
    fn at_a_glance_captures_that_win_come_first_and_quiet_moves_go_by_their_squares() {
        let order = order_by(move_weights, "6k1/2p5/3p4/8/3r4/1N6/8/4K3 w - - 0 1");
        let place = |mv: &str| order.iter().position(|other| other == mv).expect("a legal move");
        assert_eq!(order[0], "b3d4", "{order:?}");
        assert!(place("b3c5") > place("b3d2"), "a pawn takes it: {order:?}");
        assert!(place("b3c1") > place("b3d2"), "the edge: {order:?}");
    }
}
