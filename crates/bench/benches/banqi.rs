//! The rules of Chinese dark chess: uniform and weighted playouts by the game's own loop and move
//! by move, searches with each technique, and what other playouts are made of. No peer in Rust is
//! known, so the ratios are between the parts; `tests/open_spiel.py` compares with a peer in C++.

use monteverde_banqi::{Banqi, Likely, Weights};
use monteverde_bench::{Rate, per_second, table};
use monteverde_game::{Game, Notation, Rng};
use monteverde_mcts::{Control, Limit, NoClock, Signal};
use monteverde_players::{Overrides, build};
use std::hint::black_box;
use std::time::Duration;

/// Paper 004, table 1, and 2 for every other move.
const PAPER: Weights = Weights::new([55, 50, 25, 10, 8, 30, 8], 2);

/// Runs every measurement whose title contains the argument, all without one.
fn main() {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let title = "playouts from the start of Chinese dark chess";
    if title.contains(&wanted) {
        table(title, "playouts a second", &playout_rates());
    }
    let title = "searches from the start of Chinese dark chess beside bare playouts";
    if title.contains(&wanted) {
        table(title, "iterations a second", &search_rates());
    }
    let title = "parts of playouts in random states";
    if title.contains(&wanted) {
        table(title, "calls a second", &part_rates());
    }
}

fn playout_rates() -> Vec<Rate> {
    const ROUNDS: usize = 15;
    const PLAYOUTS: u32 = 3_000;
    /// What these average by many more of them; so few come this close.
    const TOLERANCE: f64 = 5.0;
    let check = |plies: u32, known: f64| {
        let mean = f64::from(plies) / f64::from(PLAYOUTS);
        assert!((mean - known).abs() < TOLERANCE, "{mean} plies a playout");
        u64::from(PLAYOUTS)
    };
    let start = Banqi::start();
    let [mut weighted, mut uniform, mut stepped] = [start.clone(), start.clone(), start.clone()];
    let [mut weighted_rng, mut uniform_rng, mut step_rng] = [1; 3].map(Rng::new);
    let rates = per_second(
        ROUNDS,
        &mut [
            &mut || {
                let play = |_| {
                    weighted.clone_from(&start);
                    let unknown = |_| Likely::Unknown;
                    weighted.playout_weighted(&PAPER, unknown, &mut weighted_rng).playout.plies
                };
                check((0..PLAYOUTS).map(play).sum(), 147.2)
            },
            &mut || {
                let play = |_| {
                    uniform.clone_from(&start);
                    uniform.playout(&mut uniform_rng).plies
                };
                check((0..PLAYOUTS).map(play).sum(), 209.5)
            },
            &mut || {
                let mut plies = 0;
                for _ in 0..PLAYOUTS {
                    stepped.clone_from(&start);
                    while let Ok(mv) = stepped.sample(&mut step_rng) {
                        stepped.advance(mv);
                        if stepped.is_pending() {
                            let event = stepped.sample_event(&mut step_rng);
                            stepped.settle(event);
                        }
                        plies += 1;
                    }
                }
                check(plies, 209.5)
            },
        ],
    );
    named(["weighted by captures", "uniform", "uniform, move by move"], rates)
}

/// As in Table 2 of paper 004, which has 27,356 iterations a second for the base player.
fn search_rates() -> Vec<Rate> {
    const ROUNDS: usize = 9;
    const ITERATIONS: u64 = 5_000;
    const SPECS: [&str; 9] = [
        "dark-knight",
        "dark-knight:ept",
        "dark-knight:imb=0.3",
        "dark-knight:sl",
        "dark-knight:tsq",
        "dark-knight:pb",
        "dark-knight:pb-curb",
        "dark-knight:pb-curb-flip",
        "dark-knight:pb-curb-flip,order=prior",
    ];
    let start = Banqi::start();
    let (mut state, mut rng) = (start.clone(), Rng::new(1));
    let mut bare = || {
        for _ in 0..ITERATIONS {
            state.clone_from(&start);
            black_box(state.playout_weighted(&PAPER, |_| Likely::Unknown, &mut rng));
        }
        ITERATIONS
    };
    let mut searches: Vec<_> = SPECS.iter().map(|spec| move || search(spec, ITERATIONS)).collect();
    let searches = searches.iter_mut().map(|search| search as &mut dyn FnMut() -> u64);
    let mut tasks: Vec<_> = searches.collect();
    tasks.push(&mut bare);
    let rates = per_second(ROUNDS, &mut tasks);
    let names = SPECS.into_iter().chain(["bare playouts"]);
    names.zip(rates).map(|(name, rate)| Rate { name, rate }).collect()
}

/// A search from an empty tree; the iterations that it took.
fn search(spec: &str, iterations: u64) -> u64 {
    let overrides = Overrides { memory: Some(64 << 20), ..Overrides::default() };
    let mut player = build(monteverde_bench::game("banqi"), spec, &overrides).expect("a spec");
    let control = Control {
        clock: &NoClock,
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| {},
    };
    player.think(&Limit::iterations(iterations), control).figures.iterations
}

fn part_rates() -> Vec<Rate> {
    const ROUNDS: usize = 15;
    let states = random_states();
    let count = states.len() as u64;
    let (mut moves, mut wins) = (Vec::with_capacity(64), Vec::new());
    let mut rng = Rng::new(2);
    let mut copy = Banqi::start();
    let rates = per_second(
        ROUNDS,
        &mut [
            &mut || {
                for state in &states {
                    let _ = black_box(state.sample(&mut rng));
                }
                count
            },
            &mut || {
                for state in &states {
                    moves.clear();
                    state.moves(&mut moves);
                    black_box(&moves);
                }
                count
            },
            &mut || {
                for state in &states {
                    black_box(state.winning_move(&mut wins));
                }
                count
            },
            &mut || {
                for state in &states {
                    black_box(state.outcome());
                }
                count
            },
            &mut || {
                for state in &states {
                    copy.clone_from(black_box(state));
                    black_box(&copy);
                }
                count
            },
        ],
    );
    named(["sample", "moves", "winning_move", "outcome", "clone_from"], rates)
}

/// States on the way of random games.
fn random_states() -> Vec<Banqi> {
    let mut rng = Rng::new(3);
    let mut states = Vec::new();
    for _ in 0..500 {
        let mut state = Banqi::start();
        while let Ok(mv) = state.sample(&mut rng) {
            state.advance(mv);
            if state.is_pending() {
                let event = state.sample_event(&mut rng);
                state.settle(event);
            }
            if rng.below(10) == 0 {
                states.push(state.clone());
            }
        }
    }
    states
}

fn named<const N: usize>(names: [&'static str; N], rates: Vec<f64>) -> Vec<Rate> {
    names.into_iter().zip(rates).map(|(name, rate)| Rate { name, rate }).collect()
}
