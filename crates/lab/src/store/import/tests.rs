use super::*;
use crate::contest::{ContestPlan, ContestProgress, Format, Openings};
use crate::contestant::Contestant;
use crate::hands::Hands;
use crate::pace::Pace;
use crate::record::{GameResult, Reason};
use crate::store::tests::{key, record};
use crate::store::{RunNote, Stint, unpack};
use crate::testing::game;
use rusqlite::Connection;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// Everything that a store holds, but in which order it came.
#[derive(PartialEq, Debug, Default)]
struct Content(Vec<String>);

/// The same without the commands, which are notes for people and have no digest.
fn without_runs(store: &Store) -> Content {
    let runs: Vec<String> = store.runs().unwrap().into_iter().map(|run| run.command).collect();
    Content(content(store).0.into_iter().filter(|line| !runs.contains(line)).collect())
}

fn content(store: &Store) -> Content {
    let mut lines: Vec<String> = store
        .entrants()
        .unwrap()
        .into_iter()
        .map(|one| format!("{} {}", one.name, one.text))
        .collect();
    let games = "SELECT lower(hex(key)), body FROM games JOIN records USING (id)";
    let game = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?));
    for (key, body) in store.list(games, game).unwrap() {
        lines.push(format!("{key} {}", unpack::<Value>(&body).unwrap()));
    }
    let columns = "SELECT lower(hex(key)) || ' ' || game || pair || first_points || reason || plies
         || started || ' ' || seconds FROM games";
    lines.extend(store.list(columns, |row| row.get(0)).unwrap());
    let findings = "SELECT lower(hex(key)) || ' ' || probe || findings FROM probes";
    lines.extend(store.list(findings, |row| row.get(0)).unwrap());
    lines.extend(store.runs().unwrap().into_iter().map(|run| run.command));
    lines.sort();
    Content(lines)
}

fn import(store: &mut Store, path: &Path) -> Result<Imported, ImportError> {
    store.import(&ImportFile::open(path)?, &mut |_| ())
}

/// Files in a folder of their own.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A store with these games.
    fn games(&self, name: &str, records: &[GameRecord]) -> PathBuf {
        let path = self.path(name);
        let mut store = Store::open(&path).unwrap();
        for record in records {
            let key = Key(*blake3::Hash::from_hex(&record.key).unwrap().as_bytes());
            store.insert(&key, record).unwrap();
        }
        path
    }
}

fn plan() -> ContestPlan {
    let player = |spec: &str, count| Contestant::spec(spec, Pace::Iterations(count));
    ContestPlan {
        game: game("tic-tac-toe"),
        contestants: vec![player("uct", 20), player("uct:c=0.5", 10), player("uct", 5)],
        format: Format::RoundRobin,
        games: 8,
        openings: Openings::Random { plies: 2, balance: None },
        seed: 7,
        adjudication: Default::default(),
        test: None,
        equal_time: None,
        build: "test".to_owned(),
    }
}

fn hold(plan: ContestPlan, store: &mut Store, shard: Option<Shard>) -> ContestProgress {
    plan.hold(store, Hands { shard, ..Hands::from(2) }, &mut |_, _| ()).unwrap()
}

/// The three shards of the contest, with some findings beside the games.
fn shards(place: &Place) -> [PathBuf; 3] {
    [1, 2, 3].map(|number| {
        let path = place.path(&format!("{number}.mvs"));
        let shard = Shard::new(number, 3).unwrap();
        let mut store = Store::open_shard(&path, shard).unwrap();
        let command = format!("match --shard {shard}");
        store.note_run(&RunNote { command, build: "test".to_owned() }).unwrap();
        hold(plan(), &mut store, Some(shard));
        store.keep_findings(&key(9), "shared", r#"{"found":7,"micros":5}"#).unwrap();
        store.keep_findings(&key(number as u8), "own", r#"{"found":1}"#).unwrap();
        path
    })
}

#[test]
fn any_order_and_any_number_of_times_leave_the_same() {
    let place = Place::new();
    let shards = shards(&place);
    let mut whole = Store::memory().unwrap();
    let held = hold(plan(), &mut whole, None);
    let mut before = None;
    for order in [&[0, 1, 2][..], &[2, 0, 1], &[1, 1, 2, 0, 2, 1]] {
        let mut store = Store::memory().unwrap();
        let mut new = 0;
        for &number in order {
            let imported = import(&mut store, &shards[number]).unwrap();
            assert_eq!(imported.shard, Shard::new(number as u32 + 1, 3));
            assert_eq!(imported.due.map(|due| due.missing), Some(0));
            new += imported.games.new;
            let again = import(&mut store, &shards[number]).unwrap();
            assert_eq!((again.games.new, again.findings.new), (0, 0));
            assert_eq!(again.games.known, imported.games.new + imported.games.known);
        }
        assert_eq!(new, 24);
        let found = content(&store);
        assert_eq!(*before.get_or_insert_with(|| content(&store)), found, "{order:?}");
        // The run that has all shards plays nothing and comes to the same.
        let report = hold(plan(), &mut store, None);
        assert_eq!((report.played, report.found), (0, 24));
        for (one, two) in [(0, 1), (0, 2), (1, 2)] {
            let digest = |held: &ContestProgress| held.standings.digest(one, two);
            assert_eq!(digest(&report), digest(&held));
            assert_eq!(report.standings.pairs(one, two), held.standings.pairs(one, two));
        }
    }
}

#[test]
fn a_shard_that_was_left_halfway_is_taken_in_and_says_what_it_lacks() {
    let place = Place::new();
    let path = place.path("a.mvs");
    let mut store = Store::open_shard(&path, Shard::new(1, 2).unwrap()).unwrap();
    store.note_due([key(1), key(2), key(3)]).unwrap();
    store.insert(&key(1), &record(1, GameResult::Draw)).unwrap();
    drop(store);
    let imported = import(&mut Store::memory().unwrap(), &path).unwrap();
    assert_eq!(imported.games, Merged { new: 1, known: 0 });
    assert_eq!(imported.due, Some(Due { pieces: 3, missing: 2 }));
}

/// The same game was played on two machines: other times, and a player under two names.
#[test]
fn of_two_records_of_a_game_the_earlier_is_kept() {
    let place = Place::new();
    let early = record(1, GameResult::Draw);
    let late =
        GameRecord { started: 9, seconds: 7.0, first: "another".to_owned(), ..early.clone() };
    let files = [place.games("a.db", std::slice::from_ref(&early)), place.games("b.db", &[late])];
    let [one, two] = [[0, 1], [1, 0]].map(|order| {
        let mut store = Store::memory().unwrap();
        let _ = order.map(|number: usize| import(&mut store, &files[number]).unwrap());
        content(&store)
    });
    assert_eq!(one, two);
    assert!(one.0.iter().any(|line| line.starts_with("another 1")), "{one:?}");
}

#[test]
fn void_games_make_way_in_either_order() {
    let place = Place::new();
    let void = |number, reason| GameRecord { reason, ..record(number, GameResult::First) };
    let crash = Reason::Failed(Failure::Crash);
    // The same task: a void game has a key of its own.
    let (bad, good) = (void(1, crash.clone()), record(2, GameResult::Draw));
    // Another task, which nobody has played well.
    let other = GameRecord { seed: 5, ..void(3, crash) };
    let files = [place.games("a.db", &[bad, other]), place.games("b.db", &[good])];
    let [one, two] = [[0, 1], [1, 0]].map(|order: [usize; 2]| {
        let mut store = Store::memory().unwrap();
        let imported = order.map(|number| import(&mut store, &files[number]).unwrap());
        assert_eq!(imported[order[0]].void, 2);
        let replaced: u64 = imported.iter().map(|one| one.replaced).sum();
        assert_eq!(replaced, if order == [0, 1] { 1 } else { 0 });
        content(&store)
    });
    assert_eq!(one, two);
    assert_eq!(one.0.iter().filter(|line| line.contains("\"key\"")).count(), 2);
}

/// What stands in the store before and after a file is refused.
#[track_caller]
fn refused(path: &Path, store: &mut Store, sentence: &str) {
    let before = content(store);
    let error = import(store, path).unwrap_err().to_string();
    assert!(error.contains(sentence), "{error}");
    assert_eq!(content(store), before, "nothing is kept: {error}");
}

#[test]
fn different_games_of_one_task_are_refused_by_their_key() {
    let place = Place::new();
    let mut store = Store::memory().unwrap();
    store.insert(&key(5), &record(5, GameResult::Draw)).unwrap();
    // Only the last of its games is at odds.
    let games: Vec<_> = (1..=5).map(|number| record(number, GameResult::First)).collect();
    let sentence = format!("different games under the key {} (one against two)", key(5));
    refused(&place.games("a.db", &games), &mut store, &sentence);
}

#[test]
fn different_findings_are_refused_and_times_do_not_matter() {
    let place = Place::new();
    let file = |name: &str, probe: &str, findings: &str| {
        let path = place.path(name);
        let mut store = Store::open(&path).unwrap();
        store.insert(&key(1), &record(1, GameResult::Draw)).unwrap();
        store.keep_findings(&key(2), probe, findings).unwrap();
        path
    };
    let mut store = Store::memory().unwrap();
    store.keep_findings(&key(2), "a probe", r#"{"moves":3,"hits":[{"micros":7}]}"#).unwrap();
    let other = file("other.db", "a probe", r#"{"moves":4,"hits":[{"micros":7}]}"#);
    let sentence = format!("different findings under the key {}, of a probe", key(2));
    refused(&other, &mut store, &sentence);
    let speed = file("speed.db", r#"{"calibration":"mcc:c=2"}"#, "9");
    refused(&speed, &mut store, "different speeds of 'mcc:c=2'");
    let later = file("later.db", "a probe", r#"{"moves":3,"hits":[{"micros":8}]}"#);
    let imported = import(&mut store, &later).unwrap();
    assert_eq!(imported.findings, Merged { new: 0, known: 1 });
}

#[test]
fn a_file_that_was_cut_off_is_refused_at_any_length() {
    let place = Place::new();
    let [path, ..] = shards(&place);
    let bytes = fs::read(&path).unwrap();
    let cut = place.path("cut.mvs");
    let mut store = Store::memory().unwrap();
    store.insert(&key(1), &record(1, GameResult::Draw)).unwrap();
    let lengths = (0..16).map(|part| bytes.len() * part / 16);
    let odd = [1, 15, 16, 17, 99, 100, 511, 4095, 4096, bytes.len() - 4096, bytes.len() - 1];
    for length in lengths.chain(odd) {
        fs::write(&cut, &bytes[..length]).unwrap();
        let sentence =
            if (1..16).contains(&length) { "not an SQLite file" } else { "cut off on its way" };
        refused(&cut, &mut store, sentence);
    }
    // What follows the end does not belong to it either.
    fs::write(&cut, [&bytes[..], b"more"].concat()).unwrap();
    refused(&cut, &mut store, "cut off on its way");
}

/// A byte that fell over changes nothing that is imported (it lay where nothing is), or the file is
/// refused.
#[test]
fn a_flipped_byte_is_refused_or_means_nothing() {
    let place = Place::new();
    let [path, ..] = shards(&place);
    let bytes = fs::read(&path).unwrap();
    let mut whole = Store::memory().unwrap();
    import(&mut whole, &path).unwrap();
    let whole = without_runs(&whole);
    let flipped = place.path("flipped.mvs");
    let (mut refused, mut taken) = (0, 0);
    for at in (0..bytes.len()).step_by(97) {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        fs::write(&flipped, other).unwrap();
        let mut store = Store::memory().unwrap();
        match import(&mut store, &flipped) {
            Ok(_) => {
                assert_eq!(without_runs(&store), whole, "byte {at}");
                taken += 1;
            }
            Err(error) => {
                assert!(content(&store).0.is_empty(), "byte {at}: {error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 20 && taken > 20, "{refused} and {taken}");
}

#[test]
fn other_files_are_refused() {
    let place = Place::new();
    let mut store = Store::memory().unwrap();
    refused(&place.path("nowhere"), &mut store, "there is no file");
    refused(place.0.path(), &mut store, "there is no file");
    fs::write(place.path("text"), "A text of some length, which is no database at all.").unwrap();
    refused(&place.path("text"), &mut store, "it is not an SQLite file");
    let foreign = Connection::open(place.path("foreign")).unwrap();
    foreign.execute_batch("CREATE TABLE games (id); INSERT INTO games VALUES (1)").unwrap();
    drop(foreign);
    refused(&place.path("foreign"), &mut store, "an SQLite file of another program");
    let newer = place.games("newer", &[record(1, GameResult::Draw)]);
    Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    refused(&newer, &mut store, "has the format 99");
    let mut own = Store::open(&newer.with_file_name("own")).unwrap();
    let path = own.path().to_owned();
    own.insert(&key(1), &record(1, GameResult::Draw)).unwrap();
    own.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    refused(&path, &mut own, "is the store that is imported into");
}

#[test]
fn records_that_do_not_fit_their_keys_are_refused() {
    let damages = [
        (
            "UPDATE records SET body = (SELECT body FROM records WHERE id = 1) WHERE id = 2",
            "its record is of the game",
        ),
        ("DELETE FROM records WHERE id = 2", "its moves are missing"),
        ("UPDATE records SET body = x'00' WHERE id = 2", "the game 0202"),
        ("UPDATE probes SET findings = '8'", "is not what was written"),
        ("UPDATE probes SET findings = 'x', digest = NULL", "are no JSON"),
        ("UPDATE probes SET key = x'07', digest = NULL", "has not 32 bytes"),
    ];
    for (damage, sentence) in damages {
        let place = Place::new();
        let games: Vec<_> = (1..=3).map(|number| record(number, GameResult::First)).collect();
        let path = place.games("a.db", &games);
        let mut store = Store::open(&path).unwrap();
        store.keep_findings(&key(9), "probe", "7").unwrap();
        store.connection.execute_batch(damage).unwrap();
        drop(store);
        refused(&path, &mut Store::memory().unwrap(), sentence);
    }
}

/// Stores of programs that knew no digest are stores, too.
#[test]
fn an_older_store_is_taken_in() {
    let place = Place::new();
    let path = place.games("old.db", &[record(1, GameResult::Draw)]);
    let mut store = Store::open(&path).unwrap();
    store.keep_findings(&key(9), "probe", "7").unwrap();
    store.connection.execute_batch("ALTER TABLE probes DROP COLUMN digest").unwrap();
    drop(store);
    let mut store = Store::memory().unwrap();
    let imported = import(&mut store, &path).unwrap();
    assert_eq!((imported.games.new, imported.findings.new), (1, 1));
    assert_eq!((imported.shard, imported.due), (None, None));
    assert_eq!(store.findings(&key(9)).unwrap(), Some(7));
    // It gets the column when it is written into again.
    Store::open(&path).unwrap().keep_findings(&key(9), "probe", "7").unwrap();
    assert_eq!(import(&mut store, &path).unwrap().findings.known, 1);
}

#[test]
fn who_did_the_work_comes_along_once() {
    let place = Place::new();
    let stint = |begun, machine: &str| {
        let machine = machine.to_owned();
        Stint { begun, machine, threads: 4, length: 61_900, pieces: 38 }
    };
    let [early, late] = [stint(1_000, "large"), stint(2_000, "small")];
    let paths = [("a", [&late, &late]), ("b", [&early, &late])].map(|(name, stints)| {
        let path = place.games(name, &[]);
        let store = Store::open(&path).unwrap();
        stints.into_iter().for_each(|stint| store.put_stint(stint).unwrap());
        path
    });
    let mut store = Store::open(&place.path("all")).unwrap();
    assert_eq!(store.stints().unwrap(), [], "nothing was done yet");
    for path in paths.iter().chain(&paths) {
        import(&mut store, path).unwrap();
    }
    assert_eq!(store.stints().unwrap(), [early, late]);
}

#[test]
fn a_run_that_was_killed_leaves_word_and_its_later_words_take_that_place() {
    let place = Place::new();
    let path = place.games("killed", &[]);
    let part =
        Stint { begun: 1_000, machine: "large".to_owned(), threads: 4, length: 5, pieces: 3 };
    let whole = Stint { length: 9, pieces: 7, ..part.clone() };
    let store = Store::open(&path).unwrap();
    store.put_stint(&part).unwrap();
    let mut all = Store::open(&place.path("all")).unwrap();
    import(&mut all, &path).unwrap();
    assert_eq!(all.stints().unwrap(), std::slice::from_ref(&part));
    store.put_stint(&whole).unwrap();
    store.put_stint(&part).unwrap();
    import(&mut all, &path).unwrap();
    assert_eq!(all.stints().unwrap(), [whole]);
    // While a run writes, and after it.
    let mut running = Store::open(&place.path("running")).unwrap();
    let stint = running.begin_stint(2).unwrap();
    running.insert(&key(1), &record(1, GameResult::Draw)).unwrap();
    let ended = stint.end(1).unwrap();
    assert_eq!((ended.threads, ended.pieces), (2, 1));
    assert_eq!(running.stints().unwrap(), [ended]);
    running.begin_stint(2).unwrap().end(0).unwrap();
    assert_eq!(running.stints().unwrap().len(), 1, "what did nothing is not kept");
    assert_eq!(Store::memory().unwrap().begin_stint(2).unwrap().end(5).unwrap().pieces, 5);
}
