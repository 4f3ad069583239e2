//! External engines through the program itself: how they are named, what becomes of those that
//! fail, and that none outlives the lab.
#![cfg(unix)]

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Writes a program that speaks UCI and runs `on_go` when it is to move.
fn engine(folder: &TempDir, name: &str, on_start: &str, on_go: &str) -> PathBuf {
    let path = folder.path().join(name);
    let text = format!(
        "#!/bin/sh\n{on_start}\nwhile read -r word rest; do case $word in\n\
         uci) echo 'id name script'; echo uciok ;;\nisready) echo readyok ;;\ngo) {on_go} ;;\n\
         quit) exit ;;\nesac; done\n"
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

/// A match of `mcc` against an engine, as it is written on the command line.
fn a_match(engine: &str, more: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("monteverde"));
    command.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.args(["match", "mcc", engine, "--games", "4", "--iterations", "8"]).args(more);
    command.args(["--concurrency", "1", "--max-plies", "10"]);
    command
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn an_engine_that_never_starts_is_an_error_until_it_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let path = engine(&folder, "odd", "exit 7", "");
    let store = folder.path().join("a.db");
    let store = store.to_str().unwrap();
    let named = format!("uci:{}", path.display());
    let (code, out, err) = said(&a_match(&named, &["--store", store]).output().unwrap());
    assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
    let sentence = "error: 'odd' failed in its first game of this run: no-start: exit status: 7";
    assert!(err.contains(sentence), "{err}");
    let pages = folder.path().join("pages");
    let report = ["report", "--store", store, "--out", pages.to_str().unwrap()];
    let (code, _, err) =
        said(&Command::new(cargo_bin("monteverde")).args(report).output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    let page = fs::read_to_string(pages.join("report.md")).unwrap();
    assert!(page.contains("0 games of a.db") && page.contains("Another 1 failed"), "{page}");
    assert!(page.contains("no-start"), "{page}");
    engine(&folder, "odd", "", "echo bestmove e2e5");
    let (code, out, err) = said(&a_match(&named, &["--store", store, "--json"]).output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&document["games"], &document["wins"]), (&4.into(), &4.into()), "{out}");
    assert_eq!(document["void"], 0);
    assert_eq!(document["failures"][1]["illegal-move"], 4);
}

#[test]
fn a_path_with_blanks_is_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let path = engine(&folder, "my engine", "[ \"$1\" = 'a b' ] || exit 1", "echo bestmove e2e5");
    let named = format!("uci:\"{}\" 'a b'", path.display());
    let (code, out, err) = said(&a_match(&named, &["--json"]).output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["wins"], 4, "{out}");
    let (code, _, err) = said(&a_match("uci:'my engine", &[]).output().unwrap());
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("the quote ' at character 1") && err.contains("'...'"), "{err}");
}

/// Both sides are this program, one of them behind UCI, and think in each other's time.
#[test]
fn players_and_engines_ponder() {
    let folder = tempfile::tempdir().unwrap();
    let program = cargo_bin("monteverde");
    let store = folder.path().join("a.db");
    let named = format!("uci:'{}' uci option.Hash=16", program.display());
    let play = |more: &[&str]| {
        let mut command = Command::new(&program);
        command.args(["match", "best:memory=16MiB", &named, "--games", "2", "--json"]);
        command.args(["--max-plies", "12", "--margin", "30s", "--concurrency", "2"]);
        // With tables that the engine makes for its next games it would be another opponent.
        command.env("MONTEVERDE_BUILD_TABLES", "off");
        said(&command.args(more).args(["--store", store.to_str().unwrap()]).output().unwrap())
    };
    let pondering = ["--pace", "clock=2s+0.05s", "--ponder"];
    for (more, games) in [(&pondering[..], 2), (&pondering[..], 0), (&pondering[..2], 2)] {
        let (code, out, err) = play(more);
        assert_eq!(code, Some(0), "{err}");
        let document: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&document["games"], &document["draws"]), (&2.into(), &2.into()), "{out}");
        assert!(err.contains(&format!("played {games} games")), "{err}");
    }
    let (code, _, err) = play(&["--iterations", "10", "--ponder"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("accepted are time= and clock="), "{err}");
    let (code, _, err) = play(&["--time", "1s", "--ponder=c"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("a, b, both"), "{err}");
}

/// Whether a process runs: one that nobody has waited for is dead all the same.
#[cfg(target_os = "linux")]
fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

/// Reads the process ids that an engine has written, once there are so many.
#[cfg(target_os = "linux")]
fn pids(path: &Path, count: usize) -> Vec<String> {
    let until = Instant::now() + Duration::from_secs(60);
    while Instant::now() < until {
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.ends_with('\n') && text.lines().count() >= count {
            return text.lines().map(str::to_owned).collect();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the engine has not come to think");
}

/// A lab that is killed can do nothing itself, and this engine heeds neither the end of its input
/// nor any signal that it could heed. It has a child, as engines behind scripts have.
#[cfg(target_os = "linux")]
#[test]
fn engines_die_with_a_lab_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("pids");
    let on_go = format!(
        "trap '' HUP INT TERM PIPE; sleep 1000 & {{ echo $$; echo $!; }} >> {}; \
         while :; do sleep 1; done",
        log.display()
    );
    let path = engine(&folder, "stubborn", "", &on_go);
    let named = format!("uci:{}", path.display());
    let mut command = Command::new(cargo_bin("monteverde"));
    command.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.args(["match", "mcc", &named, "--games", "4", "--concurrency", "2"]);
    command.args(["--pace-a", "iterations=8", "--pace-b", "time=100s"]);
    let mut lab = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pids = pids(&log, 4);
    assert!(pids.iter().all(|pid| is_alive(pid)), "{pids:?}");
    lab.kill().unwrap();
    lab.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    while pids.iter().any(|pid| is_alive(pid)) {
        let alive: Vec<_> = pids.iter().filter(|pid| is_alive(pid)).collect();
        assert!(Instant::now() < until, "{alive:?} of {pids:?} are still alive");
        std::thread::sleep(Duration::from_millis(20));
    }
}
