//! `monteverde uci`.

use crate::failure::bad_input;
use monteverde_protocol::uci;
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
    #[arg(
        long, value_name = "G", default_value = accepted()[0],
        help = format!("The game to play: {}", accepted().join(" or "))
    )]
    game: String,
}

/// Answers on standard output until the input ends or says quit.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let game = monteverde_games::games().game(&args.game);
    let Some(game) = game.ok().filter(|game| game.uci().is_some()) else {
        let (name, accepted) = (args.game.escape_debug(), accepted().join(", "));
        let reason = format!("'{name}' is not played by UCI; accepted: {accepted}");
        return Err(bad_input("--game", reason));
    };
    uci::run(game, io::BufReader::new(io::stdin()), io::stdout())?;
    Ok(())
}

/// The names of the games that are played by UCI.
fn accepted() -> Vec<&'static str> {
    let games = monteverde_games::games();
    games.iter().filter(|game| game.uci().is_some()).map(|game| game.name()).collect()
}
