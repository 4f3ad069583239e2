//! The dice race passes the conformance suite, and refuses what it cannot read with a sentence.

use monteverde_game::conformance::Suite;
use monteverde_game::fixtures::DiceRace;
use monteverde_game::{Game, Notation, Outcome, Side};

#[test]
fn conforms() {
    Suite::<DiceRace>::new()
        .perft(&[
            ("startpos", 3, 11),
            ("0 0 first throws", 1, 3),
            ("10 9 second", 2, 3),
            ("10 9 first", 1, 0),
        ])
        .playthrough(include_str!("dice-race.playthrough.txt"))
        .states(&["10 4 second", "9 9 first throws", "7 8 second"])
        .games(100)
        .check();
}

#[test]
fn the_last_turn_is_seconds() {
    let mut state = DiceRace::parse_state("9 9 first").expect("a state");
    state.play(state.parse_move("step").expect("a move"));
    assert_eq!(state.outcome(), None);
    state.play(state.parse_move("throw").expect("a move"));
    assert_eq!((state.turn(), state.is_pending()), (Side::Second, true));
    state.settle(state.parse_event("1").expect("a face"));
    assert_eq!((state.outcome(), state.ending()), (Some(Outcome::Draw), Some("both home")));
}

#[test]
fn errors_say_what_is_wrong() {
    let state_error = |text: &str| DiceRace::parse_state(text).expect_err("no state").to_string();
    for (text, sentence) in [
        ("", "'' is not in that form"),
        ("1 2 3 first", "'1 2 3 first' is not in that form"),
        ("1 11 first", "'11' is no square from 0 to 10"),
        ("+1 1 first", "'+1' is no square from 0 to 10"),
        ("1 1 third", "'third' is neither 'first' nor 'second'"),
        ("1 10 second", "second is home, so it has no turn"),
        ("10 1 first throws", "nobody throws when the game is over"),
    ] {
        let error = state_error(text);
        assert!(error.starts_with(sentence), "{text}: {error}");
        assert!(error.contains("such as '4 6 first throws'"), "{text}: {error}");
    }
    let state = |text: &str| DiceRace::parse_state(text).expect("a state");
    let move_error = |at: &str| state(at).parse_move("jump").expect_err("no move").to_string();
    assert_eq!(move_error("1 1 first"), "'jump' is no move; the moves are 'step' and 'throw'");
    assert_eq!(move_error("1 1 first throws"), "'jump' is no move here: the die is in the air");
    assert_eq!(move_error("1 10 first"), "'jump' is no move here: the game is over");
    let event_error = |at: &str| state(at).parse_event("2").expect_err("no face").to_string();
    assert_eq!(event_error("1 1 first throws"), "'2' is no face; faces: 1, 3, 6");
    assert_eq!(event_error("1 1 first"), "'2' cannot happen: nobody has thrown");
}
