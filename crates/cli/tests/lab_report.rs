//! Sweeps, experiments and reports as a user runs them.

use assert_cmd::Command;
use std::fs;
use std::path::Path;

const SWEEP: &str = "
title = 'Exploration'
game = 'tic-tac-toe'
kind = 'match'
player = 'uct'
opponent = 'uct'
pace = 'iterations=20'
games = 4
openings = { random = 2 }
[grid]
c = [0.5, 1, 2]
";

const EXPERIMENT: &str = "
title = 'Random play'
question = 'How often does the first side win?'
[paper]
title = 'Counting by hand'
place = 'page 1'
setup = 'all games'
value = [{ name = 'start', number = 58.492, error = 0.001 }]
[compare]
quantity = 'wins in percent'
measure = 'first'
factor = 100
resolution = 2
[playouts]
game = 'tic-tac-toe'
seed = 2
position = [{ name = 'start' }]
[scale.quick]
count = 10000
";

fn monteverde(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::cargo_bin("monteverde").expect("the program is built");
    command.current_dir(folder).args(arguments.split_whitespace());
    command
}

/// What a successful command prints, and what it says on standard error.
fn outputs(folder: &Path, arguments: &str) -> (String, String) {
    let output = monteverde(folder, arguments).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes text");
    let (printed, said) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{arguments}: {said}");
    (printed, said)
}

/// What a command that is refused says.
fn refusal(folder: &Path, arguments: &str) -> String {
    let output = monteverde(folder, arguments).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2), "{arguments}");
    assert!(output.stdout.is_empty(), "nothing is printed");
    String::from_utf8(output.stderr).expect("the program writes text")
}

#[test]
fn a_sweep_goes_on_where_it_was_and_becomes_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("c.toml"), SWEEP).unwrap();
    let (table, said) = outputs(folder, "sweep c.toml --store c.db --out pages");
    assert!(said.contains("12 games in"), "{said}");
    assert!(table.contains("score"), "{table}");
    let (csv, said) = outputs(folder, "sweep c.toml --store c.db --csv");
    assert!(said.contains("0 games in") && said.contains("12 were in the store"), "{said}");
    assert_eq!(csv, fs::read_to_string(folder.join("pages/sweep.csv")).unwrap());
    let (json, _) = outputs(folder, "sweep c.toml --store c.db --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["cells"].as_array().map(Vec::len), Some(3));
    let page = fs::read_to_string(folder.join("pages/report.html")).unwrap();
    assert!(page.contains("<svg class=\"plot\"") && page.contains("monteverde sweep c.toml"));
}

#[test]
fn a_store_becomes_pages() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let game = "match uct uct:c=0.5 --game tic-tac-toe --games 4 --iterations 20 --store a.db";
    outputs(folder, game);
    outputs(folder, "report --store a.db --out pages");
    let text = fs::read_to_string(folder.join("pages/report.md")).unwrap();
    assert!(text.contains(&format!("monteverde {game}")), "{text}");
    assert!(text.contains("| uct | uct:c=0.5 | 4 ("), "{text}");
}

#[test]
fn an_experiment_is_run_listed_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("experiments")).unwrap();
    fs::write(folder.join("experiments/random-play.toml"), EXPERIMENT).unwrap();
    assert!(outputs(folder, "experiment list").0.contains("open"));
    let (printed, _) = outputs(folder, "experiment run random-play");
    assert!(printed.ends_with("verdict: agrees\n"), "{printed}");
    let (_, said) = outputs(folder, "experiment run random-play");
    assert!(said.contains("10,000 were in the store"), "{said}");
    let (list, _) = outputs(folder, "experiment list --json");
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list["experiments"][0]["scales"]["quick"], "agrees");
    let page = || {
        outputs(folder, "experiment report");
        fs::read(folder.join("experiments/report.html")).unwrap()
    };
    assert_eq!(page(), page(), "made again byte for byte");
    let index = fs::read_to_string(folder.join("docs/papers/README.md")).unwrap();
    assert!(index.contains("](../../experiments/report.html)"), "{index}");
    // A read-me has the table, once it has a place for it; without one nothing is written.
    fs::remove_dir_all(folder.join("docs")).unwrap();
    fs::write(folder.join("README.md"), "# Mine\n").unwrap();
    let said = refusal(folder, "experiment report");
    assert!(said.contains("<!-- experiments: begin -->") && said.contains("README.md"), "{said}");
    assert!(!folder.join("docs").exists());
    let marks = "<!-- experiments: begin -->\n<!-- experiments: end -->\n";
    fs::write(folder.join("README.md"), marks).unwrap();
    outputs(folder, "experiment report");
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    assert!(readme.contains("](docs/papers/"), "{readme}");
    // Elsewhere everything lies together, and the read-me is left alone.
    fs::write(folder.join("README.md"), marks).unwrap();
    fs::create_dir_all(folder.join("pages/papers/old-paper")).unwrap();
    outputs(folder, "experiment report --out pages");
    assert!(folder.join("pages/report.html").is_file());
    assert!(folder.join("pages/papers/README.md").is_file());
    assert_eq!(fs::read_to_string(folder.join("README.md")).unwrap(), marks);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("c.toml"), SWEEP.replace("games =", "gmaes =")).unwrap();
    assert!(refusal(folder, "sweep c.toml").contains("(perhaps 'games'?)"));
    assert!(refusal(folder, "sweep nothing.toml").contains("nothing.toml"));
    assert!(refusal(folder, "report --store no.db --out x").contains("no store at 'no.db'"));
    assert!(refusal(folder, "experiment list").contains("'experiments' cannot be used"));
    fs::create_dir(folder.join("experiments")).unwrap();
    fs::write(folder.join("experiments/random-play.toml"), EXPERIMENT).unwrap();
    assert!(refusal(folder, "experiment run random").contains("(perhaps 'random-play'?)"));
    let scale = refusal(folder, "experiment run random-play --scale paper");
    assert!(scale.contains("has no scale paper; scales: quick"), "{scale}");
}
