//! Data for networks: games that players have played, with a score for every state on the way.
//!
//! [`selfplay`] plays them, [`label`] scores games that others have played, [`writer`] and
//! [`reader`] keep them in files whose format `docs/networks.md` describes, and [`summary`] says
//! what they hold and whether scores and results speak for the same side. [`remote`] has games made
//! by workers on other machines. [`batches`] gives their states in random order as a network sees
//! them. No game is named here.

pub mod batches;
pub mod data;
mod error;
mod format;
pub mod label;
pub mod opening;
pub mod produce;
pub mod reader;
pub mod remote;
pub mod selfplay;
pub mod summary;
pub mod writer;

pub use batches::{Batch, BatchOptions, Batches, Part};
pub use data::{GameData, StepData, StepKind};
pub use error::DataError;
pub use format::Header;
pub use produce::{Amount, Makers, Production, Progress};
pub use reader::{Damage, DataFile};
pub use summary::Summary;
pub use writer::{Held, Writer};
