//! Looking through a store: games as lines of a list, and one game as a whole.

use super::{Damage, Store, StoreError, ending, unpack};
use crate::digest::GameDigest;
use crate::record::{GameRecord, GameResult, Reason};
use crate::task::Key;
use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};

/// A game as a line of a list.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameLine {
    /// Its key, 64 hexadecimal digits.
    pub key: String,
    /// The game's name.
    pub game: String,
    /// Who moved first.
    pub first: String,
    /// Who moved second.
    pub second: String,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub reason: Reason,
    /// How many steps it had, its opening included.
    pub plies: u64,
    /// When it began, in milliseconds since the beginning of 1970.
    pub started_ms: u64,
    /// How long it took.
    pub seconds: f64,
}

impl Store {
    /// So many games, of one name or of all, the latest first, after leaving out `offset` of them;
    /// and those among them that cannot be read.
    pub fn lines(
        &self,
        game: Option<&str>,
        offset: u64,
        count: u64,
    ) -> Result<(Vec<GameLine>, Vec<Damage>), StoreError> {
        const QUERY: &str = "SELECT first_points, reason, lower(hex(key)), game, one.name, two.name, plies, started, seconds
             FROM games LEFT JOIN contestants one ON one.id = first LEFT JOIN contestants two ON two.id = second
             WHERE ?1 IS NULL OR game = ?1 ORDER BY games.id DESC LIMIT ?2 OFFSET ?3";
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let listed: rusqlite::Result<_> = (|| {
            let mut query = self.connection.prepare_cached(QUERY)?;
            let mut rows = query.query(params![game, whole(count), whole(offset)])?;
            let (mut lines, mut damaged) = (Vec::new(), Vec::new());
            while let Some(row) = rows.next()? {
                match line(row) {
                    Ok(line) => lines.push(line),
                    Err(error) => damaged.push(Damage::of_row(row.get(2)?, error)?),
                }
            }
            Ok((lines, damaged))
        })();
        listed.map_err(|error| self.failed(error))
    }

    /// The digest of a task's game, if it has been played.
    pub fn digest(&self, key: &Key) -> Result<Option<GameDigest>, StoreError> {
        /// What a digest needs of a record; the rest is not kept.
        #[derive(Deserialize)]
        struct Played {
            moves: Vec<Step>,
            result: GameResult,
            reason: Reason,
        }
        #[derive(Deserialize)]
        struct Step {
            text: String,
        }
        let Some(body) = self.packed(key)? else { return Ok(None) };
        let damaged = |problem| self.damaged(Damage { key: key.to_string(), problem });
        let played: Played = unpack(&body).map_err(damaged)?;
        let steps = played.moves.iter().map(|step| step.text.as_str());
        Ok(Some(GameDigest::new(steps, played.result, &played.reason)))
    }

    /// The record of the game with that key, given as hexadecimal digits.
    pub fn record(&self, key: &str) -> Result<Option<GameRecord>, StoreError> {
        // What is no key is the key of no game.
        let Ok(key) = key.parse::<Key>() else { return Ok(None) };
        let Some(body) = self.packed(&key)? else { return Ok(None) };
        let damaged = |problem| self.damaged(Damage { key: key.to_string(), problem });
        unpack(&body).map(Some).map_err(damaged)
    }

    /// The compressed record of the game with that key.
    fn packed(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
        const QUERY: &str = "SELECT body FROM games JOIN records USING (id) WHERE key = ?1";
        let found = (|| {
            let mut query = self.connection.prepare_cached(QUERY)?;
            query.query_row([&key.0[..]], |row| row.get(0)).optional()
        })();
        found.map_err(|error| self.failed(error))
    }
}

fn line(row: &Row<'_>) -> rusqlite::Result<GameLine> {
    let (result, reason) = ending(row, 0)?;
    Ok(GameLine {
        key: row.get(2)?,
        game: row.get(3)?,
        first: row.get(4)?,
        second: row.get(5)?,
        result,
        reason,
        plies: row.get::<_, i64>(6)? as u64,
        started_ms: row.get::<_, i64>(7)? as u64,
        seconds: row.get(8)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{ContestPlan, Format, Openings};
    use crate::contestant::Contestant;
    use crate::testing::game;

    #[test]
    fn games_are_listed_latest_first_and_read_whole() {
        let mut store = Store::memory().unwrap();
        let contestant = |spec, pace: &str| Contestant::spec(spec, pace.parse().unwrap());
        let plan = ContestPlan {
            game: game("tic-tac-toe"),
            contestants: vec![
                contestant("uct", "iterations=40"),
                contestant("uct:c=0.5", "iterations=10"),
            ],
            format: Format::RoundRobin,
            games: 6,
            openings: Openings::Random { plies: 1, balance: None },
            seed: 3,
            adjudication: Default::default(),
            test: None,
            equal_time: None,
            build: "test".to_owned(),
        };
        plan.hold(&mut store, 1, &mut |_, _| ()).unwrap();
        let (all, damaged) = store.lines(None, 0, 100).unwrap();
        assert_eq!(damaged, []);
        assert_eq!(all.len(), 6);
        assert_eq!(store.lines(Some("tic-tac-toe"), 2, 3).unwrap().0, all[2..5]);
        assert_eq!(store.lines(Some("chess"), 0, 10).unwrap().0, []);
        let mut records = Vec::new();
        let keep = |record| {
            records.push(record);
            Ok::<_, StoreError>(())
        };
        store.records(None, keep).unwrap();
        for (line, record) in all.iter().zip(records.iter().rev()) {
            assert_eq!((&line.key, line.plies), (&record.key, record.moves.len() as u64));
            assert_eq!(store.record(&line.key).unwrap().as_ref(), Some(record));
            let key = Key(*blake3::Hash::from_hex(&line.key).unwrap().as_bytes());
            assert_eq!(store.digest(&key).unwrap(), Some(GameDigest::from(record)));
        }
        assert_eq!(store.record("00").unwrap(), None);
    }
}
