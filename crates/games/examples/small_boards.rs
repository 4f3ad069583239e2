//! How near players come to the exact values of small boards of Chinese dark chess.
//!
//! `small_boards [ITERATIONS [SPEC]...]` prints for each player a table: the board, its exact value
//! where play without end is a draw, the value that the search reports, its bounds, the error and
//! the iterations it took, which are fewer where the board is solved.

#![allow(clippy::print_stdout)] // Its whole purpose.

use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::Control;
use monteverde_games::games;
use monteverde_players::Spec;
use std::env;
use std::error::Error;
use std::time::{Duration, Instant};

/// All covered, with the values that `crates/banqi/tests/exact.rs` works out.
const BOARDS: [(&str, f64); 7] = [
    ("XX/XX - KPkp 0", -1.0),
    ("XX/XX - KGkg 0", -1.0),
    ("XX/XX - PPpp 0", -1.0),
    ("XX/XX - GCgc 0", -1.0 / 3.0),
    ("XX/XX/XX - KGPkgp 0", 0.325),
    ("XX/XX/XX - KPPkpp 0", 1.0 / 3.0),
    ("XXX/XXX - KGMkgm 0", 0.288889),
];

const PLAYERS: [&str; 4] = [
    "dark-knight",
    "dark-knight:transpositions,graph-bounds",
    "best",
    "best:transpositions,graph-bounds",
];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let iterations = args.first().map_or(Ok(1_000_000), |text| text.parse::<u64>())?;
    let specs: Vec<&str> = match args.get(1..) {
        Some(specs) if !specs.is_empty() => specs.iter().map(String::as_str).collect(),
        _ => PLAYERS.to_vec(),
    };
    for spec in specs {
        print_table(spec, iterations)?;
    }
    Ok(())
}

fn print_table(spec: &str, iterations: u64) -> Result<(), Box<dyn Error>> {
    let game = games().game("banqi")?;
    println!("{spec}\n");
    println!("| board | exact | value | bounds | error | iterations | seconds |");
    println!("|---|---|---|---|---|---|---|");
    let mut squares = 0.0;
    for (text, exact) in BOARDS {
        let mut player = Spec::read(game, spec)?.make(&game.parse_state(text)?);
        let (signal, started) = (Signal::default(), Instant::now());
        let control = Control {
            clock: &NoClock,
            signal: &signal,
            every: Duration::MAX,
            observe: &mut |_| {},
        };
        let report = player.think(&Limit::iterations(iterations), control);
        let error = report.mean - exact;
        squares += error * error;
        let bounds = report
            .bounds
            .map_or("none".to_owned(), |bounds| format!("[{:.6}, {:.6}]", bounds.low, bounds.high));
        println!(
            "| {text} | {exact:.6} | {:.6} | {bounds} | {error:.6} | {} | {:.1} |",
            report.mean,
            report.figures.iterations,
            started.elapsed().as_secs_f64()
        );
    }
    println!("\nroot mean square error {:.6}\n", (squares / BOARDS.len() as f64).sqrt());
    Ok(())
}
