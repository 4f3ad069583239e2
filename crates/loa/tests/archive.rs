//! Games that people and programs played, and states that are known to be won.

use monteverde_game::{Game, Notation, Outcome, Side};
use monteverde_loa::Loa;
use serde_json::Value;

/// The two shortest games known, and who won.
const SHORTEST: [(&str, &str); 2] = [
    ("second", "c1xa3 a2-c4 c8xa6 a4-d4 e1-c3 d4-g4 c3xa5 c4-f4 a3xa7"),
    ("first", "d1-b3 h5-g4 b1-b4 g4xg1 b4-e7 a3xc1 b3-e6 h3xf1 e1-e5"),
];

/// States in which the side to move wins at once, and how.
const WON_IN_ONE: [(&str, &str); 2] =
    [("8/8/8/3x4/8/4x3/o7/6o1 b", "e3-e4"), ("x7/8/8/2o1o3/8/3o4/8/7x w", "d3-d4")];

#[test]
fn shortest_games_are_won() {
    for (result, moves) in SHORTEST {
        replay(Some(result), moves.split(' '));
    }
}

/// Every move is legal and written as we write it, and the game is over exactly at its last move if
/// it has a result.
fn replay<'a>(result: Option<&str>, moves: impl Iterator<Item = &'a str>) {
    let mut state = Loa::start();
    for (ply, text) in moves.enumerate() {
        assert_eq!(state.outcome(), None, "{state:?} is over at ply {ply}, before {text}");
        let mv = state.parse_move(text).unwrap_or_else(|error| panic!("ply {ply}: {error}"));
        assert_eq!(state.move_text(mv), text, "{state:?}");
        state.play(mv);
    }
    let winner = match result {
        Some("first") => Some(Outcome::Win(Side::First)),
        Some("second") => Some(Outcome::Win(Side::Second)),
        Some("draw") => Some(Outcome::Draw),
        Some(other) => panic!("'{other}' is no result of the data"),
        None => None,
    };
    assert_eq!(state.outcome(), winner, "{state:?}");
    if winner.is_some() {
        let ending = if result == Some("draw") { "both connected" } else { "connection" };
        assert_eq!(state.ending(), Some(ending));
    }
}

#[test]
fn archive_games_replay() {
    let games = objects(include_str!("../../../data/loa/games.jsonl"));
    for game in &games {
        let moves = game["moves"].as_array().expect("moves").iter();
        replay(game["result"].as_str(), moves.map(|mv| mv.as_str().expect("a move")));
    }
    assert_eq!(games.len(), 1_107);
    let ended = |result: Option<&str>| {
        games.iter().filter(|game| game["result"].as_str() == result).count()
    };
    assert_eq!([Some("first"), Some("second"), Some("draw"), None].map(ended), [363, 304, 3, 437]);
}

/// Where a win is known to take one ply it is found, and where it takes more there is none.
#[test]
fn won_states_are_won_in_as_many_plies() {
    let winning = |text: &str| {
        let state = Loa::parse_state(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        state.winning_move(&mut Vec::new()).map(|mv| state.move_text(mv))
    };
    for (state, mv) in WON_IN_ONE {
        assert_eq!(winning(state).as_deref(), Some(mv), "{state}");
    }
    let mut items = objects(include_str!("../../../data/loa/short-wins.jsonl"));
    items.extend(objects(include_str!("../../../data/loa/wins.jsonl")));
    assert_eq!(items.len(), 530 + 488);
    for item in &items {
        let (state, plies) = (item["state"].as_str(), item["win_in_plies"].as_u64());
        let state = state.expect("a state");
        assert_eq!(winning(state).is_some(), plies == Some(1), "{state} takes {plies:?}");
    }
}

/// The objects of a text, one a line.
fn objects(text: &str) -> Vec<Value> {
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}"));
    text.lines().map(read).collect()
}
