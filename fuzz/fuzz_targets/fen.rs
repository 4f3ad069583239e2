//! States that are accepted can be written, read back, and played from.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monteverde_chess::{Chess, fen, uci};
use monteverde_game::Game;

fuzz_target!(|text: &str| {
    let _ = fen::parse_epd(text);
    let Ok(board) = fen::parse(text) else { return };
    let written = fen::write(&board);
    // A Chess960 board without castling rights reads back as a standard one.
    let again = fen::parse_as(&written, board.variant()).expect("what was written is accepted");
    assert_eq!(again, board, "{written}");
    let mut state = Chess::new(board);
    let mut moves = Vec::new();
    state.moves(&mut moves);
    assert!(moves.len() <= 256, "{written} has {} moves", moves.len());
    for &mv in &moves {
        let text = uci::write(&board, mv);
        assert_eq!(uci::parse(&board, &text), Ok(mv), "{written}");
    }
    if let Some(&mv) = moves.first() {
        state.play(mv);
        assert_eq!(state.key(), state.recomputed_key(), "{written} {mv:?}");
    }
});
