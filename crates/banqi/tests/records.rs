//! Games that other programs played in an arena.

#![allow(clippy::print_stdout)] // Missing data is told, not failed.

use monteverde_banqi::Banqi;
use monteverde_game::{Game, Notation, Outcome, Side};

/// The start with the rules of that arena.
const START: &str = "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 \
                     plies=60,repetition=cycle";

/// A game in the same form that is played here: Red's pawns shut the king in.
const BUILT_IN: (&str, &str, &str) =
    ("XX/XX - PPkp 0 plies=60,repetition=cycle", "a1(P) b2(k) b1(p) a2(P) a1-b1", "NoMove");

#[test]
fn a_game_in_the_form_of_the_records_replays() {
    let (start, moves, ending) = BUILT_IN;
    let state = replay(start, moves.split(' '));
    assert!(ends_so(&state, ending), "{state:?}");
    assert_eq!(state.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn records_replay() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/banqi/fixture_games.txt");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!(
            "note: ../shared/data/banqi/fixture_games.txt is not here, so only the 1 built-in case ran"
        );
        return a_game_in_the_form_of_the_records_replays();
    };
    let (mut games, mut plies) = (0, 0);
    for record in text.split("## ").skip(1) {
        let moves: Vec<&str> = record.lines().filter_map(move_line).flatten().collect();
        let state = replay(START, moves.iter().copied());
        let result = result(record);
        assert!(ends_so(&state, result.ending), "{state:?} should end by {}", result.ending);
        match record.lines().next() {
            Some("stuck") => assert_eq!(state.ending(), Some("no move")),
            Some("allcaptured_hidden_left") => {
                assert_eq!(state.ending(), Some("all captured"));
                assert_ne!(state.board().covered(), 0);
            }
            _ => {}
        }
        if let Some(outcome) = state.outcome() {
            assert_eq!(outcome.value_for(Side::First), result.first, "{record}");
        }
        games += 1;
        plies += moves.len();
    }
    assert_eq!(games, 161);
    assert_eq!(plies, PLIES);
}

/// So many plies the records have, counted by other means.
const PLIES: usize = 22_353;

/// Plays `a7(K)` and `a4-a5`; every move must be legal, every piece still covered, and no game over too soon.
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

/// The moves of a line such as `* 12. a7(K) b1-b2`.
fn move_line(line: &str) -> Option<impl Iterator<Item = &str>> {
    let mut words = line.strip_prefix("* ")?.split_whitespace();
    let number = words.next()?.strip_suffix('.')?;
    number.parse::<u32>().ok()?;
    Some(words)
}

/// How a record says that its game ended, and the value for who moved first.
struct Result<'a> {
    ending: &'a str,
    first: i32,
}

/// Reads `* NoMove chan Wins 1.000000,0.000000`: the points of who moved first, and of the other.
fn result(record: &str) -> Result<'_> {
    let lines = || record.lines().filter_map(|line| line.strip_prefix("* "));
    let (ending, (one, other)) = lines()
        .filter_map(|line| Some((line.split_once(' ')?.0, line.rsplit_once(' ')?.1)))
        .find_map(|(ending, points)| Some((ending, points.split_once(',')?)))
        .expect("a result");
    let points = |text: &str| text.parse::<f64>().expect("points");
    let (one, other) = (points(one), points(other));
    let first = i32::from(one > other) - i32::from(other > one);
    Result { ending, first }
}

fn ends_so(state: &Banqi, ending: &str) -> bool {
    match (ending, state.ending()) {
        ("NoMove", Some("no move" | "all captured")) | ("TimeOut", None) => true,
        ("NoEatFlipDraw", Some("quiet plies")) => true,
        (repetition, Some("repetition")) => repetition.starts_with("PositionRepetitionDraw"),
        _ => false,
    }
}
