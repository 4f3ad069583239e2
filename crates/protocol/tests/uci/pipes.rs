//! Input that does not wait for answers: every `go` has its `bestmove`, whatever comes with it.

use crate::dialogue::{Dialogue, number_after, word_after};
use crate::{START, assert_line_is_legal, ms};
use std::time::Instant;

/// Another position than the start, far from any proof.
const OTHER: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

/// All that the engine says to lines that come at once, until their end.
fn say_all(lines: &str) -> Vec<String> {
    let mut engine = Dialogue::start();
    engine.send(lines);
    engine.close_input();
    engine.finish()
}

fn best_moves(replies: &[String]) -> Vec<&str> {
    let found = replies.iter().filter(|line| line.starts_with("bestmove "));
    found.map(|line| word_after(line, "bestmove")).collect()
}

/// The info lines of the searches, the last of each.
fn last_infos(replies: &[String]) -> Vec<&String> {
    let ends = replies.windows(2).filter(|two| two[1].starts_with("bestmove "));
    ends.map(|two| &two[0]).collect()
}

#[test]
fn a_go_during_a_search_waits_its_turn() {
    let lines = format!("go nodes 300\ngo nodes 200\nposition fen {OTHER}\ngo nodes 100\nisready");
    let replies = say_all(&lines);
    let best = best_moves(&replies);
    assert_eq!(best.len(), 3, "{replies:?}");
    assert_line_is_legal(START, best[..1].iter().copied());
    assert_line_is_legal(START, best[1..2].iter().copied());
    assert_line_is_legal(OTHER, best[2..].iter().copied());
    let nodes: Vec<i64> = last_infos(&replies).iter().map(|i| number_after(i, "nodes")).collect();
    assert_eq!(nodes, [300, 200, 100]);
    assert_eq!(replies.iter().filter(|line| *line == "readyok").count(), 1);
}

#[test]
fn stop_ends_what_runs_and_what_waits_before_it() {
    let mut engine = Dialogue::start();
    engine.send("go infinite\ngo infinite\ngo ponder nodes 100000000");
    engine.assert_no_best_move(ms(150));
    assert_eq!(engine.ask(""), [""; 0], "isready is answered while others wait");
    engine.send("stop\ngo nodes 50");
    for _ in 0..4 {
        engine.until("bestmove");
    }
    assert_eq!(engine.ask(""), [""; 0]);
    engine.quit();
}

#[test]
fn the_time_of_a_go_begins_with_its_turn() {
    let mut engine = Dialogue::start();
    engine.send("go movetime 500\ngo movetime 400");
    engine.until("bestmove");
    let start = Instant::now();
    engine.until("bestmove");
    assert!(start.elapsed() > ms(250), "{:?} for 400 ms", start.elapsed());
    engine.quit();
}

#[test]
fn quit_is_preceded_by_the_answer_to_every_go() {
    for (lines, answers) in [
        ("go nodes 100\nquit", 1),
        ("go nodes 1000000000\nquit", 1),
        ("go infinite\nquit", 1),
        ("go ponder wtime 100000 btime 100000\nquit\ngo nodes 5", 1),
        ("go infinite\ngo infinite\ngo nodes 5\nquit", 3),
        ("position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo infinite\nquit", 1),
        ("quit", 0),
    ] {
        let start = Instant::now();
        let replies = say_all(lines);
        assert_eq!(best_moves(&replies).len(), answers, "{lines:?}: {replies:?}");
        assert!(start.elapsed() < ms(5000), "{lines:?} took {:?}", start.elapsed());
    }
}

#[test]
fn the_end_of_input_is_preceded_by_the_answer_to_every_go() {
    for (lines, answers) in [
        ("go infinite\ngo nodes 100\ngo infinite\ngo nodes 50", 4),
        ("go ponder\nposition startpos moves e2e4\ngo infinite", 2),
    ] {
        let replies = say_all(lines);
        assert_eq!(best_moves(&replies).len(), answers, "{lines:?}: {replies:?}");
    }
}

#[test]
fn a_go_that_is_not_understood_is_answered() {
    let mut engine = Dialogue::start();
    engine.send(&format!("position fen {OTHER}"));
    for (go, fault) in [
        ("go nodes abc", "'abc' is no number for 'go nodes'"),
        ("go nodes -3", "'-3' is no number for 'go nodes'"),
        ("go movetime -5", "'-5' is no number for 'go movetime'"),
        ("go depth", "'' is no number for 'go depth'"),
        ("go mate 0", "'0' is no number for 'go mate'"),
        ("go wtime soon", "'soon' is no number for 'go wtime'"),
        ("go away", "'away' is not understood after 'go'"),
        ("go searchmoves", "'go searchmoves' lacks a move"),
        ("go searchmoves e7e5", "'e7e5' is not legal"),
        ("go searchmoves e2e5 nonsense d2d3", "'e2e5' is not legal"),
    ] {
        engine.send(go);
        let replies = engine.until("bestmove");
        let said = replies.iter().find(|line| line.contains(fault));
        assert!(said.is_some_and(|line| line.starts_with("info string ")), "{go}: {replies:?}");
        assert_line_is_legal(OTHER, best_moves(&replies).into_iter());
        if go.ends_with("d2d3") {
            assert_eq!(best_moves(&replies), ["d2d3"]);
        }
    }
    // What was understood counts, and `infinite` is not taken back.
    let (info, _) = engine.search("ucinewgame\ngo movetime x nodes 77");
    assert_eq!(number_after(&info, "nodes"), 77);
    engine.send("go infinite nodes many");
    engine.assert_no_best_move(ms(150));
    engine.search("stop");
    engine.send("go ponder nodes many");
    engine.assert_no_best_move(ms(150));
    engine.search("ponderhit");
    engine.quit();
}

#[test]
fn after_an_illegal_position_the_one_that_was_kept_is_searched() {
    let mut engine = Dialogue::start();
    engine.send(&format!("position fen {OTHER}"));
    for line in [
        "position startpos moves e2e5",
        "position fen rubbish",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    ] {
        let replies = engine.ask(line);
        assert_eq!(replies.len(), 1, "{replies:?}");
        assert!(replies[0].starts_with("info string "), "{replies:?}");
        assert!(replies[0].ends_with(&format!("; the position stays '{OTHER}'")), "{replies:?}");
        let (_, best) = engine.search("go nodes 50");
        assert_line_is_legal(OTHER, [best.as_str()].into_iter());
    }
    engine.quit();
}
