//! `monteverde perft`.

use crate::input::{GameArg, StateArg};
use crate::progress;
use monteverde_players::arguments::{parse_within, per_second, rate};
use monteverde_players::{AnyState, Games};
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

/// Counts the move paths of a given length, to check the rules and their speed
///
/// Standard output gets the number on a line of its own; time and speed go to standard error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde perft --depth 6
  monteverde perft --depth 4 --divide --state 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'
  monteverde perft --game loa --depth 5 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// How many moves (and events of chance) a path has, 0 to 99
    #[arg(long, value_name = "D", value_parser = parse_depth, allow_negative_numbers = true)]
    depth: u32,
    #[command(flatten)]
    state: StateArg,
    /// Lists the first moves with the paths that begin with them
    #[arg(long)]
    divide: bool,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Counts and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let state = args.state.read(args.game.find(games)?)?;
    let start = Instant::now();
    let parts = divide(&state, args.depth);
    let elapsed = start.elapsed();
    let nodes = match args.depth {
        0 => 1,
        _ => parts.iter().map(|(_, nodes)| nodes).sum(),
    };
    if args.json {
        return Ok(writeln!(out, "{:#}", document(args, &state, nodes, elapsed, &parts))?);
    }
    if args.divide {
        for (step, nodes) in &parts {
            writeln!(out, "{step}: {nodes}")?;
        }
    }
    writeln!(out, "{nodes}")?;
    let speed = rate(per_second(nodes, elapsed));
    progress::note(&format!("{:.3} s, {speed} a second", elapsed.as_secs_f64()));
    Ok(())
}

fn parse_depth(text: &str) -> Result<u32, String> {
    parse_within(text, 0..=99).map(|depth| depth as u32)
}

/// The first steps with the paths that begin with them, and a bar meanwhile.
fn divide(state: &AnyState, depth: u32) -> Vec<(String, u64)> {
    let bar = progress::bar(0, "counting");
    let parts = state.divide(depth, &mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    parts
}

fn document(
    args: &Args,
    state: &AnyState,
    nodes: u64,
    elapsed: Duration,
    parts: &[(String, u64)],
) -> serde_json::Value {
    let mut document = json!({
        "game": state.game().name(),
        "state": state.state_text(),
        "depth": args.depth,
        "nodes": nodes,
        "seconds": elapsed.as_secs_f64(),
        "per_second": per_second(nodes, elapsed),
    });
    if args.divide {
        let moves = parts.iter().map(|(step, nodes)| json!({ "move": step, "nodes": nodes }));
        document["moves"] = moves.collect();
    }
    document
}
