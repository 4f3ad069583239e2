//! What can go wrong with tables on disk.

use crate::Material;
use std::io;
use std::path::{Path, PathBuf};

/// Why tables cannot be used or built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The system refused.
    #[error("{}: could not {action}: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The folder does not exist.
    #[error("{}: there is no such folder; 'monteverde tablebase build --pieces 4 --dir DIR' makes one", .path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has no tables.
    #[error("{}: there are no tables in it (files such as KQK.dtm); 'monteverde tablebase build --pieces 4 --dir DIR' makes them", .path.display())]
    NoTables {
        /// The folder.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{}: not a table of this program; build it anew", .path.display())]
    NotATable {
        /// The file.
        path: PathBuf,
    },
    /// The file is of another version.
    #[error("{}: a table of version {found}, but version {known} is needed; build it anew", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that can be read.
        known: u32,
    },
    /// The file has another material than its name says, or other measures than its material has.
    #[error("{}: does not hold what its name says; build it anew", .path.display())]
    Misnamed {
        /// The file.
        path: PathBuf,
    },
    /// The file has been cut short or has grown.
    #[error("{}: has {found} bytes instead of {expected}; build it anew", .path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// How long it is.
        found: u64,
        /// How long it should be.
        expected: u64,
    },
    /// A checksum is wrong.
    #[error("{}: damaged ({part}); remove it and build it anew", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part of it.
        part: String,
    },
    /// A table that another one is made from is missing.
    #[error("the table {0} is missing; build it first")]
    Missing(Material),
    /// Somebody else is at it.
    #[error("{}: another process is building this table", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Worker threads could not be started.
    #[error("could not start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// Syzygy files cannot be used.
    #[error("{}: {reason}", .path.display())]
    Syzygy {
        /// The folder.
        path: PathBuf,
        /// Why not.
        reason: &'static str,
    },
}

impl TableError {
    /// For use with `map_err`.
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> TableError {
        let path = path.to_owned();
        move |source| TableError::Io { path, action, source }
    }
}
