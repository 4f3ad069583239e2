//! Speed comparisons with peers, as ratios in one run.
//!
//! The programs work in turn, round by round, in one process, so that load and clock of the machine
//! hit all alike; the ratio of their medians says more than any absolute figure.

#![allow(clippy::print_stdout)] // Printing tables is what this crate is for.

use std::time::Instant;

/// How fast a program works.
#[derive(Clone, PartialEq, Debug)]
pub struct Rate {
    /// The program.
    pub name: &'static str,
    /// Units of work a second.
    pub rate: f64,
}

/// The units of work a second of each program, the median over so many rounds. A program does some
/// work whenever it is called and returns how many units.
///
/// # Panics
/// If there are no rounds.
pub fn per_second(rounds: usize, programs: &mut [&mut dyn FnMut() -> u64]) -> Vec<f64> {
    let mut rates = vec![Vec::new(); programs.len()];
    for round in 0..rounds {
        for turn in 0..programs.len() {
            // Who goes first changes, in case the second finds the machine warmer or slower.
            let program = (round + turn) % programs.len();
            let start = Instant::now();
            let units = programs[program]();
            rates[program].push(units as f64 / start.elapsed().as_secs_f64());
        }
    }
    rates.into_iter().map(median).collect()
}

/// Prints the rates, each also as a multiple of the last one, under a title that says what was
/// done.
pub fn table(title: &str, unit: &str, rates: &[Rate]) {
    println!("{title} ({unit})");
    for Rate { name, rate } in rates {
        let of_last = rate / rates.last().map_or(f64::NAN, |last| last.rate);
        println!("  {name:<44} {rate:>14.0}   {of_last:>6.2}");
    }
}

/// The median over rounds of each of several figures.
///
/// # Panics
/// If there are no rounds.
pub fn medians<const N: usize>(rounds: impl IntoIterator<Item = [f64; N]>) -> [f64; N] {
    let rounds: Vec<[f64; N]> = rounds.into_iter().collect();
    std::array::from_fn(|index| median(rounds.iter().map(|round| round[index]).collect()))
}

fn median(mut values: Vec<f64>) -> f64 {
    assert!(!values.is_empty(), "a comparison needs at least one round");
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

/// One of our games.
///
/// # Panics
/// If there is none of that name.
pub fn game(name: &str) -> monteverde_players::AnyGame {
    monteverde_games::games().game(name).expect("a game of ours")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_and_even_counts() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(medians([[3.0, 1.0], [1.0, 5.0], [2.0, 0.0]]), [2.0, 1.0]);
    }

    #[test]
    fn every_program_works_in_every_round() {
        let (mut a, mut b) = (0, 0);
        let rates = per_second(
            5,
            &mut [
                &mut || {
                    a += 1;
                    1_000
                },
                &mut || {
                    b += 1;
                    1_000
                },
            ],
        );
        assert!(rates.iter().all(|&rate| rate > 0.0));
        assert_eq!((a, b, rates.len()), (5, 5, 2));
    }
}
