//! What threads are worth: iterations a second of one tree that all share, beside playouts that
//! share nothing, which say what the machine's cores and clocks allow.
//!
//! `cargo bench --bench threads` takes as many threads as the machine has cores; pass another number
//! after `--`. A last part compares the trees: as many iterations, on one thread and on all.

#![allow(clippy::print_stdout)] // Printing tables is what this program is for.

use monteverde_bench::{game, medians};
use monteverde_game::{Game, Notation, Rng};
use monteverde_mcts::{Control, Limit, Report, Signal};
use monteverde_players::{AnyState, Overrides, Spec, WallClock};
use std::time::{Duration, Instant};

/// Rounds, in which all take their turns; medians of ratios within a round are shown.
const ROUNDS: usize = 7;
/// How long each works at a time.
const TIME: Duration = Duration::from_millis(800);
/// The iterations of the trees that are compared.
const ITERATIONS: u64 = 150_000;

/// A player, its game, and whether it does playouts.
const PLAYERS: [(&str, &str, bool); 6] = [
    ("chess", "mcc", true),
    ("chess", "best", false),
    ("loa", "mc-loa", true),
    ("loa", "best", false),
    ("banqi", "dark-knight", true),
    ("banqi", "best", true),
];

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(cores);
    println!("{threads} threads; medians of {ROUNDS} rounds of {TIME:?}");
    println!(
        "game    player        playouts   one thread/s   all/s      times   bare times   ratio"
    );
    for (name, player, has_playouts) in PLAYERS {
        let rounds = (0..ROUNDS).map(|_| {
            let search = rate(&mut || search(name, player, threads, &Limit::time(TIME)));
            let single = rate(&mut || search_of_one(name, player));
            let bare = playouts(name, threads) / playouts(name, 1);
            [single, search, search / single, bare, search / single / bare]
        });
        let [single, all, times, bare, ratio] = medians(rounds);
        println!(
            "{name:<7} {player:<13} {:<8}   {single:12.0}   {all:8.0}   {times:5.2}   {bare:10.2}   {ratio:5.2}",
            if has_playouts { "yes" } else { "no" }
        );
    }
    println!("\nnodes after {ITERATIONS} iterations");
    for (name, player, _) in PLAYERS {
        let nodes = |threads| search(name, player, threads, &Limit::iterations(ITERATIONS)).nodes;
        println!("{name:<7} {player:<13} one thread {:8}   all {:8}", nodes(1), nodes(threads));
    }
}

/// The iterations a second of a search.
fn rate(search: &mut dyn FnMut() -> Report<AnyState>) -> f64 {
    search().per_second()
}

fn search_of_one(name: &str, player: &str) -> Report<AnyState> {
    search(name, player, 1, &Limit::time(TIME))
}

fn search(name: &str, player: &str, threads: usize, limit: &Limit<AnyMove>) -> Report<AnyState> {
    let overrides = Overrides { threads: Some(threads), ..Overrides::default() };
    let spec = Spec::read(game(name), player).and_then(|spec| spec.with(&overrides));
    let mut player = spec.expect("the players are named so").make(&game(name).start());
    let control = Control {
        clock: &WallClock::start(),
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| {},
    };
    player.think(limit, control)
}

type AnyMove = <AnyState as Game>::Move;

/// Bare playouts a second from the start of a game, on so many threads.
fn playouts(name: &str, threads: usize) -> f64 {
    match name {
        "chess" => bare::<monteverde_chess::Chess>(threads),
        "loa" => bare::<monteverde_loa::Loa>(threads),
        _ => bare::<monteverde_banqi::Banqi>(threads),
    }
}

fn bare<G: Game + Notation>(threads: usize) -> f64 {
    let begin = Instant::now();
    let work = |thread: usize| {
        let (start, mut rng) = (G::start(), Rng::stream(1, thread as u64));
        let mut count = 0u64;
        while begin.elapsed() < TIME {
            for _ in 0..16 {
                start.clone().playout(&mut rng);
            }
            count += 16;
        }
        count
    };
    let count: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a playout")).sum()
    });
    count as f64 / begin.elapsed().as_secs_f64()
}
