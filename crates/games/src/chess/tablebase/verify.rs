//! `monteverde tablebase verify`.

use super::{cores, failure, parse_material};
use monteverde_chess::Color;
use monteverde_players::arguments::{grouped, parse_threads};
use monteverde_players::command::Figures;
use monteverde_players::{Bar, CommandFailure, Console, text_file};
use monteverde_tablebase::verify::{Check, Findings, Reference, verify, words};
use monteverde_tablebase::{Material, Syzygy, Tables};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Checks every entry of every table in a folder
///
/// What a table says of a position must follow from what the tables say after each of its legal
/// moves; with mates and stalemates that leaves only one possibility. On request the outcomes are
/// compared with Syzygy files, and counts and longest mates with published ones. All tables of four
/// pieces take some minutes. Ends with status 1 if anything is wrong.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde tablebase verify --dir tables
  monteverde tablebase verify --dir tables --syzygy ~/syzygy --reference counts.tsv --material KRKN KPKP")]
pub(super) struct Args {
    /// The folder
    #[arg(long, value_name = "D")]
    dir: PathBuf,
    /// A folder of Syzygy files to compare win, draw and loss with
    #[arg(long, value_name = "D")]
    syzygy: Option<PathBuf>,
    /// Tab-separated values to compare counts and longest mates with; docs/tablebases.md names the
    /// columns
    #[arg(long, value_name = "F")]
    reference: Option<PathBuf>,
    /// Checks these tables alone
    #[arg(long, value_name = "M", value_parser = parse_material, num_args = 1..)]
    material: Vec<Material>,
    /// How many threads work, 1 to 1024; by default one for each core
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    threads: Option<usize>,
}

/// Checks and prints.
pub(super) fn run(args: &Args, console: &mut dyn Console) -> Result<(), CommandFailure> {
    let tables = Tables::open(&args.dir).map_err(|error| failure("--dir", error))?;
    let syzygy = args.syzygy.as_deref().map(Syzygy::open).transpose();
    let syzygy = syzygy.map_err(|error| failure("--syzygy", error))?;
    let reference = args.reference.as_ref().map(|path| {
        let text = text_file::read(path, text_file::DATA);
        let text = text.map_err(|error| CommandFailure::bad_input("--reference", error))?;
        Reference::parse(&text).map_err(|error| CommandFailure::bad_input("--reference", error))
    });
    let reference = reference.transpose()?;
    let stored: Vec<_> = tables.materials().collect();
    if let Some(material) = args.material.iter().find(|material| !stored.contains(material)) {
        let reason = format!("there is no table {material} in {}", args.dir.display());
        return Err(CommandFailure::bad_input("--material", reason));
    }
    let chosen = if args.material.is_empty() { &stored } else { &args.material };
    let bar = console.bar(chosen.iter().map(|&material| words(material)).sum(), "");
    let threads = args.threads.unwrap_or_else(cores);
    let header = ["table", "to move", "wins", "draws", "losses", "longest", "checked", "Syzygy"];
    let mut table = Figures::new(&header, 2..8);
    let mut faults = Vec::new();
    for &material in chosen {
        let check = Check { syzygy: syzygy.as_ref(), threads, ..Check::default() };
        let findings = watch(&*bar, material, &check, || verify(&tables, material, &check))?;
        add_rows(&mut table, material, &findings);
        faults.extend(findings.example.as_ref().map(|example| format!("{material}: {example}")));
        let differences =
            reference.as_ref().map(|reference| reference.compare(material, &findings));
        match differences {
            Some(None) => faults.push(format!("{material}: not in the reference")),
            Some(Some(list)) => {
                faults.extend(list.iter().map(|line| format!("{material}: {line}")))
            }
            None => {}
        }
    }
    drop(bar);
    let table = console.table(&table);
    let out = console.out();
    writeln!(out, "{table}")?;
    for fault in &faults {
        writeln!(out, "{fault}")?;
    }
    match faults.len() {
        0 => Ok(writeln!(out, "{} tables are right", chosen.len())?),
        count => Err(format!("{count} faults in the tables of {}", args.dir.display()).into()),
    }
}

/// Moves the bar on while a table is being checked.
fn watch<T: Send>(
    bar: &dyn Bar,
    material: Material,
    check: &Check<'_>,
    work: impl FnOnce() -> T + Send,
) -> T {
    const EVERY: Duration = Duration::from_millis(200);
    bar.name(material.to_string());
    let mut shown = 0;
    let mut show = || {
        let done = check.done.load(Ordering::Relaxed);
        bar.advance(done - shown);
        shown = done;
    };
    std::thread::scope(|scope| {
        let worker = scope.spawn(work);
        while !worker.is_finished() {
            show();
            std::thread::park_timeout(EVERY);
        }
        show();
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn add_rows(table: &mut Figures, material: Material, findings: &Findings) {
    for (turn, counts) in Color::ALL.into_iter().zip(&findings.counts) {
        let once = |text: String| if turn == Color::White { text } else { String::new() };
        table.add_row([
            once(material.to_string()),
            turn.to_string(),
            grouped(counts.wins),
            grouped(counts.draws),
            grouped(counts.losses),
            counts.longest_win_moves().to_string(),
            once(grouped(findings.checked)),
            once(grouped(findings.with_syzygy)),
        ]);
    }
}
