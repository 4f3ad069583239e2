//! Who did the work that a store holds: a line for each run that did some of it, on whatever
//! machine.

use super::{Store, StoreError};
use crate::date;
use rusqlite::{Connection, Row, params};
use std::time::{Duration, Instant};

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

/// How often a stint is noted while it lasts.
const NOTED_EVERY: Duration = Duration::from_secs(5);

/// A stint that goes on. It is noted while it lasts, so that a run that is killed leaves word of
/// what it did.
pub struct OpenStint {
    /// The store once more: the run writes into it at the same time.
    beside: Option<Store>,
    threads: usize,
    begun: Duration,
    noted: Instant,
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

impl OpenStint {
    /// Notes that so many pieces have been done, unless that was done a moment ago.
    pub fn note(&mut self, pieces: u64) -> Result<(), StoreError> {
        match self.noted.elapsed() >= NOTED_EVERY {
            true => self.write(pieces).map(drop),
            false => Ok(()),
        }
    }

    /// Notes the whole stint, and gives it. One that did nothing is not kept.
    pub fn end(mut self, pieces: u64) -> Result<Stint, StoreError> {
        self.write(pieces)
    }

    fn write(&mut self, pieces: u64) -> Result<Stint, StoreError> {
        self.noted = Instant::now();
        let length = date::now().saturating_sub(self.begun).as_millis() as u64;
        let (begun, threads) = (self.begun.as_millis() as u64, self.threads);
        let stint = Stint { begun, machine: machine(), threads, length, pieces };
        if let (Some(store), true) = (&self.beside, pieces > 0) {
            store.put_stint(&stint)?;
        }
        Ok(stint)
    }
}

impl Store {
    /// Begins a stint on this machine.
    pub fn begin_stint(&self, threads: usize) -> Result<OpenStint, StoreError> {
        let again = || {
            let connection = Connection::open(&self.path).map_err(|error| self.failed(error))?;
            Ok(Store { connection, path: self.path.clone(), _lock: None })
        };
        let beside = self.is_kept().then(again).transpose()?;
        Ok(OpenStint { beside, threads, begun: date::now(), noted: Instant::now() })
    }

    /// Notes a stint in place of what was noted of it before, when less of it was done.
    pub(super) fn put_stint(&self, stint: &Stint) -> Result<(), StoreError> {
        self.batch(TABLE)?;
        let Stint { begun, machine, threads, length, pieces } = stint;
        let values =
            params![*begun as i64, machine, *threads as i64, *length as i64, *pieces as i64];
        const LONGER: &str = "UPDATE stints SET length = ?4, pieces = ?5
            WHERE begun = ?1 AND machine = ?2 AND threads = ?3 AND length <= ?4 AND pieces <= ?5";
        const NEW: &str = "INSERT INTO stints SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (
            SELECT 1 FROM stints WHERE begun = ?1 AND machine = ?2 AND threads = ?3)";
        let put = |statement| {
            let done = self.connection.execute(statement, values);
            done.map(drop).map_err(|error| self.failed(error))
        };
        put(LONGER).and_then(|()| put(NEW))
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
