//! The file of a shard: a store that also says which shard it is and what it is to hold, so that
//! whoever imports it can tell what is missing.

use super::{Store, StoreError};
use crate::shard::Shard;
use crate::task::Key;
use rusqlite::OptionalExtension;
use std::path::Path;

/// What a shard was to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// Its pieces: games, answers, measurements.
    pub pieces: u64,
    /// How many of them are not there.
    pub missing: u64,
}

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS shard (number INTEGER NOT NULL, count INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS due (key BLOB PRIMARY KEY) WITHOUT ROWID;";

/// Pages that the side file of a shard may grow to before its content goes into the file itself:
/// few, so that a file that is copied without its side file after a kill lacks little.
const PAGES_BEHIND: i64 = 64;

impl Store {
    /// Opens the file of a shard to write into it, and makes it if it is not there. What the shard
    /// is to do is yet to be noted.
    pub fn open_shard(path: &Path, wanted: Shard) -> Result<Store, StoreError> {
        let store = Store::open(path)?;
        match store.shard()? {
            Some(found) if found != wanted => {
                return Err(StoreError::OtherShard { path: path.to_owned(), found, wanted });
            }
            Some(_) => {}
            None if store.is_blank()? => {
                let (number, count) = (wanted.number(), wanted.count());
                let note = format!("INSERT INTO shard VALUES ({number}, {count})");
                store.batch(&format!("BEGIN IMMEDIATE; {TABLES} {note}; COMMIT;"))?;
            }
            None => return Err(StoreError::NotShard(path.to_owned())),
        }
        store.mode("wal")?;
        store.batch(&format!("DELETE FROM due; PRAGMA wal_autocheckpoint = {PAGES_BEHIND};"))?;
        Ok(store)
    }

    /// Brings everything from side files into the file itself, which is then read without them: on
    /// its own it can be copied, and be read where nothing can be written.
    pub fn seal(&self) -> Result<(), StoreError> {
        self.mode("delete")
    }

    fn mode(&self, mode: &str) -> Result<(), StoreError> {
        let set = self.connection.pragma_update_and_check(None, "journal_mode", mode, |_| Ok(()));
        set.map_err(|error| self.failed(error))
    }

    /// The shard that the file holds, if it is one.
    pub fn shard(&self) -> Result<Option<Shard>, StoreError> {
        if !self.has_table("shard")? {
            return Ok(None);
        }
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?));
        let found = self.connection.query_row("SELECT number, count FROM shard", [], read);
        let found = found.optional().map_err(|error| self.failed(error))?;
        Ok(found.and_then(|(number, count)| Shard::new(number, count)))
    }

    /// Notes what the shard is to hold, in addition to what was noted before, and gives the number
    /// of those keys.
    pub(crate) fn note_due(
        &mut self,
        keys: impl IntoIterator<Item = Key>,
    ) -> Result<u64, StoreError> {
        let noted: rusqlite::Result<u64> = (|| {
            let transaction = self.connection.transaction()?;
            transaction.execute_batch(TABLES)?;
            let mut count = 0;
            {
                let mut insert =
                    transaction.prepare_cached("INSERT OR IGNORE INTO due (key) VALUES (?1)")?;
                for key in keys {
                    count += insert.execute([&key.0[..]])? as u64;
                }
            }
            transaction.commit()?;
            Ok(count)
        })();
        noted.map_err(|error| self.failed(error))
    }

    /// What the shard was to do and has not done; `None` in a file that does not say.
    pub fn due(&self) -> Result<Option<Due>, StoreError> {
        if !self.has_table("due")? {
            return Ok(None);
        }
        const QUERY: &str = "SELECT count(*), count(*) FILTER (WHERE
             NOT EXISTS (SELECT 1 FROM games WHERE games.key = due.key) AND
             NOT EXISTS (SELECT 1 FROM probes WHERE probes.key = due.key)) FROM due";
        let read = |row: &rusqlite::Row<'_>| {
            let number = |at| row.get::<_, i64>(at).map(|number| number as u64);
            Ok(Due { pieces: number(0)?, missing: number(1)? })
        };
        let due = self.connection.query_row(QUERY, [], read);
        let due = due.map_err(|error| self.failed(error))?;
        Ok(Some(due).filter(|due| due.pieces > 0))
    }

    fn is_blank(&self) -> Result<bool, StoreError> {
        const QUERY: &str = "SELECT (SELECT count(*) FROM games) + (SELECT count(*) FROM probes)
             + (SELECT count(*) FROM runs)";
        let rows = self.connection.query_row(QUERY, [], |row| row.get::<_, i64>(0));
        rows.map(|rows| rows == 0).map_err(|error| self.failed(error))
    }

    pub(super) fn has_table(&self, name: &str) -> Result<bool, StoreError> {
        const QUERY: &str = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1";
        let found = self.connection.query_row(QUERY, [name], |row| row.get::<_, i64>(0));
        found.map(|found| found > 0).map_err(|error| self.failed(error))
    }

    pub(super) fn batch(&self, statements: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(statements).map_err(|error| self.failed(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameResult;
    use crate::store::tests::{key, record};

    #[test]
    fn a_file_holds_one_shard_and_knows_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mvs");
        let shard = Shard::new(2, 3).unwrap();
        let mut store = Store::open_shard(&path, shard).unwrap();
        assert_eq!((store.shard().unwrap(), store.due().unwrap()), (Some(shard), None));
        assert_eq!(store.note_due([key(1), key(2)]).unwrap(), 2);
        assert_eq!(store.note_due([key(2), key(3)]).unwrap(), 1);
        store.insert(&key(1), &record(1, GameResult::Draw)).unwrap();
        store.keep_findings(&key(3), "probe", "7").unwrap();
        assert_eq!(store.due().unwrap(), Some(Due { pieces: 3, missing: 1 }));
        store.seal().unwrap();
        drop(store);
        Store::read(&path).unwrap().count(None).unwrap();
        let mut names: Vec<_> =
            folder.path().read_dir().unwrap().map(|file| file.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["a.mvs", "a.mvs-lock"], "one file, even after it was read");
        let error = Store::open_shard(&path, Shard::new(1, 3).unwrap()).unwrap_err().to_string();
        assert!(error.contains("holds shard 2/3, not shard 1/3"), "{error}");
        // The same command goes on with it, and says again what it is to do.
        let store = Store::open_shard(&path, shard).unwrap();
        assert_eq!((store.count(None).unwrap(), store.due().unwrap()), (1, None));

        let path = folder.path().join("b.db");
        Store::open(&path).unwrap().insert(&key(1), &record(1, GameResult::Draw)).unwrap();
        let error = Store::open_shard(&path, shard).unwrap_err().to_string();
        assert!(error.contains("is a store and no shard"), "{error}");
    }
}
