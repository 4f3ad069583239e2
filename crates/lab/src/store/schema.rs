//! The tables of a store, and how a store is told from other files.

use super::{Store, StoreError};
use rusqlite::Connection;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The number in the file's header that says whose database it is: `MVLB`.
const APPLICATION: i64 = 0x4d56_4c42;

/// The format that this program writes.
pub(super) const FORMAT: i64 = 1;

const TABLES: &str = "
    CREATE TABLE contestants (
        id INTEGER PRIMARY KEY,
        text TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL
    );
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        key BLOB NOT NULL UNIQUE,
        game TEXT NOT NULL,
        first INTEGER NOT NULL REFERENCES contestants (id),
        second INTEGER NOT NULL REFERENCES contestants (id),
        pair INTEGER NOT NULL,
        first_points INTEGER NOT NULL, -- half points
        reason TEXT NOT NULL,
        plies INTEGER NOT NULL,
        started INTEGER NOT NULL, -- milliseconds since 1970
        seconds REAL NOT NULL
    );
    CREATE TABLE records (
        id INTEGER PRIMARY KEY REFERENCES games (id),
        body BLOB NOT NULL -- JSON, compressed by zstd
    );
    CREATE TABLE probes (
        key BLOB PRIMARY KEY,
        probe TEXT NOT NULL, -- JSON
        findings TEXT NOT NULL, -- JSON
        digest BLOB -- of the other three, where the program that wrote them knew it
    );
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        command TEXT NOT NULL,
        build TEXT NOT NULL,
        UNIQUE (command, build)
    );";

/// How long a reader or writer waits for the other.
const WAIT: Duration = Duration::from_secs(10);

/// Refuses a file that is neither missing, nor empty, nor SQLite.
pub(super) fn check_file(path: &Path) -> Result<(), StoreError> {
    const MAGIC: &[u8; 16] = b"SQLite format 3\0";
    let failed = |error| StoreError::System { path: path.to_owned(), error };
    if !path.exists() {
        return Ok(());
    }
    let mut head = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MAGIC.len() as u64).read_to_end(&mut head).map_err(failed)?;
    if head.is_empty() || head == MAGIC {
        Ok(())
    } else {
        Err(StoreError::NotSqlite(path.to_owned()))
    }
}

/// Makes the tables in a new file, and refuses a file of another kind.
pub(super) fn prepare(store: &Store) -> Result<(), StoreError> {
    let failed = |error| store.failed(error);
    let connection = &store.connection;
    connection.busy_timeout(WAIT).map_err(failed)?;
    let tables = "SELECT count(*) FROM sqlite_schema";
    if connection.query_row(tables, [], |row| row.get::<_, i64>(0)).map_err(failed)? == 0 {
        // At once, so that a reader sees an empty file or a store.
        let make = format!(
            "BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {APPLICATION};
             PRAGMA user_version = {FORMAT}; COMMIT;"
        );
        connection.execute_batch(&make).map_err(failed)?;
        // Without waiting for the disk after each game: what is written survives the end of this
        // process, and the file stays whole even if the system itself goes down.
        connection.pragma_update(None, "journal_mode", "wal").map_err(failed)?;
    }
    connection.pragma_update(None, "synchronous", "normal").map_err(failed)?;
    check(store)?;
    // A store of an older program, which goes on reading it.
    if !has_digests(connection).map_err(failed)? {
        connection.execute_batch("ALTER TABLE probes ADD COLUMN digest BLOB").map_err(failed)?;
    }
    Ok(())
}

/// Whether findings have digests; a store of an older program has none before it is written into.
pub(super) fn has_digests(connection: &Connection) -> rusqlite::Result<bool> {
    const QUERY: &str = "SELECT count(*) FROM pragma_table_info('probes') WHERE name = 'digest'";
    connection.query_row(QUERY, [], |row| row.get::<_, i64>(0)).map(|found| found > 0)
}

/// Refuses a file of another program or a later version.
pub(super) fn check(store: &Store) -> Result<(), StoreError> {
    let failed = |error| store.failed(error);
    let connection = &store.connection;
    connection.busy_timeout(WAIT).map_err(failed)?;
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if pragma("application_id").map_err(failed)? != APPLICATION {
        return Err(StoreError::Foreign(store.path.clone()));
    }
    let found = pragma("user_version").map_err(failed)?;
    if found > FORMAT {
        return Err(StoreError::TooNew { path: store.path.clone(), found, known: FORMAT });
    }
    Ok(())
}
