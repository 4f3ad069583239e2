//! The tuner of Lines of Action: weights of the evaluators and probabilities of move categories, from records of games.

mod fit;
mod records;
mod source;
mod transitions;

pub use fit::{Beyond, Fit, Fitted, rounded};
pub use monteverde_knowledge::loa::Evaluator;
pub use records::{Record, RecordError, read_records};
pub use source::weights_source;
pub use transitions::{count, likeness, transitions_source};
