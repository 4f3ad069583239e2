//! Contests as people hold them: games as they end, Ctrl-C, stores that nobody named, rounds.
#![cfg(unix)]

use assert_cmd::cargo::cargo_bin;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The program with these words and a data folder of its own.
fn program(folder: &TempDir, words: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("monteverde"));
    command.args(words).env("XDG_DATA_HOME", folder.path().join("data"));
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
fn done(command: &mut Command) -> (String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(status.success(), "{}", text(&stderr));
    (text(&stdout), text(&stderr))
}

/// A match of tic-tac-toe with so many games.
fn small<'w>(games: &'w str, more: &[&'w str]) -> Vec<&'w str> {
    let words = ["match", "uct", "uct:c=0.5", "--game", "tic-tac-toe", "--iterations", "20"];
    [&words[..], &["--games", games], more].concat()
}

#[test]
fn a_match_without_a_store_keeps_its_games_and_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let (_, said) = done(&mut program(&folder, &small("6", &[])));
    let line = said.lines().find(|line| line.starts_with("the games are kept in ")).unwrap();
    let path = line["the games are kept in ".len()..].split(';').next().unwrap();
    assert!(Path::new(path).starts_with(folder.path().join("data/monteverde/matches")), "{line}");
    let (_, said) = done(&mut program(&folder, &small("8", &["--store", path])));
    assert!(said.contains("played 2 games") && said.contains("6 were in the store"), "{said}");
    // What cannot be played leaves no file behind.
    let before = fs::read_dir(Path::new(path).parent().unwrap()).unwrap().count();
    let refused = program(&folder, &["match", "uct", "ucx", "--games", "2", "--iterations", "9"]);
    let refused = { refused }.output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(fs::read_dir(Path::new(path).parent().unwrap()).unwrap().count(), before);
}

#[test]
fn games_are_appended_as_they_end() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, store] = ["games.pgn", "a.db"].map(|name| folder.path().join(name));
    let [pgn_text, store] = [&pgn, &store].map(|path| path.to_str().unwrap().to_owned());
    let words = |games| {
        let chess = ["match", "mcc", "mcc:c=2", "--iterations", "4", "--max-plies", "6"];
        let words = chess.into_iter().chain(["--games", games, "--store", &store]);
        words.chain(["--pgn", &pgn_text]).map(str::to_owned).collect::<Vec<String>>()
    };
    let games = || fs::read_to_string(&pgn).unwrap().matches("[Event ").count();
    for (asked, expected) in [("2", 2), ("2", 2), ("6", 6)] {
        let words = words(asked);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        done(&mut program(&folder, &words));
        assert_eq!(games(), expected, "those of the store are not written again");
    }
    let nowhere = small("2", &["--pgn", "/nowhere/games.pgn"]);
    let refused = program(&folder, &nowhere).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("'/nowhere/games.pgn' cannot be written"));
}

/// The first Ctrl-C comes when some games are done, which the file of games shows.
#[test]
fn ctrl_c_prints_the_table_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let [pipe, store] = ["games", "a.db"].map(|name| folder.path().join(name));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let more = ["--store", store.to_str().unwrap(), "--pgn", pipe.to_str().unwrap()];
    let words = small("1000000", &more);
    let mut command = program(&folder, &words);
    let lab = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The pipe is read on, lest the lab wait for its reader.
    let mut lines = BufReader::new(fs::File::open(&pipe).unwrap()).lines();
    let tenth = lines.by_ref().map(Result::unwrap).filter(|line| line.starts_with("[Game ")).nth(9);
    assert!(tenth.is_some(), "games end");
    let sent = Command::new("kill").args(["-INT", &lab.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let reader = std::thread::spawn(move || lines.count());
    let output = lab.wait_with_output().unwrap();
    reader.join().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("score"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("stopped by Ctrl-C; the same command with --store '"));
}

/// An engine of chess that plays `mv` and then no legal move, so that it loses; as second it loses
/// at once.
fn engine(folder: &TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    let text = "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
                uci) echo 'id name script'; echo 'option name Hash type spin default 1 min 1 max 9'\n\
                echo uciok ;;\nsetoption) [ \"$rest\" = 'name Hash value 7' ] && good=1 ;;\n\
                isready) echo readyok ;;\n\
                go) [ \"$good\" ] && echo bestmove e2e5 || echo bestmove xyzzy ;;\nquit) exit ;;\n\
                esac; done\n";
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

#[test]
fn options_of_engines_are_given_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = engine(&folder, "engine");
    let failures = |option: &str| {
        let named = format!("uci:{} {option}", path.display());
        let words = ["match", "mcc", &named, "--games", "2", "--iterations", "4", "--json"];
        let (out, _) = done(&mut program(&folder, &words));
        let document: serde_json::Value = serde_json::from_str(&out).unwrap();
        document["failures"][1].clone()
    };
    assert_eq!(failures("option.Hash=7")["illegal-move"], 2);
    assert_eq!(failures("")["garbage"], 2);
    let named = format!("uci:{} option.Hash", path.display());
    let words = ["match", "mcc", &named, "--games", "2", "--iterations", "4"];
    let refused = program(&folder, &words).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(
        said.contains("'option.Hash' is no option of an engine; accepted is option.NAME=VALUE")
    );
}

fn tournament(folder: &TempDir, format: &str, players: usize) -> PathBuf {
    let path = folder.path().join("cup.toml");
    let mut text =
        format!("game = 'tic-tac-toe'\n{format}\ngames = 2\nopenings = {{ random = 1 }}\n");
    for player in 1..=players {
        // The first is by far the strongest.
        let pace = if player == 1 { 400 } else { player };
        text += &format!(
            "[[player]]\nname = 'p{player}'\nspec = 'uct:seed={player}'\npace = 'iterations={pace}'\n"
        );
    }
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_knockout_and_a_swiss_are_held_in_rounds_and_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("cup.db");
    for (format, players, rounds) in
        [("format = 'knockout'", 5, 3), ("format = 'swiss'\nrounds = 3", 5, 3)]
    {
        let path = tournament(&folder, format, players);
        let words = ["tournament", path.to_str().unwrap(), "--store", store.to_str().unwrap()];
        let (out, _) = done(&mut program(&folder, &words));
        let counted = out.lines().filter(|line| line.starts_with("round ")).count();
        assert_eq!(counted, rounds, "{out}");
        assert!(out.contains("has no opponent"), "five players are no power of two: {out}");
        let (again, said) = done(&mut program(&folder, &words));
        assert_eq!(again, out);
        assert!(said.contains("played 0 games"), "{said}");
    }
    let path = tournament(&folder, "format = 'swiss'\nrounds = 9", 5);
    let refused = program(&folder, &["tournament", path.to_str().unwrap()]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(said.contains("a Swiss tournament of 5 players takes 1 to 5 rounds, not 9"), "{said}");
    let path = tournament(&folder, "format = 'knockout'", 4);
    let part = folder.path().join("part");
    let words = ["tournament", path.to_str().unwrap(), "--shard", "1/2", "--out"];
    let words = [&words[..], &[part.to_str().unwrap()]].concat();
    let refused = program(&folder, &words).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("each round follows from all games of the one before"));
}

#[test]
fn pinned_games_are_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let (free, _) = done(&mut program(&folder, &small("6", &["--concurrency", "1"])));
    let (pinned, _) =
        done(&mut program(&folder, &small("6", &["--concurrency", "1", "--affinity"])));
    assert_eq!(free, pinned);
    let many = small("6", &["--concurrency", "1000", "--affinity"]);
    let refused = program(&folder, &many).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("1000 games at once cannot have cores of their own"));
}

#[test]
fn the_list_of_players_fits_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = done(&mut program(&folder, &["players"]));
    for line in out.lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
}
