//! `monteverde worker`.

use crate::failure::bad_input;
use crate::nats::{LoginArgs, check_url, failure, say};
use crate::slurm::{JobArgs, SlurmJob, parse_tasks, script, worker_words};
use monteverde_cluster::RunName;
use monteverde_cluster::worker::{WorkerOptions, work};
use monteverde_lab::crew::AllowedEngines;
use monteverde_players::Games;
use monteverde_players::arguments::{parse_memory, parse_threads, parse_time};
use std::io::Write;
use std::time::Duration;

/// Works for runs on other machines, until Ctrl-C
///
/// A run is any match, tournament, sweep, experiment, suite, self-play or labelling that was
/// started with --nats at the same server. The worker does as many pieces of work at once as it has
/// threads. If the program of a run plays differently from this one, or needs endgame tables or
/// engines that are missing here, the worker takes no work of that run and says so. At Ctrl-C it
/// finishes what it has begun, if that does not take long, and gives the rest back. If the server
/// cannot be reached, it waits.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde worker --nats nats://lab.example:4222
  monteverde worker --nats nats://lab.example:4222 --threads 4 --run tuning
  monteverde worker --nats nats://lab.example:4222 --engines 'gnuchess=/usr/games/gnuchess --uci'
  MONTEVERDE_NATS_TOKEN=... monteverde worker --nats tls://lab.example:4222
  monteverde worker --slurm --nats nats://lab.example:4222 --array 16 --cores 8 | sbatch")]
pub(crate) struct Args {
    /// The NATS server: nats://HOST:PORT, or tls://HOST:PORT
    #[arg(long, value_name = "URL")]
    nats: String,
    /// How many pieces of work at once; by default one for each core
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Only the run of that name
    #[arg(long, value_name = "NAME")]
    run: Option<RunName>,
    /// An engine that runs may use, and how it is started here; by default none
    #[arg(long, value_name = "NAME=COMMAND", num_args = 1..)]
    engines: Vec<String>,
    /// The most memory that a player may ask for
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = parse_memory)]
    memory: usize,
    /// How long it finishes what it has begun after Ctrl-C
    #[arg(long, value_name = "T", default_value = "10s", value_parser = parse_time)]
    grace: Duration,
    #[command(flatten)]
    login: LoginArgs,
    /// Prints a batch script that starts workers on a Slurm cluster, for sbatch, and works at
    /// nothing itself
    #[arg(long)]
    slurm: bool,
    /// With --slurm: how many workers [default: 4]
    #[arg(long, value_name = "N", value_parser = parse_tasks)]
    array: Option<u32>,
    #[command(flatten)]
    job: JobArgs,
}

/// Works, or prints a script that lets others work.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    if args.slurm {
        return print_script(args, out);
    }
    let array = args.array.map(|_| "--array");
    if let Some(option) = array.or(args.job.given()) {
        return Err(bad_input(option, "it is for a batch script and needs --slurm"));
    }
    let engines = AllowedEngines::parse(args.engines.iter().map(String::as_str));
    let options = WorkerOptions {
        server: args.login.server(&args.nats)?,
        threads: args.threads.unwrap_or_else(crate::lab::cores),
        run: args.run.clone(),
        engines: engines.map_err(|error| bad_input("--engines", error))?,
        kinds: monteverde_training::remote::KINDS.to_vec(),
        memory: args.memory,
        grace: args.grace,
    };
    work(games, options, say()).map_err(failure)
}

/// Prints the batch script.
fn print_script(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    const WORKERS: u32 = 4;
    check_url(&args.nats)?;
    let job = SlurmJob::Worker(worker_words(std::env::args().skip(1))?);
    let cores = args.threads.map(|threads| threads as u32);
    let options = args.job.options(args.array.unwrap_or(WORKERS), cores, job)?;
    Ok(write!(out, "{}", script(&options))?)
}
