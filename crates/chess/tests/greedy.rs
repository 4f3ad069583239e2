//! The best move by exchanges against the plain choice, which works out the value of every move.

use crate::random;
use monteverde_chess::{Chess, Move, fen, see};
use monteverde_game::playout_knowledge::greedy;
use monteverde_game::{Greed, Knowledge, Measure, Outcome, Rng, Side, Ties};

/// Knows nothing but exchanges.
struct Exchanges;

impl Knowledge<Chess> for Exchanges {
    fn gain(&self, state: &Chess, mv: Move) -> Option<f32> {
        Some(see(state.board(), mv) as f32)
    }
}

fn plain(state: &Chess, ties: Ties, rng: &mut Rng) -> Result<Move, Outcome> {
    greedy(&Exchanges, state, Greed { measure: Measure::Gain, ties }, &mut Vec::new(), rng)
}

#[test]
fn the_first_or_the_last_of_the_best_is_taken_as_by_the_plain_choice() {
    let mut rng = Rng::new(1);
    random::random_games(400, |board, _| {
        for ties in [Ties::First, Ties::Last] {
            let before = rng.clone();
            let found = board.best_exchange(ties, &mut rng);
            assert_eq!(rng, before, "nothing is drawn");
            let expected = plain(&Chess::new(*board), ties, &mut rng);
            assert_eq!(found, expected, "{ties:?} {}", fen::write(board));
        }
    });
}

#[test]
fn a_random_one_of_the_best_is_one_of_the_best() {
    let mut rng = Rng::new(2);
    random::random_games(400, |board, _| {
        let found = board.best_exchange(Ties::Random, &mut rng);
        match plain(&Chess::new(*board), Ties::First, &mut rng) {
            Ok(best) => {
                let mv = found.expect("there is a move");
                assert!(board.is_legal(mv), "{mv:?} in {}", fen::write(board));
                assert_eq!(see(board, mv), see(board, best), "{mv:?} in {}", fen::write(board));
            }
            Err(outcome) => assert_eq!(found, Err(outcome), "{}", fen::write(board)),
        }
    });
}

/// Gains that equal each other, no gain with and without captures for a like piece, promotions, and
/// boards where few moves or none are without loss, so that draws alone seldom find one.
const TIES: [(&str, usize); 7] = [
    ("4k3/8/2r3r1/1P3P1P/8/p7/1P6/4K3 w - - 0 1", 2),
    (fen::START, 20),
    ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", 7),
    ("7k/P7/8/8/8/8/8/K7 w - - 0 1", 1),
    ("k7/p1p1p1p1/8/1N1N1N2/p1p1p1p1/8/8/K7 w - - 0 1", 5),
    ("k7/8/8/3q4/8/1r6/8/K2N4 w - - 0 1", 3),
    ("1r5k/8/3p2p1/8/2P2P2/8/7r/K7 w - - 0 1", 2),
];

#[test]
fn equals_are_equally_probable() {
    const DRAWS: usize = 1_000;
    let mut rng = Rng::new(3);
    for (state, count) in TIES {
        let board = fen::parse(state).unwrap();
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let highest = moves.iter().map(|&mv| see(&board, mv)).max().expect("there are moves");
        moves.retain(|&mv| see(&board, mv) == highest);
        let mut counts = vec![0.0; moves.len()];
        for _ in 0..DRAWS * moves.len() {
            let mv = board.best_exchange(Ties::Random, &mut rng).expect("there are moves");
            counts[moves.iter().position(|&best| best == mv).expect("one of the best")] += 1.0;
        }
        // Pearson's statistic has the freedom as its mean and twice that as its variance.
        let mean = DRAWS as f64;
        let statistic: f64 = counts.iter().map(|count: &f64| (count - mean).powi(2) / mean).sum();
        let freedom = (moves.len() - 1) as f64;
        let limit = freedom + 5.0 * (2.0 * freedom).sqrt();
        assert!(statistic <= limit, "{statistic:.1} is above {limit:.1} in {state}: {counts:?}");
        assert_eq!(moves.len(), count, "{moves:?} in {state}");
    }
}

#[test]
fn finished_games_are_told() {
    let cases = [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", Outcome::Win(Side::First)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Outcome::Draw),
        ("7k/8/6K1/8/8/8/8/R7 w - - 100 80", Outcome::Draw),
        ("7k/8/6K1/8/8/8/B7/8 w - - 0 1", Outcome::Draw),
    ];
    for (state, outcome) in cases {
        let board = fen::parse(state).unwrap();
        for ties in [Ties::First, Ties::Last, Ties::Random] {
            assert_eq!(board.best_exchange(ties, &mut Rng::new(1)), Err(outcome), "{state}");
        }
    }
}
