//! Writing files of games.
//!
//! A game is appended when it is over, in one write, whatever its number. A run that is killed
//! loses the games in progress and leaves at most one frame that is cut off, which the next run
//! cuts away. At the end the games are put in order, and those that a run made beyond what is
//! wanted are left out, so that the file depends on the command alone, not on the number of
//! threads. What a file held before the run stays: it may be from a longer one.

use crate::data::{GameData, PackedGame};
use crate::error::DataError;
use crate::format::{Header, OF, OF_DIGEST};
use crate::reader::{Damage, DataFile, check_is_file};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that grows.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    header: Header,
    file: File,
}

/// What a file held when it was opened.
#[derive(Debug, Default)]
pub struct Held {
    file: Option<DataFile>,
}

impl Held {
    /// Its games.
    pub fn games(&self) -> impl Iterator<Item = GameData> + '_ {
        self.file.iter().flat_map(DataFile::games)
    }
    /// What was cut away, since it could not be read; the games are made again.
    pub fn damage(&self) -> &[Damage] {
        self.file.as_ref().map_or(&[], DataFile::damage)
    }
}

impl Writer {
    /// Opens a file to go on with, or begins it. One that another command has made is refused,
    /// unless no game was finished.
    pub fn open(path: &Path, header: Header) -> Result<(Writer, Held), DataError> {
        let failed = |error| DataError::Io { path: path.to_owned(), error };
        let options = &mut OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path).map_err(failed)?;
        check_is_file(path, &file.metadata().map_err(failed)?)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DataError::InUse(path.to_owned())),
            // Some file systems have no locks; they do without.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        if file.metadata().map_err(failed)?.len() == 0 {
            file.write_all(&header.bytes()).map_err(failed)?;
            return Ok((Writer { path: path.to_owned(), header, file }, Held::default()));
        }
        let old = DataFile::read(path)?;
        if let Some((field, was, is)) = old.header().difference(&header) {
            if old.is_empty() && old.damage().is_empty() {
                file.set_len(0).and_then(|()| file.write_all(&header.bytes())).map_err(failed)?;
                return Ok((Writer { path: path.to_owned(), header, file }, Held::default()));
            }
            let path = path.to_owned();
            return Err(match header.arguments.get(OF).and_then(Value::as_str) {
                Some(of) if field == OF_DIGEST => DataError::OtherInput { path, of: of.into() },
                _ => DataError::OtherRun { path, field, was, is },
            });
        }
        // An older header says less, and stays as it is.
        let header = old.header().clone();
        let mut writer = Writer { path: path.to_owned(), header, file };
        if !old.damage().is_empty() {
            writer.rewrite(&old, &|_| true)?;
        }
        Ok((writer, Held { file: Some(old) }))
    }

    /// Appends a game.
    pub(crate) fn push(&mut self, game: &PackedGame) -> Result<(), DataError> {
        self.file.write_all(&game.frame).map_err(|error| self.failed(error))
    }

    /// Puts the games in order, leaves out those that are not wanted, and gives what is then there.
    pub fn finish(mut self, is_wanted: &dyn Fn(u32) -> bool) -> Result<DataFile, DataError> {
        let old = DataFile::read(&self.path)?;
        let mut last = None;
        let is_done = old.frames().all(|(number, _)| {
            let is_next = last.is_none_or(|last| last < number) && is_wanted(number);
            last = Some(number);
            is_next
        });
        if is_done && old.damage().is_empty() {
            return Ok(old);
        }
        self.rewrite(&old, is_wanted)?;
        DataFile::read(&self.path)
    }

    /// Writes the games anew, in order, each once, beside the file, and then puts that in its
    /// place.
    fn rewrite(
        &mut self,
        old: &DataFile,
        is_wanted: &dyn Fn(u32) -> bool,
    ) -> Result<(), DataError> {
        let wanted = old.frames().filter(|(number, _)| is_wanted(*number));
        let frames: BTreeMap<u32, &[u8]> = wanted.collect();
        let mut name = self.path.clone().into_os_string();
        name.push(".new");
        let beside = PathBuf::from(name);
        let write = || -> io::Result<File> {
            let mut bytes = self.header.bytes();
            frames.values().for_each(|frame| bytes.extend_from_slice(frame));
            let mut file = File::create(&beside)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&beside, &self.path)?;
            let file = OpenOptions::new().read(true).append(true).open(&self.path)?;
            // The lock goes with the file that was replaced.
            let _ = file.try_lock();
            Ok(file)
        };
        self.file = write().map_err(|error| self.failed(error))?;
        Ok(())
    }

    fn failed(&self, error: io::Error) -> DataError {
        DataError::Io { path: self.path.clone(), error }
    }
}
