//! The command line as a whole: the commands of the program and those that its games bring.

use crate::game_commands::{Brought, brought};
use crate::{
    bench, cluster, generate, lab, network, perft, players, playouts, search, serve, slurm,
    training, uci, worker,
};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use monteverde_players::{Games, RecordFormat};
use std::ffi::OsString;

/// Monte-Carlo tree search for games: a page to play and watch, engines, and tools to look inside
/// the search.
#[derive(Parser)]
#[command(name = "monteverde", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Serve(serve::Args),
    Uci(uci::Args),
    Perft(perft::Args),
    Players(players::Args),
    Playouts(Box<playouts::Args>),
    Search(search::Args),
    Match(Box<lab::matches::Args>),
    Tournament(Box<lab::tournament::Args>),
    Sweep(Box<lab::sweep::Args>),
    Experiment(Box<lab::experiment::Args>),
    Solve(Box<lab::solve::Args>),
    Report(lab::report::Args),
    Export(lab::export::Args),
    Import(lab::import::Args),
    Slurm(Box<slurm::Args>),
    Worker(Box<worker::Args>),
    Cluster(cluster::Args),
    Network(network::Args),
    Selfplay(Box<training::selfplay::Args>),
    Label(Box<training::label::Args>),
    Data(training::info::Args),
    // What games bring is listed before these.
    #[command(display_order = 100)]
    Bench(bench::Args),
    #[command(display_order = 101)]
    Completions(generate::CompletionsArgs),
    #[command(display_order = 102)]
    Man(generate::ManArgs),
}

/// What the command line asks for.
pub(crate) enum CliTask {
    /// A command of the program, or none.
    Command(Option<Box<Command>>),
    /// A command that games bring, with its arguments.
    Game(Brought, ArgMatches),
}

/// Reads a command line.
pub(crate) fn parse(
    games: &Games,
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<CliTask, clap::Error> {
    let matches = command(games).try_get_matches_from(words)?;
    if let Some((name, own)) = matches.subcommand()
        && let Some(found) = brought(games).into_iter().find(|command| command.name() == name)
    {
        return Ok(CliTask::Game(found, own.clone()));
    }
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command(games)))?;
    Ok(CliTask::Command(cli.command.map(Box::new)))
}

/// The whole command line: what the program itself has, with the names of the games, and what the
/// games bring.
///
/// # Panics
/// If there is no game.
pub(crate) fn command(games: &Games) -> clap::Command {
    let brought = brought(games);
    let overview = overview(games, &brought);
    let words = Words::new(games);
    let command = brought
        .iter()
        .fold(Cli::command(), |command, brought| command.subcommand(brought.command()))
        .after_help(overview);
    command.mut_subcommands(|command| words.fill_in(command))
}

/// Names of games in help texts.
struct Words {
    /// The default.
    first: &'static str,
    /// What stands for what in help texts.
    lists: [(&'static str, String); 3],
}

impl Words {
    fn new(games: &Games) -> Words {
        let engines = games.iter().filter(|game| game.uci().is_some()).map(|game| game.name());
        Words {
            first: games.iter().next().expect("a program has games").name(),
            lists: [
                ("{games}", enumerated(&games.names())),
                ("{engine-games}", enumerated(&engines.collect::<Vec<_>>())),
                ("{formats}", formats(games)),
            ],
        }
    }

    /// Fills the names into the help of every argument of a command; a game that has to be given is
    /// the first unless it is.
    fn fill_in(&self, command: clap::Command) -> clap::Command {
        let command = command.mut_subcommands(|command| self.fill_in(command));
        command.mut_args(|arg| {
            let Some(help) = arg.get_help().map(ToString::to_string) else { return arg };
            let is_game = arg.get_id() == "game" && arg.is_required_set();
            let arg = if is_game { arg.required(false).default_value(self.first) } else { arg };
            let filled =
                self.lists.iter().fold(help.clone(), |text, (name, list)| text.replace(name, list));
            if filled == help { arg } else { arg.help(filled) }
        })
    }
}

/// The formats that games are written as, with the games that have them.
fn formats(games: &Games) -> String {
    let own = games.iter().filter(|game| game.record_format() != RecordFormat::TEXT);
    let own = own.map(|game| format!("{} ({} alone), ", game.record_format().name, game.name()));
    own.collect::<String>() + "jsonl (whole records) or text"
}

/// `a, b or c`.
fn enumerated(names: &[&str]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Examples of every command.
fn overview(games: &Games, brought: &[Brought]) -> String {
    let brought: String = brought.iter().map(Brought::overview).collect();
    let others = others(games);
    format!(
        "\
Without a command it serves the page, as 'monteverde serve' does.

  monteverde serve                            the page: play, analyse, watch the tree grow
  monteverde uci                              the engine, for a chess program to load
  monteverde search --time 2s                 think about the start of a game, show every move
  monteverde search --state FEN --iterations 100k --seed 7
                                              the same table each time it is run
  monteverde players                          the named players, and every setting they have
  monteverde playouts --count 10k             random games: how long they last, how they end
  monteverde match mcc mcc:c=0.5 --games 100 --iterations 1000 --store a.db
                                              which of two players is stronger, and by how much
  monteverde tournament FILE.toml --store a.db
                                              round robin or gauntlet, engines welcome
  monteverde sweep FILE.toml --out pages      one measurement over a grid of settings, as a plot
  monteverde experiment list                  what papers measured, and whether we agree
  monteverde solve --suite mates.epd --player mcc
                                              which positions of a file are proven or found
  monteverde report --store a.db --out pages  ratings, cross table and more, as a page
  monteverde export --store a.db --format pgn the games
  monteverde import part*.mvs --store a.db    put together the parts that --shard has made
  monteverde slurm --shards 16 -- match ...   a script that runs a command as shards on a cluster
  monteverde worker --nats nats://HOST        work for runs that were started with --nats
  monteverde cluster --nats nats://HOST       who works there, and how far the runs are
  monteverde network info FILE                what a learned network is, and how it came to be
  monteverde selfplay --player ab --nodes 1000 --positions 1M --out chess.mvd
                                              games with a score for every state, to train networks
  monteverde label --data chess.mvd --player best --iterations 800 --out labelled.mvd
                                              other scores for the states of games
  monteverde data chess.mvd                   what such files hold, and whether they are sound
{brought}  monteverde perft --depth 5                  count move paths, to check the rules
  monteverde bench                            the players' signature and the speeds

{others}Players are written name:key=value,flag,... such as mcc:c=0.5,threads=2.
'monteverde COMMAND --help' explains each command; 'monteverde completions SHELL' and
'monteverde man' set up your shell."
    )
}

/// How other games than the default are asked for, in lines.
fn others(games: &Games) -> String {
    /// The widest line.
    const WIDTH: usize = 100;
    let mut all = games.iter();
    let first = all.next().expect("a program has games").name();
    let words: Vec<String> = all
        .map(|game| {
            let (name, title) = (game.name(), game.title());
            // A title that the name says already would be said twice.
            match title.to_lowercase().replace(' ', "-") == name {
                true => format!("--game {name}"),
                false => format!("--game {name} ({title})"),
            }
        })
        .collect();
    if words.is_empty() {
        return String::new();
    }
    let mut text = format!("Other games than {first}:");
    let mut column = text.len();
    for (index, word) in words.iter().enumerate() {
        let mark = if index + 1 == words.len() { '.' } else { ',' };
        let fits = column + word.len() + 2 <= WIDTH;
        text.push(if fits { ' ' } else { '\n' });
        text += word;
        text.push(mark);
        column = if fits { column + 1 } else { 0 } + word.len() + 1;
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command(&crate::games()).debug_assert();
    }

    #[test]
    fn help_names_the_games_of_the_program() {
        let mut command = command(&crate::games());
        let whole = command.render_help().to_string();
        let others = "Other games than chess: --game loa (Lines of Action), --game banqi (Chinese dark chess),\n\
                      --game tic-tac-toe, --game dice-race.\n";
        assert!(whole.contains(others), "{whole}");
        let perft = command.find_subcommand_mut("perft").expect("a command").render_help();
        let game = "The game: chess, loa, banqi, tic-tac-toe or dice-race [default: chess]";
        assert!(perft.to_string().contains(game), "{perft}");
    }
}
