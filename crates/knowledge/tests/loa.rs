//! The evaluation of Lines of Action against a slow one, written from the words of its
//! documentation.

use monteverde_game::playout_knowledge::{EvalCache, LOST, Tries, WON, eval_after};
use monteverde_game::{Game, Heaviest, Knowledge, Notation, PlayoutKnowledge, Rng, Side};
use monteverde_knowledge::loa::{
    Category, Evaluator, FEATURES, LoaKnowledge, Unit, View, eval, features,
};
use monteverde_loa::{Board, Loa, Move, Square, bits};

/// States of random games, thinned out.
fn random_states(count: usize) -> Vec<Loa> {
    let mut rng = Rng::new(8);
    let mut state = Loa::start();
    let mut states = Vec::new();
    while states.len() < count {
        match state.sample(&mut rng) {
            Ok(mv) => state.play(mv),
            Err(_) => state = Loa::start(),
        }
        if state.outcome().is_none() && rng.below(3) == 0 {
            states.push(state.clone());
        }
    }
    states
}

#[test]
fn features_are_those_of_a_slow_program() {
    for state in random_states(4_000) {
        assert_eq!(features(state.board()), slow::features(state.board()), "{state:?}");
    }
}

#[test]
fn a_win_over_a_scattered_opponent_is_more_convincing() {
    let quality = |text: &str, winner| {
        let state = Loa::parse_state(text).expect("a state of the test");
        assert!(state.outcome().is_some(), "{text}");
        LoaKnowledge::default().quality(&state, winner).expect("a quality")
    };
    let near = "8/8/8/2xxx3/2xxx3/5o2/4o3/6o1 w";
    let far = "o6o/8/8/2xxx3/2xxx3/8/8/o7 w";
    assert!(quality(far, Side::First) > quality(near, Side::First));
    assert_eq!(quality(far, Side::Second), -quality(far, Side::First));
}

#[test]
fn what_is_one_sides_gain_is_the_others_loss() {
    for state in random_states(500) {
        let board = state.board();
        let pieces = [board.pieces(Side::Second), board.pieces(Side::First)];
        let swapped = Board::new(pieces, board.turn().other(), board.rules()).expect("a board");
        for evaluator in Evaluator::ALL {
            let value = eval(evaluator.weights(), board);
            assert_eq!(value, eval(evaluator.weights(), &swapped), "{state:?}");
        }
        assert_eq!(features(board), features(&swapped), "{state:?}");
    }
}

/// Every symmetry of the board leaves features alone but those of the rounded centre of mass.
#[test]
fn mirrored_boards_have_the_same_lines() {
    for state in random_states(500) {
        let board = state.board();
        let pieces = [Side::First, Side::Second].map(|side| board.pieces(side).swap_bytes());
        let mirrored = Board::new(pieces, board.turn(), board.rules()).expect("a board");
        let (one, other) = (features(board), features(&mirrored));
        for feature in [1, 2, 4, 5, 6, 7, 8] {
            assert_eq!(one[feature], other[feature], "{state:?}");
        }
    }
}

#[test]
fn moves_are_valued_as_if_they_were_played() {
    for evaluator in Evaluator::ALL {
        let known = LoaKnowledge { evaluator, ..LoaKnowledge::default() };
        for text in ["", " simultaneous=mover", " nomove=loss", " simultaneous=mover,nomove=loss"] {
            for state in random_states(150) {
                let Ok(state) = Loa::parse_state(&(state.state_text() + text)) else {
                    panic!("{}", state.state_text() + text)
                };
                let mut moves = Vec::new();
                state.moves(&mut moves);
                let (mut after, mut evals) = (state.clone(), Vec::new());
                known.evals_up_to(&state, Tries::all(&moves), &mut after, &mut evals);
                let played: Vec<f32> =
                    moves.iter().map(|&mv| eval_after(&known, &state, mv, &mut after)).collect();
                assert_eq!(evals, played, "{state:?}");
            }
        }
    }
}

/// The cache of a state does not depend on how it was come by, and without any the evals are the
/// same.
#[test]
fn what_is_seen_follows_the_moves() {
    for evaluator in Evaluator::ALL {
        let known = LoaKnowledge { evaluator, ..LoaKnowledge::default() };
        for state in random_states(150) {
            let eval = eval(evaluator.weights(), state.board());
            assert_eq!(known.eval(&state), Some(eval as f32), "{state:?}");
            let cache = known.eval_cache(&state);
            let mut moves = Vec::new();
            state.moves(&mut moves);
            for &mv in &moves {
                let mut after = state.clone();
                after.play(mv);
                assert_eq!(
                    known.eval_cache_after(&state, &cache, mv),
                    known.eval_cache(&after),
                    "{state:?} {mv:?}"
                );
            }
            let evals = [cache, EvalCache::default()].map(|cache| {
                let (mut after, mut evals) = (state.clone(), Vec::new());
                let tries = Tries { moves: &moves, enough: f32::INFINITY, cache: &cache };
                known.evals_up_to(&state, tries, &mut after, &mut evals);
                evals
            });
            assert_eq!(evals[0], evals[1], "{state:?}");
        }
    }
}

#[test]
fn the_heaviest_moves_are_those_of_the_highest_weights() {
    let known = LoaKnowledge::default();
    let (mut fast, mut plain) = (Heaviest::default(), Heaviest::default());
    for state in random_states(300) {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        for most in [1, 5, 7, 8, 20] {
            known.heaviest(&state, &moves, most, &mut fast);
            plain.weigh(&known, &state, &moves, most);
            assert_eq!(fast.moves, plain.moves, "{state:?}");
        }
    }
}

/// By either way to it, and results stay results.
#[test]
fn a_unit_scales_evals_and_nothing_else() {
    let plain = LoaKnowledge::default();
    let known = LoaKnowledge { unit: Unit(2.5), ..plain };
    for state in random_states(200) {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let evals = |known: &LoaKnowledge| {
            let mut evals = Vec::new();
            known.evals_up_to(&state, Tries::all(&moves), &mut state.clone(), &mut evals);
            evals
        };
        let scaled = |&eval: &f32| if eval == WON || eval == LOST { eval } else { 2.5 * eval };
        let expected: Vec<f32> = evals(&plain).iter().map(scaled).collect();
        assert_eq!(evals(&known), expected, "{state:?}");
        let eval = known.eval(&state).zip(plain.eval(&state));
        assert!(eval.is_some_and(|(known, plain)| known == 2.5 * plain));
        assert_eq!(known.expectation(&state), plain.expectation(&state));
    }
}

#[test]
fn connections_of_both_and_of_the_enemy_are_seen() {
    // The shortest games known, and a move that connects both sides.
    let enemy = "c1xa3 a2-c4 c8xa6 a4-d4 e1-c3 d4-g4 c3xa5 c4-f4 a3xa7";
    let own = "d1-b3 h5-g4 b1-b4 g4xg1 b4-e7 a3xc1 b3-e6 h3xf1 e1-e5";
    let start = Loa::start().state_text();
    let both = "8/8/o2o4/o7/ox1oo3/1oo5/2ooxx2/2xx1xx1 w".to_owned();
    let mover = format!("{both} simultaneous=mover");
    for (text, moves, value) in
        [(&start, enemy, LOST), (&start, own, WON), (&both, "d6xb4", 0.0), (&mover, "d6xb4", WON)]
    {
        let mut state = Loa::parse_state(text).expect("a state");
        let mut moves: Vec<&str> = moves.split(' ').collect();
        let last = moves.pop().expect("a move");
        for mv in moves {
            state.play(state.parse_move(mv).expect("a legal move"));
        }
        let last = state.parse_move(last).expect("a legal move");
        let (mut after, mut evals) = (state.clone(), Vec::new());
        let known = LoaKnowledge::default();
        known.evals_up_to(&state, Tries::all(&[last]), &mut after, &mut evals);
        assert_eq!(evals, [value], "{text}");
    }
}

#[test]
fn weights_are_the_probabilities_of_categories() {
    let known = LoaKnowledge::default();
    for state in random_states(200) {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let (mut weights, mut priors, mut logarithms) = (Vec::new(), Vec::new(), Vec::new());
        known.weights(&state, &moves, &mut weights);
        known.priors(&state, &moves, &mut priors);
        known.log_priors(&state, &moves, &mut logarithms);
        for (index, &mv) in moves.iter().enumerate() {
            let category = View::of(state.board()).category(mv);
            let parts = slow::parts(state.board(), mv);
            assert_eq!(category.parts(), parts);
            assert_eq!(category, Category::new(parts));
            assert_eq!(weights[index], category.probability());
            assert_eq!(known.weight(&state, mv), Some(weights[index]));
            assert_eq!(known.prior(&state, mv), Some(priors[index]));
            assert!((logarithms[index] - weights[index].ln()).abs() < 1e-4);
        }
    }
}

#[test]
fn the_expected_result_grows_with_the_eval() {
    let known = LoaKnowledge::default();
    let mut values: Vec<(f32, f32)> = random_states(500)
        .iter()
        .map(|state| (known.eval(state).expect("an eval"), known.expectation(state).expect("one")))
        .collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    for pair in values.windows(2) {
        assert!(pair[0].1 <= pair[1].1 && pair[1].1.abs() < 1.0, "{pair:?}");
    }
}

/// Square by square, without tables or tricks.
mod slow {
    use super::{Board, FEATURES, Game, Loa, Move, Side, Square, bits};
    use monteverde_knowledge::loa::{Parts, Taking};

    pub(super) fn features(board: &Board) -> [i32; FEATURES] {
        let (own, enemy) = (side(board, board.turn()), side(board, board.turn().other()));
        let mut features = [1; FEATURES];
        for index in 0..FEATURES - 1 {
            features[index] = own[index] - enemy[index];
        }
        features
    }

    fn side(board: &Board, side: Side) -> [i32; FEATURES - 1] {
        let squares: Vec<Square> = bits(board.pieces(side)).collect();
        let count = squares.len() as i32;
        // Sixteenths of the mean, by a reciprocal of sixteen bits.
        let mean = |sum: i32| (sum * (65_536 / count)).div_euclid(4_096);
        let centre = centre(&squares);
        let far: i32 = squares.iter().map(|&square| distance(square, centre)).sum();
        let least = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14][squares.len()];
        let concentration = 256 * count / (count + (far - least).max(0));
        let worth = mean(squares.iter().map(|&square| worth(square)).sum());
        let sum = |part: fn(Square) -> u8| squares.iter().map(|&s| i32::from(part(s))).sum::<i32>();
        let off = |sum: i32| (2 * sum - 7 * count).abs();
        let off = mean(off(sum(Square::file)) + off(sum(Square::rank)));
        let mut quads = 0;
        for file in 0..7 {
            for rank in 0..7 {
                let window =
                    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(f, r)| Square::at(file + f, rank + r));
                let inside = window.iter().filter(|&square| squares.contains(square)).count();
                let near = window.iter().all(|&square| distance(square, centre) <= 2);
                quads += i32::from(near && inside >= 3);
            }
        }
        let neighbours = |&square: &Square| {
            squares.iter().filter(|&&other| distance(square, other) == 1).count() as i32
        };
        let neighbours = mean(squares.iter().map(neighbours).sum());
        let extent = |part: fn(Square) -> u8| {
            let parts = || squares.iter().map(|&square| i32::from(part(square)));
            parts().max().unwrap_or(0) - parts().min().unwrap_or(0) + 1
        };
        let area = extent(Square::file) * extent(Square::rank);
        let mobility = moves_of(board, side).iter().map(|&mv| move_worth(board, side, mv)).sum();
        [concentration, worth, -off, quads, mobility, walls(board, side), neighbours, -area]
    }

    pub(super) fn parts(board: &Board, mv: Move) -> Parts {
        let squares: Vec<Square> = bits(board.pieces(board.turn())).collect();
        let centre = centre(&squares);
        let region = |square: Square| match (ring(square), corner_distance(square)) {
            (0, 0) => 0,
            (ring, _) => ring + 1,
        };
        let taken = board.pieces(board.turn().other()) & mv.to().bit();
        Parts {
            taking: if taken == 0 { Taking::Nothing } else { Taking::Piece },
            from: region(mv.from()) as u8,
            to: region(mv.to()) as u8,
            towards: (distance(mv.from(), centre) - distance(mv.to(), centre)) as i8,
        }
    }

    fn centre(squares: &[Square]) -> Square {
        let mean = |part: fn(Square) -> u8| {
            let sum: usize = squares.iter().map(|&square| usize::from(part(square))).sum();
            (sum as f64 / squares.len() as f64 + 0.5).floor() as u8
        };
        Square::at(mean(Square::file), mean(Square::rank))
    }

    fn distance(a: Square, b: Square) -> i32 {
        i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
    }

    /// 0 on the edge, 3 in the centre.
    fn ring(square: Square) -> i32 {
        let [file, rank] = [square.file(), square.rank()].map(|at| at.min(7 - at));
        i32::from(file.min(rank))
    }

    fn corner_distance(square: Square) -> i32 {
        let corners = [(0, 0), (0, 7), (7, 0), (7, 7)].map(|(file, rank)| Square::at(file, rank));
        corners.iter().map(|&corner| distance(square, corner)).min().unwrap_or(0)
    }

    fn worth(square: Square) -> i32 {
        match (ring(square), corner_distance(square)) {
            (0, 0) => -80,
            (0, 1) => -25,
            (0, _) => -20,
            (1, _) => 10,
            (2, _) => 25,
            _ => 50,
        }
    }

    /// The moves that a side would have on the board.
    fn moves_of(board: &Board, side: Side) -> Vec<Move> {
        let pieces = [board.pieces(Side::First), board.pieces(Side::Second)];
        let board = Board::new(pieces, side, board.rules()).expect("the same pieces");
        let mut moves = Vec::new();
        Loa::new(board).moves(&mut moves);
        moves.retain(|mv| !mv.is_pass());
        moves
    }

    /// In quarters of a move.
    fn move_worth(board: &Board, side: Side, mv: Move) -> i32 {
        let place = match (ring(mv.to()), corner_distance(mv.to())) {
            (0, 0) => 1,
            (0, _) => 2,
            _ => 4,
        };
        let takes = board.pieces(side.other()) & mv.to().bit() != 0;
        if takes { 2 * place } else { place }
    }

    fn walls(board: &Board, side: Side) -> i32 {
        let on = |file: i32, rank: i32, set: u64| {
            (0..8).contains(&file) && (0..8).contains(&rank) && set >> (rank * 8 + file) & 1 != 0
        };
        let mut walls = 0;
        for square in bits(board.pieces(side.other())) {
            if ring(square) != 0 {
                continue;
            }
            let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
            for (df, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
                let (next_file, next_rank) = (file + df, rank + dr);
                let inside = (1..7).contains(&next_file) && (1..7).contains(&next_rank);
                if !inside {
                    continue;
                }
                let far: i32 = (-7..=7)
                    .map(|step| i32::from(on(file + step * df, rank + step * dr, board.occupied())))
                    .sum();
                let fits = |at: i32| (0..8).contains(&at);
                let arrives = fits(file + far * df) && fits(rank + far * dr);
                let stopped =
                    (1..far).any(|step| on(file + step * df, rank + step * dr, board.pieces(side)));
                walls += i32::from(arrives && stopped);
            }
        }
        walls
    }
}
