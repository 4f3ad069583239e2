//! `monteverde network`, and a search with one.

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use std::process::Output;

fn run(args: &[&str]) -> Output {
    cargo_bin_cmd!("monteverde").args(args).output().expect("it starts")
}

fn stdout(args: &[&str]) -> String {
    let output = run(args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

fn refused(args: &[&str], part: &str) {
    let output = run(args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert!(said.contains(part), "{args:?} does not say '{part}': {said}");
}

#[test]
fn networks_are_made_described_checked_and_searched_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    for game in ["chess", "loa", "banqi"] {
        let file = path(game);
        let widths = ["--value", "64", "--policy", "64"];
        let random = ["network", "random", "--game", game, "--seed", "3", "--out", &file];
        stdout(&[&random[..], &widths].concat());
        let card: Value = serde_json::from_str(&stdout(&["network", "info", &file, "--json"]))
            .expect("one document");
        assert_eq!(card["game"], game);
        assert_eq!(card["seed"], 3);
        assert_eq!(card["value"]["width"], 64);
        assert_eq!(card["digest"].as_str().map(str::len), Some(64));
        assert!(stdout(&["network", "info", &file]).contains("features: name "));
        let said = stdout(&["network", "check", &file]);
        assert!(said.contains(&format!("is whole and fits {game} ")), "{said}");
        let player = format!("best:network={file},uct=puct");
        let search =
            ["search", "--game", game, "--iterations", "200", "--json", "--player", &player];
        let (once, again) = (stdout(&search), stdout(&search));
        let moves = |text: &str| {
            let document: Value = serde_json::from_str(text).expect("one document");
            document["moves"].to_string()
        };
        assert_eq!(moves(&once), moves(&again));
        tells_of_its_network(&once);
    }
    let wrong = format!("best:network={}", path("loa"));
    refused(&["search", "--iterations", "10", "--player", &wrong], "a network of the game 'loa'");
    let bytes = std::fs::read(path("loa")).expect("it is there");
    std::fs::write(path("short"), &bytes[..1000]).expect("it can be written");
    refused(&["network", "info", &path("short")], "cut short");
    refused(&["network", "check", &path("nothing")], "it cannot be read");
    refused(&["network", "check", "/dev/null"], "a network is a file");
    let out = path("none");
    refused(&["network", "random", "--game", "tic-tac-toe", "--out", &out], "has no networks");
    refused(&["network", "random", "--value", "65", "--out", &out], "a multiple of 64");
    let none = ["network", "random", "--value", "0", "--policy", "0", "--out", &out];
    refused(&none, "neither a value nor a policy");
    let middle = ["network", "random", "--value", "0", "--middle", "8", "--out", &out];
    refused(&middle, "--middle: it is for the value");
}

/// The value of the root and the shares of its moves, each adding up to 1.
fn tells_of_its_network(text: &str) {
    let document: Value = serde_json::from_str(text).expect("one document");
    let number = |value: &Value| value.as_f64().filter(|it| (0.0..=1.0).contains(it));
    let outlook = &document["outlook"];
    let sum: Option<f64> =
        ["win", "draw", "loss"].map(|key| number(&outlook[key])).into_iter().sum();
    assert!(sum.is_some_and(|sum| (sum - 1.0).abs() < 1e-5), "{outlook}");
    let moves = document["moves"].as_array().expect("a list");
    let sum: Option<f64> = moves.iter().map(|entry| number(&entry["policy"])).sum();
    assert!(sum.is_some_and(|sum| (sum - 1.0).abs() < 1e-5), "{sum:?}");
}

#[test]
fn a_search_tells_of_a_network_only_where_it_has_one() {
    let search = |player: &str, words: &[&str]| {
        stdout(&[&["search", "--iterations", "200", "--player", player], words].concat())
    };
    let with = search("best", &[]);
    assert!(with.contains("policy") && with.contains("\nnetwork    +0."), "{with}");
    tells_of_its_network(&search("best", &["--json"]));
    let without = search("best:network=none", &[]);
    assert!(!without.contains("policy") && !without.contains("\nnetwork "), "{without}");
    let document: Value =
        serde_json::from_str(&search("best:network=none", &["--json"])).expect("one document");
    assert!(document["outlook"].is_null() && document["moves"][0]["policy"].is_null());
    // An alpha-beta search has a network's value in place of its evaluation, and no policy.
    let document: Value =
        serde_json::from_str(&search("ab:network=own", &["--json"])).expect("one document");
    assert!(document["outlook"]["win"].is_number() && document["moves"][0]["policy"].is_null());
}
