//! `monteverde uci`.

use crate::failure::bad_input;
use monteverde_chess::Chess;
use monteverde_game::Game;
use monteverde_loa::Loa;
use monteverde_protocol::uci::{self, Dialect};
use std::io;

/// Plays by the Universal Chess Interface, for graphical interfaces and tournament programs
///
/// Lines of Action has the same commands with its own states and moves: c8c6, or pass.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  echo 'go movetime 1000' | monteverde uci
  echo 'go nodes 10000' | monteverde uci --game loa")]
pub(crate) struct Args {
    /// The game to play: chess or loa
    #[arg(long, value_name = "G", default_value = Chess::NAME)]
    game: String,
}

/// Answers on standard output until the input ends or says quit.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match args.game.as_str() {
        Chess::NAME => play::<Chess>(),
        Loa::NAME => play::<Loa>(),
        other => {
            let reason =
                format!("'{}' is not played by UCI; accepted: chess, loa", other.escape_debug());
            Err(bad_input("--game", reason))
        }
    }
}

fn play<G: Dialect>() -> anyhow::Result<()> {
    uci::run::<G>(io::BufReader::new(io::stdin()), io::stdout())?;
    Ok(())
}
