//! The user's Syzygy files, as an interface names them.

use crate::dialogue::Dialogue;
use monteverde_chess::Chess;
use monteverde_game::{Game, Notation};

/// Where the script `data/fetch` puts files.
const FILES: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/python-chess/data/syzygy/regular");

/// Positions with a single move that wins.
const SINGLE: [(&str, &str); 2] =
    [("8/8/P2kp3/8/8/8/1K6/8 w - - 0 1", "a6a7"), ("2R4K/8/8/8/8/8/k2n4/8 w - - 0 1", "c8c2")];

#[test]
fn a_folder_that_does_not_do_is_told_and_changes_nothing() {
    let mut engine = Dialogue::start();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    for (value, part) in
        [("/no/such/folder", "there is no such folder"), (folder, "no Syzygy files")]
    {
        let replies = engine.ask(&format!("setoption name SyzygyPath value {value}"));
        assert_eq!(replies.len(), 1, "{replies:?}");
        assert!(replies[0].starts_with("info string SyzygyPath: "), "{}", replies[0]);
        assert!(replies[0].contains(part) && replies[0].contains(value), "{}", replies[0]);
    }
    assert_eq!(engine.ask("setoption name SyzygyPath value <empty>"), [""; 0]);
    assert_eq!(engine.ask("setoption name SyzygyPath value"), [""; 0]);
    engine.search("position startpos\ngo nodes 5");
    engine.quit();
}

/// One iteration tries one move, so that the engine knows nothing but what the files say.
#[test]
fn files_choose_the_move_and_win_the_game() {
    let is_there = std::path::Path::new(FILES).is_dir();
    assert!(is_there, "{FILES} is missing; the script data/fetch gets it");
    let mut engine = Dialogue::start();
    engine.send("setoption name Player value mcc");
    assert_eq!(engine.ask(&format!("setoption name SyzygyPath value {FILES}")), [""; 0]);
    for (fen, best) in SINGLE {
        let (_, found) = engine.search(&format!("position fen {fen}\ngo nodes 1"));
        assert_eq!(found, best, "{fen}");
    }
    let fen = SINGLE[1].0;
    let mut state = Chess::parse_state(fen).expect("a state");
    let mut moves = String::new();
    while state.outcome().is_none() {
        let (_, found) = engine.search(&format!("position fen {fen} moves{moves}\ngo nodes 1"));
        state.play(state.parse_move(&found).expect("a legal move"));
        moves += &format!(" {found}");
    }
    assert_eq!(state.ending(), Some("checkmate"), "{moves}");
    // In the tree: after the capture four pieces are left, one more than our own tables have.
    engine.send("setoption name Player value best:pieces=3");
    let (info, found) =
        engine.search("position fen 8/8/8/3k4/8/8/4n3/K1R1R3 w - - 0 1\ngo nodes 300");
    assert_eq!(found, "e1e2");
    assert!(info.contains("score cp 20000 "), "{info}");
    // Without the files nothing is certain.
    engine.send("setoption name SyzygyPath value <empty>");
    let (info, _) = engine.search("position fen 8/8/8/3k4/8/8/4n3/K1R1R3 w - - 0 1\ngo nodes 300");
    assert!(!info.contains("score cp 20000 "), "{info}");
    engine.quit();
}
