//! The program `monteverde`: its games and everything that can be done with them.

use std::process::ExitCode;

fn main() -> ExitCode {
    monteverde::run(monteverde::games())
}
