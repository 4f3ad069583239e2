//! Searches of small boards of Chinese dark chess, against their exact values.
//!
//! Those of boards with everything covered hold where play without end is a draw. Here it ends by
//! the rules on plies and repetition, which are no proofs, but ends of the path in the tree, and
//! bounds make use of them. On boards so small no side needs 40 plies for what it can force, so the
//! values are the same.

use crate::exact_banqi::Exact;
use monteverde_banqi::Banqi;
use monteverde_game::{Game, Notation, Proof, Side};
use monteverde_mcts::report::Bounds;
use monteverde_mcts::{Config, Graph, Limit, Report, Search, Solver, Uct};

/// What rounding may add to an exact value.
const ROUNDING: f64 = 1e-6;

fn search(text: &str, seed: u64) -> Search<Banqi> {
    search_by(Uct::Signed { c: 1.0 }, text, seed)
}

fn search_by(uct: Uct, text: &str, seed: u64) -> Search<Banqi> {
    let state = Banqi::parse_state(text).expect("a state of the test");
    let solver = Some(Solver::FULL);
    Search::new(Config { uct, solver, seed, memory: 256 << 20, ..Config::default() }, state)
}

fn bounds(report: &Report<Banqi>) -> Bounds {
    report.bounds.expect("a game with chance and a solver")
}

fn holds(bounds: Bounds, value: f64) -> bool {
    bounds.low <= value + ROUNDING && value <= bounds.high + ROUNDING
}

/// Whatever is flipped, who moves first loses: every event of every flip has to be proven for that.
#[test]
fn a_loss_whatever_chance_does_is_proven() {
    for text in ["XX/XX - KPkp 0", "XX/XX - KGkg 0", "XX/XX - PPpp 0"] {
        for seed in 1..=3 {
            let report = search(text, seed).run(&Limit::iterations(1_000_000));
            assert!(matches!(report.proof, Proof::Loss(_)), "{text}: {:?}", report.proof);
            assert_eq!(bounds(&report), Bounds { low: -1.0, high: -1.0 });
        }
    }
}

/// Where chance decides between results nothing is proven, and the value is exact all the same.
#[test]
fn a_value_that_depends_on_chance_is_exact() {
    // Exploration by priors once visited moves on and on whose values were exact already.
    let puct = Uct::Puct { c: 0.1, temperature: 1.0 };
    let formulas = [Uct::Signed { c: 1.0 }, puct];
    for (uct, seed) in formulas.into_iter().flat_map(|uct| (1..=5).map(move |seed| (uct, seed))) {
        let mut search = search_by(uct, "XX/XX - GCgc 0", seed);
        let mut iterations = 0;
        loop {
            let report = search.run(&Limit::iterations(200));
            let bounds = bounds(&report);
            assert!(holds(bounds, -1.0 / 3.0), "{bounds:?}");
            iterations += report.figures.iterations;
            assert!(iterations < 100_000, "{bounds:?} after {iterations} iterations");
            if report.figures.iterations < 200 {
                assert_eq!(report.proof, Proof::Open);
                assert!((report.mean + 1.0 / 3.0).abs() < ROUNDING, "{}", report.mean);
                break;
            }
        }
    }
}

/// With six covered pieces the tree is too large to be closed here: it holds every order of flips
/// and every way to go to and fro, for it holds paths and not states. The bounds hold all the way,
/// and more iterations bring the value nearer.
#[test]
fn larger_boards_keep_their_values_within_bounds() {
    for (text, value) in [
        ("XX/XX/XX - KGPkgp 0", 0.325),
        ("XX/XX/XX - KPPkpp 0", 1.0 / 3.0),
        ("XXX/XXX - KGMkgm 0", 0.288889),
    ] {
        let mut search = search(text, 1);
        let mut error = |iterations| {
            let report = search.run(&Limit::iterations(iterations));
            assert!(holds(bounds(&report), value), "{text}: {:?}", report.bounds);
            (report.best_move().expect("a move").mean - value).abs()
        };
        let (few, many) = (error(50_000), error(450_000));
        assert!(many < few, "{text}: off by {few} at first and by {many} later");
    }
}

/// Where states are shared between the ways to them, the mean itself comes near: three million
/// iterations give 0.310 and 0.326.
#[test]
fn means_converge_where_nodes_are_shared() {
    for (text, value, within) in
        [("XX/XX/XX - KGPkgp 0", 0.325, 0.16), ("XX/XX/XX - KPPkpp 0", 1.0 / 3.0, 0.05)]
    {
        let state = Banqi::parse_state(text).expect("a state of the test");
        let (uct, graph) = (Uct::Signed { c: 0.5 }, Some(Graph));
        let config = Config { uct, graph, memory: 256 << 20, ..Config::default() };
        let report = Search::new(config, state).run(&Limit::iterations(300_000));
        let mean = report.best_move().expect("a move").mean;
        assert!((mean - value).abs() < within, "{text}: {mean} for {value}");
    }
}

/// Where that rule is reached soon the tree is small enough that the best move's value is exact.
#[test]
fn six_covered_pieces_are_solved_where_the_plies_are_few() {
    let text = "XX/XX/XX - KPPkpp 0 plies=8";
    let start = Banqi::parse_state(text).expect("a state of the test");
    assert!((Exact::default().value(&start, Side::First) - 1.0 / 3.0).abs() < ROUNDING);
    let report = search(text, 1).run(&Limit::iterations(1_200_000));
    assert!(holds(bounds(&report), 1.0 / 3.0), "{:?}", report.bounds);
    assert!((report.mean - 1.0 / 3.0).abs() < ROUNDING, "{}", report.mean);
    let best = report.best_move().and_then(|best| best.bounds).expect("kept");
    assert!(best.high - best.low < ROUNDING && holds(best, 1.0 / 3.0), "{best:?}");
}

/// The rule on 40 plies takes nothing from what can be forced on these boards.
#[test]
fn forty_plies_are_enough() {
    for (text, value) in [
        ("XX/XX - KPkp 0", -1.0),
        ("XX/XX - GCgc 0", -1.0 / 3.0),
        ("XX/XX/XX - KPPkpp 0", 1.0 / 3.0),
    ] {
        let start = Banqi::parse_state(&format!("{text} repetition=off")).expect("a state");
        let found = Exact::default().value(&start, Side::First);
        assert!((found - value).abs() < ROUNDING, "{text}: {found}");
    }
}

/// With some pieces face up and a rule on plies that is soon reached, values are worked out by
/// looking at everything; that rule is part of what tells states apart. The search finds the same,
/// and all its bounds hold on the way.
#[test]
fn rules_that_count_plies_are_part_of_exact_values() {
    let mut exact = Exact::default();
    for text in STATES {
        let start = Banqi::parse_state(text).expect("a state of the test");
        for seed in 1..=3 {
            let mut search = search(text, seed);
            let mut iterations = 0;
            loop {
                let report = search.run(&Limit::iterations(1_000));
                let value = exact.value(&start, start.turn());
                assert!(holds(bounds(&report), value), "{text}: {:?}, {value}", report.bounds);
                for entry in &report.moves {
                    let mut after = start.clone();
                    after.play(entry.mv);
                    let value = exact.value(&after, start.turn());
                    assert!(holds(entry.bounds.expect("kept"), value), "{text}: {entry:?} {value}");
                }
                iterations += report.figures.iterations;
                assert!(iterations < 300_000, "{text}: {:?}, {value}", report.bounds);
                if report.figures.iterations < 1_000 {
                    assert!((report.mean - value).abs() < ROUNDING, "{text}: {}", report.mean);
                    let mut after = start.clone();
                    after.play(report.best.expect("a move"));
                    let best = exact.value(&after, start.turn());
                    assert!((best - value).abs() < ROUNDING, "{text}: {best} for {value}");
                    break;
                }
            }
        }
    }
}

/// Fewer plies than a third occurrence takes, so that only their number matters.
const STATES: [&str; 6] = [
    "XX/XX - GCgc 0 plies=6",
    "XX/XX - KPkp 0 plies=3",
    "KX/gX/1X r Pkp 0 plies=6",
    "XK/Xg/pX r kGP 0 plies=5",
    "Xk/P1/XX b Kpg 0 plies=6",
    "CXk/GXc r Pg 1 plies=5",
];
