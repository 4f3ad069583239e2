//! Exit codes: 0 success, 2 bad usage or input, 1 a failure at work, 130 stopped by Ctrl-C.

use monteverde_players::CommandFailure;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What shells give a process that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// Input that is not accepted; the sentence says what was wrong and what is accepted.
#[derive(Debug)]
pub(crate) struct BadInput(String);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for BadInput {}

/// Input that is not accepted, where it was given, and why.
pub(crate) fn bad_input(place: &str, reason: impl std::fmt::Display) -> anyhow::Error {
    BadInput(format!("{place}: {reason}")).into()
}

/// Work that Ctrl-C has stopped, with all that was finished in this store, if there is one.
#[derive(Debug)]
struct Interrupted(Option<PathBuf>);

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            None => write!(f, "stopped by Ctrl-C; what was played is not kept"),
            Some(path) => write!(
                f,
                "stopped by Ctrl-C; the same command with --store '{}' goes on",
                path.display()
            ),
        }
    }
}

impl Error for Interrupted {}

/// Work that Ctrl-C has stopped, kept in that store, if there is one.
pub(crate) fn interrupted(store: Option<&Path>) -> anyhow::Error {
    Interrupted(store.map(Path::to_owned)).into()
}

/// Why a command that a game brings failed.
pub(crate) fn of_command(failure: CommandFailure) -> anyhow::Error {
    match failure {
        CommandFailure::BadInput(sentence) => BadInput(sentence).into(),
        // A closed pipe must stay visible as such.
        CommandFailure::Failed(error) => match error.downcast::<io::Error>() {
            Ok(error) => (*error).into(),
            Err(error) => anyhow::Error::from_boxed(error),
        },
    }
}

/// Says on standard error what went wrong, if anything did.
pub(crate) fn report(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_closed_pipe(&error) {
        // Whoever read our output has read enough.
        return ExitCode::SUCCESS;
    }
    if error.is::<Interrupted>() {
        let _ = writeln!(io::stderr(), "{error}");
        return code(INTERRUPTED);
    }
    let _ = writeln!(io::stderr(), "error: {}", readable(&format!("{error:#}")));
    code(if error.is::<BadInput>() { 2 } else { 1 })
}

/// The longest sentence that is printed, in characters; those that list every setting are shorter.
const LONGEST: usize = 8000;

/// A sentence as a terminal may show it. It may quote what stands in a file: control characters,
/// which could do anything there, and lines of megabytes.
fn readable(sentence: &str) -> String {
    let mut shown = String::new();
    for (index, letter) in sentence.chars().enumerate() {
        if index == LONGEST {
            let more = sentence.chars().count() - LONGEST;
            shown.push_str(&format!("... ({more} characters more)"));
            break;
        }
        match letter.is_control() && letter != '\n' {
            true => shown.extend(letter.escape_default()),
            false => shown.push(letter),
        }
    }
    shown
}

/// An exit code of clap's.
pub(crate) fn code(code: i32) -> ExitCode {
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_holds_does_nothing_to_the_terminal() {
        assert_eq!(readable("a, ä\nor '\u{1b}[2J\0'"), "a, ä\nor '\\u{1b}[2J\\u{0}'");
        let long = readable(&"ö".repeat(LONGEST + 5));
        assert!(long.ends_with("ö... (5 characters more)"), "{}", &long[long.len() - 40..]);
        assert_eq!(readable(&"x".repeat(LONGEST)), "x".repeat(LONGEST));
    }
}
