//! Sessions without threads: a host that counts its own time and lets searches think step by step.

use crate::common::{connected, say};
use monteverde_desk::{Host, Searching};
use serde_json::{Value, json};
use std::time::Duration;

#[test]
fn every_game_is_played_in_steps() {
    for (game, player) in
        [("chess", "mcc"), ("loa", "uct"), ("banqi", "uct"), ("tic-tac-toe", "uct")]
    {
        let (mut session, host) = connected();
        let seat = json!({ "player": player, "pace": "iterations=1000" });
        say(&mut session, json!({ "type": "new", "game": game, "seats": [seat, seat] }));
        host.take("state");
        let mut steps = 0;
        while host.sent.lock().unwrap().iter().all(|message| message["type"] != "state") {
            assert_eq!(session.step(100), Searching::Ongoing, "{game}");
            steps += 1;
        }
        let reports: Vec<Value> = host.sent.lock().unwrap().clone();
        let last = reports.iter().rfind(|message| message["final"] == true).unwrap();
        assert_eq!((&last["iterations"], &last["kept"]), (&json!(1000), &json!(0)), "{game}");
        let visits = last["moves"].as_array().unwrap().iter().map(|mv| mv["visits"].as_u64());
        assert!((900..=1000).contains(&visits.flatten().sum::<u64>()), "{game}: {last}");
        assert_eq!(steps, 10, "{game}");
        let state = host.take("state").pop().unwrap();
        assert_eq!((&state["ply"], &state["thinking"]), (&json!(1), &json!("second")), "{game}");
    }
}

#[test]
fn a_search_in_steps_ends_by_its_time_and_by_a_stop() {
    let (mut session, host) = connected();
    say(&mut session, json!({ "type": "new", "game": "loa" }));
    say(&mut session, json!({ "type": "analyse", "specs": ["uct"], "pace": "time=1s" }));
    host.take("analysis");
    assert_eq!(session.step(50), Searching::Ongoing);
    host.pass(Duration::from_millis(500));
    assert_eq!(session.step(50), Searching::Ongoing);
    let reports = host.take("report");
    assert!(reports.iter().any(|report| report["slot"] == "a" && report["iterations"] == 100));
    host.pass(Duration::from_millis(600));
    assert_eq!(session.step(50), Searching::Idle);
    let ended: Vec<Value> = host.take("report");
    assert!(ended.iter().any(|report| report["slot"] == "a" && report["final"] == true));

    say(
        &mut session,
        json!({ "type": "seats", "seats": [{ "player": "uct", "pace": "time=9m" }, { "player": "human" }] }),
    );
    assert_eq!(session.step(10), Searching::Ongoing);
    say(&mut session, json!({ "type": "move-now" }));
    session.step(10);
    let state = host.take("state").pop().unwrap();
    assert_eq!((&state["ply"], &state["thinking"]), (&json!(1), &Value::Null));
}

#[test]
fn clocks_run_by_the_hosts_time() {
    let (mut session, host) = connected();
    let human = json!({ "player": "human", "pace": "clock=10s" });
    say(&mut session, json!({ "type": "new", "game": "tic-tac-toe", "seats": [human, human] }));
    host.pass(Duration::from_secs(4));
    say(&mut session, json!({ "type": "play", "move": "b2" }));
    let state = host.take("state").pop().unwrap();
    assert_eq!(state["clocks"][0]["left_ms"], 5999);
    host.pass(Duration::from_secs(11));
    assert!(session.deadline().unwrap() < host.now());
    session.alarm();
    let state = host.take("state").pop().unwrap();
    assert_eq!(state["outcome"]["sentence"], "X wins: the other side's time is up.");
}
