//! Commands that games bring. Where several games bring one of the same name it is one command with
//! all their arguments, and `--game` says whose it is.

use crate::console::Terminal;
use crate::failure::{bad_input, of_command};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use monteverde_players::{GameCommand, Games};
use std::io::Write;

/// A command and the games that bring it, one or more.
pub(crate) struct Brought {
    by: Vec<(&'static str, GameCommand)>,
}

/// All commands that the games bring, in their order.
pub(crate) fn brought(games: &Games) -> Vec<Brought> {
    let mut all: Vec<Brought> = Vec::new();
    for game in games.iter() {
        for command in game.commands() {
            let name = (command.command)().get_name().to_owned();
            match all.iter_mut().find(|brought| brought.name() == name) {
                Some(brought) => brought.by.push((game.name(), command)),
                None => all.push(Brought { by: vec![(game.name(), command)] }),
            }
        }
    }
    all
}

/// The argument that tells games apart.
const GAME: &str = "game";

impl Brought {
    /// Its name.
    pub(crate) fn name(&self) -> String {
        self.first().get_name().to_owned()
    }

    /// Its lines in the overview of the program.
    pub(crate) fn overview(&self) -> String {
        self.by.iter().map(|(_, command)| command.overview).collect()
    }

    /// Its arguments and help.
    pub(crate) fn command(&self) -> clap::Command {
        let command = self.first();
        let [_, others @ ..] = &*self.by else { return command };
        if others.is_empty() {
            return command;
        }
        let games: Vec<&str> = self.by.iter().map(|(game, _)| *game).collect();
        let help = format!("The game: {}", games.join(" or "));
        let game = Arg::new(GAME).long(GAME).value_name("G").default_value(games[0]).help(help);
        let command = command.arg(game.display_order(0));
        others.iter().fold(command, |command, (_, other)| joined(command, &(other.command)()))
    }

    /// Does it.
    pub(crate) fn run(&self, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<()> {
        let command = match &*self.by {
            [(_, only)] => only,
            several => {
                let wanted = matches.get_one::<String>(GAME).map_or("", String::as_str);
                let found = several.iter().find(|(game, _)| *game == wanted);
                let games: Vec<&str> = several.iter().map(|(game, _)| *game).collect();
                let (game, command) = found.ok_or_else(|| {
                    let (name, wanted) = (self.name(), wanted.escape_debug());
                    let accepted = games.join(", ");
                    bad_input("--game", format!("'{wanted}' has no {name}; accepted: {accepted}"))
                })?;
                self.refuse_others(game, command, matches)?;
                command
            }
        };
        (command.run)(matches, &mut Terminal { out }).map_err(of_command)
    }

    /// Refuses options that only other games have.
    fn refuse_others(
        &self,
        game: &str,
        command: &GameCommand,
        matches: &ArgMatches,
    ) -> anyhow::Result<()> {
        let own = (command.command)();
        let is_own = |arg: &Arg| own.get_arguments().any(|known| known.get_id() == arg.get_id());
        for (other, brought) in &self.by {
            for arg in (brought.command)().get_arguments().filter(|arg| !is_own(arg)) {
                let id = arg.get_id().as_str();
                if matches.value_source(id) == Some(ValueSource::CommandLine) {
                    let option = format!("--{}", arg.get_long().unwrap_or(id));
                    let name = self.name();
                    let reason = format!("'{name} --game {game}' has no such option; {other} has");
                    return Err(bad_input(&option, reason));
                }
            }
        }
        Ok(())
    }

    fn first(&self) -> clap::Command {
        (self.by[0].1.command)()
    }
}

/// A command with the arguments and examples of another as well. Of arguments that both have the
/// first is kept.
fn joined(command: clap::Command, other: &clap::Command) -> clap::Command {
    let examples = |command: &clap::Command| {
        command.get_after_help().map(ToString::to_string).unwrap_or_default()
    };
    let (own, more) = (examples(&command), examples(other));
    // Both begin with the same title.
    let title = own.lines().next().filter(|title| more.lines().next() == Some(title));
    let more =
        title.and_then(|title| more.strip_prefix(title)).map_or(format!("\n{more}"), str::to_owned);
    let is_new = |arg: &&Arg| command.get_arguments().all(|known| known.get_id() != arg.get_id());
    let args: Vec<Arg> = other.get_arguments().filter(is_new).cloned().collect();
    command.args(args).after_help(own + &more)
}
