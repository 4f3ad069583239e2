//! Moves on earlier positions, and what is searched beside the game.

use crate::common::{Still, connected, say};
use monteverde_desk::{Searching, Session};
use serde_json::{Value, json};

fn humans() -> Value {
    json!([{ "player": "human" }, { "player": "human" }])
}

/// A game of two people with these moves.
fn played(game: &str, moves: &[&str]) -> (Session, std::sync::Arc<Still>) {
    let (mut session, host) = connected();
    say(&mut session, json!({ "type": "new", "game": game, "seats": humans() }));
    for mv in moves {
        say(&mut session, json!({ "type": "play", "move": mv }));
    }
    (session, host)
}

fn state(host: &Still) -> Value {
    host.take("state").pop().expect("the game was told")
}

fn labels(moves: &Value) -> Vec<&str> {
    moves.as_array().unwrap().iter().map(|played| played["label"].as_str().unwrap()).collect()
}

/// Lets searches go on until all have ended.
fn finish(session: &mut Session) {
    while session.step(100) == Searching::Ongoing {}
}

#[test]
fn a_move_on_an_earlier_position_begins_a_variation() {
    let (mut session, host) = played("chess", &["e2e4", "e7e5", "g1f3"]);
    let before = state(&host);
    let first = before["history"][0]["node"].clone();
    say(&mut session, json!({ "type": "play", "move": "c7c5", "at": first }));
    let after = state(&host);
    assert_eq!(labels(&after["history"]), ["e4", "c5"]);
    assert_eq!(labels(&after["variations"]), ["e5", "Nf3"]);
    assert_eq!(after["variations"][0]["parent"], first);
    // The same move in the same state is the same node.
    say(&mut session, json!({ "type": "play", "move": "e7e5", "at": first }));
    let again = state(&host);
    assert_eq!(again["node"], before["history"][1]["node"]);
    assert_eq!(labels(&again["variations"]), ["Nf3", "c5"]);
    // The end of any line can be put on the board.
    say(&mut session, json!({ "type": "go", "node": before["node"] }));
    assert_eq!(labels(&state(&host)["history"]), ["e4", "e5", "Nf3"]);
}

#[test]
fn an_engine_does_not_move_on_a_position_that_was_gone_back_to() {
    let (mut session, host) = connected();
    let seats = json!([{ "player": "human" }, { "player": "uct", "pace": "iterations=20" }]);
    say(&mut session, json!({ "type": "new", "game": "loa", "seats": seats }));
    say(&mut session, json!({ "type": "play", "move": "b8-b6" }));
    finish(&mut session);
    let now = state(&host);
    assert_eq!(now["ply"], 2);
    say(&mut session, json!({ "type": "go", "node": now["history"][0]["node"] }));
    let back = state(&host);
    assert_eq!((&back["paused"], &back["thinking"]), (&json!(true), &Value::Null));
    // Going back to one's own turn goes on with the game.
    say(&mut session, json!({ "type": "run" }));
    finish(&mut session);
    assert_eq!(state(&host)["ply"], 2);
    say(&mut session, json!({ "type": "play", "move": "c8-c6", "at": 0 }));
    finish(&mut session);
    let other = state(&host);
    assert_eq!((&other["ply"], &other["paused"]), (&json!(2), &json!(false)));
    assert!(other["variations"].as_array().unwrap().len() >= 2);
}

#[test]
fn a_flip_that_is_tried_again_shows_another_piece_in_a_variation() {
    let (mut session, host) = played("banqi", &["a1"]);
    for _ in 0..12 {
        say(&mut session, json!({ "type": "play", "move": "a1", "at": 0 }));
    }
    let now = state(&host);
    let moves = now["history"].as_array().unwrap().iter();
    let all: Vec<&Value> = moves.chain(now["variations"].as_array().unwrap()).collect();
    let mut events: Vec<&str> = all.iter().filter_map(|played| played["event"].as_str()).collect();
    events.sort_unstable();
    events.dedup();
    assert_eq!(events.len(), all.len(), "one node for each piece that showed: {all:?}");
    assert!(events.len() > 1);
}

#[test]
fn analysis_is_of_the_position_shown() {
    let (mut session, host) = played("chess", &["e2e4", "e7e5", "g1f3"]);
    host.take("state");
    say(&mut session, json!({ "type": "show", "ply": 1 }));
    let shown = host.take("position").pop().unwrap();
    let pace = "iterations=50";
    say(&mut session, json!({ "type": "analyse", "specs": ["mcc"], "pace": pace }));
    finish(&mut session);
    let report = host.take("report").pop().unwrap();
    assert_eq!((&report["side"], &report["serial"]), (&json!("second"), &shown["serial"]));
    assert!(report["moves"].as_array().unwrap().iter().any(|mv| mv["text"] == "e7e5"));
    // It follows what is shown.
    say(&mut session, json!({ "type": "show", "ply": 0 }));
    finish(&mut session);
    let report = host.take("report").pop().unwrap();
    assert_eq!(report["side"], "first");
    assert!(report["moves"].as_array().unwrap().iter().any(|mv| mv["text"] == "e2e4"));
    // Back on the board it has the serial of the game.
    say(&mut session, json!({ "type": "show", "ply": 3 }));
    let shown = host.take("position").pop().unwrap();
    say(&mut session, json!({ "type": "pause" }));
    assert_eq!(state(&host)["serial"], shown["serial"]);
}

#[test]
fn an_earlier_position_of_a_game_that_is_over_is_analysed() {
    let (mut session, host) = played("chess", &["f2f3", "e7e5", "g2g4", "d8h4"]);
    assert_eq!(state(&host)["outcome"]["reason"], "checkmate");
    say(&mut session, json!({ "type": "show", "ply": 3 }));
    say(&mut session, json!({ "type": "analyse", "specs": ["mcc"], "pace": "iterations=500" }));
    finish(&mut session);
    assert_eq!(host.take("report").pop().unwrap()["best"]["label"], "Qh4#");
}

#[test]
fn a_hint_ends_as_a_hint() {
    let (mut session, host) = played("chess", &[]);
    say(&mut session, json!({ "type": "hint", "pace": "iterations=50" }));
    let begun = host.take("analysis").pop().unwrap();
    assert_eq!(begun["purpose"], "hint");
    finish(&mut session);
    let ended = host.take("analysis").pop().expect("the end of a hint is told");
    assert_eq!((&ended["slots"], &ended["purpose"]), (&json!({}), &Value::Null));
    // One that a move overtakes ends too.
    say(&mut session, json!({ "type": "hint", "pace": "iterations=5000" }));
    host.take("analysis");
    say(&mut session, json!({ "type": "play", "move": "e2e4" }));
    assert_eq!(host.take("analysis").pop().unwrap()["slots"], json!({}));
}

#[test]
fn a_game_is_reviewed_move_by_move() {
    let (mut session, host) = played("chess", &["f2f3", "e7e5", "g2g4", "d8h4"]);
    host.take("state");
    say(&mut session, json!({ "type": "review", "spec": "mcc", "pace": "iterations=200" }));
    finish(&mut session);
    let told = std::mem::take(&mut *host.sent.lock().unwrap());
    let reviewed: Vec<&Value> =
        told.iter().filter(|message| message["type"] == "reviewed").collect();
    let plies: Vec<u64> = reviewed.iter().map(|told| told["ply"].as_u64().unwrap()).collect();
    assert_eq!(plies, [0, 1, 2, 3, 4]);
    assert_eq!(reviewed[3]["best"]["label"], "Qh4#");
    assert_eq!((&reviewed[4]["mean"], &reviewed[4]["best"]), (&json!(-1.0), &Value::Null));
    let analysis = told.iter().rfind(|message| message["type"] == "analysis").unwrap();
    assert_eq!(analysis["purpose"], Value::Null, "it ends by itself");
}

#[test]
fn a_game_is_taken_up_again_from_its_lines() {
    let (mut session, host) = played("chess", &["e2e4", "e7e5"]);
    let first = state(&host)["history"][0]["node"].clone();
    say(&mut session, json!({ "type": "play", "move": "c7c5", "at": first }));
    let before = state(&host);
    let lines = json!([["e2e4", "e7e5"], ["e2e4", "c7c5"]]);
    let again = json!({ "type": "new", "game": "chess", "seats": humans(), "lines": lines });
    say(&mut session, again);
    let after = state(&host);
    assert_eq!(labels(&after["history"]), labels(&before["history"]));
    assert_eq!(labels(&after["variations"]), labels(&before["variations"]));
}

#[test]
fn lines_that_cannot_be_played_change_nothing() {
    let (mut session, host) = played("chess", &["e2e4"]);
    let lines = json!([["e2e4", "e2e4"]]);
    session.message(&json!({ "type": "new", "game": "chess", "lines": lines }).to_string());
    let told = std::mem::take(&mut *host.sent.lock().unwrap());
    let fault = told.iter().find(|message| message["type"] == "error").unwrap();
    assert_eq!(fault["code"], "illegal-move");
    for (message, part) in [
        (json!({ "type": "show", "node": 99 }), "no node 99"),
        (json!({ "type": "show" }), "either 'ply' or 'node'"),
        (json!({ "type": "go", "node": 99 }), "no node 99"),
        (json!({ "type": "play", "move": "e2e4", "at": 99 }), "no node 99"),
    ] {
        session.message(&message.to_string());
        let told = std::mem::take(&mut *host.sent.lock().unwrap());
        assert!(told[0]["message"].as_str().unwrap().contains(part), "{message}: {told:?}");
    }
}

#[test]
fn captured_pieces_are_told() {
    let (_, host) = played("chess", &["e2e4", "d7d5", "e4d5"]);
    let history = state(&host)["history"].clone();
    assert_eq!(history[1]["captured"], Value::Null);
    assert_eq!(history[2]["captured"]["name"], "Black pawn");
}
