//! `monteverde tablebase`: building, checking and asking endgame tables.

mod build;
mod probe;
mod verify;

use clap::{ArgMatches, FromArgMatches};
use monteverde_players::{CommandFailure, Console, GameCommand};
use monteverde_tablebase::{Material, TableError};

/// The command.
pub(super) const COMMAND: GameCommand = GameCommand {
    command: || <Args as clap::Args>::augment_args(clap::Command::new("tablebase")),
    run,
    overview: "  monteverde tablebase probe '8/8/8/8/8/1k6/8/KQ6 b - - 0 1'
                                              what is certain about an endgame, and how to build
                                              and check tables of more pieces
",
};

/// Does what is asked for.
fn run(matches: &ArgMatches, console: &mut dyn Console) -> Result<(), CommandFailure> {
    match Args::from_arg_matches(matches)?.command {
        Command::Build(args) => build::run(&args, console),
        Command::Verify(args) => verify::run(&args, console),
        Command::Probe(args) => probe::run(&args, console),
    }
}

/// Builds, checks and asks endgame tables of chess with the distance to mate
///
/// A table says for every position with certain pieces who wins and in how many plies, or that it
/// is a draw. It knows nothing of castling, and it ignores the fifty-move rule and repetitions.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde tablebase build --pieces 4 --dir tables
  monteverde tablebase build --material KRPKR --dir tables --threads 16
  monteverde tablebase verify --dir tables --syzygy ~/syzygy
  monteverde tablebase probe --dir tables '8/8/6R1/2K5/n7/8/8/3k4 w - - 0 1'")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Build(build::Args),
    Verify(verify::Args),
    Probe(probe::Args),
}

/// A folder that is not one is bad input; a table that is damaged is a failure.
fn failure(place: &str, error: TableError) -> CommandFailure {
    match error {
        TableError::NoFolder { .. } | TableError::NoTables { .. } | TableError::Syzygy { .. } => {
            CommandFailure::bad_input(place, error)
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
