//! The pages that are kept are those that the program makes of what was measured.

use monteverde_experiment::{Places, read_all, site, with_summary};
use monteverde_games::games;
use monteverde_lab::suite::Suite;
use std::fs;
use std::path::{Path, PathBuf};

const COMMAND: &str = "cargo run --release -- experiment report";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_pages_are_those_of_the_results() {
    let experiments = read_all(&games(), &root().join("experiments")).unwrap();
    let places = Places {
        pages: "docs/papers".to_owned(),
        html: "../../experiments/report.html".to_owned(),
    };
    let site = site(&experiments, &places).unwrap();
    let mut wrong = Vec::new();
    let mut check = |name: &str, expected: &str| {
        let found = fs::read_to_string(root().join(name)).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{name}, {}", difference(&found, expected)));
        }
    };
    check("experiments/report.html", &site.html);
    for (name, text) in &site.pages {
        check(&format!("docs/papers/{name}"), text);
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    check("README.md", &with_summary(&readme, &site.summary).unwrap());
    for name in files(&root().join("docs/papers"), "") {
        if site.pages.iter().all(|(page, _)| *page != name) {
            wrong.push(format!("docs/papers/{name}, which nothing makes any more: delete it"));
        }
    }
    assert!(
        wrong.is_empty(),
        "these pages are not what the results say; run '{COMMAND}' and commit them:\n  {}",
        wrong.join("\n  ")
    );
}

/// A suite that is missing would be noticed only when it is to be solved.
#[test]
fn the_suites_are_in_the_repository() {
    let folder = root().join("experiments");
    let mut suites = Vec::new();
    for name in files(&folder, "").iter().filter(|name| name.ends_with(".toml")) {
        let table: toml::Table = fs::read_to_string(folder.join(name)).unwrap().parse().unwrap();
        let Some(suite) = table.get("suite") else { continue };
        let text = |key: &str| suite[key].as_str().unwrap();
        let suite =
            Suite::read(games().game(text("game")).unwrap(), &folder.join(text("file"))).unwrap();
        suites.push((name.clone(), suite.questions.len()));
    }
    suites.sort();
    let expected = [("loa-endgames.toml", 488), ("mcc-mates.toml", 2_000)];
    assert_eq!(suites, expected.map(|(name, questions)| (name.to_owned(), questions)));
}

/// Where two texts first differ.
fn difference(found: &str, expected: &str) -> String {
    let pairs = found.lines().zip(expected.lines()).enumerate();
    let mut differing = pairs.filter(|(_, (found, expected))| found != expected);
    match differing.next() {
        Some((line, (found, expected))) => {
            format!("line {}: there is '{found}', it should be '{expected}'", line + 1)
        }
        None => format!("{} bytes instead of {}", found.len(), expected.len()),
    }
}

/// The names of all files below a folder.
fn files(folder: &Path, before: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => names.extend(files(&entry.path(), &format!("{name}/"))),
            false => names.push(name),
        }
    }
    names
}
