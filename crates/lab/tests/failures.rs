//! Games in which an engine does not start, crashes or hangs: they count for nobody and are played
//! again.
#![cfg(unix)]

use monteverde_lab::adjudication::Adjudication;
use monteverde_lab::contest::{ContestError, ContestPlan, ContestProgress, Format, Openings};
use monteverde_lab::contestant::{Contestant, EngineSpec};
use monteverde_lab::duration_text::DurationText;
use monteverde_lab::export::{Form, export};
use monteverde_lab::record::{Failure, GameRecord};
use monteverde_lab::report::of_store;
use monteverde_lab::run::RunError;
use monteverde_lab::standings::Standings;
use monteverde_lab::store::{Store, StoreError};
use monteverde_report::markdown;
use monteverde_statistics::{Decision, EloScale, SequentialTest};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A folder with a program in it, whose name has a blank, and files that tell the program what to
/// do.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes the program: `on_start` is run first, `on_go` when it is to move, with the number of
    /// the game in `$games`. It gives itself a name.
    fn write(&self, name: &str, on_start: &str, on_go: &str) {
        let count = self.path("games");
        let count = count.display();
        let text = format!(
            r#"#!/bin/sh
cd '{}'
{on_start}
while read -r word rest; do
    case "$word" in
        uci) echo "id name {name}"; echo uciok ;;
        isready) echo readyok ;;
        ucinewgame) echo game >> '{count}'; games=$(wc -l < '{count}') ;;
        position) position="$rest" ;;
        go) {on_go} ;;
        quit) exit 0 ;;
    esac
done
"#,
            self.0.path().display()
        );
        fs::write(self.path("my engine"), text).unwrap();
        fs::set_permissions(self.path("my engine"), PermissionsExt::from_mode(0o755)).unwrap();
    }

    fn engine(&self) -> Contestant {
        let command = self.path("my engine");
        let patience = DurationText::ms(1500);
        let spec = EngineSpec { patience, ..EngineSpec::new(command.to_str().unwrap()) };
        let mut contestant = Contestant::engine(spec, "nodes=5".parse().unwrap());
        contestant.name = "odd".to_owned();
        contestant
    }

    fn plan(&self, games: u64) -> ContestPlan {
        ContestPlan {
            game: monteverde_games::games().game("chess").unwrap(),
            contestants: vec![
                Contestant::spec("mcc", "iterations=8".parse().unwrap()),
                self.engine(),
            ],
            format: Format::RoundRobin,
            games,
            openings: Openings::Start,
            seed: 1,
            adjudication: Adjudication { length: Some(10), ..Adjudication::default() },
            test: None,
            equal_time: None,
            build: "test".to_owned(),
        }
    }

    fn hold(&self, games: u64, store: &mut Store) -> Result<ContestProgress, ContestError> {
        self.plan(games).hold(store, 1, &mut |_, _| {})
    }
}

/// Loses at once, by the rules: a game of no more than two moves.
const LOSES: &str = "echo bestmove e2e5";

fn records(store: &Store) -> Vec<GameRecord> {
    let mut records = Vec::new();
    let keep = |record| {
        records.push(record);
        Ok::<_, StoreError>(())
    };
    store.records(None, keep).unwrap();
    records
}

#[track_caller]
fn failed(held: Result<ContestProgress, ContestError>) -> (Failure, String) {
    match held {
        Err(ContestError::Run(error @ RunError::Player { failure, .. })) => {
            (failure, error.to_string())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_engine_that_does_not_start_ends_the_run_and_wins_nobody_a_game() {
    let (place, mut store) = (Place::new(), Store::memory().unwrap());
    place.write("Odd", "exit 7", LOSES);
    let (failure, sentence) = failed(place.hold(4, &mut store));
    assert_eq!(failure, Failure::NoStart);
    assert!(sentence.starts_with("'odd' failed in its first game of this run: no-start: "));
    assert!(sentence.contains("exit status: 7"), "{sentence}");
    let (standings, _) = Standings::from_store(&store, "chess").unwrap();
    assert_eq!((standings.games(), standings.void()), (0, 1));
    // Mended, it plays all its games.
    place.write("Odd", "", LOSES);
    let progress = place.hold(4, &mut store).unwrap();
    assert_eq!((progress.found, progress.played), (0, 4));
    assert_eq!((progress.standings.games(), progress.standings.void()), (4, 0));
    // Nothing is left of the failure, though the mended program is another.
    let (standings, _) = Standings::from_store(&store, "chess").unwrap();
    assert_eq!((standings.names().len(), standings.void()), (2, 0));
}

/// The program stays the same, so that it is the same task, and what it needs comes and goes.
#[test]
fn a_game_that_failed_is_played_again_by_the_next_run() {
    let (place, mut store) = (Place::new(), Store::memory().unwrap());
    place.write("Odd", "", &format!("[ -e net ] || exit 3; {LOSES}"));
    for _ in 0..2 {
        let (failure, sentence) = failed(place.hold(4, &mut store));
        assert_eq!(failure, Failure::Crash, "{sentence}");
        assert_eq!(records(&store).len(), 1);
    }
    fs::write(place.path("net"), "").unwrap();
    let progress = place.hold(4, &mut store).unwrap();
    assert_eq!((progress.found, progress.played, progress.standings.void()), (0, 4, 0));
    let records = records(&store);
    assert_eq!(records.len(), 4);
    assert!(records.iter().all(|record| record.reason.to_string() == "illegal-move"));
    let (standings, _) = Standings::from_store(&store, "chess").unwrap();
    assert_eq!((standings.names().len(), standings.void()), (2, 0));
}

#[test]
fn games_in_which_an_engine_crashes_or_hangs_count_for_nobody() {
    for (number, on_failure, failure) in
        [(3, "exit 3", Failure::Crash), (2, "sleep 1000", Failure::Stall)]
    {
        let (place, mut store) = (Place::new(), Store::memory().unwrap());
        let on_go =
            format!("[ \"$games\" = {number} ] && [ ! -e mended ] && {on_failure}; {LOSES}");
        place.write("Odd", "", &on_go);
        let progress = place.hold(6, &mut store).unwrap();
        let standings = &progress.standings;
        assert_eq!((standings.games(), standings.void()), (5, 1));
        assert_eq!(standings.between(0, 1).wins, 5);
        assert_eq!(standings.failures(1), [(failure, 1), (Failure::IllegalMove, 5)]);
        assert!(!standings.reasons().contains_key(failure.name()));
        let page = markdown(&of_store(&store).unwrap());
        for part in ["5 games of", "Another 1 failed", failure.name(), "for nobody", "as lost"] {
            assert!(page.contains(part), "no {part} in {page}");
        }
        let mut lines = Vec::new();
        let games = monteverde_games::games();
        export(&games, &store, None, &Form::JsonLines, &mut lines).unwrap();
        let text = String::from_utf8(lines).unwrap();
        assert_eq!(text.matches(r#""result":"#).count(), 5, "{text}");
        assert_eq!(text.matches(r#""failed":""#).count(), 1, "{text}");
        let mut pgn = Vec::new();
        export(&games, &store, None, &Form::of_name("pgn"), &mut pgn).unwrap();
        let pgn = String::from_utf8(pgn).unwrap();
        assert_eq!(pgn.matches("[Result \"*\"]").count(), 1, "{pgn}");
        fs::write(place.path("mended"), "").unwrap();
        let progress = place.hold(6, &mut store).unwrap();
        assert_eq!((progress.found, progress.played, progress.standings.void()), (5, 1, 0));
        assert_eq!(records(&store).len(), 6);
    }
}

/// Good games of an earlier run do not speak for an engine that now fails in all of them.
#[test]
fn an_engine_that_fails_in_every_game_of_a_run_ends_it() {
    let (place, mut store) = (Place::new(), Store::memory().unwrap());
    place.write("Odd", "", &format!("[ -e broken ] && exit 3; {LOSES}"));
    assert_eq!(place.hold(2, &mut store).unwrap().standings.games(), 2);
    fs::write(place.path("broken"), "").unwrap();
    let (failure, _) = failed(place.hold(6, &mut store));
    assert_eq!(failure, Failure::Crash);
    let (standings, _) = Standings::from_store(&store, "chess").unwrap();
    assert_eq!((standings.games(), standings.void()), (2, 1));
}

#[test]
fn a_replaced_engine_is_another_contestant() {
    let (place, mut store) = (Place::new(), Store::memory().unwrap());
    place.write("Odd 1", "", LOSES);
    assert_eq!(place.hold(2, &mut store).unwrap().played, 2);
    assert_eq!(place.hold(2, &mut store).unwrap().found, 2);
    place.write("Odd 2", "", LOSES);
    let progress = place.hold(2, &mut store).unwrap();
    assert_eq!((progress.found, progress.played), (0, 2));
    let entrants = store.entrants_of("chess").unwrap();
    assert_eq!(entrants.len(), 3);
    let page = markdown(&of_store(&store).unwrap());
    assert!(page.contains("my engine' (Odd 1, ") && page.contains("my engine' (Odd 2, "), "{page}");
    // The first is still known by its games.
    place.write("Odd 1", "", LOSES);
    assert_eq!(place.hold(2, &mut store).unwrap().found, 2);
}

/// A pair of which one game is void must not keep the test from asking about the others.
#[test]
fn a_sequential_test_goes_on_after_a_void_game() {
    let (place, mut store) = (Place::new(), Store::memory().unwrap());
    place.write("Odd", "", &format!("[ \"$games\" = 4 ] && exit 3; {LOSES}"));
    let test = SequentialTest::new(EloScale::Logistic, [0.0, 100.0], 0.05, 0.05).unwrap();
    let plan = ContestPlan { test: Some(test), ..place.plan(400) };
    let progress = plan.hold(&mut store, 1, &mut |_, _| {}).unwrap();
    assert_eq!(progress.decision, Some(Decision::AcceptH1));
    assert!(progress.played < 200, "{} games", progress.played);
    assert_eq!(progress.standings.void(), 1);
}

/// What older programs counted as lost is read as void: the reason has always been recorded.
#[test]
fn lost_games_of_older_stores_are_void() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/before-failures.db");
    fs::copy(Path::new(old), &path).unwrap();
    let store = Store::read(&path).unwrap();
    let (standings, _) = Standings::from_store(&store, "chess").unwrap();
    assert_eq!((standings.games(), standings.void()), (2, 4));
    assert!(markdown(&of_store(&store).unwrap()).contains("Another 4 failed"));
}
