//! Contests between small players of small games, through the store.

use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_game::limit::Signal;
use monteverde_game::{Game, Notation};
use monteverde_lab::adjudication::Adjudication;
use monteverde_lab::contest::{
    Contest, ContestError, ContestPlan, ContestProgress, Format, Meeting, MeetingError, Openings,
};
use monteverde_lab::contestant::Contestant;
use monteverde_lab::hands::Hands;
use monteverde_lab::pace::Pace;
use monteverde_lab::record::{By, GameRecord, GameResult};
use monteverde_lab::standings::Standings;
use monteverde_lab::store::{Store, StoreError};
use monteverde_statistics::{Decision, EloScale, SequentialTest, Wdl};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

fn plan(game: &str, specs: &[(&str, u64)], games: u64) -> ContestPlan {
    let contestant = |&(spec, count): &(&str, u64)| Contestant::spec(spec, Pace::Iterations(count));
    ContestPlan {
        game: monteverde_games::games().game(game).unwrap(),
        contestants: specs.iter().map(contestant).collect(),
        format: Format::RoundRobin,
        games,
        openings: Openings::Random { plies: 2, balance: None },
        seed: 7,
        adjudication: Adjudication::default(),
        test: None,
        equal_time: None,
        build: "test".to_owned(),
    }
}

fn hold(plan: ContestPlan, store: &mut Store, concurrency: usize) -> ContestProgress {
    plan.hold(store, concurrency, &mut |_, _| {}).unwrap()
}

/// Every game by its key, without what the clock has said.
fn games(store: &Store) -> BTreeMap<String, GameRecord> {
    let mut games = BTreeMap::new();
    store
        .records(None, |mut record| {
            record.started = 0;
            record.seconds = 0.0;
            for step in &mut record.moves {
                step.elapsed_ms = None;
            }
            let again = games.insert(record.key.clone(), record);
            assert_eq!(again, None, "no game twice");
            Ok::<_, StoreError>(())
        })
        .unwrap();
    games
}

#[test]
fn the_number_of_threads_changes_no_game() {
    for (game, openings) in [
        ("tic-tac-toe", Openings::Every { plies: 2 }),
        ("dice-race", Openings::Random { plies: 3, balance: None }),
    ] {
        let plan = ContestPlan { openings, ..plan(game, &[("uct", 30), ("uct:c=0.3", 20)], 30) };
        let [one, four] = [1, 4].map(|concurrency| {
            let mut store = Store::memory().unwrap();
            hold(plan.clone(), &mut store, concurrency);
            games(&store)
        });
        assert_eq!(one.len(), 30);
        assert_eq!(one, four);
    }
}

#[test]
fn games_are_pairs_with_sides_swapped() {
    let mut store = Store::memory().unwrap();
    hold(plan("tic-tac-toe", &[("uct", 5), ("uct", 5), ("uct", 50)], 6), &mut store, 2);
    let mut pairs: BTreeMap<_, Vec<GameRecord>> = BTreeMap::new();
    for record in games(&store).into_values() {
        let mut names = [record.first.clone(), record.second.clone()];
        names.sort();
        pairs.entry((record.pair, names)).or_default().push(record);
    }
    assert_eq!(pairs.len(), 9);
    for pair in pairs.values() {
        let [one, two] = pair.as_slice() else { panic!("two games a pair") };
        assert_eq!((&one.first, &one.second), (&two.second, &two.first));
        assert_eq!(one.opening, two.opening);
        assert_ne!(one.seed, two.seed);
    }
    let entrants = store.entrants_of("tic-tac-toe").unwrap();
    let names: Vec<_> = entrants.into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["uct", "uct #2", "uct #3"]);
}

#[test]
fn records_can_be_played_through() {
    fn check<G: Notation>(store: &Store) {
        for record in games(store).into_values() {
            let mut state = G::parse_state(&record.start_state).unwrap();
            for step in &record.moves {
                assert_eq!(step.by == By::Chance, state.is_pending());
                if state.is_pending() {
                    state.settle(state.parse_event(&step.text).unwrap());
                } else {
                    assert_eq!(step.iterations.is_some(), step.by == By::Player);
                    state.play(state.parse_move(&step.text).unwrap());
                }
            }
            assert_eq!(state.outcome(), Some(record.result.into()));
            assert_eq!(state.ending().unwrap(), record.reason.to_string());
        }
    }
    let mut store = Store::memory().unwrap();
    hold(plan("tic-tac-toe", &[("uct", 20), ("uct", 40)], 10), &mut store, 2);
    check::<TicTacToe>(&store);
    let mut store = Store::memory().unwrap();
    hold(plan("dice-race", &[("uct", 20), ("uct", 40)], 10), &mut store, 2);
    check::<DiceRace>(&store);
}

#[test]
fn the_second_run_plays_nothing_and_counts_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let contest = plan("tic-tac-toe", &[("uct", 10), ("uct", 100)], 20);
    let short = ContestPlan { games: 8, ..contest.clone() };
    let begun = hold(short, &mut Store::open(&path).unwrap(), 2);
    assert_eq!((begun.found, begun.played), (0, 8));
    let first = hold(contest.clone(), &mut Store::open(&path).unwrap(), 2);
    assert_eq!((first.found, first.played), (8, 12));
    let second = hold(contest, &mut Store::open(&path).unwrap(), 1);
    assert_eq!((second.found, second.played), (20, 0));
    assert_eq!(first.standings.pairs(0, 1), second.standings.pairs(0, 1));
    let stored = Standings::from_store(&Store::read(&path).unwrap(), "tic-tac-toe").unwrap().0;
    assert_eq!(stored.pairs(0, 1), first.standings.pairs(0, 1));
    assert_eq!(stored.between(0, 1), first.standings.between(0, 1));
}

#[test]
fn a_store_tells_players_of_one_name_apart() {
    let mut store = Store::memory().unwrap();
    for (one, two) in [(10, 20), (10, 30)] {
        hold(plan("tic-tac-toe", &[("uct", one), ("uct:c=0.5", two)], 2), &mut store, 1);
    }
    let standings = Standings::from_store(&store, "tic-tac-toe").unwrap().0;
    let names = ["uct", "uct:c=0.5 iterations=20", "uct:c=0.5 iterations=30"];
    assert_eq!(standings.names(), names);
    assert_eq!(standings.total(0).games(), 4);
}

#[test]
fn an_odd_number_of_games_is_played() {
    let odd = plan("tic-tac-toe", &[("uct", 5), ("uct", 5)], 7);
    let progress = hold(odd, &mut Store::memory().unwrap(), 2);
    assert_eq!(progress.standings.between(0, 1).games(), 7);
    assert_eq!(progress.standings.pairs(0, 1).pairs(), 3);
}

#[test]
fn a_gauntlet_is_one_against_all() {
    let specs = [("uct", 5), ("uct:c=0.5", 5), ("uct:c=0.7", 5)];
    let gauntlet = ContestPlan { format: Format::Gauntlet, ..plan("tic-tac-toe", &specs, 4) };
    assert_eq!(gauntlet.total(), 8);
    let progress = hold(gauntlet, &mut Store::memory().unwrap(), 2);
    assert_eq!(progress.standings.total(0).games(), 8);
    assert_eq!(progress.standings.between(1, 2), Wdl::default());
}

/// A plan of three players with the meetings that are given.
fn meetings(listed: &[((usize, usize), Option<u64>)], games: u64) -> ContestPlan {
    let listed = listed.iter().map(|&(players, games)| Meeting { players, games });
    let specs = [("uct", 5), ("uct:c=0.5", 5), ("uct:c=0.7", 5)];
    ContestPlan { format: Format::Meetings(listed.collect()), ..plan("tic-tac-toe", &specs, games) }
}

#[test]
fn only_listed_meetings_are_played_each_with_its_games() {
    let listed = meetings(&[((2, 0), Some(5)), ((1, 2), None)], 2);
    assert_eq!(listed.total(), 7);
    let contest = Contest::new(listed.clone()).unwrap();
    let names = contest.tasks().map(|task| [task.first.name.clone(), task.second.name.clone()]);
    let [a, b, c] = ["uct", "uct:c=0.5", "uct:c=0.7"];
    let order = [[a, c], [c, a], [b, c], [c, b], [a, c], [c, a], [a, c]];
    assert_eq!(names.collect::<Vec<_>>(), order);
    let progress = hold(listed, &mut Store::memory().unwrap(), 2);
    assert_eq!((progress.found, progress.played), (0, 7));
    let games = |one, two| progress.standings.between(one, two).games();
    assert_eq!([games(0, 1), games(0, 2), games(1, 2)], [0, 5, 2]);
    assert_eq!(progress.standings.pairs(0, 2).pairs(), 2);
}

#[test]
fn a_round_robin_supplies_the_games_of_meetings() {
    let mut store = Store::memory().unwrap();
    let listed = meetings(&[((2, 0), Some(5)), ((0, 1), None), ((2, 1), Some(8))], 4);
    let all = |games| ContestPlan { format: Format::RoundRobin, games, ..listed.clone() };
    hold(all(8), &mut store, 2);
    let progress = hold(listed.clone(), &mut store, 2);
    assert_eq!((progress.found, progress.played), (listed.total(), 0));
    assert_eq!(listed.total(), 17);
    for ((one, two), games) in [((0, 2), 5), ((0, 1), 4), ((1, 2), 8)] {
        let beginning = hold(all(games), &mut store, 2);
        assert_eq!(beginning.played, 0);
        let digest = progress.standings.digest(one, two);
        assert!(digest.is_some());
        assert_eq!(digest, beginning.standings.digest(one, two), "{one} against {two}");
    }
}

#[test]
fn a_test_stops_at_the_same_game_on_any_number_of_threads() {
    let test = SequentialTest::new(EloScale::Logistic, [0.0, 200.0], 0.05, 0.05).unwrap();
    let contest = ContestPlan {
        test: Some(test),
        ..plan("tic-tac-toe", &[("uct", 300), ("uct", 2)], 10_000)
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let one = hold(contest.clone(), &mut Store::memory().unwrap(), 1);
    let four = hold(contest.clone(), &mut Store::open(&path).unwrap(), 4);
    let again = hold(contest, &mut Store::open(&path).unwrap(), 4);
    assert_eq!(one.decision, Some(Decision::AcceptH1));
    assert!(one.standings.games() < 1000);
    for other in [&four, &again] {
        assert_eq!(other.decision, one.decision);
        assert_eq!(other.standings.pairs(0, 1), one.standings.pairs(0, 1));
        assert_eq!(other.standings.games(), one.standings.games());
    }
    assert_eq!(again.played, 0);
}

#[test]
fn long_games_are_cut_where_asked() {
    let adjudication = Adjudication { length: Some(4), ..Adjudication::default() };
    let contest = ContestPlan { adjudication, ..plan("tic-tac-toe", &[("uct", 5), ("uct", 5)], 4) };
    let progress = hold(contest, &mut Store::memory().unwrap(), 1);
    assert_eq!(progress.standings.reasons()["adjudicated-length"], 4);
}

/// A won ending, a drawn one, and one of four pieces in which the only move takes a queen.
#[test]
fn endgame_tables_end_games_where_asked() {
    let starts = [
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", GameResult::First, 0),
        ("7k/8/7K/7P/8/8/8/8 w - - 0 1", GameResult::Draw, 0),
        ("7k/8/8/8/8/8/1q6/K1R5 w - - 0 1", GameResult::First, 1),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("starts.fen");
    std::fs::write(&path, starts.map(|start| start.0).join("\n")).unwrap();
    let contest = ContestPlan {
        openings: Openings::File { path, plies: None },
        adjudication: Adjudication { tables: Some(3), ..Adjudication::default() },
        ..plan("chess", &[("mcc:memory=1MiB", 5), ("mcc:memory=1MiB", 5)], 6)
    };
    let mut store = Store::memory().unwrap();
    let progress = hold(contest, &mut store, 1);
    assert_eq!(progress.standings.reasons()["adjudicated-tables"], 6);
    let games = games(&store);
    for (start, result, plies) in starts {
        let from = games.values().filter(|game| game.start_state == start);
        let ended: Vec<_> = from.map(|game| (game.result, game.moves.len())).collect();
        assert_eq!(ended, [(result, plies); 2], "{start}");
    }
}

#[test]
fn what_cannot_be_held_is_refused() {
    let refused = |plan: ContestPlan| Contest::new(plan).unwrap_err();
    let good = plan("tic-tac-toe", &[("uct", 5), ("uct", 5)], 4);
    assert!(matches!(refused(ContestPlan { games: 0, ..good.clone() }), ContestError::NoGames));
    let alone = plan("tic-tac-toe", &[("uct", 5)], 4);
    assert!(matches!(refused(alone), ContestError::TooFew(1)));
    let unknown = plan("tic-tac-toe", &[("uct", 5), ("utc", 5)], 4);
    assert!(refused(unknown).to_string().contains("perhaps 'uct'?"));
    let mut engine = good.clone();
    engine.contestants[1] = Contestant::from_words("uci:stockfish", Pace::Nodes(5)).unwrap();
    assert!(matches!(refused(engine), ContestError::NotForEngines { .. }));
    for (listed, error) in [
        (&[][..], MeetingError::Empty),
        (&[((0, 3), None)], MeetingError::NoPlayer { number: 3, count: 3 }),
        (&[((0, 0), None)], MeetingError::Itself { name: "uct".to_owned() }),
    ] {
        let refused = refused(meetings(listed, 4));
        assert!(matches!(&refused, ContestError::Meeting(found) if *found == error), "{refused}");
    }
    let test = SequentialTest::new(EloScale::Logistic, [0.0, 200.0], 0.05, 0.05).ok();
    let tested = ContestPlan { test, ..meetings(&[((0, 1), None)], 4) };
    assert!(matches!(refused(tested), ContestError::TestOfMany(3)));
    let tables = Adjudication { tables: Some(3), ..Adjudication::default() };
    let judged = ContestPlan { adjudication: tables, ..good.clone() };
    assert!(refused(judged).to_string().contains("tic-tac-toe has none"));
}

/// A game without chance and one with it, so that the names used here stay those of the games.
#[test]
fn the_games_are_called_as_here() {
    assert_eq!((TicTacToe::NAME, DiceRace::NAME), ("tic-tac-toe", "dice-race"));
}

#[test]
fn games_of_different_contests_make_no_pair() {
    let mut store = Store::memory().unwrap();
    let odd = plan("tic-tac-toe", &[("uct", 5), ("uct:c=0.5", 5)], 3);
    let length = Adjudication { length: Some(100), ..Adjudication::default() };
    for other in [
        odd.clone(),
        ContestPlan { build: "another".to_owned(), ..odd.clone() },
        ContestPlan { openings: Openings::Start, ..odd.clone() },
        ContestPlan { adjudication: length, ..odd.clone() },
    ] {
        hold(other, &mut store, 2);
    }
    let standings = Standings::from_store(&store, "tic-tac-toe").unwrap().0;
    assert_eq!(standings.games(), 12);
    assert_eq!(standings.pairs(0, 1).pairs(), 4, "each third game is without its other");
}

/// One game that cannot be read costs itself: a run plays that one again, and the same.
#[test]
fn a_damaged_game_is_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let plan = plan("tic-tac-toe", &[("uct", 20), ("uct:c=0.5", 10)], 6);
    hold(plan.clone(), &mut Store::open(&path).unwrap(), 1);
    let before = games(&Store::read(&path).unwrap());
    for damage in [
        "UPDATE records SET body = x'00' WHERE id = 2",
        "DELETE FROM records WHERE id = 3",
        "UPDATE games SET first_points = 7 WHERE id = 4",
    ] {
        rusqlite::Connection::open(&path).unwrap().execute_batch(damage).unwrap();
        let progress = hold(plan.clone(), &mut Store::open(&path).unwrap(), 1);
        assert_eq!((progress.found, progress.played), (5, 1), "{damage}");
        let store = Store::read(&path).unwrap();
        assert_eq!(games(&store), before, "{damage}");
        assert_eq!(Standings::from_store(&store, "tic-tac-toe").unwrap().1, []);
    }
}

/// A player that would think for a thousand years is stopped, and its game is not kept.
#[test]
fn a_run_is_stopped_within_a_move() {
    let mut store = Store::memory().unwrap();
    let long = u64::from(u32::MAX);
    let plan = plan("tic-tac-toe", &[("uct", long), ("uct:c=0.5", long)], 6);
    let stop = Arc::new(Signal::default());
    let control = Hands { stop: stop.clone(), ..Hands::from(2) };
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        stop.stop();
    });
    let progress = plan.hold(&mut store, control, &mut |_, _| {}).unwrap();
    stopper.join().unwrap();
    assert_eq!((progress.played, store.count(None).unwrap()), (0, 0));
}
