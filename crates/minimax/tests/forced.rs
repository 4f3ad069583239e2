//! Forced wins against exact values.

use monteverde_chess::Chess;
use monteverde_game::fixtures::{TicTacToe, all_states, exact_proof};
use monteverde_game::limit::{NoClock, Signal};
use monteverde_game::{Game, NoOracle, Notation, Oracle, Proof, Side};
use monteverde_minimax::forced::{Answer, Budget, ForcedWins, Question};

fn ask<G: Game>(
    state: &G,
    (winner, plies): (Side, u16),
    nodes: u64,
    oracle: &dyn Oracle<G>,
) -> (Answer<G::Move>, u64) {
    let signal = Signal::default();
    let mut budget = Budget { nodes, clock: &NoClock, signal: &signal };
    let question = Question { winner, plies, only: &[], oracle };
    let answer = ForcedWins::default().search(state, question, &mut budget);
    (answer, nodes - budget.nodes)
}

fn chess(fen: &str) -> Chess {
    Chess::parse_state(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn wins_and_losses_of_tic_tac_toe_have_their_length_and_line() {
    for state in all_states(TicTacToe::start()).iter().step_by(7) {
        let turn = state.turn();
        let (winner, exact) = match exact_proof(state) {
            Proof::Win(plies) => (turn, Some(plies)),
            Proof::Loss(plies) => (turn.other(), Some(plies)),
            Proof::Draw | Proof::Open => (turn, None),
        };
        let most = if winner == turn { 9 } else { 8 };
        match (ask(state, (winner, most), 1_000_000, &NoOracle).0, exact) {
            (Answer::Refuted, None) => {}
            (Answer::Won { plies, line }, Some(exact)) => {
                assert_eq!((plies, line.len()), (exact, usize::from(exact)), "{state:?}");
                let mut end = state.clone();
                for (index, &mv) in line.iter().enumerate() {
                    end.play(mv);
                    let left = plies - 1 - index as u16;
                    assert_eq!(exact_proof(&end).plies(), Some(left), "{state:?}, {line:?}");
                }
                assert_eq!(end.outcome(), Some(monteverde_game::Outcome::Win(winner)));
            }
            other => panic!("{other:?} of {state:?}"),
        }
    }
}

#[test]
fn mates_of_chess_are_proven_refuted_and_given_up() {
    // Morphy's problem: 1.Ra6.
    let morphy = chess("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let (answer, _) = ask(&morphy, (Side::First, 5), 100_000, &NoOracle);
    assert!(matches!(answer, Answer::Won { plies: 3, line } if line.len() == 3));
    assert_eq!(ask(&morphy, (Side::First, 1), 100_000, &NoOracle).0, Answer::Refuted);
    assert_eq!(ask(&Chess::start(), (Side::First, 3), 100_000, &NoOracle).0, Answer::Refuted);
    let (answer, nodes) = ask(&Chess::start(), (Side::First, 9), 5_000, &NoOracle);
    assert_eq!((answer, nodes), (Answer::Undecided, 5_000));
    // Black is mated in two moves whatever it does.
    let lost = chess("1k6/8/2K5/8/8/8/8/7R b - - 0 1");
    let (answer, _) = ask(&lost, (Side::First, 6), 100_000, &NoOracle);
    assert!(matches!(answer, Answer::Won { plies: 4, line } if line.len() == 4));
}

/// 1.Kc7 Ka7 2.Ra1: the third ply mates, and that goes before fifty moves.
#[test]
fn fifty_moves_draw_before_a_mate_that_comes_later() {
    for (clock, is_won) in [(97, true), (98, false)] {
        let state = chess(&format!("k7/8/2K5/8/8/8/8/7R w - - {clock} 80"));
        let (answer, _) = ask(&state, (Side::First, 3), 100_000, &NoOracle);
        assert_eq!(matches!(answer, Answer::Won { .. }), is_won, "{clock}");
    }
    // A pawn's move starts the count anew: 1.h4, 2.Rh3 and 3.Ra3.
    let pawn = chess("k7/8/8/8/8/8/7P/1R4KR w - - 99 80");
    let (answer, _) = ask(&pawn, (Side::First, 5), 1_000_000, &NoOracle);
    assert!(matches!(answer, Answer::Won { plies: 5, .. }), "{answer:?}");
}

/// Morphy's problem, whose only mate in two begins with 1.Ra6: that state has occurred twice.
#[test]
fn a_state_that_has_occurred_twice_is_no_way_to_win() {
    let mut state = chess("kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1");
    for text in "b8h2 a6a1 h2b8 a1a6 b8h2 a6a1 h2b8".split(' ') {
        assert_eq!(state.outcome(), None);
        state.play(state.parse_move(text).expect("a move"));
    }
    assert_eq!(ask(&state, (Side::First, 3), 100_000, &NoOracle).0, Answer::Refuted);
    let (fresh, _) = ask(&Chess::new(*state.board()), (Side::First, 3), 100_000, &NoOracle);
    assert!(matches!(fresh, Answer::Won { plies: 3, .. }));
}

/// A root is searched even where a rule has ended the game.
#[test]
fn a_root_that_is_drawn_by_a_rule_has_a_line() {
    let drawn = chess("6k1/5ppp/8/8/8/8/8/R3K3 w - - 100 80");
    assert!(drawn.outcome().is_some());
    let (answer, _) = ask(&drawn, (Side::First, 1), 1_000, &NoOracle);
    assert!(matches!(answer, Answer::Won { plies: 1, line } if line.len() == 1));
}

/// Knows that White wins some state in one ply, which no search can see.
struct Liar;

impl Oracle<Chess> for Liar {
    fn probe(&self, state: &Chess) -> Proof {
        if state.turn() == Side::Second { Proof::Loss(0) } else { Proof::Open }
    }
}

#[test]
fn the_oracle_is_believed() {
    let (answer, _) = ask(&Chess::start(), (Side::First, 3), 1_000, &Liar);
    assert!(matches!(answer, Answer::Won { plies: 3, .. }), "{answer:?}");
}
