//! The command line as a whole.

use crate::{bench, generate, lab, perft, players, playouts, search, serve, tablebase, tcga, uci};
use clap::{Parser, Subcommand};

/// Monte-Carlo tree search for games: a page to play and watch, engines, and tools to look inside the search.
#[derive(Parser)]
#[command(name = "monteverde", version, max_term_width = 100, after_help = overview())]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Serve(serve::Args),
    Uci(uci::Args),
    Tcga(tcga::Args),
    Perft(perft::Args),
    Players(players::Args),
    Playouts(playouts::Args),
    Search(search::Args),
    Match(Box<lab::matches::Args>),
    Tournament(lab::tournament::Args),
    Sweep(lab::sweep::Args),
    Experiment(lab::experiment::Args),
    Solve(lab::solve::Args),
    Report(lab::report::Args),
    Export(lab::export::Args),
    Tablebase(tablebase::Args),
    Tune(lab::tune::Args),
    Bench(bench::Args),
    Completions(generate::CompletionsArgs),
    Man(generate::ManArgs),
}

/// Examples of every command.
fn overview() -> &'static str {
    "\
Without a command it serves the page, as 'monteverde serve' does.

  monteverde serve                            the page: play, analyse, watch the tree grow
  monteverde uci                              the engine, for a chess program to load
  monteverde tcga                             Chinese dark chess, for its arenas
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
  monteverde experiment list                  what papers measured, and whether it is so
  monteverde solve --suite mates.epd --player mcc
                                              which positions of a file are proven or found
  monteverde report --store a.db --out pages  ratings, cross table and more, as a page
  monteverde export --store a.db --format pgn the games
  monteverde tablebase probe '8/8/8/8/8/1k6/8/KQ6 b - - 0 1'
                                              what is certain about an endgame, and how to build
                                              and check tables of more pieces
  monteverde tune --positions 20k             fit the evaluation to games of its own
  monteverde perft --depth 5                  count move paths, to check the rules
  monteverde bench                            the players' signature and the speeds

Other games than chess: --game loa (Lines of Action), --game banqi (Chinese dark chess),
--game tic-tac-toe, --game dice-race.
Players are written name:key=value,flag,... such as mcc:c=0.5,threads=2.
'monteverde COMMAND --help' tells more; 'monteverde completions SHELL' and 'monteverde man' help to
set it up."
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
