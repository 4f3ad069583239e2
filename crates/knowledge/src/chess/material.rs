//! Material alone: the evaluation of the plainest opponent.

use monteverde_chess::{Chess, Piece};
use monteverde_game::Knowledge;

/// Values a state by its pieces and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

/// In centipawns, as the exchange evaluation counts them.
const WORTH: [(Piece, i32); 5] = [
    (Piece::Pawn, 100),
    (Piece::Knight, 300),
    (Piece::Bishop, 300),
    (Piece::Rook, 500),
    (Piece::Queen, 900),
];

impl Knowledge<Chess> for Material {
    /// In centipawns.
    fn eval(&self, state: &Chess) -> Option<f32> {
        let board = state.board();
        let [ours, theirs] = [board.turn(), board.turn().other()].map(|color| {
            let of = |&(piece, worth): &(Piece, i32)| {
                worth * (board.pieces(piece) & board.color(color)).len() as i32
            };
            WORTH.iter().map(of).sum::<i32>()
        });
        Some((ours - theirs) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Notation;

    #[test]
    fn material_is_counted_for_the_side_to_move() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/QRBNPK2 w - - 0 1", None),
            ("4k3/pp6/8/8/8/8/8/QRBN1K2 w - - 0 1", Some(1800.0)),
            ("4k3/pp6/8/8/8/8/8/QRBN1K2 b - - 0 1", Some(-1800.0)),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Some(0.0)),
        ] {
            let state = Chess::parse_state(fen).ok();
            assert_eq!(state.and_then(|state| Material.eval(&state)), expected, "{fen}");
        }
    }
}
