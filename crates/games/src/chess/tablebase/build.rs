//! `monteverde tablebase build`.

use super::{cores, failure, parse_material};
use monteverde_players::arguments::{grouped, parse_threads, parse_within};
use monteverde_players::{CommandFailure, Console};
use monteverde_tablebase::Material;
use monteverde_tablebase::create::{Built, Progress, build_tables, damaged, plan};
use std::path::PathBuf;
use std::time::Instant;

/// Builds tables by retrograde analysis and stores them in a folder
///
/// Every table is stored as soon as it is finished, and what is there already is not built again: a
/// build that was interrupted goes on where it stopped. A table that cannot be opened is built
/// anew; 'verify' finds damage further inside. Tables that captures and promotions lead to are
/// built first where they are missing. Measured: the 35 tables of three and four pieces take
/// 12.0 s on 2 cores and 2.4 s on 16, 201 MB of memory and 31 MB of disk; KRPKR, which has five,
/// takes 11.7 s on 16 cores, and 23 s with the tables that it needs.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde tablebase build --pieces 4 --dir tables
  monteverde tablebase build --material KRPKR --dir tables --threads 16")]
pub(super) struct Args {
    /// Builds every table of up to this many pieces, kings included: 3, 4 or 5; with --material,
    /// the most that those may have
    #[arg(long, value_name = "N", value_parser = parse_pieces, required_unless_present = "material")]
    pieces: Option<usize>,
    /// The folder; it is made if it does not exist
    #[arg(long, value_name = "D")]
    dir: PathBuf,
    /// Builds these tables alone, with those that they are made from; such as KRPKR
    #[arg(long, value_name = "M", value_parser = parse_material, num_args = 1..)]
    material: Vec<Material>,
    /// How many threads work, 1 to 1024; by default one for each core
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    threads: Option<usize>,
}

/// Builds.
pub(super) fn run(args: &Args, console: &mut dyn Console) -> Result<(), CommandFailure> {
    let wanted = wanted(args)?;
    let plan = plan(&args.dir, &wanted).map_err(|error| failure("--dir", error))?;
    let damaged = damaged(&args.dir, &plan).map_err(|error| failure("--dir", error))?;
    let missing: Vec<_> = plan.iter().filter(|material| !wanted.contains(material)).collect();
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|material| material.to_string()).collect();
        console.note(&format!("needed as well, and built first: {}", names.join(" ")));
    }
    let start = Instant::now();
    let bar = console.bar(0, "");
    let mut bytes = 0;
    let on_progress = |progress: Progress| {
        bar.set(progress.done, progress.total);
        bar.name(format!("{} ply {}", progress.material, progress.ply));
    };
    let on_built = |built: Built| {
        bytes += built.bytes;
        let seconds = built.time.as_secs_f64();
        let size = grouped(built.bytes);
        bar.note(&format!("{:<6} {size:>13} bytes {seconds:>8.2} s", built.material));
    };
    let threads = args.threads.unwrap_or_else(cores);
    let built = build_tables(&args.dir, &plan, threads, on_progress, on_built);
    drop(bar);
    built.map_err(|error| failure("--dir", error))?;
    let seconds = start.elapsed().as_secs_f64();
    let count = plan.len();
    let anew = match damaged.len() {
        0 => String::new(),
        count => format!(", {count} damaged and built anew"),
    };
    Ok(writeln!(
        console.out(),
        "{count} tables built in {seconds:.1} s on {threads} threads, {} bytes; {} were there{anew}",
        grouped(bytes),
        wanted.iter().filter(|material| !plan.contains(material)).count()
    )?)
}

fn wanted(args: &Args) -> Result<Vec<Material>, CommandFailure> {
    let most = args.pieces.unwrap_or(monteverde_tablebase::MOST_PIECES);
    if args.material.is_empty() {
        return Ok((3..=most).flat_map(Material::all).collect());
    }
    if let Some(material) = args.material.iter().find(|material| material.pieces() > most) {
        let reason = format!("{material} has more than the {most} pieces of --pieces");
        return Err(CommandFailure::bad_input("--material", reason));
    }
    Ok(args.material.clone())
}

fn parse_pieces(text: &str) -> Result<usize, String> {
    parse_within(text, 3..=monteverde_tablebase::MOST_PIECES as u64).map(|pieces| pieces as usize)
}
