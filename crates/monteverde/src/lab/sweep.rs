//! `monteverde sweep`.

use super::TomlFile;
use super::pages::{check_out, write, write_report};
use super::shard::{Keeping, ShardArgs, ShardText};
use super::work::WorkView;
use crate::failure::bad_input;
use crate::nats::CrewArgs;
use crate::table::figures;
use monteverde_lab::build::build;
use monteverde_lab::measure::MeasureError;
use monteverde_lab::run::RunError;
use monteverde_lab::sweep::{Sweep, SweepError, SweepResult};
use monteverde_players::Games;
use monteverde_players::arguments::parse_threads;
use monteverde_report::{Column, ReportTable, Reproduce};
use std::io::Write;
use std::path::PathBuf;

/// Makes the same measurement in every cell of a grid that a TOML file describes
///
/// A cell is a match, self-play, playouts of a state, or searches for a move. The grid goes over
/// settings of the player (opponent.KEY: of the opponent) and over keys of the file itself.
/// Whatever is finished goes into the store at once; the same command with the same store goes on
/// where it was stopped.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde sweep c.toml --store c.db --out pages
  monteverde sweep c.toml --store c.db --csv > c.csv
  monteverde sweep c.toml --shard 2/4 --out part2.mvs

A file:
  title = \"Exploration\"
  game = \"chess\"
  kind = \"match\"                 # or self-play, playouts, search
  player = \"mcc\"
  opponent = \"mcc\"
  pace = \"iterations=200\"        # opponent-pace is the same unless it is given
  games = 40
  openings = { random = 4 }
  [grid]
  c = [0.25, 0.5, 1, 2]
  pace = [\"iterations=100\", \"iterations=400\"]
  [plot]
  x = \"c\"
  y = \"score\"                    # or elo, draws

Kinds and their keys besides title, game, kind, seed, grid and plot:
  match      player, opponent, pace, opponent-pace, games, openings; y: score, elo, draws
  self-play  player, pace, games, openings; y: first-score, draws, plies
  playouts   player, state, moves, count; y: score, first, draws, second, plies
  search     player, pace, state, moves, count, move; y: found")]
pub(crate) struct Args {
    /// The file
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// How many threads; by default one for each core
    #[arg(long, value_name = "K", value_parser = parse_threads, allow_negative_numbers = true)]
    concurrency: Option<usize>,
    /// The file that keeps games and measurements; by default none
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    shard: ShardArgs,
    /// A folder for report.html, report.md, sweep.csv and sweep.json; with --shard the file of the
    /// shard, with which the same command goes on
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Prints one JSON document
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Prints the cells separated by commas
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    crew: CrewArgs,
}

/// Measures and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let TomlFile { text, place, folder } = TomlFile::read(&args.file)?;
    let sweep =
        Sweep::parse(games, &text, &folder, build()).map_err(|error| failure(&place, error))?;
    let concurrency = args.concurrency.unwrap_or_else(super::cores);
    let file = args.out.as_deref().filter(|_| args.shard.is_some());
    if let (Some(folder), None) = (&args.out, file) {
        check_out(folder)?;
    }
    let workers = (Some(&args.crew), concurrency);
    let mut keeping = args.shard.keeping(file, args.store.as_deref(), workers)?;
    let mut view = WorkView::new(sweep.unit(), "cells");
    let Keeping { store, workforce } = &mut keeping;
    let run = sweep.run(store, &workforce.hands, &mut |progress| view.show(progress));
    if let Err(SweepError::Shard(_) | SweepError::Measure(MeasureError::Shard(_))) = run {
        view.finish();
        return ShardText::of(&keeping)?.write(args.json, out);
    }
    let result = run.map_err(|error| failure(&place, error))?;
    view.finish();
    keeping.workforce.finish();
    if let Some(folder) = &args.out {
        write_report(folder, &result.report(reproduce()))?;
        write(folder, "sweep.csv", &result.csv())?;
        write(folder, "sweep.json", &format!("{:#}\n", result.json()))?;
    }
    print(&result, args, out)
}

fn print(result: &SweepResult, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    if args.json {
        return Ok(writeln!(out, "{:#}", result.json())?);
    }
    if args.csv {
        return Ok(write!(out, "{}", result.csv())?);
    }
    Ok(writeln!(out, "{}", terminal_table(&result.table()))?)
}

/// A table of a report for the terminal.
pub(super) fn terminal_table(table: &ReportTable) -> comfy_table::Table {
    let titles = table.columns.iter().map(|column| match column {
        Column::Text(title) | Column::Number(title) | Column::Link(title) => title.as_str(),
    });
    let numbers = table.columns.iter().enumerate();
    let numbers = numbers.filter(|(_, column)| matches!(column, Column::Number(_)));
    let mut shown = figures(titles, numbers.map(|(index, _)| index));
    for row in &table.rows {
        shown.add_row(row);
    }
    shown
}

fn reproduce() -> Reproduce {
    Reproduce {
        facts: vec![("Build".to_owned(), build().to_owned())],
        commands: vec![super::command_line()],
    }
}

/// A sweep that cannot be made is bad input; one that breaks off is a failure.
pub(super) fn failure(place: &str, error: SweepError) -> anyhow::Error {
    match error {
        SweepError::Store(error) | SweepError::Run(RunError::Store(error)) => {
            super::store_failure(error)
        }
        SweepError::Run(
            error @ (RunError::Broken { .. } | RunError::Player { .. } | RunError::Crew(_)),
        ) => error.into(),
        SweepError::Measure(MeasureError::Crew(error)) => error.into(),
        SweepError::Contest(error) => super::contest_failure(error),
        error => bad_input(place, error),
    }
}
