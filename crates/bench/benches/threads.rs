//! What threads are worth: iterations a second of one tree that all share, beside playouts that
//! share nothing, which say what the machine's cores and clocks allow, and beside as many searches
//! apart, each with a tree of its own, which say what its caches and its memory allow. All these
//! trees are smaller than the one that all threads share, and in a larger tree an iteration goes
//! deeper and takes longer, on one thread too. So one thread also makes a tree as large: what is
//! then left is what sharing costs.
//!
//! `cargo bench --bench threads` takes as many threads as the machine has cores; pass another
//! number after `--`, and players such as `loa/best` to measure these alone. A last part compares
//! the trees: as many iterations, on one thread and on all.

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
        "game    player        playouts   one thread/s   all/s      times   bare times   ratio   apart times   ratio   as large/s   times   ratio"
    );
    let wanted: Vec<String> = std::env::args().filter(|arg| arg.contains('/')).skip(1).collect();
    let players = PLAYERS.into_iter().filter(|(name, player, _)| {
        wanted.is_empty() || wanted.contains(&format!("{name}/{player}"))
    });
    for (name, player, has_playouts) in players.clone() {
        let mut iterations = 0;
        let rounds = (0..ROUNDS).map(|_| {
            let search = search(name, player, threads, &Limit::time(TIME));
            iterations = search.figures.iterations;
            let search = search.per_second();
            let single = search_of_one(name, player).per_second();
            let bare = playouts(name, threads) / playouts(name, 1);
            let apart = apart(name, player, threads);
            let times = search / single;
            [single, search, times, bare, times / bare, apart / single, search / apart]
        });
        let [single, all, times, bare, ratio, apart, of_apart] = medians(rounds);
        // It takes long, so it is done once.
        let large = search(name, player, 1, &Limit::iterations(iterations)).per_second();
        println!(
            "{name:<7} {player:<13} {:<8}   {single:12.0}   {all:8.0}   {times:5.2}   {bare:10.2}   {ratio:5.2}   {apart:11.2}   {of_apart:5.2}   {large:10.0}   {:5.2}   {:5.2}",
            if has_playouts { "yes" } else { "no" },
            all / large,
            all / large / bare,
        );
    }
    println!("\nnodes after {ITERATIONS} iterations");
    for (name, player, _) in players {
        let nodes = |threads| search(name, player, threads, &Limit::iterations(ITERATIONS)).nodes;
        println!("{name:<7} {player:<13} one thread {:8}   all {:8}", nodes(1), nodes(threads));
    }
}

fn search_of_one(name: &str, player: &str) -> Report<AnyState> {
    search(name, player, 1, &Limit::time(TIME))
}

/// The iterations a second of as many searches of one thread together, which share no tree.
fn apart(name: &str, player: &str, count: usize) -> f64 {
    std::thread::scope(|scope| {
        let searches: Vec<_> =
            (0..count).map(|_| scope.spawn(|| search_of_one(name, player).per_second())).collect();
        searches.into_iter().map(|search| search.join().expect("a search")).sum()
    })
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
