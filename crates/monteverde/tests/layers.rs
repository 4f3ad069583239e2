//! No crate names a game but the rules, what is known of them, and the crate of the entries.
//! Whatever else is written is for any game, a stranger's too.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates that may. `bench` compares our rules with those of others, and nothing depends on it.
const MAY_NAME_GAMES: [&str; 7] =
    ["chess", "loa", "banqi", "knowledge", "tablebase", "games", "bench"];

/// What names a game in a manifest.
const PACKAGES: [&str; 3] = ["monteverde-chess", "monteverde-loa", "monteverde-banqi"];

/// What names a game in code.
const WORDS: [&str; 9] = [
    "monteverde_chess",
    "monteverde_loa",
    "monteverde_banqi",
    "\"chess\"",
    "\"loa\"",
    "\"banqi\"",
    "Chess::NAME",
    "Loa::NAME",
    "Banqi::NAME",
];

#[test]
fn no_crate_but_these_depends_on_a_game() {
    let mut found = Vec::new();
    for folder in other_crates() {
        let path = folder.join("Cargo.toml");
        let manifest = fs::read_to_string(&path).expect("a crate has a manifest");
        let mut is_dependency = false;
        for line in manifest.lines() {
            if line.starts_with('[') {
                is_dependency = line.contains("dependencies") && !line.contains("dev-dependencies");
            }
            let names_game = PACKAGES.iter().any(|package| line.starts_with(package));
            if is_dependency && names_game {
                found.push(format!("{}: {line}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "dependencies on games:\n{}", found.join("\n"));
}

#[test]
fn no_code_of_other_crates_names_a_game() {
    let mut found = Vec::new();
    for folder in other_crates() {
        for path in sources(&folder.join("src")) {
            let text = fs::read_to_string(&path).expect("a source file is text");
            for (number, line) in (1..).zip(without_tests(&text).lines()) {
                let code = line.trim_start();
                let names_game = WORDS.iter().any(|word| code.contains(word));
                if names_game && !code.starts_with("//") {
                    found.push(format!("{}:{number}: {code}", path.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "games are named in:\n{}", found.join("\n"));
}

#[test]
fn tests_at_the_end_of_a_file_are_left_out() {
    let text = "use a;\n#[cfg(test)]\nmod tests;\n\nfn f() {}\n\n#[cfg(test)]\n#[allow(x)]\nmod more {\n}\n";
    assert_eq!(without_tests(text), "use a;\n#[cfg(test)]\nmod tests;\n\nfn f() {}\n\n");
}

/// The folders of all crates that may not.
fn other_crates() -> Vec<PathBuf> {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let folders = entries(crates).into_iter().filter(|path| path.join("Cargo.toml").is_file());
    let may = |path: &PathBuf| MAY_NAME_GAMES.iter().any(|name| path.ends_with(name));
    let folders: Vec<PathBuf> = folders.filter(|path| !may(path)).collect();
    assert!(folders.len() > 5, "{folders:?}");
    folders
}

/// The Rust files of a folder and the folders in it, but for those that hold tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in entries(folder) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if stem == "tests" || stem.ends_with("_tests") {
            continue;
        }
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// What a folder holds, in order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// A file up to the tests that stand at its end.
fn without_tests(text: &str) -> &str {
    const MARK: &str = "#[cfg(test)]\n";
    let is_inline = |&(at, _): &(usize, &str)| {
        let mut rest = text[at + MARK.len()..].lines();
        rest.find(|line| !line.starts_with("#[")).is_some_and(|line| line.ends_with('{'))
    };
    let end = text.match_indices(MARK).find(is_inline).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
