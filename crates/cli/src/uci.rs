//! `monteverde uci`.

use crate::failure::bad_input;
use monteverde_chess::Chess;
use monteverde_game::Game;
use std::io;

/// Plays chess by the Universal Chess Interface, for graphical interfaces and tournament programs
#[derive(clap::Args)]
#[command(after_help = "Example: echo 'go movetime 1000' | monteverde uci")]
pub(crate) struct Args {
    /// The game to play: chess
    #[arg(long, value_name = "G", default_value = Chess::NAME)]
    game: String,
}

/// Answers on standard output until the input ends or says quit.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.game != Chess::NAME {
        let reason =
            format!("'{}' is not played by UCI; accepted: chess", args.game.escape_debug());
        return Err(bad_input("--game", reason));
    }
    monteverde_protocol::uci::run(io::BufReader::new(io::stdin()), io::stdout())?;
    Ok(())
}
