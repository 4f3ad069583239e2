//! What things are called on the server. Everything of a run carries its name, so that several
//! users share a server without meeting.

use monteverde_lab::task::Key;
use std::fmt;
use std::str::FromStr;

/// The name of a run: letters, digits, `-` and `_`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RunName(String);

/// A text that is no name of a run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{}' is no name of a run; accepted are 1 to {LONGEST} letters, digits, '-' and '_'", .0.escape_debug()
)]
pub struct RunNameError(String);

/// The most letters of a name.
const LONGEST: usize = 40;

/// What the names of task streams begin with.
const TASKS: &str = "monteverde-tasks-";

/// What asks everybody for a word about themselves.
pub(crate) const WHO: &str = "monteverde.who";

impl FromStr for RunName {
    type Err = RunNameError;

    fn from_str(text: &str) -> Result<RunName, RunNameError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        match (1..=LONGEST).contains(&text.len()) && text.chars().all(plain) {
            true => Ok(RunName(text.to_owned())),
            false => Err(RunNameError(text.to_owned())),
        }
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl RunName {
    /// A name that follows from some texts, such as the store and the command: the same command
    /// goes on with its run.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> RunName {
        const DIGITS: usize = 12;
        let mut hasher = blake3::Hasher::new();
        for text in texts {
            hasher.update(text.as_bytes()).update(b"\n");
        }
        RunName(hasher.finalize().to_hex()[..DIGITS].to_owned())
    }

    /// The run whose tasks a stream holds.
    pub(crate) fn of_stream(stream: &str) -> Option<RunName> {
        stream.strip_prefix(TASKS)?.parse().ok()
    }

    /// The stream of its tasks.
    pub(crate) fn tasks_stream(&self) -> String {
        format!("{TASKS}{self}")
    }

    /// The stream of its results.
    pub(crate) fn results_stream(&self) -> String {
        format!("monteverde-results-{self}")
    }

    /// The subject of one task.
    pub(crate) fn task(&self, key: &Key) -> String {
        format!("monteverde.task.{self}.{key}")
    }

    /// The subjects of all tasks.
    pub(crate) fn tasks(&self) -> String {
        format!("monteverde.task.{self}.*")
    }

    /// Where the run says what it asks of workers.
    pub(crate) fn about(&self) -> String {
        format!("monteverde.about.{self}")
    }

    /// The subjects on which all runs say what they ask of workers.
    pub(crate) fn all_about() -> &'static str {
        "monteverde.about.*"
    }

    /// The subject of one result.
    pub(crate) fn result(&self, key: &Key) -> String {
        format!("monteverde.result.{self}.{key}")
    }

    /// The subjects of all results.
    pub(crate) fn results(&self) -> String {
        format!("monteverde.result.{self}.*")
    }

    /// Where its coordinator answers.
    pub(crate) fn lead(&self) -> String {
        format!("monteverde.lead.{self}")
    }
}

/// The key that a subject of a task or result ends with.
pub(crate) fn key_of(subject: &str) -> Option<Key> {
    subject.rsplit('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words() {
        let run: RunName = "tuning-c_2".parse().unwrap();
        assert_eq!(RunName::of_stream(&run.tasks_stream()), Some(run.clone()));
        assert_eq!(RunName::of_stream(&run.results_stream()), None);
        let key = Key([7; 32]);
        assert_eq!(key_of(&run.result(&key)), Some(key));
        assert_eq!(key_of(&run.lead()), None);
        for text in ["", "a.b", "a b", "*", ">", "ä", &"x".repeat(41)] {
            let error = text.parse::<RunName>().unwrap_err().to_string();
            assert!(error.contains("accepted are"), "{error}");
        }
        assert_eq!(RunName::of(["a", "b"]), RunName::of(["a", "b"]));
        assert_ne!(RunName::of(["a", "b"]), RunName::of(["ab", ""]));
    }
}
