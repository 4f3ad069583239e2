//! What a store keeps beside games: findings of measurements, and the commands that wrote into it.

use super::{Damage, Store, StoreError};
use crate::task::Key;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::de::DeserializeOwned;
use std::collections::HashSet;

/// A command that wrote into a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunNote {
    /// The command line.
    pub command: String,
    /// The program that ran it.
    pub build: String,
}

impl Store {
    /// Notes the command line that is about to write into the store. One that is there already is
    /// left as it is.
    pub fn note_run(&mut self, run: &RunNote) -> Result<(), StoreError> {
        self.put_run(run)
    }

    pub(super) fn put_run(&self, run: &RunNote) -> Result<(), StoreError> {
        let insert = "INSERT OR IGNORE INTO runs (command, build) VALUES (?1, ?2)";
        let noted = self.connection.execute(insert, [&run.command, &run.build]);
        noted.map(drop).map_err(|error| self.failed(error))
    }

    /// The commands that wrote into the store, the first first.
    pub fn runs(&self) -> Result<Vec<RunNote>, StoreError> {
        self.list("SELECT command, build FROM runs ORDER BY id", |row| {
            Ok(RunNote { command: row.get(0)?, build: row.get(1)? })
        })
    }

    /// The findings of a measurement as they were kept, if it was made. What cannot be read was not
    /// made: it is to be made again, and kept in its place.
    pub fn findings<T: DeserializeOwned>(&self, key: &Key) -> Result<Option<T>, StoreError> {
        let query = "SELECT findings FROM probes WHERE key = ?1";
        let found = self.connection.query_row(query, [&key.0[..]], |row| row.get::<_, String>(0));
        match found.optional() {
            Ok(text) => Ok(text.and_then(|text| serde_json::from_str(&text).ok())),
            Err(error) => match Damage::of_row(key.to_string(), error) {
                Ok(_) => Ok(None),
                Err(error) => Err(self.failed(error)),
            },
        }
    }

    /// The keys of all findings.
    pub fn finding_keys(&self) -> Result<HashSet<Key>, StoreError> {
        let keys = self.list("SELECT key FROM probes", |row| row.get::<_, Vec<u8>>(0))?;
        Ok(keys.into_iter().filter_map(|key| Some(Key(key.try_into().ok()?))).collect())
    }

    /// Keys, measurements and findings of those whose measurement has that word in it.
    pub(crate) fn all_findings(
        &self,
        word: &str,
    ) -> Result<Vec<(Key, String, String)>, StoreError> {
        const QUERY: &str =
            "SELECT key, probe, findings FROM probes WHERE instr(probe, ?1) > 0 ORDER BY key";
        let read = |row: &Row<'_>| Ok((Key(row.get(0)?), row.get(1)?, row.get(2)?));
        let found: rusqlite::Result<_> = (|| {
            let mut query = self.connection.prepare_cached(QUERY)?;
            query.query_map([word], read)?.collect()
        })();
        found.map_err(|error| self.failed(error))
    }

    /// Keeps the findings of a measurement, with the measurement itself in words, in place of what
    /// was there.
    pub fn keep_findings(
        &mut self,
        key: &Key,
        probe: &str,
        findings: &str,
    ) -> Result<(), StoreError> {
        put_findings(&self.connection, key, probe, findings).map_err(|error| self.failed(error))
    }

    /// How many steps a task's game has, its opening included, if it has been played.
    pub fn plies(&self, key: &Key) -> Result<Option<u64>, StoreError> {
        let found = (|| {
            let mut query =
                self.connection.prepare_cached("SELECT plies FROM games WHERE key = ?1")?;
            query.query_row([&key.0[..]], |row| row.get::<_, i64>(0)).optional()
        })();
        found.map(|plies| plies.map(|plies| plies as u64)).map_err(|error| self.failed(error))
    }
}

/// As [`Store::keep_findings`].
pub(super) fn put_findings(
    connection: &Connection,
    key: &Key,
    probe: &str,
    findings: &str,
) -> rusqlite::Result<()> {
    const INSERT: &str =
        "INSERT OR REPLACE INTO probes (key, probe, findings, digest) VALUES (?1, ?2, ?3, ?4)";
    let digest = findings_digest(key, probe, findings);
    connection.prepare_cached(INSERT)?.execute(params![&key.0[..], probe, findings, digest])?;
    Ok(())
}

/// What tells damaged findings from those that were kept.
pub(super) fn findings_digest(key: &Key, probe: &str, findings: &str) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&key.0);
    for text in [probe, findings] {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    let mut digest = [0; 16];
    hasher.finalize_xof().fill(&mut digest);
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_kept_once() {
        let mut store = Store::memory().unwrap();
        let run = RunNote { command: "match a b".to_owned(), build: "1".to_owned() };
        store.note_run(&run).unwrap();
        store.note_run(&run).unwrap();
        assert_eq!(store.runs().unwrap(), [run]);
        let key = Key([7; 32]);
        let found = |store: &Store| store.findings::<u64>(&key).unwrap();
        assert_eq!(found(&store), None);
        store.keep_findings(&key, "probe", "7").unwrap();
        assert_eq!(found(&store), Some(7));
        assert_eq!(store.plies(&key).unwrap(), None);
    }

    #[test]
    fn findings_that_cannot_be_read_are_kept_anew() {
        let mut store = Store::memory().unwrap();
        let key = Key([7; 32]);
        for damage in ["'{'", "x'ff'", "'\"seven\"'"] {
            store.keep_findings(&key, "probe", "7").unwrap();
            store
                .connection
                .execute_batch(&format!("UPDATE probes SET findings = {damage}"))
                .unwrap();
            assert_eq!(store.findings::<u64>(&key).unwrap(), None, "{damage}");
            store.keep_findings(&key, "probe", "8").unwrap();
            assert_eq!(store.findings(&key).unwrap(), Some(8));
        }
    }
}
