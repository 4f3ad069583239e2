//! Who did the work that a store holds: a line for each run that did some of it, on whatever
//! machine.

use super::{Store, StoreError};
use crate::date;
use rusqlite::{Row, params};
use std::time::Duration;

/// What one run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stint {
    /// When it began, in milliseconds since the beginning of 1970.
    pub begun: u64,
    /// The machine's processor and how many cores it has.
    pub machine: String,
    /// On how many threads.
    pub threads: usize,
    /// How long it took, in milliseconds.
    pub length: u64,
    /// How many games, playouts or searches it did.
    pub pieces: u64,
}

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS stints (
        begun INTEGER NOT NULL,
        machine TEXT NOT NULL,
        threads INTEGER NOT NULL,
        length INTEGER NOT NULL,
        pieces INTEGER NOT NULL,
        UNIQUE (begun, machine, threads, length, pieces)
    );";

impl Stint {
    /// A stint on this machine that ends now.
    pub fn ending_now(threads: usize, time: Duration, pieces: u64) -> Stint {
        let begun = date::now().saturating_sub(time).as_millis() as u64;
        Stint { begun, machine: machine(), threads, length: time.as_millis() as u64, pieces }
    }

    /// When it ended, in milliseconds since the beginning of 1970.
    pub fn end(&self) -> u64 {
        self.begun.saturating_add(self.length)
    }
}

/// The processor's name, where the system tells it, and the number of cores.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = known.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let name = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    format!("{name}, {cores} {}", if cores == 1 { "core" } else { "cores" })
}

impl Store {
    /// Notes a stint; one that is there already is left as it is.
    pub fn note_stint(&mut self, stint: &Stint) -> Result<(), StoreError> {
        self.put_stint(stint)
    }

    pub(super) fn put_stint(&self, stint: &Stint) -> Result<(), StoreError> {
        self.batch(TABLE)?;
        let Stint { begun, machine, threads, length, pieces } = stint;
        let values =
            params![*begun as i64, machine, *threads as i64, *length as i64, *pieces as i64];
        let insert = "INSERT OR IGNORE INTO stints VALUES (?1, ?2, ?3, ?4, ?5)";
        let noted = self.connection.execute(insert, values);
        noted.map(drop).map_err(|error| self.failed(error))
    }

    /// All stints, the first first. A store of an older program knows of none.
    pub fn stints(&self) -> Result<Vec<Stint>, StoreError> {
        if !self.has_table("stints")? {
            return Ok(Vec::new());
        }
        let number = |row: &Row<'_>, at| row.get::<_, i64>(at).map(|number| number.max(0) as u64);
        let query = "SELECT begun, machine, threads, length, pieces FROM stints
                     ORDER BY begun, machine, threads, length, pieces";
        self.list(query, |row| {
            Ok(Stint {
                begun: number(row, 0)?,
                machine: row.get(1)?,
                threads: number(row, 2)? as usize,
                length: number(row, 3)?,
                pieces: number(row, 4)?,
            })
        })
    }
}
