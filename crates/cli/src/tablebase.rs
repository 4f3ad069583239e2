//! `monteverde tablebase`: building, checking and asking endgame tables.

mod build;
mod probe;
mod verify;

use crate::failure::bad_input;
use monteverde_tablebase::{Material, TableError};
use std::io::Write;

/// Builds, checks and asks endgame tables of chess with the distance to mate
///
/// A table says for every position with certain pieces who wins and in how many plies, or that it is a draw. It knows
/// nothing of castling, and it ignores the fifty-move rule and repetitions.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde tablebase build --pieces 4 --dir tables
  monteverde tablebase build --material KRPKR --dir tables --threads 16
  monteverde tablebase verify --dir tables --syzygy ~/syzygy
  monteverde tablebase probe --dir tables '8/8/6R1/2K5/n7/8/8/3k4 w - - 0 1'")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Build(build::Args),
    Verify(verify::Args),
    Probe(probe::Args),
}

/// Does what is asked for.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    match &args.command {
        Command::Build(args) => build::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Probe(args) => probe::run(args, out),
    }
}

/// A folder that is not one is bad input; a table that is damaged is a failure.
fn failure(place: &str, error: TableError) -> anyhow::Error {
    match error {
        TableError::NoFolder { .. } | TableError::NoTables { .. } | TableError::Syzygy { .. } => {
            bad_input(place, error)
        }
        error => error.into(),
    }
}

fn parse_material(text: &str) -> Result<Material, String> {
    text.parse().map_err(|error: monteverde_tablebase::MaterialError| error.to_string())
}

/// How many threads work where nobody said so: one a core.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
