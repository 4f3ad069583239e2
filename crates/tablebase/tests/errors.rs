//! Files that are not what they should be: errors that say so, and never a wrong answer.

use monteverde_chess::{Board, fen};
use monteverde_game::Proof;
use monteverde_tablebase::create::{build_tables, damaged, plan};
use monteverde_tablebase::{TableError, Tables};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder with one table.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let order = plan(dir.path(), &["KRK".parse().expect("a name")]).expect("a new folder");
    build_tables(dir.path(), &order, 1, |_| (), |_| ()).expect("it is built");
    dir
}

/// The folder with the table's bytes changed.
fn spoiled(change: impl FnOnce(&mut Vec<u8>)) -> TempDir {
    let dir = folder();
    let path = dir.path().join("KRK.dtm");
    let mut bytes = fs::read(&path).expect("the table");
    change(&mut bytes);
    fs::write(&path, bytes).expect("the folder is ours");
    dir
}

fn refused(dir: &Path, sentence: &str) -> TableError {
    let error = Tables::open(dir).expect_err(sentence);
    let said = error.to_string();
    assert!(said.contains(sentence), "{said}");
    assert!(said.contains(&*dir.to_string_lossy()), "{said} does not say where");
    error
}

#[test]
fn a_missing_or_empty_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    let error = refused(&dir.path().join("nowhere"), "there is no such folder");
    assert!(matches!(error, TableError::NoFolder { .. }));
    assert!(matches!(refused(dir.path(), "there are no tables"), TableError::NoTables { .. }));
}

#[test]
fn a_truncated_or_longer_file() {
    let whole = fs::read(folder().path().join("KRK.dtm")).expect("the table").len();
    for length in [whole - 1, whole / 2, 100, 20, 9] {
        let dir = spoiled(|bytes| bytes.truncate(length));
        let error = refused(dir.path(), "bytes instead of");
        assert!(matches!(error, TableError::Size { found, .. } if found == length as u64));
    }
    assert!(matches!(
        refused(spoiled(|bytes| bytes.push(0)).path(), "bytes instead of"),
        TableError::Size { .. }
    ));
    for length in [0, 5] {
        Tables::open(spoiled(|bytes| bytes.truncate(length)).path()).expect_err("no table");
    }
}

#[test]
fn another_version_another_table_or_no_table() {
    let error = refused(spoiled(|bytes| bytes[8] = 7).path(), "version 7, but version 1");
    assert!(matches!(error, TableError::Version { found: 7, .. }));
    refused(spoiled(|bytes| bytes[0] = b'x').path(), "not a table");
    let dir = folder();
    fs::rename(dir.path().join("KRK.dtm"), dir.path().join("KQK.dtm")).expect("the folder is ours");
    refused(dir.path(), "not hold what its name says");
    let dir = folder();
    fs::write(dir.path().join("holiday.dtm"), "a photograph").expect("the folder is ours");
    refused(dir.path(), "not a table");
}

#[test]
fn any_flipped_byte_is_noticed() {
    let dir = folder();
    let whole = fs::read(dir.path().join("KRK.dtm")).expect("the table");
    let good = Tables::open(dir.path()).expect("the table is whole");
    let states = states();
    for at in (0..whole.len()).step_by(61) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(dir.path().join("KRK.dtm"), bytes).expect("the folder is ours");
        let Ok(tables) = Tables::open(dir.path()) else { continue };
        // The head is whole, so it is a block that is not.
        assert!(matches!(tables.check(), Err(TableError::Damaged { .. })), "byte {at}");
        let mut damaged = 0;
        for state in &states {
            match tables.try_probe(state) {
                Ok(proof) => assert_eq!(proof, good.probe(state), "byte {at}, {state:?}"),
                Err(error) => {
                    assert!(error.to_string().contains("damaged (block "), "{error}");
                    assert_eq!(tables.probe(state), Proof::Open);
                    damaged += 1;
                }
            }
        }
        assert!(damaged > 0, "byte {at}");
    }
}

/// Files whose checksums are right, and which say what cannot be: no program of ours writes them.
#[test]
fn a_sealed_file_that_contradicts_itself_is_damaged() {
    let ends = [u64::MAX, u64::MAX - 200, 1 << 63, 0];
    for (block, end) in (0..BLOCKS).flat_map(|block| ends.map(|end| (block, end))) {
        let dir = spoiled(|bytes| {
            bytes[32 + 16 * block..][..8].copy_from_slice(&end.to_le_bytes());
            seal(bytes);
        });
        let Ok(tables) = Tables::open(dir.path()) else { continue };
        assert!(matches!(tables.check(), Err(TableError::Damaged { .. })), "block {block}, {end}");
        states().iter().for_each(|state| drop(tables.try_probe(state)));
    }
}

#[test]
fn a_sealed_block_of_too_few_entries_is_damaged_every_time() {
    let dir = spoiled(|bytes| {
        // The last block has one entry, and the file ends with it.
        let last = 32 + 16 * (BLOCKS - 1);
        let from = number(bytes, last - 16);
        let packed = zstd::bulk::compress(&[1], 9).expect("a byte is compressed");
        bytes.truncate(START + from);
        bytes.extend(&packed);
        bytes[last..][..8].copy_from_slice(&((from + packed.len()) as u64).to_le_bytes());
        seal(bytes);
    });
    let tables = Tables::open(dir.path()).expect("the head is whole");
    assert!(matches!(tables.check(), Err(TableError::Damaged { .. })));
    let mut damaged = 0;
    for state in states() {
        // Once decoded, the block would answer with what lies behind its entry.
        let [first, second] = [(); 2].map(|()| tables.try_probe(&state));
        assert_eq!(first.is_err(), second.is_err(), "{state:?}");
        damaged += i32::from(first.is_err());
    }
    assert!(damaged > 0);
}

/// The blocks of the table of KRK, and where the first one starts.
const BLOCKS: usize = 4;
const START: usize = 32 + 16 * BLOCKS + 16;

fn number(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize
}

/// Puts every checksum right.
fn seal(bytes: &mut [u8]) {
    let mut from = 0;
    for at in (0..BLOCKS).map(|block| 32 + 16 * block) {
        let to = number(bytes, at);
        if let Some(block) = bytes[START..].get(from..to) {
            let sum = blake3::hash(block);
            bytes[at + 8..at + 16].copy_from_slice(&sum.as_bytes()[..8]);
        }
        from = to;
    }
    let sum = blake3::hash(&bytes[..START - 16]);
    bytes[START - 16..START].copy_from_slice(&sum.as_bytes()[..16]);
}

/// Positions that are spread over the table.
fn states() -> Vec<Board> {
    let king = |white: &str, black: &str, turn: &str| {
        format!("8/8/8/{black}/8/{white}/8/7R {turn} - - 0 1")
    };
    let mut states = Vec::new();
    for white in 0..8 {
        for black in 0..8 {
            let row =
                |file: u32, letter: char| format!("{file}{letter}{}", 7 - file).replace('0', "");
            for turn in ["w", "b"] {
                let text = king(&row(white, 'K'), &row(black, 'k'), turn);
                states.extend(fen::parse(&text).ok());
            }
        }
    }
    states
}

#[test]
fn an_interrupted_build_goes_on() {
    let dir = folder();
    let (krk, kqk, kpk) = (
        "KRK".parse().expect("a name"),
        "KQK".parse().expect("a name"),
        "KPK".parse().expect("a name"),
    );
    // What an interrupted build leaves behind: half a file under another name.
    fs::write(dir.path().join("KQK.dtm.part"), "half").expect("the folder is ours");
    let before = fs::metadata(dir.path().join("KRK.dtm")).and_then(|data| data.modified()).ok();
    let order = plan(dir.path(), &[krk, kqk, kpk]).expect("the folder");
    assert!(!order.contains(&krk) && order.contains(&kqk), "{order:?}");
    assert_eq!(order.last(), Some(&kpk), "it is made from the others");
    let mut built = Vec::new();
    build_tables(dir.path(), &order, 2, |_| (), |table| built.push(table.material)).expect("built");
    assert_eq!(built, order);
    assert_eq!(
        fs::metadata(dir.path().join("KRK.dtm")).and_then(|data| data.modified()).ok(),
        before
    );
    assert!(!dir.path().join("KQK.dtm.part").exists());
    Tables::open(dir.path()).and_then(|tables| tables.check()).expect("all are whole");
}

#[test]
fn a_table_that_cannot_be_opened_is_built_anew() {
    let krk = "KRK".parse().expect("a name");
    let changes: [fn(&mut Vec<u8>); 5] = [
        |bytes| bytes.truncate(0),
        |bytes| bytes.truncate(1000),
        |bytes| bytes.push(0),
        |bytes| bytes[8] = 7,
        |bytes| bytes[40] ^= 1,
    ];
    for change in changes {
        let dir = spoiled(change);
        Tables::open(dir.path()).expect_err("it is damaged");
        assert_eq!(damaged(dir.path(), &[krk]).expect("the folder"), [krk]);
        let order = plan(dir.path(), &[krk]).expect("the folder");
        assert_eq!(order, [krk]);
        build_tables(dir.path(), &order, 1, |_| (), |_| ()).expect("it is built");
        assert_eq!(plan(dir.path(), &[krk]).expect("the folder"), []);
        Tables::open(dir.path()).and_then(|tables| tables.check()).expect("it is whole");
    }
}

#[test]
fn a_digest_tells_tables_apart() {
    let dir = folder();
    let tables = Tables::open(dir.path()).expect("the table is whole");
    let digest = tables.digest(3..=3).expect("tables of three pieces");
    assert_eq!(tables.digest(4..=5), None);
    let again = Tables::open(dir.path()).expect("the table is whole");
    assert_eq!(again.digest(1..=5), Some(digest.clone()));
    let other = Tables::three_pieces(Some(dir.path()));
    assert_ne!(other.digest(3..=3), Some(digest), "more tables of three pieces");
    assert_eq!(Tables::three_pieces(None).digest(3..=3), None, "in memory alone");
}
