//! UCI moves: both forms of castling, and different errors for what is malformed and what is
//! illegal.

use crate::random;
use monteverde_chess::uci::{self, UciError};
use monteverde_chess::{Variant, fen};
use monteverde_game::Rng;
use proptest::prelude::*;

#[test]
fn castling_has_the_form_of_its_variant() {
    let state = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let standard = fen::parse(state).unwrap();
    for (text, written) in [("e1g1", "e1g1"), ("e1h1", "e1g1"), ("e1c1", "e1c1"), ("e1a1", "e1c1")]
    {
        let mv = uci::parse(&standard, text).unwrap();
        assert!(mv.is_castling());
        assert_eq!(uci::write(&standard, mv), written);
    }
    let chess960 = fen::parse_as(state, Variant::Chess960).unwrap();
    for text in ["e1h1", "e1a1"] {
        let mv = uci::parse(&chess960, text).unwrap();
        assert!(mv.is_castling());
        assert_eq!(uci::write(&chess960, mv), text);
    }
    // A king two squares away from its goal cannot step there.
    assert!(matches!(uci::parse(&chess960, "e1g1"), Err(UciError::Illegal { .. })));
}

#[test]
fn a_king_step_is_not_castling_in_chess960() {
    let board = fen::parse("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
    assert!(!uci::parse(&board, "f1g1").unwrap().is_castling());
    assert!(uci::parse(&board, "f1h1").unwrap().is_castling());
}

#[test]
fn promotions_name_their_piece() {
    let board = fen::parse("7k/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    for text in ["a7a8q", "a7a8r", "a7a8b", "a7a8n"] {
        assert_eq!(uci::write(&board, uci::parse(&board, text).unwrap()), text);
    }
    assert!(matches!(uci::parse(&board, "a7a8"), Err(UciError::Illegal { .. })));
    assert!(matches!(uci::parse(&board, "e1e2q"), Err(UciError::Illegal { .. })));
}

#[test]
fn the_null_move_is_an_error() {
    let error = uci::parse(&fen::parse(fen::START).unwrap(), "0000").unwrap_err();
    assert_eq!(error, UciError::Null { text: "0000".into() });
    assert!(error.to_string().contains("chess has no pass"));
}

#[test]
fn a_malformed_move_is_an_error() {
    let board = fen::parse(fen::START).unwrap();
    for text in
        ["", "e2", "e2e", "e2e9", "i2i4", "e7e8k", "e7e8p", "e2e4 ", "E2E4", "éé", "e2e4qq", "Nf3"]
    {
        assert_eq!(uci::parse(&board, text), Err(UciError::Malformed { text: text.into() }));
    }
}

#[test]
fn an_illegal_move_is_an_error_that_names_the_state() {
    let board = fen::parse(fen::START).unwrap();
    for text in ["e2e5", "e7e5", "e3e4", "e1g1", "e1h1", "e2e4q"] {
        let error = uci::parse(&board, text).unwrap_err();
        assert_eq!(error, UciError::Illegal { text: text.into(), fen: fen::START.into() });
        assert_eq!(error.to_string(), format!("'{text}' is not legal in '{}'", fen::START));
    }
}

#[test]
fn every_move_of_random_games_reads_back() {
    let mut moves = Vec::new();
    random::random_games(80, |board, _| {
        moves.clear();
        board.legal_moves(&mut moves);
        for &mv in &moves {
            let text = uci::write(board, mv);
            assert_eq!(uci::parse(board, &text), Ok(mv), "{text} in {}", fen::write(board));
        }
    });
}

#[test]
fn mutated_moves_never_panic() {
    let mut rng = Rng::new(7);
    random::random_games(60, |board, mv| {
        let text = random::mutated(&uci::write(board, mv), "abh18qkéx ", &mut rng);
        if let Ok(read) = uci::parse(board, &text) {
            assert!(board.is_legal(read));
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,6}") {
        let _ = uci::parse(&fen::parse(fen::START).unwrap(), &text);
    }
}
