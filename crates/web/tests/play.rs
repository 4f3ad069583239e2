//! Games over the WebSocket, from the first move to the last.

use crate::common::{Client, Running, humans};
use serde_json::{Value, json};

#[test]
fn a_game_of_chess_is_played_to_mate() {
    let server = Running::start();
    let mut client = server.client();
    let state = client.ask(json!({ "type": "new", "game": "chess", "seats": humans() }));
    assert_eq!(state["position"]["legal"].as_array().unwrap().len(), 20);
    for mv in ["f2f3", "e7e5", "g2g4"] {
        let state = client.ask(json!({ "type": "play", "move": mv }));
        assert_eq!(state["outcome"], Value::Null);
    }
    let state = client.ask(json!({ "type": "play", "move": "Qh4#" }));
    assert_eq!(state["outcome"]["sentence"], "Black wins: checkmate.");
    assert_eq!(state["position"]["check"], "e1");
    assert_eq!(state["history"][3]["label"], "Qh4#");
    let over = client.ask(json!({ "type": "play", "move": "e1e2" }));
    assert_eq!((&over["type"], &over["code"]), (&json!("error"), &json!("not-now")));
    let text = client.ask(json!({ "type": "export" }))["text"].as_str().unwrap().to_owned();
    assert!(text.contains("2. g4 Qh4# 0-1"), "{text}");
    let state = client.ask(json!({ "type": "undo" }));
    assert_eq!((&state["ply"], &state["outcome"]), (&json!(3), &Value::Null));
    let state = client.ask(json!({ "type": "import", "text": text }));
    assert_eq!((&state["ply"], &state["outcome"]["reason"]), (&json!(4), &json!("checkmate")));
    let shown = client.ask(json!({ "type": "show", "ply": 1 }));
    assert_eq!(shown["position"]["last"]["to"], "f3");
}

#[test]
fn an_engine_connects_its_stones() {
    let server = Running::start();
    let mut client = server.client();
    // Black connects by moving its last stone beside the others: the engine must see it.
    let seats = json!([{ "player": "best", "pace": "iterations=400" }, { "player": "human" }]);
    let state = "8/8/8/3xx3/8/8/o6x/o6o b";
    client.send(json!({ "type": "new", "game": "loa", "state": state, "seats": seats }));
    let over = client.wait(|message| message["type"] == "state" && !message["outcome"].is_null());
    assert_eq!(
        (&over["outcome"]["result"], &over["outcome"]["reason"]),
        (&json!("first"), &json!("connection"))
    );
    assert_eq!(over["history"][0]["by"], "engine");
    assert!(over["history"][0]["report"]["iterations"].as_u64().unwrap() > 0);
    let text = client.ask(json!({ "type": "export" }));
    assert_eq!(text["format"], "sgf");
    let again = client.ask(json!({ "type": "import", "text": text["text"] }));
    assert_eq!((&again["game"], &again["ply"]), (&json!("loa"), &json!(1)));
}

#[test]
fn a_game_of_dark_chess_is_played_by_two_engines() {
    let server = Running::start();
    let mut client = server.client();
    let engine = json!({ "player": "uct", "pace": "iterations=30" });
    let state = "XX/XX - KPkp 0";
    client
        .send(json!({ "type": "new", "game": "banqi", "state": state, "seats": [engine, engine] }));
    let over = client.wait(|message| message["type"] == "state" && !message["outcome"].is_null());
    let history = over["history"].as_array().unwrap();
    assert_eq!(history[0]["from"], history[0]["to"]);
    let event = history[0]["event"].as_str().unwrap();
    assert!("KPkp".contains(event), "{event}");
    let first = if event.to_uppercase() == event { "Red" } else { "Black" };
    assert_eq!(over["position"]["side_names"][0], first);
    let text = client.ask(json!({ "type": "export" }));
    let again = client.ask(json!({ "type": "import", "text": text["text"] }));
    assert_eq!(again["position"]["text"], over["position"]["text"]);
    assert_eq!(again["ply"], over["ply"]);
}

/// A person against an engine: the person plays the first legal move whenever it is its turn.
#[test]
fn a_person_and_an_engine_take_turns() {
    let server = Running::start();
    let mut client = server.client();
    let seats = json!([{ "player": "human" }, { "player": "uct", "pace": "iterations=50" }]);
    client.send(json!({ "type": "new", "game": "tic-tac-toe", "seats": seats }));
    let mut plies = 0;
    loop {
        let state = client.wait_for("state");
        if !state["outcome"].is_null() {
            assert_eq!(state["position"]["legal"], json!([]));
            break;
        }
        if state["position"]["turn"] == "first" && state["ply"].as_u64() >= Some(plies) {
            plies = state["ply"].as_u64().unwrap() + 2;
            client.send(json!({ "type": "play", "move": state["position"]["legal"][0]["text"] }));
        }
    }
}

#[test]
fn the_engine_is_watched_and_its_tree_is_opened() {
    let server = Running::start();
    let mut client = server.client();
    client.ask(json!({ "type": "new", "game": "chess", "seats": humans() }));
    let answer = client.ask(json!({ "type": "analyse", "specs": ["mcc", "mcc:c=0.3"] }));
    assert_eq!(answer["slots"], json!({ "a": "mcc", "b": "mcc:c=0.3" }));
    client.send(json!({ "type": "tree", "slot": "a", "paths": [[], ["e2e4"], ["e2e4", "e7e5"], ["e2e5"]], "most": 5 }));
    let mut visits = 0;
    for _ in 0..3 {
        let nodes = client.wait(|message| message["type"] == "nodes" && message["running"] == true);
        let root = &nodes["nodes"][0];
        assert_eq!(
            (root["children"].as_array().unwrap().len(), &root["left_out"]),
            (5, &json!(15))
        );
        assert_eq!(
            (&nodes["nodes"][1]["side"], &nodes["nodes"][1]["turn"]),
            (&json!("first"), &json!("second"))
        );
        assert_eq!(nodes["nodes"][3]["found"], false);
        let now = root["visits"].as_u64().unwrap();
        assert!(now > visits, "the tree grows");
        visits = now;
    }
    for slot in ["a", "b"] {
        let report = client.wait(|message| message["type"] == "report" && message["slot"] == slot);
        assert_eq!(
            (report["final"].as_bool(), report["moves"].as_array().unwrap().len()),
            (Some(false), 20)
        );
        let best = &report["moves"][0];
        assert!(
            best["low"].as_f64() <= best["mean"].as_f64()
                && best["mean"].as_f64() <= best["high"].as_f64()
        );
        assert!(best["pv"][0] == best["text"] && report["per_second"].as_f64() > Some(0.0));
    }
    // A move is played: the analysis goes on with the state after it.
    let state = client.ask(json!({ "type": "play", "move": "e2e4" }));
    let report =
        client.wait(|message| message["type"] == "report" && message["serial"] == state["serial"]);
    assert_eq!(report["side"], "second");
    client.send(json!({ "type": "stop", "tag": "s" }));
    let stopped = client.wait(|message| message["tag"] == "s");
    assert_eq!(stopped["slots"], json!({}));
    server.wait_for_searches(0);
}

#[test]
fn chance_events_show_in_the_tree_with_their_odds() {
    let server = Running::start();
    let mut client = server.client();
    client.ask(
        json!({ "type": "new", "game": "banqi", "state": "XX/XX - KPkp 0", "seats": humans() }),
    );
    client.send(json!({ "type": "analyse", "specs": ["uct"], "pace": "iterations=2000" }));
    client.wait(|message| message["type"] == "report" && message["final"] == true);
    client.send(json!({ "type": "tree", "slot": "a", "paths": [["a1"], ["a1", "K"]] }));
    let nodes = client.wait(|message| message["type"] == "nodes");
    let flip = &nodes["nodes"][0];
    let children = flip["children"].as_array().unwrap();
    assert_eq!(children.len(), 4);
    for child in children {
        assert_eq!((&child["by"], &child["probability"]), (&json!("chance"), &json!(0.25)));
    }
    assert_eq!(
        (&nodes["nodes"][1]["by"], &nodes["nodes"][1]["found"]),
        (&json!("chance"), &json!(true))
    );
}

#[test]
fn clocks_run_and_run_out() {
    let server = Running::start();
    let mut client = server.client();
    let seats = json!([{ "player": "human", "pace": "clock=300ms" }, { "player": "human", "pace": "clock=1m+1s" }]);
    let state = client.ask(json!({ "type": "new", "game": "loa", "seats": seats }));
    assert_eq!(
        (&state["clocks"][0]["running"], &state["clocks"][1]["left_ms"]),
        (&json!(true), &json!(60000))
    );
    let over = client.wait(|message| message["type"] == "state" && !message["outcome"].is_null());
    assert_eq!(over["outcome"]["sentence"], "White wins: the other side's time is up.");
    assert_eq!(over["clocks"][0]["left_ms"], 0);
}

#[test]
fn a_game_is_paused_changed_and_resigned() {
    let server = Running::start();
    let mut client = server.client();
    let engine = json!({ "player": "mcc", "pace": "time=1h" });
    let state = client.ask(json!({ "type": "new", "game": "chess", "seats": [engine, engine] }));
    assert_eq!(
        (&state["thinking"], &state["sentence"]),
        (&json!("first"), &json!("White is thinking."))
    );
    let refused = client.ask(json!({ "type": "play", "move": "e2e4" }));
    assert_eq!(refused["code"], "not-now");
    client.send(json!({ "type": "move-now" }));
    let state = client.wait(|message| message["type"] == "state" && message["ply"] == 1);
    assert_eq!(state["thinking"], "second");
    let state = client.ask(json!({ "type": "pause" }));
    assert_eq!((&state["paused"], &state["thinking"]), (&json!(true), &Value::Null));
    server.wait_for_searches(0);
    let seats = json!([{ "player": "human" }, { "player": "ab", "pace": "depth=2" }]);
    client.ask(json!({ "type": "seats", "seats": seats }));
    client.send(json!({ "type": "run" }));
    let state = client.wait(|message| message["type"] == "state" && message["ply"] == 2);
    assert_eq!(state["history"][1]["report"]["spec"], "ab");
    let state = client.ask(json!({ "type": "resign" }));
    assert_eq!(state["outcome"]["sentence"], "Black wins: the other side resigned.");
    let state = client.ask(json!({ "type": "undo", "to": 1 }));
    assert_eq!(
        (&state["ply"], &state["paused"], &state["outcome"]),
        (&json!(1), &json!(true), &Value::Null)
    );
    let hint = client.ask(json!({ "type": "hint", "pace": "iterations=200" }));
    assert_eq!(hint["slots"], json!({ "a": "best" }));
    let report = client.wait(|message| message["type"] == "report" && message["final"] == true);
    assert_eq!((&report["slot"], &report["side"]), (&json!("a"), &json!("second")));
}

/// Every game that there is can be played by its default player for a while.
#[test]
fn every_game_can_be_played() {
    let server = Running::start();
    let games = server.get_json("/api/games");
    for game in games["games"].as_array().unwrap() {
        let mut client = server.client();
        play_some(
            &mut client,
            game["name"].as_str().unwrap(),
            game["default_player"].as_str().unwrap(),
        );
    }
}

fn play_some(client: &mut Client, game: &str, player: &str) {
    let engine = json!({ "player": player, "pace": "iterations=10" });
    client.send(json!({ "type": "new", "game": game, "seats": [engine, engine] }));
    client.wait(|message| {
        assert_ne!(message["type"], "error", "{game}: {message}");
        message["type"] == "state"
            && (message["ply"].as_u64() >= Some(6) || !message["outcome"].is_null())
    });
}
