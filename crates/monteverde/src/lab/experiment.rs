//! `monteverde experiment`.

use super::pages::{relative, write, write_all};
use super::shard::{Keeping, OutArg, ShardArgs, ShardText, SpeedArgs, calibrate};
use super::sweep::terminal_table;
use super::work::{WorkView, Worked};
use crate::failure::bad_input;
use crate::nats::CrewArgs;
use crate::table::lines;
use anyhow::Context;
use monteverde_experiment::{
    Experiment, ExperimentError, ListedPaper, Machine, ResultFile, ResultMeta, Scale, State,
    VerdictCounts, details, find, list as listing, plain_title, read_all, site, verdict_counts,
    with_summary,
};
use monteverde_lab::build::build;
use monteverde_lab::hands::Hands;
use monteverde_lab::measure::MeasureError;
use monteverde_lab::store::{Stint, Store};
use monteverde_players::arguments::parse_threads;
use monteverde_players::{Games, text_file};
use monteverde_report::{Column, Comparison, ReportTable, count_text, interval_text, paper_text};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Repeats what papers measured, and says whether it agrees
///
/// An experiment is a file experiments/ID.toml with the paper's numbers and the work that measures
/// the same, in three scales. What was measured is kept in experiments/ID/SCALE.json; verdicts and
/// pages are made from those files.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde experiment list
  monteverde experiment run mcc-kqk-playouts --scale standard
  monteverde experiment run mcc-mating --scale paper --only KBNK
  monteverde experiment run mcc-mating --scale paper --shard 2/4 --out part2.mvs
  monteverde experiment report")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    List(ListArgs),
    Run(Box<RunArgs>),
    Report(ReportArgs),
}

/// Where experiments are kept if nothing else is said.
const EXPERIMENTS: &str = "experiments";

#[derive(clap::Args)]
struct DirArg {
    /// The folder of the experiments
    #[arg(long, value_name = "DIR", default_value = EXPERIMENTS)]
    dir: PathBuf,
}

/// Lists every experiment by paper: its largest scale, what is known, machine, time and digest
#[derive(clap::Args)]
struct ListArgs {
    #[command(flatten)]
    dir: DirArg,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs an experiment and keeps what it finds
///
/// An experiment that was stopped goes on where it was: games and measurements are kept in
/// experiments/ID/SCALE.db until then.
#[derive(clap::Args)]
struct RunArgs {
    /// The experiment
    #[arg(value_name = "ID")]
    id: String,
    /// How large: quick (about a minute), standard (about 20 minutes on 16 cores), paper (as in
    /// the paper)
    #[arg(long, value_enum, value_name = "SCALE", default_value = "quick")]
    scale: ScaleArg,
    #[command(flatten)]
    dir: DirArg,
    /// The file that keeps games and measurements, instead of experiments/ID/SCALE.db
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// How many threads; by default one for each core
    #[arg(long, value_name = "K", value_parser = parse_threads, allow_negative_numbers = true)]
    concurrency: Option<usize>,
    /// Only the part of that name (a player, a position, a cell such as 'c=1, threshold=30,
    /// iterations=3000', a meeting such as 'mcc against combined'), exactly as in the whole; it is
    /// printed, and nothing is kept without --store
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    #[command(flatten)]
    crew: CrewArgs,
    #[command(flatten)]
    shard: ShardArgs,
    #[command(flatten)]
    out: OutArg,
    #[command(flatten)]
    speeds: SpeedArgs,
}

/// Writes the pages of all experiments from what is kept, without measuring anything
///
/// A short page of Markdown for each paper and for our own questions, the list of every table and
/// figure (from papers/printed.toml in the folder of the experiments), an index and figures; and in
/// the read-me the tables of answers, between the lines '<!-- experiments: begin -->' and '<!--
/// experiments: end -->'. With --out also detailed pages and one page of HTML with everything.
#[derive(clap::Args)]
struct ReportArgs {
    #[command(flatten)]
    dir: DirArg,
    /// A folder for all pages: report.html with everything, detailed pages in the folder details,
    /// short ones in the folder papers. By default only short pages are written, into docs/papers
    /// beside the folder of the experiments
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The read-me that has the table; by default the README.md beside the folder of the
    /// experiments, if there is one, and none with --out
    #[arg(long, value_name = "FILE")]
    readme: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum ScaleArg {
    Quick,
    Standard,
    Paper,
}

impl ScaleArg {
    /// The scale itself.
    pub(super) fn scale(self) -> Scale {
        match self {
            ScaleArg::Quick => Scale::Quick,
            ScaleArg::Standard => Scale::Standard,
            ScaleArg::Paper => Scale::Paper,
        }
    }
}

/// Does what the subcommand says.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    match &args.command {
        Command::List(args) => list(games, args, out),
        Command::Run(args) => run_one(games, args, out),
        Command::Report(args) => write_pages(games, args),
    }
}

fn list(games: &Games, args: &ListArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let experiments = read_all(games, &args.dir.dir).map_err(failure)?;
    if args.json {
        let mut documents = Vec::new();
        for experiment in &experiments {
            let mut states = serde_json::Map::new();
            for scale in Scale::ALL {
                let state = experiment.state(scale).map_err(failure)?;
                states.insert(scale.name().to_owned(), state_text(&state).into());
            }
            documents.push(json!({
                "id": experiment.id, "title": experiment.title, "paper": experiment.source(),
                "scales": states,
            }));
        }
        let counts = verdict_counts(&experiments).map_err(failure)?;
        let counts = json!({
            "numbers": counts.numbers, "agree": counts.agree, "differ": counts.differ,
            "undecided": counts.undecided, "not_counted": counts.not_counted, "open": counts.open,
        });
        return Ok(writeln!(out, "{:#}", json!({ "experiments": documents, "counts": counts }))?);
    }
    let papers = listing(&experiments).map_err(failure)?;
    for paper in &papers {
        writeln!(out, "{}\n{}\n", paper.title, paper_table(paper))?;
    }
    let all = || papers.iter().flat_map(|paper| &paper.experiments);
    let measured = all().filter(|one| one.scale.is_some());
    let unknown = measured.filter(|one| one.made.is_none()).count();
    if unknown > 0 {
        writeln!(out, "{unknown} were measured before machine and time were kept ('unknown').")?;
    }
    let counts = verdict_counts(&experiments).map_err(failure)?;
    let VerdictCounts { numbers, agree, differ, undecided, not_counted, open } = counts;
    for one in all().filter(|one| !one.cause.is_empty()) {
        writeln!(out, "{}: {}", one.id, one.cause)?;
    }
    Ok(writeln!(
        out,
        "{numbers} numbers of the papers: {agree} agree, {differ} differ, {undecided} undecided, \
         {not_counted} not counted, {open} not measured yet."
    )?)
}

/// The most letters of a title that are shown.
const TITLE: usize = 40;

/// A line for each experiment of a paper: what is known at the largest scale.
fn paper_table(paper: &ListedPaper) -> comfy_table::Table {
    let mut table =
        lines(["id", "what", "state", "scale", "sample", "machine", "time", "day", "digest"]);
    for one in &paper.experiments {
        let title = if paper.short.is_empty() { &one.title } else { plain_title(&one.title) };
        let unknown = if one.scale.is_some() { "unknown" } else { "" };
        let made =
            |of: &dyn Fn(&ResultMeta) -> String| one.made.as_ref().map_or(unknown.to_owned(), of);
        table.add_row([
            one.id.clone(),
            shortened(title, TITLE),
            one.state.clone(),
            one.scale.map_or("", Scale::name).to_owned(),
            one.sample.clone(),
            made(&|made| made.machine.clone()),
            made(&|made| match (count_text(made.seconds), made.threads) {
                (seconds, 0) => format!("{seconds} s"),
                (seconds, threads) => format!("{seconds} s on {threads}"),
            }),
            made(&|made| made.day.clone()),
            one.digest.clone(),
        ]);
    }
    table
}

fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() <= most {
        true => text.to_owned(),
        false => text.chars().take(most - 1).chain(['\u{2026}']).collect(),
    }
}

fn state_text(state: &State) -> &'static str {
    match state {
        State::Open => "open",
        State::Stale => "out of date",
        State::Done(verdict) => verdict.name(),
        State::Measured => "measured",
    }
}

impl RunArgs {
    fn concurrency(&self) -> usize {
        self.concurrency.unwrap_or_else(super::cores)
    }

    /// Where the work is kept, and who does it.
    fn keeping(&self, store: Option<&Path>) -> anyhow::Result<Keeping> {
        let workers = (Some(&self.crew), self.concurrency());
        self.shard.keeping(self.out.out.as_deref(), store, workers)
    }
}

fn run_one(games: &Games, args: &RunArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let experiment = find(games, &args.dir.dir, &args.id).map_err(failure)?;
    let scale = args.scale.scale();
    let experiment = match &args.only {
        Some(part) => experiment.only(scale, part).map_err(failure)?,
        None => experiment,
    };
    let path = args.store.clone().unwrap_or_else(|| experiment.store_path(scale));
    let is_calibration = args.speeds.is_calibration(&args.shard, Some(&path))?;
    if args.shard.is_some() {
        return run_shard(args, &experiment, scale, out);
    }
    if args.only.is_some() && !is_calibration {
        return run_part(args, &experiment, scale, out);
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("'{}' cannot be made", folder.display()))?;
    }
    if is_calibration {
        let plan = experiment.contest(scale, build()).map_err(failure)?;
        let nothing = "nobody thinks equally long in this experiment, so no speed is needed";
        let plan = plan.ok_or_else(|| bad_input("--calibrate", nothing))?;
        return calibrate(plan, &path, false, out);
    }
    let mut keeping = args.keeping(Some(&path))?;
    args.speeds.take(&mut keeping)?;
    let Keeping { mut store, workforce } = keeping;
    let (ran, worked, stint) = run_noted(args, (&experiment, scale), &mut store, &workforce.hands)?;
    let made = match workforce.hands.crew {
        None => ResultMeta::of(&store.stints()?, &stint, worked.found),
        Some(_) => ResultMeta::by_workers(worked.time, worked.found),
    };
    let mut results = ran.map_err(failure)?;
    results.made = Some(made);
    workforce.finish();
    let path = experiment.results_path(scale);
    let (folder, name) = (path.parent(), path.file_name().unwrap_or_default());
    write(folder.unwrap_or(&args.dir.dir), &name.to_string_lossy(), &results.text())?;
    print(&experiment, &results, out)
}

/// Does a shard of the work, which has no results.
fn run_shard(
    args: &RunArgs,
    experiment: &Experiment,
    scale: Scale,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut keeping = args.keeping(args.store.as_deref())?;
    args.speeds.take(&mut keeping)?;
    let Keeping { store, workforce } = &mut keeping;
    let (ran, ..) = run_noted(args, (experiment, scale), store, &workforce.hands)?;
    match ran {
        Ok(_) | Err(ExperimentError::Shard(_)) => {}
        Err(error) => return Err(failure(error)),
    }
    let words = ["--experiment", &experiment.id, "--scale", scale.name()].map(str::to_owned);
    let folder = ["--dir".to_owned(), args.dir.dir.display().to_string()];
    let is_elsewhere = args.dir.dir != Path::new(EXPERIMENTS);
    let words = words.into_iter().chain(folder.into_iter().filter(|_| is_elsewhere));
    ShardText::of(&keeping)?.into_experiment(words.collect()).write(false, out)
}

/// Runs an experiment, showing how it goes, and leaves word in the store of what was done here,
/// also while it goes on: a run that is stopped or killed has worked, too.
fn run_noted(
    args: &RunArgs,
    (experiment, scale): (&Experiment, Scale),
    store: &mut Store,
    hands: &Hands,
) -> anyhow::Result<(Result<ResultFile, ExperimentError>, Worked, Stint)> {
    let mut view = WorkView::new(experiment.unit(), "parts");
    let mut stint = store.begin_stint(args.concurrency())?;
    let machine = Machine { build: build(), hands };
    let is_here = hands.crew.is_none();
    let mut noted = Ok(());
    let ran = experiment.run(scale, store, machine, &mut |progress| {
        view.show(progress);
        if is_here && noted.is_ok() {
            noted = stint.note(view.new_pieces());
        }
    });
    let worked = view.finish();
    let stint = stint.end(if is_here { worked.new } else { 0 })?;
    noted?;
    Ok((ran, worked, stint))
}

/// Measures one part and prints what was found.
fn run_part(
    args: &RunArgs,
    experiment: &Experiment,
    scale: Scale,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let Keeping { mut store, workforce } = args.keeping(args.store.as_deref())?;
    let mut view = WorkView::new(experiment.unit(), "parts");
    let machine = Machine { build: build(), hands: &workforce.hands };
    let results = experiment
        .run(scale, &mut store, machine, &mut |progress| view.show(progress))
        .map_err(failure)?;
    view.finish();
    workforce.finish();
    for table in results.tables() {
        writeln!(out, "{}\n{}", table.caption, terminal_table(&table))?;
    }
    Ok(())
}

fn print(experiment: &Experiment, results: &ResultFile, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{} ({})", experiment.title, experiment.source())?;
    for comparison in experiment.comparisons(results) {
        writeln!(out, "{}", terminal_table(&comparison_table(&comparison)))?;
    }
    for table in results.tables() {
        writeln!(out, "{}\n{}", table.caption, terminal_table(&table))?;
    }
    if let Some(verdict) = experiment.verdict(results) {
        writeln!(out, "verdict: {}", verdict.name())?;
    }
    Ok(())
}

fn comparison_table(comparison: &Comparison) -> ReportTable {
    let text = |title: &str| Column::Text(title.to_owned());
    let number = |title: &str| Column::Number(title.to_owned());
    let rows = comparison.rows.iter().map(|row| {
        vec![
            row.name.clone(),
            paper_text(row.paper, row.error, comparison.decimals),
            interval_text(row.ours, comparison.decimals),
            count_text(row.sample),
            row.verdict.name().to_owned(),
        ]
    });
    ReportTable {
        caption: comparison.caption.clone(),
        columns: vec![
            text(&comparison.quantity),
            number("paper"),
            number("ours (95%)"),
            number(&comparison.sample),
            text("verdict"),
        ],
        rows: rows.collect(),
    }
}

fn write_pages(games: &Games, args: &ReportArgs) -> anyhow::Result<()> {
    let experiments = read_all(games, &args.dir.dir).map_err(failure)?;
    let pages = match &args.out {
        Some(out) => out.join("papers"),
        None => beside(&args.dir.dir).join("docs/papers"),
    };
    let readme = match (&args.readme, &args.out) {
        (Some(readme), _) => Some(readme.clone()),
        (None, None) => {
            Some(beside(&args.dir.dir).join("README.md")).filter(|readme| readme.is_file())
        }
        (None, Some(_)) => None,
    };
    let root = readme.as_ref().and_then(|readme| readme.parent()).unwrap_or(Path::new(""));
    let site = site(&experiments, &relative(root, &pages)?).map_err(failure)?;
    let details = match &args.out {
        Some(out) => Some((out, details(&experiments).map_err(failure)?)),
        None => None,
    };
    // What cannot be written as a whole is not begun.
    let readme = readme.map(|path| with_table(path, &site.summary)).transpose()?;
    write_all(&pages, &site.pages)?;
    if let Some((out, details)) = details {
        write(out, "report.html", &details.html)?;
        write_all(&out.join("details"), &details.pages)?;
    }
    if let Some((path, text)) = readme {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        write(root_of(&path), &name, &text)?;
    }
    Ok(())
}

/// The folder that a folder lies in.
fn beside(folder: &Path) -> PathBuf {
    match folder.file_name() {
        Some(_) => folder.parent().unwrap_or(Path::new("")).to_owned(),
        None => folder.join(".."),
    }
}

fn root_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// A read-me with the table in its place.
fn with_table(path: PathBuf, summary: &str) -> anyhow::Result<(PathBuf, String)> {
    let place = path.display().to_string();
    let text =
        text_file::read(&path, text_file::SETTINGS).map_err(|error| bad_input(&place, error))?;
    let text = with_summary(&text, summary).map_err(|error| bad_input(&place, error))?;
    Ok((path, text))
}

/// What the files say wrongly is bad input; work that breaks off is a failure.
pub(super) fn failure(error: ExperimentError) -> anyhow::Error {
    match error {
        ExperimentError::Store(error) => super::store_failure(error),
        ExperimentError::Measure(MeasureError::Crew(error)) => error.into(),
        ExperimentError::Contest(error) => super::contest_failure(error),
        ExperimentError::Suite(error) => super::solve::failure(error),
        ExperimentError::Sweep(error) => super::sweep::failure("the sweep", error),
        error => bad_input("experiment", error),
    }
}
