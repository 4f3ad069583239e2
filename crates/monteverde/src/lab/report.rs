//! `monteverde report`.

use super::pages::write_report;
use monteverde_lab::report::of_store;
use monteverde_lab::store::Store;
use std::path::PathBuf;

/// Writes what a store holds as one HTML page and as Markdown
///
/// For each game: ratings with error bars, cross table, likelihoods of superiority, every meeting
/// with its pairs, how games ended, who failed, and the commands that played them. The page needs
/// no network and runs no script. Works while a run writes into the store.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde report --store a.db --out pages      writes pages/report.html and pages/report.md")]
pub(crate) struct Args {
    /// The file that keeps the games
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// The folder that the pages are written into; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Writes the pages.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let store = Store::read(&args.store).map_err(super::store_failure)?;
    write_report(&args.out, &of_store(&store).map_err(super::store_failure)?)
}
