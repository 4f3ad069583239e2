//! Files made by the program before its task keys followed behaviour are still read, and what it
//! printed then is printed now. `before/README.md` says which command made which file.

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The folder with the files, copied so that a store may be written.
struct Before(TempDir);

impl Before {
    fn new() -> Before {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/before");
        for entry in fs::read_dir(source).unwrap().map(Result::unwrap) {
            fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
        fs::create_dir(folder.path().join("tables")).unwrap();
        Before(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run_by(&self, program: &Path, words: &[&str]) -> (String, String) {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).env("MONTEVERDE_TABLEBASE", self.path("tables"));
        let output = command.args(words).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{words:?}: {said}");
        (String::from_utf8(output.stdout).unwrap(), said)
    }

    /// What a command prints and what it says beside that.
    fn run(&self, words: &str) -> (String, String) {
        let words: Vec<_> = words.split(' ').collect();
        self.run_by(&cargo_bin("monteverde"), &words)
    }

    fn games(&self) -> usize {
        self.run("export --store store.db --format jsonl").0.lines().count()
    }
}

/// How many games the files' store holds.
const GAMES: usize = 26;

/// Figures that the clock has a say in, or how large the records of a tree are: a node now lists
/// its most likely moves first, and the others only when they are wanted.
const CHANGING: [&str; 11] = [
    "seconds",
    "per_second",
    "plies_per_second",
    "micros",
    "elapsed",
    "elapsed_ms",
    "iterations_per_second",
    "time_ms",
    "tree_bytes",
    "edges",
    "branching",
];

/// Whether it is an interval or an end of one: those of then were too narrow at the edge and took
/// the games of a pair for independent.
fn is_interval(key: &str) -> bool {
    key.ends_with("_ci95") || ["low", "high"].contains(&key)
}

/// Everything that was said before is said now; more may be.
#[track_caller]
fn still_says(before: &Value, now: &Value, place: &str) {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            let may_change = |key: &str| CHANGING.contains(&key) || is_interval(key);
            for (key, value) in before.iter().filter(|(key, _)| !may_change(key)) {
                let place = format!("{place}.{key}");
                still_says(value, now.get(key).unwrap_or_else(|| panic!("no {place}")), &place);
            }
        }
        (Value::Array(before), Value::Array(now)) => {
            assert_eq!(before.len(), now.len(), "{place}");
            for (index, (before, now)) in before.iter().zip(now).enumerate() {
                still_says(before, now, &format!("{place}[{index}]"));
            }
        }
        _ => assert_eq!(before, now, "{place}"),
    }
}

/// A player of 2008 has been read otherwise since, and our best has a network; this is how they
/// play as before. In each file: what is put in place of what, in the command and in what it
/// printed.
const READ_OTHERWISE: [(&str, [(&str, &str); 2]); 5] = [
    (
        "match-chess.json",
        [("best:pieces=3", "best:temperature=1,c-deviation=off,pieces=3,network=none"); 2],
    ),
    (
        "search.json",
        [("best:pieces=3", "best:temperature=1,c-deviation=off,pieces=3,network=none"); 2],
    ),
    (
        "match-banqi.json",
        [("banqi best ", "banqi best-playouts "), ("\"best\"", "\"best-playouts\"")],
    ),
    ("match-loa.json", [("mc-loa-2008", "mc-loa-2008:unit=1"); 2]),
    (
        "playouts.json",
        [
            ("playouts", "playouts --player mc-loa-2008:unit=1"),
            ("mc-loa-2008:seed=3", "mc-loa-2008:unit=1,seed=3"),
        ],
    ),
];

#[test]
fn what_was_printed_is_printed() {
    let before = Before::new();
    let notes = fs::read_to_string(before.path("README.md")).unwrap();
    let mut compared = 0;
    for line in notes.lines() {
        let Some((file, command)) =
            line.strip_prefix("- `").and_then(|line| line.split_once("`: `monteverde "))
        else {
            continue;
        };
        if file == "players.json" {
            // There may be more players and settings by now.
            continue;
        }
        let command = command.trim_end_matches('`').replace("store.db", "new.db");
        let said = fs::read_to_string(before.path(file)).unwrap();
        let (command, said) = match READ_OTHERWISE.iter().find(|(name, _)| *name == file) {
            Some((_, [asked, printed])) => {
                (command.replace(asked.0, asked.1), said.replace(printed.0, printed.1))
            }
            None => (command, said),
        };
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let said = read(&said);
        still_says(&said, &read(&before.run(&command).0), file);
        compared += 1;
    }
    assert_eq!(compared, 9);
}

#[test]
fn players_are_still_there() {
    let before = Before::new();
    let names = |text: &str| -> Vec<String> {
        let document: Value = serde_json::from_str(text).unwrap();
        let players = document["games"][0]["players"].as_array().expect("players of a game").iter();
        players.map(|player| player["name"].as_str().unwrap().to_owned()).collect()
    };
    let then = names(&fs::read_to_string(before.path("players.json")).unwrap());
    let now = names(&before.run("players --game tic-tac-toe --json").0);
    assert!(!then.is_empty() && then.iter().all(|name| now.contains(name)), "{now:?}");
}

#[test]
fn the_store_is_read() {
    let before = Before::new();
    assert_eq!(before.games(), GAMES);
    let (pgn, _) = before.run("export --store store.db --format pgn");
    assert_eq!(pgn.matches("[Event ").count(), 2, "{pgn}");
    let (sgf, _) = before.run("export --store store.db --format sgf");
    assert_eq!(sgf.matches("GM[9]").count(), 2, "{sgf}");
    let (text, _) = before.run("export --store store.db --format text --game banqi");
    assert!(text.contains("dark-knight"), "{text}");
    before.run("report --store store.db --out pages");
    let page = fs::read_to_string(before.path("pages/report.md")).unwrap();
    for name in ["plain", "mc-loa-2008", "mcc-solver", "dark-knight"] {
        assert!(page.contains(name), "{name}: {page}");
    }
}

/// Its games were keyed by the executable, so they are other tasks: they stay, and a new run plays
/// its own.
#[test]
fn a_tournament_adds_its_games_to_the_store() {
    let before = Before::new();
    let command = "tournament tournament.toml --store store.db --concurrency 1";
    let (_, said) = before.run(command);
    assert!(said.contains("played 12 games") && said.contains("0 were in the store"), "{said}");
    assert_eq!(before.games(), GAMES + 12);
    let (_, said) = before.run(command);
    assert!(said.contains("played 0 games") && said.contains("12 were in the store"), "{said}");
    let file = fs::read_to_string(before.path("tournament.toml")).unwrap();
    fs::write(before.path("tournament.toml"), file.replace("games = 4", "games = 6")).unwrap();
    let (_, said) = before.run(command);
    assert!(said.contains("played 6 games") && said.contains("12 were in the store"), "{said}");
}

/// A byte more makes it another file, as a new compiler would.
#[test]
fn a_rebuilt_program_goes_on_with_its_store() {
    let before = Before::new();
    let rebuilt = before.path("rebuilt");
    let mut bytes = fs::read(cargo_bin("monteverde")).unwrap();
    bytes.push(0);
    fs::write(&rebuilt, bytes).unwrap();
    fs::set_permissions(&rebuilt, fs::metadata(cargo_bin("monteverde")).unwrap().permissions())
        .unwrap();
    let words = "match uct uct:c=0.4 --game tic-tac-toe --games 6 --iterations 30 --store new.db";
    let (_, said) = before.run(words);
    assert!(said.contains("played 6 games"), "{said}");
    let words: Vec<_> = words.split(' ').collect();
    let (_, said) = before.run_by(&rebuilt, &words);
    assert!(said.contains("played 0 games") && said.contains("6 were in the store"), "{said}");
    let more: Vec<_> = words.iter().map(|&word| if word == "6" { "8" } else { word }).collect();
    let (_, said) = before.run_by(&rebuilt, &more);
    assert!(said.contains("played 2 games"), "{said}");
    // Both are recorded.
    let (records, _) = before.run("export --store new.db --format jsonl");
    let builds: std::collections::HashSet<String> = records
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["build"].to_string())
        .collect();
    assert_eq!(builds.len(), 2, "{builds:?}");
}

/// Players that ask tables of four pieces may play otherwise with other tables; others do not.
#[test]
fn another_folder_of_tables_is_another_task() {
    let before = Before::new();
    let asking = "match best mcc --games 2 --iterations 5 --max-plies 4 --store new.db";
    let others = "match mcc ab --games 2 --iterations 5 --max-plies 4 --store new.db";
    let played = |words: &str| {
        let (_, said) = before.run(words);
        let games = said.split("played ").nth(1).and_then(|rest| rest.split(' ').next());
        games.and_then(|games| games.parse::<u32>().ok()).unwrap_or_else(|| panic!("{said}"))
    };
    assert_eq!([asking, asking, others].map(played), [2, 0, 2]);
    before.run("tablebase build --material KQKR --dir tables");
    assert_eq!([asking, asking, others].map(played), [2, 0, 0]);
}
