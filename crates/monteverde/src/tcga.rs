//! `monteverde tcga`.

use crate::console::Terminal;
use crate::failure::of_command;
use crate::input::check_memory;
use monteverde_banqi::{Banqi, Rules};
use monteverde_game::Game;
use monteverde_players::arguments::{PlayerArg, parse_memory, parse_threads, parse_time};
use monteverde_players::{Games, Overrides};
use monteverde_protocol::tcga::{self, Options};
use std::io::{self, Write};
use std::time::Duration;

/// Plays Chinese dark chess by the numbered text protocol of its arenas and graphical boards
///
/// A line is a command's number, its name and arguments; the reply is =NUMBER and a text, or ?NUMBER and what was wrong.
/// A move is thought about on the clock that the arena sets, or for --time where it sets none. docs/tcga.md lists all
/// commands and what the protocol leaves open.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  printf '7 reset_board\\n12 genmove unknown\\n' | monteverde tcga --time 2s
  monteverde tcga --player uct:c=0.7 --threads 4 --memory 2GiB
  monteverde tcga --rules plies=40,repetition=3

A flip is told by what it showed:
  12 genmove unknown
  =12 b3 b3
  11 flip b3 K
  =11")]
pub(crate) struct Args {
    #[command(flatten)]
    player: PlayerArg,
    /// How long a move is thought about where the arena sets no clock: 500ms, 2s, 1m
    #[arg(long, value_name = "T", value_parser = parse_time, default_value = "5s")]
    time: Duration,
    /// How many threads search, in place of what the player's spec says
    #[arg(long, value_name = "T", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// The memory of the tree, in place of what the player's spec says: 512MiB, 2GiB
    #[arg(long, value_name = "M", value_parser = parse_memory)]
    memory: Option<usize>,
    /// What is lost between the engine and the arena's clock with each move
    #[arg(long, value_name = "T", value_parser = parse_time, default_value = "50ms")]
    overhead: Duration,
    /// When a game is drawn, until the arena says otherwise
    #[arg(long, value_name = "RULES", default_value_t = Rules::ARENA)]
    rules: Rules,
}

/// Answers on standard output until the input ends or says quit.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = games.game(Banqi::NAME)?;
    let overrides =
        Overrides { threads: args.threads, memory: args.memory, ..Overrides::default() };
    let console = &mut Terminal { out };
    let player = args.player.read(game, game.strongest(), &overrides, console);
    let player = player.map_err(of_command)?;
    check_memory(&player)?;
    let options = Options { player, rules: args.rules, time: args.time, overhead: args.overhead };
    tcga::run(options, io::BufReader::new(io::stdin()), io::stdout(), io::stderr())?;
    Ok(())
}
