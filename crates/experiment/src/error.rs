//! What can go wrong with an experiment.

use super::Scale;
use monteverde_lab::contest::ContestError;
use monteverde_lab::keys::FileError;
use monteverde_lab::measure::MeasureError;
use monteverde_lab::reached::ReachedError;
use monteverde_lab::shard::ShardDone;
use monteverde_lab::store::StoreError;
use monteverde_lab::suite::SuiteError;
use monteverde_lab::sweep::SweepError;
use std::io;
use std::path::PathBuf;

/// Why an experiment cannot be read, run or reported.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The system refuses.
    #[error("'{}' cannot be used: {error}", path.display())]
    System {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file of an experiment is wrong.
    #[error("the experiment '{}': {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FileError,
    },
    /// A data file is wrong.
    #[error("the results '{}' cannot be read: {problem}; run the experiment again", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// There is no such experiment.
    #[error(
        "there is no experiment '{}'{}; experiments: {}", id.escape_debug(),
        nearest.as_ref().map_or(String::new(), |id| format!(" (perhaps '{id}'?)")), known.join(", ")
    )]
    Unknown {
        /// What was given.
        id: String,
        /// The id most like it.
        nearest: Option<String>,
        /// All experiments.
        known: Vec<String>,
    },
    /// The experiment has no such scale.
    #[error("the experiment '{id}' has no scale {}; scales: {known}", scale.name())]
    NoScale {
        /// The experiment.
        id: String,
        /// What was asked for.
        scale: Scale,
        /// What there is.
        known: String,
    },
    /// The experiment has no such part.
    #[error(
        "the experiment '{id}' has no part '{}'{}; {}", part.escape_debug(),
        nearest.as_ref().map_or(String::new(), |name| format!(" (perhaps '{name}'?)")),
        parts_text(known)
    )]
    NoPart {
        /// The experiment.
        id: String,
        /// What was asked for.
        part: String,
        /// The name most like it.
        nearest: Option<String>,
        /// What there is.
        known: Vec<String>,
    },
    /// The tournament cannot be held.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// Games that came to an ending cannot be counted.
    #[error(transparent)]
    Reached(#[from] ReachedError),
    /// The sweep cannot be made.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// The playouts cannot be made.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// The suite cannot be solved.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Only a shard of the work was to be done, and was.
    #[error(transparent)]
    Shard(#[from] ShardDone),
}

impl ExperimentError {
    /// The same error, with a shard that was done and a store that fails told as such, whatever
    /// they were of.
    pub(crate) fn flattened(self) -> ExperimentError {
        match self {
            ExperimentError::Sweep(
                SweepError::Shard(done) | SweepError::Measure(MeasureError::Shard(done)),
            )
            | ExperimentError::Measure(MeasureError::Shard(done))
            | ExperimentError::Suite(SuiteError::Shard(done)) => done.into(),
            ExperimentError::Reached(ReachedError::Store(error)) => error.into(),
            other => other,
        }
    }
}

/// The parts of an experiment, or the first ones of many.
fn parts_text(known: &[String]) -> String {
    const SHOWN: usize = 20;
    let listed: Vec<String> = known.iter().take(SHOWN).map(|name| format!("'{name}'")).collect();
    match known.len() {
        0 => "it can only be run as a whole".to_owned(),
        count if count > SHOWN => {
            format!("parts: {} and {} more", listed.join(", "), count - SHOWN)
        }
        _ => format!("parts: {}", listed.join(", ")),
    }
}
