//! The players that search by alpha-beta.

use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::{Control, Report};
use monteverde_game::{Game, Outcome, Proof, Side};
use monteverde_games::games;
use monteverde_players::{AnyGame, AnyState, AnyStep, Overrides, Player, Spec, SpecError, build};
use std::time::Duration;

fn chess() -> AnyGame {
    games().game("chess").expect("the game")
}

fn parse(text: &str) -> Result<Spec, SpecError> {
    Spec::read(chess(), text)
}

fn think(player: &mut dyn Player<AnyState>, limit: &Limit<AnyStep>) -> Report<AnyState> {
    let control = Control {
        clock: &NoClock,
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| {},
    };
    player.think(limit, control)
}

#[test]
fn specs_are_read_and_printed() {
    for (text, canonical) in [
        ("ab", "ab"),
        ("ab:depth=2", "ab:depth=2"),
        ("ab:depth=128,table,no-null", "ab:no-null"),
        ("ab:lmr,no-table,history=relative", "ab:no-table,history=relative"),
        ("ab:memory=1024KiB", "ab:memory=1MiB"),
        ("greedy:seed=7", "greedy:seed=7"),
        ("greedy:depth=2,pvs", "greedy:depth=2,pvs"),
    ] {
        let spec = parse(text).unwrap_or_else(|error| panic!("'{text}': {error}"));
        assert_eq!(spec.to_string(), canonical, "'{text}'");
        assert_eq!(parse(canonical), Ok(spec.clone()));
        assert!(spec.settings().is_none() && spec.alphabeta().is_some());
    }
}

#[test]
fn mistakes_name_the_settings_of_the_kind() {
    for (text, part) in [
        ("ab:c=1", "a player has no setting 'c'; settings: depth, eval, network, deepening, table"),
        ("ab:killer", "a player has no setting 'killer' (perhaps 'killers'?)"),
        ("mcc:depth=2", "a player has no setting 'depth' (perhaps 'ept'?); settings: uct, c,"),
        (
            "ab:depth=0",
            "'0' is no value for the setting depth, which takes a whole number from 1 to",
        ),
        ("ab:null=1", "null is a flag and takes no value"),
        ("ab:no-table,memory=1MiB", "the setting memory means nothing without 'table'"),
        ("greed", "chess has no player 'greed' (perhaps 'greedy'?); its players: mcc,"),
    ] {
        let said = parse(text).expect_err(text).to_string();
        assert!(said.contains(part), "'{text}' says: {said}");
    }
}

#[test]
fn a_front_end_sets_memory_and_seed_and_may_say_one_thread() {
    let with = |overrides: &Overrides| parse("ab").and_then(|spec| spec.with(overrides));
    let fine = Overrides {
        threads: Some(1),
        memory: Some(1 << 20),
        seed: Some(9),
        ..Overrides::default()
    };
    let spec = with(&fine).expect("one thread");
    assert_eq!((spec.memory(), spec.seed(), spec.clock_use().fraction), (1 << 20, 9, 30));
    let error = with(&Overrides { threads: Some(2), ..fine }).expect_err("two threads");
    assert!(error.to_string().starts_with("a player has no setting 'threads'"));
}

#[test]
fn greedy_takes_the_most_and_mates() {
    // The queen is worth more than the rook; and then a mate more than anything.
    for (fen, best) in [
        ("4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1", "e4d5"),
        ("6k1/5ppp/8/8/8/8/q7/1R2K3 w - - 0 1", "b1b8"),
    ] {
        let state = chess().parse_state(fen).expect("a state");
        let mut player = parse("greedy").expect("a spec").make(&state);
        let report = think(&mut *player, &Limit::none());
        assert_eq!(report.best.map(|mv| state.move_text(mv)).as_deref(), Some(best), "{fen}");
    }
}

#[test]
fn greedy_varies_with_its_seed_and_repeats_with_it() {
    let first_move = |seed| {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let mut player = build(chess(), "greedy", &overrides).expect("a player");
        let first = think(&mut *player, &Limit::none()).best;
        player.begin(&chess().start());
        assert_eq!(think(&mut *player, &Limit::none()).best, first);
        first.map(|mv| chess().start().move_text(mv))
    };
    let mut moves: Vec<_> = (0..200).map(first_move).collect();
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 20, "every first move leaves the same material");
}

#[test]
fn a_report_has_what_front_ends_show() {
    let state = chess().parse_state("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1").expect("a state");
    let mut player = parse("ab").expect("a spec").make(&state);
    let report = think(&mut *player, &Limit::none());
    assert_eq!(report.proof, Proof::Win(5));
    assert!(report.pv.len() >= 2, "a reply to expect: {:?}", report.pv);
    assert_eq!(report.mean, 1.0);
    let mut player = build(chess(), "ab:depth=3", &Overrides::default()).expect("a player");
    let report = think(&mut *player, &Limit::none());
    let best = report.best_move().expect("a move");
    assert_eq!(report.figures.depth, 3.0);
    assert!(best.eval.is_some_and(|eval| eval.abs() < 200.0));
    let nodes: u64 = report.moves.iter().map(|entry| u64::from(entry.visits)).sum();
    assert_eq!(nodes, report.figures.iterations);
}

/// Some games of a 2-ply search against greed; the match of a hundred is in `docs/minimax.md`.
#[test]
fn two_plies_beat_greed() {
    for (seed, side) in [(1, Side::First), (2, Side::Second), (3, Side::First), (4, Side::Second)] {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let mut searcher = build(chess(), "ab:depth=2,memory=1MiB", &overrides).expect("a player");
        let mut greedy = build(chess(), "greedy", &overrides).expect("a player");
        let mut state = chess().start();
        let outcome = loop {
            if let Some(outcome) = state.outcome() {
                break outcome;
            }
            let player = if state.turn() == side { &mut searcher } else { &mut greedy };
            let best = think(&mut **player, &Limit::none()).best.expect("the game goes on");
            searcher.play(best);
            greedy.play(best);
            state.play(best);
        };
        assert_eq!(outcome, Outcome::Win(side), "seed {seed}: {}", state.state_text());
    }
}
