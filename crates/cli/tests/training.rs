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
