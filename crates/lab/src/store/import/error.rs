//! Why a file is not taken in.

use crate::store::StoreError;
use crate::task::Key;
use std::path::PathBuf;

/// Why a file is not taken in. Nothing of it is in the store then.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There is no such file.
    #[error("there is no file '{}'", .0.display())]
    NoFile(PathBuf),
    /// It is something else, or of a later version.
    #[error(transparent)]
    File(StoreError),
    /// It is damaged.
    #[error(
        "'{}' is damaged, or was cut off on its way: {problem}; nothing of it is imported", path.display()
    )]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// It is the store itself.
    #[error("'{}' is the store that is imported into", .0.display())]
    Itself(PathBuf),
    /// A task has two different games.
    #[error(
        "'{}' and the store hold different games under the key {key} ({} against {}), as players by the clock \
         play them; nothing of the file is imported", path.display(), players[0], players[1]
    )]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The task's key.
        key: Key,
        /// Who plays.
        players: [String; 2],
    },
    /// A measurement has two different findings.
    #[error(
        "'{}' and the store hold different findings under the key {key}, of {probe}; nothing of the file is \
         imported", path.display()
    )]
    OtherFindings {
        /// The file.
        path: PathBuf,
        /// The measurement's key.
        key: Key,
        /// The measurement.
        probe: String,
    },
    /// Iterations come from two calibrations.
    #[error(
        "'{}' and the store hold different speeds of '{player}' (the key {key}): all shards of a contest at \
         equal time need the speeds of one store (--speeds-from); nothing of the file is imported",
        path.display()
    )]
    OtherSpeed {
        /// The file.
        path: PathBuf,
        /// The key of the speed.
        key: Key,
        /// Whose it is.
        player: String,
    },
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}
