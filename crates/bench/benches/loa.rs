//! The rules of Lines of Action: perft, uniformly random playouts by the game's own loop and move
//! by move, and what other playouts are made of; and the Monte-Carlo players. No peer in Rust is
//! known, so the ratios are between the parts.

use monteverde_bench::{Rate, per_second, table};
use monteverde_game::{Game, Notation, Rng};
use monteverde_knowledge::loa::LoaKnowledge;
use monteverde_loa::{Loa, Rules, connection};
use monteverde_mcts::{Limit, Search};
use monteverde_players::Spec;
use std::hint::black_box;

/// Runs every measurement whose title contains the argument, all without one.
fn main() {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let title = "perft of the start of Lines of Action";
    if title.contains(&wanted) {
        table(title, "nodes a second", &perft_rates());
    }
    let title = "uniform playouts of at most 200 plies";
    if title.contains(&wanted) {
        table(title, "playouts a second", &playout_rates());
    }
    let title = "parts of playouts in random states";
    if title.contains(&wanted) {
        table(title, "calls a second", &part_rates());
    }
    let title = "searches of the papers' players from the start";
    if title.contains(&wanted) {
        table(title, "iterations a second", &search_rates());
    }
}

/// The Monte-Carlo players of the papers; the others are compared with the last.
const PLAYERS: [&str; 3] = ["mc-loa-2008", "mc-loa-ab", "mc-loa"];

fn search_rates() -> Vec<Rate> {
    const ROUNDS: usize = 7;
    const ITERATIONS: u64 = 4_000;
    let mut searches = PLAYERS.map(|player| {
        let spec =
            Spec::read(monteverde_bench::game("loa"), player).expect("the players are named so");
        let config = spec.settings().expect("they search a tree").config.clone();
        Search::with_knowledge(config, Loa::start(), LoaKnowledge::default())
    });
    let mut programs = searches.each_mut().map(|search| {
        || {
            search.restart(Loa::start());
            search.run(&Limit::iterations(ITERATIONS)).figures.iterations
        }
    });
    let mut programs = programs.each_mut().map(|program| program as &mut dyn FnMut() -> u64);
    named(PLAYERS, per_second(ROUNDS, &mut programs))
}

fn perft_rates() -> Vec<Rate> {
    const ROUNDS: usize = 7;
    let start = Loa::start();
    let check = |depth, nodes| {
        assert_eq!(start.perft(depth), nodes);
        nodes
    };
    let rates = per_second(
        ROUNDS,
        &mut [&mut || check(5, 55_963_132), &mut || {
            black_box(monteverde_game::perft(&start, 4));
            1_563_208
        }],
    );
    named(["counted in bulk, depth 5", "listed and played, depth 4"], rates)
}

/// The longest playout of the papers.
const PLIES: u16 = 200;

fn start() -> Loa {
    Loa::new(Loa::start().board().with_rules(Rules { plies: PLIES, ..Rules::default() }))
}

fn playout_rates() -> Vec<Rate> {
    const ROUNDS: usize = 15;
    const PLAYOUTS: u32 = 3_000;
    /// What these average, by 100,000 of them; so few come this close.
    const MEAN_PLIES: f64 = 179.4;
    const TOLERANCE: f64 = 4.0;
    let check = |plies: u32| {
        let mean = f64::from(plies) / f64::from(PLAYOUTS);
        assert!((mean - MEAN_PLIES).abs() < TOLERANCE, "{mean} plies a playout");
        u64::from(PLAYOUTS)
    };
    let start = start();
    let mut state = start.clone();
    let mut stepped = state.clone();
    let (mut rng, mut step_rng) = (Rng::new(1), Rng::new(1));
    let rates = per_second(
        ROUNDS,
        &mut [
            &mut || {
                let play = |_| {
                    state.clone_from(&start);
                    state.playout(&mut rng).plies
                };
                check((0..PLAYOUTS).map(play).sum())
            },
            &mut || {
                let mut plies = 0;
                for _ in 0..PLAYOUTS {
                    stepped.clone_from(&start);
                    while let Ok(mv) = stepped.sample(&mut step_rng) {
                        stepped.advance(mv);
                        plies += 1;
                    }
                }
                check(plies)
            },
        ],
    );
    named(["by the game's own loop", "move by move"], rates)
}

fn part_rates() -> Vec<Rate> {
    const ROUNDS: usize = 15;
    let states = random_states();
    let count = states.len() as u64;
    let (mut moves, mut wins) = (Vec::with_capacity(128), Vec::new());
    let mut rng = Rng::new(2);
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
                    black_box(connection::is_connected(black_box(
                        state.board().pieces(state.turn()),
                    )));
                }
                count
            },
        ],
    );
    named(["sample", "moves", "winning_move", "is_connected"], rates)
}

/// States on the way of random games.
fn random_states() -> Vec<Loa> {
    let mut rng = Rng::new(3);
    let mut states = Vec::new();
    for _ in 0..500 {
        let mut state = start();
        while let Ok(mv) = state.sample(&mut rng) {
            state.advance(mv);
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
