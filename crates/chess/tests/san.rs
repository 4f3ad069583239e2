//! SAN: exact when written, lenient when read, and never a panic.

use crate::random;
use monteverde_chess::san::{self, SanError};
use monteverde_chess::{fen, uci};
use monteverde_game::Rng;
use proptest::prelude::*;

/// State, move in UCI, move in SAN.
const WRITTEN: [(&str, &str, &str); 16] = [
    (fen::START, "e2e4", "e4"),
    (fen::START, "g1f3", "Nf3"),
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
    ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+"),
    ("1n5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "axb8=N"),
    // Two knights: the file tells them apart, the rank if the file does not, both if neither does.
    ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
    ("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b1c3", "N1c3"),
    ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
    // The other knight is pinned, so nothing is ambiguous; the third line pins nothing.
    ("k7/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
    ("k7/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
    ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"),
    ("4k3/8/8/8/8/8/8/5RKR w HF - 0 1", "g1f1", "O-O-O"),
];

#[test]
fn writes_exactly() {
    for (state, mv, text) in WRITTEN {
        let board = fen::parse(state).unwrap();
        let mv = uci::parse(&board, mv).unwrap();
        assert_eq!(san::write(&board, mv), text, "in {state}");
        assert_eq!(san::parse(&board, text), Ok(mv), "in {state}");
    }
}

#[test]
fn reads_leniently() {
    check(
        fen::START,
        "g1f3",
        &["Nf3", "Ng1f3", "Ng1-f3", "Ngf3", "N1f3", "Nf3+", "Nf3!?", "Nf3#!"],
    );
    check(fen::START, "e2e4", &["e4", "e2e4", "e2-e4", "Pe4", "Pe2e4", "e4!!"]);
    let castling = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    check(castling, "e1g1", &["O-O", "0-0", "o-o", "O-O+", "0-0!"]);
    check(castling, "e1c1", &["O-O-O", "0-0-0", "o-o-o#"]);
    let promotion = "1n5k/P7/8/8/8/8/8/4K3 w - - 0 1";
    check(promotion, "a7a8q", &["a8=Q", "a8Q", "a8(Q)", "a8=q", "a8q", "a8=Q+", "a7a8Q"]);
    check(promotion, "a7b8q", &["axb8=Q", "ab8=Q", "a7xb8Q", "a7:b8Q", "xb8=Q"]);
    check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", &["exd6", "exd6e.p.", "exd6 e.p.", "ed6"]);
}

#[test]
fn a_king_move_is_not_castling() {
    // The rook's square is where castling is stored to go, which must not show.
    let board = fen::parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    assert!(matches!(san::parse(&board, "Kh1"), Err(SanError::NoSuchMove { .. })));
    assert!(matches!(san::parse(&board, "Kg1"), Err(SanError::NoSuchMove { .. })));
}

#[test]
fn a_malformed_text_is_an_error() {
    let board = fen::parse(fen::START).unwrap();
    let malformed = [
        "", "+", "e", "e9", "i4", "Xe4", "N", "Nf", "--", "Z0", "O-O-O-O", "e4=K", "e4=P", "é4",
        "Nbd2d2", "Nx", "e8=", "e8=()", "1-0", "e2--e4", "♘f3", "(Q)", "=Q",
    ];
    for text in malformed {
        assert_eq!(san::parse(&board, text), Err(SanError::Malformed { text: text.into() }));
    }
    let message = san::parse(&board, "hello").unwrap_err().to_string();
    assert!(message.starts_with("'hello' is not a move; accepted are"), "{message}");
}

#[test]
fn a_move_that_is_not_legal_is_an_error() {
    let board = fen::parse(fen::START).unwrap();
    for text in ["e5", "Ke2", "O-O", "Nd2", "e4=Q", "exd3", "Ng2f3", "e8=Q"] {
        let error = san::parse(&board, text).unwrap_err();
        assert_eq!(error, SanError::NoSuchMove { text: text.into(), fen: fen::START.into() });
        assert_eq!(error.to_string(), format!("no legal move is '{text}' in '{}'", fen::START));
    }
}

#[test]
fn an_ambiguous_move_is_an_error_that_names_the_candidates() {
    let state = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    let board = fen::parse(state).unwrap();
    let error = san::parse(&board, "Nd2").unwrap_err();
    let SanError::Ambiguous { ref candidates, .. } = error else { panic!("{error:?}") };
    let mut sorted = candidates.clone();
    sorted.sort();
    assert_eq!(sorted, ["Nbd2", "Nfd2"]);
    assert!(error.to_string().contains("d2 or N"), "{error}");

    let board = fen::parse("7k/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    let Err(SanError::Ambiguous { candidates, .. }) = san::parse(&board, "a8") else { panic!() };
    assert_eq!(candidates.len(), 4);
}

#[test]
fn every_move_of_random_games_reads_back() {
    let mut moves = Vec::new();
    let mut texts = std::collections::BTreeSet::new();
    random::random_games(60, |board, _| {
        moves.clear();
        texts.clear();
        board.legal_moves(&mut moves);
        for &mv in &moves {
            let text = san::write(board, mv);
            assert_eq!(san::parse(board, &text), Ok(mv), "{text} in {}", fen::write(board));
            assert!(texts.insert(text), "two moves with one text in {}", fen::write(board));
        }
    });
}

#[test]
fn mutated_moves_never_panic() {
    let mut rng = Rng::new(7);
    random::random_games(60, |board, mv| {
        let text = random::mutated(&san::write(board, mv), "KQRBNPabh18x=+#O0-(é?! ", &mut rng);
        if let Ok(read) = san::parse(board, &text) {
            assert!(board.is_legal(read));
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,8}") {
        let _ = san::parse(&fen::parse(fen::START).unwrap(), &text);
    }

    #[test]
    fn arbitrary_move_characters_never_panic(text in "[KQRBNPOa-h0-8x=+#()-]{0,8}") {
        for start in random::STARTS {
            let _ = san::parse(&fen::parse(start).unwrap(), &text);
        }
    }
}

fn check(state: &str, mv: &str, texts: &[&str]) {
    let board = fen::parse(state).unwrap();
    let mv = uci::parse(&board, mv).unwrap();
    for text in texts {
        assert_eq!(san::parse(&board, text), Ok(mv), "{text} in {state}");
    }
}
