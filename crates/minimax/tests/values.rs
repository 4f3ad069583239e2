//! Values against plain minimax, which looks at everything.

use crate::common::{Guesses, Scattered};
use monteverde_game::fixtures::{TicTacToe, exact_proof};
use monteverde_game::limit::Limit;
use monteverde_game::report::Report;
use monteverde_game::{Game, Knowledge, Never, NoKnowledge, Notation, Proof, Ties};
use monteverde_minimax::value::{WIN, of_eval};
use monteverde_minimax::{Config, History, Realization, Search, Tactics};

/// The value by looking at every line.
fn minimax<G: Game, T: Tactics<G>>(state: &G, tactics: &T, depth: i32, most: i32, ply: i32) -> i32 {
    if let Some(outcome) = state.outcome() {
        return outcome.value_for(state.turn()) * (WIN - ply);
    }
    let eval = || of_eval(tactics.eval(state).unwrap_or(0.0));
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let mut best = -WIN;
    if depth <= 0 {
        if -depth >= most {
            return eval();
        }
        if !tactics.is_urgent(state) {
            best = eval();
            moves.retain(|&mv| tactics.loud(state, mv).is_some_and(|gain| gain >= 0));
        }
    }
    for mv in moves {
        let mut next = state.clone();
        next.play(mv);
        let value = minimax(&next, tactics, depth - 1, most, ply + 1);
        best = best.max(if next.turn() == state.turn() { value } else { -value });
    }
    best
}

fn value<G: Game>(report: &Report<G>) -> i32 {
    match report.proof {
        Proof::Win(plies) => WIN - i32::from(plies),
        Proof::Loss(plies) => i32::from(plies) - WIN,
        Proof::Draw => 0,
        Proof::Open => report.best_move().and_then(|entry| entry.eval).expect("a value") as i32,
    }
}

/// Every combination of the parts that keep the value.
fn exact_configs() -> impl Iterator<Item = Config> {
    (0..1 << 9).map(|bits: u32| {
        let is_on = |part: u32| bits >> part & 1 == 1;
        let history = if is_on(8) { History::Relative } else { History::Plain };
        Config {
            deepening: is_on(0),
            table: is_on(1).then_some(1 << 12),
            pvs: is_on(2),
            aspiration: is_on(3).then_some(2),
            gains: is_on(4),
            killers: is_on(5),
            history: is_on(6).then_some(history),
            etc: is_on(7).then_some(2),
            ties: if is_on(8) { Ties::Random } else { Ties::First },
            ..Config::PLAIN
        }
    })
}

fn search<G: Game<Event = Never>, T: Tactics<G>>(
    config: Config,
    tactics: T,
    state: &G,
) -> Report<G> {
    Search::new(config, tactics).run(state, &Limit::none())
}

#[test]
fn every_exact_part_keeps_the_value() {
    for (index, config) in exact_configs().enumerate() {
        // Every configuration sees three games, and each three others.
        for seed in (index as u64..).take(3) {
            let state = Scattered::new(seed);
            for (depth, most) in [(1, 0), (2, 3), (5, 2), (7, 0), (20, 0)] {
                let config = Config {
                    depth: Some(depth as u32),
                    quiescence: (most > 0).then_some(most as u32),
                    ..config.clone()
                };
                let expected = minimax(&state, &Guesses, depth, most, 0);
                let report = search(config.clone(), Guesses, &state);
                assert_eq!(value(&report), expected, "seed {seed}, depth {depth}, {config:?}");
                let best = report.best.expect("the root has moves");
                let mut after = state.clone();
                after.play(best);
                let reached = minimax(&after, &Guesses, depth - 1, most, 1);
                let reached = if after.turn() == state.turn() { reached } else { -reached };
                assert_eq!(reached, expected, "{best:?} of seed {seed}, depth {depth}, {config:?}");
            }
        }
    }
}

/// Followed to the end, the values of all states of tic-tac-toe are known.
#[test]
fn tic_tac_toe_is_solved() {
    for config in exact_configs().step_by(11).chain([Config::default()]) {
        for text in [
            "... ... ...",
            "x.. ... ...",
            "x.. .o. ..x",
            "xo. ... ...",
            "xx. oo. ...",
            ".x. xo. ...",
        ] {
            let state = TicTacToe::parse_state(text).expect("a state of the test");
            let report = search(config.clone(), NoKnowledge, &state);
            assert_eq!(report.proof, exact_proof(&state), "{text}, {config:?}");
        }
    }
}

/// Wins and losses are true whatever is on, though perhaps not the fastest.
#[test]
fn guessing_parts_prove_nothing_false() {
    let likely = Realization { full: 1, ..Realization::default() };
    for (seed, depth) in (0..300).flat_map(|seed| (1..10).map(move |depth| (seed, depth))) {
        let state = Scattered::new(seed);
        let expected = minimax(&state, &Guesses, 20, 0, 0);
        for realization in [None, Some(likely)] {
            let config = Config {
                depth: Some(depth),
                table: Some(1 << 12),
                etc: Some(2),
                multicut: Some(Default::default()),
                realization,
                ..Config::default()
            };
            match search(config, Guesses, &state).proof {
                Proof::Open => {}
                Proof::Draw => assert_eq!(expected, 0, "seed {seed}, depth {depth}"),
                Proof::Win(plies) => assert!(expected >= WIN - i32::from(plies), "seed {seed}"),
                Proof::Loss(plies) => assert!(expected <= i32::from(plies) - WIN, "seed {seed}"),
            }
        }
    }
}

/// Costs only postpone: deep enough, the value is that of all lines, whatever the moves cost.
#[test]
fn unlikely_moves_are_searched_in_the_end() {
    let mut differs = 0;
    for seed in 0..300 {
        let state = Scattered::new(seed);
        let nodes = |realization| {
            let config = Config { depth: Some(40), realization, ..Config::PLAIN };
            let report = search(config, Guesses, &state);
            assert_eq!(value(&report), minimax(&state, &Guesses, 40, 0, 0), "seed {seed}");
            let config = Config { depth: Some(4), realization, ..Config::PLAIN };
            search(config, Guesses, &state).figures.iterations
        };
        differs += u32::from(nodes(None) != nodes(Some(Realization::default())));
    }
    assert!(differs > 200, "only {differs} of 300 shallow searches differ");
}

/// Where every move is as likely as one that costs a ply, realization probabilities change nothing.
#[test]
fn a_ply_for_every_move_is_the_usual_search() {
    struct Even;
    impl Knowledge<TicTacToe> for Even {}
    impl Tactics<TicTacToe> for Even {
        fn surprise(&self, _: &TicTacToe, _: <TicTacToe as Game>::Move) -> Option<f32> {
            Some(3.0)
        }
    }
    let state = TicTacToe::start();
    let nodes = |bits: Option<f32>| {
        let realization = bits.map(|bits| Realization { bits, full: 0 });
        let config = Config { depth: Some(6), realization, ..Config::default() };
        search(config, Even, &state).figures.iterations
    };
    assert_eq!(nodes(Some(3.0)), nodes(None));
    assert!(nodes(Some(1.5)) < nodes(None), "two plies a move");
    assert!(nodes(Some(6.0)) > nodes(None), "half a ply a move");
}

#[test]
fn a_near_enough_win_ends_the_search() {
    let state = TicTacToe::parse_state("xx. oo. ...").expect("a state of the test");
    let search = |mate| {
        let config = Config { depth: Some(5), ..Config::PLAIN };
        Search::new(config, NoKnowledge).run(&state, &Limit { mate, ..Limit::none() })
    };
    let (all, some) = (search(None), search(Some(1)));
    assert_eq!((all.proof, some.proof), (Proof::Win(1), Proof::Win(1)));
    assert!(some.figures.iterations < all.figures.iterations);
}

#[test]
fn noise_is_drawn_by_the_seed() {
    let result = |noise, seed, index| {
        let config = Config { depth: Some(3), noise, seed, ..Config::default() };
        search(config, Guesses, &Scattered::new(index)).best
    };
    let bests = |noise, seed| (0..50).map(|index| result(noise, seed, index)).collect::<Vec<_>>();
    assert_eq!(bests(None, 1), bests(None, 2));
    assert_eq!(bests(Some(20), 1), bests(Some(20), 1));
    assert_ne!(bests(Some(20), 1), bests(Some(20), 2));
}

#[test]
fn same_search_same_result() {
    let result = |seed| {
        let report =
            search(Config { depth: Some(6), ..Config::default() }, Guesses, &Scattered::new(seed));
        (
            report.best,
            report.figures.iterations,
            report.pv,
            report.moves.iter().map(|m| m.visits).collect::<Vec<_>>(),
        )
    };
    for seed in 0..20 {
        assert_eq!(result(seed), result(seed));
    }
}

#[test]
fn a_limit_in_nodes_is_kept_and_still_gives_a_move() {
    let state = Scattered::new(1);
    for nodes in [0, 1, 2, 5, 20, 100] {
        let report = Search::new(Config::default(), Guesses).run(&state, &Limit::iterations(nodes));
        assert!(report.figures.iterations <= nodes);
        assert!(report.best.is_some());
    }
}

#[test]
fn ties_are_drawn_by_the_seed() {
    let state = TicTacToe::start();
    let config = Config { depth: Some(1), ties: Ties::Random, ..Config::PLAIN };
    let mut found: Vec<_> = (0..200)
        .map(|seed| {
            search(Config { seed, ..config.clone() }, NoKnowledge, &state)
                .best
                .map(|mv| state.move_text(mv))
        })
        .collect();
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 9, "every first move is worth the same to a search of one ply");
}
