//! What can go wrong with files of games.

use monteverde_lab::crew::CrewError;
use std::io;
use std::path::PathBuf;

/// Why games cannot be written, read or made.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The system does not let us.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
    /// The file is of another kind, or its beginning is damaged.
    #[error(
        "{} is no file of training games: {problem}; 'monteverde selfplay' and 'monteverde label' write such files",
        path.display()
    )]
    NotData {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The file was made by another command.
    #[error(
        "{} was begun with {field} {was} and cannot go on with {is}; give the same arguments, or another file",
        path.display()
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// What differs.
        field: String,
        /// What the file says.
        was: String,
        /// What the command says.
        is: String,
    },
    /// What the file's games were made of is no longer the same.
    #[error(
        "{} was begun with other games or states in {}, which has changed since; give what was there then, or \
         another file",
        path.display(), of.display()
    )]
    OtherInput {
        /// The file.
        path: PathBuf,
        /// The file of what is labelled.
        of: PathBuf,
    },
    /// Another program writes the same file.
    #[error("{} is being written by another program; wait until it has ended, or take another file", .0.display())]
    InUse(PathBuf),
    /// A game that cannot be played.
    #[error("game {number} of {}: {problem}", path.display())]
    BadGame {
        /// The file.
        path: PathBuf,
        /// Its number.
        number: u32,
        /// What is wrong.
        problem: String,
    },
    /// Workers on other machines cannot go on.
    #[error(transparent)]
    Crew(#[from] CrewError),
    /// A game that nobody waits for any more.
    #[error("stopped")]
    Stopped,
    /// Files that cannot be read together.
    #[error("{0}")]
    Files(String),
    /// A share of starts that is none, or a kind of start that the game has not.
    #[error("{0}")]
    Starts(String),
    /// No opening was found.
    #[error(
        "no game begins with {plies} random plies: after {tries} tries every one was over by then; give fewer"
    )]
    Opening {
        /// How many plies.
        plies: u32,
        /// How many attempts.
        tries: u32,
    },
    /// Scores and results do not speak for the same side.
    #[error(
        "scores and results do not agree: {side} to move, {agreeing} of {all} states with a clear score and a \
         decided game have the same sign in both (a correlation of {correlation:.3}, at least {least} is \
         expected); somewhere a value is told for the wrong side"
    )]
    Perspective {
        /// Which side is to move in these states.
        side: &'static str,
        /// How many agree.
        agreeing: u64,
        /// How many there are.
        all: u64,
        /// The correlation of the signs.
        correlation: f64,
        /// The bound.
        least: f64,
    },
}
