//! Tic-tac-toe passes the conformance suite.

use monteverde_game::conformance::Suite;
use monteverde_game::fixtures::TicTacToe;

#[test]
fn conforms() {
    Suite::<TicTacToe>::new()
        .perft(&[("startpos", 5, 15_120), ("startpos", 9, 127_872), ("xx. oo. ...", 1, 5)])
        .playthrough(include_str!("tic-tac-toe.playthrough.txt"))
        .states(&["xox oxo .x.", "xx. oo. ..."])
        .check();
}
