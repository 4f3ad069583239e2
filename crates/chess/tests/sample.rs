//! Samples and playouts.

use crate::common::board;
use monteverde_chess::{Board, Chess, Move, Square};
use monteverde_game::{Game, Outcome, Rng, Side};
use std::collections::{HashMap, HashSet};

/// Positions that take every way through the sampler.
const POSITIONS: [(&str, &str); 18] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("castling and pins", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("castling through an attack", "r3k2r/8/8/8/8/5b2/8/R3K2R w KQkq - 0 1"),
    ("castling out of Chess960", "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1"),
    ("in check", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"),
    ("double check", "4k3/8/8/8/1b6/4n3/3P1r2/R2QK3 w - - 0 1"),
    ("pinned pawns", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("pins on all lines", "3rk3/6b1/8/3B4/r2RK1Nr/3P1P2/2b5/4r2b w - - 0 1"),
    ("promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1"),
    ("promotions under a pin", "2r1k3/1P6/8/8/8/8/8/1K6 w - - 0 1"),
    ("promotion of a pinned pawn", "k3b3/3P4/2K5/8/8/8/8/8 w - - 0 1"),
    ("en passant", "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"),
    ("en passant twice", "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1"),
    ("en passant for one of two", "4k3/8/8/2PpP3/8/8/4r3/2K1B3 w - d6 0 1"),
    ("en passant ends the check", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"),
    ("lone king", "8/8/8/3k4/8/3QK3/8/8 b - - 0 1"),
    ("king beside the king", "8/8/8/3k4/8/3K4/7P/8 w - - 0 1"),
    ("ten queens", "6rk/6pp/8/Q1Q1Q3/1Q1Q1Q2/Q1Q1Q3/1Q6/7K w - - 0 1"),
];

#[test]
fn samples_are_uniform() {
    for (name, fen) in POSITIONS {
        check_uniform(name, &board(fen));
    }
}

fn check_uniform(name: &str, board: &Board) {
    let game = Chess::new(*board);
    check_draws(name, board, |_, list| 1.0 / list.len() as f64, |rng| game.sample(rng));
}

#[test]
fn samples_by_piece_are_uniform_over_pieces_and_then_over_their_moves() {
    for (name, fen) in POSITIONS {
        let board = board(fen);
        let game = Chess::new(board);
        let share = |mv: Move, list: &[Move]| {
            let pieces: HashSet<Square> = list.iter().map(|mv| mv.from()).collect();
            let moves = list.iter().filter(|other| other.from() == mv.from()).count();
            1.0 / (pieces.len() * moves) as f64
        };
        check_draws(name, &board, share, |rng| game.sample_by_piece(rng));
    }
}

/// Pearson's test of draws against the probability of each move in the list of all: the statistic
/// has as its mean the number of moves less one, and as its variance about twice that. Five
/// deviations above are far beyond chance, and the seed is fixed.
fn check_draws(
    name: &str,
    board: &Board,
    share: impl Fn(Move, &[Move]) -> f64,
    draw: impl Fn(&mut Rng) -> Result<Move, Outcome>,
) {
    const DRAWS_PER_MOVE: usize = 2_000;
    let mut list = Vec::new();
    board.legal_moves(&mut list);
    let mut rng = Rng::new(20_080_425);
    let mut counts = HashMap::new();
    let draws = DRAWS_PER_MOVE * list.len();
    for _ in 0..draws {
        let mv = draw(&mut rng).unwrap_or_else(|_| panic!("{name} has moves"));
        *counts.entry(mv).or_insert(0u32) += 1;
    }
    assert!(counts.keys().all(|mv| list.contains(mv)), "{name}: an illegal move was drawn");
    let deviation = |&mv: &Move| {
        let expected = draws as f64 * share(mv, &list);
        (f64::from(*counts.get(&mv).unwrap_or(&0)) - expected).powi(2) / expected
    };
    let statistic: f64 = list.iter().map(deviation).sum();
    let freedom = (list.len() - 1) as f64;
    let limit = freedom + 5.0 * (2.0 * freedom).sqrt();
    assert!(statistic <= limit, "{name}: {statistic:.1} is above {limit:.1}");
}

#[test]
fn finished_games_are_told() {
    let cases = [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", Some("checkmate"), Outcome::Win(Side::First)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some("stalemate"), Outcome::Draw),
        ("7k/8/6K1/8/8/8/8/R7 w - - 100 80", Some("fifty-moves"), Outcome::Draw),
        ("7k/8/6K1/8/8/8/B7/8 w - - 0 1", Some("insufficient-material"), Outcome::Draw),
    ];
    for (fen, ending, outcome) in cases {
        let mut game = Chess::new(board(fen));
        assert_eq!(game.ending(), ending, "{fen}");
        assert_eq!(game.outcome(), Some(outcome), "{fen}");
        assert_eq!(game.sample(&mut Rng::new(1)), Err(outcome), "{fen}");
        assert_eq!(game.sample_by_piece(&mut Rng::new(1)), Err(outcome), "{fen}");
        let playout = game.playout(&mut Rng::new(1));
        assert_eq!((playout.outcome, playout.plies), (outcome, 0), "{fen}");
    }
}

#[test]
fn playouts_draw_what_samples_draw() {
    let starts =
        POSITIONS.iter().map(|(_, fen)| board(fen)).chain((0..960).filter_map(Board::chess960));
    for (seed, start) in (0..).zip(starts) {
        let mut whole = Chess::new(start);
        let mut rng = Rng::new(seed);
        let playout = whole.playout(&mut rng);

        let mut stepwise = Chess::new(start);
        let mut step_rng = Rng::new(seed);
        let mut plies = 0;
        let outcome = loop {
            match stepwise.sample(&mut step_rng) {
                Ok(mv) => stepwise.play(mv),
                Err(outcome) => break outcome,
            }
            plies += 1;
        };
        assert_eq!((playout.outcome, playout.plies), (outcome, plies), "{start:?}");
        assert_eq!(whole.board(), stepwise.board(), "{start:?}");
        assert_eq!(rng, step_rng, "{start:?}");
        assert_eq!(whole.key(), whole.recomputed_key());
        assert!(whole.ending().is_some_and(|ending| ending != "repetition"), "{start:?}");
    }
}

/// The means over 602,000 games of another program, with five standard errors of ours as tolerance.
#[test]
fn playouts_from_the_start_have_the_known_statistics() {
    const GAMES: u32 = 20_000;
    let mut rng = Rng::new(7);
    let (mut plies, mut squares) = (0.0, 0.0);
    let mut endings: HashMap<String, u32> = HashMap::new();
    for _ in 0..GAMES {
        let mut game = Chess::new(Board::start());
        let playout = game.playout(&mut rng);
        plies += f64::from(playout.plies);
        squares += f64::from(playout.plies).powi(2);
        let ending = game.ending().expect("a playout ends the game");
        let winner = match playout.outcome {
            Outcome::Win(Side::First) => " by White",
            Outcome::Win(Side::Second) => " by Black",
            Outcome::Draw => "",
        };
        *endings.entry(format!("{ending}{winner}")).or_default() += 1;
    }
    let games = f64::from(GAMES);
    let mean = plies / games;
    let error = ((squares / games - mean * mean) / games).sqrt();
    assert!((mean - 342.8).abs() < 5.0 * error, "{mean:.1} plies, standard error {error:.2}");
    let known = [
        ("checkmate by White", 0.076),
        ("checkmate by Black", 0.077),
        ("stalemate", 0.062),
        ("fifty-moves", 0.236),
        ("insufficient-material", 0.550),
    ];
    for (ending, share) in known {
        let ours = f64::from(endings[ending]) / games;
        let error = (share * (1.0 - share) / games).sqrt();
        assert!((ours - share).abs() < 5.0 * error, "{ending}: {ours:.4} instead of {share}");
    }
}
