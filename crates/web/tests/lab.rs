//! Matches from the page, and what can be browsed of the lab.

use crate::common::Running;
use monteverde_web::{ClusterView, Options};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

fn match_of(game: &str, a: &str, games: u64) -> String {
    json!({ "game": game, "a": a, "b": "uct:c=0.3", "games": games, "pace": "iterations=20", "random_plies": 1 })
        .to_string()
}

fn wait_for_end(server: &Running, id: &Value) -> Value {
    let start = Instant::now();
    loop {
        let standing = server.get_json(&format!("/api/lab/matches/{id}"));
        if standing["state"] != "running" {
            return standing;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{standing}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_match_is_played_and_browsed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::with(Options { lab: folder.path().to_owned(), ..Options::default() });
    assert_eq!(server.get_json("/api/lab/stores"), json!({ "stores": [] }));
    assert_eq!(server.get_json("/api/lab/experiments"), json!({ "experiments": [] }));
    let (status, started) =
        server.send("POST", "/api/lab/matches", &match_of("tic-tac-toe", "uct", 10));
    assert_eq!((status, &started["state"]), (201, &json!("running")), "{started}");
    let done = wait_for_end(&server, &started["id"]);
    assert_eq!((&done["state"], &done["played"]), (&json!("done"), &json!(10)), "{done}");
    let points = |key: &str| done[key].as_u64().unwrap();
    assert_eq!(points("wins") + points("draws") + points("losses"), 10);
    assert!(done["score"]["value"].as_f64().is_some() && done["los"].as_f64().is_some());

    let stores = server.get_json("/api/lab/stores");
    assert_eq!(
        (&stores["stores"][0]["id"], &stores["stores"][0]["games"]),
        (&json!("page.db"), &json!(10))
    );
    let report = server.get_json("/api/lab/stores/page.db");
    let contest = &report["report"]["sections"][0]["parts"][0]["contest"];
    assert_eq!(contest["players"].as_array().unwrap().len(), 2);
    assert_eq!(contest["meetings"][0]["games"]["wins"].as_u64().map(|wins| wins <= 10), Some(true));
    let games = server.get_json("/api/lab/stores/page.db/games?game=tic-tac-toe&count=3");
    assert_eq!((&games["total"], games["games"].as_array().unwrap().len()), (&json!(10), 3));
    let key = games["games"][0]["key"].as_str().unwrap();
    let record = &server.get_json(&format!("/api/lab/stores/page.db/games/{key}"))["game"];
    let moves = record["moves"].as_array().unwrap();
    assert!(
        moves.iter().any(|step| step["visits"].as_u64() > Some(0)),
        "the search report of each move: {record}"
    );
    let steps: Vec<&Value> = moves.iter().map(|step| &step["text"]).collect();
    let line = json!({ "state": record["start_state"], "steps": steps }).to_string();
    let (_, replayed) = server.send("POST", "/api/games/tic-tac-toe/replay", &line);
    assert_eq!(replayed["positions"].as_array().unwrap().len(), steps.len() + 1);
    assert!(!replayed["positions"][steps.len()]["outcome"].is_null());

    // The same match, larger, goes on from there.
    let (_, again) = server.send("POST", "/api/lab/matches", &match_of("tic-tac-toe", "uct", 14));
    assert_eq!(wait_for_end(&server, &again["id"])["played"], 14);
    assert_eq!(server.get_json("/api/lab/stores")["stores"][0]["games"], 14);
}

#[test]
fn a_match_is_stopped_and_nonsense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::with(Options { lab: folder.path().to_owned(), ..Options::default() });
    let start = |body: &str| server.send("POST", "/api/lab/matches", body);
    for (body, status, code) in [
        (match_of("go", "uct", 10), 404, "unknown-game"),
        (match_of("chess", "uci:sh -c true", 10), 400, "bad-spec"),
        (match_of("tic-tac-toe", "uct:memory=8GiB", 10), 429, "limit"),
        (match_of("tic-tac-toe", "uct", 0), 400, "bad-message"),
        (match_of("tic-tac-toe", "uct", 10_001), 400, "bad-message"),
        ("{}".to_owned(), 400, "bad-message"),
        ("nonsense".to_owned(), 400, "bad-message"),
    ] {
        let (found, answer) = start(&body);
        assert_eq!(
            (found, answer["error"]["code"].as_str()),
            (status, Some(code)),
            "{body}: {answer}"
        );
    }
    let (_, answer) = start(&match_of("tic-tac-toe", "uct", 0));
    assert!(answer["error"]["message"].as_str().unwrap().contains("1 to 10000 games"), "{answer}");
    let (_, long) = start(&match_of("tic-tac-toe", "uct:c=0.7", 10_000));
    assert_eq!(start(&match_of("tic-tac-toe", "uct", 2)).0, 409, "one match at a time");
    let (status, _) = server.send("DELETE", &format!("/api/lab/matches/{}", long["id"]), "");
    assert_eq!(status, 200);
    assert_eq!(wait_for_end(&server, &long["id"])["state"], "stopped");
    for path in [
        "stores/..%2F..%2Fetc%2Fpasswd",
        "stores/none.db",
        "stores/page.db/games/00",
        "experiments/none",
        "matches/99",
    ] {
        let (status, _, body) = server.get(&format!("/api/lab/{path}"));
        assert_eq!(status, 404, "{path}: {body}");
    }
    assert_eq!(server.get("/api/lab/matches/x").0, 400);
}

#[test]
fn experiments_show_the_papers_numbers_beside_ours() {
    let lab = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let server = Running::with(Options { lab, ..Options::default() });
    let all = server.get_json("/api/lab/experiments");
    let found =
        all["experiments"].as_array().unwrap().iter().find(|one| one["id"] == "mcc-main").unwrap();
    assert!(found["title"].as_str().is_some() && found["scales"]["paper"].as_str().is_some());
    let one = server.get_json("/api/lab/experiments/mcc-main");
    let parts = one["report"]["sections"][0]["parts"].as_array().unwrap();
    let comparison = parts.iter().find_map(|part| part.get("comparison")).unwrap();
    let row = &comparison["rows"][0];
    assert!(row["paper"]["value"].as_f64().is_some() && row["verdict"].as_str().is_some(), "{row}");
}

/// A move may take an hour, and a match is stopped all the same; the game that was stopped is not
/// kept.
#[test]
fn a_match_is_stopped_within_a_move() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::with(Options { lab: folder.path().to_owned(), ..Options::default() });
    let wanted = json!({ "game": "tic-tac-toe", "a": "uct", "b": "uct:c=0.3", "games": 10, "pace": "time=1h" });
    let (_, started) = server.send("POST", "/api/lab/matches", &wanted.to_string());
    std::thread::sleep(Duration::from_millis(500));
    let start = Instant::now();
    server.send("DELETE", &format!("/api/lab/matches/{}", started["id"]), "");
    let stopped = wait_for_end(&server, &started["id"]);
    assert_eq!((&stopped["state"], &stopped["played"]), (&json!("stopped"), &json!(0)));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(server.get_json("/api/lab/stores")["stores"][0]["games"], 0);
}

#[test]
fn a_match_gets_its_part_of_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let lab = folder.path().to_owned();
    let options = Options { lab, memory: 64 << 20, sessions: 4, cores: 2, ..Options::default() };
    let server = Running::with(options);
    let start = |a: &str| server.send("POST", "/api/lab/matches", &match_of("tic-tac-toe", a, 2));
    let (status, refused) = start("uct:memory=5MiB");
    let sentence = refused["error"]["message"].as_str().unwrap();
    assert!(status == 429 && sentence.contains("at most 4MiB"), "{refused}");
    let (_, started) = start("uct");
    assert_eq!(wait_for_end(&server, &started["id"])["state"], "done");
    let games = server.get_json("/api/lab/stores/page.db/games");
    let names = [&games["games"][0]["first"], &games["games"][0]["second"]];
    assert!(names.iter().all(|name| name.as_str().unwrap().contains("memory=4MiB")), "{names:?}");
    assert_eq!(games["left_out"], Value::Null);
}

#[test]
fn workers_elsewhere_are_seen_and_asked_for_once_in_a_while() {
    let server = Running::with(Options::default());
    assert_eq!(server.get_json("/api/lab/cluster"), json!({ "cluster": null }));
    let mut looks = 0;
    let view = ClusterView::new(move || {
        looks += 1;
        Ok(json!({ "looks": looks }))
    });
    let server = Running::with(Options { cluster: Some(view), ..Options::default() });
    for _ in 0..3 {
        assert_eq!(server.get_json("/api/lab/cluster"), json!({ "cluster": { "looks": 1 } }));
    }
    let gone = ClusterView::new(|| Err("nobody is there".to_owned()));
    let server = Running::with(Options { cluster: Some(gone), ..Options::default() });
    let seen = server.get_json("/api/lab/cluster");
    assert_eq!(seen, json!({ "cluster": { "error": "nobody is there" } }));
}
