//! The search beside the bare playouts that it is made of, its memory, and its threads.
//!
//! `cargo bench --bench search` prints ratios; pass a number of threads after `--` to go beyond
//! this machine's cores.

#![allow(clippy::print_stdout)] // Printing tables is what this program is for.

use monteverde_bench::{Rate, per_second, table};
use monteverde_chess::Chess;
use monteverde_game::{Game, Notation, Rng};
use monteverde_mcts::{Config, Limit, Search};

/// Iterations of one search: about a second.
const ITERATIONS: u64 = 100_000;
const ROUNDS: usize = 5;

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(cores);
    against_playouts();
    threads(most);
}

/// Iterations of `mcc` from the start against bare playouts, one thread.
fn against_playouts() {
    let start = Chess::start();
    let mut rng = Rng::new(1);
    let mut playouts = || {
        for _ in 0..ITERATIONS / 4 {
            start.clone().playout(&mut rng);
        }
        ITERATIONS / 4
    };
    let mut search = Search::new(Config::default(), start.clone());
    let mut bytes = (0, 0);
    let mut iterations = || {
        search.restart(start.clone());
        let report = search.run(&Limit::iterations(ITERATIONS));
        bytes = (report.tree_bytes, report.edges);
        report.figures.iterations
    };
    let rates = per_second(ROUNDS, &mut [&mut iterations, &mut playouts]);
    table(
        "one thread, from the start",
        "a second",
        &[
            Rate { name: "mcc iterations", rate: rates[0] },
            Rate { name: "bare playouts", rate: rates[1] },
        ],
    );
    println!("{:.1} bytes an edge ({} edges)\n", bytes.0 as f64 / bytes.1 as f64, bytes.1);
}

/// Iterations a second of one shared tree for 2, 4, 8, ... threads as a multiple of one thread, and
/// the same of bare playouts, which share nothing: what the machine's cores and clocks allow.
fn threads(most: usize) {
    println!("threads   iterations/s   of one   playouts/s   of one");
    let mut threads = 2;
    while threads <= most {
        let search = ratio(&mut |threads| searches_on(threads), threads);
        let bare = ratio(&mut |threads| playouts_on(threads), threads);
        println!(
            "{threads:7}   {:12.0}   {:6.2}   {:10.0}   {:6.2}",
            search.0, search.1, bare.0, bare.1
        );
        threads *= 2;
    }
}

/// The units a second on that many threads, and as a multiple of one thread.
fn ratio(work: &mut dyn Fn(usize) -> u64, threads: usize) -> (f64, f64) {
    let rates = per_second(ROUNDS, &mut [&mut || work(threads), &mut || work(1)]);
    (rates[0], rates[0] / rates[1])
}

fn searches_on(threads: usize) -> u64 {
    let config = Config { threads, ..Config::default() };
    let iterations = ITERATIONS / 2 * threads as u64;
    Search::new(config, Chess::start()).run(&Limit::iterations(iterations)).figures.iterations
}

fn playouts_on(threads: usize) -> u64 {
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                let mut rng = Rng::stream(1, thread as u64);
                for _ in 0..ITERATIONS / 2 {
                    Chess::start().playout(&mut rng);
                }
            });
        }
    });
    ITERATIONS / 2 * threads as u64
}
