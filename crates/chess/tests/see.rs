//! Exchange evaluation against known values and against an exhaustive search on the board.

use crate::random;
use monteverde_chess::{Board, Move, Piece, Square, fen, for_each_sound, see, see_at_least, uci};
use proptest::prelude::*;

/// State, move, gain.
const FACTS: [(&str, &str, i32); 15] = [
    // A pawn that nothing defends, a defended one, and a rook that takes it.
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
    ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
    ("3rk3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400),
    // A quiet move into danger, and one under cover.
    ("4k3/8/4p3/8/8/4B3/8/4K3 w - - 0 1", "e3d4", 0),
    ("4k3/8/4p3/8/8/2B5/8/3RK3 w - - 0 1", "d1d5", -500),
    ("4k3/8/4p3/8/8/4P3/8/3RK3 w - - 0 1", "d1d4", 0),
    // A battery: the second rook recaptures through the first.
    ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
    // The defender is pinned and cannot recapture; along the pin it can.
    ("4k3/4n3/8/3p4/4P3/8/8/4R1K1 w - - 0 1", "e4d5", 100),
    ("4k3/4r3/8/4p3/8/3N4/8/4R1K1 w - - 0 1", "d3e5", 100),
    // The king may not recapture what is defended.
    ("8/8/3k4/3p4/4P3/8/6B1/4K3 w - - 0 1", "e4d5", 100),
    // En passant, with the line that opens behind the captured pawn.
    ("3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
    // A recapture that promotes.
    ("3nk3/2P5/8/8/6b1/8/8/4K3 w - - 0 1", "c7d8q", 200),
    // Not the cheapest piece takes the rook: the pawn would open the line of bishop and queen.
    ("6Q1/5B2/k3pn2/8/3R4/8/8/7K w - - 0 1", "d4d5", -500),
    // Nor here: the knight would be recaptured, but the bishop gives check by leaving the e-file.
    ("4r1k1/8/8/2n5/4b3/7R/2P5/4K3 w - - 0 1", "h3d3", -500),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0),
];

#[test]
fn known_values() {
    let mut cases: Vec<(String, String, i32)> =
        FACTS.iter().map(|&(state, mv, gain)| (state.into(), mv.into(), gain)).collect();
    for line in include_str!("../../../data/chess/exchanges.tsv").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [gain, mv, state] = fields[..] else { panic!("three fields in {line}") };
        cases.push((state.into(), mv.into(), gain.parse().unwrap()));
    }
    assert_eq!(cases.len(), FACTS.len() + 73);
    for (state, mv, gain) in cases {
        let board = fen::parse(&state).unwrap();
        let mv = uci::parse(&board, &mv).unwrap();
        check(&board, mv);
        assert_eq!(see(&board, mv), gain, "{mv:?} in {state}");
    }
}

#[test]
fn agrees_with_the_exhaustive_search_in_random_games() {
    let mut moves = Vec::new();
    random::random_games(40, |board, _| {
        moves.clear();
        board.legal_moves(&mut moves);
        moves.iter().for_each(|&mv| check(board, mv));
        check_sound(board, &moves);
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Crowded boards around one square, with far more pins, batteries and promotions than games have.
    #[test]
    fn agrees_with_the_exhaustive_search_on_random_boards(
        pieces in prop::collection::vec((0u8..64, 0usize..10), 4..22),
        kings in (0u8..64, 0u8..64),
    ) {
        if let Some(board) = scattered(&pieces, kings) {
            let mut moves = Vec::new();
            board.legal_moves(&mut moves);
            moves.iter().for_each(|&mv| check(&board, mv));
            check_sound(&board, &moves);
        }
    }
}

/// Compares all moves at once with one by one.
fn check_sound(board: &Board, moves: &[Move]) {
    let expected: Vec<bool> = moves.iter().map(|&mv| see_at_least(board, mv, 0)).collect();
    let mut sound = Vec::new();
    for_each_sound(board, moves, |is_sound| sound.push(is_sound));
    assert_eq!(sound, expected, "{moves:?} in {}", fen::write(board));
}

/// Compares with the exhaustive search, and the thresholds with the value.
fn check(board: &Board, mv: Move) {
    let value = see(board, mv);
    assert_eq!(value, exhaustive(board, mv), "{mv:?} in {}", fen::write(board));
    for offset in [-300, -1, 0, 1, 100] {
        let threshold = value + offset;
        assert_eq!(
            see_at_least(board, mv, threshold),
            value >= threshold,
            "{mv:?} at least {threshold} in {}",
            fen::write(board)
        );
    }
    let quiet = board.piece_at(mv.to()).is_none() && !mv.is_en_passant();
    assert!(!quiet || mv.promotion().is_some() || value <= 0);
}

/// The definition itself: play the move, then the best of stopping and every legal capture on its
/// square.
fn exhaustive(board: &Board, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let pawn = worth(Piece::Pawn);
    let captured = board.piece_at(mv.to()).map_or(0, |(_, piece)| worth(piece));
    let en_passant = if mv.is_en_passant() { pawn } else { 0 };
    let promotion = mv.promotion().map_or(0, |piece| worth(piece) - pawn);
    let mut after = *board;
    after.play(mv);
    captured + en_passant + promotion - answer(&after, mv.to())
}

fn answer(board: &Board, target: Square) -> i32 {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    let captures = moves.iter().filter(|mv| mv.to() == target && !mv.is_castling());
    captures.map(|&mv| exhaustive(board, mv)).fold(0, i32::max)
}

fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight | Piece::Bishop => 300,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 0,
    }
}

/// A board with these pieces, where it is one; later pieces replace earlier ones.
fn scattered(pieces: &[(u8, usize)], kings: (u8, u8)) -> Option<Board> {
    let mut squares = ['1'; 64];
    for &(square, piece) in pieces {
        let piece = b"PNBRQpnbrq"[piece] as char;
        let on_edge = !(8..56).contains(&square);
        if !(on_edge && matches!(piece, 'P' | 'p')) {
            squares[square as usize] = piece;
        }
    }
    squares[kings.0 as usize] = 'K';
    squares[kings.1 as usize] = 'k';
    let ranks: Vec<String> = squares.chunks(8).map(String::from_iter).collect();
    fen::parse(&format!("{} w - - 0 1", ranks.join("/"))).ok()
}
