//! Endgame tables that the engine builds by itself, and what it says of those that are missing.
#![cfg(unix)]

use assert_cmd::cargo::cargo_bin;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(tables: &Path, build: &str) -> Engine {
        let mut command = Command::new(cargo_bin("monteverde"));
        command.arg("uci").env("MONTEVERDE_TABLEBASE", tables);
        command.env("MONTEVERDE_BUILD_TABLES", build);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Engine { process, input, output }
    }

    /// What is said up to the line that begins with `last`.
    fn ask(&mut self, lines: &str, last: &str) -> Vec<String> {
        writeln!(self.input, "{lines}").unwrap();
        let lines = self.output.by_ref().lines().map(Result::unwrap);
        let mut said = Vec::new();
        for line in lines {
            said.push(line);
            if said[said.len() - 1].starts_with(last) {
                return said;
            }
        }
        panic!("the engine has ended after {said:?}");
    }

    fn quit(mut self) {
        writeln!(self.input, "quit").unwrap();
        self.process.wait().unwrap();
    }
}

/// White mates, but not within what a hundred iterations find out.
const MATE: &str = "position fen 8/8/8/3k4/8/8/4N3/KB6 w - - 0 1";

fn is_proven(said: &[String]) -> bool {
    said.iter().any(|line| line.contains(" score mate "))
}

#[test]
fn missing_tables_are_named_once() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    for expected in [1, 0, 0] {
        let mut engine = Engine::start(&tables, "off");
        let said = engine.ask("isready", "readyok");
        let told = said.iter().filter(|line| line.contains("endgame tables")).count();
        assert_eq!(told, expected, "{said:?}");
        engine.quit();
    }
}

/// They are work that nobody asked for; a move that comes late because of it would lose a game.
#[cfg(target_os = "linux")]
#[test]
fn tables_that_nobody_asked_for_give_way() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    let engine = Engine::start(&tables, "on");
    let threads = format!("/proc/{}/task", engine.process.id());
    let niceness = |thread: &str| {
        let comm = fs::read_to_string(format!("{threads}/{thread}/comm")).ok()?;
        let stat = fs::read_to_string(format!("{threads}/{thread}/stat")).ok()?;
        // Behind the name, which may have blanks; the nineteenth of all fields.
        let nice = stat.rsplit(')').next()?.split_whitespace().nth(16)?.to_owned();
        (comm.trim() == "endgame tables").then_some(nice)
    };
    let found = (0..1000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        let names = fs::read_dir(&threads).unwrap().flatten().map(|entry| entry.file_name());
        names.filter_map(|name| niceness(name.to_str()?)).find(|nice| nice == "10")
    });
    assert_eq!(found.as_deref(), Some("10"));
    engine.quit();
}

/// The game that has begun goes on as it would have, the next one has the tables.
#[test]
fn tables_are_built_beside_the_game_and_asked_in_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    let mut engine = Engine::start(&tables, "on");
    let go = format!("{MATE}\ngo nodes 100");
    assert!(!is_proven(&engine.ask(&format!("ucinewgame\n{go}"), "bestmove")));
    // KPPK is among the last that are built; the build ends when nothing is missing any more.
    let count = || fs::read_dir(&tables).unwrap().count();
    let mut searched = 0;
    let proven = loop {
        assert!(!is_proven(&engine.ask(&go, "bestmove")), "the same game has the same tables");
        if is_proven(&engine.ask(&format!("ucinewgame\n{go}"), "bestmove")) {
            break true;
        }
        searched += 1;
        if searched > 20_000 {
            break false;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(proven, "{} files after {searched} games", count());
    engine.quit();
    let mut next = Engine::start(&tables, "on");
    let said = next.ask(&format!("isready\n{go}"), "bestmove");
    assert!(is_proven(&said) && !said.iter().any(|line| line.contains("endgame tables")));
    next.quit();
}
