//! Engines that behave and engines that do not. Each is a shell script that speaks UCI.
#![cfg(unix)]

use monteverde_lab::adjudication::Adjudication;
use monteverde_lab::contest::{ContestError, ContestPlan, Format, Openings};
use monteverde_lab::contestant::{Contestant, ContestantKind, EngineSpec, Protocol};
use monteverde_lab::duration_text::DurationText;
use monteverde_lab::record::{Failure, GameRecord, GameResult};
use monteverde_lab::run::RunError;
use monteverde_lab::standings::Standings;
use monteverde_lab::store::{Store, StoreError};

/// The script of an engine that answers the handshake, and runs `on_go` when it is to move.
fn script(on_go: &str) -> String {
    format!(
        r#"while read -r word rest; do
    case "$word" in
        uci) echo "id name script"; echo "option name Hash type spin default 1"; echo uciok ;;
        isready) echo readyok ;;
        position) position="$rest" ;;
        go) {on_go} ;;
        quit) exit 0 ;;
    esac
done"#
    )
}

fn engine(name: &str, script: &str, pace: &str) -> Contestant {
    let args = vec!["-c".to_owned(), script.to_owned()];
    let patience = DurationText::ms(1500);
    let spec = EngineSpec { args, patience, ..EngineSpec::new("/bin/sh") };
    let mut contestant = Contestant::engine(spec, pace.parse().unwrap());
    contestant.name = name.to_owned();
    contestant
}

fn plan(contestants: Vec<Contestant>, games: u64) -> ContestPlan {
    ContestPlan {
        game: monteverde_games::games().game("chess").unwrap(),
        contestants,
        format: Format::Gauntlet,
        games,
        openings: Openings::Start,
        seed: 1,
        // Long games are not what these tests are about.
        adjudication: Adjudication { length: Some(10), ..Adjudication::default() },
        test: None,
        equal_time: None,
        build: "test".to_owned(),
    }
}

fn play(contestants: Vec<Contestant>, games: u64) -> Vec<GameRecord> {
    let mut store = Store::memory().unwrap();
    plan(contestants, games).hold(&mut store, 2, &mut |_, _| {}).unwrap();
    let mut records = Vec::new();
    store
        .records(None, |record| {
            records.push(record);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    records
}

fn ours() -> Contestant {
    Contestant::spec("mcc", "iterations=8".parse().unwrap())
}

/// Plays the script against a player of ours and expects the run to end by that failure, and the
/// game to count for nobody.
#[track_caller]
fn breaks(contestant: Contestant, failure: Failure) -> String {
    let mut store = Store::memory().unwrap();
    let held = plan(vec![ours(), contestant], 4).hold(&mut store, 1, &mut |_, _| {});
    let Err(ContestError::Run(RunError::Player { name, failure: found, detail })) = held else {
        panic!("{held:?}")
    };
    assert_eq!((name.as_str(), found), ("odd", failure), "{detail}");
    let (standings, _) = Standings::from_store(&store, "chess").unwrap();
    assert_eq!((standings.games(), standings.void()), (0, 1));
    let odd = standings.names().iter().position(|name| name == "odd").unwrap();
    assert_eq!(standings.failures(odd), [(failure, 1)]);
    detail
}

/// Plays the script against a player of ours and expects it to lose every game by that failure.
#[track_caller]
fn fails(script: &str, pace: &str, failure: Failure) -> String {
    let records = play(vec![ours(), engine("odd", script, pace)], 4);
    assert_eq!(records.len(), 4);
    for record in &records {
        assert_eq!(record.reason.to_string(), failure.name(), "{}", record.detail);
        let lost = if record.first == "odd" { GameResult::Second } else { GameResult::First };
        assert_eq!(record.result, lost);
    }
    records[0].detail.clone()
}

/// Captures have no mark, and a pass has the form of a move.
#[test]
fn engines_of_lines_of_action_are_spoken_to_in_its_dialect() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.txt");
    std::fs::write(&path, "c1xa3 a2-c4\n").unwrap();
    let answer = r#"case "$position" in
        "startpos moves c1a3 a2c4") echo bestmove c8a6 ;;
        "startpos moves c1a3 a2c4 c8a6 "????) echo bestmove pass ;;
        *) echo bestmove nonsense ;;
    esac"#;
    let ours = Contestant::spec("uct", "iterations=8".parse().unwrap());
    let odd = engine("odd", &script(answer), "nodes=5");
    let mut store = Store::memory().unwrap();
    let openings = Openings::File { path, plies: None };
    let plan = ContestPlan {
        game: monteverde_games::games().game("loa").unwrap(),
        openings,
        ..plan(vec![odd, ours], 1)
    };
    plan.hold(&mut store, 1, &mut |_, _| {}).unwrap();
    let mut records: Vec<GameRecord> = Vec::new();
    let keep = |record| {
        records.push(record);
        Ok::<_, StoreError>(())
    };
    store.records(None, keep).unwrap();
    assert_eq!(records[0].moves[2].text, "c8xa6");
    assert_eq!(records[0].reason.to_string(), Failure::IllegalMove.name(), "{}", records[0].detail);
}

#[test]
fn a_crash_is_a_crash() {
    let detail = breaks(engine("odd", &script("exit 3"), "nodes=5"), Failure::Crash);
    assert!(detail.contains('3'), "{detail}");
}

#[test]
fn silence_is_a_stall() {
    breaks(engine("odd", &script("sleep 1000"), "nodes=5"), Failure::Stall);
    breaks(engine("odd", &script("sleep 1000"), "time=50ms"), Failure::Stall);
}

#[test]
fn one_that_never_stops_talking_is_a_stall() {
    breaks(engine("odd", &script("yes info string on and on"), "time=50ms"), Failure::Stall);
    breaks(engine("odd", "yes id name on and on", "nodes=5"), Failure::NoStart);
    breaks(engine("odd", "yes option name X type button", "nodes=5"), Failure::NoStart);
}

#[test]
fn a_flood_of_errors_is_nobodys_business() {
    let loud = script("head -c 1000000 /dev/zero >&2; echo bestmove e2e5");
    fails(&loud, "nodes=5", Failure::IllegalMove);
}

#[test]
fn a_detail_quotes_a_little_of_what_was_written() {
    let long = script(r"head -c 50000 /dev/zero | tr '\0' x; yes ''");
    let detail = fails(&long, "nodes=5", Failure::Garbage);
    assert!(detail.chars().count() <= 501, "{} characters", detail.len());
    let move_text = script(r#"echo "bestmove $(head -c 50000 /dev/zero | tr '\0' x)""#);
    let detail = fails(&move_text, "nodes=5", Failure::Garbage);
    assert!(detail.chars().count() <= 501 && detail.ends_with('…'), "{}", detail.len());
}

#[test]
fn an_illegal_move_is_named() {
    let detail = fails(&script("echo bestmove e2e5"), "nodes=5", Failure::IllegalMove);
    assert!(detail.contains("e2e5"), "{detail}");
    fails(&script("echo 'bestmove (none)'"), "nodes=5", Failure::IllegalMove);
}

#[test]
fn nonsense_is_garbage() {
    let detail = fails(&script("echo bestmove xyzzy"), "nodes=5", Failure::Garbage);
    assert!(detail.contains("xyzzy"), "{detail}");
    fails(&script("echo bestmove"), "nodes=5", Failure::Garbage);
    fails(&script("yes nonsense"), "nodes=5", Failure::Garbage);
    fails(&script(r"head -c 200000 /dev/zero; yes"), "nodes=5", Failure::Garbage);
}

#[test]
fn a_late_move_loses_on_time() {
    // It answers the stop that follows the time limit.
    let late = script(r#"read -r word; echo "bestmove e2e4""#);
    let detail = fails(&late, "time=50ms", Failure::TimeLoss);
    assert!(detail.ends_with("50ms left"), "{detail}");
    fails(&late, "clock=100ms+10ms", Failure::TimeLoss);
}

#[test]
fn what_does_not_start_is_told_apart() {
    breaks(engine("odd", "exit 1", "nodes=5"), Failure::NoStart);
    breaks(engine("odd", "sleep 1000", "nodes=5"), Failure::NoStart);
    let mut missing = engine("odd", "", "nodes=5");
    let ContestantKind::Engine(spec) = &mut missing.kind else { panic!("an engine") };
    spec.command = "/nowhere/engine".to_owned();
    let error =
        plan(vec![ours(), missing], 2).hold(&mut Store::memory().unwrap(), 2, &mut |_, _| {});
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("the engine '/nowhere/engine' is not there"), "{error}");
    let mut unknown = engine("odd", &script(""), "nodes=5");
    let ContestantKind::Engine(spec) = &mut unknown.kind else { panic!("an engine") };
    spec.options.insert("Hsah".to_owned(), "16".to_owned());
    let detail = breaks(unknown, Failure::NoStart);
    assert_eq!(detail, "it has no option 'Hsah'; options: Hash");
}

#[test]
fn an_engine_is_restarted_after_a_failure() {
    // It notes each of its starts in a file.
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("starts");
    let text = script(r#"echo "info depth 1 score cp 12 nodes 7 pv e2e4"; echo "bestmove e2e4""#);
    let text = format!("echo start >> {}\n{text}", log.display());
    let records = play(vec![engine("fine", &text, "nodes=5"), ours()], 8);
    assert_eq!(records.len(), 8);
    // It knows one move only, so with the first move it plays that and then fails; restarts follow.
    let as_first = records.iter().find(|record| record.first == "fine").unwrap();
    let opening = &as_first.moves[0];
    assert_eq!((opening.text.as_str(), opening.centipawns), ("e2e4", Some(12)));
    assert_eq!((opening.depth, opening.iterations), (Some(1), Some(7)));
    assert_eq!(opening.pv, ["e2e4"]);
    let starts = std::fs::read_to_string(&log).unwrap().lines().count();
    assert_eq!(starts, 9, "once for its name; every game ends in a failure and has a fresh engine");
}

#[test]
fn an_engine_that_plays_well_is_started_once_a_thread() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("starts");
    // Shuffles a knight and knows its side by the number of moves.
    let shuffle = r#"set -- $position; n=$(($# < 3 ? 0 : $# - 2))
        case $((n % 4)) in
            0) echo bestmove g1f3 ;; 1) echo bestmove g8f6 ;;
            2) echo bestmove f3g1 ;; 3) echo bestmove f6g8 ;;
        esac"#;
    let text = format!("echo start >> {}\n{}", log.display(), script(shuffle));
    let twins = vec![engine("one", &text, "nodes=5"), engine("two", &text, "nodes=5")];
    let records = play(twins, 10);
    assert!(records.iter().all(|record| record.reason.to_string() == "repetition"));
    let starts = std::fs::read_to_string(&log).unwrap().lines().count();
    assert!(starts <= 5, "once for its name, and two a thread, not {starts}");
}

#[test]
fn a_relative_command_starts_where_we_are_and_runs_in_its_directory() {
    use std::os::unix::fs::PermissionsExt;
    // Tests run in the folder of their package, and this one keeps its engine below it.
    let folder = tempfile::tempdir_in("tests").unwrap();
    let program = folder.path().join("engine.sh");
    let text = script("echo \"bestmove $(cat move)\"");
    std::fs::write(&program, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::create_dir(folder.path().join("home")).unwrap();
    std::fs::write(folder.path().join("home/move"), "e2e5").unwrap();
    let here = std::env::current_dir().unwrap();
    let relative = |path: &std::path::Path| path.strip_prefix(&here).unwrap().to_owned();
    let mut contestant = engine("odd", "", "nodes=5");
    let ContestantKind::Engine(spec) = &mut contestant.kind else { panic!("an engine") };
    spec.command = relative(&program).to_str().unwrap().to_owned();
    spec.dir = Some(relative(&folder.path().join("home")).to_str().unwrap().to_owned());
    let records = play(vec![ours(), contestant], 2);
    for record in records {
        assert_eq!(record.reason.to_string(), "illegal-move", "{}", record.detail);
        assert!(record.detail.contains("e2e5"), "{}", record.detail);
    }
}

/// An engine behind xboard that plays the first moves of a game, whatever its side, by counting the
/// moves that it is told after `new`.
fn xboard(name: &str, on_go: &str) -> Contestant {
    let script = format!(
        r#"while read -r word rest; do
    case "$word" in
        protover) echo "feature myname=\"script\" ping=1 option=\"Level -spin 1 0 9\" done=1" ;;
        ping) echo "pong $rest" ;;
        new) told=0 ;;
        [a-h][1-8][a-h][1-8]) told=$((told + 1)) ;;
        go) {on_go} ;;
        quit) exit 0 ;;
    esac
done"#
    );
    let mut contestant = engine(name, &script, "depth=1");
    let ContestantKind::Engine(spec) = &mut contestant.kind else { panic!("an engine") };
    spec.protocol = Protocol::Xboard;
    spec.options.insert("level".to_owned(), "3".to_owned());
    contestant
}

#[test]
fn an_engine_behind_xboard_plays() {
    let mates = r#"echo "  2    31     1     99  f2-f3"; case $told in
        0) echo "move f2f3" ;; 1) echo "move e7e5" ;; 2) echo "move g2g4" ;; 3) echo "move d8h4" ;; esac"#;
    let records = play(vec![xboard("a", mates), xboard("b", mates)], 2);
    for record in &records {
        assert_eq!((record.reason.to_string().as_str(), record.moves.len()), ("checkmate", 4));
        assert_eq!(record.result, GameResult::Second);
        assert_eq!(record.moves[0].centipawns, Some(31));
    }
}

#[test]
fn failures_behind_xboard_are_told_apart() {
    for (on_go, failure) in [
        ("echo move e2e5; echo", Failure::IllegalMove),
        ("echo 'My move is: nonsense'", Failure::Garbage),
        ("echo resign", Failure::Garbage),
    ] {
        let records = play(vec![ours(), xboard("odd", on_go)], 2);
        for record in records {
            assert_eq!(record.reason.to_string(), failure.name(), "{on_go}: {}", record.detail);
        }
    }
    breaks(xboard("odd", "exit 3"), Failure::Crash);
    breaks(xboard("odd", ":"), Failure::Stall);
    let mut by_nodes = xboard("odd", ":");
    by_nodes.pace = "nodes=5".parse().unwrap();
    let refused = plan(vec![ours(), by_nodes], 2).check().unwrap_err().to_string();
    assert!(refused.contains("xboard, which cannot say 'nodes=5'"), "{refused}");
}

/// As GNU Chess tells its move. It was taken for chatter, and the game for a stall.
#[test]
fn a_move_with_a_blank_before_its_colon_is_a_move() {
    let mates = r#"case $told in
        0) echo "My move is : f2f3" ;; 1) echo "My move is : e7e5" ;;
        2) echo "My move is : g2g4" ;; 3) echo "My move is : d8h4" ;; esac"#;
    let records = play(vec![xboard("a", mates), xboard("b", mates)], 2);
    assert_eq!(records.len(), 2);
    for record in &records {
        assert_eq!((record.reason.to_string().as_str(), record.moves.len()), ("checkmate", 4));
    }
}

#[test]
fn an_engine_that_refuses_its_limit_does_not_play_without() {
    let odd = xboard("odd", r#"echo "Invalid move: sd 1"; sleep 1000"#);
    let detail = breaks(odd, Failure::NoStart);
    assert!(detail.contains("it does not understand 'sd 1'"), "{detail}");
}

/// A game of Chess960 in which White castles at once, if it is told how that is written.
fn chess960_game(on_start: &str, answer: &str) -> Vec<GameRecord> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.epd");
    std::fs::write(&path, "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/1NRBKR1N w CFcf -\n").unwrap();
    let text = script(answer).replace("uci) ", &format!("uci) {on_start}; "));
    let text = text.replace(
        "isready)",
        r#"setoption) case "$rest" in *UCI_Chess960*true) is960=1 ;; *UCI_Chess960*) is960= ;; esac ;;
        isready)"#,
    );
    let mut store = Store::memory().unwrap();
    let plan = ContestPlan {
        openings: Openings::File { path, plies: None },
        ..plan(vec![engine("odd", &text, "nodes=5"), ours()], 2)
    };
    plan.hold(&mut store, 1, &mut |_, _| {}).unwrap();
    let mut records = Vec::new();
    store
        .records(None, |record| {
            records.push(record);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    records
}

/// Such engines forfeited: nobody told them which castling is meant.
#[test]
fn engines_are_told_that_chess960_is_played() {
    let has = r#"echo "option name UCI_Chess960 type check default false""#;
    // Not told, it says nothing that could be a move.
    let answer = r#"case "$is960" in 1) echo bestmove e1f1 ;; *) echo bestmove xyzzy ;; esac"#;
    let records = chess960_game(has, answer);
    let first = records.iter().find(|record| record.first == "odd").unwrap();
    assert_eq!(first.moves[0].text, "e1f1", "{}", first.detail);
}

/// As GNU Chess: what it is told in quick succession it notices only at a later line.
#[test]
fn an_engine_that_sleeps_over_its_lines_is_woken() {
    let odd = xboard("odd", r#"read -r word; read -r word; echo "move e2e5""#);
    let mut contestant = odd.clone();
    let ContestantKind::Engine(spec) = &mut contestant.kind else { panic!("an engine") };
    // It answers neither its greeting nor 'go' before it has heard something more.
    let text = spec.args[1].replace("protover) echo", "protover) read -r word; echo");
    spec.args[1] = text;
    let records = play(vec![contestant, ours()], 2);
    assert_eq!(records.len(), 2);
    for record in &records {
        assert_eq!(record.reason.to_string(), Failure::IllegalMove.name(), "{}", record.detail);
    }
}
