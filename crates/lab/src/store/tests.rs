use super::*;
use crate::record::{Failure, MoveRecord};

pub(crate) fn key(number: u8) -> Key {
    Key([number; 32])
}

pub(crate) fn record(number: u8, result: GameResult) -> GameRecord {
    let step = MoveRecord { text: "a1".to_owned(), mean: Some(0.25), ..MoveRecord::default() };
    GameRecord {
        key: key(number).to_string(),
        game: "tic-tac-toe".to_owned(),
        first: "one".to_owned(),
        second: "two".to_owned(),
        contestants: ["1".to_owned(), "2".to_owned()],
        opening: "start".to_owned(),
        pair: u64::MAX,
        seed: 1,
        build: "test".to_owned(),
        start_state: "... ... ...".to_owned(),
        moves: vec![step],
        result,
        reason: Reason::Failed(Failure::TimeLoss),
        detail: "2s for a move with 1s left".to_owned(),
        started: 1,
        seconds: 0.5,
    }
}

fn all(store: &Store) -> Vec<GameRecord> {
    let mut records = Vec::new();
    store
        .records(None, |record| {
            records.push(record);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    records
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    let games = [record(1, GameResult::First), record(2, GameResult::Second)];
    for (number, game) in (1..).zip(&games) {
        assert_eq!(store.result(&key(number)).unwrap(), None);
        store.insert(&key(number), game).unwrap();
        let ending = (game.result, Reason::Failed(Failure::TimeLoss));
        assert_eq!(store.result(&key(number)).unwrap(), Some(ending));
    }
    // Readers do not wait for the writer.
    let reader = Store::read(&path).unwrap();
    assert_eq!(all(&reader), games);
    assert_eq!(reader.count(None).unwrap(), 2);
    assert_eq!(reader.count(Some("chess")).unwrap(), 0);
    assert_eq!(reader.games().unwrap(), ["tic-tac-toe"]);
    let names: Vec<_> = reader.entrants().unwrap().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["one", "two"]);
    let mut pairs = Vec::new();
    reader.entries("tic-tac-toe", |entry| pairs.push(entry.pair)).unwrap();
    assert_eq!(pairs, [u64::MAX; 2]);
}

#[test]
fn a_game_is_written_once() {
    let mut store = Store::memory().unwrap();
    store.insert(&key(1), &record(1, GameResult::Draw)).unwrap();
    store.insert(&key(1), &record(1, GameResult::First)).unwrap();
    assert_eq!(all(&store), [record(1, GameResult::Draw)]);
}

#[test]
fn a_void_game_makes_room_for_the_one_that_is_played_again() {
    let mut store = Store::memory().unwrap();
    let with = |reason: Failure| GameRecord {
        reason: Reason::Failed(reason),
        ..record(1, GameResult::First)
    };
    for reason in [Failure::NoStart, Failure::Crash, Failure::Stall, Failure::TimeLoss] {
        store.insert(&key(1), &with(reason)).unwrap();
        assert_eq!(all(&store), [with(reason)]);
    }
    store.insert(&key(1), &with(Failure::Crash)).unwrap();
    assert_eq!(all(&store), [with(Failure::TimeLoss)], "a loss is a result");
    assert_eq!(store.count(None).unwrap(), 1);
}

#[test]
fn two_runs_at_once_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let first = Store::open(&path).unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::InUse(_)), "{error}");
    drop(first);
    Store::open(&path).unwrap();
}

/// Readers that come while a store is made find none, or a store; never something else.
#[test]
fn a_store_that_is_being_made_is_missing_or_whole() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..20 {
        let path = folder.path().join(format!("{number}.db"));
        let is_made = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                Store::open(&path).unwrap();
                is_made.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            while !is_made.load(std::sync::atomic::Ordering::Relaxed) {
                match Store::read(&path) {
                    Ok(store) => assert_eq!(store.count(None).unwrap(), 0),
                    Err(error) => assert!(matches!(error, StoreError::Missing(_)), "{error}"),
                }
            }
        });
        Store::read(&path).unwrap();
    }
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    assert!(matches!(Store::read(&path), Err(StoreError::Missing(_))));
    for read in [|path: &Path| Store::open(path), |path: &Path| Store::read(path)] {
        std::fs::write(&path, "a text file, not a database").unwrap();
        assert!(matches!(read(&path), Err(StoreError::NotSqlite(_))));
        std::fs::write(&path, "x").unwrap();
        assert!(matches!(read(&path), Err(StoreError::NotSqlite(_))));
        // The right beginning and nothing after it.
        std::fs::write(&path, [b"SQLite format 3\0".as_slice(), &[0xff; 2000]].concat()).unwrap();
        assert!(matches!(read(&path), Err(StoreError::Database { .. })));
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn other_databases_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let foreign = Connection::open(&path).unwrap();
    foreign.execute_batch("CREATE TABLE games (id)").unwrap();
    drop(foreign);
    assert!(matches!(Store::open(&path), Err(StoreError::Foreign(_))));
    assert!(matches!(Store::read(&path), Err(StoreError::Foreign(_))));

    let path = folder.path().join("b.db");
    let store = Store::open(&path).unwrap();
    store.connection.pragma_update(None, "user_version", 99).unwrap();
    drop(store);
    let error = Store::open(&path).unwrap_err();
    assert!(
        matches!(error, StoreError::TooNew { found: 99, known: schema::FORMAT, .. }),
        "{error}"
    );
}

/// Ways in which one of three games can be damaged.
const DAMAGES: [&str; 6] = [
    "UPDATE records SET body = x'00' WHERE id = 2",
    "UPDATE records SET body = 'text' WHERE id = 2",
    "DELETE FROM records WHERE id = 2",
    "UPDATE games SET first_points = 7 WHERE id = 2",
    "UPDATE games SET reason = x'ff00' WHERE id = 2",
    "PRAGMA foreign_keys = off; UPDATE games SET second = 9 WHERE id = 2",
];

fn damaged_store(damage: &str) -> Store {
    let mut store = Store::memory().unwrap();
    for number in 1..=3 {
        store.insert(&key(number), &record(number, GameResult::Draw)).unwrap();
    }
    store.connection.execute_batch(damage).unwrap();
    store
}

#[test]
fn a_damaged_record_costs_itself_and_is_named() {
    for damage in &DAMAGES[..3] {
        let store = damaged_store(damage);
        let mut read = Vec::new();
        let keep = |record: GameRecord| {
            read.push(record.key);
            Ok::<_, StoreError>(())
        };
        let damaged = store.records(None, keep).unwrap();
        assert_eq!(read, [key(1), key(3)].map(|key| key.to_string()), "{damage}");
        assert_eq!((damaged.len(), &damaged[0].key), (1, &key(2).to_string()), "{damage}");
    }
}

#[test]
fn a_damaged_row_costs_itself_and_is_named() {
    for damage in &DAMAGES[3..] {
        let store = damaged_store(damage);
        let mut count = 0;
        let damaged = store.entries("tic-tac-toe", |_| count += 1).unwrap();
        assert_eq!((count, &damaged[0].key), (2, &key(2).to_string()), "{damage}");
        let (lines, damaged) = store.lines(None, 0, 10).unwrap();
        assert_eq!((lines.len(), damaged.len()), (2, 1), "{damage}");
        let report = crate::report::of_store(&store).unwrap().summary.join(" ");
        let words = format!("1 game is left out, since its record is damaged ({}", key(2));
        assert!(report.contains(&words), "{report}");
        let is_unreadable = matches!(store.result(&key(2)), Err(StoreError::Damaged { .. }));
        assert!(is_unreadable || damage.contains("second"), "{damage}");
        assert!(store.result(&key(1)).unwrap().is_some());
    }
}

#[test]
fn a_damaged_page_of_the_file_costs_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    for number in 1..=3 {
        let mut long = record(number, GameResult::Draw);
        // Digits that do not shrink much, so that each game has pages of its own.
        let digits = |at: u32| blake3::hash(&[number, at as u8, (at >> 8) as u8]).to_string();
        long.detail = (0..2000).map(digits).collect();
        store.insert(&key(number), &long).unwrap();
    }
    store.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(store);
    // The link from a page of the second game to its next leads nowhere.
    let mut bytes = std::fs::read(&path).unwrap();
    let pages = bytes.len() / 4096;
    bytes[pages / 2 * 4096..][..4].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    let mut count = 0;
    let keep = |_| {
        count += 1;
        Ok::<_, StoreError>(())
    };
    let damaged = Store::read(&path).unwrap().records(None, keep).unwrap();
    assert_eq!((count, &damaged[0].key), (2, &key(2).to_string()));
}

#[test]
fn a_damaged_game_is_written_anew() {
    for damage in DAMAGES {
        let mut store = damaged_store(damage);
        store.insert(&key(2), &record(2, GameResult::First)).unwrap();
        store.replace(&[], &key(2), &record(2, GameResult::First)).unwrap();
        assert_eq!(all(&store).len(), 3, "{damage}");
        assert_eq!(store.result(&key(2)).unwrap().unwrap().0, GameResult::First);
    }
}

#[test]
fn a_store_is_read_where_nothing_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd # 100%?.db");
    let game = record(1, GameResult::First);
    Store::open(&path).unwrap().insert(&key(1), &game).unwrap();
    // A folder where a side file is to be stops everyone, even those whom no permission stops.
    std::fs::create_dir(folder.path().join("odd # 100%?.db-shm")).unwrap();
    assert_eq!(all(&Store::read(&path).unwrap()), [game]);
}
