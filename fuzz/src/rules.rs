//! States and records as the rules read them.

use monteverde_banqi::Banqi;
use monteverde_chess::{Chess, fen as chess_fen, pgn as chess_pgn, uci};
use monteverde_game::{Game, Notation};
use monteverde_loa::{Loa, sgf as loa_sgf};

/// States of chess, and a move from each.
pub(crate) fn fen(text: &str) {
    let _ = chess_fen::parse_epd(text);
    let Ok(board) = chess_fen::parse(text) else { return };
    let written = chess_fen::write(&board);
    // A Chess960 board without castling rights reads back as a standard one.
    let again = chess_fen::parse_as(&written, board.variant()).expect("what was written is read");
    assert_eq!(again, board, "{written}");
    let mut moves = Vec::new();
    let mut state = Chess::new(board);
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
}

/// States of Chinese dark chess, and steps from each.
pub(crate) fn banqi(text: &str) {
    follow::<Banqi>(text);
}

/// States of Lines of Action, and steps from each.
pub(crate) fn loa(text: &str) {
    follow::<Loa>(text);
}

/// So many steps a state is followed.
const STEPS: usize = 12;

/// Reads the first line as a state and writes it back; then plays the moves and events of the
/// second line, or, where it ends, the first ones that there are.
fn follow<G: Notation>(text: &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(mut state) = G::parse_state(first) else { return };
    let mut words = rest.split_whitespace();
    for _ in 0..STEPS {
        let written = state.state_text();
        let again = G::parse_state(&written).expect("what was written is read");
        assert_eq!(again.state_text(), written);
        assert_eq!(again.key(), again.recomputed_key(), "{written}");
        assert_eq!(state.key(), state.recomputed_key(), "{written}");
        state.picture();
        if state.is_pending() {
            let mut events = Vec::new();
            state.events(&mut events);
            let given = words.next().and_then(|word| state.parse_event(word).ok());
            let event = given.unwrap_or_else(|| events.first().expect("chance has events").0);
            let text = state.event_text(event);
            assert!(state.parse_event(&text) == Ok(event), "{written} {text}");
            state.settle(event);
            continue;
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        for &mv in &moves {
            let text = state.move_text(mv);
            assert!(state.parse_move(&text) == Ok(mv), "{written} {text}");
        }
        if state.outcome().is_some() {
            return;
        }
        let given = words.next().and_then(|word| state.parse_move(word).ok());
        let first = || *moves.first().expect("a game that goes on has moves");
        state.play(given.unwrap_or_else(first));
    }
}

/// Games of chess: once written, nothing changes any more.
pub(crate) fn pgn(text: &str) {
    for game in chess_pgn::parse(text).flatten() {
        let written = chess_pgn::write(&game);
        let mut games = chess_pgn::parse(&written);
        let again = games.next().expect("a game").expect("what was written is accepted");
        assert!(games.next().is_none(), "{written}");
        assert_eq!((&again.start, again.outcome), (&game.start, game.outcome), "{written}");
        let (before, after) = (game.moves.iter(), again.moves.iter());
        assert!(after.map(|played| played.mv).eq(before.map(|played| played.mv)), "{written}");
        assert_eq!(chess_pgn::write(&again), written);
    }
}

/// Games of Lines of Action: once written, nothing changes any more.
pub(crate) fn sgf(text: &str) {
    for game in loa_sgf::parse(text).flatten() {
        let written = loa_sgf::write(&game);
        let mut games = loa_sgf::parse(&written);
        let again = games.next().expect("a game").expect("what was written is accepted");
        assert!(games.next().is_none(), "{written}");
        assert_eq!((&again.start, again.outcome), (&game.start, game.outcome), "{written}");
        let (before, after) = (game.moves.iter(), again.moves.iter());
        assert!(after.map(|played| played.mv).eq(before.map(|played| played.mv)), "{written}");
        assert_eq!(loa_sgf::write(&again), written);
    }
}
