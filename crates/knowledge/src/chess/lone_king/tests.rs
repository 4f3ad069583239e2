//! The filters as sets of squares against the same filters move by move on the list of legal moves.

use super::*;
use monteverde_game::Notation;
use std::collections::{BTreeMap, BTreeSet};

const ENDINGS: [&str; 6] = [
    "8/8/8/3k4/8/8/1R6/2K5 w - - 0 1",
    "8/8/8/4k3/8/8/1R6/K7 w - - 0 1",
    "8/8/3k4/8/8/5q2/8/6K1 b - - 0 1",
    "8/8/8/4k3/8/2N5/1B6/K7 w - - 0 1",
    "8/8/4k3/8/8/2B5/1B6/K7 w - - 0 1",
    "8/8/8/4k3/3R4/8/1Q6/K7 w - - 0 1",
];

fn apart(one: Square, two: Square) -> u8 {
    one.file().abs_diff(two.file()) + one.rank().abs_diff(two.rank())
}

fn adjacent(one: Square, two: Square) -> bool {
    one != two && one.file().abs_diff(two.file()).max(one.rank().abs_diff(two.rank())) == 1
}

fn keep(moves: &mut Vec<Move>, wanted: &dyn Fn(&Move) -> bool) {
    if moves.iter().any(wanted) {
        moves.retain(|mv| wanted(mv));
    }
}

fn placement_after(board: &Board, mv: Move) -> Placement {
    let (mut after, _) = LoneKing::of(board).expect("a lone king");
    after.play(mv);
    after.placement()
}

/// The moves that filters leave, by trying every legal move.
fn plainly(state: &Chess, recent: &[Placement]) -> BTreeSet<u16> {
    let board = state.board();
    let us = board.turn();
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let (king, other) = (board.king(us), board.king(us.other()));
    if board.color(us).count() == 1 {
        defend_plainly(board, &mut moves);
        return moves.into_iter().map(Move::bits).collect();
    }
    let officers: Vec<Square> = Square::all()
        .filter(|&square| {
            matches!(board.piece_at(square), Some((color, piece)) if color == us && piece != Piece::King)
        })
        .collect();
    let touched: Vec<Square> =
        officers.iter().copied().filter(|&officer| adjacent(officer, other)).collect();
    if !touched.is_empty() {
        keep(&mut moves, &|mv| {
            if mv.piece() == Piece::King {
                return touched.iter().any(|&at| !adjacent(king, at) && adjacent(mv.to(), at));
            }
            let leaves = adjacent(mv.from(), other) && !adjacent(mv.from(), king);
            leaves && !adjacent(mv.to(), other)
        });
    }
    keep(&mut moves, &|mv| match mv.piece() {
        Piece::King => !touched.iter().any(|&at| adjacent(king, at) && !adjacent(mv.to(), at)),
        _ => !adjacent(mv.to(), other) || adjacent(mv.to(), king),
    });
    keep(&mut moves, &|mv| !recent.contains(&placement_after(board, *mv)));
    let closer = |mv: &Move| apart(mv.to(), other) < apart(king, other);
    keep(&mut moves, &|mv| mv.piece() != Piece::King || closer(mv));
    if u32::from(apart(king, other)) > FAR {
        keep(&mut moves, &|mv| mv.piece() == Piece::King && closer(mv));
    }
    let single_rook = officers.len() == 1 && !board.pieces(Piece::Rook).is_empty();
    if apart(king, other) == 2 && single_rook {
        keep(&mut moves, &|mv| {
            let (to, is_rook) = (mv.to(), mv.piece() == Piece::Rook);
            let on_rank = to.rank() == other.rank() && to.rank() != king.rank();
            let on_file = to.file() == other.file() && to.file() != king.file();
            is_rook && (on_rank || on_file)
        });
    }
    moves.into_iter().map(Move::bits).collect()
}

fn defend_plainly(board: &Board, moves: &mut Vec<Move>) {
    let king = board.king(board.turn().other());
    if moves.iter().any(|mv| board.piece_at(mv.to()).is_some()) {
        moves.retain(|mv| board.piece_at(mv.to()).is_some());
        return;
    }
    keep(moves, &|mv| apart(mv.to(), king) != 2);
    let from_centre = |mv: &Move| {
        let off = |at: u8| if at < 3 { 3 - at } else { at.saturating_sub(4) };
        off(mv.to().file()) + off(mv.to().rank())
    };
    let least = moves.iter().map(from_centre).min().expect("a move");
    keep(moves, &|mv| from_centre(mv) == least);
}

/// How often each move is drawn where the last plies had these placements.
fn drawn(state: &Chess, past: &[u64], rng: &mut Rng) -> BTreeMap<u16, i32> {
    let mut seen = BTreeMap::new();
    for _ in 0..400 {
        let mv = sample(state, &mut past.to_vec(), rng).expect("a move");
        *seen.entry(mv.bits()).or_insert(0) += 1;
    }
    seen
}

#[test]
fn sets_of_squares_leave_what_the_list_of_moves_leaves() {
    let mut rng = Rng::new(3);
    let mut compared = 0;
    for text in ENDINGS {
        for _ in 0..12 {
            let mut state = Chess::parse_state(text).expect("a state of the test");
            let mut past: Vec<u64> = Vec::new();
            // Half of the moves are any legal ones, so that odd boards come up.
            for _ in 0..40 {
                let Some((board, _)) = LoneKing::of(state.board()) else { break };
                if state.playout_outcome().is_some() {
                    break;
                }
                let mut recent: Vec<Placement> = past.iter().map(|&one| one as u32).collect();
                recent.push(board.placement());
                let recent = &recent[recent.len().saturating_sub(RECENT)..];
                let expected = plainly(&state, recent);
                let drawn = drawn(&state, &past, &mut rng);
                assert_eq!(drawn.keys().copied().collect::<BTreeSet<_>>(), expected, "{state:?}");
                let even = 400 / expected.len() as i32;
                let odd = drawn.values().find(|&&count| (even - count).abs() > even / 2 + 40);
                assert_eq!(odd, None, "{state:?}: {drawn:?}");
                compared += 1;
                past.push(board.placement().into());
                let next = match rng.below(2) {
                    0 => state.sample(&mut rng),
                    _ => sample(&state, &mut past.clone(), &mut rng),
                };
                state.play(next.expect("a move"));
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Legal moves and what the lone king can do are those of chess.
#[test]
fn moves_are_those_of_chess() {
    let mut rng = Rng::new(9);
    let mut compared = 0;
    for text in ENDINGS {
        for _ in 0..30 {
            let mut state = Chess::parse_state(text).expect("a state of the test");
            let (mut board, strong) = LoneKing::of(state.board()).expect("a lone king");
            for _ in 0..60 {
                let mut legal = Vec::new();
                state.moves(&mut legal);
                let mut ours = Vec::new();
                let escape = board.escape();
                if state.board().turn() == strong {
                    board.for_each_attack(|mv| ours.push(mv));
                } else {
                    ours.extend(board.defences(escape.targets));
                    assert_eq!(escape.is_attacked, state.board().in_check(), "{state:?}");
                }
                let sorted =
                    |moves: &[Move]| moves.iter().map(|mv| mv.bits()).collect::<BTreeSet<_>>();
                assert_eq!(sorted(&ours), sorted(&legal), "{state:?}");
                compared += 1;
                let Some(&mv) = legal.get(rng.below(legal.len().max(1) as u32) as usize) else {
                    break;
                };
                state.play(mv);
                board.play(mv);
                let squares: BTreeSet<_> =
                    board.pieces().map(|(_, square)| square.index()).collect();
                let occupied: BTreeSet<_> = bits(state.board().occupied().0).collect();
                assert_eq!(squares, occupied, "{state:?}");
            }
        }
    }
    assert!(compared > 5000, "{compared}");
}

/// The start of the study allows just Kc2, Kd1 and Kd2 (the kings are five apart).
#[test]
fn the_start_leaves_three_moves() {
    let state = Chess::parse_state(ENDINGS[0]).expect("a state of the test");
    let moves = drawn(&state, &[], &mut Rng::new(1));
    let texts: BTreeSet<String> = moves
        .keys()
        .map(|&bits| state.move_text(Move::from_bits16(bits).expect("a move")))
        .collect();
    assert_eq!(texts, ["c1c2", "c1d1", "c1d2"].map(str::to_owned).into());
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
    assert!(ended.contains(&Some("checkmate")) && ended.len() > 1, "{ended:?}");
}

/// What the study's text does not say, or says otherwise: one board each.
#[test]
fn rules_that_differ_from_the_text() {
    let moves = |text: &str| -> BTreeSet<String> {
        let state = Chess::parse_state(text).expect("a state of the test");
        let drawn = drawn(&state, &[], &mut Rng::new(1));
        drawn
            .keys()
            .map(|&bits| state.move_text(Move::from_bits16(bits).expect("a move")))
            .collect()
    };
    // The king may not keep its distance: of its moves only the one that shortens it is left.
    let closer = moves("8/8/8/8/3k4/8/2K5/7R w - - 0 1");
    let of_king: Vec<_> = closer.iter().filter(|mv| mv.starts_with("c2")).collect();
    assert_eq!((of_king, closer.len() > 1), (vec![&"c2d2".to_owned()], true));
    // A rook that hangs leaves, though the kings are far apart and the king should move.
    let urgent = moves("8/8/8/8/8/1k6/R7/3K4 w - - 0 1");
    assert!(urgent.iter().all(|mv| mv.starts_with("a2") && mv != "a2b2"), "{urgent:?}");
    // The lone king takes, though the centre is the other way.
    assert_eq!(moves("8/8/8/8/8/1k6/R7/3K4 b - - 0 1"), ["b3a2".to_owned()].into());
    // It does not go where the kings would face each other.
    let away = moves("8/8/8/3k4/8/8/3K4/7R b - - 0 1");
    assert_eq!(away, ["d5e4", "d5e5"].map(str::to_owned).into());
}
