//! The reference pages of files in TOML name every key that the code reads, and every word that a
//! list of accepted ones holds.

use monteverde_games::games;
use monteverde_lab::keys::parse;
use monteverde_lab::tournament::Tournament;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Words of lists that are neither keys nor measures, by page.
const OTHERS: [(&str, &[&str]); 3] = [
    ("tournaments.md", &[]),
    ("sweeps.md", &[]),
    ("experiments.md", &["agree", "agrees", "differ", "differs", "undecided"]),
];

/// Where the keys of each page are read.
const READERS: [(&str, &[&str]); 3] = [
    ("tournaments.md", &["crates/lab/src/tournament.rs", "crates/lab/src/tournament"]),
    ("sweeps.md", &["crates/lab/src/sweep"]),
    (
        "experiments.md",
        &[
            "crates/experiment/src/file.rs",
            "crates/experiment/src/file",
            "crates/experiment/src/printed.rs",
            "crates/experiment/src/kinds",
        ],
    ),
];

#[test]
fn every_key_is_on_its_page() {
    let mut missing = Vec::new();
    for ((page, readers), (_, others)) in READERS.into_iter().zip(OTHERS) {
        let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
        let words: BTreeSet<String> = readers.iter().flat_map(|path| words_of(path)).collect();
        assert!(words.len() > 15, "{page}: the code is not read as it is written: {words:?}");
        let unnamed = words.iter().filter(|word| !is_named(&text, word));
        let unnamed = unnamed.filter(|word| !others.contains(&word.as_str()));
        missing.extend(unnamed.map(|word| format!("docs/{page} does not name '{word}'")));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The words of `format` are not in a list; the error for another one names them.
#[test]
fn every_format_is_on_the_page() {
    let text = "game = 'chess'\nformat = '?'\ngames = 2\npace = 'nodes=1'\n\
                [[player]]\nspec = 'mcc'\n[[player]]\nspec = 'best'\n";
    let read = Tournament::parse(&games(), text, Path::new(""), "test");
    let error = read.expect_err("no format").to_string();
    let (_, accepted) = error.split_once("accepted are ").expect("a list of formats");
    let page = fs::read_to_string(root().join("docs/tournaments.md")).unwrap();
    let words = accepted.split([',', ' ']).filter(|word| !["", "and"].contains(word));
    let words: Vec<&str> = words.collect();
    assert!(words.len() >= 2, "{error}");
    for word in words {
        assert!(is_named(&page, word), "docs/tournaments.md does not name the format '{word}'");
    }
}

/// The first example of each page is read without an error.
#[test]
fn the_examples_are_read() {
    let example = |page: &str| {
        let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
        let (_, rest) = text.split_once("```toml\n").expect("an example");
        rest.split_once("```").expect("its end").0.to_owned()
    };
    let folder = Path::new("");
    Tournament::parse(&games(), &example("tournaments.md"), folder, "test").unwrap();
    let sweep = parse(&example("sweeps.md")).unwrap();
    let sweep = monteverde_lab::sweep::Sweep::from_table(&games(), &sweep, folder, "test");
    assert_eq!(sweep.unwrap().cells(), 8);
    let path = Path::new("example.toml");
    let experiment =
        monteverde_experiment::Experiment::parse(&games(), path, &example("experiments.md"));
    experiment.unwrap().check().unwrap();
}

fn is_named(page: &str, word: &str) -> bool {
    [
        format!("`{word}`"),
        format!("`\"{word}\"`"),
        format!("`[{word}]`"),
        format!("`[scale.{word}]`"),
    ]
    .iter()
    .any(|form| page.contains(form))
}

/// Every key that is asked for by name, and every word in a list, in the code of a file or folder.
fn words_of(path: &str) -> BTreeSet<String> {
    let path = root().join(path);
    if path.is_dir() {
        let entries = path.read_dir().unwrap().map(|entry| entry.unwrap().path());
        let inside = |entry: PathBuf| {
            words_of(&entry.strip_prefix(root()).unwrap().to_string_lossy()).into_iter()
        };
        return entries.flat_map(inside).collect();
    }
    if path.ends_with("tests.rs") {
        return BTreeSet::new();
    }
    let source = fs::read_to_string(&path).unwrap();
    // What a kind of work shows stands behind what it reads.
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code = code.split("impl Measurement for").next().unwrap_or_default();
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let mut words = BTreeSet::new();
    let mut brackets = 0;
    let pieces: Vec<&str> = code.split('"').collect();
    for (index, piece) in pieces.iter().enumerate() {
        if index % 2 == 0 {
            let depth = |from: i32, letter| match letter {
                '[' => from + 1,
                ']' => from - 1,
                _ => from,
            };
            brackets = piece.chars().fold(brackets, depth);
            continue;
        }
        let call = pieces[index - 1].rsplit(';').next().unwrap_or_default();
        let is_asked = ["required", "optional"]
            .iter()
            .any(|name| call.rfind(name).is_some_and(|start| !call[start..].contains(')')));
        let is_word = !piece.is_empty()
            && piece.chars().all(|letter| matches!(letter, 'a'..='z' | '0'..='9' | '-' | '.'));
        if is_word && (is_asked || brackets > 0) {
            words.insert((*piece).to_owned());
        }
    }
    words
}
