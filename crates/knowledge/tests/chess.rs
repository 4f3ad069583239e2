//! The evaluation of chess: facts, symmetries, and play.

use crate::common::{self, best_by_search, play_out, random_board};
use monteverde_chess::{Board, Chess, Color, Setup, fen};
use monteverde_game::playout_knowledge::greedy;
use monteverde_game::{
    Game, Greed, Knowledge, Measure, Outcome, PlayoutKnowledge, Rng, Side, Ties,
};
use monteverde_knowledge::chess::{
    CURVE, ChessKnowledge, TUNED, WHOLE_PHASE, eval, eval_with, expectation, phase, plain, trace,
};

#[test]
fn colours_swapped_and_files_mirrored_give_the_same_value() {
    let mut rng = Rng::new(1);
    for _ in 0..3_000 {
        let board = random_board(&mut rng);
        assert_eq!(eval(&swapped(&board)), eval(&board), "{board:?}");
        assert_eq!(eval(&mirrored(&board)), eval(&board), "{board:?}");
    }
}

/// The board turned upside down, with the colours exchanged: the same to whoever is to move.
fn swapped(board: &Board) -> Board {
    changed(board, |setup| {
        let pieces = setup.pieces;
        for (index, piece) in pieces.into_iter().enumerate() {
            setup.pieces[index ^ 56] = piece.map(|(color, piece)| (color.other(), piece));
        }
        setup.turn = setup.turn.other();
    })
}

/// The board with left and right exchanged.
fn mirrored(board: &Board) -> Board {
    changed(board, |setup| {
        let pieces = setup.pieces;
        for (index, piece) in pieces.into_iter().enumerate() {
            setup.pieces[index ^ 7] = piece;
        }
    })
}

fn changed(board: &Board, change: impl FnOnce(&mut Setup)) -> Board {
    let mut setup = Setup::empty();
    for square in monteverde_chess::Square::all() {
        setup.pieces[square.index()] = board.piece_at(square);
    }
    setup.turn = board.turn();
    change(&mut setup);
    Board::from_setup(&setup).expect("the mirror of a legal board is legal")
}

#[test]
fn the_trace_adds_up_to_the_value() {
    let mut rng = Rng::new(2);
    let by_hand = plain();
    for _ in 0..3_000 {
        let board = random_board(&mut rng);
        for weights in [&TUNED, &by_hand] {
            let values = weights.values().map(|(m, e)| [f32::from(m), f32::from(e)]);
            let white = trace(&board).value(&values);
            let value = eval_with(weights, &board);
            let value = if board.turn() == Color::White { value } else { -value };
            assert!((white - value as f32).abs() < 1.1, "{white} is not {value}: {board:?}");
        }
    }
}

#[test]
fn the_first_board_is_worth_nearly_nothing() {
    let start = Board::start();
    assert_eq!(phase(&start), WHOLE_PHASE);
    assert!((0..60).contains(&eval(&start)), "{}", eval(&start));
}

/// What is better, a board that has it, and one that has not, for White.
#[test]
fn better_boards_have_higher_values() {
    const PAIRS: &[(&str, &str, &str)] = &[
        (
            "a queen more",
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        ),
        (
            "a knight towards the centre",
            "r1bqkb1r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R w - - 0 1",
            "r1bqkb1r/pppppppp/2n2n2/8/8/N4N2/PPPPPPPP/R1BQKB1R w - - 0 1",
        ),
        (
            "a pawn on the seventh",
            "8/P5kp/8/8/8/8/6K1/8 w - - 0 1",
            "8/6kp/8/8/8/P7/6K1/8 w - - 0 1",
        ),
        (
            "a castled king behind its pawns",
            "r4rk1/ppq2ppp/2n2n2/8/8/2N2N2/PPQ2PPP/R4RK1 w - - 0 1",
            "r4rk1/ppq2ppp/2n2n2/8/4K3/2N2N2/PPQ2PPP/R4R2 w - - 0 1",
        ),
        (
            "pawns side by side",
            "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1",
            "4k3/pppp4/8/8/8/4P1P1/4P1P1/4K3 w - - 0 1",
        ),
        (
            "the turn, where the enemy's rook hangs",
            "4k3/ppp2p2/8/8/3r4/4B3/PPP2P2/4K3 w - - 0 1",
            "4k3/ppp2p2/8/8/3r4/4B3/PPP2P2/4K3 b - - 0 1",
        ),
    ];
    for &(what, better, worse) in PAIRS {
        let (better, worse) = (white_value(better), white_value(worse));
        assert!(better > worse, "{what}: {better} is not above {worse}");
    }
}

fn white_value(text: &str) -> i32 {
    let board = board(text);
    if board.turn() == Color::White { eval(&board) } else { -eval(&board) }
}

fn board(text: &str) -> Board {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn endings_that_cannot_be_won_are_worth_little() {
    let won = "4k3/8/8/8/8/8/8/2BNK3 w - - 0 1";
    assert!(eval(&board(won)) > 400, "{won}");
    for (text, most) in [
        ("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1", 30),
        ("4k3/7p/8/8/8/8/8/4KB2 w - - 0 1", 30),
        ("4k3/4r3/8/8/8/8/8/R3KB2 w - - 0 1", 120),
        ("k7/8/8/8/8/6B1/P7/K7 w - - 0 1", 30),
    ] {
        let value = eval(&board(text));
        assert!(value <= most, "{value}: {text}");
    }
    // The same pawns with bishops on squares of equal and of opposite colours.
    let equal = eval(&board("5bk1/5p2/8/8/8/8/3PPP2/2B3K1 w - - 0 1"));
    let opposite = eval(&board("2b3k1/5p2/8/8/8/8/3PPP2/2B3K1 w - - 0 1"));
    assert!(opposite < equal * 3 / 4, "{opposite} {equal}");
}

#[test]
fn expectations_grow_with_the_value_within_their_range() {
    let mut last = -1.0;
    for value in (-3000..=3000).step_by(50) {
        let next = CURVE.expectation(value, 12);
        assert!((-1.0..=1.0).contains(&next) && next >= last, "{value}: {next}");
        assert_eq!(next, -CURVE.expectation(-value, 12), "{value}");
        last = next;
    }
    assert_eq!(CURVE.expectation(0, 0), 0.0);
    let won = board("3qk3/8/8/8/8/8/8/4K3 b - - 0 1");
    assert!(expectation(&won) > 0.9, "{}", expectation(&won));
}

/// The fast form of greed draws and chooses as the plain one, in games that are played to their
/// end.
#[test]
fn a_mate_with_more_is_more_convincing() {
    let quality = |text: &str, winner| {
        ChessKnowledge::default().quality(&Chess::new(board(text)), winner).expect("a quality")
    };
    let bare = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let rich = "7k/6Q1/6K1/8/8/8/PPP5/RR6 b - - 0 1";
    assert!(quality(rich, Side::First) > quality(bare, Side::First));
    assert!((0.0..=1.0).contains(&quality(bare, Side::First)));
    // Had Black won, it would have done so with nothing.
    assert_eq!(quality(rich, Side::Second), -quality(rich, Side::First));
}

#[test]
fn greed_is_that_of_the_plain_form() {
    let mut buffer = Vec::new();
    for seed in 0..12 {
        let mut state = Chess::new(Board::start());
        let mut rng = Rng::new(seed);
        loop {
            for greed in GREEDS {
                let mut other = rng.clone();
                let plain =
                    greedy(&ChessKnowledge::default(), &state, greed, &mut buffer, &mut other);
                let fast = ChessKnowledge::default().greedy(&state, greed, &mut buffer, &mut rng);
                assert_eq!(fast, plain, "{state:?}");
                assert_eq!(rng, other);
            }
            match state.sample(&mut rng) {
                Ok(mv) => state.play(mv),
                Err(_) => break,
            }
        }
    }
}

/// Random ties between exchanges are left out: there the fast form draws otherwise, with equal
/// chances.
const GREEDS: [Greed; 5] = [
    Greed { measure: Measure::Eval, ties: Ties::First },
    Greed { measure: Measure::Eval, ties: Ties::Random },
    Greed { measure: Measure::Gain, ties: Ties::First },
    Greed { measure: Measure::Eval, ties: Ties::Last },
    Greed { measure: Measure::Gain, ties: Ties::Last },
];

#[test]
fn a_prior_is_the_value_after_the_move() {
    let mut rng = Rng::new(3);
    let state = Chess::new(random_board(&mut rng));
    let mut moves = Vec::new();
    state.moves(&mut moves);
    for mv in moves {
        let mut after = state.clone();
        after.play(mv);
        assert_eq!(
            ChessKnowledge::default().prior(&state, mv),
            ChessKnowledge::default().eval(&after).map(|v| -v)
        );
    }
}

#[test]
fn weights_of_moves_are_those_of_each_and_of_the_swapped_board() {
    let mut rng = Rng::new(4);
    let knowledge = ChessKnowledge::default();
    // Whatever the order in which they are generated.
    let sorted = |board: &Board| {
        let state = Chess::new(*board);
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        state.moves(&mut moves);
        knowledge.weights(&state, &moves, &mut weights);
        for (&mv, &weight) in moves.iter().zip(&weights) {
            assert_eq!(knowledge.weight(&state, mv), Some(weight));
            assert!(weight > 0.0 && weight.is_finite());
        }
        weights.sort_by(f32::total_cmp);
        weights
    };
    for _ in 0..300 {
        // Without the rights that a swapped board loses.
        let board = changed(&random_board(&mut rng), |_| {});
        assert_eq!(sorted(&swapped(&board)), sorted(&board), "{board:?}");
    }
}

/// Within fifty moves, against a king that runs as well as it can see.
#[test]
fn won_endings_are_won() {
    const DEPTH: u32 = 4;
    for text in [
        "4k3/8/8/8/8/8/8/3QK3 w - - 0 1",
        "8/8/3k4/8/8/8/8/R3K3 w - - 0 1",
        "8/8/4k3/8/8/8/4P3/R3K3 w - - 0 1",
    ] {
        let outcome = play_out(Chess::new(board(text)), |state| best_by_search(state, DEPTH, eval));
        assert_eq!(outcome, Outcome::Win(Side::First), "{text}");
    }
}

/// Two plies of alpha-beta with the evaluation, against whoever takes the most valuable piece it
/// can.
#[test]
fn two_plies_with_it_beat_greed_nearly_always() {
    const GAMES: u64 = 40;
    let mut score = 0.0;
    for game in 0..GAMES {
        // Both sides play each opening.
        let mut rng = Rng::stream(4, game / 2);
        let ours = if game % 2 == 0 { Side::First } else { Side::Second };
        let mut state = Chess::new(Board::start());
        for _ in 0..6 {
            let mv = state.sample(&mut rng).expect("no game ends within six plies of this seed");
            state.play(mv);
        }
        let outcome = play_out(state, |state| {
            if state.turn() == ours {
                best_by_search(state, 2, eval)
            } else {
                best_by_search(state, 1, |board| {
                    common::material(board) * 100 + rng.below(100) as i32
                })
            }
        });
        score += match outcome {
            Outcome::Win(side) if side == ours => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Win(_) => 0.0,
        };
    }
    assert!(score >= 0.95 * GAMES as f64, "{score} of {GAMES}");
}
