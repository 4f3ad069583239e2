//! Games that other programs played in an arena.

use monteverde_banqi::Banqi;
use monteverde_game::{Game, Notation, Outcome, Side};

/// The start with the rules of that arena.
const START: &str = "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 \
                     plies=60,repetition=cycle";

/// A game in the same form that is played here: Red's pawns shut the king in.
const BUILT_IN: (&str, &str, &str) =
    ("XX/XX - PPkp 0 plies=60,repetition=cycle", "a1(P) b2(k) b1(p) a2(P) a1-b1", "stuck");

#[test]
fn a_game_in_the_form_of_the_records_replays() {
    let (start, moves, ending) = BUILT_IN;
    let state = replay(start, moves.split(' '));
    assert!(ends_so(&state, ending), "{state:?}");
    assert_eq!(state.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn records_replay() {
    let (mut games, mut plies) = (0, 0);
    for record in include_str!("../../../data/banqi/games.tsv").lines().skip(1) {
        let fields: Vec<&str> = record.split('\t').collect();
        let [ending, result, moves] = fields[..] else { panic!("three fields in {record}") };
        let state = replay(START, moves.split(' '));
        assert!(ends_so(&state, ending), "{state:?} should end by {ending}");
        let value = match result {
            "first" => 1,
            "second" => -1,
            "draw" => 0,
            other => panic!("'{other}' is no result of the data"),
        };
        if let Some(outcome) = state.outcome() {
            assert_eq!(outcome.value_for(Side::First), value, "{record}");
        }
        games += 1;
        plies += moves.split(' ').count();
    }
    assert_eq!(games, 161);
    assert_eq!(plies, PLIES);
}

/// So many plies the records have, counted by other means.
const PLIES: usize = 22_353;

/// Plays `a7(K)` and `a4-a5`; every move must be legal, every piece still covered, and no game over
/// too soon.
fn replay<'a>(start: &str, moves: impl Iterator<Item = &'a str>) -> Banqi {
    let mut state = Banqi::parse_state(start).expect("the start");
    for (ply, text) in moves.enumerate() {
        assert_eq!(state.outcome(), None, "{state:?} is over at ply {ply}, before {text}");
        let (mv, piece) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((square, piece)) => (square, Some(piece)),
            None => (text, None),
        };
        let parsed = state.parse_move(mv).unwrap_or_else(|error| panic!("ply {ply}: {error}"));
        assert_eq!(state.move_text(parsed), mv);
        state.play(parsed);
        assert_eq!(state.is_pending(), piece.is_some(), "{text}");
        if let Some(piece) = piece {
            let event = state.parse_event(piece);
            let event = event.unwrap_or_else(|error| panic!("ply {ply}: {error}"));
            state.settle(event);
        }
    }
    state
}

/// Whether the game is over in the way that the arena said. It has one word for both ways of being
/// left without a move; where it is known which it was, the data says so.
fn ends_so(state: &Banqi, ending: &str) -> bool {
    match (ending, state.ending()) {
        ("no-move", Some("no move" | "all captured")) | ("stuck", Some("no move")) => true,
        ("captured", Some("all captured")) => state.board().covered() != 0,
        ("quiet", Some("quiet plies")) | ("repetition", Some("repetition")) => true,
        // The clock ends a game anywhere.
        ("time", None) => true,
        _ => false,
    }
}
