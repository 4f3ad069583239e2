//! `monteverde completions` and `monteverde man`.

use crate::cli::command;
use anyhow::Context;
use clap_complete::Shell;
use clap_mangen::Man;
use monteverde_players::Games;
use std::io::Write;
use std::path::PathBuf;

/// Prints the completions for a shell, to be put where that shell looks for them
#[derive(clap::Args)]
#[command(after_help = "Example: monteverde completions bash > /etc/bash_completion.d/monteverde")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the manual page, or writes one page a command into a folder
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde man | man -l -
  monteverde man --dir /usr/local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The folder; it is made if it does not exist
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
}

/// Prints completions.
pub(crate) fn completions(
    games: &Games,
    args: &CompletionsArgs,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    // Made in memory first: the generator would panic where the output is closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(games), "monteverde", &mut script);
    Ok(out.write_all(&script)?)
}

/// Prints or writes manual pages.
pub(crate) fn man(games: &Games, args: &ManArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let Some(dir) = &args.dir else { return Ok(Man::new(command(games)).render(out)?) };
    let failed = || format!("manual pages could not be written to {}", dir.display());
    std::fs::create_dir_all(dir).with_context(failed)?;
    clap_mangen::generate_to(command(games), dir).with_context(failed)
}
