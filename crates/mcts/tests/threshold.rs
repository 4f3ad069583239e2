//! The threshold and the value of a draw, on tic-tac-toe.

use monteverde_game::fixtures::TicTacToe;
use monteverde_game::{Game, Knowledge, Notation, Outcome, PlayoutKnowledge, Rng};
use monteverde_mcts::playout::{Playouts, Strategy};
use monteverde_mcts::{
    Config, EmptyRoot, Limit, Report, Search, Threshold, TreeTies, Uct, Untried, Walk,
};
use std::collections::BTreeSet;

/// Rules of thumb that leave one move: the last in generation order.
struct Last;

impl Knowledge<TicTacToe> for Last {}

impl PlayoutKnowledge<TicTacToe> for Last {
    fn sample_filtered(
        &self,
        state: &TicTacToe,
        _: &mut Vec<u64>,
        _: &mut Rng,
    ) -> Result<<TicTacToe as Game>::Move, Outcome> {
        if let Some(outcome) = state.outcome() {
            return Err(outcome);
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        Ok(moves[moves.len() - 1])
    }
}

fn threshold(visits: u32) -> Threshold {
    Threshold { visits, untried: Untried::Ignored }
}

fn config(visits: Option<u32>) -> Config {
    let threshold = visits.map(threshold);
    let playout = Playouts { strategy: Strategy::Filtered, ..Playouts::default() };
    Config { threshold, playout, memory: 1 << 20, ..Config::default() }
}

#[test]
fn below_the_threshold_the_strategy_decides() {
    let mut search = Search::with_knowledge(config(Some(1000)), TicTacToe::start(), Last);
    let report = search.run(&Limit::iterations(50));
    let visited: Vec<_> = report.moves.iter().filter(|entry| entry.visits > 0).collect();
    assert_eq!(visited.len(), 1, "one move is all that the rules of thumb leave");
    assert_eq!((visited[0].visits, report.best), (50, Some(visited[0].mv)));
    // The line is added move by move; one iteration is one more edge until the game is over.
    assert_eq!(report.figures.deepest, visited[0].pv.len() as u32);
    let mut plain = Search::with_knowledge(config(None), TicTacToe::start(), Last);
    let moves = plain.run(&Limit::iterations(50)).moves;
    assert!(moves.iter().all(|entry| entry.visits > 0), "without it every move is tried");
}

/// With uniform playouts and a threshold of a few visits some moves are never played in a node, and
/// so are never selected either; with a high one all are.
#[test]
fn beyond_the_threshold_only_moves_in_the_tree_are_selected() {
    let visited = |visits, untried| {
        let threshold = Some(Threshold { visits, untried });
        let config = Config { threshold, memory: 1 << 20, ..Config::default() };
        let report = Search::new(config, TicTacToe::start()).run(&Limit::iterations(2000));
        assert_eq!(report.moves.iter().map(|entry| u64::from(entry.visits)).sum::<u64>(), 2000);
        report.moves.iter().filter(|entry| entry.visits > 0).count()
    };
    assert!((1..=5).contains(&visited(5, Untried::Ignored)), "five moves were sampled");
    assert_eq!(visited(200, Untried::Ignored), 9);
    assert_eq!(visited(5, Untried::Selected), 9);
}

#[test]
fn some_threads_share_what_is_sampled() {
    let config =
        Config { threshold: Some(threshold(20)), threads: 3, memory: 1 << 20, ..Config::default() };
    let state = TicTacToe::parse_state("xx. oo. ...").expect("a state of the test");
    let mut search = Search::new(config, state.clone());
    let report = search.run(&Limit::iterations(5000));
    assert_eq!(report.best.map(|mv| state.move_text(mv)).as_deref(), Some("c3"));
    assert_eq!(report.figures.iterations, 5000);
}

/// What is in the tree is kept, be it a single visit; what is not is lost.
#[test]
fn a_move_that_was_never_sampled_collapses_the_tree() {
    let mut search = Search::with_knowledge(config(Some(1000)), TicTacToe::start(), Last);
    let last = search.run(&Limit::iterations(2)).best.expect("a move");
    search.play(last);
    assert_eq!(search.run(&Limit::iterations(1)).figures.kept, 2);
    let mut moves = Vec::new();
    search.state().moves(&mut moves);
    search.play(moves[0]);
    assert_eq!(search.run(&Limit::iterations(1)).figures.kept, 0);
}

/// The last square of a board on which nobody can win any more.
#[test]
fn a_draw_is_worth_what_it_is_said_to_be() {
    let state = TicTacToe::parse_state("xox xoo ox.").expect("a state of the test");
    for (value, expected) in [(None, 0.0), (Some(-1.0), -1.0), (Some(0.25), 0.25)] {
        let config = Config {
            draw_value: value,
            uct: Uct::Ratio { c: 1.0 },
            memory: 1 << 20,
            ..Config::default()
        };
        let report = Search::new(config, state.clone()).run(&Limit::iterations(10));
        assert_eq!(report.moves[0].mean, expected);
        assert_eq!(report.mean, expected);
    }
}

/// There is one line to the end of the game. Once it is in the tree, a walk comes to its end in
/// every iteration, and either counts there or begins anew at the root, where it leaves no visit.
#[test]
fn a_walk_to_the_end_counts_or_begins_anew() {
    let visits = |walk| {
        let config = Config { walk, ..config(Some(1000)) };
        let mut search = Search::with_knowledge(config, TicTacToe::start(), Last);
        let report = search.run(&Limit::iterations(50));
        (report.moves[0].visits, report.figures.deepest)
    };
    assert_eq!(visits(Walk::Ends).0, 50);
    let (visits, deepest) = visits(Walk::Restarts);
    assert_eq!(visits, deepest, "a visit for each edge that was added");
}

#[test]
fn threads_that_walk_anew_count_every_visit_once() {
    let config = Config { walk: Walk::Restarts, threads: 3, ..config(Some(1_000_000)) };
    let mut search = Search::with_knowledge(config, TicTacToe::start(), Last);
    let report = search.run(&Limit::iterations(5000));
    assert!(report.moves[0].visits < 100, "{}", report.moves[0].visits);
}

#[test]
fn a_visit_of_an_empty_root_brings_it_above_the_threshold() {
    let state = TicTacToe::start();
    let first = |empty_root| {
        let threshold = Some(Threshold { visits: 1, untried: Untried::Selected });
        let config = Config { empty_root, threshold, ..config(None) };
        let mut search = Search::with_knowledge(config, state.clone(), Last);
        let report = search.run(&Limit::iterations(1));
        assert_eq!(report.figures.kept, 0);
        report.best.map(|mv| state.move_text(mv)).expect("a move")
    };
    assert_eq!(first(EmptyRoot::Unvisited), "c1", "sampled: the last");
    assert_eq!(first(EmptyRoot::Visited), "a3", "selected: the first");
}

/// Both moves draw: after two iterations they are equals.
#[test]
fn of_equals_a_random_one_is_selected_and_chosen() {
    let state = TicTacToe::parse_state("xxo oox x..").expect("a state of the test");
    let seeds = |ties, of: &dyn Fn(Report<TicTacToe>) -> String, iterations| -> BTreeSet<String> {
        let report = |seed| {
            let config = Config { ties, seed, memory: 1 << 20, ..Config::default() };
            of(Search::new(config, state.clone()).run(&Limit::iterations(iterations)))
        };
        (0..40).map(report).collect()
    };
    let chosen = |report: Report<TicTacToe>| state.move_text(report.best.expect("a move"));
    let visited = |report: Report<TicTacToe>| state.move_text(report.moves[0].mv);
    assert_eq!(seeds(TreeTies::InOrder, &chosen, 2).len(), 1);
    assert_eq!(seeds(TreeTies::Random, &chosen, 2).len(), 2);
    assert_eq!(seeds(TreeTies::InOrder, &visited, 3).len(), 1);
    assert_eq!(seeds(TreeTies::Random, &visited, 3).len(), 2);
}
