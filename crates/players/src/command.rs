//! Commands of the program that a game brings.

use crate::text_file;
use std::error::Error;
use std::io::Write;
use std::path::Path;

/// A command of the program that is about one game alone, such as building its endgame tables.
#[derive(Clone)]
pub struct GameCommand {
    /// Its name and arguments, with their help.
    pub command: fn() -> clap::Command,
    /// Does it.
    pub run: fn(&clap::ArgMatches, &mut dyn Console) -> Result<(), CommandFailure>,
    /// Whole lines for the overview of all commands: an example, and at column 46 what it does.
    pub overview: &'static str,
}

/// Where a command writes to.
pub trait Console {
    /// Standard output.
    fn out(&mut self) -> &mut dyn Write;
    /// Says a line to people alone, on standard error.
    fn note(&mut self, line: &str);
    /// A bar on standard error that fills up to `length`, where that is a terminal.
    fn bar(&mut self, length: u64, what: &'static str) -> Box<dyn Bar>;
    /// The command line that is running, as a shell would read it again.
    fn command_line(&self) -> String;
    /// A table as text, without a line feed at its end.
    fn table(&self, figures: &Figures) -> String;
}

/// A table of figures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// The titles of the columns.
    pub header: Vec<String>,
    /// The columns that keep to the right, from 0.
    pub right: Vec<usize>,
    /// The rows, a text for each column.
    pub rows: Vec<Vec<String>>,
}

impl Figures {
    /// A table without rows.
    pub fn new(header: &[&str], right: impl IntoIterator<Item = usize>) -> Figures {
        let header = header.iter().map(|&title| title.to_owned()).collect();
        Figures { header, right: right.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn add_row<S: Into<String>>(&mut self, row: impl IntoIterator<Item = S>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }
}

/// Progress of long work. It disappears when it is dropped.
pub trait Bar: Send + Sync {
    /// So much more is done.
    fn advance(&self, by: u64);
    /// So much is done, of so much.
    fn set(&self, done: u64, of: u64);
    /// What is being done now.
    fn name(&self, what: String);
    /// Says a line to people alone, above the bar.
    fn note(&self, line: &str);
}

/// Refuses a file of `--out` that cannot be written, before the work for it.
pub fn check_out(path: Option<&Path>) -> Result<(), CommandFailure> {
    let Some(path) = path else { return Ok(()) };
    text_file::check_writable(path).map_err(|error| {
        let reason = format!("cannot write {}: {error}", path.display());
        CommandFailure::bad_input("--out", reason)
    })
}

/// Why a command failed.
#[derive(Debug)]
pub enum CommandFailure {
    /// Its input is not accepted; the sentence says what was wrong, and what is accepted.
    BadInput(String),
    /// It failed at work.
    Failed(Box<dyn Error + Send + Sync>),
}

impl CommandFailure {
    /// Input that is not accepted, where it was given, and why.
    pub fn bad_input(place: &str, reason: impl std::fmt::Display) -> CommandFailure {
        CommandFailure::BadInput(format!("{place}: {reason}"))
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for CommandFailure {
    fn from(error: E) -> CommandFailure {
        CommandFailure::Failed(error.into())
    }
}
