//! `monteverde tournament`.

use super::TomlFile;
use super::figures::{calibration_text, match_text, rounds_text, tournament_text};
use super::live::{LiveArgs, store_or_default};
use super::shard::{OutArg, ShardArgs, ShardText, SpeedArgs, calibrate};
use crate::failure::bad_input;
use crate::nats::CrewArgs;
use monteverde_lab::build::build;
use monteverde_lab::contestant::Ponder;
use monteverde_lab::document::{match_document, tournament_document};
use monteverde_lab::tournament::Tournament;
use monteverde_players::Games;
use monteverde_players::arguments::parse_threads;
use std::io::Write;
use std::path::PathBuf;

/// Holds a round robin, gauntlet, knockout, Swiss or listed tournament that a TOML file describes
///
/// Engines that speak UCI may take part in chess and loa. One that answers nonsense, an illegal
/// move or too late loses that game, and the table says so. A game in which it does not start,
/// crashes or hangs counts for nobody and is played again by the same command; if that is its first
/// game, the run ends. Finished games go into the store at once; the same command with the same
/// store goes on where it was stopped.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde tournament gauntlet.toml --store a.db
  monteverde tournament gauntlet.toml --shard 2/4 --out part2.mvs

A file:
  game = \"chess\"
  format = \"gauntlet\"            # the first against each of the others; or \"round-robin\",
                                 # \"knockout\", \"swiss\" with rounds = 5, or \"meetings\"
                                 # with meeting = [{ players = [\"a\", \"b\"], games = 20 }]
  games = 10                     # of each meeting
  pace = \"time=100ms\"            # of every player that has none of its own, or, in place of it:
  # equal-time = { reference = \"mcc\", iterations = 2000 }
  [openings]                     # or file = \"book.pgn\", or every = 3
  random = 4
  [[player]]
  spec = \"mcc\"
  [[player]]
  command = \"gnuchess\"
  args = [\"--uci\"]
  pace = \"depth=2\"")]
pub(crate) struct Args {
    /// The file
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// All players think in their opponents' time, whatever the file says
    #[arg(long)]
    ponder: bool,
    /// How many games at once, overriding the file; a game with pondering counts as two
    #[arg(long, value_name = "K", value_parser = parse_threads, allow_negative_numbers = true)]
    concurrency: Option<usize>,
    /// The file that keeps every game; by default a new one in the user's data folder, which the
    /// run names
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    live: LiveArgs,
    #[command(flatten)]
    shard: ShardArgs,
    #[command(flatten)]
    out: OutArg,
    #[command(flatten)]
    speeds: SpeedArgs,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    crew: CrewArgs,
}

/// Plays and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let TomlFile { text, place, folder } = TomlFile::read(&args.file)?;
    let mut tournament = Tournament::parse(games, &text, &folder, build())
        .map_err(|error| bad_input(&place, error))?;
    if args.ponder {
        tournament.plan.contestants.iter_mut().for_each(|one| one.ponder = Ponder::On);
    }
    let test = tournament.plan.test;
    let concurrency = args.concurrency.or(tournament.concurrency).unwrap_or_else(super::cores);
    let (file, store) = (args.out.out.as_deref(), args.store.as_deref());
    if args.speeds.is_calibration(&args.shard, store)?
        && let Some(store) = store
    {
        return calibrate(tournament.plan, store, args.json, out);
    }
    super::check(&tournament.plan, &args.crew, store)?;
    let store = store_or_default(store, args.shard.is_some());
    let workers = (Some(&args.crew), concurrency);
    let mut keeping = args.shard.keeping(file, store.as_deref(), workers)?;
    args.speeds.take(&mut keeping)?;
    let progress = super::hold(tournament.plan, &mut keeping, &args.live)?;
    if let Some(text) = ShardText::of_contest(&keeping, &progress.standings)? {
        return text.write(args.json, out);
    }
    let ended = super::unless_interrupted(&keeping);
    keeping.workforce.finish();
    if args.json {
        let mut document = tournament_document(&progress);
        if test.is_some() {
            let names = progress.standings.names();
            let names = [names[0].as_str(), names[1].as_str()];
            document["match"] = match_document(&progress, names, test.as_ref());
        }
        writeln!(out, "{document:#}")?;
        return ended;
    }
    write!(out, "{}", calibration_text(progress.calibration.as_ref()))?;
    match test {
        Some(test) => write!(out, "{}", match_text(&progress.standings, Some(&test)))?,
        None => {
            write!(out, "{}", rounds_text(&progress))?;
            write!(out, "{}", tournament_text(&progress.standings))?;
        }
    }
    ended
}
