//! The rules, one by one, and the texts of states and moves.

use monteverde_game::{Game, Notation, Outcome, Rng, Side, Step};
use monteverde_loa::{Board, Loa, Move, Rules, SetupError};

const BLACK_WINS: Option<Outcome> = Some(Outcome::Win(Side::First));
const WHITE_WINS: Option<Outcome> = Some(Outcome::Win(Side::Second));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

const START: &str = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b";
const MUST_PASS: &str = "xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b";
const BOTH_BY_D6XB4: &str = "8/8/o2o4/o7/ox1oo3/1oo5/2ooxx2/2xx1xx1 w";

fn state(text: &str) -> Loa {
    Loa::parse_state(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn play(state: &mut Loa, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = state.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        state.play(mv);
    }
}

fn moves(state: &Loa) -> Vec<String> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.into_iter().map(|mv| state.move_text(mv)).collect()
}

/// No jump over an enemy, who is on c4; no way beyond the edge.
#[test]
fn a_piece_goes_as_far_as_there_are_pieces_on_its_line() {
    let state = state("8/7x/8/8/2o5/3x2o1/8/5o2 b");
    let of_d3: Vec<String> = moves(&state).into_iter().filter(|mv| mv.starts_with("d3")).collect();
    // Two pieces on the rank, one on the file, two on the diagonal to h7, three on the one to f1.
    assert_eq!(of_d3, ["d3-f3", "d3-b3", "d3-d4", "d3-d2", "d3-f5", "d3-b1"]);
}

#[test]
fn the_moves_that_are_legal_at_a_glance_are_those_that_are_listed() {
    let mut rng = Rng::new(5);
    for text in [START, MUST_PASS, BOTH_BY_D6XB4] {
        let mut state = state(text);
        loop {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            for mv in (0..64 * 64).map(Move::from_bits) {
                let is_legal = state.is_legal_at_a_glance(mv);
                assert_eq!(is_legal, Some(moves.contains(&mv)), "{mv:?} in {state:?}");
            }
            match state.sample(&mut rng) {
                Ok(mv) => state.play(mv),
                Err(_) => break,
            }
        }
    }
}

#[test]
fn a_move_that_connects_both_sides_is_a_draw_or_wins() {
    for (rules, outcome) in [("", DRAW), (" simultaneous=mover", WHITE_WINS)] {
        let mut state = state(&format!("{BOTH_BY_D6XB4}{rules}"));
        play(&mut state, "d6xb4");
        assert_eq!(state.outcome(), outcome, "{state:?}");
        assert_eq!(state.ending(), Some("both connected"));
        assert_eq!(moves(&state), [""; 0], "nobody moves any more");
        assert!(state.board().is_connected(Side::First));
        assert!(state.board().is_connected(Side::Second));
        assert!(!state.is_drawn_by_history());
    }
}

#[test]
fn a_capture_may_connect_the_enemy_alone() {
    let mut state = state("8/8/8/o1x5/4oo2/8/8/4x3 b");
    play(&mut state, "c5xa5");
    assert_eq!(state.outcome(), WHITE_WINS);
    assert_eq!(state.ending(), Some("connection"));
}

#[test]
fn the_last_piece_is_connected() {
    let mut state = state("8/8/8/o1x5/8/8/8/3ox3 b");
    assert_eq!(state.outcome(), None);
    play(&mut state, "c5xa5");
    assert_eq!(state.board().count(Side::Second), 1);
    assert_eq!(state.outcome(), WHITE_WINS);
}

#[test]
fn a_side_that_cannot_move_passes_or_loses() {
    let mut passing = state(MUST_PASS);
    assert_eq!(moves(&passing), ["pass"]);
    assert_eq!(passing.board().mobility(Side::First), 0);
    assert_eq!(passing.board().mobility(Side::Second), 44);
    play(&mut passing, "pass");
    assert_eq!(passing.turn(), Side::Second);
    assert_eq!(passing.state_text(), MUST_PASS.replace(" b", " w"));

    let losing = state(&format!("{MUST_PASS} nomove=loss"));
    assert_eq!(losing.outcome(), WHITE_WINS);
    assert_eq!(losing.ending(), Some("no move"));
    assert_eq!(losing.perft(1), 0);
    assert_eq!(moves(&losing), [""; 0]);
}

const THERE_AND_BACK: &str = "b1-b3 a6-c6 b3-b1 c6-a6";

#[test]
fn the_third_occurrence_is_a_draw() {
    let mut state = Loa::start();
    play(&mut state, THERE_AND_BACK);
    assert_eq!((state.outcome(), state.occurrences()), (None, 2));
    play(&mut state, "b1-b3 a6-c6 b3-b1");
    assert_eq!(state.outcome(), None, "the start has not come back yet");
    play(&mut state, "c6-a6");
    assert_eq!((state.outcome(), state.ending()), (DRAW, Some("repetition")));
    assert!(state.is_drawn_by_history());
    assert_eq!(state.playout_outcome(), None, "playouts do without");
    assert_eq!(moves(&state).len(), 36, "the moves are still there");
}

#[test]
fn positions_since_a_capture_are_counted() {
    let mut state = Loa::start();
    play(&mut state, "c1xa3");
    assert_eq!(state.occurrences(), 1);
    play(&mut state, "h6-f6 d1-d3 f6-h6 d3-d1");
    assert_eq!(state.occurrences(), 2);
    play(&mut state, "h6-f6 d1-d3 f6-h6 d3-d1");
    assert_eq!((state.occurrences(), state.outcome()), (3, DRAW));
}

#[test]
fn repetition_has_its_switches() {
    let with = |rules: Rules| Loa::new(Board::start().with_rules(rules));
    let mut second = with(Rules::OPEN_SPIEL);
    play(&mut second, THERE_AND_BACK);
    assert_eq!((second.outcome(), second.ending()), (DRAW, Some("repetition")));

    let mut off = with(Rules::LUDII);
    for _ in 0..5 {
        play(&mut off, THERE_AND_BACK);
    }
    assert_eq!(off.outcome(), None);
}

/// Black takes three moves to be where he was, White two: the same board, with the other side to
/// move.
#[test]
fn a_second_occurrence_counts_for_either_side() {
    for (rules, outcome) in [(" repetition=2", DRAW), ("", None)] {
        let mut state = state(&format!("8/8/4x3/o7/8/8/2x4o/8 b{rules}"));
        play(&mut state, "e6-f6 a5-a4 f6-e7 a4-a5");
        assert_eq!(state.outcome(), None);
        play(&mut state, "e7-e6");
        assert_eq!(state.outcome(), outcome, "{state:?}");
    }
}

#[test]
fn a_game_is_drawn_when_it_is_long_enough() {
    let mut state = state("1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b plies=3");
    assert_eq!(state.plies_left(), 3);
    play(&mut state, "b1-b3 a6-c6");
    assert_eq!(state.outcome(), None);
    play(&mut state, "b3-b1");
    assert_eq!((state.outcome(), state.ending()), (DRAW, Some("length")));
    assert_eq!((state.playout_outcome(), state.plies_left()), (DRAW, 0));
    assert!(state.is_drawn_by_history());
    // A connection with the last ply still wins.
    let mut last = self::state("8/8/8/3x4/8/4x3/o7/6o1 b plies=1");
    play(&mut last, "e3-e4");
    assert_eq!(last.outcome(), BLACK_WINS);
}

#[test]
fn a_state_may_be_over_when_it_is_read() {
    for (text, outcome) in [
        ("8/8/8/3x4/3x4/o7/7o/8 w", BLACK_WINS),
        ("8/8/8/3x4/3x4/o7/7o/8 b", BLACK_WINS),
        ("8/8/8/3o4/3o4/x7/7x/8 b", WHITE_WINS),
        ("8/8/8/3o4/3o4/8/6x1/7x b", DRAW),
        ("8/8/8/3o4/3o4/8/6x1/7x b simultaneous=mover", WHITE_WINS),
        ("8/8/8/8/8/8/8/x6o b", DRAW),
    ] {
        let state = state(text);
        assert_eq!(state.outcome(), outcome, "{text}");
        assert_eq!(state.state_text(), text);
        assert_eq!(state.perft(1), 0);
        assert_eq!(state.winning_move(&mut Vec::new()), None);
    }
}

#[test]
fn moves_are_read_in_several_ways() {
    let start = Loa::start();
    for text in ["c1-c3", "c1c3", "c1:c3", "c1xc3"] {
        assert_eq!(start.parse_move(text).map(|mv| start.move_text(mv)), Ok("c1-c3".to_owned()));
    }
    for text in ["c1xa3", "c1a3", "c1:a3", "c1-a3"] {
        assert_eq!(start.parse_move(text).map(|mv| start.move_text(mv)), Ok("c1xa3".to_owned()));
    }
    let error = |text: &str| start.parse_move(text).expect_err("no move").to_string();
    assert_eq!(
        error("c1+c3"),
        "'c1+c3' is not a move; accepted are two squares such as c1-c3, c1xa3, c1:a3 or c1c3, and pass"
    );
    for text in ["", "c1", "a1-a1", "c1-c9", "i1-i3", "c1-c3 ", "Pass", "éé", "c1-é"] {
        assert_eq!(error(text), error("c1+c3").replace("c1+c3", text));
    }
    let illegal = |text| format!("'{text}' is not legal in '{}'", start.state_text());
    assert_eq!(error("c1-c4"), illegal("c1-c4"));
    assert_eq!(error("pass"), illegal("pass"));
}

#[test]
fn errors_of_states_say_what_is_wrong() {
    let error = |text: &str| Loa::parse_state(text).expect_err("no state").to_string();
    assert_eq!(
        error("8/8 b w x"),
        "a state has 2 or 3 fields (pieces, side, and rules if any), but '8/8 b w x' has 4"
    );
    assert_eq!(error("8/8 b"), "the pieces are 8 ranks with '/' between them, but '8/8' has 2");
    assert_eq!(error("8/8/8/8/8/8/8/x2p4 b"), "'p' on rank 1 is not one of x, o or 1 to 8");
    assert_eq!(error("8/8/8/xx7/8/8/8/8 b"), "rank 5 must have 8 squares, but 'xx7' has 9");
    assert_eq!(error("8/8/8/xx5/8/8/8/8 b"), "rank 5 must have 8 squares, but 'xx5' has 7");
    assert_eq!(
        error("8/8/8/xxxxxxxxxx/8/8/8/8 b"),
        "rank 5 must have 8 squares, but 'xxxxxxxxxx' has 10"
    );
    assert_eq!(error("8/8/8/xo6/8/8/8/8 r"), "the side to move is b or w, not 'r'");
    assert_eq!(
        error("8/8/8/x7/8/8/8/8 b"),
        "'8/8/8/x7/8/8/8/8 b' breaks the rules: White must have 1 to 12 pieces, not 0"
    );
    assert_eq!(
        error("8/8/8/xxxxxxxx/xxxxx3/8/8/o7 b"),
        "'8/8/8/xxxxxxxx/xxxxx3/8/8/o7 b' breaks the rules: Black must have 1 to 12 pieces, not 13"
    );
    assert!(error("8/8/8/xo6/8/8/8/8 b plies=x").starts_with("plies is a number"));
}

#[test]
fn boards_are_checked() {
    let board = |pieces| Board::new(pieces, Side::First, Rules::default()).expect_err("no board");
    assert_eq!(board([1, 1]), SetupError::Shared);
    assert_eq!(board([0, 1]), SetupError::Pieces { side: Side::First, found: 0 });
}

/// A pass where there are moves is a null move: the turn changes, and nothing else.
#[test]
fn a_pass_is_a_null_move() {
    let start = Loa::start();
    let mut passed = start.clone();
    passed.play(Move::PASS);
    assert_eq!(passed.key(), passed.recomputed_key());
    assert_ne!(passed.key(), start.key());
    assert_eq!(passed.board().lines(), start.board().lines());
    passed.play(Move::PASS);
    assert_eq!(passed.key(), start.key());
    assert_eq!(Move::from_bits(Move::PASS.to_bits()), Move::PASS);
}

/// What is kept from move to move is what a board that is set up anew has.
#[test]
fn lines_are_kept() {
    let mut rng = monteverde_game::Rng::new(5);
    for _ in 0..50 {
        let mut state = Loa::start();
        while let Ok(mv) = state.sample(&mut rng) {
            state.play(mv);
            let read = self::state(&state.state_text());
            assert_eq!(state.board().lines(), read.board().lines());
            for side in [Side::First, Side::Second] {
                assert_eq!(state.board().is_connected(side), read.board().is_connected(side));
            }
        }
    }
}
