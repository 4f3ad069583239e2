//! Fifty clients at once, half of them sending garbage: the server's memory stays bounded, honest
//! clients are served, and nothing panics. `LOAD_SECONDS=60` makes it longer.

mod common;

use common::{Client, Running, resident};
use monteverde_game::Rng;
use monteverde_web::{MESSAGE_BYTES, Options};
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

const CLIENTS: u64 = 50;
/// What trees may take.
const MEMORY: usize = 256 << 20;
/// What everything else may take, the clients included, which live in the same process.
const REST: usize = 400 << 20;
/// How long an honest client waits for a pong at most, on a busy machine.
const LATEST: Duration = Duration::from_secs(10);

#[test]
fn honest_clients_are_served_among_others() {
    let seconds =
        std::env::var("LOAD_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let before = resident();
    static PANICS: AtomicU64 = AtomicU64::new(0);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Relaxed);
        usual(panic);
    }));
    let server = Running::with(Options { memory: MEMORY, cores: 2, ..Options::default() });
    let over = AtomicBool::new(false);
    let most = AtomicU64::new(0);
    let served: Vec<Served> = std::thread::scope(|scope| {
        let (server, over) = (&server, &over);
        for number in 0..CLIENTS / 2 {
            scope.spawn(move || nuisance(server, &mut Rng::new(number), over));
        }
        let honest: Vec<_> =
            (0..CLIENTS / 2).map(|_| scope.spawn(move || honest(server, over))).collect();
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(seconds) {
            most.fetch_max(resident() as u64, Relaxed);
            std::thread::sleep(Duration::from_millis(50));
        }
        over.store(true, Relaxed);
        honest.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let plies: u64 = served.iter().map(|one| one.plies).sum();
    let latest = served.iter().map(|one| one.latest).max().unwrap();
    let grown = (most.load(Relaxed) as usize).saturating_sub(before);
    #[allow(clippy::print_stdout)] // the figures, for who runs it by hand
    {
        println!(
            "{plies} plies, the latest pong after {latest:?}, {} MiB more at most",
            grown >> 20
        );
    }
    assert_eq!(PANICS.load(Relaxed), 0);
    assert!(served.iter().all(|one| one.plies > 0), "everybody plays");
    assert!(latest < LATEST, "{latest:?}");
    assert!(grown < MEMORY + REST, "{} MiB", grown >> 20);
    server.wait_for_searches(0);
}

/// What an honest client was given.
struct Served {
    plies: u64,
    latest: Duration,
}

/// Lets two engines play, and asks now and then whether the server is there.
fn honest(server: &Running, over: &AtomicBool) -> Served {
    // Nuisances that are gone hold their places until the server has noticed.
    let mut client = server.patient_client();
    let engine = json!({ "player": "uct", "pace": "iterations=100" });
    let game = json!({ "type": "new", "game": "banqi", "seats": [engine, engine] });
    client.send(game.clone());
    let mut served = Served { plies: 0, latest: Duration::ZERO };
    let mut pinged = Instant::now();
    client.send(json!({ "type": "ping" }));
    while !over.load(Relaxed) || served.plies == 0 {
        let message = client.read();
        match message["type"].as_str() {
            Some("state") => {
                served.plies += 1;
                if !message["outcome"].is_null() {
                    client.send(game.clone());
                }
            }
            Some("pong") => {
                served.latest = served.latest.max(pinged.elapsed());
                std::thread::sleep(Duration::from_millis(20));
                pinged = Instant::now();
                client.send(json!({ "type": "ping" }));
            }
            Some("report") => {}
            _ => panic!("{message}"),
        }
    }
    served
}

/// Sends what no page would send, in every way, and comes back when it is thrown out.
fn nuisance(server: &Running, rng: &mut Rng, over: &AtomicBool) {
    while !over.load(Relaxed) {
        let Ok(mut client) = Client::connect(server, None) else {
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        for _ in 0..rng.below(60) {
            let text = match rng.below(9) {
                0 => (0..rng.below(300)).map(|_| char::from(rng.below(127) as u8)).collect(),
                1 => "[".repeat(20_000),
                2 => json!({ "type": "new", "game": "chess", "state": "9/9 w" }).to_string(),
                3 => json!({ "type": "new", "game": "chess" }).to_string(),
                4 => json!({ "type": "analyse", "specs": ["mcc:memory=64GiB,threads=1000", "best"] }).to_string(),
                5 => json!({ "type": "tree", "slot": "a", "paths": vec![vec!["e2e4"; 100]; 64] }).to_string(),
                6 => json!({ "type": "seats", "seats": [{ "player": "x".repeat(10_000) }, { "player": "human" }] }).to_string(),
                7 => "x".repeat(MESSAGE_BYTES + rng.below(2) as usize),
                _ => json!({ "type": "play", "move": "e2e4", "tag": [1, 2] }).to_string(),
            };
            // It does not read what it is answered.
            if client.socket.send(tungstenite::Message::text(text)).is_err() {
                break;
            }
        }
        // Some tabs are closed, others just vanish.
        if rng.below(2) == 0 {
            let _ = client.socket.close(None);
        }
    }
}
