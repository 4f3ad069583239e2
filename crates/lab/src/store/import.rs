//! Files of shards, and other stores, put into a store.
//!
//! A file is taken in whole or not at all: it is checked first, and then one transaction. Taking it
//! in again, or files in another order, leaves the same games and findings: what two files both
//! hold is compared without the times that clocks have said, and the earlier of two records is
//! kept.

mod error;
mod file;

pub use error::ImportError;
pub use file::ImportFile;

use super::notes::put_findings;
use super::{Damage, Due, GameInPlace, Store, StoreError, put, void};
use crate::digest::GameDigest;
use crate::record::{Failure, GameRecord};
use crate::shard::Shard;
use crate::task::Key;
use file::FindingsRow;
use rusqlite::{OptionalExtension, Row};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// What was taken in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// The shard that the file holds, if it is one.
    pub shard: Option<Shard>,
    /// Games that count.
    pub games: Merged,
    /// Void games of the file; those whose tasks have been played are left out.
    pub void: u64,
    /// Void games of the store that games of the file took the place of.
    pub replaced: u64,
    /// Findings of measurements, and answers to questions.
    pub findings: Merged,
    /// What the shard was to hold, if the file says it.
    pub due: Option<Due>,
}

/// How many there were.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Not in the store before.
    pub new: u64,
    /// In the store already.
    pub known: u64,
}

impl Store {
    /// Takes in a file: what the store does not hold yet. `progress` is told now and then how many
    /// games and findings have been looked at.
    pub fn import(
        &mut self,
        file: &ImportFile,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Imported, ImportError> {
        let place = |path: &Path| path.canonicalize().ok();
        if place(&self.path).is_some_and(|own| Some(own) == place(file.path())) {
            return Err(ImportError::Itself(file.path().to_owned()));
        }
        let transaction =
            self.connection.unchecked_transaction().map_err(|error| self.failed(error))?;
        let shard = file.store.shard().map_err(|error| file.broken(error))?;
        let due = file.store.due().map_err(|error| file.broken(error))?;
        let imported = Imported { shard, due, ..Imported::default() };
        let mut merge = Merge::new(self, file, imported)?;
        merge.games(progress)?;
        merge.findings(progress)?;
        merge.runs()?;
        merge.stints()?;
        let imported = merge.imported;
        transaction.commit().map_err(|error| self.failed(error))?;
        Ok(imported)
    }
}

/// What tells tasks apart where one game may be void: a void game has another key than a good one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Slot {
    game: String,
    players: [String; 2],
    pair: u64,
    seed: u64,
}

impl Slot {
    fn of(record: &GameRecord) -> Slot {
        Slot {
            game: record.game.clone(),
            players: [record.first.clone(), record.second.clone()],
            pair: record.pair,
            seed: record.seed,
        }
    }
}

/// A file on its way into a store.
struct Merge<'s> {
    store: &'s Store,
    file: &'s ImportFile,
    imported: Imported,
    /// The tasks of the file's void games.
    void_there: HashSet<Slot>,
    /// Those among them whose games the store has.
    played: HashSet<Slot>,
    /// The void games of the store.
    void_here: HashMap<Slot, Key>,
    /// How many rows of the file have been looked at.
    seen: u64,
}

/// Progress is told after so many rows.
const TOLD_EVERY: u64 = 100;

impl<'s> Merge<'s> {
    fn new(
        store: &'s Store,
        file: &'s ImportFile,
        imported: Imported,
    ) -> Result<Self, ImportError> {
        let void_there = void_games(&file.store).map_err(|error| file.broken(error))?;
        let void_there: HashSet<Slot> = void_there.into_keys().collect();
        let played = played(store, &void_there)?;
        let void_here = void_games(store)?;
        Ok(Merge { store, file, imported, void_there, played, void_here, seen: 0 })
    }

    fn games(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), ImportError> {
        let file = self.file;
        let mut last = i64::MIN;
        loop {
            let some = file.store.some_keys(None, last).map_err(|error| file.broken(error))?;
            let Some((id, _)) = some.last() else { return Ok(()) };
            last = *id;
            for (id, text) in some {
                let body = file.store.body(id, text.clone()).map_err(|error| file.broken(error))?;
                let damaged = |problem: String| file.broken(format!("the game {text}: {problem}"));
                let record = body.map_err(|Damage { problem, .. }| damaged(problem))?;
                let key =
                    blake3::Hash::from_hex(&text).map_err(|error| damaged(error.to_string()))?;
                if record.key != text {
                    return Err(damaged(format!("its record is of the game {}", record.key)));
                }
                self.game(Key(*key.as_bytes()), &record)?;
                self.tell(progress);
            }
        }
    }

    fn game(&mut self, key: Key, record: &GameRecord) -> Result<(), ImportError> {
        let (slot, is_void) = (Slot::of(record), record.reason.is_void());
        let counted =
            if is_void { &mut self.imported.void } else { &mut self.imported.games.known };
        let write = match held(self.store, &key)? {
            Some(Ok(known)) if known.reason.is_void() && !is_void => Some(GameInPlace::Kept),
            Some(Ok(known)) if known.reason.is_void() == is_void => {
                if !is_void && GameDigest::from(&known) != GameDigest::from(record) {
                    let players = [record.first.clone(), record.second.clone()];
                    let path = self.file.path().to_owned();
                    return Err(ImportError::OtherGame { path, key, players });
                }
                *counted += 1;
                (order(record) < order(&known)).then_some(GameInPlace::Replaced)
            }
            Some(Ok(_)) => {
                *counted += 1;
                None
            }
            // What the store cannot read any more it gets anew.
            Some(Err(_)) => {
                *counted += 1;
                Some(GameInPlace::Replaced)
            }
            None if is_void => {
                *counted += 1;
                let is_needed = !self.played.contains(&slot) && !self.void_here.contains_key(&slot);
                is_needed.then_some(GameInPlace::Kept)
            }
            None => {
                self.imported.games.new += 1;
                Some(GameInPlace::Kept)
            }
        };
        let connection = &self.store.connection;
        let written: rusqlite::Result<()> = (|| {
            if !is_void && let Some(void) = self.void_here.remove(&slot) {
                void::remove(connection, &void)?;
                self.imported.replaced += 1;
            }
            if let Some(known) = write {
                put(connection, &key, record, known)?;
            }
            // Of two names of one player the first in the alphabet, whichever file came first.
            let mut rename = connection
                .prepare_cached("UPDATE contestants SET name = ?1 WHERE text = ?2 AND name > ?1")?;
            rename.execute([&record.first, &record.contestants[0]])?;
            rename.execute([&record.second, &record.contestants[1]])?;
            Ok(())
        })();
        written.map_err(|error| self.store.failed(error))?;
        match is_void {
            true if write.is_some() => drop(self.void_here.insert(slot, key)),
            false if self.void_there.contains(&slot) => drop(self.played.insert(slot)),
            _ => {}
        }
        Ok(())
    }

    fn findings(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), ImportError> {
        let file = self.file;
        let digest = if file.has_digests { "digest" } else { "NULL" };
        let query = format!("SELECT key, probe, findings, {digest} FROM probes ORDER BY key");
        let mut query =
            file.store.connection.prepare(&query).map_err(|error| file.broken(error))?;
        let mut rows = query.query([]).map_err(|error| file.broken(error))?;
        while let Some(row) = rows.next().map_err(|error| file.broken(error))? {
            let found = FindingsRow::read(row).map_err(|problem| file.broken(problem))?;
            self.finding(&found)?;
            self.tell(progress);
        }
        Ok(())
    }

    fn finding(&mut self, row: &FindingsRow) -> Result<(), ImportError> {
        let FindingsRow { key, probe, findings } = row;
        let connection = &self.store.connection;
        let known: rusqlite::Result<Option<(String, String)>> = connection
            .query_row("SELECT findings, probe FROM probes WHERE key = ?1", [&key.0[..]], |row| {
                // What cannot be read is as good as not there.
                Ok((row.get(0).unwrap_or_default(), row.get(1).unwrap_or_default()))
            })
            .optional();
        let known = known.map_err(|error| self.store.failed(error))?;
        let own = known.as_ref().and_then(|(findings, _)| timeless(findings));
        let counted = if own.is_some() {
            &mut self.imported.findings.known
        } else {
            &mut self.imported.findings.new
        };
        *counted += 1;
        let is_kept = match (own, &known) {
            (Some(own), Some(known)) if Some(&own) == timeless(findings).as_ref() => {
                *known <= (findings.clone(), probe.clone())
            }
            (Some(_), _) => return Err(self.other_findings(*key, probe)),
            (None, _) => false,
        };
        if is_kept {
            return Ok(());
        }
        put_findings(connection, key, probe, findings)
            .map_err(|error| self.store.failed(error).into())
    }

    fn other_findings(&self, key: Key, probe: &str) -> ImportError {
        let path = self.file.path().to_owned();
        let read: Option<Value> = serde_json::from_str(probe).ok();
        let player = read.as_ref().and_then(|probe| probe.get("calibration")?.as_str());
        match player {
            Some(player) => ImportError::OtherSpeed { path, key, player: player.to_owned() },
            None => ImportError::OtherFindings { path, key, probe: probe.to_owned() },
        }
    }

    fn runs(&self) -> Result<(), ImportError> {
        let runs = self.file.store.runs().map_err(|error| self.file.broken(error))?;
        for run in runs {
            self.store.put_run(&run)?;
        }
        Ok(())
    }

    fn stints(&self) -> Result<(), ImportError> {
        for stint in self.file.store.stints().map_err(|error| self.file.broken(error))? {
            self.store.put_stint(&stint)?;
        }
        Ok(())
    }

    fn tell(&mut self, progress: &mut dyn FnMut(u64)) {
        self.seen += 1;
        if self.seen.is_multiple_of(TOLD_EVERY) {
            progress(self.seen);
        }
    }
}

/// The game of that key, if there is one; or what is wrong with it.
fn held(store: &Store, key: &Key) -> Result<Option<Result<GameRecord, Damage>>, StoreError> {
    let query = "SELECT id FROM games WHERE key = ?1";
    let id = store.connection.query_row(query, [&key.0[..]], |row| row.get(0)).optional();
    let id: Option<i64> = id.map_err(|error| store.failed(error))?;
    id.map(|id| store.body(id, key.to_string())).transpose()
}

/// Of two records of a game the lower is kept: the one that began first.
fn order(record: &GameRecord) -> (u64, String) {
    (record.started, serde_json::to_string(record).expect("a record is plain data"))
}

/// The void games of a store by their tasks.
fn void_games(store: &Store) -> Result<HashMap<Slot, Key>, StoreError> {
    let names = Failure::ALL.into_iter().filter(|failure| failure.voids());
    let names: Vec<String> = names.map(|failure| format!("'{}'", failure.name())).collect();
    let query = format!("SELECT key FROM games WHERE reason IN ({})", names.join(", "));
    let mut found = HashMap::new();
    for key in store.list(&query, |row| row.get::<_, Vec<u8>>(0))? {
        let Ok(key) = key.try_into().map(Key) else { continue };
        // One that cannot be read stays where it is.
        if let Some(Ok(record)) = held(store, &key)? {
            found.insert(Slot::of(&record), key);
        }
    }
    Ok(found)
}

/// Which of these tasks have games in a store that count.
fn played(store: &Store, wanted: &HashSet<Slot>) -> Result<HashSet<Slot>, StoreError> {
    let mut found = HashSet::new();
    if wanted.is_empty() {
        return Ok(found);
    }
    let pairs: HashSet<u64> = wanted.iter().map(|slot| slot.pair).collect();
    let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, Vec<u8>>(1)?));
    for (pair, key) in store.list("SELECT pair, key FROM games", read)? {
        let Ok(key) = key.try_into().map(Key) else { continue };
        if pairs.contains(&pair)
            && let Some(Ok(record)) = held(store, &key)?
            && !record.reason.is_void()
        {
            found.insert(Slot::of(&record));
        }
    }
    Ok(found)
}

/// Findings without the times that clocks have said; `None` if they are no JSON.
fn timeless(findings: &str) -> Option<Value> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(object) => {
                object.remove("micros");
                object.values_mut().for_each(strip);
            }
            Value::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(findings).ok()?;
    strip(&mut value);
    Some(value)
}

#[cfg(test)]
mod tests;
