//! `monteverde tcga`: the engine as a command of the program.

use super::Options;
use crate::banqi::BanqiEntry;
use clap::{ArgMatches, Command, FromArgMatches};
use monteverde_banqi::{Banqi, Rules};
use monteverde_game::Game;
use monteverde_players::arguments::{
    PlayerArg, check_memory, parse_memory, parse_threads, parse_time,
};
use monteverde_players::{CommandFailure, Console, GameCommand, Games, Overrides};
use std::io;
use std::time::Duration;

/// The command.
pub(in crate::banqi) const COMMAND: GameCommand = GameCommand {
    command,
    run,
    overview: "  monteverde tcga                             Chinese dark chess, for its arenas\n",
};

/// Plays Chinese dark chess by the numbered text protocol of its arenas and graphical boards
///
/// A line is a command's number, its name and arguments; the reply is =NUMBER and a text, or
/// ?NUMBER and what was wrong. The engine thinks by the clock that the arena sets, or for --time if
/// there is none. Without --player the strongest player plays. docs/tcga.md lists all commands and
/// what the protocol leaves open.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  printf '7 reset_board\\n12 genmove unknown\\n' | monteverde tcga --time 2s
  monteverde tcga --player uct:c=0.7 --threads 4 --memory 2GiB
  monteverde tcga --rules plies=40,repetition=3

The arena says what a flip showed:
  12 genmove unknown
  =12 b3 b3
  11 flip b3 K
  =11")]
struct Arguments {
    #[command(flatten)]
    player: PlayerArg,
    /// Time a move if the arena sets no clock: 500ms, 2s, 1m
    #[arg(long, value_name = "T", value_parser = parse_time, default_value = "5s")]
    time: Duration,
    /// How many threads search, overriding the player's spec
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// The memory of the tree, overriding the player's spec: 512MiB, 2GiB
    #[arg(long, value_name = "M", value_parser = parse_memory)]
    memory: Option<usize>,
    /// Time lost with each move between the engine and the arena's clock
    #[arg(long, value_name = "T", value_parser = parse_time, default_value = "50ms")]
    overhead: Duration,
    /// When a game is drawn, until the arena says otherwise
    #[arg(long, value_name = "RULES", default_value_t = Rules::ARENA)]
    rules: Rules,
}

fn command() -> Command {
    <Arguments as clap::Args>::augment_args(Command::new("tcga"))
}

/// Answers what standard input says until that ends or says quit.
fn run(matches: &ArgMatches, console: &mut dyn Console) -> Result<(), CommandFailure> {
    let Arguments { player, time, threads, memory, overhead, rules } =
        Arguments::from_arg_matches(matches)?;
    let overrides = Overrides { threads, memory, ..Overrides::default() };
    let game = Games::new().with(BanqiEntry).game(Banqi::NAME)?;
    let player = player.read(game, game.strongest(), &overrides, console)?;
    check_memory(&player)?;
    let options = Options { player, rules, time, overhead };
    super::run(options, io::BufReader::new(io::stdin()), console.out(), io::stderr())?;
    Ok(())
}
