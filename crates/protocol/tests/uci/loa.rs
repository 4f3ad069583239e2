//! Dialogues about Lines of Action.

use crate::dialogue::{Dialogue, number_after, word_after};
use crate::pv;
use monteverde_game::{Game, Notation};
use monteverde_loa::Loa;
use std::time::Duration;

/// A side that cannot move.
const STUCK: &str = "xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b";
/// White connects by e3-d3.
const WON: &str = "8/8/8/2oo4/2o5/4o3/x6x/8 w";

/// Plays the moves, which must be legal, and returns the state they lead to.
fn after<'a>(state: &str, moves: impl IntoIterator<Item = &'a str>) -> Loa {
    let mut state = Loa::parse_state(state).expect("a state of the test");
    for text in moves {
        let mv = state.parse_move(text).expect("a legal move");
        assert!(["pass", &state.engine_text(mv)].contains(&text), "{text} is in the dialect");
        state.play(mv);
    }
    state
}

#[test]
fn introduces_itself_without_what_only_chess_has() {
    let mut engine = Dialogue::about("loa");
    let replies = engine.ask("uci");
    assert!(replies[0].starts_with("id name Monteverde "), "{replies:?}");
    assert!(replies.iter().all(|line| !line.contains("960")), "{replies:?}");
    assert_eq!(replies.last().map(String::as_str), Some("uciok"));
    assert!(engine.ask("help")[0].contains("Lines of Action"));
    assert_eq!(engine.quit(), [""; 0]);
}

#[test]
fn positions_and_moves_are_those_of_the_game() {
    let mut engine = Dialogue::about("loa");
    let start = Loa::start().state_text();
    assert_eq!(engine.fen(), start);
    engine.send("position startpos moves c1a3 a2c4 c8a6");
    assert_eq!(engine.fen(), after(&start, ["c1a3", "a2c4", "c8a6"]).state_text());
    engine.send(&format!("position fen {STUCK} moves pass"));
    assert_eq!(engine.fen(), STUCK.replace(" b", " w"));
    for (line, expected) in [
        ("position startpos moves c1c4", "move 1: 'c1c4' is not legal in"),
        ("position startpos moves pass", "move 1: 'pass' is not legal in"),
        (
            "position startpos moves e2e4q",
            "move 1: 'e2e4q' is not a move; accepted are two squares",
        ),
        ("position fen 8/8 b", "8 ranks"),
        ("setoption name UCI_Chess960 value true", "no option is called 'UCI_Chess960'"),
        ("setoption name Player value mcc", "loa has no player 'mcc'"),
    ] {
        let replies = engine.ask(line);
        assert!(replies.len() == 1 && replies[0].starts_with("info string "), "{replies:?}");
        assert!(replies[0].contains(expected), "{line:?} was answered by {}", replies[0]);
    }
    engine.quit();
}

#[test]
fn every_limit_is_kept_and_answered_in_the_dialect() {
    let mut engine = Dialogue::about("loa");
    let start = Loa::start().state_text();
    for go in [
        "go nodes 300",
        "go depth 3",
        "go movetime 50",
        "go wtime 1000 btime 1000 winc 10 binc 10",
        "go movestogo 10 wtime 1000 btime 500",
        "go mate 1",
    ] {
        let (info, best) = engine.search(&format!("position startpos\n{go}"));
        after(&start, [best.as_str()]);
        let line: Vec<&str> = pv(&info).collect();
        assert_eq!(line[0], best, "{go}: {info}");
        after(&start, line);
        assert!(info.contains(" score cp ") && number_after(&info, "nodes") > 0, "{info}");
        if go == "go nodes 300" {
            assert_eq!(number_after(&info, "nodes"), 300);
        }
    }
    engine.send("go infinite");
    engine.assert_no_best_move(Duration::from_millis(100));
    let (_, best) = engine.search("stop");
    after(&start, [best.as_str()]);
    engine.send("go ponder wtime 1000 btime 1000");
    engine.assert_no_best_move(Duration::from_millis(100));
    engine.search("ponderhit");
    let (_, best) = engine.search("go nodes 50 searchmoves c8c6");
    assert_eq!(best, "c8c6");
    engine.quit();
}

/// Black moves first, so that its clock is `btime`, and a fraction of it is spent.
#[test]
fn the_clock_of_black_is_btime() {
    let mut engine = Dialogue::about("loa");
    let (info, _) = engine.search("position startpos\ngo wtime 1000000 btime 100");
    assert!(number_after(&info, "time") < 5_000, "a part of 0.1 s, not of 1,000 s: {info}");
    engine.quit();
}

#[test]
fn a_connection_is_found_and_scored() {
    let mut engine = Dialogue::about("loa");
    // Not every player tries each move in as many iterations as there are moves.
    for player in ["best", "uct", "mc-loa", "mc-loa-2008-nosolver"] {
        let (info, best) = engine.search(&format!(
            "setoption name Player value {player}\nposition fen {WON}\ngo mate 1"
        ));
        assert_eq!(number_after(&info, "mate"), 1, "{info}");
        assert_eq!(after(WON, [best.as_str()]).ending(), Some("connection"));
    }
    engine.quit();
}

#[test]
fn a_side_that_cannot_move_passes_and_a_connected_one_has_won() {
    let mut engine = Dialogue::about("loa");
    let (_, best) = engine.search(&format!("position fen {STUCK}\ngo nodes 100"));
    assert_eq!(best, "pass");
    engine.send("position fen 8/8/8/2oo4/2o5/8/x6x/8 b\ngo nodes 100");
    assert_eq!(engine.reply(), "bestmove (none)");
    engine.quit();
}

/// A whole game of the engine against itself, sent move by move.
#[test]
fn a_game_is_played_to_its_end() {
    let mut engine = Dialogue::about("loa");
    engine.send("ucinewgame");
    let (mut state, mut line) = (Loa::start(), "position startpos moves".to_owned());
    while state.outcome().is_none() {
        engine.send(&format!("{line}\ngo nodes 100"));
        let replies = engine.until("bestmove");
        let best = word_after(&replies[replies.len() - 1], "bestmove");
        let mv = state.parse_move(best).expect("a legal move");
        assert_eq!(state.engine_text(mv), best);
        state.play(mv);
        line += &format!(" {best}");
    }
    engine.quit();
}
