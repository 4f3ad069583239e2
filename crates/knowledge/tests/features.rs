//! What networks see: indices in range, moves told apart, and states alike that the rules do not
//! tell apart.

use monteverde_chess::{Chess, fen, uci};
use monteverde_game::{Game, Rng};
use monteverde_knowledge::chess::ChessFeatures;
use monteverde_network::{Description, Features};

/// The active inputs of a state, and the outputs of its moves, each in ascending order.
fn seen<G: Game>(features: &dyn Features<G>, state: &G) -> (Vec<u16>, Vec<u16>) {
    let (mut inputs, mut moves, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    features.write(state, &mut inputs);
    state.moves(&mut moves);
    features.write_moves(state, &moves, &mut outputs);
    assert_eq!(outputs.len(), moves.len());
    inputs.sort_unstable();
    outputs.sort_unstable();
    (inputs, outputs)
}

/// Looks at one state.
fn check<G: Game>(features: &dyn Features<G>, state: &G) {
    let Description { inputs: all_inputs, most, outputs: all_outputs, .. } =
        Description::of(features);
    let (inputs, outputs) = seen(features, state);
    assert!(inputs.len() <= most, "{} inputs are active: {state:?}", inputs.len());
    for (numbers, all) in [(&inputs, all_inputs), (&outputs, all_outputs)] {
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?} of {state:?}");
        assert!(numbers.last().is_none_or(|&last| usize::from(last) < all), "{state:?}");
    }
    assert!(all_inputs <= 1 << 16 && all_outputs <= 1 << 16);
}

/// Looks at every state of random games.
fn check_games<G: Game>(features: &dyn Features<G>, start: &G, games: u64) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = start.clone();
        for _ in 0..400 {
            if state.is_pending() {
                let event = state.sample_event(&mut rng);
                state.settle(event);
                continue;
            }
            check(features, &state);
            let Ok(mv) = state.sample(&mut rng) else { break };
            state.play(mv);
        }
    }
}

fn chess(text: &str) -> Chess {
    Chess::new(fen::parse(text).expect("a position of the test"))
}

#[test]
fn chess_numbers_inputs_and_moves_apart() {
    for start in [
        fen::START,
        "r3k2r/pPp2ppp/8/3pP3/1b6/8/PpP2PPP/R3K2R w KQkq d6 0 2",
        "n1n1n1n1/PPPPPPPP/8/k7/7K/8/pppppppp/N1N1N1N1 w - - 0 1",
        "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1",
    ] {
        check_games(&ChessFeatures, &chess(start), 8);
    }
}

#[test]
fn chess_looks_alike_in_a_mirror_and_with_colours_swapped() {
    const PAIRS: [(&str, &str); 3] = [
        // Left and right.
        ("4k3/1P6/8/3n4/8/2R5/P7/1K6 w - - 0 1", "3k4/6P1/8/4n3/8/5R2/7P/6K1 w - - 0 1"),
        // The colours.
        (
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3",
        ),
        // Both.
        ("4k3/1P6/8/3n4/8/2R5/P7/1K6 w - - 0 1", "6k1/7p/5r2/8/4N3/8/6p1/3K4 b - - 0 1"),
    ];
    for (one, other) in PAIRS {
        let (one, other) = (chess(one), chess(other));
        assert_eq!(seen(&ChessFeatures, &one), seen(&ChessFeatures, &other), "{one:?} {other:?}");
    }
}

/// A wrong rank, file, side or kind would show here and nowhere else.
#[test]
fn chess_counts_squares_from_its_own_corner() {
    let state = chess("4k3/8/8/8/8/8/P7/1K6 w - - 0 1");
    // A pawn on a2, a king on b1; the enemy's king on e8.
    assert_eq!(seen(&ChessFeatures, &state).0, [8, 5 * 64 + 1, (6 + 5) * 64 + 60]);
    let state = chess("4k3/8/8/8/8/8/7P/6K1 w - - 0 1");
    assert_eq!(seen(&ChessFeatures, &state).0, [8, 5 * 64 + 1, (6 + 5) * 64 + 59]);
}

#[test]
fn chess_moves_that_lose_material_have_outputs_of_the_second_half() {
    let state = chess("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1");
    let output = |text: &str| {
        let mv = uci::parse(state.board(), text).expect("a legal move");
        let mut outputs = Vec::new();
        ChessFeatures.write_moves(&state, &[mv], &mut outputs);
        usize::from(outputs[0])
    };
    let half = ChessFeatures.outputs() / 2;
    assert!(output("d1d4") < half);
    assert!(output("d1d5") >= half);
}
