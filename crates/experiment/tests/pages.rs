//! The pages that are kept are those that the program makes of what was measured.

use monteverde_experiment::{read_all, site, with_summary};
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
    let site = site(&experiments, "docs/papers").unwrap();
    let mut wrong = Vec::new();
    let mut check = |name: &str, expected: &str| {
        let found = fs::read_to_string(root().join(name)).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{name}, {}", difference(&found, expected)));
        }
    };
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

/// The pages were 120,000 words long once; a first reading is a seventh of that.
#[test]
fn the_first_reading_is_short() {
    let mut words = Vec::new();
    for name in files(&root().join("docs/papers"), "") {
        assert!(!name.ends_with(".html"), "{name}: pages of HTML are made on demand");
        if name.ends_with(".md") {
            let text = fs::read_to_string(root().join("docs/papers").join(&name)).unwrap();
            words.push((text.split_whitespace().count(), name));
        }
    }
    let all: usize = words.iter().map(|(count, _)| count).sum();
    assert!(all <= 17_000, "{all} words: {words:?}");
    assert!(!root().join("experiments/report.html").exists(), "pages of HTML are made on demand");
}

/// The read-me was 2,456 words long once; nobody reads so much at a door.
#[test]
fn the_read_me_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let words = readme.split_whitespace().count();
    assert!(words <= 700, "{words} words");
}

/// Every experiment on a paper's numbers answers something that the list of tables and figures
/// names.
#[test]
fn every_experiment_of_a_paper_is_in_the_list() {
    let list = fs::read_to_string(root().join("docs/papers/printed.md")).unwrap();
    for experiment in read_all(&games(), &root().join("experiments")).unwrap() {
        let is_of_paper = experiment.source() != "our own question";
        let is_listed = list.contains(&format!("[{}](", experiment.id));
        assert_eq!(is_listed, is_of_paper, "{}", experiment.id);
    }
}

/// Sentences that the results do not carry were taken back; they stay so.
#[test]
fn what_the_results_do_not_carry_is_not_said() {
    let taken_back = [
        "playouts gain with time, as in the paper",
        "more than any difference of machines",
        "every number that the papers print",
        "nothing in them is written by hand",
    ];
    let mut texts = vec![root().join("README.md")];
    for folder in ["docs/papers", "experiments"] {
        let names = files(&root().join(folder), "").into_iter();
        let names = names.filter(|name| name.ends_with(".md") || name.ends_with(".toml"));
        texts.extend(names.map(|name| root().join(folder).join(name)));
    }
    for path in texts {
        let text = fs::read_to_string(&path).unwrap().to_lowercase();
        for phrase in taken_back {
            assert!(!text.contains(phrase), "{} says '{phrase}'", path.display());
        }
    }
}

/// Whoever reads the read-me finds whether the solver helps in Lines of Action, here and in the
/// paper.
#[test]
fn the_read_me_answers_whether_the_solver_helps() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let line =
        readme.lines().find(|line| line.contains("Does the solver help in Lines of Action?"));
    let cells: Vec<&str> = line.expect("a line of the table").split(" | ").collect();
    assert!(cells[0].contains("docs/papers/mcts-solver.md#loa-solver"), "{cells:?}");
    assert!(cells[1].starts_with("64.") && cells[2].contains('.'), "{cells:?}");
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
