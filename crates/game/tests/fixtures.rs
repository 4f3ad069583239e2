//! The dice race passes the conformance suite (so does tic-tac-toe, see `tic_tac_toe.rs`), and both
//! games refuse what they cannot read with a sentence.

use monteverde_game::conformance::Suite;
use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_game::{Game, Notation, Outcome, Side};
use std::collections::BTreeMap;

#[test]
fn dice_race_conforms() {
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
fn errors_of_the_dice_race_say_what_is_wrong() {
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

#[test]
fn errors_of_tic_tac_toe_say_what_is_wrong() {
    for (text, sentence) in [
        ("", "'' is not three rows of three squares"),
        ("... ...", "'... ...' is not three rows of three squares"),
        ("... .... ..", "'... .... ..' is not three rows of three squares"),
        ("... .é. ...", "'é' in '... .é. ...' is no square"),
        ("x.x ... ...", "'x.x ... ...' has 2 x and 0 o: x moves first"),
        ("o.. ... ...", "'o.. ... ...' has 0 x and 1 o: x moves first"),
        ("xxx ooo ...", "'xxx ooo ...' was over before its last move"),
        ("xxx oo. o..", "'xxx oo. o..' was over before its last move"),
    ] {
        let error = TicTacToe::parse_state(text).expect_err("no state").to_string();
        assert_eq!(
            error,
            format!("{sentence}; a state is three rows of x, o and ., such as 'x.. .o. ...'")
        );
    }
    let state = TicTacToe::parse_state("xox oxo .x.").expect("a state");
    let error = state.parse_move("b2").expect_err("no move").to_string();
    assert_eq!(error, "'b2' is no move here; moves: a1, c1");
    let over = TicTacToe::parse_state("xxx oo. ...").expect("a state");
    let error = over.parse_move("c1").expect_err("no move").to_string();
    assert_eq!(error, "'c1' is no move here; moves: ");
}

#[test]
fn tic_tac_toe_ends_by_line_or_full_board() {
    for (text, outcome, ending) in [
        ("xxx oo. ...", Some(Outcome::Win(Side::First)), Some("line")),
        ("xx. ooo x..", Some(Outcome::Win(Side::Second)), Some("line")),
        ("xox oxx oxo", Some(Outcome::Draw), Some("full board")),
        ("xoo oxx oxx", Some(Outcome::Win(Side::First)), Some("line")),
        ("xx. oo. ...", None, None),
    ] {
        let state = TicTacToe::parse_state(text).expect("a state");
        assert_eq!((state.outcome(), state.ending()), (outcome, ending), "{text}");
    }
}

#[test]
fn all_states_are_reached_and_have_keys_of_their_own() {
    assert_eq!(states_from_start::<TicTacToe>(), 5478);
    assert_eq!(states_from_start::<DiceRace>(), 321);
}

/// How many states can be reached.
fn states_from_start<G: Notation>() -> usize {
    let mut texts = BTreeMap::new();
    let mut waiting = vec![G::start()];
    while let Some(state) = waiting.pop() {
        let text = state.state_text();
        let before = texts.insert(state.key(), text.clone());
        if let Some(before) = before {
            assert_eq!(before, text, "two states with the key {:016x}", state.key());
            continue;
        }
        let (mut moves, mut events) = (Vec::new(), Vec::new());
        state.moves(&mut moves);
        state.events(&mut events);
        waiting.extend(moves.into_iter().map(|mv| {
            let mut next = state.clone();
            next.play(mv);
            next
        }));
        waiting.extend(events.into_iter().map(|(event, _)| {
            let mut next = state.clone();
            next.settle(event);
            next
        }));
    }
    texts.len()
}
