//! How likely each move is the best, before anything is searched.

use super::{MATE, TUNED, eval, for_each_after};
use monteverde_chess::{Board, Move, see};

/// Appends for each of these legal moves the logarithm of how likely it is the
/// best, up to a constant that they share. A quiet move goes by what it does to the evaluation, a capture or
/// promotion by what it wins in exchanges; moves that lose material by exchanges fall behind.
pub fn log_priors(board: &Board, moves: &[Move], priors: &mut Vec<f32>) {
    let before = eval(board);
    let theirs = board.color(board.turn().other());
    for_each_after(&TUNED, board, moves, |mv, after| {
        if after == MATE {
            priors.push(MATING);
            return;
        }
        let exchange = see(board, mv);
        let loud = theirs.contains(mv.to()) || mv.is_en_passant() || mv.promotion().is_some();
        let pawns = |centipawns: i32| centipawns as f32 / 100.0;
        let gain = match loud {
            true => pawns(exchange.max(0)) * A_PAWN_WON,
            false => {
                (pawns(after - before) * A_PAWN_BY_SQUARES).clamp(-MOST_BY_SQUARES, MOST_BY_SQUARES)
            }
        };
        priors.push(gain + pawns(exchange.min(0)) * A_PAWN_LOST);
    });
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
        let board = fen::parse(text).expect("a position of the test");
        let (mut moves, mut priors) = (Vec::new(), Vec::new());
        board.legal_moves(&mut moves);
        log_priors(&board, &moves, &mut priors);
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
}
