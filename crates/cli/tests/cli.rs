//! The program from outside: outputs, exit codes, messages.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

const KRK: &str = "8/8/8/3k4/8/8/8/4K2R w - - 0 1";

fn monteverde(args: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("monteverde");
    command.args(args);
    command
}

/// Runs it, and gives back what it wrote to standard output.
fn stdout(args: &[&str]) -> String {
    let output = monteverde(args).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

/// Runs it with `--json`: standard output is one document.
fn json(args: &[&str]) -> Value {
    let text = stdout(&[args, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error} in {text}"))
}

/// Runs it on bad input: exit code 2, nothing on standard output, and every part in the message.
fn refused(args: &[&str], parts: &[&str]) {
    let output = monteverde(args).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert!(output.stdout.is_empty(), "{args:?} writes to standard output");
    for part in parts {
        assert!(said.contains(part), "{args:?} does not say '{part}': {said}");
    }
    assert!(!said.contains("panicked"), "{args:?}: {said}");
}

fn keys(document: &Value, keys: &[&str]) {
    for key in keys {
        assert!(document.get(key).is_some(), "no '{key}' in {document}");
    }
}

#[test]
fn help_shows_what_can_be_done() {
    let text = stdout(&["--help"]);
    for command in [
        "serve",
        "uci",
        "tcga",
        "search",
        "players",
        "playouts",
        "tablebase",
        "perft",
        "bench",
        "completions",
        "man",
    ] {
        assert!(text.contains(&format!("monteverde {command}")), "{command}");
    }
}

/// The page is what a newcomer sees first.
#[test]
fn without_arguments_it_serves_the_page_where_it_says() {
    let mut server = std::process::Command::new(assert_cmd::cargo::cargo_bin!("monteverde"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let said = server.stdout.take().expect("a pipe");
    let read = BufReader::new(said).read_line(&mut line);
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
    let page = address.map(|address| get(address).expect("it answers"));
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    read.expect("it writes");
    let (address, page) = (address.expect("an address"), page.expect("an address"));
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("<title>Monteverde"), "{page}");
}

/// What the server answers when asked for its first page.
fn get(address: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in ["uci", "perft", "players", "playouts", "search", "bench", "completions", "man"]
    {
        let text = stdout(&[command, "--help"]);
        assert!(text.contains("Usage: monteverde"), "{command}: {text}");
        assert!(text.contains("Example"), "{command}: {text}");
    }
    assert!(stdout(&["--version"]).starts_with("monteverde "));
}

#[test]
fn perft_prints_the_number_alone() {
    assert_eq!(stdout(&["perft", "--depth", "4"]), "197281\n");
    assert_eq!(stdout(&["perft", "--game", "chess", "--depth", "0"]), "1\n");
    assert_eq!(stdout(&["perft", "--game", "tic-tac-toe", "--depth", "9"]), "127872\n");
    assert_eq!(stdout(&["perft", "--game", "tic-tac-toe", "--depth", "99"]), "0\n");
    assert_eq!(stdout(&["perft", "--game", "dice-race", "--depth", "2"]), "5\n");
    assert_eq!(stdout(&["perft", "--game", "loa", "--depth", "4"]), "1563208\n");
    let rules = "xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b nomove=loss";
    assert_eq!(stdout(&["perft", "--game", "loa", "--depth", "1", "--state", rules]), "0\n");
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(stdout(&["perft", "--depth", "3", "--state", kiwipete]), "97862\n");
}

#[test]
fn perft_divides_by_the_first_move() {
    let text = stdout(&["perft", "--depth", "3", "--divide"]);
    let (moves, total) = text.trim_end().rsplit_once('\n').expect("several lines");
    assert_eq!(total, "8902");
    assert_eq!(moves.lines().count(), 20);
    let sum: u64 = moves
        .lines()
        .map(|line| line.split_once(": ").expect("a move and its count").1.parse::<u64>().unwrap())
        .sum();
    assert_eq!(sum, 8902);
    assert!(moves.lines().any(|line| line == "e2e4: 600"));
    // Events of chance are steps too.
    let text = stdout(&["perft", "--game", "dice-race", "--depth", "2", "--divide"]);
    assert_eq!(text, "step: 2\nthrow: 3\n5\n");
}

#[test]
fn perft_speaks_json() {
    let document = json(&["perft", "--depth", "3", "--divide"]);
    assert_eq!(document["nodes"], 8902);
    assert_eq!(document["moves"].as_array().map(Vec::len), Some(20));
}

#[test]
fn players_are_listed_with_every_setting() {
    let text = stdout(&["players"]);
    for part in
        ["mcc", "uct", "loa", "tic-tac-toe", "dice-race", "threads", "memory", "fraction", "choose"]
    {
        assert!(text.contains(part), "{part}");
    }
    let text = stdout(&["players", "--game", "dice-race"]);
    assert!(!text.contains("Players of chess"));
    let document = json(&["players", "--game", "chess"]);
    assert_eq!(document["games"].as_array().map(Vec::len), Some(1));
    let player = &document["games"][0]["players"][0];
    assert_eq!(player["name"], "mcc");
    assert_eq!(player["settings"]["uct"], "ucb1");
    assert_eq!(player["settings"]["c"], "1");
    for setting in document["settings"].as_array().expect("a list") {
        keys(setting, &["name", "meaning", "accepts", "default", "needs"]);
        assert!(setting["default"].is_string(), "{setting}");
    }
}

const PLAYOUTS: [&str; 7] =
    ["count", "mean_plies", "first", "draw", "second", "endings", "per_second"];

#[test]
fn playouts_from_the_start_look_like_random_chess() {
    let document = json(&["playouts", "--count", "4000", "--seed", "1"]);
    keys(&document, &PLAYOUTS);
    assert_eq!(document["count"], 4000);
    let number = |key: &str| document[key].as_f64().expect("a number");
    // Of 602,000 random games: 342.8 plies; White mates in 7.6 %, Black in 7.7 %. Within twice our
    // 95 % interval.
    for (key, expected) in [("mean_plies", 342.8), ("first", 0.076), ("second", 0.077)] {
        let high = document[format!("{key}_ci95")][1].as_f64().expect("the upper end");
        let error = high - number(key);
        assert!(error > 0.0 && (number(key) - expected).abs() < 2.0 * error, "{key}: {document}");
    }
    assert!((number("first") + number("draw") + number("second") - 1.0).abs() < 1e-9);
    let endings = document["endings"].as_object().expect("counts by name");
    assert_eq!(endings.values().map(|count| count.as_u64().expect("a count")).sum::<u64>(), 4000);
    assert!(endings.contains_key("checkmate") && endings.contains_key("stalemate"));
}

#[test]
fn playouts_depend_on_the_seed_and_not_on_the_threads() {
    let args = ["playouts", "--state", KRK, "--count", "1000", "--seed"];
    let with = |seed, threads| stdout(&[&args[..], &[seed, "--threads", threads]].concat());
    let one = with("5", "1");
    assert_eq!(one, with("5", "1"));
    assert_eq!(one, with("5", "3"));
    assert_ne!(one.replace("seed=5", ""), with("6", "1").replace("seed=6", ""));
}

#[test]
fn a_spec_may_carry_the_seed() {
    let with = |extra: &[&str]| {
        stdout(&[&["playouts", "--game", "dice-race", "--count", "500"], extra].concat())
    };
    assert_eq!(with(&["--player", "uct:seed=9"]), with(&["--seed", "9"]));
}

const SEARCH: [&str; 8] =
    ["best", "iterations", "seconds", "per_second", "tree_bytes", "proof", "moves", "pv"];

#[test]
fn a_search_speaks_json() {
    let document = json(&["search", "--state", KRK, "--iterations", "3000", "--seed", "2"]);
    keys(&document, &SEARCH);
    assert_eq!(document["iterations"], 3000);
    let moves = document["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 14);
    let mut visits = 0;
    for entry in moves {
        keys(entry, &["move", "visits", "mean", "prior", "proof"]);
        visits += entry["visits"].as_u64().expect("a count");
        assert!(entry["mean"].as_f64().is_some_and(|mean| (-1.0..=1.0).contains(&mean)), "{entry}");
        assert_eq!(entry["proof"], "open");
    }
    assert_eq!(visits, 3000);
    assert_eq!(document["pv"][0], document["best"]);
}

/// What chance decides is not proven, but its value may be known all the same.
#[test]
fn a_search_tells_what_values_lie_in() {
    let search = |state: &str| {
        let player = "dark-knight:solver=draws";
        let command = ["search", "--game", "banqi", "--player", player, "--state", state];
        json(&[&command[..], &["--iterations", "100k"]].concat())
    };
    let document = search("XX/XX - GCgc 0");
    assert_eq!(document["proof"], "open");
    for key in ["low", "mean", "high"] {
        let value = document[key].as_f64().expect("a number");
        assert!((value + 1.0 / 3.0).abs() < 1e-6, "{key}: {value}");
    }
    assert!(document["moves"][0]["low"].is_f64());
    let document = json(&["search", "--state", KRK, "--iterations", "100"]);
    assert!(document["low"].is_null() && document["moves"][0]["high"].is_null());
}

#[test]
fn a_search_finds_a_mate_and_proves_it() {
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let document = json(&["search", "--state", mate, "--iterations", "5k"]);
    assert_eq!(document["best"], "a1a8");
    assert_eq!(document["proof"], "win");
    assert_eq!(document["plies"], 1);
}

#[test]
fn the_same_seed_prints_the_same_table() {
    let with = |seed: &str| stdout(&["search", "--iterations", "2_000", "--seed", seed]);
    assert_eq!(with("7"), with("7"));
    assert_ne!(with("7").replace("seed=7", ""), with("8").replace("seed=8", ""));
    let text = with("7");
    for part in ["mcc:seed=7", "visits", "iterations 2,000", "e2e4", "branching"] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn a_search_ends_in_time() {
    let document = json(&["search", "--time", "150ms", "--threads", "2"]);
    let seconds = document["seconds"].as_f64().expect("a number");
    assert!(seconds >= 0.15, "{seconds}");
    assert!(document["iterations"].as_u64().is_some_and(|iterations| iterations > 0));
    let both = json(&["search", "--time", "60s", "--iterations", "100"]);
    assert_eq!(both["iterations"], 100);
}

#[test]
fn other_games_are_searched_too() {
    let win = ["search", "--game", "tic-tac-toe", "--state", "xx. oo. ...", "--iterations", "1k"];
    assert_eq!(json(&win)["best"], "c3");
    let text = stdout(&["search", "--game", "dice-race", "--iterations", "1k"]);
    assert!(text.contains("throw"), "{text}");
}

#[test]
fn a_state_without_moves_is_no_error() {
    let over = ["search", "--game", "tic-tac-toe", "--state", "xxx oo. ...", "--iterations", "10"];
    assert_eq!(json(&over)["best"], Value::Null);
    assert!(stdout(&over).contains("the game is over"));
    let chance = ["search", "--game", "dice-race", "--state", "0 0 first throws"];
    let text = stdout(&[&chance[..], &["--iterations", "10"]].concat());
    assert!(text.contains("chance decides next"), "{text}");
}

#[test]
fn bad_input_is_refused_with_what_is_accepted() {
    let search = |rest: &[&'static str]| [&["search", "--iterations", "10"], rest].concat();
    refused(&["sarch"], &["sarch", "search"]);
    refused(&["search"], &["--iterations", "--time"]);
    for command in ["search --iterations 10", "perft --depth 1", "playouts", "players"] {
        let args: Vec<&str> = command.split(' ').chain(["--game", "ches"]).collect();
        refused(&args, &["no game 'ches'", "perhaps 'chess'", "tic-tac-toe"]);
    }
    refused(&search(&["--state", "8/8/8/8/8/8/8/8 w - - 0 1"]), &["--state: "]);
    refused(&search(&["--state", "ζ"]), &["--state: ", "FEN"]);
    refused(&search(&["--game", "dice-race", "--state", "0 11 first"]), &["0 to 10"]);
    refused(&search(&["--player", "mcd"]), &["no player 'mcd'", "perhaps 'mcc'"]);
    refused(&search(&["--player", ""]), &["empty", "mcc"]);
    refused(&search(&["--player", "mcc:thread=2"]), &["'thread'", "perhaps 'threads'", "memory"]);
    refused(&search(&["--player", "mcc:c=1001"]), &["'1001'", "from 0 to 1000"]);
    refused(&search(&["--threads", "0"]), &["--threads", "from 1 to 1024"]);
    refused(&search(&["--threads", "-1"]), &["--threads", "from 1 to 1024"]);
    refused(&search(&["--seed", "x"]), &["--seed", "whole number from 0"]);
    for count in ["0", "-3", "1.5", "many", "5000000000"] {
        refused(&["search", "--iterations", count], &["--iterations", "is accepted"]);
        refused(&["playouts", "--count", count], &["--count", "is accepted"]);
    }
    for time in ["0s", "5", "1x", "-1s"] {
        refused(&["search", &format!("--time={time}")], &["--time", "500ms", "is accepted"]);
    }
    refused(&["playouts", "--threads", "0"], &["--threads"]);
    let over = ["playouts", "--game", "tic-tac-toe", "--state", "xxx oo. ..."];
    refused(&over, &["--state: ", "the game is over there"]);
    refused(&["perft", "--depth", "100"], &["--depth", "from 0 to 99"]);
    refused(&["perft"], &["--depth"]);
    refused(&["uci", "--game", "dice-race"], &["'dice-race'", "chess, loa"]);
    refused(&["completions", "cmd.exe"], &["bash"]);
}

#[test]
fn an_option_of_another_game_is_refused() {
    let records = ["tune", "--game", "chess", "--records", "a.jsonl", "--newest"];
    refused(&records, &["--records: 'tune --game chess' has no such option; loa has"]);
    refused(&["tune", "--non-negative"], &["--non-negative: 'tune --game chess'", "loa has"]);
    for option in ["--positions", "--rounds", "--depth", "--games", "--seed"] {
        let args = ["tune", "--game", "loa", "--records", "a.jsonl", option, "1"];
        refused(&args, &[option, "'tune --game loa' has no such option; chess has"]);
    }
}

#[test]
fn loa_is_not_tuned_on_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = folder.path().join("records.jsonl");
    let out = folder.path().join("weights.rs");
    let files = [&records, &out].map(|path| path.to_str().expect("a path in UTF-8"));
    let args = ["tune", "--game", "loa", "--records", files[0], "--out", files[1]];
    std::fs::write(&records, "").expect("the folder is ours");
    refused(&args, &["--records", "there are no games"]);
    std::fs::write(&records, "{\"moves\": [], \"result\": null}\n").expect("the folder is ours");
    refused(&args, &["--records", "nothing to fit"]);
    assert!(!out.exists());
}

#[test]
fn where_nothing_can_be_written_nothing_is_worked_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path in UTF-8").to_owned();
    let (file, records, nowhere) = (path("c.toml"), path("a.jsonl"), path("nowhere/x.rs"));
    let chess = ["tune", "--positions", "100", "--rounds", "0", "--games", "1", "--out", &nowhere];
    refused(&chess, &["--out", "nowhere/x.rs"]);
    std::fs::write(&records, "{\"moves\": [], \"result\": null}\n").expect("the folder is ours");
    let loa = ["tune", "--game", "loa", "--records", &records, "--out", &nowhere];
    refused(&loa, &["--out", "nowhere/x.rs"]);
    let sweep = "title = 'a'\ngame = 'tic-tac-toe'\nkind = 'match'\nplayer = 'uct'\nopponent = 'uct'\n\
                 pace = 'iterations=20'\ngames = 4\n[grid]\nc = [0.5, 1]\n";
    std::fs::write(&file, sweep).expect("the folder is ours");
    let store = path("a.db");
    refused(&["sweep", &file, "--store", &store, "--out", &records], &["--out", "a.jsonl"]);
    assert!(!std::path::Path::new(&store).exists());
}

#[test]
fn a_server_is_refused_a_lab_or_a_name_that_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let lab = folder.path().to_str().expect("a path in UTF-8");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("the folder is ours");
    let file = file.to_str().expect("a path in UTF-8");
    refused(&["serve", "--lab", file], &["--lab", "is no folder"]);
    refused(&["serve", "--lab", &format!("{lab}/nope")], &["--lab", "does not exist"]);
    for name in ["a b", "", "lab.example:80", "http://lab.example", "a..b", "ä.example"] {
        refused(&["serve", "--lab", lab, "--allow", name], &["--allow", "such as lab.example"]);
    }
}

#[test]
fn a_failure_at_work_is_code_1() {
    monteverde(&["man", "--dir", "/dev/null/man"]).assert().code(1);
}

#[test]
fn a_closed_pipe_is_no_failure() {
    for args in [&["players"][..], &["--help"], &["search", "--iterations", "10"], &["man"]] {
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("monteverde"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
        assert!(!said.contains("panicked") && !said.contains("error"), "{args:?}: {said}");
    }
}

#[test]
fn the_signature_is_the_same_each_time() {
    let lines = stdout(&["bench", "--signature"]);
    assert_eq!(lines, monteverde_games::SIGNATURE);
    let is_hash = |text: &str| text.len() == 16 && text.chars().all(|c| c.is_ascii_hexdigit());
    for line in lines.lines() {
        let words: Vec<_> = line.split(' ').collect();
        assert!(words.len() == 3 && is_hash(words[2]), "{line}");
    }
    let document = json(&["bench"]);
    let all = monteverde_players::signature::hash(&lines);
    assert_eq!(document["signature"], format!("{all:016x}"));
    for key in ["perft_per_second", "plies_per_second", "iterations_per_second"] {
        assert!(document[key].as_f64().is_some_and(|speed| speed > 0.0), "{document}");
    }
}

#[test]
fn uci_answers() {
    for game in ["chess", "loa"] {
        let engine = &["uci", "--game", game];
        let output = monteverde(engine).write_stdin("uci\nisready\ngo nodes 100\n").output();
        let output = output.expect("it starts");
        let text = String::from_utf8(output.stdout).expect("it writes UTF-8");
        for line in ["uciok", "readyok", "bestmove "] {
            assert!(text.lines().any(|given| given.starts_with(line)), "{line}: {text}");
        }
    }
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(stdout(&["completions", shell]).contains("monteverde"), "{shell}");
    }
    assert!(stdout(&["man"]).starts_with(".ie"));
    let dir = std::env::temp_dir().join(format!("monteverde-man-{}", std::process::id()));
    stdout(&["man", "--dir", dir.to_str().expect("a path in UTF-8")]);
    let page = std::fs::read_to_string(dir.join("monteverde-search.1")).expect("a page");
    assert!(page.contains("iterations"));
    std::fs::remove_dir_all(dir).expect("it was made here");
}

#[test]
fn tcga_answers() {
    let lines = "1 name\n7 reset_board\n17 showboard\n12 genmove unknown\n99 fly\n";
    let arena = &["tcga", "--time", "10ms", "--memory", "16MiB", "--threads", "2"];
    let output = monteverde(arena).write_stdin(lines).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("it writes UTF-8");
    let replies: Vec<&str> = text.lines().collect();
    assert_eq!(replies[..3], ["=1 Monteverde", "=7", "=17"]);
    assert!(replies[3].starts_with("=12 ") && replies[4].starts_with("?99 "), "{text}");
    let log = String::from_utf8(output.stderr).expect("it writes UTF-8");
    assert!(log.contains("plies=60,repetition=cycle"), "{log}");
    refused(&["tcga", "--player", "nobody"], &["--player", "banqi has no player 'nobody'"]);
    refused(&["tcga", "--rules", "plies=0"], &["plies is a number from 1 to 65535"]);
    refused(&["tcga", "--memory", "much"], &["512MiB"]);
    refused(&["tcga", "--memory", "1"], &["--memory"]);
    refused(&["tcga", "--time", "0s"], &["500ms"]);
}
