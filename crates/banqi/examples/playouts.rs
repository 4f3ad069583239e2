//! Playouts from the start, counted and timed.
//!
//! `playouts COUNT SEED [uniform|weighted]` prints how many plies they take, how they end, and how
//! many run a second. The weights are those of paper 004, table 1, and 2 for every move that
//! captures nothing.

#![allow(clippy::print_stdout)] // Its whole purpose.

use monteverde_banqi::{Banqi, Likely, Weights};
use monteverde_game::{Game, Notation, Outcome, Rng, Side};
use std::env;
use std::error::Error;
use std::time::Instant;

const WEIGHTS: Weights = Weights::new([55, 50, 25, 10, 8, 30, 8], 2);

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [count, seed, kind @ ..] = &args[..] else {
        return Err("usage: playouts COUNT SEED [uniform|weighted]".into());
    };
    let count: u32 = count.parse()?;
    let mut rng = Rng::new(seed.parse()?);
    let weighted = match kind {
        [] => true,
        [kind] if kind == "weighted" => true,
        [kind] if kind == "uniform" => false,
        _ => return Err("playouts are uniform or weighted".into()),
    };
    let start = Banqi::start();
    let mut state = start.clone();
    let (mut plies, mut outcomes) = (0u64, [0u32; 3]);
    let began = Instant::now();
    for _ in 0..count {
        state.clone_from(&start);
        let playout = if weighted {
            state.playout_weighted(&WEIGHTS, |_| Likely::Unknown, &mut rng).playout
        } else {
            state.playout(&mut rng)
        };
        plies += u64::from(playout.plies);
        outcomes[match playout.outcome {
            Outcome::Win(Side::First) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Side::Second) => 2,
        }] += 1;
    }
    let seconds = began.elapsed().as_secs_f64();
    let share = |number: u32| f64::from(number) / f64::from(count);
    let [first, draw, second] = outcomes.map(share);
    println!(
        "{:.2} plies, first {first:.4} draw {draw:.4} second {second:.4}",
        plies as f64 / f64::from(count)
    );
    println!(
        "{:.0} a second, {:.1} ns a ply",
        f64::from(count) / seconds,
        seconds * 1e9 / plies as f64
    );
    Ok(())
}
