//! Searching the game of the page `docs/your-own-game.md`.

use monteverde_game::Notation;
use monteverde_game::fixtures::TicTacToe;
use monteverde_mcts::{Config, Limit, Search};

#[test]
fn the_winning_move_is_found() {
    let state = TicTacToe::parse_state("xx. oo. ...").unwrap();
    let config = Config { memory: 1 << 20, ..Config::default() };
    let report = Search::new(config, state.clone()).run(&Limit::iterations(10_000));
    assert_eq!(state.move_text(report.best.unwrap()), "c3");
    let entry = report.best_move().unwrap();
    assert!(entry.visits > 9_000 && entry.mean == 1.0);
}
