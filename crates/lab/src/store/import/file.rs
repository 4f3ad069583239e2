//! A file that is to be taken in, and whether it is sound.

use super::{ImportError, timeless};
use crate::store::notes::findings_digest;
use crate::store::{Store, StoreError, has_log, schema};
use crate::task::Key;
use rusqlite::Row;
use rusqlite::types::FromSql;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A file that can be taken in: it is a store, of a format that is known, and not damaged.
#[derive(Debug)]
pub struct ImportFile {
    pub(super) store: Store,
    pub(super) has_digests: bool,
    rows: u64,
}

impl ImportFile {
    /// Opens and checks a file.
    pub fn open(path: &Path) -> Result<ImportFile, ImportError> {
        if !path.is_file() {
            return Err(ImportError::NoFile(path.to_owned()));
        }
        let broken = |problem| ImportError::Broken { path: path.to_owned(), problem };
        schema::check_file(path).map_err(ImportError::File)?;
        check_length(path).map_err(broken)?;
        let store = Store::read(path).map_err(|error| match error {
            StoreError::Database { error, .. } => broken(error.to_string()),
            StoreError::Missing(_) => broken("it is empty".to_owned()),
            error => ImportError::File(error),
        })?;
        let checked: rusqlite::Result<_> = (|| {
            // As SQLite advises for files of others.
            const CAREFUL: &str = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;";
            store.connection.execute_batch(CAREFUL)?;
            // What is read from here on is of one moment, even if somebody writes into the file.
            store.connection.execute_batch("BEGIN")?;
            let found: String =
                store.connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
            const ROWS: &str =
                "SELECT (SELECT count(*) FROM games) + (SELECT count(*) FROM probes)";
            let rows: i64 = store.connection.query_row(ROWS, [], |row| row.get(0))?;
            Ok((found, rows as u64, schema::has_digests(&store.connection)?))
        })();
        match checked {
            Ok((found, rows, has_digests)) if found == "ok" => {
                Ok(ImportFile { store, has_digests, rows })
            }
            Ok((found, ..)) => Err(broken(found)),
            Err(error) => Err(broken(error.to_string())),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.store.path
    }

    /// How many games and findings it holds.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn broken(&self, problem: impl ToString) -> ImportError {
        ImportError::Broken { path: self.store.path.clone(), problem: problem.to_string() }
    }
}

/// Says what is wrong with the length of a file. What is not there yet may stand in a side file.
fn check_length(path: &Path) -> Result<(), String> {
    const HEADER: usize = 100;
    let number =
        |bytes: &[u8]| bytes.iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    let mut header = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    file.take(HEADER as u64).read_to_end(&mut header).map_err(|error| error.to_string())?;
    if header.len() < HEADER {
        return Err(format!("it has {length} bytes, which is too few for a store"));
    }
    let page = match number(&header[16..18]) {
        1 => 65_536,
        size => size,
    };
    let whole = page * number(&header[28..32]);
    if has_log(path) || length == whole {
        return Ok(());
    }
    Err(format!("it has {length} bytes in place of {whole}"))
}

/// Findings as a file has them.
pub(super) struct FindingsRow {
    pub(super) key: Key,
    pub(super) probe: String,
    pub(super) findings: String,
}

impl FindingsRow {
    pub(super) fn read(row: &Row<'_>) -> Result<FindingsRow, String> {
        fn column<T: FromSql>(row: &Row<'_>, at: usize) -> Result<T, String> {
            row.get(at).map_err(|error| error.to_string())
        }
        let key: Vec<u8> = column(row, 0)?;
        let key = Key(key.try_into().map_err(|_| "the key of a measurement has not 32 bytes")?);
        let (probe, findings): (String, String) = (column(row, 1)?, column(row, 2)?);
        let digest: Option<Vec<u8>> = column(row, 3)?;
        if digest.is_some_and(|digest| digest != findings_digest(&key, &probe, &findings)) {
            return Err(format!("the measurement {key} is not what was written"));
        }
        if timeless(&findings).is_none() {
            return Err(format!("the findings of the measurement {key} are no JSON"));
        }
        Ok(FindingsRow { key, probe, findings })
    }
}
