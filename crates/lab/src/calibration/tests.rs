use super::*;
use crate::store::Store;
use crate::testing::game;

fn equal(speeds: &[(&str, f64)]) -> EqualTime {
    EqualTime {
        reference: "mcc".to_owned(),
        iterations: 500,
        speeds: speeds.iter().map(|(name, speed)| ((*name).to_owned(), *speed)).collect(),
        takers: vec![0, 1],
        states: States::Game,
    }
}

fn contestants() -> Vec<Contestant> {
    ["mcc", "mcc:c=0.50", "mcc"].map(|spec| Contestant::spec(spec, Pace::Nodes(7))).into()
}

#[test]
fn given_speeds_share_out_iterations() {
    let mut store = Store::memory().unwrap();
    let mut all = contestants();
    let speeds = [("mcc", 1000.0), ("mcc:c=0.5", 250.0)];
    let found = equalise(game("chess"), &equal(&speeds), &mut all, &mut store, "test").unwrap();
    let paces: Vec<Pace> = all.iter().map(|one| one.pace).collect();
    assert_eq!(paces, [Pace::Iterations(500), Pace::Iterations(125), Pace::Nodes(7)]);
    assert_eq!(found.source, SpeedSource::Given);
    let slow = [("mcc", 1000.0), ("mcc:c=0.5", 0.001)];
    let found = equalise(game("chess"), &equal(&slow), &mut all, &mut store, "test").unwrap();
    assert_eq!(found.players[1].iterations, 1, "a move needs an iteration");
    for wrong in [("mcc:c=0.5", 0.0), ("mcc:c=0.5", f64::NAN), ("mcc:c=1", 5.0)] {
        let speeds = [("mcc", 1000.0), wrong];
        let error = equalise(game("chess"), &equal(&speeds), &mut all, &mut store, "test");
        assert!(matches!(error, Err(CalibrationError::NoSpeed { .. })), "{wrong:?}");
    }
}

/// The same player under two names that the search does not tell apart must come out equally fast.
#[test]
fn equal_players_get_equal_shares_and_the_store_remembers() {
    let mut store = Store::memory().unwrap();
    let mut all = contestants();
    let twin = EqualTime { speeds: BTreeMap::new(), ..equal(&[]) };
    all[1] = Contestant::spec("mcc:fraction=31", Pace::Nodes(7));
    let first = equalise(game("chess"), &twin, &mut all, &mut store, "test").unwrap();
    assert_eq!(first.players[0].iterations, 500, "the reference has what it was given");
    let other = first.players[1].iterations;
    assert!((450..=550).contains(&other), "{first:?}");
    let again = equalise(game("chess"), &twin, &mut all, &mut store, "test").unwrap();
    assert_eq!(again, first);
    let start = EqualTime { states: States::Start, ..twin };
    let elsewhere = equalise(game("chess"), &start, &mut all, &mut store, "test").unwrap();
    assert_ne!(elsewhere, first, "other states are measured anew");
    let ratio = first.players[1].times(&first.players[0]);
    assert!(ratio.low <= ratio.value && ratio.value <= ratio.high && ratio.low < ratio.high);
    assert_eq!(first.players[1].rounds.len(), 7);
    let text = serde_json::to_string(&first).unwrap();
    assert_eq!(serde_json::from_str::<Calibration>(&text).unwrap(), first);
}

#[test]
fn ratios_are_those_of_rounds() {
    let player = |per_second, rounds: &[f64]| Calibrated {
        name: String::new(),
        spec: String::new(),
        per_second,
        iterations: 1,
        rounds: rounds.to_vec(),
    };
    // The machine was half as fast in the second round.
    let base = player(10.0, &[10.0, 5.0, 12.0, 10.0, 10.0, 10.0]);
    let twice = player(20.0, &[20.0, 11.0, 21.0, 20.0, 20.0, 20.0]);
    let found = Interval { value: Some(2.0), low: Some(1.75), high: Some(2.2) };
    assert_eq!(twice.times(&base), found);
    assert_eq!(base.times(&base), Interval::around(1.0, 0.0));
    assert_eq!(
        twice.times(&player(10.0, &[])),
        Interval::exact(2.0),
        "measured before rounds were kept"
    );
}

#[test]
fn engines_are_not_calibrated() {
    let mut all = contestants();
    all[1] = Contestant::from_words("uci:engine", Pace::Nodes(7)).unwrap();
    let error = equalise(game("chess"), &equal(&[]), &mut all, &mut Store::memory().unwrap(), "t");
    assert!(matches!(error, Err(CalibrationError::Engine(name)) if name == "engine"));
}

#[test]
fn every_game_has_states_to_measure_in() {
    fn check(name: &str) -> usize {
        let states = states_of_a_game(game(name), GAME_PLIES);
        assert!(states.iter().all(|state| state.outcome().is_none() && !state.is_pending()));
        assert_eq!(states[0].state_text(), game(name).start().state_text());
        states.len()
    }
    assert_eq!(check("chess"), STATES);
    let early = states_of_a_game(game("loa"), EARLY_PLIES);
    let whole = states_of_a_game(game("loa"), GAME_PLIES);
    assert_eq!((early.len(), early[0].state_text()), (STATES, whole[0].state_text()));
    // The same game: the second of the early states lies before the second of the whole game.
    assert_ne!(early[1].state_text(), whole[1].state_text());
    assert!(check("tic-tac-toe") >= 5, "no game of tic-tac-toe is shorter");
    assert!(check("dice-race") > 0);
}

#[test]
fn a_shard_needs_speeds_and_measures_none() {
    let mut store = Store::memory().unwrap();
    let equal = EqualTime { reference: "uct".to_owned(), ..equal(&[]) };
    let all = || ["uct", "uct:c=0.5"].map(|spec| Contestant::spec(spec, Pace::Nodes(7)));
    let set = |speeds: Speeds<'_>| {
        let mut all = all();
        equalise(game("tic-tac-toe"), &equal, &mut all, speeds, "test").map(|_| all)
    };
    let error = set(Speeds::Known(&store)).unwrap_err().to_string();
    assert!(error.starts_with("the speed of 'uct' is not known"), "{error}");
    let measured = set(Speeds::Measured(&mut store)).unwrap();
    let mut shard = Store::memory().unwrap();
    assert_eq!(take_speeds(&mut shard, &store).unwrap(), 2);
    assert_eq!(set(Speeds::Known(&shard)).unwrap(), measured);
}
