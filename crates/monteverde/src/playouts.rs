//! `monteverde playouts`.

use crate::failure::bad_input;
use crate::input::{GameArg, StateArg, read_player};
use crate::lab::shard::{Keeping, OutArg, ShardArgs, ShardText};
use crate::lab::store_failure;
use crate::{progress, table};
use monteverde_lab::build::build;
use monteverde_lab::measure::{self, MeasureError, Probe, ProbeKind, Tally};
use monteverde_lab::progress::{Watch, WorkProgress};
use monteverde_players::arguments::{
    PlayerArg, grouped, parse_count, parse_seed, parse_threads, per_second, rate,
};
use monteverde_players::{AnyState, Games, Overrides, Spec};
use monteverde_statistics::Interval;
use serde_json::{Value, json};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// Plays a player's playouts from a state: how long they last and how they end
///
/// The results depend on the seed alone, not on the number of threads. Shares are those of the side
/// that moves first from the start of the game (White in chess) and of the other.
/// Without --player the game's first player plays.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde playouts --count 10k
  monteverde playouts --player mcc-hp-see:epsilon=0.2 --count 1000
  monteverde playouts --state '8/8/8/3k4/8/8/8/4K2R w - - 0 1' --count 1000 --seed 7 --json
  monteverde playouts --count 100M --shard 2/4 --out part2.mvs")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    player: PlayerArg,
    #[command(flatten)]
    state: StateArg,
    /// How many playouts: 5000, 1_000_000, 200k, 3M
    #[arg(long, value_name = "N", default_value = "10k", value_parser = parse_count, allow_negative_numbers = true)]
    count: u64,
    /// Where the random numbers start, overriding the player's spec
    #[arg(long, value_name = "X", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// How many threads play; by default one for each core
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// A file that keeps the counts, so that nothing is counted twice; by default none
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    shard: ShardArgs,
    #[command(flatten)]
    out: OutArg,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Plays and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = args.game.find(games)?;
    let overrides = Overrides { seed: args.seed, ..Overrides::default() };
    let spec = read_player(&args.player, game, &overrides, out)?;
    let state = args.state.read(game)?;
    let all = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = args.threads.unwrap_or_else(all);
    let start = Instant::now();
    let probe = Probe {
        game,
        state: state.state_text(),
        moves: Vec::new(),
        kind: ProbeKind::Playouts { count: args.count, player: Some(spec.to_string()) },
        seed: spec.seed(),
        build: build().to_owned(),
    };
    let (file, store) = (args.out.out.as_deref(), args.store.as_deref());
    let mut keeping = args.shard.keeping(file, store, (None, threads))?;
    let Some(tally) = play(&probe, &mut keeping)? else {
        return ShardText::of(&keeping)?.write(args.json, out);
    };
    let elapsed = start.elapsed();
    if args.json {
        return Ok(writeln!(out, "{:#}", document(&state, &spec, &tally, elapsed))?);
    }
    write_table(out, &state, &spec, &tally)?;
    progress::note(&format!(
        "{:.3} s on {threads} threads, {} playouts a second, {} plies a second",
        elapsed.as_secs_f64(),
        rate(per_second(tally.count, elapsed)),
        rate(per_second(tally.plies, elapsed)),
    ));
    Ok(())
}

/// Makes the measurement, or takes it from the store, with a bar. `None` if only a shard of it was
/// made.
fn play(probe: &Probe, keeping: &mut Keeping) -> anyhow::Result<Option<Tally>> {
    let bar = progress::bar(probe.units(), "playing");
    let findings = match keeping.store.is_kept() {
        // Without its key, for which a program of a changed tree would search for a while.
        false => probe.run(keeping.workforce.hands.concurrency, &|units| bar.inc(units)),
        true => {
            let observe = &mut |progress: &WorkProgress| {
                bar.set_length(progress.total);
                bar.set_position(progress.done);
            };
            let mut watch = Watch::new(1, probe.units(), observe);
            let Keeping { store, workforce } = keeping;
            let all = measure::run_all([probe], store, &workforce.hands, &mut watch);
            all.map(|mut all| all.pop().expect("a measurement finds something"))
        }
    };
    bar.finish_and_clear();
    match findings {
        Ok(findings) => Ok(Some(Tally::try_from(findings)?)),
        Err(MeasureError::Shard(_)) => Ok(None),
        Err(MeasureError::Store(error)) => Err(store_failure(error)),
        Err(error @ MeasureError::NoPlayouts(_)) => Err(bad_input("--player", error)),
        Err(error) => Err(bad_input("--state", error)),
    }
}

fn write_table(
    out: &mut dyn Write,
    state: &AnyState,
    spec: &Spec,
    tally: &Tally,
) -> anyhow::Result<()> {
    writeln!(out, "{}", state.picture())?;
    writeln!(
        out,
        "{} playouts of {} ({spec}) from {}",
        grouped(tally.count),
        state.game().name(),
        state.state_text()
    )?;
    let mut table = table::figures(["", "value", "± 95 %", "count"], 1..4);
    let (plies, error) = parts(tally.mean_plies());
    table.add_row([
        "mean plies".to_owned(),
        format!("{plies:.2}"),
        format!("{error:.2}"),
        grouped(tally.plies),
    ]);
    let results =
        [("first wins", tally.first), ("draw", tally.draw), ("second wins", tally.second)];
    for (name, count) in results.into_iter().chain(endings(tally)) {
        let (share, error) = parts(tally.share(count).times(100.0));
        table.add_row([
            name.to_owned(),
            format!("{share:.2} %"),
            format!("{error:.2} %"),
            grouped(count),
        ]);
    }
    Ok(writeln!(out, "{table}")?)
}

/// How the games ended, by name, the most frequent first.
fn endings(tally: &Tally) -> impl Iterator<Item = (&str, u64)> {
    let mut endings: Vec<_> =
        tally.endings.iter().map(|(name, &count)| (name.as_str(), count)).collect();
    endings.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    endings.into_iter()
}

/// An estimate and how far its interval reaches to each side.
fn parts(interval: Interval) -> (f64, f64) {
    let value = interval.value.unwrap_or(f64::NAN);
    (value, interval.high.map_or(0.0, |high| high - value))
}

fn document(state: &AnyState, spec: &Spec, tally: &Tally, elapsed: Duration) -> Value {
    let endings: serde_json::Map<_, _> =
        endings(tally).map(|(name, count)| (name.to_owned(), count.into())).collect();
    let (plies, first) = (tally.mean_plies(), tally.share(tally.first));
    let (draw, second) = (tally.share(tally.draw), tally.share(tally.second));
    let ends = |interval: Interval| [interval.low, interval.high];
    json!({
        "game": state.game().name(),
        "state": state.state_text(),
        "player": spec.to_string(),
        "count": tally.count,
        "mean_plies": plies.value,
        "mean_plies_ci95": ends(plies),
        "first": first.value,
        "first_ci95": ends(first),
        "draw": draw.value,
        "draw_ci95": ends(draw),
        "second": second.value,
        "second_ci95": ends(second),
        "endings": endings,
        "seconds": elapsed.as_secs_f64(),
        "per_second": per_second(tally.count, elapsed),
        "plies_per_second": per_second(tally.plies, elapsed),
    })
}
