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
    assert!(outputs(folder, "experiment list").0.contains("not measured yet"));
    let (printed, _) = outputs(folder, "experiment run random-play");
    assert!(printed.ends_with("verdict: agrees\n"), "{printed}");
    let (_, said) = outputs(folder, "experiment run random-play");
    assert!(said.contains("10,000 were in the store"), "{said}");
    let (list, _) = outputs(folder, "experiment list --json");
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list["experiments"][0]["scales"]["quick"], "agrees");
    assert_eq!(list["counts"]["agree"], 1);
    let (table, _) = outputs(folder, "experiment list");
    let counts = "1 numbers of the papers: 1 agree, 0 differ, 0 undecided, 0 not counted, 0 not";
    assert!(table.contains(counts) && table.contains("core"), "{table}");
    let page = || {
        outputs(folder, "experiment report");
        fs::read(folder.join("docs/papers/README.md")).unwrap()
    };
    assert_eq!(page(), page(), "made again byte for byte");
    assert!(!folder.join("experiments/report.html").exists(), "only --out writes it");
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
    assert!(folder.join("pages/details").is_dir());
    assert_eq!(fs::read_to_string(folder.join("README.md")).unwrap(), marks);
}

const TOURNAMENT: &str = "
title = 'Three players'
question = 'Who wins?'
[tournament]
game = 'tic-tac-toe'
format = 'round-robin'
games = 12
seed = 5
openings = { random = 1 }
equal-time = { reference = 'uct', iterations = 60, speeds = { one = 1000, two = 500, uct = 1000 } }
player = [
  { name = 'one', spec = 'uct' },
  { name = 'two', spec = 'uct:c=0.5' },
  { name = 'own pace', spec = 'uct:c=2', pace = 'iterations=60' },
]
[scale.quick]
";

/// The moves of each game with who began, out of a store.
fn games(folder: &Path, store: &str, names: [&str; 2]) -> Vec<String> {
    let (text, _) = outputs(folder, &format!("export --store {store} --format jsonl"));
    let mut games = Vec::new();
    for line in text.lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let players = [&game["first"], &game["second"]].map(|name| name.as_str().unwrap());
        let Some(first) = names.iter().position(|name| *name == players[0]) else { continue };
        if names.contains(&players[1]) {
            let moves = game["moves"].as_array().unwrap().iter();
            let moves: Vec<&str> = moves.map(|step| step["text"].as_str().unwrap()).collect();
            games.push(format!("{first}: {}", moves.join(" ")));
        }
    }
    games.sort();
    games
}

/// The command under the table of meetings plays the very same games, with equal paces and with
/// unequal ones.
#[test]
fn a_meeting_is_played_again_by_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("experiments")).unwrap();
    fs::write(folder.join("experiments/three.toml"), TOURNAMENT).unwrap();
    outputs(folder, "experiment run three");
    outputs(folder, "experiment report --out pages");
    let results = fs::read_to_string(folder.join("experiments/three/quick.json")).unwrap();
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    let digests = results["data"]["tournament"]["digests"].as_array().unwrap();
    let page = fs::read_to_string(folder.join("pages/details/our-questions.md")).unwrap();
    let commands: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("monteverde match ")).collect();
    let expected = [
        ("--pace-a iterations=60 --pace-b iterations=30", ["one", "two"], ["uct", "uct:c=0.5"]),
        ("--iterations 60", ["one", "own pace"], ["uct", "uct:c=2"]),
        (
            "--pace-a iterations=30 --pace-b iterations=60",
            ["two", "own pace"],
            ["uct:c=0.5", "uct:c=2"],
        ),
    ];
    assert_eq!((commands.len(), digests.len()), (3, 3), "{page}");
    for (number, (paces, names, specs)) in expected.into_iter().enumerate() {
        let (command, comment) = commands[number].split_once("  # ").unwrap();
        assert!(command.contains(paces), "{command}");
        assert_eq!(comment, names.join(" against "));
        let store = format!("again{number}.db");
        let (text, _) = outputs(folder, &format!("match {command} --json --store {store}"));
        let again: serde_json::Value = serde_json::from_str(&text).unwrap();
        let digest = &digests[number]["digest"];
        assert_eq!(&again["digest"], digest, "{command}");
        assert!(page.contains(digest.as_str().unwrap()), "the table shows it");
        let played = games(folder, &store, specs);
        assert_eq!(played.len(), 12);
        assert_eq!(played, games(folder, "experiments/three/quick.db", names), "{command}");
    }
    // A part by itself is printed, and changes nothing that is kept.
    let before = fs::read(folder.join("experiments/three/quick.json")).unwrap();
    let part = monteverde(folder, "experiment run three --only").arg("one against two").output();
    let part = String::from_utf8(part.unwrap().stdout).unwrap();
    assert!(part.contains("Ratings"), "{part}");
    assert_eq!(fs::read(folder.join("experiments/three/quick.json")).unwrap(), before);
    let (list, _) = outputs(folder, "experiment list");
    let line = list.lines().find(|line| line.contains(" three ")).unwrap();
    assert!(line.contains("36 games") && line.contains("measured"), "{list}");
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
