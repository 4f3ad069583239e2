//! The one file that holds every finished game.
//!
//! It is an SQLite database in write-ahead mode. A finished game is one transaction, so a process
//! that is killed loses no finished game and leaves no half of one. What tables are made of stands
//! in columns; the record of a game with its moves is compressed JSON beside it, read only when the
//! game itself is wanted. A run holds a lock on a side file, so that there is one writer; readers
//! need no lock.

mod browse;
mod damage;
mod import;
mod notes;
mod schema;
mod shard;
mod stints;
mod void;

pub use browse::GameLine;
pub use damage::{Damage, left_out};
pub use import::{ImportError, ImportFile, Imported, Merged};
pub use notes::RunNote;
pub use shard::Due;
pub use stints::{OpenStint, Stint};

use crate::record::{GameRecord, GameResult, Reason};
use crate::shard::Shard;
use crate::task::Key;
use monteverde_game::Side;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use serde::de::DeserializeOwned;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// Held until the store is closed; the system gives it up when the process ends, however it
    /// ends.
    _lock: Option<File>,
}

/// What tables need of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredGame {
    /// The number that both games of a pair share.
    pub pair: u64,
    /// Who moved first, as in [`Store::entrants`].
    pub first: i64,
    /// Who moved second.
    pub second: i64,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub reason: Reason,
}

/// A contestant of the store's games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Its number in [`StoredGame`].
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its canonical text, [`crate::contestant::Contestant::text`].
    pub text: String,
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("there is no store at '{}'; a match or tournament with --store makes one", .0.display())]
    Missing(PathBuf),
    /// The file is something else.
    #[error("'{}' is no store of games: it is not an SQLite file", .0.display())]
    NotSqlite(PathBuf),
    /// The file is a database of another program.
    #[error("'{}' is no store of games: it is an SQLite file of another program", .0.display())]
    Foreign(PathBuf),
    /// The file comes from a later version.
    #[error(
        "the store '{}' has the format {found}, but this program knows formats up to {known}; use a newer \
         program", path.display()
    )]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// Another run writes into the store.
    #[error(
        "another run is writing into '{}'; wait for it to end, or give this one a store of its own",
        .0.display()
    )]
    InUse(PathBuf),
    /// The file is no shard.
    #[error(
        "'{}' is a store and no shard; --out takes a file that is not there yet, or the one that the same \
         command has begun", .0.display()
    )]
    NotShard(PathBuf),
    /// The file is another shard.
    #[error("'{}' holds shard {found}, not shard {wanted}; give each shard a file of its own", path.display())]
    OtherShard {
        /// The file.
        path: PathBuf,
        /// What it holds.
        found: Shard,
        /// What it was to hold.
        wanted: Shard,
    },
    /// The system refuses.
    #[error("the store '{}' cannot be used: {error}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The database refuses.
    #[error("the store '{}' cannot be used: {error}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        error: rusqlite::Error,
    },
    /// A record cannot be read.
    #[error("the store '{}' holds a damaged record of the game {key}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The key of the game.
        key: String,
        /// What is wrong.
        problem: String,
    },
}

/// What becomes of a game that is there when it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GameInPlace {
    Kept,
    Replaced,
}

/// Where a store is that is no file.
const MEMORY: &str = ":memory:";

/// A record is compressed this much: the library's own default.
const COMPRESSION: i32 = 3;

/// A record that unpacks to more than this is damaged.
const LONGEST_RECORD: usize = 1 << 28;

impl Store {
    /// Opens a store to write games into it, and makes it if it is not there.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        schema::check_file(path)?;
        let lock = lock(path)?;
        let failed = |error| StoreError::Database { path: path.to_owned(), error };
        let connection = Connection::open(path).map_err(failed)?;
        let store = Store { connection, path: path.to_owned(), _lock: Some(lock) };
        schema::prepare(&store)?;
        Ok(store)
    }

    /// Opens a store that is there, to read it. Works while a run writes into it.
    pub fn read(path: &Path) -> Result<Store, StoreError> {
        // A run that makes a store begins with an empty file.
        if !path.exists() || path.metadata().is_ok_and(|data| data.len() == 0) {
            return Err(StoreError::Missing(path.to_owned()));
        }
        schema::check_file(path)?;
        match Store::reader(path, path.as_os_str(), OpenFlags::empty()) {
            Err(StoreError::Database { error, .. }) if is_refused(&error) && !has_log(path) => {
                Store::reader(path, &unchanging(path), OpenFlags::SQLITE_OPEN_URI)
            }
            opened => opened,
        }
    }

    /// Opens the store at `path`, which SQLite is to know by `name`.
    fn reader(path: &Path, name: &OsStr, more: OpenFlags) -> Result<Store, StoreError> {
        let failed = |error| StoreError::Database { path: path.to_owned(), error };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | more;
        let connection = Connection::open_with_flags(name, flags).map_err(failed)?;
        let store = Store { connection, path: path.to_owned(), _lock: None };
        schema::check(&store)?;
        Ok(store)
    }

    /// A store in memory, gone when it is dropped.
    pub fn memory() -> Result<Store, StoreError> {
        let path = PathBuf::from(MEMORY);
        let connection = Connection::open_in_memory()
            .map_err(|error| StoreError::Database { path: path.clone(), error })?;
        let store = Store { connection, path, _lock: None };
        schema::prepare(&store)?;
        Ok(store)
    }

    /// Whether it is a file, which stays when it is closed.
    pub fn is_kept(&self) -> bool {
        self.path != Path::new(MEMORY)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How a task's game ended, if it has been played; a void one is to be played again.
    pub fn result(&self, key: &Key) -> Result<Option<(GameResult, Reason)>, StoreError> {
        const QUERY: &str = "SELECT first_points, reason FROM games WHERE key = ?1";
        let found = (|| {
            let mut query = self.connection.prepare_cached(QUERY)?;
            query.query_row([&key.0[..]], |row| ending(row, 0)).optional()
        })();
        found.map_err(|error| match Damage::of_row(key.to_string(), error) {
            Ok(damage) => self.damaged(damage),
            Err(error) => self.failed(error),
        })
    }

    /// Writes a finished game. A game that is there already is left as it is, unless it is void.
    pub fn insert(&mut self, key: &Key, record: &GameRecord) -> Result<(), StoreError> {
        self.write(&[], key, record, GameInPlace::Kept)
    }

    /// As [`Store::insert`], in place of the void games of some other keys.
    pub fn insert_over(
        &mut self,
        void: &[Key],
        key: &Key,
        record: &GameRecord,
    ) -> Result<(), StoreError> {
        self.write(void, key, record, GameInPlace::Kept)
    }

    /// The same in place of what is there, which cannot be read.
    pub fn replace(
        &mut self,
        void: &[Key],
        key: &Key,
        record: &GameRecord,
    ) -> Result<(), StoreError> {
        self.write(void, key, record, GameInPlace::Replaced)
    }

    fn write(
        &mut self,
        void: &[Key],
        key: &Key,
        record: &GameRecord,
        known: GameInPlace,
    ) -> Result<(), StoreError> {
        let written = (|| {
            let transaction = self.connection.transaction()?;
            for key in void {
                void::remove(&transaction, key)?;
            }
            put(&transaction, key, record, known)?;
            transaction.commit()
        })();
        written.map_err(|error| self.failed(error))
    }

    /// How many games there are, of one game or of all.
    pub fn count(&self, game: Option<&str>) -> Result<u64, StoreError> {
        const QUERY: &str = "SELECT count(*) FROM games WHERE ?1 IS NULL OR game = ?1";
        let count = self.connection.query_row(QUERY, [game], |row| row.get::<_, i64>(0));
        count.map(|count| count as u64).map_err(|error| self.failed(error))
    }

    /// The names of the games that were played, in alphabetical order.
    pub fn games(&self) -> Result<Vec<String>, StoreError> {
        self.list("SELECT DISTINCT game FROM games ORDER BY game", |row| row.get(0))
    }

    /// Everyone who has played, in the order of their first games.
    pub fn entrants(&self) -> Result<Vec<Entrant>, StoreError> {
        self.list("SELECT id, name, text FROM contestants ORDER BY id", |row| {
            Ok(Entrant { id: row.get(0)?, name: row.get(1)?, text: row.get(2)? })
        })
    }

    /// Everyone who has played that game, in an order that does not depend on which game ended
    /// first: by name, then by text.
    pub fn entrants_of(&self, game: &str) -> Result<Vec<Entrant>, StoreError> {
        const QUERY: &str = "SELECT id, name, text FROM contestants WHERE id IN
             (SELECT first FROM games WHERE game = ?1 UNION SELECT second FROM games WHERE game = ?1)
             ORDER BY name, text";
        let read =
            |row: &Row<'_>| Ok(Entrant { id: row.get(0)?, name: row.get(1)?, text: row.get(2)? });
        let listed: rusqlite::Result<_> = (|| {
            let mut query = self.connection.prepare_cached(QUERY)?;
            query.query_map([game], read)?.collect()
        })();
        listed.map_err(|error| self.failed(error))
    }

    /// Shows what tables need of every game of that name, in the order in which they ended. Those
    /// that cannot be read are left out, and given back.
    pub fn entries(
        &self,
        game: &str,
        mut each: impl FnMut(StoredGame),
    ) -> Result<Vec<Damage>, StoreError> {
        let read = |row: &Row<'_>| {
            let (result, reason) = ending(row, 0)?;
            let pair = row.get::<_, i64>(2)? as u64;
            Ok(StoredGame { pair, first: row.get(3)?, second: row.get(4)?, result, reason })
        };
        let shown: rusqlite::Result<_> = (|| {
            let mut damaged = Vec::new();
            let mut query = self.connection.prepare_cached(
                "SELECT first_points, reason, pair, one.id, two.id, lower(hex(key)) FROM games
                 LEFT JOIN contestants one ON one.id = first
                 LEFT JOIN contestants two ON two.id = second
                 WHERE game = ?1 ORDER BY games.id",
            )?;
            let mut rows = query.query([game])?;
            while let Some(row) = rows.next()? {
                match read(row) {
                    Ok(entry) => each(entry),
                    Err(error) => damaged.push(Damage::of_row(row.get(5)?, error)?),
                }
            }
            Ok(damaged)
        })();
        shown.map_err(|error| self.failed(error))
    }

    /// Shows the record of every game, of one name or of all, in the order in which they ended,
    /// until `each` fails. Those that cannot be read are left out, and given back.
    pub fn records<E: From<StoreError>>(
        &self,
        game: Option<&str>,
        mut each: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<Vec<Damage>, E> {
        let mut damaged = Vec::new();
        let mut last = i64::MIN;
        loop {
            let some = self.some_keys(game, last).map_err(|error| E::from(self.failed(error)))?;
            // In a damaged file numbers need not ascend, and the same games might come for ever.
            if some.iter().all(|(id, _)| *id <= last) {
                return Ok(damaged);
            }
            for (id, key) in some {
                if id <= last {
                    damaged.push(Damage { key, problem: "it is not in its place".to_owned() });
                    continue;
                }
                last = id;
                match self.body(id, key)? {
                    Ok(record) => each(record)?,
                    Err(damage) => damaged.push(damage),
                }
            }
        }
    }

    /// The numbers and keys of the next games after that number.
    fn some_keys(&self, game: Option<&str>, after: i64) -> rusqlite::Result<Vec<(i64, String)>> {
        const QUERY: &str = "SELECT id, lower(hex(key)) FROM games
             WHERE id > ?1 AND (?2 IS NULL OR game = ?2) ORDER BY id LIMIT 1000";
        let mut query = self.connection.prepare_cached(QUERY)?;
        query.query_map(params![after, game], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }

    /// The record of the game of that number and key. Each is asked for alone, so that a damaged
    /// page of the file costs the games that are on it.
    fn body(&self, id: i64, key: String) -> Result<Result<GameRecord, Damage>, StoreError> {
        const QUERY: &str = "SELECT body FROM records WHERE id = ?1";
        let found = (|| {
            let mut query = self.connection.prepare_cached(QUERY)?;
            query.query_row([id], |row| row.get::<_, Vec<u8>>(0)).optional()
        })();
        match found {
            Ok(Some(body)) => Ok(unpack(&body).map_err(|problem| Damage { key, problem })),
            Ok(None) => Ok(Err(Damage { key, problem: "its moves are missing".to_owned() })),
            Err(error) => Damage::of_row(key, error).map(Err).map_err(|error| self.failed(error)),
        }
    }

    fn list<T>(
        &self,
        query: &str,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let listed: rusqlite::Result<_> = (|| {
            let mut query = self.connection.prepare_cached(query)?;
            query.query_map([], |row| read(row))?.collect()
        })();
        listed.map_err(|error| self.failed(error))
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::Database { path: self.path.clone(), error }
    }

    fn damaged(&self, Damage { key, problem }: Damage) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), key, problem }
    }
}

/// Writes a game, in place of a void one of that key.
fn put(
    connection: &Connection,
    key: &Key,
    record: &GameRecord,
    known: GameInPlace,
) -> rusqlite::Result<()> {
    void::remove(connection, key)?;
    if known == GameInPlace::Replaced {
        const RECORD: &str =
            "DELETE FROM records WHERE id IN (SELECT id FROM games WHERE key = ?1)";
        connection.execute(RECORD, [&key.0[..]])?;
        connection.execute("DELETE FROM games WHERE key = ?1", [&key.0[..]])?;
    }
    let first = entrant_id(connection, &record.first, &record.contestants[0])?;
    let second = entrant_id(connection, &record.second, &record.contestants[1])?;
    let inserted = connection
        .prepare_cached(
            "INSERT OR IGNORE INTO games
             (key, game, first, second, pair, first_points, reason, plies, started, seconds)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            &key.0[..],
            record.game,
            first,
            second,
            record.pair as i64,
            record.result.half_points(Side::First) as i64,
            record.reason.to_string(),
            record.moves.len() as i64,
            record.started as i64,
            record.seconds,
        ])?;
    if inserted > 0 {
        let id = connection.last_insert_rowid();
        connection
            .prepare_cached("INSERT INTO records (id, body) VALUES (?1, ?2)")?
            .execute(params![id, pack(record)])?;
    }
    Ok(())
}

/// Locks the side file, which stays where it is: removing it would let two runs lock different
/// files.
fn lock(path: &Path) -> Result<File, StoreError> {
    let mut side = path.as_os_str().to_owned();
    side.push("-lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&side);
    let failed = |error| StoreError::System { path: path.to_owned(), error };
    let file = file.map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Whether SQLite could not make the side files of write-ahead mode, which readers need as well.
fn is_refused(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, ReadOnly};
    matches!(error.sqlite_error_code(), Some(CannotOpen | ReadOnly))
}

/// Whether games may stand in the side file only.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(&log).is_ok_and(|log| log.len() > 0)
}

/// The name by which SQLite opens a file that nobody changes, without side files: for folders in
/// which nothing can be written.
fn unchanging(path: &Path) -> OsString {
    let absolute = std::path::absolute(path).unwrap_or(path.to_owned());
    let text = absolute.to_string_lossy().replace('%', "%25").replace('?', "%3f");
    format!("file:{}?immutable=1", text.replace('#', "%23")).into()
}

/// The number of a contestant, which is added if it is new.
fn entrant_id(connection: &Connection, name: &str, text: &str) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO contestants (name, text) VALUES (?1, ?2)")?
        .execute([name, text])?;
    connection
        .prepare_cached("SELECT id FROM contestants WHERE text = ?1")?
        .query_row([text], |row| row.get(0))
}

/// Reads the first side's half points and the reason, from column `at` on.
fn ending(row: &Row<'_>, at: usize) -> rusqlite::Result<(GameResult, Reason)> {
    let result = match row.get::<_, i64>(at)? {
        2 => GameResult::First,
        1 => GameResult::Draw,
        0 => GameResult::Second,
        other => return Err(rusqlite::Error::IntegralValueOutOfRange(at, other)),
    };
    Ok((result, Reason::from(row.get::<_, String>(at + 1)?)))
}

fn pack(record: &GameRecord) -> Vec<u8> {
    let json = serde_json::to_vec(record).expect("a record is plain data");
    let packed = (|| {
        let mut compressor = zstd::bulk::Compressor::new(COMPRESSION)?;
        // Four bytes by which a record that was damaged on its way is told from a sound one.
        compressor.include_checksum(true)?;
        compressor.compress(&json)
    })();
    packed.expect("memory can be compressed")
}

fn unpack<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    let json = zstd::bulk::decompress(body, LONGEST_RECORD).map_err(|error| error.to_string())?;
    serde_json::from_slice(&json).map_err(|error| error.to_string())
}

#[cfg(test)]
pub(crate) mod tests;
