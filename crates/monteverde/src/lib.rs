//! Monteverde as a library: the games, and the whole program over any games.
//!
//! A game of one's own takes one file and this crate alone. It implements [`Game`] and
//! [`Notation`], brings an [`Entry`], and the program that plays it is
//!
//! ```no_run
//! # use monteverde::{Entry, fixtures::TicTacToe};
//! # struct Nim;
//! # impl Entry for Nim { type Game = TicTacToe; }
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     monteverde::run(monteverde::games().with(Nim))
//! }
//! ```
//!
//! It then has the command line, the lab and the page, as the games of [`games`] have them;
//! `examples/breakthrough` is such a program.
//!
//! Each command has a file of its own, with its arguments and a `run` function that writes to
//! whatever it is given.

mod bench;
mod cli;
mod cluster;
mod console;
mod failure;
mod game_commands;
mod generate;
mod input;
mod lab;
mod nats;
mod network;
mod perft;
mod players;
mod playouts;
mod progress;
mod search;
mod serve;
mod slurm;
mod table;
mod training;
mod uci;
mod worker;

pub use monteverde_game::{
    Game, Greed, Knowledge, Measure, Never, NoKnowledge, NoOracle, Notation, NotationError, Oracle,
    Outcome, Playout, PlayoutKnowledge, Proof, Rng, Side, Step, Ties, conformance, fixtures, rng,
};
pub use monteverde_games::games;
pub use monteverde_mcts as mcts;
pub use monteverde_minimax as minimax;
pub use monteverde_players::{
    AlphaBetaPlayers, AnyGame, AnyState, AnyStep, Bar, CommandFailure, Console, Entry, GameCommand,
    Games, Gauge, Preset, Puzzle, RecordError, RecordFormat, SearchWith, Searcher, Settings,
    SignatureCase, Transcript, UciReading, UciWords, face, field, field_or_off, presets, setting,
    words,
};

use cli::CliTask;
use monteverde_lab::behaviour::{self, Tree};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// Runs the program over these games: reads the command line, does what it says, and gives the exit
/// code: 0 for success, 2 for bad usage or input, 1 for a failure at work.
///
/// # Panics
/// If there is no game.
pub fn run(games: Games) -> ExitCode {
    behaviour::built_from(match env!("MONTEVERDE_TREE") {
        "changed" => Tree::Changed,
        _ => Tree::Committed,
    });
    let task = match cli::parse(&games, std::env::args_os()) {
        Ok(task) => task,
        Err(error) => {
            // Help and the version come this way too. A closed pipe is no reason to complain.
            let _ = error.print();
            return failure::code(error.exit_code());
        }
    };
    let mut out = BufWriter::new(io::stdout());
    let result = do_task(&games, task, &mut out).and_then(|()| Ok(out.flush()?));
    failure::report(result)
}

fn do_task(games: &Games, task: CliTask, out: &mut dyn Write) -> anyhow::Result<()> {
    use cli::Command;
    match task {
        CliTask::Command(None) => serve::run_plain(games.clone(), out),
        CliTask::Game(command, matches) => command.run(&matches, out),
        CliTask::Command(Some(command)) => match *command {
            Command::Serve(args) => serve::run(games.clone(), &args, out),
            Command::Uci(args) => uci::run(games, &args),
            Command::Perft(args) => perft::run(games, &args, out),
            Command::Players(args) => players::run(games, &args, out),
            Command::Playouts(args) => playouts::run(games, &args, out),
            Command::Search(args) => search::run(games, &args, out),
            Command::Match(args) => lab::matches::run(games, &args, out),
            Command::Tournament(args) => lab::tournament::run(games, &args, out),
            Command::Sweep(args) => lab::sweep::run(games, &args, out),
            Command::Experiment(args) => lab::experiment::run(games, &args, out),
            Command::Solve(args) => lab::solve::run(games, &args, out),
            Command::Report(args) => lab::report::run(&args),
            Command::Export(args) => lab::export::run(games, &args, out),
            Command::Import(args) => lab::import::run(games, &args, out),
            Command::Slurm(args) => slurm::run(games, &args, out),
            Command::Worker(args) => worker::run(games, &args, out),
            Command::Cluster(args) => cluster::run(&args, out),
            Command::Network(args) => network::run(games, &args, out),
            Command::Selfplay(args) => training::selfplay::run(games, &args, out),
            Command::Label(args) => training::label::run(games, &args, out),
            Command::Data(args) => training::info::run(games, &args, out),
            Command::Bench(args) => bench::run(games, &args, out),
            Command::Completions(args) => generate::completions(games, &args, out),
            Command::Man(args) => generate::man(games, &args, out),
        },
    }
}
