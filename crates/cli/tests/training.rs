//! `monteverde selfplay`, `label` and `data`.

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn run(folder: &Path, words: &str) -> Output {
    let words: Vec<_> = words.split_whitespace().collect();
    Command::new(cargo_bin("monteverde")).current_dir(folder).args(words).output().unwrap()
}

/// The document that a command prints.
fn json(folder: &Path, words: &str) -> Value {
    let output = run(folder, &format!("{words} --json"));
    assert!(output.status.success(), "{words}: {}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn refused(folder: &Path, words: &str, code: i32, sentence: &str) {
    let output = run(folder, words);
    assert_eq!(output.status.code(), Some(code), "{words}: {}", said(&output));
    assert!(said(&output).contains(sentence), "{words}: {}", said(&output));
}

const GAMES: &str = "selfplay --player ab --nodes 40 --games 6 --max-plies 60 --seed 3";

#[test]
fn games_are_played_labelled_and_described() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let played = json(path, &format!("{GAMES} --starts shuffled=0.5,odd=0.5 --out a.mvd"));
    assert_eq!(played["games"], 6);
    assert_eq!(played["with_shares"], 0);
    let described = json(path, "data a.mvd");
    for key in ["games", "positions", "plies", "first", "draws", "second"] {
        assert_eq!(played[key], described[key], "{key}");
    }
    // Other scores for the same games, with shares of visits; random moves are scored now, too.
    let labelled = json(path, "label --data a.mvd --player best --iterations 30 --out b.mvd");
    assert_eq!(labelled["games"], 6);
    for key in ["plies", "first", "draws", "second", "shortest"] {
        assert_eq!(labelled[key], played[key], "{key}");
    }
    assert_eq!(labelled["with_shares"], labelled["positions"]);
    assert_eq!(labelled["positions"], labelled["plies"]);
    // Records and states.
    fs::write(
        path.join("a.pgn"),
        "[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n",
    )
    .unwrap();
    let records = json(path, "label --records a.pgn --player ab --nodes 50 --out c.mvd");
    assert_eq!((&records["plies"], &records["first"]), (&7.into(), &1.into()));
    fs::write(path.join("a.epd"), "8/8/8/8/8/4k3/8/4K2R w K - id \"one\";\n\n").unwrap();
    let states = json(path, "label --states a.epd --player ab --nodes 50 --out d.mvd");
    assert_eq!((&states["positions"], &states["unknown"]), (&1.into(), &1.into()));
}

#[test]
fn shards_together_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let whole = json(path, &format!("{GAMES} --out whole.mvd"));
    let parts =
        [1, 2].map(|part| json(path, &format!("{GAMES} --shard {part}/2 --out {part}.mvd")));
    for key in ["games", "positions", "plies"] {
        let sum: u64 = parts.iter().map(|part| part[key].as_u64().unwrap()).sum();
        assert_eq!(whole[key], sum, "{key}");
    }
}

#[test]
fn the_same_command_goes_on_and_another_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    json(path, &format!("{GAMES} --threads 2 --out a.mvd"));
    let whole = fs::read(path.join("a.mvd")).unwrap();
    fs::write(path.join("a.mvd"), &whole[..whole.len() * 2 / 3]).unwrap();
    let output = run(path, &format!("{GAMES} --threads 1 --out a.mvd"));
    assert!(said(&output).contains("the file ends there; it is made again"), "{}", said(&output));
    assert!(fs::read(path.join("a.mvd")).unwrap() == whole);
    let other = GAMES.replace("--seed 3", "--seed 4");
    refused(path, &format!("{other} --out a.mvd"), 2, "begun with seed 3 and cannot go on with 4");
}

/// A second command for fewer games cut the file.
#[test]
fn fewer_games_leave_the_file_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    json(path, &format!("{GAMES} --out a.mvd"));
    let whole = fs::read(path.join("a.mvd")).unwrap();
    let ask = |amount: &str| {
        let output = run(path, &format!("{} --out a.mvd", GAMES.replace("--games 6", amount)));
        assert!(output.status.success(), "{amount}: {}", said(&output));
        assert!(fs::read(path.join("a.mvd")).unwrap() == whole, "{amount}");
        said(&output)
    };
    for amount in ["--games 6", "--games 2", "--games 2 --time 1ms", "--positions 10"] {
        let said = ask(amount);
        assert!(said.contains("a.mvd holds 6 games"), "{amount}: {said}");
        assert!(said.contains("nothing is added"), "{amount}: {said}");
    }
}

#[test]
fn labels_of_a_file_that_has_changed_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let records = |mv: &str| format!("[Result \"*\"]\n\n1. {mv} *\n");
    fs::write(path.join("a.pgn"), records("e4")).unwrap();
    let words = "label --records a.pgn --player ab --nodes 50 --out a.mvd";
    json(path, words);
    json(path, words);
    fs::write(path.join("a.pgn"), records("d4")).unwrap();
    refused(path, words, 2, "a.mvd was begun with other games or states in a.pgn");
    for (seed, is_first) in [(1, true), (2, false)] {
        let _ = fs::remove_file(path.join("g.mvd"));
        json(
            path,
            &format!("selfplay --nodes 20 --games 2 --max-plies 20 --seed {seed} --out g.mvd"),
        );
        let words = "label --data g.mvd --nodes 20 --out b.mvd";
        match is_first {
            true => drop(json(path, words)),
            false => refused(path, words, 2, "in g.mvd, which has changed since"),
        }
    }
}

/// Some have neither a tree nor a table, and were refused for a setting that nobody gave.
#[test]
fn every_player_plays_and_labels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.epd"), "8/8/8/8/8/4k3/8/4K2R w K -\n").unwrap();
    for (number, player) in ["greedy", "ab:no-table", "mcc", "best"].into_iter().enumerate() {
        let words = format!("--player {player} --nodes 10 --out");
        let played = format!("selfplay --games 1 --max-plies 12 {words} {number}.mvd");
        assert_eq!(json(path, &played)["games"], 1, "{player}");
        let labelled = format!("label --states a.epd {words} {number}-labels.mvd");
        assert_eq!(json(path, &labelled)["games"], 1, "{player}");
    }
}

/// One rule switched off the others.
#[test]
fn each_rule_that_ends_games_holds_unless_it_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let base = "selfplay --game tic-tac-toe --nodes 10 --games 1 --random-plies 2 --player uct";
    let draw = r#"\"draw\":{\"from\":80,\"moves\":6,\"within\":0.02}"#;
    let resign = r#"\"resign\":{\"moves\":3,\"beyond\":0.98}"#;
    let long = r#"\"length\":400"#;
    let (other, none) = (r#"\"resign\":{\"moves\":3,\"beyond\":0.9}"#, r#"\"resign\":null"#);
    for (number, (rules, expected)) in [
        ("", [draw, resign, long]),
        ("--draw 80,6,0.02 --resign 3,0.98 --max-plies 400", [draw, resign, long]),
        ("--max-plies 300", [draw, resign, r#"\"length\":300"#]),
        ("--max-moves 100", [draw, resign, r#"\"length\":200"#]),
        ("--resign 3,0.9", [draw, other, long]),
        ("--draw 10,2,0", [r#"\"draw\":{\"from\":10"#, resign, long]),
        ("--to-the-end", [r#"\"draw\":null"#, none, r#"\"length\":null"#]),
    ]
    .into_iter()
    .enumerate()
    {
        json(path, &format!("{base} {rules} --out {number}.mvd"));
        let described = run(path, &format!("data {number}.mvd"));
        let described = String::from_utf8(described.stdout).unwrap();
        for rule in expected {
            assert!(described.contains(rule), "{rules}: {rule} in {described}");
        }
    }
    let help = String::from_utf8(run(path, "selfplay --help").stdout).unwrap();
    assert!(help.contains("--max-plies") && !help.contains("--tables"), "{help}");
    refused(path, &format!("{base} --tables 4 --out a.mvd"), 2, "self-play asks no tables");
}

/// The file of a command that had failed was refused to the corrected one.
#[test]
fn a_run_without_a_game_does_not_bind_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let base = "selfplay --game tic-tac-toe --player uct --games 2 --nodes 10 --out a.mvd";
    refused(path, &format!("{base} --random-plies 9"), 2, "every one was over");
    assert_eq!(json(path, &format!("{base} --random-plies 2"))["games"], 2);
    refused(path, &format!("{base} --random-plies 3"), 2, "was begun with random_plies");
}

#[test]
fn a_damaged_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    json(path, &format!("{GAMES} --out a.mvd"));
    assert_eq!(json(path, "data a.mvd")["damaged"], Value::Array(Vec::new()));
    let mut bytes = fs::read(path.join("a.mvd")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(path.join("a.mvd"), bytes).unwrap();
    refused(path, "data a.mvd", 1, "a.mvd is damaged");
    let output = run(path, "data a.mvd --json");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["games"], 5);
    assert!(document["damaged"][0].as_str().unwrap().starts_with("game 5 is damaged"));
}

#[test]
fn bad_input_gets_a_sentence() {
    let folder: TempDir = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("text"), "a text").unwrap();
    let base = "selfplay --nodes 40 --out a.mvd";
    for (words, sentence) in [
        (format!("{base} --games 2 --starts round=1"), "'round' is no kind of start"),
        (format!("{base} --games 2 --starts odd=0.6,shuffled=0.6"), "more than all games"),
        (format!("{base} --games 2 --starts odd"), "has no share"),
        (format!("{base} --game loa --games 2 --starts odd=1"), "no other starts"),
        (format!("{base} --games 2 --random-plies 9-3"), "a range such as 4-10 is accepted"),
        (
            format!("{base} --game tic-tac-toe --player uct --games 2 --random-plies 9"),
            "every one was over",
        ),
        (format!("{base} --games 2 --to-the-end --max-plies 9"), "excludes"),
        (base.to_owned(), "--games"),
        ("selfplay --games 2 --out a.mvd".to_owned(), "--nodes"),
        ("label --nodes 40 --out a.mvd".to_owned(), "--data"),
        ("label --data text --nodes 40 --out a.mvd".to_owned(), "no file of training games"),
        ("label --states text --nodes 40 --out a.mvd".to_owned(), "line 1"),
        ("data text".to_owned(), "no file of training games"),
    ] {
        refused(path, &words, 2, sentence);
    }
}

/// These went on for ever, and took all memory.
#[cfg(target_os = "linux")]
#[test]
fn a_file_without_an_end_is_refused() {
    let folder: TempDir = tempfile::tempdir().unwrap();
    for (words, sentence) in [
        ("data /dev/zero", "it is a folder or a device"),
        ("label --data /dev/zero --nodes 40 --out a.mvd", "it is a folder or a device"),
        ("label --states /dev/zero --nodes 40 --out a.mvd", "--states: /dev/zero: the file is too"),
        ("label --records /dev/zero --nodes 40 --out a.mvd", "at most 256MiB are read"),
        // Games would be played, and be nowhere.
        ("selfplay --games 2 --nodes 40 --out /dev/null", "it is a folder or a device"),
    ] {
        refused(folder.path(), words, 2, sentence);
    }
}

#[test]
fn an_empty_file_is_named_with_its_option() {
    let folder: TempDir = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("nothing"), "").unwrap();
    refused(
        folder.path(),
        "label --states nothing --nodes 40 --out a.mvd",
        2,
        "--states: nothing holds no games and no states",
    );
}
