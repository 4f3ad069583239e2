//! `monteverde playouts`.

mod tally;

use crate::input::{GameArg, PlayerArg, StateArg};
use crate::text::{grouped, parse_count, parse_seed, parse_threads, per_second, rate};
use crate::{progress, table};
use monteverde_game::{Game, Notation, Rng};
use monteverde_players::{Overrides, Playable, Spec, Visitor};
use serde_json::{Value, json};
use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tally::Tally;

/// A thread takes this many playouts at a time.
const BATCH: u64 = 64;

/// Plays games at random from a state: how long they last and how they end
///
/// The results depend on the seed alone, not on the number of threads. Shares are those of the side that
/// moves first from the start of the game (White in chess) and of the other.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde playouts --count 10k
  monteverde playouts --state '8/8/8/3k4/8/8/8/4K2R w - - 0 1' --count 1000 --seed 7 --json")]
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
    /// Where the random numbers start, in place of what the player's spec says
    #[arg(long, value_name = "X", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// How many threads play; as many as the machine runs at once if it is left out
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Plays and prints.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    args.game.visit(Playouts { args, out })
}

struct Playouts<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Playouts<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self) -> anyhow::Result<()> {
        let args = self.args;
        let overrides = Overrides { seed: args.seed, ..Overrides::default() };
        let spec = args.player.read::<G>(&overrides)?;
        let state: G = args.state.read()?;
        let all = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = args.threads.unwrap_or_else(all);
        let start = Instant::now();
        let tally = play(&state, args.count, spec.settings().config.seed, threads);
        let elapsed = start.elapsed();
        if args.json {
            let document = document(&state, &spec, &tally, elapsed);
            return Ok(writeln!(self.out, "{document:#}")?);
        }
        write_table(self.out, &state, &spec, &tally)?;
        progress::note(&format!(
            "{:.3} s on {threads} threads, {} playouts a second, {} plies a second",
            elapsed.as_secs_f64(),
            rate(per_second(tally.count, elapsed)),
            rate(per_second(tally.plies, elapsed)),
        ));
        Ok(())
    }
}

/// Plays `count` times. Each playout has random numbers of its own, so that it does not matter which
/// thread plays it.
fn play<G: Game>(state: &G, count: u64, seed: u64, threads: usize) -> Tally {
    let bar = progress::bar(count, "playing");
    let next = AtomicU64::new(0);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= count {
                return tally;
            }
            let last = count.min(first + BATCH);
            for index in first..last {
                let mut game = state.clone();
                let playout = game.playout(&mut Rng::stream(seed, index));
                tally.add(playout, game.ending());
            }
            bar.inc(last - first);
        }
    };
    let tally = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            all.merge(&other.join().expect("playouts do not panic"));
        }
        all
    });
    bar.finish_and_clear();
    tally
}

fn write_table<G: Notation>(
    out: &mut dyn Write,
    state: &G,
    spec: &Spec,
    tally: &Tally,
) -> anyhow::Result<()> {
    writeln!(out, "{}", state.picture())?;
    writeln!(
        out,
        "{} playouts of {} ({spec}) from {}",
        grouped(tally.count),
        G::NAME,
        state.state_text()
    )?;
    let mut table = table::figures(["", "value", "standard error", "count"], 1..4);
    let plies = tally.mean_plies();
    table.add_row([
        "mean plies".to_owned(),
        format!("{:.2}", plies.value),
        format!("{:.2}", plies.error),
        grouped(tally.plies),
    ]);
    let results =
        [("first wins", tally.first), ("draw", tally.draw), ("second wins", tally.second)];
    for (name, count) in results.into_iter().chain(tally.endings()) {
        let share = tally.share(count);
        table.add_row([
            name.to_owned(),
            format!("{:.2} %", 100.0 * share.value),
            format!("{:.2} %", 100.0 * share.error),
            grouped(count),
        ]);
    }
    Ok(writeln!(out, "{table}")?)
}

fn document<G: Notation>(state: &G, spec: &Spec, tally: &Tally, elapsed: Duration) -> Value {
    let endings: serde_json::Map<_, _> =
        tally.endings().map(|(name, count)| (name.to_owned(), count.into())).collect();
    let (plies, first) = (tally.mean_plies(), tally.share(tally.first));
    let (draw, second) = (tally.share(tally.draw), tally.share(tally.second));
    json!({
        "game": G::NAME,
        "state": state.state_text(),
        "player": spec.to_string(),
        "count": tally.count,
        "mean_plies": plies.value,
        "mean_plies_error": plies.error,
        "first": first.value,
        "first_error": first.error,
        "draw": draw.value,
        "draw_error": draw.error,
        "second": second.value,
        "second_error": second.error,
        "endings": endings,
        "seconds": elapsed.as_secs_f64(),
        "per_second": per_second(tally.count, elapsed),
        "plies_per_second": per_second(tally.plies, elapsed),
    })
}
