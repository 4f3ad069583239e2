//! Files that people bring: suites, openings, records, endgame tables.

use crate::games;
use monteverde_chess::fen;
use monteverde_lab::{opening, suite::Suite};
use monteverde_tablebase::{TableError, Tables};
use std::path::Path;

/// Suites of every game, as states and as JSON.
pub(crate) fn suites(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["suite.epd", "suite.jsonl"] {
        let path = folder.path().join(name);
        std::fs::write(&path, data).expect("the folder is ours");
        for game in games().iter() {
            let Ok(suite) = Suite::read(game, &path) else { continue };
            for question in &suite.questions {
                let state = game.parse_state(&question.state).expect("a state that was read");
                assert_eq!(state.state_text(), question.state);
            }
        }
    }
}

/// Openings of every game, in every format that it has.
pub(crate) fn openings(text: &str) {
    for game in games().iter() {
        let own = format!("book.{}", game.record_format().extension);
        for name in ["book.epd", "book.txt", &own] {
            let Ok(lines) = opening::read_text(game, Path::new(name), text, Some(8)) else {
                continue;
            };
            for line in lines {
                assert!(line.moves.len() <= 8, "{line:?}");
                line.replay(game, |_, _, _| ()).expect("an opening that was checked");
            }
        }
    }
}

/// Records of every game: what is read can be written and read again, with the same steps.
pub(crate) fn records(text: &str) {
    for game in games().iter() {
        let _ = game.is_record(text);
        let one = game.read_record(text).and_then(Result::ok);
        let many = game.read_records(text).unwrap_or_default();
        for record in one.into_iter().chain(many) {
            // The start is only text until somebody plays from it, and so are steps that no game
            // has, such as numbers of moves.
            let is_step = |c: char| c.is_alphanumeric() || "-+=#()x:@? ".contains(c);
            if game.parse_state(&record.start).is_err()
                || !record.steps.iter().all(|step| step.text.chars().all(is_step))
            {
                continue;
            }
            let Ok(written) = game.write_record(&record) else {
                panic!("{} does not write what it reads: {record:?}", game.name())
            };
            let again = game.read_record(&written).expect("a record").expect("it was written");
            assert_eq!((&again.start, again.outcome), (&record.start, record.outcome), "{written}");
            let (before, after) = (record.steps.iter(), again.steps.iter());
            assert!(
                after.map(|step| &step.text).eq(before.map(|step| &step.text)),
                "{}: {written}",
                game.name()
            );
        }
    }
}

/// A table of endings. A file whose first letter is small gets checksums that are right, since no
/// edit hits upon them.
pub(crate) fn tablebase(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("KRK.dtm");
    std::fs::write(&path, with_checksums(data)).expect("the folder is ours");
    let Ok(tables) = Tables::open(folder.path()) else { return };
    let checked = tables.check();
    for text in POSITIONS {
        let board = fen::parse(text).expect("a position of ours");
        let (first, second) = (tables.try_probe(&board), tables.try_probe(&board));
        match (first, second) {
            (Ok(first), Ok(second)) => assert_eq!(first, second, "{text}"),
            (Err(TableError::Damaged { .. }), Err(TableError::Damaged { .. })) => {
                assert!(checked.is_err(), "a damaged table is called whole: {text}");
            }
            answers => panic!("{text} is answered differently: {answers:?}"),
        }
    }
}

/// Positions at both ends of the table and between.
const POSITIONS: [&str; 8] = [
    "8/8/8/8/8/1k6/8/K6R w - - 0 1",
    "8/8/8/8/8/1k6/8/K6R b - - 0 1",
    "7k/8/8/3K4/8/8/8/R7 w - - 0 1",
    "7k/8/8/3K4/8/8/8/R7 b - - 0 1",
    "k7/8/1K6/8/8/8/8/7R w - - 0 1",
    "7R/7k/8/8/3K4/8/8/8 b - - 0 1",
    "8/8/8/3kr3/8/8/8/K7 w - - 0 1",
    "8/8/8/3k4/4r3/8/3K4/8 b - - 0 1",
];

/// The bytes of a table's file that stand before the sums of its blocks.
const HEADER: usize = 32;

/// A file whose magic number begins with `m` for `M`, with that and all checksums put right.
fn with_checksums(data: &[u8]) -> Vec<u8> {
    let mut file = data.to_vec();
    let Some(b'm') = file.first() else { return file };
    file[0] = b'M';
    let number = |file: &[u8], at: usize| {
        file.get(at..at + 8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight")))
    };
    // Of each side to move, by the header.
    let entries = number(&file, HEADER - 8).unwrap_or(0).min(1 << 20);
    let blocks = 2 * entries.div_ceil(1 << 14) as usize;
    let start = HEADER + 16 * blocks + 16;
    let mut from = 0;
    for block in 0..blocks {
        let at = HEADER + 16 * block;
        let Some(to) = number(&file, at) else { return file };
        let range = (start as u64).saturating_add(from)..(start as u64).saturating_add(to);
        if let Some(bytes) = file.get(range.start as usize..range.end as usize) {
            let sum = blake3::hash(bytes);
            file[at + 8..at + 16].copy_from_slice(&sum.as_bytes()[..8]);
        }
        from = to;
    }
    if file.len() >= start {
        let sum = blake3::hash(&file[..start - 16]);
        file[start - 16..start].copy_from_slice(&sum.as_bytes()[..16]);
    }
    file
}
