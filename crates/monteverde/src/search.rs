//! `monteverde search`.

mod print;

use crate::input::{GameArg, StateArg, check_memory, read_player};
use crate::progress;
use monteverde_mcts::{Control, Limit, Report, Signal};
use monteverde_players::arguments::{
    PlayerArg, parse_count, parse_seed, parse_threads, parse_time, rate,
};
use monteverde_players::{AnyState, Games, Overrides, Player, WallClock};
use print::{document, write_table};
use std::io::Write;
use std::time::Duration;

/// How often the bar moves.
const EVERY: Duration = Duration::from_millis(100);
/// The steps of a bar that shows time.
const STEPS: u64 = 1000;

/// Thinks about a state and shows every move with its visits and mean
///
/// With one thread, a seed and a limit in iterations, standard output is the same on every run and
/// every machine; times and speeds go to standard error. Means are in -1..1 for the side to move.
/// Without --player the game's first player searches.
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("limit").args(["iterations", "time"]).required(true).multiple(true),
    after_help = "\
Examples:
  monteverde search --time 2s
  monteverde search --iterations 100k --seed 7 --player mcc:c=0.5
  monteverde search --state '8/6p1/k1P2p1p/7K/8/8/8/8 w - - 0 1' --iterations 1M --threads 2 --json
  monteverde search --game tic-tac-toe --state 'xx. oo. ...' --iterations 1000"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    player: PlayerArg,
    #[command(flatten)]
    state: StateArg,
    /// Ends after this many iterations: 5000, 1_000_000, 200k, 3M
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    iterations: Option<u64>,
    /// Ends after this time: 500ms, 2s, 1.5s, 1m
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,
    /// How many threads search, overriding the player's spec
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Where the random numbers start, overriding the player's spec
    #[arg(long, value_name = "X", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Searches and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = args.game.find(games)?;
    let overrides = Overrides { threads: args.threads, seed: args.seed, ..Overrides::default() };
    let spec = read_player(&args.player, game, &overrides, out)?;
    let state = args.state.read(game)?;
    check_memory(&spec)?;
    let report = think(&mut *spec.make(&state), args);
    if args.json {
        return Ok(writeln!(out, "{:#}", document(&state, &spec, &report))?);
    }
    write_table(out, &state, &spec, &report)?;
    progress::note(&format!(
        "{:.3} s, {} iterations a second",
        report.figures.elapsed.as_secs_f64(),
        rate(report.per_second())
    ));
    Ok(())
}

fn think(player: &mut dyn Player<AnyState>, args: &Args) -> Report<AnyState> {
    let limit = Limit { iterations: args.iterations, time: args.time, ..Limit::none() };
    let bar = progress::bar(STEPS, "searching");
    let mut observe = |report: &Report<AnyState>| {
        let figures = &report.figures;
        let iterations = args.iterations.map(|most| figures.iterations as f64 / most as f64);
        let time = args.time.map(|most| figures.elapsed.as_secs_f64() / most.as_secs_f64());
        let done = iterations.unwrap_or(0.0).max(time.unwrap_or(0.0));
        bar.set_position((done * STEPS as f64) as u64);
    };
    let control = Control {
        clock: &WallClock::start(),
        signal: &Signal::default(),
        every: EVERY,
        observe: &mut observe,
    };
    let report = player.think(&limit, control);
    bar.finish_and_clear();
    report
}
