//! Alpha-beta with the tactics of chess: mates are found with their distance, whatever parts are
//! on.

use monteverde_chess::Chess;
use monteverde_game::limit::Limit;
use monteverde_game::{Game, Notation, Proof};
use monteverde_knowledge::chess::{ChessKnowledge, ChessTactics};
use monteverde_minimax::{Config, MultiCut, Search};

/// Positions with their proofs; by the composers' solutions, or easily checked by hand.
const MATES: [(&str, Proof, &str); 7] = [
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", Proof::Win(1), "h5f7"),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", Proof::Win(5), "f6a6"),
    // Smothered mate.
    ("r6k/6pp/8/6N1/2Q5/8/6PP/7K w - - 0 1", Proof::Win(7), "g5f7"),
    ("7k/R7/5K2/8/8/8/8/8 w - - 0 1", Proof::Win(3), "f6g6"),
    ("8/8/8/8/8/1k6/1q6/K7 w - - 0 1", Proof::Loss(0), ""),
    ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", Proof::Draw, ""),
    ("k7/8/1K6/8/8/8/8/7R b - - 0 1", Proof::Loss(2), "a8b8"),
];

/// Paul Morphy's problem: after the first move Black would like to pass, so null moves overlook it.
const ZUGZWANG: (&str, Proof, &str) = ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Proof::Win(3), "a1a6");

fn state(fen: &str) -> Chess {
    Chess::parse_state(fen).expect("a state of the test")
}

#[test]
fn mates_are_found_at_their_distance() {
    let full_width = Config {
        null: None,
        reductions: None,
        extension: false,
        quiescence: None,
        table: Some(1 << 20),
        ..Config::default()
    };
    let everything = Config {
        multicut: Some(MultiCut::default()),
        etc: Some(3),
        table: Some(1 << 20),
        ..Config::default()
    };
    for config in [full_width, everything] {
        let zugzwang = config.null.is_none().then_some(ZUGZWANG);
        for (fen, proof, mv) in MATES.into_iter().chain(zugzwang) {
            let state = state(fen);
            let mut search = Search::new(config.clone(), ChessTactics(ChessKnowledge::default()));
            let report = search.run(&state, &Limit { depth: Some(8), ..Limit::none() });
            assert_eq!(report.proof, proof, "{fen}, {config:?}");
            let best = report.best.map_or(String::new(), |mv| state.move_text(mv));
            assert_eq!(best, mv, "{fen}, {config:?}");
            if let Proof::Win(plies) | Proof::Loss(plies) = proof
                && config.null.is_none()
            {
                assert_eq!(report.figures.depth as u16, plies, "no deeper than the mate: {fen}");
            }
        }
    }
}

/// The line that a search reports can be played, and its search is the same every time.
#[test]
fn lines_are_legal_and_searches_repeat() {
    let fens = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    for fen in fens {
        let search = |nodes| {
            let mut search =
                Search::new(Config::default(), ChessTactics(ChessKnowledge::default()));
            search.run(&state(fen), &Limit::iterations(nodes))
        };
        for nodes in [10, 1_000, 20_000] {
            let report = search(nodes);
            assert_eq!(report.pv.first().copied(), report.best);
            assert_eq!(report.figures.iterations, nodes);
            let mut at = state(fen);
            for &mv in &report.pv {
                assert!(at.board().is_legal(mv), "{mv:?} in {at:?}");
                at.play(mv);
            }
            let again = search(nodes);
            assert_eq!((again.best, again.pv), (report.best, report.pv));
        }
    }
}
