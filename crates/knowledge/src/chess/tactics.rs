//! What an alpha-beta search asks about chess.

use monteverde_chess::{Board, Chess, Move, Piece, see};
use monteverde_game::{Knowledge, Outlook};
use monteverde_minimax::Tactics;

/// The tactics of chess, with the evaluation of `K`. Captures and promotions to a queen are loud, a
/// side in check is in urgent need, and a side with no piece but pawns had better not pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChessTactics<K>(pub K);

impl<K: Knowledge<Chess>> Knowledge<Chess> for ChessTactics<K> {
    fn eval(&self, state: &Chess) -> Option<f32> {
        self.0.eval(state)
    }
    fn outlook(&self, state: &Chess) -> Option<Outlook> {
        self.0.outlook(state)
    }
}

impl<K: Knowledge<Chess>> Tactics<Chess> for ChessTactics<K> {
    /// By exchange evaluation, in centipawns.
    fn loud(&self, state: &Chess, mv: Move) -> Option<i32> {
        is_loud(state.board(), mv).then(|| see(state.board(), mv))
    }

    fn loud_moves(&self, state: &Chess, buffer: &mut Vec<Move>) {
        let board = state.board();
        board.for_each_move(|mv| {
            if is_loud(board, mv) {
                buffer.push(mv);
            }
        });
    }

    /// The past stays: what is proven after a pass is looked up elsewhere, where going back to a
    /// state that has occurred twice draws.
    fn pass(&self, state: &mut Chess) -> bool {
        let board = state.board();
        let others = !(board.pieces(Piece::Pawn) | board.pieces(Piece::King));
        let officers = board.color(board.turn()) & others;
        !officers.is_empty() && state.pass()
    }

    fn is_urgent(&self, state: &Chess) -> bool {
        state.board().in_check()
    }
}

fn is_loud(board: &Board, mv: Move) -> bool {
    let captures = board.color(board.turn().other()).contains(mv.to()) || mv.is_en_passant();
    captures || mv.promotion() == Some(Piece::Queen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Material;
    use monteverde_game::{Game, Notation};

    fn state(fen: &str) -> Chess {
        Chess::parse_state(fen).expect("a state of the test")
    }

    #[test]
    fn captures_and_new_queens_are_loud() {
        // Pawn takes queen or promotes, king takes pawn, en passant; underpromoting without capture
        // is quiet.
        let state = state("3q1k2/2P5/8/4Pp2/8/8/4p3/R3K3 w Q f6 0 1");
        let tactics = ChessTactics(Material);
        let mut moves = Vec::new();
        tactics.loud_moves(&state, &mut moves);
        let mut texts: Vec<_> = moves.iter().map(|&mv| state.move_text(mv)).collect();
        texts.sort();
        assert_eq!(texts, ["c7c8q", "c7d8b", "c7d8n", "c7d8q", "c7d8r", "e1e2", "e5f6"]);
        let mut all = Vec::new();
        state.moves(&mut all);
        all.retain(|&mv| tactics.loud(&state, mv).is_some());
        assert_eq!(all, moves);
    }

    #[test]
    fn a_side_passes_only_with_officers_and_out_of_check() {
        for (fen, passes) in [
            ("4k3/8/8/8/8/8/4P3/4KN2 w - - 0 1", true),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
            ("4k3/8/8/8/4r3/8/8/4KN2 w - - 0 1", false),
        ] {
            assert_eq!(ChessTactics(Material).pass(&mut state(fen)), passes, "{fen}");
        }
    }
}
