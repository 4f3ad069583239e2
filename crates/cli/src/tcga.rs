//! `monteverde tcga`, which Chinese dark chess brings.

use crate::console::Terminal;
use crate::failure;
use clap::{ArgMatches, Command, FromArgMatches};
use monteverde_players::GameCommand;
use std::io::Write;

/// The command's arguments as its game reads them.
pub(crate) struct Args(ArgMatches);

/// Runs the game's command.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    (game_command().run)(&args.0, &mut Terminal { out }).map_err(failure::of_command)
}

fn game_command() -> GameCommand {
    let games = monteverde_games::games();
    let mut commands = games.iter().flat_map(|game| game.commands());
    let found = commands.find(|command| (command.command)().get_name() == "tcga");
    found.expect("a game of ours brings it")
}

impl FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Args(matches.clone()))
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl clap::Args for Args {
    fn augment_args(_: Command) -> Command {
        (game_command().command)()
    }
    fn augment_args_for_update(command: Command) -> Command {
        Args::augment_args(command)
    }
}
