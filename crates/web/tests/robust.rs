//! Reloads, closed tabs, bad input and limits.

use crate::common::{Client, Running, humans};
use monteverde_web::{MESSAGE_BYTES, Options};
use serde_json::{Value, json};

#[test]
fn a_reload_comes_back_to_the_game() {
    let server = Running::start();
    let mut client = server.client();
    let seats = json!([{ "player": "human" }, { "player": "uct:c=0.4", "pace": "time=1h" }]);
    client.ask(json!({ "type": "new", "game": "banqi", "seats": seats }));
    let before = client.ask(json!({ "type": "play", "move": "b3" }));
    assert_eq!(before["thinking"], "second");
    server.wait_for_searches(1);
    let session = client.session.clone();
    drop(client);
    server.wait_for_searches(0);
    let mut client = Client::connect(&server, Some(&session)).unwrap();
    assert!(client.resumed && client.session == session);
    let after = client.wait_for("state");
    for key in ["position", "history", "seats", "ply", "thinking"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    server.wait_for_searches(1);
    let other = Client::connect(&server, Some("0123")).unwrap();
    assert!(!other.resumed && other.session != "0123");
}

#[test]
fn a_second_tab_takes_the_session_over() {
    let server = Running::start();
    let mut first = server.client();
    first.ask(json!({ "type": "new", "game": "chess", "seats": humans() }));
    first.send(json!({ "type": "analyse", "specs": ["mcc"] }));
    server.wait_for_searches(1);
    let mut second = Client::connect(&server, Some(&first.session)).unwrap();
    assert_eq!(second.wait_for("state")["game"], "chess");
    assert_eq!(first.wait(|message| message["type"] == "error")["code"], "taken-over");
    while first.try_read().is_some() {}
    server.wait_for_searches(0);
    assert_eq!(second.ask(json!({ "type": "ping" }))["type"], "pong");
}

#[test]
fn what_is_wrong_is_answered_and_changes_nothing() {
    let server = Running::start();
    let mut client = server.client();
    assert_eq!(client.ask(json!({ "type": "play", "move": "e2e4" }))["code"], "not-now");
    let before = client.ask(json!({ "type": "new", "game": "chess", "seats": humans() }));
    for (message, code) in [
        (json!({ "type": "play", "move": "e2e5" }), "illegal-move"),
        (json!({ "type": "play", "move": "♞" }), "illegal-move"),
        (json!({ "type": "play" }), "bad-message"),
        (json!({ "type": "new", "game": "go" }), "unknown-game"),
        (json!({ "type": "new", "game": "chess", "state": "8/8 w" }), "bad-state"),
        (
            json!({ "type": "seats", "seats": [{ "player": "mcx" }, { "player": "human" }] }),
            "bad-spec",
        ),
        (json!({ "type": "seats", "seats": [{ "player": "human" }] }), "bad-message"),
        (
            json!({ "type": "seats", "seats": [{ "player": "human", "pace": "time=1s" }, { "player": "human" }] }),
            "bad-pace",
        ),
        (json!({ "type": "analyse", "specs": [] }), "bad-message"),
        (json!({ "type": "analyse", "specs": ["mcc"], "pace": "fast" }), "bad-pace"),
        (json!({ "type": "analyse", "specs": ["mcc"], "pace": "clock=1m" }), "bad-pace"),
        (json!({ "type": "analyse", "specs": ["uci:sh -c true"] }), "bad-spec"),
        (json!({ "type": "tree", "slot": "a", "paths": vec![Vec::<String>::new(); 65] }), "limit"),
        (json!({ "type": "tree", "slot": "c", "paths": [] }), "bad-message"),
        (json!({ "type": "undo" }), "not-now"),
        (json!({ "type": "undo", "to": 5 }), "not-now"),
        (json!({ "type": "undo", "to": -1 }), "bad-message"),
        (json!({ "type": "show", "ply": 1 }), "bad-message"),
        (json!({ "type": "move-now" }), "not-now"),
        (json!({ "type": "import", "text": "hello" }), "bad-text"),
        (json!({ "type": "import", "text": "(;GM[9", "game": "loa" }), "bad-text"),
    ] {
        let answer = client.ask(message.clone());
        assert_eq!(
            (&answer["type"], &answer["code"]),
            (&json!("error"), &json!(code)),
            "{message}: {answer}"
        );
        assert!(answer["message"].as_str().is_some_and(|text| text.len() > 10), "{answer}");
    }
    let after = client.ask(json!({ "type": "pause" }));
    assert_eq!((&after["position"], &after["serial"]), (&before["position"], &before["serial"]));
}

/// Messages that a careless or hostile client may send: the server answers each, or closes, and
/// serves the next client.
#[test]
fn garbage_gets_errors() {
    let server = Running::start();
    let mut client = server.client();
    let mut pieces = vec![
        String::new(),
        "{".to_owned(),
        "null".to_owned(),
        "\u{0}".to_owned(),
        "[".repeat(5000),
    ];
    let good =
        json!({ "type": "new", "game": "banqi", "state": "XX/XX - KPkp 0", "seats": humans() })
            .to_string();
    for at in (0..good.len()).step_by(3) {
        let mut broken = good.clone().into_bytes();
        broken[at] = broken[at].wrapping_mul(7) % 127;
        pieces.push(String::from_utf8_lossy(&broken).into_owned());
        pieces.push(good[..at].to_owned());
    }
    for chunk in pieces.chunks(40) {
        for piece in chunk {
            client.send_text(piece);
        }
        // The answer to a good message comes after all the others.
        assert_eq!(client.ask(json!({ "type": "ping" }))["type"], "pong");
    }
    client.socket.send(tungstenite::Message::binary(vec![0; 100])).unwrap();
    assert_eq!(client.wait_for("error")["code"], "bad-message");
    for _ in 0..100 {
        client.send_text("garbage");
    }
    let mut last = Value::Null;
    while let Some(message) = client.try_read() {
        last = message;
    }
    assert_eq!(last["code"], "bad-message", "and then the connection was closed");
    assert_eq!(server.client().ask(json!({ "type": "ping" }))["type"], "pong");
}

#[test]
fn there_are_limits() {
    let server =
        Running::with(Options { sessions: 2, memory: 16 << 20, cores: 1, ..Options::default() });
    let mut client = server.client();
    client.send_text(&"x".repeat(MESSAGE_BYTES + 1));
    assert!(client.try_read().is_none(), "too large a message closes the connection");
    // The server may not have noticed yet that the first one is gone.
    let (mut one, mut two) = (server.patient_client(), server.patient_client());
    let refused = Client::connect(&server, None).err().unwrap();
    assert!(refused.contains("too many connections"), "{refused}");
    for client in [&mut one, &mut two] {
        client.ask(json!({ "type": "new", "game": "chess", "seats": humans() }));
        let specs = ["mcc:memory=1GiB,threads=64", "mcc:memory=64GiB"];
        client.send(json!({ "type": "analyse", "specs": specs }));
    }
    for client in [&mut one, &mut two] {
        let report = client.wait(|message| message["type"] == "report" && message["slot"] == "b");
        assert!(report["tree_limit"].as_u64().unwrap() <= 2 << 20, "{}", report["tree_limit"]);
    }
    drop(one);
    let start = std::time::Instant::now();
    while Client::connect(&server, None).is_err() {
        assert!(start.elapsed().as_secs() < 10, "a closed tab makes room");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
