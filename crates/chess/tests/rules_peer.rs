//! Random games in step with the peer library: the same legal moves at every ply, keys kept right,
//! and `is_legal` in agreement with the list.

use crate::common::{board, from_peer, peer};
use monteverde_chess::{Board, Chess, Move, Piece};
use monteverde_game::{Game, Rng};
use proptest::prelude::*;

type Squares = (usize, usize, Option<Piece>);

#[test]
fn same_moves_in_standard_games() {
    for seed in 0..200 {
        play_in_step(Board::start(), cozy_chess::Board::default(), seed);
    }
}

#[test]
fn same_moves_from_every_chess960_start() {
    for number in 0..960 {
        let ours = Board::chess960(number).expect("the number is in range");
        let theirs = cozy_chess::Board::chess960_startpos(number.into());
        assert_eq!(ours, from_peer(&theirs), "start {number}");
        play_in_step(ours, theirs, number.into());
    }
}

proptest! {
    #[test]
    fn same_moves_with_unequal_chess960_starts(white in 0..960u32, black in 0..960u32, seed: u64) {
        let theirs = cozy_chess::Board::double_chess960_startpos(white, black);
        play_in_step(from_peer(&theirs), theirs, seed);
    }
}

#[test]
fn is_legal_agrees_with_the_list_for_any_bits() {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];
    let mut rng = Rng::new(1);
    for fen in fens {
        let mut game = Chess::new(board(fen));
        for _ in 0..10 {
            check_every_move(game.board());
            match game.sample(&mut rng) {
                Ok(mv) => game.play(mv),
                Err(_) => break,
            }
        }
    }
}

fn check_every_move(board: &Board) {
    let mut list = Vec::new();
    board.legal_moves(&mut list);
    let mut legal = 0;
    for mv in (0..=u16::MAX).filter_map(Move::from_bits16) {
        let is_legal = board.is_legal(mv);
        assert_eq!(is_legal, list.contains(&mv), "{mv:?} in {board:?}");
        legal += usize::from(is_legal);
    }
    assert_eq!(legal, list.len(), "a move is listed twice in {board:?}");
    assert_eq!(board.has_legal_moves(), legal > 0);
}

/// Plays one random game on both boards, up to 300 plies.
fn play_in_step(mut ours: Board, mut theirs: cozy_chess::Board, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut list = Vec::new();
    for _ in 0..300 {
        list.clear();
        ours.legal_moves(&mut list);
        compare(&ours, &list, &theirs);
        if list.is_empty() || ours.halfmoves() >= 100 {
            break;
        }
        let mv = list[rng.below(list.len() as u32) as usize];
        theirs.play_unchecked(to_peer(mv));
        ours.play(mv);
    }
}

fn compare(ours: &Board, list: &[Move], theirs: &cozy_chess::Board) {
    let mut expected: Vec<Squares> = Vec::new();
    theirs.generate_moves(|moves| {
        expected.extend(moves.into_iter().map(|mv| {
            let promotion = mv.promotion.map(|piece| Piece::ALL[piece as usize]);
            (mv.from as usize, mv.to as usize, promotion)
        }));
        false
    });
    let mut listed: Vec<Squares> = list.iter().map(|&mv| squares(mv)).collect();
    expected.sort();
    listed.sort();
    assert_eq!(listed, expected, "{ours:?}");
    assert_eq!(ours.key(), ours.recomputed_key(), "{ours:?}");
    assert_eq!(ours.has_legal_moves(), !list.is_empty(), "{ours:?}");
    assert_eq!(ours.checkers().0, theirs.checkers().0, "{ours:?}");
    for &mv in list {
        let mover = ours.piece_at(mv.from());
        assert_eq!(mover, Some((ours.turn(), mv.piece())), "{mv:?} in {ours:?}");
    }
    // The peer keeps en passant squares that nobody can capture on; a setup from it drops them.
    let rebuilt = from_peer(theirs);
    assert_eq!(rebuilt.key(), ours.key(), "{ours:?}");
    assert_eq!(rebuilt.en_passant(), ours.en_passant(), "{ours:?}");
    assert_eq!(rebuilt.castling_rooks(), ours.castling_rooks(), "{ours:?}");
    assert_eq!(rebuilt.halfmoves().min(100), ours.halfmoves().min(100), "{ours:?}");
    assert_eq!(rebuilt.fullmoves(), ours.fullmoves(), "{ours:?}");
}

fn squares(mv: Move) -> Squares {
    (mv.from().index(), mv.to().index(), mv.promotion())
}

fn to_peer(mv: Move) -> cozy_chess::Move {
    cozy_chess::Move {
        from: cozy_chess::Square::index(mv.from().index()),
        to: cozy_chess::Square::index(mv.to().index()),
        promotion: mv.promotion().map(|piece| cozy_chess::Piece::ALL[piece.index()]),
    }
}

#[test]
fn a_peer_board_survives_the_way_here() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 11";
    let ours = from_peer(&peer(fen));
    assert_eq!((ours.halfmoves(), ours.fullmoves()), (7, 11));
    assert_eq!(ours.castling_rooks().count(), 2);
}
