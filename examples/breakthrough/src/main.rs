//! Monteverde with one more game.

mod breakthrough;

use breakthrough::Breakthrough;
use std::process::ExitCode;

fn main() -> ExitCode {
    monteverde::run(monteverde::games().with(Breakthrough))
}
