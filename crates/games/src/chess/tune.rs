//! `monteverde tune`: fits the weights of the evaluation to the results of games that it plays with
//! them.

mod fit;
mod games;
mod rounds;
mod search;
mod source;

use clap::{ArgMatches, FromArgMatches};
use monteverde_players::arguments::{
    grouped, parse_count, parse_seed, parse_threads, parse_within,
};
use monteverde_players::command::{Figures, check_out};
use monteverde_players::{Bar, CommandFailure, Console, GameCommand};
use monteverde_statistics::{Wdl, elo};
use rounds::{Plan, Progress, Round, Stage, Tuned, tune};
use serde_json::{Value, json};
use source::source;
use std::path::PathBuf;

/// The command.
pub(super) const COMMAND: GameCommand = GameCommand {
    command: || <Args as clap::Args>::augment_args(clap::Command::new("tune")),
    run,
    overview: "  monteverde tune --positions 20k             fit the evaluation to games of its own\n",
};

/// Fits the weights of the evaluation to games that it plays with itself
///
/// A round plays games with the weights so far, takes boards of them, and fits every weight so that
/// the evaluation predicts the games' results. One game in ten is held back to judge the fit.
/// Finally the result plays against the weights set by hand. All of it depends on the seed alone,
/// not on the number of threads.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde tune --positions 20k --rounds 1
  monteverde tune --positions 2M --rounds 3 --depth 2 --out crates/knowledge/src/chess/weights.rs")]
struct Args {
    /// How many boards a round takes from its games: 5000, 200k, 3M
    #[arg(long, value_name = "N", default_value = "300k", value_parser = parse_count, allow_negative_numbers = true)]
    positions: u64,
    /// How many rounds of playing and fitting, 0 to 20; with 0 only the curve is fitted, to the
    /// weights set by hand
    #[arg(long, value_name = "N", default_value = "2", value_parser = parse_rounds, allow_negative_numbers = true)]
    rounds: u32,
    /// How many plies the players of these games look ahead before they only capture, 1 to 6
    #[arg(long, value_name = "D", default_value = "1", value_parser = parse_depth, allow_negative_numbers = true)]
    depth: u32,
    /// How many games the result plays against the weights set by hand
    #[arg(long, value_name = "N", default_value = "400", value_parser = parse_count, allow_negative_numbers = true)]
    games: u64,
    /// Where the random numbers start
    #[arg(long, value_name = "X", default_value = "1", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// How many threads; by default one for each core
    #[arg(long, value_name = "K", value_parser = parse_threads, allow_negative_numbers = true)]
    concurrency: Option<usize>,
    /// The file for the weights: Rust source, to be compiled in
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Tunes, prints how good the fit is, and writes the weights.
fn run(matches: &ArgMatches, console: &mut dyn Console) -> Result<(), CommandFailure> {
    let args = Args::from_arg_matches(matches)?;
    check_out(args.out.as_deref())?;
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan {
        positions: args.positions as usize,
        rounds: args.rounds,
        depth: args.depth,
        games: args.games as u32,
        seed: args.seed,
        threads: args.concurrency.unwrap_or_else(all),
    };
    let mut view = TuneProgress::default();
    let tuned = tune(&plan, &mut |progress| view.show(progress, console));
    drop(view);
    if let Some(path) = &args.out {
        let about = about(&plan, &tuned, &console.command_line());
        let text = source(&tuned.weights, tuned.curve, &about);
        std::fs::write(path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    if args.json {
        return Ok(writeln!(console.out(), "{:#}", document(&plan, &tuned))?);
    }
    print(&tuned, console)
}

fn parse_rounds(text: &str) -> Result<u32, String> {
    parse_within(text, 0..=20).map(|rounds| rounds as u32)
}

fn parse_depth(text: &str) -> Result<u32, String> {
    parse_within(text, 1..=6).map(|depth| depth as u32)
}

/// A bar for each stage of each round.
#[derive(Default)]
struct TuneProgress {
    now: Option<(u32, Stage, Box<dyn Bar>)>,
}

impl TuneProgress {
    fn show(&mut self, progress: Progress, console: &mut dyn Console) {
        let Progress { round, stage, done, all } = progress;
        if self.now.as_ref().is_none_or(|now| (now.0, now.1) != (round, stage)) {
            // The one before disappears first.
            self.now = None;
            let what = match stage {
                Stage::Collecting => "playing",
                Stage::Fitting => "fitting",
                Stage::Checking => "checking",
            };
            self.now = Some((round, stage, console.bar(all as u64, what)));
        }
        if let Some((_, _, bar)) = &self.now {
            bar.set(done as u64, all as u64);
        }
    }
}

fn print(tuned: &Tuned, console: &mut dyn Console) -> Result<(), CommandFailure> {
    let header =
        ["round", "games", "drawn", "fitted", "held back", "loss before", "loss after", "s"];
    let mut table = Figures::new(&header, 0..header.len());
    for (number, round) in (1..).zip(&tuned.rounds) {
        let Round { games, fitted, held_back, before, after, elapsed } = round;
        table.add_row([
            format!("{number}"),
            grouped(games.games()),
            format!("{:.0}%", 100.0 * games.draws as f64 / games.games().max(1) as f64),
            grouped(*fitted as u64),
            grouped(*held_back as u64),
            format!("{before:.5}"),
            format!("{after:.5}"),
            format!("{:.0}", elapsed.as_secs_f64()),
        ]);
    }
    let table = console.table(&table);
    let out = console.out();
    writeln!(out, "{table}")?;
    let curve = tuned.curve;
    writeln!(
        out,
        "expected result: 2 / (1 + exp(-eval / unit)) - 1, unit {:.1} (middlegame) to {:.1} (ending)",
        curve.midgame, curve.endgame
    )?;
    Ok(writeln!(out, "against the weights set by hand: {}", score(tuned.check))?)
}

/// A result in words.
fn score(games: Wdl) -> String {
    let Wdl { wins, draws, losses } = games;
    let elo = elo(games);
    let interval = match (elo.value(), elo.low(), elo.high()) {
        (Some(value), Some(low), Some(high)) => {
            format!(", Elo {value:+.0} [{low:+.0}, {high:+.0}]")
        }
        _ => String::new(),
    };
    format!("{wins} won, {draws} drawn, {losses} lost{interval}")
}

/// Where the weights come from, for the head of their file.
fn about(plan: &Plan, tuned: &Tuned, command: &str) -> String {
    let mut text = format!(
        "Command: {command}\n\
         Data: each round, {} boards or more from games of the weights of the round before against\n\
         themselves, {} ply of alpha-beta and captures, random openings, seed {}.\n\
         Method: logistic loss by the game's result, Adam, one game in ten held back.\n",
        grouped(plan.positions as u64),
        plan.depth,
        plan.seed
    );
    for (number, round) in (1..).zip(&tuned.rounds) {
        text.push_str(&format!(
            "Round {number}: {} games, {} boards fitted, {} held back; loss there {:.5} before, {:.5} after.\n",
            grouped(round.games.games()),
            grouped(round.fitted as u64),
            grouped(round.held_back as u64),
            round.before,
            round.after
        ));
    }
    text + &format!("Against the weights set by hand: {}.\n", score(tuned.check))
}

fn document(plan: &Plan, tuned: &Tuned) -> Value {
    let results =
        |games: Wdl| json!({ "wins": games.wins, "draws": games.draws, "losses": games.losses });
    let rounds = tuned.rounds.iter().map(|round| {
        json!({
            "games": results(round.games),
            "fitted": round.fitted,
            "held_back": round.held_back,
            "loss_before": round.before,
            "loss_after": round.after,
            "seconds": round.elapsed.as_secs_f64(),
        })
    });
    json!({
        "game": "chess",
        "positions": plan.positions,
        "depth": plan.depth,
        "seed": plan.seed,
        "rounds": rounds.collect::<Value>(),
        "curve": { "midgame": tuned.curve.midgame, "endgame": tuned.curve.endgame },
        "check": results(tuned.check),
    })
}
