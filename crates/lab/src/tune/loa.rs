//! The tuner of Lines of Action: probabilities of move categories from the records of games.

mod records;
mod transitions;

pub use records::{Record, RecordError, read_records};
pub use transitions::{count, likeness, transitions_source};
