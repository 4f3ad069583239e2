//! Thinking in the opponent's time: what engines are told, what players keep of it, and who may
//! not.
#![cfg(unix)]

use monteverde_game::limit::Limit;
use monteverde_game::report::{Control, Report};
use monteverde_lab::adjudication::Adjudication;
use monteverde_lab::contest::{ContestPlan, Format, Openings};
use monteverde_lab::contestant::{Contestant, EngineSpec, Ponder};
use monteverde_lab::pace::Pace;
use monteverde_lab::record::{Failure, GameRecord};
use monteverde_lab::seat::{GameSeat, PlayerSeat, Turn};
use monteverde_lab::store::{Store, StoreError};
use monteverde_players::{AnyGame, AnyState, AnyStep, ClockUse, Player, Spec};
use std::path::Path;
use std::time::Duration;

fn chess() -> AnyGame {
    monteverde_games::games().game("chess").unwrap()
}

/// An engine that moves its knight to and fro and keeps what it is told. Of its opponent, which
/// does the same, it first expects the right reply and then always a wrong one.
fn knight(log: &Path, options: &str) -> Contestant {
    let script = format!(
        r#"answer() {{
    set -- $position
    case $# in
        1|2) echo bestmove g1f3 ponder g8f6 ;;
        3) echo bestmove g8f6 ;;
        4) echo bestmove f3g1 ponder b8c6 ;;
        5) echo bestmove f6g8 ;;
        6) echo bestmove g1f3 ponder b8c6 ;;
        7) echo bestmove g8f6 ;;
        8) echo bestmove f3g1 ponder b8c6 ;;
        *) echo bestmove f6g8 ;;
    esac
}}
while read -r word rest; do
    echo "$word $rest" >> '{log}'
    case "$word" in
        uci) {options} echo uciok ;;
        isready) echo readyok ;;
        position) position="$rest" ;;
        go) case "$rest" in ponder*) echo info depth 1 ;; *) answer ;; esac ;;
        ponderhit|stop) answer ;;
        quit) exit 0 ;;
    esac
done"#,
        log = log.display()
    );
    let args = vec!["-c".to_owned(), script];
    let spec = EngineSpec { args, ..EngineSpec::new("/bin/sh") };
    Contestant::engine(spec, "time=2s".parse().unwrap())
}

const HAS_PONDER: &str = "echo option name Ponder type check default false;";

fn plan(contestants: Vec<Contestant>) -> ContestPlan {
    ContestPlan {
        game: chess(),
        contestants,
        format: Format::Gauntlet,
        games: 1,
        openings: Openings::Start,
        seed: 1,
        adjudication: Adjudication { length: Some(40), ..Adjudication::default() },
        test: None,
        equal_time: None,
        build: "test".to_owned(),
    }
}

fn play(plan: &ContestPlan) -> GameRecord {
    let mut store = Store::memory().unwrap();
    plan.clone().hold(&mut store, 2, &mut |_, _| {}).unwrap();
    let mut records = Vec::new();
    let keep = |record| {
        records.push(record);
        Ok::<_, StoreError>(())
    };
    store.records(None, keep).unwrap();
    records.pop().expect("a game")
}

#[test]
fn an_engine_is_told_whether_its_opponent_did_as_it_expected() {
    let folder = tempfile::tempdir().unwrap();
    let [log, other] = ["one", "other"].map(|name| folder.path().join(name));
    let first = Contestant { ponder: Ponder::On, ..knight(&log, HAS_PONDER) };
    let record = play(&plan(vec![first, knight(&other, "")]));
    assert_eq!(record.reason.to_string(), "repetition", "{}", record.detail);
    let text = std::fs::read_to_string(&log).unwrap();
    // The first start is the one that asks for its name.
    let told: Vec<_> = text.rsplit("uci \n").next().unwrap().lines().map(str::trim).collect();
    let expected = [
        "isready",
        "setoption name Ponder value true",
        "ucinewgame",
        "isready",
        "position startpos",
        "go movetime 2000",
        "position startpos moves g1f3 g8f6",
        "go ponder movetime 2000",
        "ponderhit",
        "position startpos moves g1f3 g8f6 f3g1 b8c6",
        "go ponder movetime 2000",
        "stop",
        "position startpos moves g1f3 g8f6 f3g1 f6g8",
        "go movetime 2000",
        "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 b8c6",
        "go ponder movetime 2000",
        "stop",
        "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6",
        "go movetime 2000",
        "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 b8c6",
        "go ponder movetime 2000",
        // The game is over.
        "stop",
        "quit",
    ];
    assert_eq!(told, expected);
    let other = std::fs::read_to_string(&other).unwrap();
    assert!(!other.to_lowercase().contains("ponder"), "it was not asked to: {other}");
}

#[test]
fn an_engine_that_cannot_ponder_does_not_play() {
    let folder = tempfile::tempdir().unwrap();
    let engine = knight(&folder.path().join("log"), "");
    let engine = Contestant { ponder: Ponder::On, ..engine };
    let ours = Contestant::spec("best", "time=1ms".parse().unwrap());
    let mut store = Store::memory().unwrap();
    let held = plan(vec![ours, engine]).hold(&mut store, 1, &mut |_, _| {});
    let error = held.unwrap_err().to_string();
    assert!(error.contains("no-start: it has no option Ponder"), "{error}");
}

/// Who is to move at the beginning, with so little to think that all that is found was found
/// before.
fn turn(state: &AnyState) -> Turn<'_> {
    Turn {
        state,
        side: monteverde_game::Game::turn(state),
        pace: Pace::Iterations(1),
        timers: [None, None],
        margin: Contestant::MARGIN,
    }
}

#[test]
fn a_player_keeps_what_it_found_in_its_opponents_time() {
    let start = chess().start();
    let visits = |ponders: bool| {
        let spec = Spec::read(chess(), "best:memory=16MiB").unwrap();
        let mut seat = PlayerSeat::new(spec.make(&start), ClockUse::fixed(30));
        seat.begin(&start, &[], &start).unwrap();
        if ponders {
            seat.ponder(&turn(&start));
            std::thread::sleep(Duration::from_secs(1));
        }
        let (mut state, mv) = (start.clone(), start.parse_move("e2e4").unwrap());
        monteverde_game::Game::play(&mut state, mv);
        seat.play(mv);
        seat.think(&turn(&state)).unwrap().record.visits.unwrap()
    };
    assert!(visits(false) <= 1);
    assert!(visits(true) > 1);
}

/// Panics when it thinks.
struct Broken(AnyState);

impl Player<AnyState> for Broken {
    fn begin(&mut self, _: &AnyState) {}
    fn jump(&mut self, _: &AnyState) {}
    fn play(&mut self, _: AnyStep) {}
    fn settle(&mut self, _: AnyStep) {}
    fn think(&mut self, _: &Limit<AnyStep>, _: Control<'_, AnyState>) -> Report<AnyState> {
        panic!("it cannot think")
    }
    fn state(&self) -> &AnyState {
        &self.0
    }
}

#[test]
fn a_panic_in_the_opponents_time_is_a_crash_of_the_player() {
    let start = chess().start();
    let mut seat = PlayerSeat::new(Box::new(Broken(start.clone())), ClockUse::fixed(30));
    seat.begin(&start, &[], &start).unwrap();
    seat.ponder(&turn(&start));
    seat.play(start.parse_move("e2e4").unwrap());
    let failed = seat.think(&turn(&start)).unwrap_err();
    assert_eq!(
        (failed.failure, failed.detail.as_str()),
        (Failure::Crash, "it panicked: it cannot think")
    );
    // A player that still thinks when the game is over is not waited for for ever.
    let spec = Spec::read(chess(), "best:memory=16MiB").unwrap();
    let mut seat = PlayerSeat::new(spec.make(&start), ClockUse::fixed(30));
    seat.begin(&start, &[], &start).unwrap();
    seat.ponder(&turn(&start));
}

#[test]
fn who_cannot_ponder_is_refused() {
    let refused = |words: &str, pace: &str| {
        let read = Contestant::from_words(words, pace.parse().unwrap()).unwrap();
        let other = Contestant::spec("best", "time=1s".parse().unwrap());
        plan(vec![Contestant { ponder: Ponder::On, ..read }, other]).check().err()
    };
    for (words, pace, error) in [
        ("ab", "iterations=100", "'ab' is to ponder at 'iterations=100'"),
        ("best", "nodes=100", "accepted are time= and clock=, and no equal time"),
        ("uci:x", "depth=3", "'x' is to ponder at 'depth=3'"),
        ("xboard:x", "time=1s", "'x' speaks xboard, behind which engines do not ponder"),
        ("mcc", "time=1s", "'mcc' is to ponder, but begins each move with an empty tree"),
    ] {
        let said = refused(words, pace).expect("an error").to_string();
        assert!(said.contains(error), "{said}");
    }
    for words in ["best", "mcc:no-fresh", "ab", "uci:x"] {
        for pace in ["time=100ms", "clock=10s+0.1s"] {
            assert!(refused(words, pace).is_none(), "{words} {pace}");
        }
    }
}
