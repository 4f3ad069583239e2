//! `monteverde match`.

use super::adjudication::AdjudicationArgs;
use super::figures::{calibration_text, match_text};
use super::live::{LiveArgs, store_or_default};
use super::shard::{OutArg, ShardArgs, ShardText, SpeedArgs, calibrate};
use crate::failure::bad_input;
use crate::input::GameArg;
use crate::nats::CrewArgs;
use monteverde_lab::build::build;
use monteverde_lab::calibration::{EqualTime, States};
use monteverde_lab::command::BALANCE_ITERATIONS;
use monteverde_lab::contest::{ContestPlan, Format, Openings};
use monteverde_lab::contestant::{Contestant, Ponder};
use monteverde_lab::document::match_document;
use monteverde_lab::duration_text::{DurationText, DurationTextError};
use monteverde_lab::opening::Balance;
use monteverde_lab::pace::Pace;
use monteverde_players::Games;
use monteverde_players::arguments::{parse_count, parse_seed, parse_threads};
use monteverde_statistics::{EloScale, SequentialTest};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// Lets two players meet and says by how much one is stronger
///
/// A player is a spec such as mcc:c=0.5, or uci:COMMAND ARGS for an engine (chess and loa), with
/// words that have blanks in quotes: uci:"/opt/my engine" --uci, and its options among them:
/// option.Hash=16. An engine that breaks the rules or
/// comes too late loses that game. A game in which it does not start, crashes or hangs counts for
/// nobody and is played again by the same command; if that is its first game, the run ends. Two
/// games in a row are a pair: the same opening, sides swapped. With limits in iterations the same
/// seed gives the same games, on any number of threads. Finished games go into the store at once;
/// the same command with the same store goes on where it was stopped.
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("limit").args(["iterations", "time", "pace", "equal_time"]),
    group = clap::ArgGroup::new("begin").args(["openings", "random_plies", "every"]),
    after_help = "\
Examples:
  monteverde match mcc mcc:c=0.5 --games 100 --iterations 1000 --store a.db
  monteverde match mcc 'uci:gnuchess --uci' --games 20 --time 100ms --random-plies 4
  monteverde match mcc 'uci:\"/opt/my engines/sf\" --net big' --games 20 --pace nodes=5000
  monteverde match best 'uci:stockfish option.Hash=16 option.Threads=1' --games 20 --time 100ms
  monteverde match mcc mcc:c=2 --games 100k --iterations 500 --sprt 0,10 --store a.db
  monteverde match uct uct:c=0.3 --game tic-tac-toe --games 200 --iterations 50 --every 2 --json
  monteverde match mcc mcc:c=0.5 --games 1000 --iterations 1000 --shard 2/4 --out part2.mvs"
)]
pub(crate) struct Args {
    /// The first player; all figures are for it
    #[arg(value_name = "A")]
    a: String,
    /// The second player
    #[arg(value_name = "B")]
    b: String,
    #[command(flatten)]
    game: GameArg,
    /// How many games; an even number makes whole pairs
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    games: u64,
    /// Iterations a move of both players; an engine takes them for nodes
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    iterations: Option<u64>,
    /// Time a move of both players: 500ms, 2s
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<DurationText>,
    /// Limit of both players: iterations=N, time=T, clock=40/60s+0.1s, nodes=N or depth=N
    #[arg(long, value_name = "P")]
    pace: Option<Pace>,
    /// Equal time, as iterations: this many a move for A, and for B in proportion to its speed;
    /// both speeds are measured first
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    equal_time: Option<u64>,
    /// Limit of the first player, instead of the common one
    #[arg(long, value_name = "P")]
    pace_a: Option<Pace>,
    /// Limit of the second player, instead of the common one
    #[arg(long, value_name = "P")]
    pace_b: Option<Pace>,
    /// Players think in their opponent's time, too: both, or only a or b. Limits are in time, and
    /// a game takes two cores
    #[arg(
        long, value_name = "WHO", num_args = 0..=1, require_equals = true,
        default_missing_value = "both"
    )]
    ponder: Option<Ponderers>,
    /// How much later than its time allows a move may come
    #[arg(long, value_name = "T", default_value_t = Contestant::MARGIN)]
    margin: DurationText,
    /// Openings from a file: states (.epd), games (.pgn), or lines of moves
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// At most this many plies of each opening of the file
    #[arg(long, value_name = "N", requires = "openings")]
    opening_plies: Option<usize>,
    /// Openings of this many random plies
    #[arg(long, value_name = "N")]
    random_plies: Option<u32>,
    /// Only random openings that a short search gives a mean of at most this far from 0
    #[arg(long, value_name = "MEAN", requires = "random_plies")]
    balance: Option<f64>,
    /// All openings of this many plies, in random order
    #[arg(long, value_name = "N")]
    every: Option<u32>,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    /// Where the random numbers start
    #[arg(
        long, value_name = "X", default_value_t = 1, value_parser = parse_seed,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// How many games at once, a game with pondering counting as two; by default one for each core
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
    /// Stops as soon as a sequential test decides: elo0,elo1[,alpha,beta]
    #[arg(long, value_name = "BOUNDS", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// The test's bounds are in normalised Elo
    #[arg(long, requires = "sprt")]
    normalised: bool,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    crew: CrewArgs,
}

/// Who thinks in the opponent's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Ponderers {
    A,
    B,
    Both,
}

/// Plays and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let plan = plan(games, args)?;
    let test = plan.test;
    let concurrency = args.concurrency.unwrap_or_else(super::cores);
    let (file, store) = (args.out.out.as_deref(), args.store.as_deref());
    if args.speeds.is_calibration(&args.shard, store)?
        && let Some(store) = store
    {
        return calibrate(plan, store, args.json, out);
    }
    super::check(&plan, &args.crew, store)?;
    let store = store_or_default(store, args.shard.is_some());
    let workers = (Some(&args.crew), concurrency);
    let mut keeping = args.shard.keeping(file, store.as_deref(), workers)?;
    args.speeds.take(&mut keeping)?;
    let progress = super::hold(plan, &mut keeping, &args.live)?;
    if let Some(text) = ShardText::of_contest(&keeping, &progress.standings)? {
        return text.write(args.json, out);
    }
    let ended = super::unless_interrupted(&keeping);
    keeping.workforce.finish();
    if args.json {
        let document = match_document(&progress, [&args.a, &args.b], test.as_ref());
        writeln!(out, "{document:#}")?;
        return ended;
    }
    write!(out, "{}", calibration_text(progress.calibration.as_ref()))?;
    write!(out, "{}", match_text(&progress.standings, test.as_ref()))?;
    ended
}

fn plan(games: &Games, args: &Args) -> anyhow::Result<ContestPlan> {
    // At equal time this is only where it starts from.
    let iterations = args.iterations.or(args.equal_time).map(Pace::Iterations);
    let common = args.pace.or(iterations).or(args.time.map(Pace::Time));
    let contestant = |text: &str, own: Option<Pace>, ponderer: Ponderers| {
        let pace = own.or(common).ok_or_else(|| {
            bad_input(
                "the limit",
                "there is none for every player; accepted are --iterations, --time, --pace or \
                 --equal-time, and --pace-a with --pace-b",
            )
        })?;
        let read = Contestant::from_words(text, pace);
        let read = read.map_err(|error| bad_input("a player", error))?;
        let ponder = args.ponder.is_some_and(|who| who == ponderer || who == Ponderers::Both);
        anyhow::Ok(Contestant { margin: args.margin, ponder: Ponder::from(ponder), ..read })
    };
    let openings = match (&args.openings, args.random_plies, args.every) {
        (Some(path), ..) => Openings::File { path: path.clone(), plies: args.opening_plies },
        (_, Some(plies), _) => {
            let balance = args.balance;
            let balance = balance.map(|within| Balance { within, iterations: BALANCE_ITERATIONS });
            Openings::Random { plies, balance }
        }
        (_, _, Some(plies)) => Openings::Every { plies },
        _ => Openings::Start,
    };
    let scale = if args.normalised { EloScale::Normalised } else { EloScale::Logistic };
    Ok(ContestPlan {
        game: args.game.find(games)?,
        contestants: vec![
            contestant(&args.a, args.pace_a, Ponderers::A)?,
            contestant(&args.b, args.pace_b, Ponderers::B)?,
        ],
        format: Format::RoundRobin,
        games: args.games,
        openings,
        seed: args.seed,
        adjudication: args.adjudication.read()?,
        test: args.sprt.as_deref().map(|text| parse_test(text, scale)).transpose()?,
        equal_time: args.equal_time.map(|iterations| equal_time(args, iterations)),
        build: build().to_owned(),
    })
}

/// The players without a limit of their own think equally long. A is the reference; if it is an
/// engine, B.
fn equal_time(args: &Args, iterations: u64) -> EqualTime {
    let is_engine = args.a.starts_with("uci:") || args.a.starts_with("xboard:");
    let reference = if is_engine { &args.b } else { &args.a };
    let takers = [args.pace_a, args.pace_b].into_iter().enumerate();
    let takers = takers.filter(|(_, own)| own.is_none()).map(|(number, _)| number);
    EqualTime {
        reference: reference.clone(),
        iterations,
        speeds: BTreeMap::new(),
        takers: takers.collect(),
        states: States::Game,
    }
}

/// Reads a time a move, which is more than none.
fn parse_time(text: &str) -> Result<DurationText, String> {
    let span: DurationText = text.parse().map_err(|error: DurationTextError| error.to_string())?;
    let some = Some(span).filter(|span| !span.0.is_zero());
    some.ok_or_else(|| format!("'{text}' is no time at all; accepted are times from 1ms"))
}

/// Reads `elo0,elo1[,alpha,beta]`.
fn parse_test(text: &str, scale: EloScale) -> anyhow::Result<SequentialTest> {
    const ERROR_RATE: f64 = 0.05;
    let wrong = || {
        let accepted = "two or four numbers are accepted: elo0,elo1 or elo0,elo1,alpha,beta";
        bad_input("--sprt", format!("'{text}' is no test; {accepted}"))
    };
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    let (elos, alpha, beta) = match *numbers.map_err(|_| wrong())?.as_slice() {
        [elo0, elo1] => ([elo0, elo1], ERROR_RATE, ERROR_RATE),
        [elo0, elo1, alpha, beta] => ([elo0, elo1], alpha, beta),
        _ => return Err(wrong()),
    };
    SequentialTest::new(scale, elos, alpha, beta).map_err(|error| bad_input("--sprt", error))
}
