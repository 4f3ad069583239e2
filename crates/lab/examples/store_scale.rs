//! How long a store of many games takes to write, open and rate: `cargo run --release -p
//! monteverde-lab --example store_scale [GAMES]`, 100,000 if nothing is said.
//!
//! The results are drawn at random; each game has the moves and reports of a real one's length.
#![allow(clippy::print_stdout)]

use monteverde_game::Rng;
use monteverde_lab::record::{GameRecord, GameResult, MoveRecord, Reason};
use monteverde_lab::standings::Standings;
use monteverde_lab::store::Store;
use monteverde_lab::task::Key;
use std::time::Instant;

const PLAYERS: u32 = 12;
const PLIES: u32 = 120;

fn main() {
    let games: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::tempdir().expect("a folder for the store");
    let path = folder.path().join("scale.db");
    let started = Instant::now();
    let mut store = Store::open(&path).expect("a new store");
    let mut rng = Rng::new(1);
    for number in 0..games {
        let record = record(number, &mut rng);
        store.insert(&Key(*blake3::hash(&number.to_le_bytes()).as_bytes()), &record).expect("room");
    }
    drop(store);
    let bytes = std::fs::metadata(&path).expect("the store").len();
    println!("{games} games written in {:.1} s, {bytes} bytes", started.elapsed().as_secs_f64());

    let started = Instant::now();
    let store = Store::read(&path).expect("the store");
    let opened = started.elapsed();
    let (standings, _) = Standings::from_store(&store, "chess").expect("the games");
    let counted = started.elapsed();
    let ratings = standings.ratings();
    println!(
        "opened after {opened:.2?}, counted after {counted:.2?}, rated after {:.2?}",
        started.elapsed()
    );
    for (player, name) in standings.names().iter().enumerate() {
        println!("{name:8} {:.0}", ratings.elo(player));
    }
}

/// The stronger player, that with the smaller number, wins more often.
fn record(number: u32, rng: &mut Rng) -> GameRecord {
    let mut pairing = Rng::stream(1, u64::from(number / 2));
    let one = pairing.below(PLAYERS);
    let two = (one + 1 + pairing.below(PLAYERS - 1)) % PLAYERS;
    let (one, two) = if number.is_multiple_of(2) { (one, two) } else { (two, one) };
    let edge = f64::from(two) - f64::from(one);
    let draw = rng.unit();
    let result = match draw + edge / 60.0 {
        high if high > 0.65 => GameResult::First,
        low if low < 0.35 => GameResult::Second,
        _ => GameResult::Draw,
    };
    let step = |ply: u32| MoveRecord {
        text: format!("{}{}{}{}", letter(ply), ply % 8 + 1, letter(ply / 3), ply % 7 + 1),
        elapsed_ms: Some(f64::from(ply % 13) + 0.125),
        iterations: Some(200),
        visits: Some(ply % 90),
        mean: Some(draw - 0.5),
        depth: Some(ply % 9),
        pv: vec!["e2e4".to_owned(); 8],
        ..MoveRecord::default()
    };
    GameRecord {
        key: number.to_string(),
        game: "chess".to_owned(),
        first: format!("p{one}"),
        second: format!("p{two}"),
        contestants: [format!("p{one}"), format!("p{two}")],
        opening: "start".to_owned(),
        pair: u64::from(number / 2),
        seed: u64::from(number),
        build: "synthetic".to_owned(),
        start_state: "startpos".to_owned(),
        moves: (0..PLIES).map(step).collect(),
        result,
        reason: Reason::Rule("checkmate".to_owned()),
        detail: String::new(),
        started: 0,
        seconds: 1.0,
    }
}

fn letter(number: u32) -> char {
    char::from(b'a' + (number % 8) as u8)
}
