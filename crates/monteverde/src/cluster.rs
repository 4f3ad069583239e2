//! `monteverde cluster`.

use crate::nats::{LoginArgs, failure, say};
use crate::table::figures;
use monteverde_cluster::{Picture, RunName, RunPicture, SeenWorker, Watcher, forget};
use monteverde_players::arguments::{grouped, parse_time};
use std::io::{IsTerminal, Write, stdout};
use std::time::Duration;

/// Shows the workers and runs at a NATS server, until Ctrl-C
///
/// For each worker its threads, program, speed and pieces of work an hour; for each run how much is
/// queued, in work and done, and how much had to be handed out a second time.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde cluster --nats nats://lab.example:4222
  monteverde cluster --nats nats://lab.example:4222 --json | jq .workers
  monteverde cluster --nats nats://lab.example:4222 --forget 3f2a9c0d1e5b")]
pub(crate) struct Args {
    /// The NATS server: nats://HOST:PORT, or tls://HOST:PORT
    #[arg(long, value_name = "URL")]
    nats: String,
    /// Shows it once and ends
    #[arg(long)]
    once: bool,
    /// Prints one JSON document and ends
    #[arg(long)]
    json: bool,
    /// How often it is refreshed
    #[arg(long, value_name = "T", default_value = "2s", value_parser = parse_time)]
    every: Duration,
    /// Removes what the run of that name has left at the server: its queue, and results that are
    /// in no store
    #[arg(long, value_name = "RUN")]
    forget: Option<RunName>,
    #[command(flatten)]
    login: LoginArgs,
}

/// Shows.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let server = args.login.server(&args.nats)?;
    if let Some(run) = &args.forget {
        return forget(&server, run, &say()).map_err(failure);
    }
    let quiet: monteverde_cluster::Say = std::sync::Arc::new(|_: &str| {});
    let mut watcher = Watcher::start(&server, &quiet).map_err(failure)?;
    let is_live = !args.once && !args.json;
    loop {
        let picture = watcher.look();
        match picture {
            Ok(picture) if args.json => {
                let document = serde_json::to_value(&picture)?;
                return Ok(writeln!(out, "{document:#}")?);
            }
            Ok(picture) => {
                if is_live && stdout().is_terminal() {
                    // Clears the screen.
                    write!(out, "\u{1b}[2J\u{1b}[H")?;
                }
                writeln!(out, "{}", text(&picture))?;
            }
            // A server that is gone may come back.
            Err(error) if is_live => writeln!(out, "{error}")?,
            Err(error) => return Err(failure(error)),
        }
        out.flush()?;
        if !is_live {
            return Ok(());
        }
        std::thread::sleep(args.every);
    }
}

fn text(picture: &Picture) -> String {
    let Picture { server, workers, runs } = picture;
    let cores: usize = workers.iter().map(|worker| worker.status.cores).sum();
    let mut text = format!("{server}: {} workers, {cores} cores\n", workers.len());
    if !workers.is_empty() {
        let header =
            ["worker", "cores", "in work", "done", "an hour", "speed", "last seen", "program"];
        let mut table = figures(header, 1..=6);
        for worker in workers {
            table.add_row(worker_row(worker));
        }
        text += &format!("{table}\n");
    }
    for worker in workers {
        for (run, problem) in &worker.status.refused {
            text += &format!("{} takes nothing of {run}: {problem}\n", worker.status.name);
        }
    }
    text += &format!("{} runs\n", runs.len());
    if !runs.is_empty() {
        let header =
            ["run", "queued", "in work", "again", "to be stored", "done", "dropped", "coordinator"];
        let mut table = figures(header, 1..=6);
        for run in runs {
            table.add_row(run_row(run));
        }
        text += &table.to_string();
    }
    text
}

fn worker_row(worker: &SeenWorker) -> Vec<String> {
    let SeenWorker { status, per_hour, seen } = worker;
    vec![
        status.name.clone(),
        status.cores.to_string(),
        status.held.to_string(),
        grouped(status.done),
        grouped(per_hour.round() as u64),
        grouped(status.speed.round() as u64),
        if *seen == 0 { "now".to_owned() } else { format!("{seen} s ago") },
        status.build.clone(),
    ]
}

fn run_row(run: &RunPicture) -> Vec<String> {
    let RunPicture { run, queued, in_work, redelivered, results, coordinator } = run;
    let said = coordinator.as_ref();
    let figure = |value: Option<u64>| value.map_or("\u{2013}".to_owned(), grouped);
    vec![
        run.clone(),
        grouped(*queued),
        grouped(*in_work as u64),
        grouped(*redelivered as u64),
        grouped(*results),
        figure(said.map(|said| said.kept)),
        figure(said.map(|said| said.refused)),
        said.map_or("none now".to_owned(), |said| said.name.clone()),
    ]
}
