//! The laboratory through the program itself: resumed after a kill, the same on any number of
//! threads, and never brought down by an engine.
#![allow(clippy::print_stderr)] // a note where another program is missing

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn program(words: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("monteverde"));
    // Games for which no store is named are not to be kept among the user's.
    command.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.args(words);
    command
}

#[track_caller]
fn done(words: &[&str]) -> Output {
    let output = program(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {said}");
    output
}

#[track_caller]
fn refused(words: &[&str], sentence: &str) {
    let output = program(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert!(said.contains(sentence), "{said}");
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder with a store in it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

/// The moves of every game by its key.
fn games(store: &str) -> BTreeMap<String, Vec<String>> {
    let output = done(&["export", "--store", store, "--format", "jsonl"]);
    let mut games = BTreeMap::new();
    for line in stdout(&output).lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let moves = record["moves"].as_array().unwrap();
        let texts = moves.iter().map(|step| step["text"].as_str().unwrap().to_owned());
        let again = games.insert(record["key"].as_str().unwrap().to_owned(), texts.collect());
        assert_eq!(again, None, "no game twice");
    }
    games
}

#[test]
fn the_second_run_plays_nothing_and_prints_the_same() {
    let place = Place::new();
    let store = place.text("a.db");
    let words = ["match", "mcc", "mcc", "--games", "4", "--iterations", "20", "--seed", "7"];
    let words = [&words[..], &["--max-plies", "30", "--store", &store]].concat();
    let first = done(&words);
    assert!(stderr(&first).contains("played 4 games"), "{}", stderr(&first));
    let second = done(&words);
    assert!(stderr(&second).contains("played 0 games"), "{}", stderr(&second));
    assert!(stderr(&second).contains("4 were in the store"));
    assert_eq!(stdout(&first), stdout(&second));
    assert!(stdout(&first).contains("against mcc #2"), "{}", stdout(&first));
}

#[test]
fn a_killed_run_goes_on() {
    let place = Place::new();
    let [killed, whole] = [place.text("killed.db"), place.text("whole.db")];
    let words = |store| {
        let words = ["match", "uct", "uct:c=0.5", "--game", "tic-tac-toe", "--games", "400"];
        [&words[..], &["--iterations", "2000", "--concurrency", "2", "--store", store]].concat()
    };
    let mut run =
        program(&words(&killed)).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    // As soon as there are some games; on a machine so fast that it has finished, nothing is
    // killed.
    while run.try_wait().unwrap().is_none() && stored(&killed) < 10 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let before = games(&killed);
    assert!(before.len() >= 10);
    let resumed = done(&words(&killed));
    let after = games(&killed);
    assert_eq!(after.len(), 400);
    assert!(before.iter().all(|(key, moves)| after.get(key) == Some(moves)));
    let at_once = done(&words(&whole));
    assert_eq!(games(&whole), after);
    assert_eq!(stdout(&resumed), stdout(&at_once));
}

fn stored(store: &str) -> usize {
    if !Path::new(store).exists() {
        return 0;
    }
    let output = program(&["export", "--store", store, "--format", "jsonl"]).output().unwrap();
    output.stdout.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn the_number_of_threads_changes_no_game() {
    let place = Place::new();
    let [one, two] = ["1", "2"].map(|concurrency| {
        let store = place.text(concurrency);
        let words = ["match", "mcc", "mcc:c=0.5", "--games", "6", "--iterations", "20"];
        let more = ["--random-plies", "4", "--max-plies", "40", "--concurrency", concurrency];
        let output = done(&[&words[..], &more, &["--store", &store]].concat());
        (stdout(&output), games(&store))
    });
    assert_eq!(one, two);
}

#[test]
fn two_runs_on_one_store_are_refused() {
    let place = Place::new();
    let store = place.text("a.db");
    let words =
        ["match", "mcc", "mcc", "--games", "1000", "--iterations", "1000", "--store", &store];
    let mut first = program(&words).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    while !place.path("a.db").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    refused(&words, "another run is writing into");
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn json_speaks_for_the_first_player() {
    let words = ["match", "uct:c=0.7", "uct", "--game", "tic-tac-toe", "--games", "40"];
    let more = ["--pace-a", "iterations=300", "--pace-b", "iterations=1", "--json"];
    let output = done(&[&words[..], &more].concat());
    let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((document["a"].as_str(), document["b"].as_str()), (Some("uct:c=0.7"), Some("uct")));
    let count = |key: &str| document[key].as_u64().unwrap();
    assert_eq!(count("games"), 40);
    assert_eq!(count("wins") + count("draws") + count("losses"), 40);
    assert!(document["score"].as_f64().unwrap() > 0.7, "{document:#}");
    assert!(document["los"].as_f64().unwrap() > 0.99);
    assert!(document["elo_ci95"][0].as_f64().unwrap() > 0.0);
    assert_eq!(document["score_ci95"].as_array().unwrap().len(), 2);
}

#[test]
fn a_sequential_test_ends_the_match() {
    let words = ["match", "uct", "uct", "--game", "tic-tac-toe", "--games", "100k"];
    let more = ["--pace-a", "iterations=300", "--pace-b", "iterations=1", "--sprt", "-10,100"];
    let output = done(&[&words[..], &more, &["--json"]].concat());
    let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(document["sprt"]["decision"].as_str(), Some("accept-h1"));
    assert!(document["games"].as_u64().unwrap() < 2000);
}

#[test]
fn speeds_are_measured_once_and_shown() {
    let place = Place::new();
    let store = place.text("a.db");
    let words = ["match", "uct", "uct:c=0.5", "--game", "tic-tac-toe", "--games", "6"];
    let more = ["--equal-time", "30", "--resign", "2,0.99", "--store", &store, "--json"];
    let words = [&words[..], &more].concat();
    let first = done(&words);
    let document: Value = serde_json::from_str(&stdout(&first)).unwrap();
    let players = document["calibration"]["players"].as_array().unwrap();
    assert_eq!(players[0]["iterations"].as_u64(), Some(30));
    assert!(players[1]["per_second"].as_f64().unwrap() > 0.0);
    let second = done(&words);
    assert!(stderr(&second).contains("played 0 games"), "{}", stderr(&second));
    assert_eq!(stdout(&first), stdout(&second));
}

/// It was a table for people, which no script can read.
#[test]
fn speeds_alone_are_one_document() {
    let place = Place::new();
    let (store, file) = (place.text("a.db"), place.text("t.toml"));
    let text = "game = 'tic-tac-toe'\nformat = 'round-robin'\ngames = 2\n\
                equal-time = { reference = 'uct', iterations = 30 }\n\
                player = [{ spec = 'uct' }, { spec = 'uct:c=0.5' }]\n";
    std::fs::write(&file, text).unwrap();
    let words = ["match", "uct", "uct:c=0.5", "--game", "tic-tac-toe", "--games", "2"];
    let words = [&words[..], &["--equal-time", "30"]].concat();
    for words in [&words[..], &["tournament", &file]] {
        let more = ["--calibrate", "--store", &store, "--json"];
        let output = done(&[words, &more].concat());
        let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let players = document["calibration"]["players"].as_array().unwrap();
        assert_eq!(players[0]["iterations"].as_u64(), Some(30));
        assert_eq!(players.len(), 2);
    }
}

#[test]
fn a_suite_is_solved() {
    let place = Place::new();
    let suite = place.text("mates.epd");
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm #1; id \"back rank\";";
    std::fs::write(&suite, format!("{mate}\n{}\n", mate.replace("#1", "#2"))).unwrap();
    let words = ["solve", "--suite", &suite, "--nodes", "2000"];
    let output = done(&[&words[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((document["positions"].as_u64(), document["solved"].as_u64()), (Some(2), Some(1)));
    let item = &document["items"][0];
    assert_eq!((item["id"].as_str(), item["proof"].as_str()), (Some("back rank"), Some("win")));
    assert!(item["iterations"].as_u64() <= Some(2000) && item["seconds"].is_f64());
    // A mate that is shorter than the stated one contradicts it.
    let table = stdout(&done(&words));
    assert!(table.contains("mate in 2") && table.contains("contradicted: back rank"), "{table}");
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let place = Place::new();
    let text = place.text("notes.txt");
    std::fs::write(&text, "these are notes, and no store of games").unwrap();
    let base = ["match", "mcc", "mcc", "--games", "2"];
    let with = |words: &[&'static str]| [&base[..], words].concat();
    refused(&base, "accepted are --iterations, --time, --pace or --equal-time");
    refused(&with(&["--iterations", "5", "--resign", "0,0.5"]), "--resign: '0,0.5' is no rule");
    refused(&["match", "mcc", "uci:gnuchess", "--games", "2", "--equal-time", "5"], "--pace-b");
    refused(&["solve", "--suite", "/nowhere.epd"], "cannot be read");
    refused(&with(&["--pace", "iteration=5"]), "perhaps 'iterations'?");
    refused(&with(&["--iterations", "5", "--sprt", "5,0"]), "elo0 < elo1 is needed");
    refused(&with(&["--iterations", "5", "--openings", "/nowhere.pgn"]), "cannot be read");
    refused(&with(&["--iterations", "5", "--game", "ches"]), "perhaps 'chess'?");
    refused(&["match", "mc", "mcc", "--games", "2", "--iterations", "5"], "perhaps 'mcc'?");
    refused(
        &[&with(&["--iterations", "5", "--store"])[..], &[&text]].concat(),
        "is no store of games",
    );
    refused(&["export", "--store", "/nowhere.db", "--format", "pgn"], "there is no store at");
    let store = place.text("a.db");
    done(&["playouts", "--game", "tic-tac-toe", "--count", "1", "--store", &store]);
    let export = ["export", "--store", &store, "--format", "text", "--game"];
    refused(&[&export[..], &["tictactoe"]].concat(), "perhaps 'tic-tac-toe'?");
    done(&[&export[..], &["tic-tac-toe"]].concat());
    let other = place.text("b.db");
    for [option, value] in [["--scale", "quick"], ["--dir", "foo"]] {
        let words = ["import", &store, "--store", &other, option, value];
        refused(&words, "the argument '--store <FILE>' cannot be used with");
    }
    let file = place.text("bad.toml");
    std::fs::write(&file, "gmae = 'chess'").unwrap();
    refused(&["tournament", &file], "perhaps 'game'?");
    refused(&["tournament", "/nowhere.toml"], "/nowhere.toml");
}

/// A shell script that speaks UCI and runs `on_go` when it is to move.
#[cfg(unix)]
fn script(on_go: &str) -> String {
    format!(
        r#"while read -r word rest; do case "$word" in
            uci) echo uciok ;; isready) echo readyok ;; go) {on_go} ;; quit) exit ;;
        esac; done"#
    )
}

#[test]
#[cfg(unix)]
fn a_gauntlet_counts_every_failure_as_what_it_was() {
    let place = Place::new();
    let mut file = "game = 'chess'\nformat = 'gauntlet'\ngames = 2\npace = 'iterations=10'\n\
                    [adjudication]\nlength = 20\n[[player]]\nspec = 'mcc'\n"
        .to_owned();
    // In its second game, so that the run goes on: in the first it loses by the rules.
    let once = |name: &str, failure: &str| {
        let count = place.text(&format!("{name}.count"));
        let begins = format!("echo >> {count}; [ $(wc -l < {count}) = 2 ] && {failure}");
        script(&format!("{begins}; echo bestmove a1a8"))
    };
    let odd = [
        ("crash", once("crash", "exit 1"), "crash 1, illegal-move 1"),
        ("stall", once("stall", "sleep 1000"), "stall 1, illegal-move 1"),
        ("illegal", script("echo bestmove a1a8"), "illegal-move 2"),
        ("garbage", script("echo bestmove hello"), "garbage 2"),
    ];
    for (name, script, _) in &odd {
        file += &format!(
            "[[player]]\nname = 'odd {name}'\ncommand = '/bin/sh'\npatience = '500ms'\n\
             args = ['-c', '''{script}''']\n"
        );
    }
    std::fs::write(place.path("g.toml"), file).unwrap();
    let [toml, store] = [place.text("g.toml"), place.text("g.db")];
    let words = ["tournament", &toml, "--store", &store, "--concurrency", "1"];
    let table = stdout(&done(&words));
    for (name, _, failures) in &odd {
        assert!(table.contains(&format!("odd {name} failed: {failures}")), "{table}");
    }
    assert!(table.contains("2 more games count for nobody"), "{table}");
    assert!(table.contains("endings: garbage 2, illegal-move 4\n"), "{table}");
    let pgn = stdout(&done(&["export", "--store", &store, "--format", "pgn"]));
    let read: Vec<_> = monteverde_chess::pgn::parse(&pgn).collect::<Result<_, _>>().unwrap();
    assert_eq!((read.len(), pgn.matches("[Result \"*\"]").count()), (8, 2));
    // The next run plays those two again, and nothing else.
    let again = done(&[&words[..], &["--json"]].concat());
    assert!(stderr(&again).contains("played 2 games"), "{}", stderr(&again));
    let document: Value = serde_json::from_str(&stdout(&again)).unwrap();
    assert_eq!(document["players"].as_array().unwrap().len(), 5);
    assert_eq!(document["players"][0]["name"].as_str(), Some("mcc"));
    assert_eq!(document["players"][0]["wins"].as_u64(), Some(8));
    assert_eq!(document["void"].as_u64(), Some(0));
}

#[test]
fn limits_of_nothing_are_refused() {
    let words = ["match", "uct", "uct", "--game", "tic-tac-toe", "--games", "2"];
    refused(&[&words[..], &["--time", "0s"]].concat(), "accepted are times from 1ms");
    refused(&[&words[..], &["--time", "soon"]].concat(), "is no length of time");
    let words = [&words[..], &["--iterations", "5"]].concat();
    refused(&[&words[..], &["--max-plies", "0"]].concat(), "is not in 1..");
}

/// Reads PGN from standard input and fails unless every game ends as its tags say.
const READER: &str = r#"
import sys, chess.pgn
count = 0
while (game := chess.pgn.read_game(sys.stdin)) is not None:
    assert not game.errors, game.errors
    board, reason, result = game.end().board(), game.headers["Reason"], game.headers["Result"]
    ends = {
        "checkmate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "insufficient-material": board.is_insufficient_material(),
        "fifty-moves": board.is_fifty_moves(),
        "repetition": board.is_repetition(3),
        "adjudicated-length": not board.is_game_over(),
    }
    assert ends[reason], (reason, board.fen())
    winner = board.outcome().winner if reason == "checkmate" else None
    assert result == {True: "1-0", False: "0-1", None: "1/2-1/2"}[winner], (reason, result)
    assert int(game.headers["PlyCount"]) == len(list(game.mainline_moves()))
    for node in game.mainline():
        assert node.comment == "opening" or node.emt() is not None, node.comment
    count += 1
print(count)
"#;

#[test]
fn another_program_reads_our_pgn() {
    let place = Place::new();
    let store = place.text("a.db");
    let words = ["match", "mcc", "mcc:c=0.5", "--games", "10", "--iterations", "15"];
    done(&[&words[..], &["--random-plies", "3", "--max-plies", "300", "--store", &store]].concat());
    let pgn = stdout(&done(&["export", "--store", &store, "--format", "pgn"]));
    let read: Vec<_> = monteverde_chess::pgn::parse(&pgn).collect::<Result<_, _>>().unwrap();
    assert_eq!(read.len(), 10);
    let found = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        eprintln!("note: python-chess is not here, so only our own reader read the games");
        return;
    }
    std::fs::write(place.path("a.pgn"), pgn).unwrap();
    let file = std::fs::File::open(place.path("a.pgn")).unwrap();
    let output = Command::new("python3").args(["-c", READER]).stdin(file).output().unwrap();
    assert_eq!(stdout(&output).trim(), "10", "{}", stderr(&output));
}

/// Openings of moves, both colours, and this very program as an engine behind UCI.
#[test]
fn lines_of_action_is_played_against_an_engine() {
    let place = Place::new();
    let book = place.path("book.txt");
    std::fs::write(&book, "e8-g6 h7-f7 g8-g5   # 51 games\nc1xa3 a2-c4\n").unwrap();
    let engine = format!("uci:{} uci --game loa", cargo_bin("monteverde").display());
    let output = done(&[
        "match",
        "uct",
        &engine,
        "--game",
        "loa",
        "--games",
        "4",
        "--iterations",
        "30",
        "--openings",
        book.to_str().unwrap(),
        "--json",
    ]);
    let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(document["games"], 4);
    let points = ["wins", "draws", "losses"].map(|key| document[key].as_u64().unwrap());
    assert_eq!(points.iter().sum::<u64>(), 4);
    refused(
        &["match", "uct", "xboard:gnuchess", "--game", "loa", "--games", "2", "--time", "10ms"],
        "cannot play loa",
    );
}
