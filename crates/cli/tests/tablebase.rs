//! `monteverde tablebase` from outside: outputs, exit codes, messages.

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const KPK: &str = "8/8/8/1k6/8/8/K5P1/8 w - - 0 1";

/// Runs it; what it wrote to standard output and to standard error.
fn run(code: i32, args: &[&str]) -> (String, String) {
    let cache = tempfile::tempdir().expect("a folder");
    let mut command = cargo_bin_cmd!("monteverde");
    let output = command.env("XDG_CACHE_HOME", cache.path()).arg("tablebase").args(args).output();
    let output = output.expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    assert!(!said.contains("panicked"), "{args:?}: {said}");
    (String::from_utf8(output.stdout).expect("it writes UTF-8"), said)
}

fn text(dir: &Path) -> &str {
    dir.to_str().expect("the path is UTF-8")
}

#[test]
fn tables_are_built_checked_and_asked() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = text(dir.path());
    let (built, said) = run(0, &["build", "--material", "KPK", "--dir", dir, "--threads", "2"]);
    assert!(built.starts_with("5 tables built in "), "{built}");
    assert!(said.contains("needed as well, and built first: KQK KRK KBK KNK"), "{said}");
    let (built, _) = run(0, &["build", "--pieces", "3", "--dir", dir]);
    assert!(built.starts_with("0 tables built in ") && built.contains("5 were there"), "{built}");
    let (checked, _) = run(0, &["verify", "--dir", dir]);
    assert!(checked.contains("62,480") && checked.ends_with("5 tables are right\n"), "{checked}");
    let (answer, _) = run(0, &["probe", "--dir", dir, KPK]);
    assert!(answer.starts_with("White to move: win, mates in 28 (55 plies)\n"), "{answer}");
    assert!(answer.contains("│ Kb3  ┆ win     ┆    55 │"), "{answer}");
}

#[test]
fn an_answer_is_one_document() {
    for (state, outcome, plies) in [
        (KPK, "win", json!(55)),
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "loss", json!(0)),
        ("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", "draw", Value::Null),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "unknown", Value::Null),
    ] {
        let (answer, _) = run(0, &["probe", state, "--json"]);
        let answer: Value = serde_json::from_str(&answer).expect("one document");
        assert_eq!((&answer["outcome"], &answer["plies"]), (&json!(outcome), &plies), "{state}");
    }
}

#[test]
fn a_reference_that_disagrees_is_a_failure() {
    let dir = tempfile::tempdir().expect("a folder");
    let tables = dir.path().join("tables");
    run(0, &["build", "--material", "KQK", "--dir", text(&tables)]);
    let file = dir.path().join("reference.tsv");
    let columns = "ending\tmaxDTM_white_wins_wtm(moves)\tmaxDTM_black_wins_btm(moves)\tsyz_wtm_win\t\
                   syz_wtm_draw\tsyz_wtm_loss\tsyz_btm_win\tsyz_btm_draw\tsyz_btm_loss\n";
    let verify = |code, line: &str| {
        fs::write(&file, format!("{columns}{line}\n")).expect("the folder is ours");
        run(code, &["verify", "--dir", text(&tables), "--reference", text(&file)])
    };
    verify(0, "KQK\t10\t0\t18081\t0\t0\t0\t2896\t25160");
    let (out, said) = verify(1, "KQK\t11\t0\t18082\t0\t0\t0\t2896\t25160");
    assert!(out.contains("18081 wins, 0 draws and 0 losses instead of [18082, 0, 0]"), "{out}");
    assert!(out.contains("longest mate takes 10 moves instead of 11"), "{out}");
    assert!(said.contains("2 faults"), "{said}");
    let (_, said) = verify(2, "KQK\tten\t0\t18081\t0\t0\t0\t2896\t25160");
    assert!(said.contains("line 2: 'ten'"), "{said}");
}

#[test]
fn bad_input_is_refused_and_damage_is_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let nowhere = dir.path().join("nowhere");
    for (args, part) in [
        (vec!["probe", "--dir", text(&nowhere), KPK], "there is no such folder"),
        (vec!["verify", "--dir", text(dir.path())], "there are no tables in it"),
        (vec!["probe", "8/8/8 w - - 0 1"], "FEN"),
        (vec!["probe", "--syzygy", text(dir.path()), KPK], "no Syzygy files"),
        (vec!["build", "--pieces", "6", "--dir", text(dir.path())], "from 3 to 5 is accepted"),
        (vec!["build", "--material", "KXK", "--dir", text(dir.path())], "does not name a table"),
        (vec!["build", "--dir", text(dir.path())], "--pieces"),
        (
            vec!["build", "--pieces", "3", "--material", "KRPKR", "--dir", text(dir.path())],
            "more than the 3 pieces",
        ),
    ] {
        let (_, said) = run(2, &args);
        assert!(said.contains(part), "{args:?} does not say '{part}': {said}");
    }
}

const KQK: &str = "7K/6Q1/8/8/2k5/8/8/8 w - - 0 1";

/// A table that has been cut short, changed or made by another version says so and answers nothing.
#[test]
fn damaged_files_are_told_and_never_answer() {
    let dir = tempfile::tempdir().expect("a folder");
    let tables = text(dir.path());
    run(0, &["build", "--material", "KQK", "--dir", tables]);
    let file = dir.path().join("KQK.dtm");
    let whole = fs::read(&file).expect("the table");
    let spoiled = |change: &dyn Fn(&mut Vec<u8>), part: &str| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        fs::write(&file, &bytes).expect("the folder is ours");
        for args in [vec!["probe", "--dir", tables, KQK], vec!["verify", "--dir", tables]] {
            let (out, said) = run(1, &args);
            assert!(said.contains(part) && said.contains("build it anew"), "{args:?}: {said}");
            assert!(said.contains("KQK.dtm"), "{args:?} does not say which file: {said}");
            assert!(!out.contains("win") && !out.contains("are right"), "{args:?}: {out}");
        }
    };
    spoiled(&|bytes| bytes.truncate(bytes.len() - 1), "bytes instead of");
    spoiled(&|bytes| bytes.truncate(bytes.len() / 2), "bytes instead of");
    spoiled(&|bytes| bytes.truncate(9), "bytes instead of");
    // The version follows the eight bytes that name the format.
    spoiled(&|bytes| bytes[8] = 2, "version 2, but version 1 is needed");
    spoiled(&|bytes| bytes[40] ^= 1, "damaged (its index)");
    // The position of the question lies in one of the first blocks, those with White to move.
    let blocks =
        u64::from_le_bytes(whole[24..32].try_into().expect("eight bytes")).div_ceil(16_384);
    let first = 32 + 2 * blocks as usize * 16 + 16;
    let changed = |bytes: &mut Vec<u8>| {
        // One bit in each block of White's.
        for block in 0..blocks as usize {
            let end = |block: usize| {
                let at = 32 + block * 16;
                u64::from_le_bytes(whole[at..at + 8].try_into().expect("eight bytes")) as usize
            };
            let start = if block == 0 { 0 } else { end(block - 1) };
            bytes[first + (start + end(block)) / 2] ^= 0x10;
        }
    };
    spoiled(&changed, "damaged (block ");
    fs::write(&file, &whole).expect("the folder is ours");
    let (answer, _) = run(0, &["probe", "--dir", tables, KQK]);
    assert!(answer.starts_with("White to move: win, mates in 10 (19 plies)\n"), "{answer}");
}

#[test]
fn a_damaged_table_is_built_anew() {
    let dir = tempfile::tempdir().expect("a folder");
    let tables = text(dir.path());
    run(0, &["build", "--material", "KRK", "--dir", tables]);
    let file = dir.path().join("KRK.dtm");
    let whole = fs::read(&file).expect("the table");
    for args in [["--pieces", "3"], ["--material", "KRK"]] {
        fs::write(&file, &whole[..1000]).expect("the folder is ours");
        let (built, _) = run(0, &[&["build", "--dir", tables][..], &args].concat());
        assert!(built.contains(", 1 damaged and built anew"), "{args:?}: {built}");
        assert_eq!(fs::read(&file).expect("the table"), whole, "{args:?}");
    }
    let (built, _) = run(0, &["build", "--pieces", "3", "--dir", tables]);
    assert!(
        built.starts_with("0 tables built in ") && built.ends_with("5 were there\n"),
        "{built}"
    );
}

#[test]
fn the_longest_mate_with_bishop_and_knight_takes_33_moves() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = text(dir.path());
    run(0, &["build", "--material", "KBNK", "--dir", dir]);
    let (answer, _) = run(0, &["probe", "--dir", dir, "7K/4B3/4k3/8/8/8/8/2N5 w - - 0 1"]);
    assert!(answer.starts_with("White to move: win, mates in 33 (65 plies)\n"), "{answer}");
}

#[test]
fn many_positions_are_asked_at_once() {
    let ask = |code: i32, lines: &str| {
        let cache = tempfile::tempdir().expect("a folder");
        let mut command = cargo_bin_cmd!("monteverde");
        command.env("XDG_CACHE_HOME", cache.path()).args(["tablebase", "probe", "--lines"]);
        let output = command.write_stdin(lines.to_owned()).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        (String::from_utf8(output.stdout).expect("it writes UTF-8"), said)
    };
    let (answers, _) = ask(0, &format!("{KPK}\n{KQK}\nk7/2Q5/2K5/8/8/8/8/8 b - - 0 1\n"));
    assert_eq!(answers, "win\t55\nwin\t19\ndraw\n");
    let (_, said) = ask(2, &format!("{KPK}\nnothing\n"));
    assert!(said.contains("line 2"), "{said}");
}

/// With tables in its tree the thesis's combined player mates in as many moves as the tables say,
/// and the experiment that counts it prints and keeps the counts.
#[test]
fn the_combined_player_mates_as_soon_as_the_tables() {
    let dir = tempfile::tempdir().expect("a folder");
    let tables = dir.path().join("tables");
    run(0, &["build", "--material", "KBNK", "KQK", "KRK", "--dir", text(&tables)]);
    let text_of = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/mcc-mating.toml");
    let experiment = fs::read_to_string(text_of).expect("the experiment");
    let all = "[\"KQK\", \"KRK\", \"KBBK\", \"KBNK\"]";
    assert!(experiment.contains(all), "the endings of the experiment");
    let fewer = experiment.replace(all, "[\"KQK\", \"KRK\", \"KBNK\"]");
    fs::write(dir.path().join("mcc-mating.toml"), fewer).expect("the folder is ours");
    let mut command = cargo_bin_cmd!("monteverde");
    command.env("MONTEVERDE_TABLEBASE", &tables);
    let output =
        command.args(["experiment", "run", "mcc-mating", "--dir"]).arg(dir.path()).output();
    let output = output.expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let kept = fs::read_to_string(dir.path().join("mcc-mating/quick.json")).expect("what it found");
    let kept: Value = serde_json::from_str(&kept).expect("one document");
    for (number, name) in ["KQK", "KRK", "KBNK"].into_iter().enumerate() {
        let cell = &kept["data"]["endings"][number];
        assert_eq!((&cell["name"], &cell["starts"]), (&json!(name), &json!(5)), "{cell}");
        assert_eq!((&cell["mated"], &cell["exact"]), (&json!(5), &json!(5)), "{cell}");
    }
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("in exactly the tables' moves"), "{shown}");
}
