//! Shards and their import through the program itself: whatever is measured in parts and put
//! together is what one machine measures.

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A folder in which the program runs.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn program(&self, words: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin("monteverde"));
        // Games for which no store is named are not to be kept among the user's.
        command.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"));
        command.args(words).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// What the program prints, and what it says beside that.
    #[track_caller]
    fn done(&self, words: &[&str]) -> (String, String) {
        let output = self.program(words).output().unwrap();
        let (printed, said) = texts(&output);
        assert!(output.status.success(), "{words:?}: {said}");
        (printed, said)
    }

    #[track_caller]
    fn refused(&self, words: &[&str], sentence: &str) {
        let output = self.program(words).output().unwrap();
        let (_, said) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(sentence), "{said}");
    }

    /// Makes three shards of a command.
    #[track_caller]
    fn make_shards(&self, words: &[&str], more: &[&str]) -> [String; 3] {
        [1, 2, 3].map(|number| {
            let (shard, file) = (format!("{number}/3"), format!("part{number}.mvs"));
            let own = ["--shard", &shard, "--out", &file];
            let (printed, _) = self.done(&[words, &own, more].concat());
            assert!(printed.contains(&shard) && printed.contains(&file), "{printed}");
            file
        })
    }
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// A document without what depends on clocks.
fn timeless(text: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(object) => {
                object.retain(|key, _| {
                    !key.contains("second")
                        && !key.contains("micros")
                        && key != "found"
                        && key != "played"
                });
                object.values_mut().for_each(strip);
            }
            Value::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    strip(&mut value);
    value
}

/// Runs a command on one machine and in three shards, imports those in several orders and twice,
/// and compares what the command then reports without doing anything.
#[track_caller]
fn same_as_on_one_machine(place: &Place, words: &[&str], nothing_done: &str) {
    let (whole, _) = place.done(&[words, &["--json"]].concat());
    let [one, two, three] = place.make_shards(words, &["--json"]);
    for (number, order) in [[&one, &two, &three], [&three, &one, &two]].iter().enumerate() {
        let store = format!("{number}.db");
        for file in order.iter().chain(order) {
            place.done(&["import", file, "--store", &store]);
        }
        let (found, said) = place.done(&[words, &["--json", "--store", &store]].concat());
        assert!(said.contains(nothing_done) || nothing_done.is_empty(), "{said}");
        assert_eq!(timeless(&found), timeless(&whole));
    }
}

#[test]
fn a_match_in_shards_is_the_match() {
    let words = ["match", "uct", "uct:c=0.5", "--game", "tic-tac-toe", "--games", "21"];
    let words = [&words[..], &["--iterations", "40", "--random-plies", "2"]].concat();
    same_as_on_one_machine(&Place::new(), &words, "played 0 games");
}

/// The test stops no shard, and decides after the import as on one machine.
#[test]
fn a_test_in_shards_decides_alike() {
    let words =
        ["match", "uct", "uct", "--game", "tic-tac-toe", "--games", "200", "--random-plies"];
    let paces = ["--pace-a", "iterations=100", "--pace-b", "iterations=1", "--sprt", "0,100"];
    let words = [&words[..], &["2"], &paces].concat();
    let place = Place::new();
    same_as_on_one_machine(&place, &words, "played 0 games");
    let (_, said) = place.done(&[&words[..], &["--shard", "1/3", "--out", "part1.mvs"]].concat());
    assert!(said.contains("the test stops nothing here"), "{said}");
    assert!(said.contains("played 0 games") && said.contains("were in the store"), "{said}");
}

const TOURNAMENT: &str = "
game = 'tic-tac-toe'
format = 'round-robin'
games = 6
openings = { random = 2 }
player = [
  { name = 'strong', spec = 'uct', pace = 'iterations=60' },
  { name = 'other', spec = 'uct:c=0.5', pace = 'iterations=20' },
  { name = 'weak', spec = 'uct', pace = 'iterations=2' },
]
";

#[test]
fn a_tournament_in_shards_is_the_tournament() {
    let place = Place::new();
    fs::write(place.path("t.toml"), TOURNAMENT).unwrap();
    same_as_on_one_machine(&place, &["tournament", "t.toml"], "played 0 games");
}

const SWEEP: &str = "
title = 'C'
game = 'tic-tac-toe'
kind = 'KIND'
player = 'uct'
grid = { c = [0.5, 1, 2] }
";

#[test]
fn a_sweep_in_shards_is_the_sweep() {
    for (kind, rest, nothing_done) in [
        ("match", "opponent = 'uct'\npace = 'iterations=10'\ngames = 7\n", "0 games in"),
        (
            "self-play",
            "pace = 'iterations=10'\ngames = 6\nopenings = { random = 1 }\n",
            "0 games in",
        ),
        ("search", "pace = 'iterations=10'\ncount = 7\nmove = 'b2'\n", "0 searches in"),
        ("playouts", "count = 9000\n", "0 playouts in"),
    ] {
        let place = Place::new();
        let text = format!("{rest}{}", SWEEP.replace("KIND", kind));
        fs::write(place.path("s.toml"), text).unwrap();
        same_as_on_one_machine(&place, &["sweep", "s.toml"], nothing_done);
    }
}

#[test]
fn a_suite_in_shards_is_the_suite() {
    let place = Place::new();
    let states = ["xx. oo. ...", "x.. .o. ...", "xo. .x. ...", "xox .o. ...", "... ... ..."];
    fs::write(place.path("s.txt"), states.join("\n")).unwrap();
    let words =
        ["solve", "--game", "tic-tac-toe", "--suite", "s.txt", "--player", "uct:solver=wins"];
    same_as_on_one_machine(&place, &[&words[..], &["--nodes", "300"]].concat(), "0 positions in");
}

#[test]
fn playouts_in_shards_are_the_playouts() {
    let words = ["playouts", "--game", "tic-tac-toe", "--count", "50k", "--seed", "7"];
    same_as_on_one_machine(&Place::new(), &words, "");
}

const EXPERIMENTS: [(&str, &str); 3] = [
    (
        "playouts",
        "[playouts]\ngame = 'tic-tac-toe'\nposition = [{ name = 'start' }]\n[scale.quick]\ncount = 20_000\n",
    ),
    (
        "tournament",
        "[tournament]\ngame = 'tic-tac-toe'\nformat = 'round-robin'\ngames = 10\nopenings = { random = 2 }\n\
         equal-time = { reference = 'uct', iterations = 20, speeds = { uct = 10, 'uct:c=0.5' = 5 } }\n\
         player = [{ spec = 'uct' }, { spec = 'uct:c=0.5' }]\n[scale.quick]\n",
    ),
    (
        "suite",
        "[suite]\ngame = 'tic-tac-toe'\nfile = 's.txt'\niterations = 100\n\
         player = [{ spec = 'uct' }, { spec = 'uct:solver=wins' }]\n[scale.quick]\n",
    ),
];

#[test]
fn an_experiment_in_shards_is_the_experiment() {
    for (kind, work) in EXPERIMENTS {
        let place = Place::new();
        fs::create_dir(place.path("experiments")).unwrap();
        fs::write(place.path("experiments/s.txt"), "xx. oo. ...\nx.. .o. ...\n... ... ...\n")
            .unwrap();
        let text = format!("title = 'A title'\nquestion = 'Does it?'\n{work}");
        fs::write(place.path("experiments/e.toml"), text).unwrap();
        let words = ["experiment", "run", "e"];
        let results = || {
            let text = fs::read_to_string(place.path("experiments/e/quick.json")).unwrap();
            let results: Value = serde_json::from_str(&text).unwrap();
            let data = timeless(&results["data"].to_string());
            (data, results["calibration"].clone())
        };
        place.done(&words);
        let whole = results();
        fs::remove_dir_all(place.path("experiments/e")).unwrap();
        let mut files = place.make_shards(&words, &[]);
        assert!(!place.path("experiments/e/quick.json").exists(), "a shard has no results");
        files.rotate_left(1);
        for _ in 0..2 {
            let files = files.iter().map(String::as_str);
            let words: Vec<&str> = ["import"].into_iter().chain(files).collect();
            place.done(&[&words[..], &["--experiment", "e"]].concat());
        }
        let (_, said) = place.done(&words);
        assert!(said.contains("0 ") && !said.contains("; 0 were in the store"), "{said}");
        assert_eq!(results(), whole, "{kind}");
    }
}

#[test]
fn equal_time_in_shards_needs_the_speeds_of_one_machine() {
    let place = Place::new();
    let words = ["match", "uct", "uct:c=0.5", "--game", "tic-tac-toe", "--games", "12"];
    let words = [&words[..], &["--equal-time", "20", "--random-plies", "2"]].concat();
    let shard = ["--shard", "1/3", "--out", "a.mvs"];
    place.refused(&[&words[..], &shard].concat(), "a shard does not measure it");
    place.refused(&[&words[..], &["--calibrate"]].concat(), "it keeps the speeds in a --store");
    place.refused(&[&words[..], &shard, &["--calibrate"]].concat(), "leave out --shard and --out");
    place.refused(&[&words[..], &["--speeds-from", "s.db"]].concat(), "it is for a shard");
    let none = [&words[..], &shard, &["--speeds-from", "nowhere.db"]].concat();
    place.refused(&none, "there is no store at 'nowhere.db'");
    let (printed, _) = place.done(&[&words[..], &["--calibrate", "--store", "s.db"]].concat());
    assert!(printed.contains("uct:c=0.5"), "{printed}");
    let files = place.make_shards(&words, &["--speeds-from", "s.db"]);
    for file in &files {
        place.done(&["import", file, "--store", "s.db"]);
    }
    let (found, said) = place.done(&[&words[..], &["--json", "--store", "s.db"]].concat());
    assert!(said.contains("played 0 games"), "{said}");
    // One machine with the same speeds.
    place.done(&["import", "s.db", "--store", "whole.db"]);
    let (whole, _) = place.done(&[&words[..], &["--json", "--store", "whole.db"]].concat());
    assert_eq!(timeless(&found), timeless(&whole));
    // Speeds that were measured again are others, whatever they are: the two do not mix.
    let again = [&words[..], &["--calibrate", "--store", "t.db"]].concat();
    place.done(&again);
    place.refused(&["import", &files[0], "--store", "t.db"], "different speeds of 'uct");
    let other =
        [&words[..], &["--shard", "1/3", "--out", &files[0], "--speeds-from", "t.db"]].concat();
    place.refused(&other, "was begun with another speed");
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let place = Place::new();
    let words =
        ["match", "uct", "uct", "--game", "tic-tac-toe", "--games", "8", "--iterations", "5"];
    for (more, sentence) in [
        (&["--shard", "1/3"][..], "a shard is kept in a file of its own"),
        (&["--out", "a.mvs"], "it is the file of a shard, and needs --shard"),
        (&["--shard", "0/3", "--out", "a.mvs"], "'0/3' is no shard"),
        (&["--shard", "4/3", "--out", "a.mvs"], "'4/3' is no shard"),
        (&["--shard", "1/10001", "--out", "a.mvs"], "N up to 10000"),
        (&["--shard", "1/3", "--out", "a.mvs", "--store", "s.db"], "leave out --store"),
        (&["--shard", "1/3", "--out", "s.txt"], "it is not an SQLite file"),
        (&["--shard", "1/3", "--out", "a.mvs", "--nats", "h"], "shares its work out itself"),
    ] {
        fs::write(place.path("s.txt"), "a text that is longer than a word").unwrap();
        place.refused(&[&words[..], more].concat(), sentence);
    }
    place.done(&[&words[..], &["--shard", "1/3", "--out", "a.mvs"]].concat());
    let other = [&words[..], &["--shard", "2/3", "--out", "a.mvs"]].concat();
    place.refused(&other, "holds shard 1/3, not shard 2/3");
    // More shards than pieces: what falls to nobody is nothing.
    let (printed, _) = place.done(&[&words[..], &["--shard", "7/9", "--out", "b.mvs"]].concat());
    assert!(printed.contains("piece") || printed.contains("nothing falls to it"), "{printed}");
}

#[test]
fn a_killed_shard_loses_nothing_and_goes_on() {
    let place = Place::new();
    let words = ["match", "uct", "uct:c=0.5", "--game", "tic-tac-toe", "--games", "600"];
    let words = [&words[..], &["--iterations", "2000", "--concurrency", "2"]].concat();
    let shard = [&words[..], &["--shard", "2/2", "--out", "a.mvs"]].concat();
    let mut run =
        place.program(&shard).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let held = || {
        let words = ["export", "--store", "a.mvs", "--format", "jsonl"];
        let output = place.program(&words).output().unwrap();
        texts(&output).0.lines().count() as u64
    };
    while run.try_wait().unwrap().is_none() && held() < 10 {
        std::thread::sleep(Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let before = held();
    assert!(before >= 10);
    let (printed, _) = place.done(&["import", "a.mvs", "--store", "s.db", "--json"]);
    let imported: Value = serde_json::from_str(&printed).unwrap();
    let file = &imported["files"][0];
    assert_eq!(file["games"]["new"], before);
    assert_eq!(file["pieces"], 300);
    assert_eq!(file["missing"].as_u64().unwrap(), 300 - before);
    let (printed, said) = place.done(&shard);
    assert!(said.contains(&format!("{before} were in the store")), "{said}");
    assert!(printed.contains("all of its 300 pieces are there"), "{printed}");
    let (printed, _) = place.done(&["import", "a.mvs", "--store", "s.db"]);
    assert!(printed.contains(&format!("{} games new, {before} known", 300 - before)), "{printed}");
}

#[test]
fn a_file_that_is_refused_keeps_no_other_from_being_imported() {
    let place = Place::new();
    let words =
        ["match", "uct", "uct", "--game", "tic-tac-toe", "--games", "6", "--iterations", "5"];
    let [one, two, three] = place.make_shards(&words, &[]);
    let bytes = fs::read(place.path(&two)).unwrap();
    fs::write(place.path(&two), &bytes[..bytes.len() / 2]).unwrap();
    let import = ["import", &one, &two, &three, "--store", "s.db"];
    let output = place.program(&import).output().unwrap();
    let (printed, said) = texts(&output);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("'part2.mvs' is damaged, or was cut off on its way"), "{said}");
    assert!(said.contains("refused 1 of 3 files"), "{said}");
    assert!(
        printed.contains("part1.mvs (shard 1/3)") && printed.contains("part3.mvs"),
        "{printed}"
    );
    place.refused(&["import", "nowhere", "--store", "new.db"], "there is no file 'nowhere'");
    assert!(!place.path("new.db").exists(), "a word that is no file makes no store");
    place.refused(&["import", &one], "--store");
    place.refused(&["import", &one, "--experiment", "e"], "experiment");
}
