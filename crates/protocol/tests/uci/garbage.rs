//! Thousands of random and damaged lines in one dialogue: the engine neither ends nor hangs, and is
//! of sound mind afterwards.

use crate::dialogue::Dialogue;
use monteverde_game::Game;
use monteverde_games::games;
use monteverde_protocol::uci::command::Command;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use std::cell::RefCell;

const ROUNDS: u32 = 100;
const LINES_A_ROUND: usize = 100;

/// Lines to damage, whatever the game.
const LINES: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "debug off",
    "register later",
    "d",
    "help",
    "stop",
    "ponderhit",
    "setoption name Hash value 16",
    "setoption name Threads value 2",
    "setoption name MultiPV value 3",
    "setoption name Ponder value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name Move Overhead value 20",
    "setoption name Seed value 12345",
    "position startpos",
    "go",
    "go infinite",
    "go depth 3",
    "go mate 2",
    "go movetime 5",
    "go wtime 100 btime 100 winc 5 binc 5 movestogo 10",
    "go ponder wtime 100 btime 100",
];

/// Lines of chess to damage.
const CHESS: &[&str] = &[
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name Player value mcc:c=0.5,choose=secure,a=2,threads=2,memory=8MiB,seed=4,fresh",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 6",
    "position fen 1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1 moves f1b1",
    "position fen 8/P1k5/8/2pP4/8/8/5K2/8 w - c6 0 2 moves d5c6",
    "position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
    "go nodes 20 searchmoves e2e4 d2d4",
];

/// Lines of Lines of Action to damage.
const LOA: &[&str] = &[
    "setoption name Player value uct:c=0.5,choose=secure,a=2,threads=2,memory=8MiB,seed=4,fresh",
    "position startpos moves c1a3 a2c4 c8xa6 a4-d4 e1c3",
    "position fen xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b moves pass",
    "position fen 8/8/o2o4/o7/ox1oo3/1oo5/2ooxx2/2xx1xx1 w moves d6xb4",
    "position fen 1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b simultaneous=mover,repetition=2,plies=9",
    "go nodes 20 searchmoves c8c6 b1b3",
];

/// A way to damage a line, at a place that is taken modulo its length.
#[derive(Clone, Debug)]
enum Damage {
    Insert(usize, u8),
    Replace(usize, u8),
    Remove(usize),
    Cut(usize),
    DoubleWord(usize),
    SwapWords(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = 0..200usize;
    prop_oneof![
        (place.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Insert(at, byte)),
        (place.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Replace(at, byte)),
        place.clone().prop_map(Damage::Remove),
        place.clone().prop_map(Damage::Cut),
        place.clone().prop_map(Damage::DoubleWord),
        (place.clone(), place).prop_map(|(one, two)| Damage::SwapWords(one, two)),
    ]
}

fn apply(mut line: Vec<u8>, damage: &Damage) -> Vec<u8> {
    let len = line.len();
    let mut words: Vec<Vec<u8>> = line.split(|&byte| byte == b' ').map(<[u8]>::to_vec).collect();
    let count = words.len();
    match *damage {
        Damage::Insert(at, byte) => line.insert(at % (len + 1), byte),
        _ if len == 0 => {}
        Damage::Replace(at, byte) => line[at % len] = byte,
        Damage::Remove(at) => drop(line.remove(at % len)),
        Damage::Cut(at) => line.truncate(at % len),
        Damage::DoubleWord(at) => {
            words.insert(at % count, words[at % count].clone());
            line = words.join(&b' ');
        }
        Damage::SwapWords(one, two) => {
            words.swap(one % count, two % count);
            line = words.join(&b' ');
        }
    }
    line
}

/// A line; `own` are some of the game, `state` is the form of its states.
fn line(own: &[&'static str], state: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let damaged = (select([LINES, own].concat()), vec(damage(), 0..4))
        .prop_map(|(line, damages)| damages.iter().fold(line.as_bytes().to_vec(), apply));
    let spec = "setoption name Player value (mcc|uct|)[:,=a-z0-9.-]{0,20}";
    let numbers = "go (wtime|btime|winc|binc|movestogo|movetime|nodes|depth|mate) -?[0-9]{0,25}";
    prop_oneof![
        6 => damaged,
        1 => state.prop_map(String::into_bytes),
        1 => spec.prop_map(String::into_bytes),
        1 => numbers.prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 0..100),
    ]
    .prop_map(|mut line| {
        line.retain(|&byte| byte != b'\n');
        line
    })
    .prop_filter("must not quit", |line| String::from_utf8_lossy(line).parse() != Ok(Command::Quit))
}

#[test]
fn thousands_of_lines_of_garbage_do_no_harm() {
    let fen = "position fen [1-8pnbrqkPNBRQK/]{8,40} [wb] [KQkqA-Ha-h-]{1,4} [a-h1-8-]{1,2} [0-9]{1,3} [0-9]{1,3}";
    let sane = "setoption name UCI_Chess960 value false\nposition startpos moves e2e4";
    check("chess", line(CHESS, fen), sane, "e2e4");
}

#[test]
fn thousands_of_lines_of_garbage_do_no_harm_in_lines_of_action() {
    let state = "position fen [1-8xo/]{8,40} [wb]( [a-z0-9=,]{1,20})?( moves [a-h1-8x-]{4,5})?";
    check("loa", line(LOA, state), "position startpos moves c1c3", "c1c3");
}

/// Checks that the engine survives such lines, and that `sane` then brings it to the state after
/// the move.
fn check(game: &str, line: impl Strategy<Value = Vec<u8>>, sane: &str, mv: &str) {
    let engine = RefCell::new(Dialogue::about(game));
    let mut state = games().game(game).expect("a game of ours").start();
    state.play(state.parse_move(mv).expect("a legal move"));
    // What an engine does depends on all rounds before, so that there is nothing to shrink or
    // repeat.
    let config = Config {
        cases: ROUNDS,
        failure_persistence: None,
        max_shrink_iters: 0,
        ..Config::default()
    };
    let round = vec(line, LINES_A_ROUND);
    let result = TestRunner::new(config).run(&round, |lines| {
        let mut engine = engine.borrow_mut();
        for line in &lines {
            engine.send_bytes(line);
            engine.send_bytes(b"\n");
        }
        // A search may be running, and a line may have been damaged to any position and option.
        engine.send("stop");
        engine.catch_up();
        engine.ask(sane);
        prop_assert_eq!(engine.fen(), state.state_text());
        Ok(())
    });
    result.expect("the engine survives");
    let mut engine = engine.into_inner();
    let (_, best) = engine.search("go nodes 50");
    assert!(state.parse_move(&best).is_ok(), "{best} is legal");
    engine.quit();
}
