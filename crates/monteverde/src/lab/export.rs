//! `monteverde export`.

use crate::failure::bad_input;
use crate::progress::note;
use monteverde_lab::export::{ExportError, Form, export};
use monteverde_lab::store::{Store, left_out};
use monteverde_players::Games;
use std::io::Write;
use std::path::PathBuf;

/// Writes the games of a store: PGN, SGF, JSON lines, or every game in its own notation
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde export --store a.db --format pgn > games.pgn
  monteverde export --store a.db --format sgf > games.sgf
  monteverde export --store a.db --format jsonl --game chess | jq .reason")]
pub(crate) struct Args {
    /// The file that keeps the games
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// What they are written as: {formats}
    #[arg(long, value_name = "F")]
    format: String,
    /// Only games of this name
    #[arg(long, value_name = "G")]
    game: Option<String>,
}

/// Writes the games.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(name) = &args.game {
        games.game(name).map_err(|error| bad_input("--game", error))?;
    }
    let store = Store::read(&args.store).map_err(super::store_failure)?;
    let form = Form::of_name(&args.format);
    let done = export(games, &store, args.game.as_deref(), &form, out);
    let done = done.map_err(|error| match error {
        ExportError::WrongForm { .. } | ExportError::UnknownForm { .. } => {
            bad_input("--format", error)
        }
        error => error.into(),
    })?;
    note(&format!("{} games", done.games));
    if let Some(sentence) = left_out(&done.damaged) {
        note(&sentence);
    }
    Ok(())
}
