//! The filters as sets of squares against the same filters move by move on the list of legal moves.

use super::*;
use monteverde_game::Notation;
use std::collections::{BTreeMap, BTreeSet};

const ENDINGS: [&str; 5] = [
    "8/8/8/4k3/8/8/1R6/K7 w - - 0 1",
    "8/8/3k4/8/8/5q2/8/6K1 b - - 0 1",
    "8/8/8/4k3/8/2N5/1B6/K7 w - - 0 1",
    "8/8/4k3/8/8/2B5/1B6/K7 w - - 0 1",
    "8/8/8/4k3/3R4/8/1Q6/K7 w - - 0 1",
];

/// The moves that filters leave, by trying every legal move; repetitions are left out of it.
fn plainly(state: &Chess) -> BTreeSet<u16> {
    let board = state.board();
    let us = board.turn();
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let keep = |moves: &mut Vec<Move>, wanted: &dyn Fn(&Move) -> bool| {
        if moves.iter().any(wanted) {
            moves.retain(|mv| wanted(mv));
        }
    };
    let (king, other) = (board.king(us), board.king(us.other()));
    let apart = |one: Square, two: Square| {
        one.file().abs_diff(two.file()) + one.rank().abs_diff(two.rank())
    };
    if board.color(us).count() == 1 {
        let from_centre = |mv: &Move| {
            let middle = ["d4", "e4", "d5", "e5"].map(|name| name.parse().expect("a square"));
            middle.into_iter().map(|square| apart(mv.to(), square)).min()
        };
        let least = moves.iter().map(from_centre).min().expect("a move");
        keep(&mut moves, &|mv| from_centre(mv) == least);
        return moves.into_iter().map(Move::bits).collect();
    }
    keep(&mut moves, &|mv| {
        let mut after = *board;
        after.play(*mv);
        let mut replies = Vec::new();
        after.legal_moves(&mut replies);
        // The lone king may take what nobody protects, even where that is all it can do.
        !replies.iter().any(|reply| after.piece_at(reply.to()).is_some())
    });
    keep(&mut moves, &|mv| {
        mv.piece() != Piece::King || apart(mv.to(), other) <= apart(king, other)
    });
    if u32::from(apart(king, other)) > FAR {
        keep(&mut moves, &|mv| mv.piece() == Piece::King);
    }
    let facing =
        (king.file() == other.file() || king.rank() == other.rank()) && apart(king, other) == 2;
    if facing {
        keep(&mut moves, &|mv| {
            let mut after = *board;
            after.play(*mv);
            let sideways = if king.file() == other.file() {
                mv.to().rank() == other.rank()
            } else {
                mv.to().file() == other.file()
            };
            after.checkers().contains(mv.to()) && sideways
        });
    }
    moves.into_iter().map(Move::bits).collect()
}

#[test]
fn sets_of_squares_leave_what_the_list_of_moves_leaves() {
    let knowledge_of = |state: &Chess, rng: &mut Rng| {
        let mut seen = BTreeMap::new();
        for _ in 0..400 {
            let mv = sample(state, &mut Vec::new(), rng).expect("a move");
            *seen.entry(mv.bits()).or_insert(0) += 1;
        }
        seen
    };
    let mut rng = Rng::new(3);
    let mut compared = 0;
    for text in ENDINGS {
        for _ in 0..12 {
            let mut state = Chess::parse_state(text).expect("a state of the test");
            // Half of the moves are any legal ones, so that odd boards come up.
            for _ in 0..30 {
                if state.playout_outcome().is_some() || Ending::of(state.board()).is_none() {
                    break;
                }
                let expected = plainly(&state);
                let drawn = knowledge_of(&state, &mut rng);
                assert_eq!(drawn.keys().copied().collect::<BTreeSet<_>>(), expected, "{state:?}");
                let even = 400 / expected.len() as i32;
                let odd = drawn.values().find(|&&count| (even - count).abs() > even / 2 + 40);
                assert_eq!(odd, None, "{state:?}: {drawn:?}");
                compared += 1;
                let next = match rng.below(2) {
                    0 => state.sample(&mut rng),
                    _ => sample(&state, &mut Vec::new(), &mut rng),
                };
                state.play(next.expect("a move"));
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn the_end_of_the_game_is_the_rules() {
    let mut rng = Rng::new(5);
    let mut ended = BTreeSet::new();
    for text in ENDINGS {
        for _ in 0..100 {
            let mut state = Chess::parse_state(text).expect("a state of the test");
            let mut notes = Vec::new();
            let outcome = loop {
                match sample(&state, &mut notes, &mut rng) {
                    Ok(mv) => state.advance(mv),
                    Err(outcome) => break outcome,
                }
            };
            assert_eq!(state.playout_outcome(), Some(outcome), "{state:?}");
            ended.insert(state.ending());
        }
    }
    assert!(
        ended.contains(&Some("checkmate")) && ended.contains(&Some("fifty-moves")),
        "{ended:?}"
    );
}

#[test]
fn no_board_comes_twice_while_there_is_another() {
    let state = Chess::parse_state("8/8/8/8/3k4/8/3K4/7R w - - 0 1").expect("a state of the test");
    let mut rng = Rng::new(1);
    let mut notes = Vec::new();
    let first = sample(&state, &mut notes, &mut rng).expect("a move");
    // The kings are in opposition, and there is one check from the side.
    assert_eq!(state.move_text(first), "h1h4");
    let again = sample(&state, &mut notes, &mut rng).expect("a move");
    assert_eq!(again, first, "nothing else is left, so the filter is not applied");
    let free = Chess::parse_state("8/8/8/8/3k4/8/2K5/7R w - - 0 1").expect("a state of the test");
    let (mut notes, mut drawn) = (Vec::new(), BTreeSet::new());
    let count = plainly(&free).len();
    for _ in 0..count {
        drawn.insert(sample(&free, &mut notes, &mut rng).expect("a move").bits());
    }
    assert_eq!(drawn.len(), count, "each is played once before any is repeated");
}
