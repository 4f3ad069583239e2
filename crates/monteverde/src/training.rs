//! The commands that make data for networks, and what they share.

pub(crate) mod info;
pub(crate) mod label;
pub(crate) mod selfplay;

use crate::failure::bad_input;
use crate::nats::CrewArgs;
use crate::progress;
use indicatif::ProgressBar;
use monteverde_game::limit::Limit;
use monteverde_lab::shard::Shard;
use monteverde_players::arguments::{
    PlayerArg, grouped, parse_count, parse_seed, parse_threads, parse_time, rate,
};
use monteverde_players::{AnyGame, AnyStep, DurationText, Overrides, Spec};
use monteverde_training::produce::Make;
use monteverde_training::remote::{Pieces, RemoteGames};
use monteverde_training::{Amount, DataError, Header, Makers, Production, Progress, Writer};
use serde_json::{Map, Value};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Who scores states, and for how long.
#[derive(clap::Args)]
#[group(skip)]
pub(crate) struct ScorerArgs {
    #[command(flatten)]
    player: PlayerArg,
    /// Nodes of each search; for Monte-Carlo players, iterations and moves checked for a win
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true,
        required_unless_present = "iterations", conflicts_with = "iterations")]
    nodes: Option<u64>,
    /// Iterations of each search; for alpha-beta players, nodes
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    iterations: Option<u64>,
    /// Where all random numbers start, overriding the player's spec
    #[arg(long, value_name = "X", default_value = "1", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Leaves out the share of the visits that each move had (Monte-Carlo players only)
    #[arg(long)]
    no_shares: bool,
}

/// Where the games go, and how the work is done.
#[derive(clap::Args)]
#[group(skip)]
pub(crate) struct WorkArgs {
    /// The file; the same command goes on with it where it was stopped
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many games at once; by default one for each core
    // What excludes it asks for it by the name that it has in other commands.
    #[arg(id = "concurrency", long = "threads", value_name = "T", value_parser = parse_threads,
        allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Begins no more games after that time, such as 20m
    #[arg(long, value_name = "T", value_parser = parse_time, allow_negative_numbers = true)]
    time: Option<Duration>,
    /// Makes only the I-th of N parts of the games, such as 2/4
    #[arg(long, value_name = "I/N", conflicts_with = "nats")]
    shard: Option<Shard>,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    crew: CrewArgs,
}

/// The least memory of a player, and what it gets for each iteration: a tree or a table that does
/// not fit the cache costs more time than it saves at so few.
const LEAST_MEMORY: usize = 1 << 20;
const MEMORY_EACH: usize = 4 << 10;

impl ScorerArgs {
    /// The player, by default the game's alpha-beta where it has one. Without a word on its memory
    /// it has no more than its searches need.
    fn read(&self, game: AnyGame, out: &mut dyn Write) -> anyhow::Result<Spec> {
        let default = game.alphabeta().first().map_or(game.strongest(), |preset| preset.name);
        let console = &mut crate::console::Terminal { out };
        // Each game gives its players a seed of its own.
        let spec = self.player.read(game, default, &Overrides::default(), console);
        let spec = spec.map_err(crate::failure::of_command)?;
        // A player without a tree or a table has no use for memory.
        if spec.memory() == 0 || spec.to_string().contains("memory=") {
            return Ok(spec);
        }
        let searches = self.nodes.or(self.iterations).unwrap_or(0) as usize;
        let needed = searches.saturating_mul(MEMORY_EACH).next_power_of_two().max(LEAST_MEMORY);
        let memory = needed.min(spec.memory());
        let overrides = Overrides { memory: Some(memory), ..Overrides::default() };
        spec.with(&overrides).map_err(|error| bad_input("--player", error))
    }

    fn limit(&self) -> Limit<AnyStep> {
        Limit { nodes: self.nodes, iterations: self.iterations, ..Limit::none() }
    }

    fn keeps_shares(&self, spec: &Spec) -> bool {
        spec.settings().is_some() && !self.no_shares
    }

    /// What stands in the header of every file that it scores.
    fn arguments(&self) -> Map<String, Value> {
        let mut arguments = Map::new();
        let (name, count) = match (self.nodes, self.iterations) {
            (Some(nodes), _) => ("nodes", nodes),
            (None, iterations) => ("iterations", iterations.unwrap_or(0)),
        };
        arguments.insert(name.to_owned(), count.into());
        arguments.insert("no_shares".to_owned(), self.no_shares.into());
        arguments
    }
}

/// Makes the games with progress, and prints what the file then holds.
fn produce(
    (make, pieces): (&dyn Make, &dyn Pieces),
    amount: Amount,
    work: &WorkArgs,
    mut header: Header,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if let Some(shard) = work.shard {
        header.arguments.insert("shard".to_owned(), shard.to_string().into());
    }
    let (writer, held) = Writer::open(&work.out, header).map_err(failure)?;
    for damage in held.damage() {
        progress::note(&format!("{}: {damage}; it is made again", work.out.display()));
    }
    let threads = work.threads.unwrap_or_else(crate::lab::cores);
    let workforce = work.crew.workforce(threads, Some(&work.out))?;
    let started = Instant::now();
    let is_over = || work.time.is_some_and(|time| started.elapsed() >= time);
    let shard = work.shard;
    let (makers, by) = match &workforce.hands.crew {
        None => (Makers::Threads(threads), format!("on {threads} threads")),
        Some(crew) => {
            (Makers::Workers(RemoteGames { crew: &**crew, pieces }), "by workers".to_owned())
        }
    };
    let production = Production { make, amount, shard, makers, is_over: &is_over };
    let mut view = ProductionView::new(started);
    let summary = production.run(writer, held, &mut |progress| view.show(progress));
    view.finish(&by);
    let summary = summary.map_err(failure)?;
    workforce.finish();
    if view.was_done {
        let (games, scored) = (grouped(summary.games), grouped(summary.scored));
        let held = format!("{} holds {games} games with {scored} positions", work.out.display());
        progress::note(&format!("{held}, as many as asked for or more; nothing is added"));
    }
    info::print(&work.out, &summary, &[], work.json, out)
}

/// Shows how a run goes on.
struct ProductionView {
    bar: ProgressBar,
    is_terminal: bool,
    started: Instant,
    /// The share that was there before, and what has been made since.
    before: Option<f64>,
    made: u64,
    /// Whether the file held as much as is wanted before.
    was_done: bool,
    next_line: Duration,
}

/// The bar's length.
const WHOLE: u64 = 10_000;
/// How often a line is written where there is no terminal for a bar.
const LINE_EVERY: Duration = Duration::from_secs(30);

impl ProductionView {
    fn new(started: Instant) -> ProductionView {
        ProductionView {
            bar: progress::bar(WHOLE, "playing"),
            is_terminal: std::io::stderr().is_terminal(),
            started,
            before: None,
            made: 0,
            was_done: false,
            next_line: LINE_EVERY,
        }
    }

    fn show(&mut self, progress: &Progress<'_>) {
        let Progress { summary, made, share, is_done } = *progress;
        let elapsed = self.started.elapsed();
        self.was_done |= self.before.is_none() && is_done;
        let before = *self.before.get_or_insert(share);
        self.made = made;
        let speed = made as f64 / elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
        let done = format!("{} positions, {} a second", grouped(summary.scored), rate(speed));
        self.bar.set_position((share * WHOLE as f64) as u64);
        if self.is_terminal {
            self.bar.set_message(done);
        } else if elapsed >= self.next_line {
            self.next_line = elapsed + LINE_EVERY;
            let per_share = elapsed.as_secs_f64() / (share - before).max(f64::MIN_POSITIVE);
            let left = Duration::try_from_secs_f64(per_share * (1.0 - share)).unwrap_or_default();
            let left = Duration::from_secs(left.as_secs());
            let percent = share * 100.0;
            progress::note(&format!("{done}, {percent:.1} %, about {} to go", DurationText(left)));
        }
    }

    fn finish(&self, by: &str) {
        self.bar.finish_and_clear();
        let seconds = self.started.elapsed().as_secs_f64();
        if self.made > 0 {
            let speed = self.made as f64 / seconds.max(f64::MIN_POSITIVE);
            let made = grouped(self.made);
            let speed = rate(speed);
            progress::note(&format!("{made} positions in {seconds:.1} s {by}, {speed} a second"));
        }
    }
}

/// What the exit code says of an error: input that is not accepted, or a failure at work.
fn failure(error: DataError) -> anyhow::Error {
    match error {
        DataError::Io { .. }
        | DataError::Perspective { .. }
        | DataError::InUse(_)
        | DataError::Crew(_)
        | DataError::Stopped => error.into(),
        DataError::Starts(_) => bad_input("--starts", error),
        DataError::Opening { .. } => bad_input("--random-plies", error),
        DataError::NotData { .. } | DataError::OtherRun { .. } | DataError::OtherInput { .. } => {
            bad_input("--out", error)
        }
        DataError::BadGame { .. } | DataError::Files(_) => bad_input("--data", error),
    }
}
