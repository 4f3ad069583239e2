//! The mating move against trying every move.

use crate::random;
use monteverde_chess::{Board, Chess, Color, Move, Piece, Setup, Square, fen, uci};
use monteverde_game::{Game, Rng};

/// State and its first mating move, or none.
const FACTS: [(&str, Option<&str>); 16] = [
    (fen::START, None),
    // On the back rank, by a knight that smothers, by a knight that leaves the line of a rook.
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", Some("a1a8")),
    ("6rk/6pp/8/6N1/8/8/8/4K3 w - - 0 1", Some("g5f7")),
    ("3rkr2/3p1p2/8/8/4N3/8/8/4RK2 w - - 0 1", Some("e4d2")),
    // Promotions: to a queen, and where only a knight mates.
    ("7k/4P1pp/8/8/8/8/8/4K3 w - - 0 1", Some("e7e8q")),
    ("5bnr/4Ppkr/5ppp/8/8/8/8/B3K3 w - - 0 1", Some("e7e8n")),
    // Castling mates where the rook alone would not: the king takes the flight g2.
    ("4R3/8/8/8/8/5k1P/7P/4K2R w K - 0 1", Some("e1g1")),
    ("4R3/8/8/8/8/5k1P/7P/4K2R w - - 0 1", None),
    // En passant opens the fifth rank, from which two pawns leave at once.
    ("6N1/8/8/R2pP2k/8/8/8/K3B1R1 w - d6 0 1", Some("e5d6")),
    ("6N1/8/8/R2pP2k/8/8/8/K3B1R1 w - - 0 1", None),
    // The mating rook takes along its pin, off it or in check it may not; mate precedes fifty
    // moves.
    ("4r1k1/5ppp/8/8/8/8/4R3/4K3 w - - 0 1", Some("e2e8")),
    ("6k1/5ppp/8/8/8/8/r2R2K1/8 w - - 0 1", None),
    ("k3r3/8/1K6/8/8/8/4R3/4b3 w - - 0 1", Some("e2e8")),
    ("k3r3/8/1K6/8/8/8/4R3/6b1 w - - 0 1", None),
    ("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", Some("g1g8")),
    ("k3r2R/8/K7/8/8/8/8/8 w - - 100 90", Some("h8e8")),
];

#[test]
fn known_mates() {
    for (state, expected) in FACTS {
        let board = fen::parse(state).unwrap();
        let expected = expected.map(|mv| uci::parse(&board, mv).unwrap());
        assert_eq!(plain(&board), expected, "the test itself is wrong about {state}");
        assert_eq!(board.mating_move(), expected, "{state}");
    }
}

#[test]
fn agrees_with_trying_every_move_in_random_games() {
    let mut mates = 0;
    random::random_games(900, |board, _| mates += u32::from(check(board)));
    assert!(mates > 2_000, "only {mates} mates were met");
}

/// Few pieces around a king at the edge, so that many of the boards have a mate.
#[test]
fn agrees_with_trying_every_move_on_boards_rich_in_mates() {
    let mut rng = Rng::new(1);
    let mut mates = 0;
    for _ in 0..60_000 {
        if let Some(board) = hunted_king(&mut rng) {
            mates += u32::from(check(&board));
        }
    }
    assert!(mates > 2_000, "only {mates} mates were met");
}

/// Whether there is a mate.
fn check(board: &Board) -> bool {
    let found = board.mating_move();
    assert_eq!(found, plain(board), "{}", fen::write(board));
    assert_eq!(Chess::new(*board).winning_move(&mut Vec::new()), found);
    found.is_some()
}

/// By definition.
fn plain(board: &Board) -> Option<Move> {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    moves.into_iter().find(|&mv| {
        let mut after = *board;
        after.play(mv);
        after.in_check() && !after.has_legal_moves()
    })
}

/// A board where it is one: a king at the edge, some of its own pieces near it, and four to nine
/// enemies; with pawns about to promote, castling rights and pins among them.
fn hunted_king(rng: &mut Rng) -> Option<Board> {
    let hunter = Color::ALL[rng.below(2) as usize];
    let mut setup = Setup::empty();
    setup.turn = hunter;
    let mut put = |square: u32, piece: (Color, Piece)| {
        let on_edge = !(8..56).contains(&square);
        if !(on_edge && piece.1 == Piece::Pawn) {
            setup.pieces[square as usize] = Some(piece);
        }
    };
    for _ in 0..4 + rng.below(6) {
        put(rng.below(64), (hunter, Piece::ALL[rng.below(5) as usize]));
    }
    for _ in 0..rng.below(8) {
        put(rng.below(64), (hunter.other(), Piece::ALL[rng.below(5) as usize]));
    }
    let edge = [rng.below(8), 56 + rng.below(8), 8 * rng.below(8), 7 + 8 * rng.below(8)];
    put(edge[rng.below(4) as usize], (hunter.other(), Piece::King));
    let rank = if hunter == Color::White { 0 } else { 7 };
    if rng.below(4) == 0 {
        // The king at home with a rook that may castle.
        put(rank * 8 + 4, (hunter, Piece::King));
        put(rank * 8 + 7, (hunter, Piece::Rook));
        setup.castling[hunter.index()][0] = Some(Square::at(7, rank as u8));
    } else {
        put(rng.below(64), (hunter, Piece::King));
    }
    Board::from_setup(&setup).ok()
}
