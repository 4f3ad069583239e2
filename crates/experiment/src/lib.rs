//! Experiments: a paper's numbers, the work that measures the same, and what was found.
//!
//! `experiments/ID.toml` states the question, the paper's figures and the work, which is of one of
//! the kinds in `kinds/` (a tournament, a sweep, a suite or one of several measurements), in three
//! scales ([`Scale`]). What was measured at a scale is kept in `experiments/ID/SCALE.json`, written
//! by this program only. Verdicts ([`verdict`]) and pages ([`report`], [`site`], [`details`]) are
//! made from those two files, and from the recorded signature, which says whether the players still
//! search as they did; so they come out the same whenever the same program makes them.

mod brief;
mod chapter;
mod commands;
mod error;
mod experiment;
mod file;
mod kinds;
mod list;
mod meta;
mod page;
mod part;
mod player_hashes;
mod printed;
mod result;
mod site;
pub mod verdict;
mod work;

pub use error::ExperimentError;
pub use experiment::{Experiment, Machine, Scale, State, find, plain_title, read_all};
pub use list::{Listed, ListedPaper, VerdictCounts, list, verdict_counts};
pub use meta::ResultMeta;
pub use page::{report, section};
pub use result::{Measured, ResultData, ResultFile, TestResult};
pub use site::{Details, Site, SummaryError, details, site, with_summary};

#[cfg(test)]
mod tests;
