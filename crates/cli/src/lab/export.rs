//! `monteverde export`.

use crate::progress::note;
use monteverde_lab::export::{Form, export};
use monteverde_lab::store::Store;
use std::io::Write;
use std::path::PathBuf;

/// Writes the games of a store: PGN, JSON lines, or every game in its own notation
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde export --store a.db --format pgn > games.pgn
  monteverde export --store a.db --format jsonl --game chess | jq .reason")]
pub(crate) struct Args {
    /// The file that keeps the games
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// What they are written as: pgn (chess alone), jsonl (whole records) or text
    #[arg(long, value_enum, value_name = "F")]
    format: Format,
    /// Only games of this name
    #[arg(long, value_name = "G")]
    game: Option<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Pgn,
    Jsonl,
    Text,
}

/// Writes the games.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let store = Store::read(&args.store).map_err(super::store_failure)?;
    let form = match args.format {
        Format::Pgn => Form::Pgn,
        Format::Jsonl => Form::JsonLines,
        Format::Text => Form::Text,
    };
    let count = export(&store, args.game.as_deref(), form, out)?;
    note(&format!("{count} games"));
    Ok(())
}
