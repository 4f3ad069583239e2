//! The `monteverde` program. Each command has a file of its own, with its arguments and a `run` function
//! that writes to whatever it is given; this one reads the command line and turns results into exit codes.

mod bench;
mod cli;
mod console;
mod failure;
mod generate;
mod input;
mod lab;
mod perft;
mod players;
mod playouts;
mod progress;
mod search;
mod serve;
mod table;
mod tablebase;
mod tcga;
mod text;
mod uci;

use clap::Parser;
use cli::{Cli, Command};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => {
            // Help and the version come this way too. A closed pipe is no reason to complain.
            let _ = error.print();
            return failure::code(error.exit_code());
        }
    };
    let mut out = BufWriter::new(io::stdout());
    let result = run(command, &mut out).and_then(|()| Ok(out.flush()?));
    failure::report(result)
}

fn run(command: Option<Command>, out: &mut dyn Write) -> anyhow::Result<()> {
    match command {
        None => serve::run_plain(out),
        Some(Command::Serve(args)) => serve::run(&args, out),
        Some(Command::Uci(args)) => uci::run(&args),
        Some(Command::Tcga(args)) => tcga::run(&args, out),
        Some(Command::Perft(args)) => perft::run(&args, out),
        Some(Command::Players(args)) => players::run(&args, out),
        Some(Command::Playouts(args)) => playouts::run(&args, out),
        Some(Command::Search(args)) => search::run(&args, out),
        Some(Command::Match(args)) => lab::matches::run(&args, out),
        Some(Command::Tournament(args)) => lab::tournament::run(&args, out),
        Some(Command::Sweep(args)) => lab::sweep::run(&args, out),
        Some(Command::Experiment(args)) => lab::experiment::run(&args, out),
        Some(Command::Solve(args)) => lab::solve::run(&args, out),
        Some(Command::Report(args)) => lab::report::run(&args),
        Some(Command::Export(args)) => lab::export::run(&args, out),
        Some(Command::Tablebase(args)) => tablebase::run(&args, out),
        Some(Command::Tune(args)) => lab::tune::run(&args, out),
        Some(Command::Bench(args)) => bench::run(&args, out),
        Some(Command::Completions(args)) => generate::completions(&args, out),
        Some(Command::Man(args)) => generate::man(&args, out),
    }
}
