//! Runs over a NATS server: whatever is killed on the way, and whoever sends what, the store holds
//! the games of one machine.
#![cfg(unix)]

use crate::nats::{CutWire, Hostile, RawClient, Running, Server};
use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long is waited for anything.
const PATIENCE: Duration = Duration::from_secs(90);

fn program(words: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("monteverde"));
    // Games for which no store is named are not to be kept among the user's.
    command.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.args(words);
    command
}

fn worker(server: &Server, words: &[&str]) -> Running {
    let url = server.url();
    let mut all = vec!["worker", "--nats", &url, "--threads", "1"];
    all.extend(words);
    Running::start(program(&all))
}

/// A match of so many short games.
fn match_words(games: &str, store: &Path) -> Vec<String> {
    let store = store.to_str().unwrap();
    let words = format!(
        "match uct uct:c=0.5 --game tic-tac-toe --games {games} --iterations 3000 --random-plies 2 --json --store {store}"
    );
    words.split(' ').map(str::to_owned).collect()
}

fn over(server: &Server, words: &[String], more: &[&str]) -> Command {
    let mut command = program(&words.iter().map(String::as_str).collect::<Vec<_>>());
    command.args(["--nats", &server.url()]).args(more).stdout(Stdio::piped());
    command
}

/// The keys of all games of a store, in order.
fn keys(store: &Path) -> Vec<String> {
    let exported =
        program(&["export", "--store", store.to_str().unwrap(), "--format", "jsonl"]).output();
    let text = String::from_utf8(exported.unwrap().stdout).unwrap();
    let key = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        record["key"].as_str().unwrap().to_owned()
    };
    text.lines().map(key).collect()
}

#[track_caller]
fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < PATIENCE, "{what} takes too long");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[track_caller]
fn wait_for_games(store: &Path, count: usize) {
    wait_for(&format!("game {count}"), || keys(store).len() >= count);
}

/// The digest of a match, from the document that it prints.
#[track_caller]
fn digest(output: &[u8]) -> String {
    let document: Value = serde_json::from_slice(output).unwrap();
    document["digest"].as_str().expect("a match has a digest").to_owned()
}

/// The digest and the keys of the same match on one machine.
fn on_one_machine(games: &str) -> (String, BTreeSet<String>) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("one.db");
    let words = match_words(games, &store);
    let output = program(&words.iter().map(String::as_str).collect::<Vec<_>>()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (digest(&output.stdout), keys(&store).into_iter().collect())
}

/// No game lost, none twice, and all of them those of one machine.
#[track_caller]
fn assert_same(output: &std::process::Output, store: &Path, games: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let (digest_here, keys_here) = on_one_machine(games);
    assert_eq!(digest(&output.stdout), digest_here, "{said}");
    let stored = keys(store);
    assert_eq!(stored.len(), keys_here.len());
    assert_eq!(stored.into_iter().collect::<BTreeSet<_>>(), keys_here);
}

#[test]
fn whatever_is_killed_no_game_is_lost_and_none_is_stored_twice() {
    let mut server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("killed.db");
    let words = match_words("200", &store);
    let coordinate = |server: &Server| Running::start(over(server, &words, &["--ack-wait", "2s"]));
    let [mut one, mut two, _three] = [(); 3].map(|()| worker(&server, &[]));
    let mut coordinator = coordinate(&server);
    wait_for_games(&store, 15);
    one.kill();
    wait_for_games(&store, 30);
    let _four = worker(&server, &[]);
    wait_for_games(&store, 50);
    coordinator.kill();
    let before = keys(&store).len();
    // Workers go on meanwhile, and their results are not lost.
    std::thread::sleep(Duration::from_millis(1000));
    assert_eq!((keys(&store).len(), before < 150), (before, true));
    let coordinator = coordinate(&server);
    wait_for_games(&store, 90);
    server.kill();
    std::thread::sleep(Duration::from_millis(500));
    server.go_on();
    wait_for_games(&store, 120);
    two.kill();
    let output = coordinator.finish(PATIENCE);
    assert_same(&output, &store, "200");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(server.streams(), Vec::<String>::new(), "a run that is done leaves nothing: {said}");
    // And the same command finds all of it.
    let again = over(&server, &words, &[]).output().unwrap();
    let document: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(document["games"], 200, "{document}");
}

#[test]
fn a_server_that_is_gone_while_a_run_begins_is_waited_for() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("begun.db");
    let _worker = worker(&server, &[]);
    // What asks for the first stream is lost.
    let wire = CutWire::start(&server, b"$JS.API.STREAM.UPDATE");
    let words = match_words("4", &store);
    let mut coordinator = program(&words.iter().map(String::as_str).collect::<Vec<_>>());
    coordinator.args(["--nats", &wire.url()]);
    let output = Running::start(coordinator).finish(PATIENCE);
    assert_same(&output, &store, "4");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("is gone") && said.contains("asking again until it does"), "{said}");
}

#[test]
fn whatever_a_hostile_worker_sends_the_games_are_those_of_one_machine() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("hostile.db");
    let hostile = Hostile::start(&server, "enemy");
    let _workers = [(); 2].map(|()| worker(&server, &[]));
    let words = match_words("60", &store);
    let coordinator =
        Running::start(over(&server, &words, &["--ack-wait", "2s", "--run", "enemy"]));
    let output = coordinator.finish(PATIENCE);
    let sent = hostile.end();
    assert_same(&output, &store, "60");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("was dropped"), "{said}");
    for kind in ["garbage", "forged", "doubled", "foreign", "oversized", "tasks", "stolen"] {
        assert!(sent.get(kind).is_some_and(|&count| count > 0), "{kind}: {sent:?}");
    }
}

#[test]
fn a_worker_that_plays_otherwise_takes_nothing_and_says_so() {
    let server = Server::start();
    let mut client = RawClient::connect(&server);
    let stream = |name: &str, subjects: &[&str]| json!({ "name": name, "subjects": subjects, "retention": "workqueue", "storage": "file" });
    let (tasks, run) = ("monteverde-tasks-other", "other");
    let subjects = ["monteverde.task.other.*", "monteverde.about.other"];
    client.ask(&format!("$JS.API.STREAM.CREATE.{tasks}"), &stream(tasks, &subjects));
    let consumer = json!({
        "stream_name": tasks,
        "config": {
            "durable_name": "workers", "ack_policy": "explicit", "filter_subject": subjects[0],
        },
    });
    client.ask(&format!("$JS.API.CONSUMER.DURABLE.CREATE.{tasks}.workers"), &consumer);
    let needs = json!({
        "game": "tic-tac-toe", "pieces": 0, "behaviour": "1 00000000deadbeef", "engines": [],
        "memory": 0, "by_clock": false,
    });
    let about = json!({ "host": "elsewhere", "build": "9.9", "needs": [needs] });
    client.ask(subjects[1], &about);
    client.ask(&format!("monteverde.task.other.{}", "0".repeat(64)), &json!({}));
    let mut worker = worker(&server, &["--run", run]);
    worker.wait_to_say("this program plays tic-tac-toe otherwise", PATIENCE);
    let info = client.ask(&format!("$JS.API.CONSUMER.INFO.{tasks}.workers"), &json!({}));
    assert_eq!((&info["num_pending"], &info["delivered"]["consumer_seq"]), (&json!(1), &json!(0)));
    let shown = program(&["cluster", "--nats", &server.url(), "--once"]).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("takes nothing of other: this program plays"), "{shown}");
}

#[test]
fn engines_are_started_by_those_who_name_them_alone() {
    let server = Server::start();
    let engine = cargo_bin("monteverde");
    let engine = engine.to_str().unwrap();
    let command = format!("uci:{engine} uci");
    let words = [
        "match",
        "mcc",
        &command,
        "--games",
        "2",
        "--pace",
        "nodes=5",
        "--max-plies",
        "8",
        "--json",
    ];
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let mut plain = worker(&server, &[]);
    let coordinator = Running::start(over(&server, &words, &[]));
    plain.wait_to_say("the engine 'monteverde' is not one that this worker may start", PATIENCE);
    let named = format!("monteverde={engine} uci");
    let _able = worker(&server, &["--engines", &named]);
    let output = coordinator.finish(PATIENCE);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["games"], 2, "{document}");
}

#[test]
fn ctrl_c_gives_back_what_a_worker_holds() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("back.db");
    let words = format!(
        "match uct uct --game tic-tac-toe --games 1 --time 600ms --margin 5s --json --store {}",
        store.to_str().unwrap()
    );
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let mut first = worker(&server, &["--grace", "100ms"]);
    // What is not given back would come again in ten minutes.
    let coordinator =
        Running::start(over(&server, &words, &["--ack-wait", "10m", "--run", "back"]));
    first.wait_to_say("run 'back': working for", PATIENCE);
    let shown = || {
        let words = ["cluster", "--nats", &server.url(), "--json"];
        let shown: Value =
            serde_json::from_slice(&program(&words).output().unwrap().stdout).unwrap();
        shown
    };
    wait_for("a game", || shown()["runs"][0]["in_work"] == 1);
    let started = Instant::now();
    let ended = first.interrupt(PATIENCE);
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success() && said.contains("given back"), "{said}");
    assert!(started.elapsed() < Duration::from_secs(10));
    let _second = worker(&server, &[]);
    let output = coordinator.finish(PATIENCE);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(keys(&store).len(), 1);
}

#[test]
fn suites_sweeps_and_tournaments_in_rounds_travel() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let _workers = [(); 2].map(|()| worker(&server, &[]));
    let suite = folder.path().join("suite.txt");
    std::fs::write(&suite, "... ... ...\nx.. .o. ...\n").unwrap();
    let sweep = folder.path().join("sweep.toml");
    let playouts = "title = 'T'\ngame = 'tic-tac-toe'\nkind = 'playouts'\nplayer = 'uct'\n\
                    count = 500\n[grid]\nredraw = [2, 3]\n[plot]\nx = 'redraw'\ny = 'score'\n";
    std::fs::write(&sweep, playouts).unwrap();
    let games = folder.path().join("games.toml");
    let cells = "title = 'T'\ngame = 'tic-tac-toe'\nkind = 'match'\nplayer = 'uct'\n\
                 opponent = 'uct'\npace = 'iterations=50'\ngames = 6\n[grid]\nc = [0.5, 1]\n\
                 [plot]\nx = 'c'\ny = 'score'\n";
    std::fs::write(&games, cells).unwrap();
    let suite = suite.to_str().unwrap();
    let [knockout, swiss] = ["format = 'knockout'", "format = 'swiss'\nrounds = 2"].map(|format| {
        let file = folder.path().join(&format[10..13]);
        let mut text =
            format!("game = 'tic-tac-toe'\n{format}\ngames = 4\npace = 'iterations=50'\n");
        for c in ["0.2", "0.6", "1", "1.4"] {
            text += &format!("[[player]]\nspec = 'uct:c={c}'\n");
        }
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    });
    for words in [
        vec!["tournament", &knockout, "--json"],
        vec!["tournament", &swiss, "--json"],
        vec!["solve", "--game", "tic-tac-toe", "--suite", suite, "--player", "uct", "--json"],
        vec!["sweep", sweep.to_str().unwrap(), "--json"],
        vec!["sweep", games.to_str().unwrap(), "--json"],
    ] {
        let here = program(&words).output().unwrap();
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let there = over(&server, &words, &[]).output().unwrap();
        assert!(there.status.success(), "{}", String::from_utf8_lossy(&there.stderr));
        let [here, there] = [here.stdout, there.stdout]
            .map(|text| without_times(serde_json::from_slice(&text).unwrap()));
        assert_eq!(here, there, "{words:?}");
    }
}

/// Games for training, so slow that something can be killed meanwhile.
const SELFPLAY: &str =
    "selfplay --player ab --nodes 800 --games 60 --max-plies 40 --starts odd=0.3 --json --out";

/// The bytes of a file of games that is made on one machine.
fn file_of_one_machine(words: &str, path: &Path) -> Vec<u8> {
    let words: Vec<&str> = words.split(' ').chain(path.to_str()).collect();
    let output = program(&words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(path).unwrap()
}

/// How many games a file holds by now.
fn games_in(path: &Path) -> usize {
    let output = program(&["data", path.to_str().unwrap(), "--json"]).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    document["games"].as_u64().unwrap_or(0) as usize
}

#[test]
fn whatever_is_killed_the_games_for_training_are_those_of_one_machine() {
    let mut server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("there.mvd");
    let words: Vec<String> = SELFPLAY.split(' ').chain(path.to_str()).map(str::to_owned).collect();
    let coordinate = |server: &Server| {
        Running::start(over(server, &words, &["--ack-wait", "2s", "--run", "training"]))
    };
    let wait_for = |count: usize| {
        wait_for(&format!("game {count}"), || games_in(&path) >= count);
    };
    let [mut one, _two] = [(); 2].map(|()| worker(&server, &[]));
    let mut coordinator = coordinate(&server);
    wait_for(4);
    one.kill();
    wait_for(12);
    coordinator.kill();
    let coordinator = coordinate(&server);
    wait_for(24);
    server.kill();
    server.go_on();
    let _three = worker(&server, &[]);
    let output = coordinator.finish(PATIENCE);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(server.streams(), Vec::<String>::new(), "a run that is done leaves nothing: {said}");
    let here = file_of_one_machine(SELFPLAY, &folder.path().join("here.mvd"));
    assert!(std::fs::read(&path).unwrap() == here, "{said}");
}

#[test]
fn whatever_a_hostile_worker_sends_the_games_for_training_are_those_of_one_machine() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("there.mvd");
    let words: Vec<String> = SELFPLAY.split(' ').chain(path.to_str()).map(str::to_owned).collect();
    let hostile = Hostile::start(&server, "harmed");
    let _workers = [(); 2].map(|()| worker(&server, &[]));
    let coordinator = over(&server, &words, &["--ack-wait", "2s", "--run", "harmed"]);
    // A stolen task may not be missed before a minute has passed, if there is a false one for it.
    let output = Running::start(coordinator).finish(2 * PATIENCE);
    let sent = hostile.end();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(sent.get("forged").is_some_and(|&count| count > 0), "{sent:?}");
    assert!(said.contains("was dropped"), "{said}");
    let here = file_of_one_machine(SELFPLAY, &folder.path().join("here.mvd"));
    assert!(std::fs::read(&path).unwrap() == here, "{said}");
}

#[test]
fn training_games_travel_and_need_what_their_players_need() {
    let server = Server::start();
    // Two machines, each with a network of its own under the same name.
    let [own, other] = ["1", "2"].map(|seed| {
        let folder = tempfile::tempdir().unwrap();
        let words = ["network", "random", "--game", "loa", "--seed", seed, "--out", "a.net"];
        assert!(program(&words).current_dir(&folder).output().unwrap().status.success());
        folder
    });
    let run = |words: &str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut command = program(&words);
        command.current_dir(&own);
        command
    };
    let url = server.url();
    let here = |words: &str, name: &str| {
        let output = run(&format!("{words} {name}")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(own.path().join(name)).unwrap()
    };
    let there = |words: &str, name: &str| {
        Running::start(run(&format!("{words} {name} --nats {url} --run {name}")))
    };
    let is_same = |coordinator: Running, name: &str, expected: &[u8]| {
        let output = coordinator.finish(PATIENCE);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert!(std::fs::read(own.path().join(name)).unwrap() == expected, "{said}");
    };
    let selfplay = "selfplay --game loa --player best:network=a.net --iterations 30 \
                    --positions 100 --drawn-plies 2 --max-plies 30 --json --out";
    let label = "label --game loa --data games --player mia --nodes 50 --json --out";
    let games = here(selfplay, "games");
    let labelled = here(label, "labels");
    let coordinator = there(selfplay, "one");
    let mut poor = program(&["worker", "--nats", &url, "--threads", "1"]);
    let mut poor = Running::start({
        poor.current_dir(&other);
        poor
    });
    poor.wait_to_say("nothing is taken of the run 'one'", PATIENCE);
    let _able = Running::start(run(&format!("worker --nats {url} --threads 1")));
    is_same(coordinator, "one", &games);
    is_same(there(label, "two"), "two", &labelled);
    // Nobody waits for workers when the time is over, and parts are for those without a server.
    let words = format!("{selfplay} three --nats {url}");
    let output = run(&format!("{words} --time 1ms")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for more in ["--shard 1/2", "--threads 2"] {
        let output = run(&format!("{words} {more}")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("cannot be used with"), "{said}");
    }
}

/// A document without what the clock has said.
fn without_times(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "seconds" && name != "micros");
            fields.values_mut().for_each(|one| *one = without_times(one.take()));
        }
        Value::Array(all) => all.iter_mut().for_each(|one| *one = without_times(one.take())),
        _ => {}
    }
    value
}

/// Clients leave out what stands there, and a script would show it.
#[test]
fn a_password_in_an_address_is_refused() {
    let words =
        ["match", "uct", "uct", "--game", "tic-tac-toe", "--games", "2", "--iterations", "5"];
    for words in [&words[..], &["cluster"], &["worker"], &["worker", "--slurm"]] {
        let output = program(words).args(["--nats", "nats://me:secret@lab:4222"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("MONTEVERDE_NATS_PASSWORD") && !said.contains("secret"), "{said}");
        assert!(!said.contains("kept in"), "no store is begun for it: {said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn what_is_wrong_with_a_server_is_said() {
    let server = Server::start_with(&["--auth", "secret"]);
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("a.db");
    let words = match_words("2", &store);
    let failed = |url: &str, more: &[&str], code: i32, sentence: &str| {
        let mut command = program(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let output = command.args(["--nats", url]).args(more).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(sentence), "{said}");
        assert_eq!(output.status.code(), Some(code), "{said}");
    };
    failed(&server.url(), &[], 1, "refuses the credentials");
    failed(&server.url(), &["--nats-token", "wrong"], 1, "refuses the credentials");
    failed("nats://127.0.0.1:1", &[], 1, "start one with 'nats-server -js'");
    failed("nats://127.0.0.1:x", &[], 2, "no address of a server");
    failed(
        &server.url(),
        &["--nats-nkey", "/nowhere"],
        2,
        "--nats-nkey: '/nowhere' cannot be read",
    );
    // It was read for ever.
    failed(&server.url(), &["--nats-creds", "/dev/zero"], 2, "at most 4MiB are read");
    failed(&server.url(), &["--run", "a.b"], 2, "is no name of a run");
    failed(&server.url(), &["--nats-user", "me"], 2, "a user needs a password");
    let plain = Server::start_plain();
    failed(&plain.url(), &[], 1, "start nats-server with -js");
    // What the environment says concerns those alone who ask for a server.
    let words_here =
        ["match", "uct", "uct", "--game", "tic-tac-toe", "--games", "2", "--iterations", "5"];
    let here = program(&words_here).env("MONTEVERDE_NATS_TOKEN", "wrong").output().unwrap();
    assert!(here.status.success(), "{}", String::from_utf8_lossy(&here.stderr));
    // The token may come from the environment, and is not kept with the games.
    let mut worker = program(&["worker", "--nats", &server.url(), "--threads", "1"]);
    worker.env("MONTEVERDE_NATS_TOKEN", "secret");
    let _worker = Running::start(worker);
    let output = over(&server, &words, &["--nats-token", "secret"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes: Vec<u8> = ["a.db", "a.db-wal"]
        .iter()
        .filter_map(|name| std::fs::read(folder.path().join(name)).ok())
        .flatten()
        .collect();
    assert!(bytes.windows(5).any(|part| part == b"match"), "the command is kept");
    assert!(!bytes.windows(6).any(|part| part == b"secret"), "the token is not");
}
