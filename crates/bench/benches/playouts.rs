//! Playouts of chess from the start by each technique, beside uniform ones.
//!
//! `cargo bench --bench playouts` prints playouts a second, as multiples of uniform ones in the
//! same run, and what they come to: mean plies, and the share that is not drawn.

#![allow(clippy::print_stdout)] // Printing tables is what this program is for.

use monteverde_bench::{Rate, per_second, table};
use monteverde_chess::Chess;
use monteverde_game::{NoOracle, Notation, Rng};
use monteverde_knowledge::chess::ChessKnowledge;
use monteverde_mcts::Playouter;
use monteverde_players::Spec;

/// Specs by what differs from `mcc`; uniform playouts come last, since they are what the others are
/// compared with.
const SPECS: [&str; 14] = [
    "mcc:playout=by-piece",
    "mcc:playout=eval,epsilon=0.6",
    "mcc:playout=eval,epsilon=0.6,ties=random",
    "mcc:playout=see,epsilon=0.4",
    "mcc:playout=see,epsilon=0.4,ties=random",
    "mcc:decisive=wins",
    "mcc:decisive=anti",
    "mcc:playout=see,epsilon=0.4,decisive=wins",
    "mcc:redraw=6",
    "mcc:cutoff=1000",
    "mcc:playout=mixed,cutoff=700,cutoff-every=1",
    "mcc:truncate=0",
    "mcc:truncate=8",
    "mcc",
];

/// Playouts of one technique in a round.
const PLAYOUTS: u64 = 400;
const ROUNDS: usize = 5;

fn main() {
    let start = Chess::start();
    let knowledge = ChessKnowledge::default();
    let mut sums = vec![Sum::default(); SPECS.len()];
    let mut programs: Vec<Box<dyn FnMut() -> u64 + '_>> = Vec::new();
    for (spec, sum) in SPECS.iter().zip(&mut sums) {
        let spec = Spec::read(monteverde_bench::game("chess"), spec).expect("the specs are right");
        let config = spec.settings().expect("they have playouts").config.playout;
        let mut playouter = Playouter::new(config, &knowledge, &NoOracle, &start);
        let (mut rng, start) = (Rng::new(1), &start);
        programs.push(Box::new(move || {
            for _ in 0..PLAYOUTS {
                let result = playouter.play(&mut start.clone(), &mut rng);
                sum.count += 1;
                sum.plies += u64::from(result.plies);
                sum.decided += u64::from(result.reward != 0);
            }
            PLAYOUTS
        }));
    }
    let mut work: Vec<&mut dyn FnMut() -> u64> =
        programs.iter_mut().map(|program| &mut **program as &mut dyn FnMut() -> u64).collect();
    let rates = per_second(ROUNDS, &mut work);
    drop(work);
    drop(programs);
    let rates: Vec<_> =
        SPECS.into_iter().zip(rates).map(|(name, rate)| Rate { name, rate }).collect();
    table("playouts from the start", "a second", &rates);
    println!("\nmean plies, decided");
    for (spec, sum) in SPECS.iter().zip(sums) {
        let share = |part: u64| part as f64 / sum.count as f64;
        println!("  {spec:<44} {:>8.1} {:>6.3}", share(sum.plies), share(sum.decided));
    }
}

#[derive(Clone, Copy, Default)]
struct Sum {
    count: u64,
    plies: u64,
    decided: u64,
}
