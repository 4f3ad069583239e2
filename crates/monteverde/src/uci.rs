//! `monteverde uci`.

use crate::failure::bad_input;
use monteverde_players::{AnyGame, Games};
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
    /// The game to play: {engine-games}
    #[arg(long, value_name = "G")]
    game: String,
}

/// Answers on standard output until the input ends or says quit.
pub(crate) fn run(games: &Games, args: &Args) -> anyhow::Result<()> {
    let engines: Vec<AnyGame> = games.iter().filter(|game| game.uci().is_some()).collect();
    let Some(game) = engines.iter().find(|game| game.name() == args.game) else {
        let accepted: Vec<&str> = engines.iter().map(|game| game.name()).collect();
        let (name, accepted) = (args.game.escape_debug(), accepted.join(", "));
        let reason = format!("'{name}' is not played by UCI; accepted: {accepted}");
        return Err(bad_input("--game", reason));
    };
    build_tables(*game);
    uci::run(*game, io::BufReader::new(io::stdin()), io::stdout())?;
    Ok(())
}

/// Builds the small endgame tables that a game lacks, beside what the program does; the next games
/// have them. What cannot be built is missing as before, which players say. Nobody has asked for
/// them: where cores are short, players go first, who have clocks.
pub(crate) fn build_tables(game: AnyGame) {
    let builder = std::thread::Builder::new().name("endgame tables".to_owned());
    // A system that has no thread to spare is busy enough.
    let _ = builder.spawn(move || {
        give_way();
        game.build_tables()
    });
}

/// Lets players go before this thread, and before those that it starts.
#[cfg(target_os = "linux")]
fn give_way() {
    /// A tenth of the share of a thread that searches: on a machine that is always busy the tables
    /// are to be done some day.
    const NICENESS: i32 = 10;
    // Linux counts niceness by thread. Without it the tables are built all the same.
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

/// Elsewhere niceness belongs to the whole program, whose players are not to wait.
#[cfg(not(target_os = "linux"))]
fn give_way() {}
