//! Batch scripts for Slurm: `monteverde slurm`, which runs a command as shards, and
//! `monteverde worker --slurm`. Slurm starts them; it is not the queue.

mod check;

use crate::failure::bad_input;
use check::check_command;
use monteverde_lab::command::line;
use monteverde_players::Games;
use monteverde_players::arguments::parse_within;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Prints a batch script that runs a command as shards on a Slurm cluster
///
/// Each task of the array is a shard and keeps its part in a file of its own in the folder of
/// --out. A shard whose time runs out, or whose machine is taken away, is queued again and goes on
/// where it was. The machines need no network but a common file system. When all are done,
/// 'monteverde import' puts the files together; those of selfplay and label are used as they are.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde slurm --shards 16 --cores 8 -- match mcc mcc:c=0.5 --games 1000 --iterations 10k > job.sh
  sbatch job.sh
  monteverde import shards/*.mvs --store a.db
  monteverde slurm --shards 50 --time 12:00:00 -- experiment run mcc-mating --scale paper | sbatch
  monteverde slurm --shards 8 -- selfplay --nodes 1000 --games 100k | sbatch")]
pub(crate) struct Args {
    /// Into how many shards the work is cut
    #[arg(long, value_name = "N", value_parser = parse_tasks)]
    shards: u32,
    /// The folder for the files of the shards, which all machines see
    #[arg(long, value_name = "DIR", default_value = "shards")]
    out: PathBuf,
    #[command(flatten)]
    job: JobArgs,
    /// The command with its options, except --shard, --out and --store
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<String>,
}

/// What each task of an array gets.
#[derive(clap::Args)]
pub(crate) struct JobArgs {
    /// Cores of each task [default: 4]
    #[arg(long, value_name = "N", value_parser = parse_cores)]
    cores: Option<u32>,
    /// Memory of each task, such as 500M or 16G [default: 1G a core]
    #[arg(long, value_name = "M", value_parser = parse_memory)]
    mem: Option<String>,
    /// The time of each task: minutes, hours:minutes:seconds, or days-hours [default: 24:00:00]
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<String>,
    /// The partition, if it is not the cluster's default
    #[arg(long, value_name = "P", value_parser = parse_name)]
    partition: Option<String>,
    /// The account that pays
    #[arg(long, value_name = "A", value_parser = parse_name)]
    account: Option<String>,
    /// Where the machines find this program [default: where it is here]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// What a script is to do.
pub(crate) struct SlurmOptions {
    /// How many tasks.
    tasks: u32,
    cores: u32,
    memory: String,
    time: String,
    partition: Option<String>,
    account: Option<String>,
    program: String,
    job: SlurmJob,
}

/// What each task runs.
pub(crate) enum SlurmJob {
    /// Takes work of runs elsewhere: the words of `monteverde worker`.
    Worker(Vec<String>),
    /// Does a shard.
    Shards {
        /// The words of the command.
        words: Vec<String>,
        /// Where the files of the shards go.
        folder: PathBuf,
    },
}

/// The longest array that clusters take unless they are told otherwise has the number 1000.
const MOST_TASKS: u64 = 1000;
const CORES: u32 = 4;
const TIME: &str = "24:00:00";

/// Prints the script.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    check_command(games, args)?;
    let job = SlurmJob::Shards { words: args.command.clone(), folder: args.out.clone() };
    Ok(write!(out, "{}", script(&args.job.options(args.shards, None, job)?))?)
}

impl JobArgs {
    /// What a script is to do, with what was left out; `cores` are those where nobody gave any.
    pub(crate) fn options(
        &self,
        tasks: u32,
        cores: Option<u32>,
        job: SlurmJob,
    ) -> anyhow::Result<SlurmOptions> {
        let cores = self.cores.or(cores).unwrap_or(CORES);
        let program = match &self.program {
            Some(program) => program.clone(),
            None => std::env::current_exe()?,
        };
        Ok(SlurmOptions {
            tasks,
            cores,
            memory: self.mem.clone().unwrap_or_else(|| format!("{cores}G")),
            time: self.time.clone().unwrap_or_else(|| TIME.to_owned()),
            partition: self.partition.clone(),
            account: self.account.clone(),
            program: plain_text("--program", &program)?,
            job,
        })
    }
}

impl JobArgs {
    /// One of these options that was given, if any was.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let JobArgs { cores, mem, time, partition, account, program } = self;
        let all = [
            ("--cores", cores.is_some()),
            ("--mem", mem.is_some()),
            ("--time", time.is_some()),
            ("--partition", partition.is_some()),
            ("--account", account.is_some()),
            ("--program", program.is_some()),
        ];
        all.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

/// What is different for every task.
struct TaskValues<'a> {
    /// Which shard it does.
    shard: &'a str,
    /// Its file.
    file: &'a str,
    cores: &'a str,
}

/// The words that the script adds to the command.
fn added_words(words: &[String], values: TaskValues<'_>) -> Vec<String> {
    let TaskValues { shard, file, cores } = values;
    let mut added = ["--shard", shard, "--out", file].map(str::to_owned).to_vec();
    let threads = match words.first().map(String::as_str) {
        Some("playouts" | "selfplay" | "label") => "--threads",
        _ => "--concurrency",
    };
    if !words.iter().any(|word| word.split('=').next() == Some(threads)) {
        added.extend([threads, cores].map(str::to_owned));
    }
    added
}

/// A path or word as a script may have it: a line end would end its line.
fn plain_text(place: &str, path: &Path) -> anyhow::Result<String> {
    let text = path.to_str().filter(|text| !text.chars().any(char::is_control));
    let text = text.ok_or_else(|| bad_input(place, "line ends and the like are not accepted"))?;
    Ok(text.to_owned())
}

/// The words of `monteverde worker` on this command line without those that are about the script.
/// Secrets are refused: everybody may read the scripts of a cluster.
pub(crate) fn worker_words(words: impl IntoIterator<Item = String>) -> anyhow::Result<Vec<String>> {
    const ALONE: [&str; 1] = ["--slurm"];
    const WITH_VALUE: [&str; 8] = [
        "--array",
        "--cores",
        "--mem",
        "--time",
        "--partition",
        "--account",
        "--program",
        "--threads",
    ];
    const SECRET: [&str; 2] = ["--nats-token", "--nats-password"];
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let option = word.split('=').next().unwrap_or_default();
        if SECRET.contains(&option) {
            let name = option.trim_start_matches('-').replace('-', "_").to_uppercase();
            let problem = format!(
                "a script would show it to everybody; set MONTEVERDE_{name} where sbatch is run, which hands it on"
            );
            return Err(bad_input(option, problem));
        }
        if WITH_VALUE.contains(&option) {
            if option.len() == word.len() {
                words.next();
            }
        } else if !ALONE.contains(&option) {
            plain_text("the command", Path::new(&word))?;
            kept.push(word);
        }
    }
    Ok(kept)
}

/// The script.
pub(crate) fn script(options: &SlurmOptions) -> String {
    let SlurmOptions { tasks, cores, memory, time, partition, account, program, job } = options;
    let mut text = String::from("#!/bin/sh\n");
    let mut say = |line: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{line}");
    };
    say("#SBATCH --job-name=monteverde".to_owned());
    say(format!("#SBATCH --array=1-{tasks}"));
    say("#SBATCH --nodes=1".to_owned());
    say("#SBATCH --ntasks=1".to_owned());
    say(format!("#SBATCH --cpus-per-task={cores}"));
    say(format!("#SBATCH --mem={memory}"));
    say(format!("#SBATCH --time={time}"));
    if let Some(partition) = partition {
        say(format!("#SBATCH --partition={partition}"));
    }
    if let Some(account) = account {
        say(format!("#SBATCH --account={account}"));
    }
    say("#SBATCH --requeue".to_owned());
    say("#SBATCH --open-mode=append".to_owned());
    say("#SBATCH --output=monteverde-%A_%a.log".to_owned());
    say(format!("#SBATCH --signal=B:TERM@{WARNING}"));
    say(String::new());
    say(format!("program={}", quoted(program)));
    match job {
        SlurmJob::Worker(words) => say(worker_body(words)),
        SlurmJob::Shards { words, folder } => {
            say(shard_body(words, &folder.to_string_lossy(), *tasks))
        }
    }
    text
}

/// So many seconds before its time is up a task is told.
const WARNING: u32 = 120;

/// A task is queued again at most so often: one whose pieces do not fit into its time would
/// otherwise go round for ever.
const RESTARTS: u32 = 100;

fn worker_body(words: &[String]) -> String {
    format!(
        "\
# A worker takes work until its time is up, or until it is ended with scancel. What it has begun
# then it gives back.
\"$program\" {} --threads \"$SLURM_CPUS_PER_TASK\" &
child=$!
trap 'kill -TERM \"$child\" 2>/dev/null' TERM
wait \"$child\"
code=$?
# The signal ends a wait, not the worker, which gives back what it has begun.
while kill -0 \"$child\" 2>/dev/null; do
  wait \"$child\"
  code=$?
done
exit \"$code\"",
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    )
}

fn shard_body(words: &[String], folder: &str, shards: u32) -> String {
    let (ending, advice) = match words.first().map(String::as_str) {
        // Files of training games are not put together, since everything accepts several.
        Some("selfplay" | "label") => {
            ("mvd", "training takes all files as they are; what they hold: monteverde data")
        }
        _ => ("mvs", "with a store or an experiment: monteverde import"),
    };
    let (shard, file) =
        (format!("\"$shard/{shards}\""), format!("\"$folder/shard-$shard.{ending}\""));
    let cores = "\"$SLURM_CPUS_PER_TASK\"";
    let added = added_words(words, TaskValues { shard: &shard, file: &file, cores }).join(" ");
    let command = line(words);
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!(
        "\
folder={folder}
shard=$SLURM_ARRAY_TASK_ID

# {command}
# When all shards are done, {advice} {folder}/*.{ending}
mkdir -p \"$folder\"
\"$program\" {words} \\
  {added} &
child=$!

# Before the time is up the shard is ended and queued again: it goes on where it was, and no
# finished piece is lost.
again() {{
  trap '' TERM
  kill -TERM \"$child\" 2>/dev/null
  wait \"$child\"
  trap - TERM
  # One that somebody has cancelled is no longer running.
  state=$(squeue --noheader --jobs=\"$SLURM_JOB_ID\" --format=%T)
  if [ \"$state\" = RUNNING ] && [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt {RESTARTS} ]; then
    scontrol requeue \"$SLURM_JOB_ID\"
    # Until Slurm ends this turn.
    sleep {WARNING}
  fi
  exit 1
}}
trap again TERM
wait \"$child\"",
        folder = quoted(folder),
        words = words.join(" "),
    )
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

pub(crate) fn parse_tasks(text: &str) -> Result<u32, String> {
    parse_within(text, 1..=MOST_TASKS).map(|tasks| tasks as u32)
}

fn parse_cores(text: &str) -> Result<u32, String> {
    parse_within(text, 1..=1024).map(|cores| cores as u32)
}

/// Reads an amount of memory as Slurm does: megabytes without a letter.
fn parse_memory(text: &str) -> Result<String, String> {
    let digits = text.strip_suffix(['K', 'M', 'G', 'T']).unwrap_or(text);
    let is_number =
        digits.parse::<u32>().is_ok_and(|number| number > 0) && !digits.starts_with('+');
    let accepted =
        || format!("'{text}' is no memory; megabytes such as 500, 500M or 16G are accepted");
    is_number.then(|| text.to_owned()).ok_or_else(accepted)
}

/// Reads a time as Slurm does.
fn parse_time(text: &str) -> Result<String, String> {
    let (days, rest) = text.split_once('-').map_or((None, text), |(days, rest)| (Some(days), rest));
    let is_number = |word: &str| word.parse::<u32>().is_ok() && !word.starts_with('+');
    let parts: Vec<&str> = rest.split(':').collect();
    let is_time = days.is_none_or(is_number)
        && (1..=3).contains(&parts.len())
        && parts.iter().all(|part| is_number(part))
        && text.bytes().any(|byte| byte.is_ascii_digit() && byte != b'0');
    let accepted = || {
        format!(
            "'{text}' is no time; minutes (90), hours:minutes:seconds (12:00:00) and days-hours (2-0) are accepted"
        )
    };
    is_time.then(|| text.to_owned()).ok_or_else(accepted)
}

/// Reads the name of a partition or an account.
fn parse_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.,".contains(c);
    let is_name = !text.is_empty() && text.chars().all(is_plain);
    let accepted =
        || format!("'{}' is no name; letters, digits and - _ . are accepted", text.escape_debug());
    is_name.then(|| text.to_owned()).ok_or_else(accepted)
}

#[cfg(test)]
mod tests;
