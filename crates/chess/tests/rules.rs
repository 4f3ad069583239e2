//! The rules that end a game, setups and their errors, and what a board tells about itself.

use crate::common::board;
use monteverde_chess::{
    Bitboard, Board, Chess, Color, Move, Piece, Setup, SetupError, Square, Variant, Wing,
};
use monteverde_game::{Game, Notation, Outcome, Side, Step};
use proptest::prelude::*;

/// The legal move between two squares; a promotion is to a queen.
fn find(board: &Board, text: &str) -> Move {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    let is_meant = |mv: &&Move| {
        format!("{}{}", mv.from(), mv.to()) == text
            && matches!(mv.promotion(), None | Some(Piece::Queen))
    };
    *moves.iter().find(is_meant).unwrap_or_else(|| panic!("{text} is not legal in {board:?}"))
}

fn play(game: &mut Chess, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = find(game.board(), text);
        game.play(mv);
    }
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let mut game = Chess::new(Board::start());
    let there_and_back = "g1f3 g8f6 f3g1 f6g8";
    play(&mut game, there_and_back);
    assert_eq!((game.occurrences(), game.outcome()), (2, None));
    play(&mut game, "g1f3 g8f6 f3g1");
    assert_eq!(game.outcome(), None);
    play(&mut game, "f6g8");
    assert_eq!((game.occurrences(), game.ending()), (3, Some("repetition")));
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    // Samples leave repetitions out, and so do moves.
    assert!(game.sample(&mut monteverde_game::Rng::new(1)).is_ok());
    let mut moves = Vec::new();
    game.moves(&mut moves);
    assert_eq!(moves.len(), 20);
    // A copy knows the past, however it is made.
    let mut copy = Chess::new(board("7k/8/8/8/8/8/8/K5R1 w - - 0 1"));
    play(&mut copy, "g1f1 h8h7");
    copy.clone_from(&game);
    assert_eq!((copy.ending(), game.clone().ending()), (Some("repetition"), Some("repetition")));
    // A pawn move ends the past.
    play(&mut game, "e2e4");
    assert_eq!((game.occurrences(), game.outcome()), (1, None));
}

#[test]
fn lost_rights_make_positions_different() {
    let mut game = Chess::new(board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
    let start = game.key();
    play(&mut game, "a1b1 a8b8 b1a1 b8a8");
    assert_ne!(game.key(), start);
    play(&mut game, "a1b1 a8b8 b1a1 b8a8");
    assert_eq!(game.occurrences(), 2);
}

#[test]
fn en_passant_counts_only_where_a_capture_is_legal() {
    let cases = [
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4", Some("e3")),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", None),
        // The capturing pawn is pinned, on its file and on its rank together with the other.
        ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", None),
        ("8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1", "e2e4", None),
        // The double step discovers a check, which the capture does not end.
        ("8/8/k7/8/3p4/8/4P3/4KB2 w - - 0 1", "e2e4", None),
    ];
    for (fen, mv, expected) in cases {
        let mut game = Chess::new(board(fen));
        play(&mut game, mv);
        assert_eq!(game.board().en_passant(), expected.map(square), "{fen}");
        assert_eq!(game.key(), game.recomputed_key(), "{fen}");
    }
}

#[test]
fn insufficient_material() {
    let cases = [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3KB3/8/8 b - - 0 1", true),
        ("8/8/4kn2/8/8/3KN3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3KNB2/8/8 w - - 0 1", false),
        ("5b2/8/4k3/8/8/3KB3/8/8 w - - 0 1", true),
        ("6b1/8/4k3/8/8/3KB3/8/8 w - - 0 1", false),
        ("5b2/8/1B1bk3/8/8/3KB3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3K2R1/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/q2K4/8/8 w - - 0 1", false),
    ];
    for (fen, expected) in cases {
        assert_eq!(board(fen).is_insufficient_material(), expected, "{fen}");
    }
}

#[test]
fn fifty_moves_of_both_sides_are_a_draw_but_mate_goes_first() {
    let mut game = Chess::new(board("7k/8/5KR1/8/8/8/8/8 w - - 98 80"));
    play(&mut game, "g6g5");
    assert_eq!(game.outcome(), None);
    play(&mut game, "h8h7");
    assert_eq!(game.ending(), Some("fifty-moves"));
    let mut game = Chess::new(board("7k/8/6K1/8/8/8/8/R7 w - - 99 80"));
    play(&mut game, "a1a8");
    assert_eq!(game.ending(), Some("checkmate"));
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn chess960_starts_have_their_numbers() {
    let cases = [(0, "BBQNNRKR"), (518, "RNBQKBNR"), (959, "RKRNNQBB"), (1, "BQNBNRKR")];
    for (number, expected) in cases {
        let board = Board::chess960(number).unwrap();
        let rank: String = (0..8)
            .filter_map(|file| board.piece_at(Square::at(file, 0)))
            .map(|(color, piece)| piece.letter(color))
            .collect();
        assert_eq!(rank, expected, "start {number}");
        assert_eq!(board.variant(), Variant::Chess960);
    }
    assert_eq!(Board::chess960(960), None);
    assert_eq!(Board::start().key(), Board::chess960(518).unwrap().key());
    assert_eq!(Board::start().variant(), Variant::Standard);
}

#[test]
fn castling_rooks_are_told_by_wing() {
    let board = board("1r1k2r1/6p1/8/8/8/8/8/1R1K2R1 w GBg - 0 1");
    assert_eq!(board.castling_rook(Color::White, Wing::King), Some(square("g1")));
    assert_eq!(board.castling_rook(Color::White, Wing::Queen), Some(square("b1")));
    assert_eq!(board.castling_rook(Color::Black, Wing::King), Some(square("g8")));
    assert_eq!(board.castling_rook(Color::Black, Wing::Queen), None);
    let mut game = Chess::new(board);
    play(&mut game, "d1g1");
    assert_eq!(game.board().king(Color::White), square("g1"));
    assert_eq!(game.board().piece_at(square("f1")), Some((Color::White, Piece::Rook)));
    assert_eq!(game.board().castling_rook(Color::White, Wing::Queen), None);
}

#[test]
fn a_picture_shows_ranks_and_files() {
    let expected = "\
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R
  a b c d e f g h
";
    assert_eq!(Board::start().to_string(), expected);
}

#[test]
fn moves_survive_their_bits() {
    let mut moves = Vec::new();
    board("n1n1k2r/PPP5/8/8/8/8/4Kppp/5N1N b k - 0 1").legal_moves(&mut moves);
    for mv in moves {
        assert_eq!(Move::from_bits(mv.to_bits()), mv);
        assert_eq!(Move::from_bits16(mv.bits()), Some(mv));
    }
    assert_eq!(Move::from_bits16(13 << 12), None);
}

/// Bare kings on e1 and e8 with more pieces.
fn setup(more: &[(&str, Color, Piece)]) -> Setup {
    let mut setup = Setup::empty();
    let kings = [("e1", Color::White, Piece::King), ("e8", Color::Black, Piece::King)];
    for &(name, color, piece) in kings.iter().chain(more) {
        setup.pieces[square(name).index()] = Some((color, piece));
    }
    setup
}

#[test]
fn errors_of_setups_say_what_is_wrong() {
    use Color::{Black, White};
    let check = |setup: Setup, expected: &str| {
        assert_eq!(Board::from_setup(&setup).unwrap_err().to_string(), expected);
    };
    let mut no_king = setup(&[]);
    no_king.pieces[square("e8").index()] = None;
    check(no_king, "Black has 0 kings; each side must have exactly one");
    check(
        setup(&[("a1", White, Piece::King)]),
        "White has 2 kings; each side must have exactly one",
    );
    check(
        setup(&[("c8", White, Piece::Pawn)]),
        "there is a pawn on c8; pawns stand on ranks 2 to 7",
    );
    check(setup(&[("e4", White, Piece::Rook)]), "Black is in check although it is White's turn");

    let mut crowd = setup(&[]);
    for file in 0..8 {
        crowd.pieces[Square::at(file, 2).index()] = Some((White, Piece::Knight));
        crowd.pieces[Square::at(file, 3).index()] = Some((White, Piece::Bishop));
    }
    check(crowd, "White has 17 pieces; at most 16 are possible");
    let mut pawns = setup(&[("a7", Black, Piece::Pawn)]);
    for file in 0..8 {
        pawns.pieces[Square::at(file, 5).index()] = Some((Black, Piece::Pawn));
    }
    check(pawns, "Black has 9 pawns; at most 8 are possible");

    let right = |setup: Setup, wing: Wing, rook: &str| {
        let mut setup = setup;
        setup.castling[White.index()][wing.index()] = Some(square(rook));
        setup
    };
    let rook = setup(&[("h1", White, Piece::Rook)]);
    check(
        right(rook.clone(), Wing::Queen, "a1"),
        "White cannot have the right to castle with a rook on a1: none of its rooks is there",
    );
    let sentence = "White cannot castle queen's side with the rook on h1: its king is on e1, and the \
                    rook must be on the same rank towards the a-file";
    check(right(rook.clone(), Wing::Queen, "h1"), sentence);
    let mut high = right(rook, Wing::King, "h1");
    high.pieces.swap(square("e1").index(), square("e3").index());
    check(high, "White cannot have the right to castle: its king is on e3, not on rank 1");

    let mut passed = setup(&[("d4", White, Piece::Pawn), ("d2", White, Piece::Knight)]);
    passed.turn = Black;
    passed.en_passant = Some(square("d3"));
    assert_eq!(
        Board::from_setup(&passed),
        Err(SetupError::EnPassant { square: square("d3"), turn: Black })
    );
    passed.pieces[square("d2").index()] = None;
    // Possible, but nobody can capture, so the board drops it.
    assert_eq!(Board::from_setup(&passed).unwrap().en_passant(), None);
}

#[test]
fn setups_survive_the_way_to_a_board_and_back() {
    for number in (0..960).step_by(31) {
        let setup = Setup::chess960(number).unwrap();
        assert_eq!(Setup::from(&Board::from_setup(&setup).unwrap()), setup);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// Any setup that is accepted, however absurd its checks, gets the moves that trying every
    /// pseudo-legal move on a board of squares gives.
    #[test]
    fn absurd_setups_get_the_right_moves(
        pieces in prop::collection::vec((0..64usize, 0..5usize, any::<bool>()), 0..24),
        kings in (0..64usize, 0..64usize),
        is_white in any::<bool>(),
    ) {
        let mut setup = Setup::empty();
        setup.turn = if is_white { Color::White } else { Color::Black };
        for (square, piece, is_white) in pieces {
            let color = if is_white { Color::White } else { Color::Black };
            let is_misplaced = piece == 0 && matches!(square / 8, 0 | 7);
            let piece = if is_misplaced { Piece::Queen } else { Piece::ALL[piece] };
            setup.pieces[square] = Some((color, piece));
        }
        setup.pieces[kings.0] = Some((Color::White, Piece::King));
        setup.pieces[kings.1] = Some((Color::Black, Piece::King));
        if let Ok(board) = Board::from_setup(&setup) {
            let mut moves = Vec::new();
            board.legal_moves(&mut moves);
            let mut ours: Vec<_> = moves
                .iter()
                .map(|mv| (mv.from().index(), mv.to().index(), mv.promotion()))
                .collect();
            ours.sort();
            prop_assert_eq!(ours, slow::legal_moves(&setup));
            prop_assert_eq!(board.has_legal_moves(), !moves.is_empty());
            let mut rng = monteverde_game::Rng::new(1);
            for _ in 0..20 {
                match Chess::new(board).sample(&mut rng) {
                    Ok(mv) => prop_assert!(moves.contains(&mv)),
                    Err(_) => prop_assert!(moves.is_empty() || board.is_insufficient_material()),
                }
            }
        }
    }
}

#[test]
fn attackers_see_through_what_is_left_out() {
    let board = board("4k3/4r3/8/4q3/8/2b5/8/3NK3 w - - 0 1");
    let king = board.king(Color::White);
    let squares = |names: &[&str]| names.iter().map(|name| square(name)).collect::<Bitboard>();
    assert_eq!(board.checkers(), squares(&["e5", "c3"]));
    assert_eq!(board.attackers(king, board.occupied()), squares(&["e5", "c3"]));
    let without_queen = board.occupied() ^ Bitboard::of(square("e5"));
    assert_eq!(board.attackers(king, without_queen), squares(&["e5", "e7", "c3"]));
    assert_eq!(board.attackers(square("c3"), board.occupied()), squares(&["d1", "e5"]));
}

/// Legal moves the slow way, on an array of squares, without castling and en passant.
mod slow {
    use super::{Color, Piece, Setup};

    type Pieces = [Option<(Color, Piece)>; 64];

    pub(super) fn legal_moves(setup: &Setup) -> Vec<(usize, usize, Option<Piece>)> {
        let mut moves = Vec::new();
        for from in 0..64 {
            let Some((color, piece)) = setup.pieces[from] else { continue };
            if color != setup.turn {
                continue;
            }
            for to in targets(&setup.pieces, from) {
                let mut after = setup.pieces;
                after[to] = after[from].take();
                if is_attacked(&after, color) {
                    continue;
                }
                if piece == Piece::Pawn && matches!(to / 8, 0 | 7) {
                    let promotions = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
                    moves.extend(promotions.map(|piece| (from, to, Some(piece))));
                } else {
                    moves.push((from, to, None));
                }
            }
        }
        moves.sort();
        moves
    }

    /// Whether the king of that colour is attacked.
    fn is_attacked(pieces: &Pieces, color: Color) -> bool {
        let king = pieces.iter().position(|&at| at == Some((color, Piece::King)));
        (0..64).any(|from| {
            pieces[from].is_some_and(|(owner, _)| owner != color)
                && targets(pieces, from).into_iter().any(|to| Some(to) == king)
        })
    }

    fn targets(pieces: &Pieces, from: usize) -> Vec<usize> {
        let (color, piece) = pieces[from].expect("there is a piece");
        let straight = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let diagonal = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
        let knight = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        match piece {
            Piece::Pawn => pawn(pieces, from, color),
            Piece::Knight => walk(pieces, from, &knight, 1),
            Piece::Bishop => walk(pieces, from, &diagonal, 8),
            Piece::Rook => walk(pieces, from, &straight, 8),
            Piece::Queen => walk(pieces, from, &[straight, diagonal].concat(), 8),
            Piece::King => walk(pieces, from, &[straight, diagonal].concat(), 1),
        }
    }

    fn walk(pieces: &Pieces, from: usize, steps: &[(i32, i32)], most: usize) -> Vec<usize> {
        let mut targets = Vec::new();
        for &by in steps {
            let mut here = from;
            for _ in 0..most {
                let Some(to) = step(here, by) else { break };
                let is_own = pieces[to].map(|at| at.0) == pieces[from].map(|at| at.0);
                if !is_own {
                    targets.push(to);
                }
                if pieces[to].is_some() {
                    break;
                }
                here = to;
            }
        }
        targets
    }

    fn pawn(pieces: &Pieces, from: usize, color: Color) -> Vec<usize> {
        let (up, home) = if color == Color::White { (1, 1) } else { (-1, 6) };
        let mut targets = Vec::new();
        for east in [-1, 1] {
            if let Some(to) = step(from, (east, up))
                && pieces[to].is_some_and(|(owner, _)| owner != color)
            {
                targets.push(to);
            }
        }
        let mut here = from;
        for _ in 0..if from / 8 == home { 2 } else { 1 } {
            match step(here, (0, up)) {
                Some(to) if pieces[to].is_none() => here = to,
                _ => break,
            }
            targets.push(here);
        }
        targets
    }

    fn step(from: usize, (east, north): (i32, i32)) -> Option<usize> {
        let (file, rank) = (from as i32 % 8 + east, from as i32 / 8 + north);
        ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
    }
}

#[test]
fn a_pass_changes_the_turn_alone() {
    for (fen, passed) in [
        (
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            Some("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR b KQkq - 1 3"),
        ),
        ("8/8/4k3/8/8/4K3/4P3/8 b - - 4 9", Some("8/8/4k3/8/8/4K3/4P3/8 w - - 5 10")),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", None),
    ] {
        let board = monteverde_chess::fen::parse(fen).expect("a board of the test").passed();
        assert_eq!(board.as_ref().map(monteverde_chess::fen::write).as_deref(), passed);
        if let Some(board) = board {
            assert_eq!(board.key(), board.recomputed_key());
        }
    }
}

#[test]
fn positions_that_have_occurred_twice_are_told() {
    let mut game = Chess::parse_state("2K5/4k3/8/8/5Q2/8/8/8 w - - 0 1").expect("a FEN");
    let start = *game.board();
    let repeated = |game: &Chess| {
        let mut keys = Vec::new();
        game.for_each_repeated(|board| keys.push((board.key(), board.recomputed_key())));
        assert_eq!(game.has_repeated(), !keys.is_empty());
        keys
    };
    let play = |game: &mut Chess, moves: &str| {
        for text in moves.split(' ') {
            game.play(game.parse_move(text).expect("a move"));
        }
    };
    play(&mut game, "f4d2 e7e6 d2f4 e6e7");
    assert_eq!((game.occurrences(), repeated(&game)), (2, vec![]), "the present one is left out");
    play(&mut game, "f4d2");
    assert_eq!(repeated(&game), [(start.key(), start.key())]);
    play(&mut game, "e7e6 d2f4");
    assert_eq!(repeated(&game).len(), 3);
    // A pawn's move or a capture would clear it; a pass is a ply like any other.
    assert!(game.pass());
    assert_eq!(game.board().turn(), monteverde_chess::Color::White);
}

#[test]
fn what_castling_has_made_impossible_is_not_told() {
    let mut game = Chess::parse_state("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").expect("a FEN");
    for text in "a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1 e7e8".split(' ') {
        game.play(game.parse_move(text).expect("a move"));
    }
    let mut found = 0;
    game.for_each_repeated(|board| {
        assert!(board.castling_rooks().is_empty());
        found += 1;
    });
    assert_eq!(found, 3);
}
