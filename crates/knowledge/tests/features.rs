//! What networks see: indices in range, moves told apart, and states alike that the rules do not
//! tell apart.

use monteverde_banqi::Banqi;
use monteverde_chess::{Chess, Piece, fen, uci};
use monteverde_game::{Game, Notation, Rng};
use monteverde_knowledge::banqi::BanqiFeatures;
use monteverde_knowledge::chess::ChessFeatures;
use monteverde_knowledge::loa::LoaFeatures;
use monteverde_loa::Loa;
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
    // A king on b1; the enemy's king on e8; a pawn on a2, which the king defends.
    assert_eq!(seen(&ChessFeatures, &state).0, [5 * 64 + 1, (6 + 5) * 64 + 60, 768 + 8]);
    let state = chess("4k3/8/8/8/8/8/7P/6K1 w - - 0 1");
    assert_eq!(seen(&ChessFeatures, &state).0, [5 * 64 + 1, (6 + 5) * 64 + 59, 768 + 8]);
}

#[test]
fn chess_tells_rooks_that_may_castle() {
    let castling = |text: &str| {
        let inputs = seen(&ChessFeatures, &chess(text)).0;
        inputs.into_iter().filter_map(|input| input.checked_sub(5 * 768)).collect::<Vec<_>>()
    };
    // Mirrored, since the king stands on e1: files h and a are 0 and 7.
    assert_eq!(castling("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), [0, 7, 8, 15]);
    assert_eq!(castling("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"), [0, 15]);
    assert_eq!(castling("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1"), [7, 8]);
    assert!(castling("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1").is_empty());
}

/// What happens to each piece, asked square by square of the rules, in random games.
#[test]
fn chess_tells_what_hangs() {
    const WORTH: [u8; 6] = [1, 3, 3, 5, 9, 100];
    let mut seen_conditions = [0u32; 5];
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut state = chess(fen::START);
        while let Ok(mv) = state.sample(&mut rng) {
            state.play(mv);
            let board = state.board();
            let mut expected = [0u32; 5];
            for square in board.occupied() {
                let (color, piece) = board.piece_at(square).expect("the square is occupied");
                let attackers = board.attackers(square, board.occupied());
                let enemies = attackers & board.color(color.other());
                let is_defended =
                    piece != Piece::King && !(attackers & board.color(color)).is_empty();
                let worth = |piece: Piece| WORTH[piece.index()];
                let is_outbid = enemies
                    .into_iter()
                    .any(|from| worth(board.piece_at(from).expect("an attacker").1) < worth(piece));
                expected[match (enemies.is_empty(), is_defended) {
                    (true, false) => 0,
                    (true, true) => 1,
                    (false, false) => 2,
                    (false, true) if !is_outbid => 3,
                    (false, true) => 4,
                }] += 1;
            }
            let mut found = [0u32; 5];
            for input in seen(&ChessFeatures, &state).0 {
                if input < 5 * 768 {
                    found[usize::from(input) / 768] += 1;
                }
            }
            assert_eq!(found, expected, "{state:?}");
            seen_conditions.iter_mut().zip(found).for_each(|(all, some)| *all += some);
        }
    }
    assert!(seen_conditions.iter().all(|&count| count > 100), "{seen_conditions:?}");
}

#[test]
fn chess_moves_that_lose_material_have_outputs_of_their_own() {
    let state = chess("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1");
    let output = |text: &str| {
        let mv = uci::parse(state.board(), text).expect("a legal move");
        let mut outputs = Vec::new();
        ChessFeatures.write_moves(&state, &[mv], &mut outputs);
        usize::from(outputs[0])
    };
    let class = |text: &str| output(text) / (ChessFeatures.outputs() / 4);
    assert_eq!(["d1d4", "d1d5", "d1h5"].map(class), [0, 1, 2]);
    let state = chess("4k3/8/8/1p6/8/8/8/3QK3 w - - 0 1");
    let mut outputs = Vec::new();
    let mv = uci::parse(state.board(), "d1a4").expect("a legal move");
    ChessFeatures.write_moves(&state, &[mv], &mut outputs);
    assert_eq!(
        usize::from(outputs[0]) / (ChessFeatures.outputs() / 4),
        1,
        "the pawn is in the way"
    );
}

#[test]
fn chess_moves_that_check_have_outputs_of_their_own() {
    let starts = [
        "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 0 1",
        "8/1P2k3/8/3n2q1/2R1B3/5N2/6PP/6K1 b - - 0 1",
        "n1n1n1n1/PPPPPPPP/8/k7/7K/8/pppppppp/N1N1N1N1 w - - 0 1",
    ];
    let (mut direct, mut others, mut moves, mut outputs) = (0, 0, Vec::new(), Vec::new());
    for (seed, start) in starts.iter().cycle().take(60).enumerate() {
        let (mut rng, mut state) = (Rng::new(seed as u64), chess(start));
        for _ in 0..80 {
            moves.clear();
            outputs.clear();
            state.moves(&mut moves);
            ChessFeatures.write_moves(&state, &moves, &mut outputs);
            for (&mv, &output) in moves.iter().zip(&outputs) {
                let is_told = usize::from(output) >= ChessFeatures.outputs() / 2;
                let mut after = state.clone();
                after.play(mv);
                let checkers = after.board().checkers();
                let is_direct = checkers.0 >> mv.to().index() & 1 != 0;
                let is_from_its_line = mv.promotion().is_some();
                if !is_from_its_line || is_told {
                    assert_eq!(is_told, is_direct, "{mv:?} in {state:?}");
                }
                direct += usize::from(is_direct);
                others += usize::from(!is_direct && !checkers.is_empty());
            }
            let Ok(mv) = state.sample(&mut rng) else { break };
            state.play(mv);
        }
    }
    assert!(direct > 1000 && others > 10, "{direct} direct checks and {others} uncovered ones");
}

/// The squares of a state's text, from the highest rank on, `.` where nothing lies; and the rest.
fn grid(text: &str) -> (Vec<Vec<char>>, String) {
    let (squares, rest) = text.split_once(' ').expect("a state has fields");
    let rank = |rank: &str| {
        let mut row = Vec::new();
        for letter in rank.chars() {
            match letter.to_digit(10) {
                Some(empty) => row.extend((0..empty).map(|_| '.')),
                None => row.push(letter),
            }
        }
        row
    };
    (squares.split('/').map(rank).collect(), rest.to_owned())
}

/// The inverse of [`grid`].
fn text((grid, rest): (Vec<Vec<char>>, String)) -> String {
    let rank = |rank: &Vec<char>| {
        rank.iter().map(|&face| if face == '.' { '1' } else { face }).collect::<String>()
    };
    let ranks: Vec<String> = grid.iter().map(rank).collect();
    format!("{} {rest}", ranks.join("/"))
}

fn left_right(state: &str) -> String {
    let (mut grid, rest) = grid(state);
    grid.iter_mut().for_each(|rank| rank.reverse());
    text((grid, rest))
}

fn up_down(state: &str) -> String {
    let (mut grid, rest) = grid(state);
    grid.reverse();
    text((grid, rest))
}

fn transposed(state: &str) -> String {
    let (grid, rest) = grid(state);
    let column = |file: usize| grid.iter().map(|rank| rank[file]).collect();
    text(((0..grid[0].len()).map(column).collect(), rest))
}

/// States of random games, as text.
fn states<G: Notation>(start: &G, games: u64) -> Vec<String> {
    let mut states = Vec::new();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = start.clone();
        loop {
            if state.is_pending() {
                let event = state.sample_event(&mut rng);
                state.settle(event);
                continue;
            }
            let Ok(mv) = state.sample(&mut rng) else { break };
            states.push(state.state_text());
            state.play(mv);
        }
    }
    states
}

/// Whether both texts look alike.
fn assert_alike<G: Notation>(features: &dyn Features<G>, one: &str, other: &str) {
    let [a, b] = [one, other].map(|text| G::parse_state(text).expect("a state"));
    assert_eq!(seen(features, &a), seen(features, &b), "{one} and {other}");
}

#[test]
fn loa_numbers_inputs_and_moves_apart() {
    check_games(&LoaFeatures, &Loa::start(), 8);
    // Nothing can move.
    let stuck = Loa::parse_state("6ox/6oo/8/8/8/8/oo6/xo6 b").expect("a state");
    check(&LoaFeatures, &stuck);
    let mut moves = Vec::new();
    stuck.moves(&mut moves);
    assert!(moves.len() == 1 && moves[0].is_pass(), "{moves:?}");
    assert_eq!(usize::from(seen(&LoaFeatures, &stuck).1[0]), LoaFeatures.outputs() - 1);
}

#[test]
fn loa_looks_alike_however_it_is_turned_and_with_colours_swapped() {
    for state in states(&Loa::start(), 3) {
        assert_alike(&LoaFeatures, &state, &left_right(&state));
        assert_alike(&LoaFeatures, &state, &up_down(&state));
        assert_alike(&LoaFeatures, &state, &transposed(&state));
        assert_alike(&LoaFeatures, &state, &up_down(&left_right(&transposed(&state))));
        let swapped: String = state
            .chars()
            .map(|letter| match letter {
                'x' => 'o',
                'o' => 'x',
                'b' => 'w',
                'w' => 'b',
                other => other,
            })
            .collect();
        assert_alike(&LoaFeatures, &state, &swapped);
    }
}

/// A piece alone fills four windows and stands on four lines.
#[test]
fn loa_sees_squares_windows_and_lines() {
    let state = Loa::parse_state("7o/8/8/8/8/8/8/x7 b").expect("a state");
    let (inputs, _) = seen(&LoaFeatures, &state);
    assert_eq!(inputs[..2], [0, 64 + 63]);
    let windows = |window: u16, pattern: u16| 128 + window * 80 + pattern - 1;
    let expected = [
        windows(0, 27),
        windows(1, 9),
        windows(9, 3),
        windows(10, 1),
        windows(70, 27 * 2),
        windows(71, 9 * 2),
        windows(79, 3 * 2),
        windows(80, 2),
    ];
    assert_eq!(inputs[2..10], expected);
    let line = |line: u16, count: u16| 128 + 81 * 80 + line * 8 + count - 1;
    // Two ranks, two files, the long diagonal with both, and the two corners.
    let expected =
        [line(0, 1), line(7, 1), line(8, 1), line(15, 1), line(23, 2), line(31, 1), line(45, 1)];
    assert_eq!(inputs[10..], expected);
}

/// Small boards among them, one with more pieces of a kind than a game has.
const BOARDS: [&str; 4] = [
    monteverde_banqi::state::START,
    "XXXX/XXXX/XXXX - KGMRNCkgmrnc 0",
    "XXX/XXX/XXX - KPPkkppPP 0",
    "1X1X/K2p/1X1X/4 r RRrr 0 plies=60",
];

#[test]
fn banqi_numbers_inputs_and_moves_apart() {
    for start in BOARDS {
        check_games(&BanqiFeatures, &Banqi::parse_state(start).expect("a board"), 5);
    }
}

#[test]
fn banqi_looks_alike_reflected_and_with_colours_swapped() {
    for start in BOARDS {
        for state in states(&Banqi::parse_state(start).expect("a board"), 3) {
            assert_alike(&BanqiFeatures, &state, &left_right(&state));
            assert_alike(&BanqiFeatures, &state, &up_down(&state));
            assert_alike(&BanqiFeatures, &state, &left_right(&up_down(&state)));
            let fields: Vec<&str> = state.split(' ').collect();
            let swap = |text: &str| -> String {
                let swap = |letter: char| match letter {
                    'X' => 'X',
                    letter if letter.is_ascii_lowercase() => letter.to_ascii_uppercase(),
                    letter => letter.to_ascii_lowercase(),
                };
                text.chars().map(swap).collect()
            };
            let turn = match fields[1] {
                "r" => "b",
                "b" => "r",
                other => other,
            };
            let swapped = [&swap(fields[0]), turn, &swap(fields[2]), fields[3]].join(" ");
            let rules = fields.get(4).filter(|rules| rules.contains("plies=60"));
            let swapped = swapped + if rules.is_some() { " plies=60" } else { "" };
            assert_alike(&BanqiFeatures, &state, &swapped);
        }
    }
}

/// The inputs of Chinese dark chess behind those of the squares.
const HANGING: u16 = 32 * 15;
const ATTACKED: u16 = HANGING + 32 * 14;
const MATERIAL: u16 = ATTACKED + 14;
const COVERED: u16 = MATERIAL + 70;
const LIKELY: u16 = COVERED + 70;
const QUIET: u16 = LIKELY + 3;
const REPEATED: u16 = QUIET + 16;
const DECIDED: u16 = REPEATED + 1;

/// A piece that is covered is one of those that the players know to be covered, no more.
#[test]
fn banqi_sees_counts_of_covered_pieces_and_no_more() {
    let state = Banqi::parse_state("X3/4/4/4/4/4/4/K2k r p 20").expect("a state");
    let (inputs, _) = seen(&BanqiFeatures, &state);
    // The own king on a1, the enemy's on d1, something covered on a8; three kinds with one each are
    // in the game, one enemy pawn is covered; the enemy is likely to win; half of the plies have
    // gone by; colours are decided.
    let material = [MATERIAL, MATERIAL + 7 * 5, MATERIAL + 13 * 5];
    let squares = [0, 3 * 15 + 7, 28 * 15 + 14];
    let others = [COVERED + 13 * 5, LIKELY + 2, QUIET + 8, DECIDED];
    assert_eq!(inputs, [&squares[..], &material, &others].concat());
}

#[test]
fn banqi_sees_what_hangs_what_is_likely_and_what_has_been_there() {
    let parse = |text| Banqi::parse_state(text).expect("a state");
    let threats = |state: &Banqi| -> Vec<u16> {
        let all = seen(&BanqiFeatures, state).0;
        all.into_iter().filter(|input| (HANGING..MATERIAL).contains(input)).collect()
    };
    // The guard on a1 takes the rook on b1, which nobody protects.
    let state = parse("3X/4/4/4/4/4/4/Gr2 r k 0");
    assert_eq!(threats(&state), [HANGING + 14 + 10, ATTACKED + 10]);
    // A king on c1 protects it: the capture does not pay.
    assert_eq!(threats(&parse("3X/4/4/4/4/4/4/Grk1 r p 0")), [ATTACKED + 10]);
    // A king and a guard beat a minister.
    let mut state = parse("KG2/4/4/4/4/4/4/3m r - 0");
    assert!(seen(&BanqiFeatures, &state).0.contains(&(LIKELY + 1)));
    for text in ["a8-a7", "d1-d2", "a7-a8", "d2-d1"] {
        assert!(!seen(&BanqiFeatures, &state).0.contains(&REPEATED));
        let mv = state.parse_move(text).expect("a legal move");
        state.play(mv);
    }
    assert!(seen(&BanqiFeatures, &state).0.contains(&REPEATED));
}

#[test]
fn banqi_moves_have_outputs_by_what_they_take_and_lose() {
    // The minister takes the rook, which a guard protects; or the pawn, which nobody does.
    let state = Banqi::parse_state("4/4/4/4/4/2g1/X1r1/1pM1 r P 0").expect("a state");
    let class = |text: &str| {
        let mv = state.parse_move(text).expect("a legal move");
        let mut outputs = Vec::new();
        BanqiFeatures.write_moves(&state, &[mv], &mut outputs);
        outputs[0] / 320
    };
    assert_eq!(["c1-d1", "c1-b1", "c1-c2"].map(class), [0, 2, 3]);
    assert_eq!(class("a2"), 4);
}
