//! Bounds in graphs of small boards of Chinese dark chess, against exact values.

use crate::exact_banqi::{Exact, WithPast};
use monteverde_banqi::Banqi;
use monteverde_game::{Game, Notation, Outcome, Rng, Side};
use monteverde_mcts::report::Bounds;
use monteverde_mcts::{Config, Graph, GraphBounds, Limit, Report, Search, Threshold, Uct, Untried};

/// What rounding may add to an exact value.
const ROUNDING: f64 = 1e-6;

fn config() -> Config {
    Config {
        uct: Uct::Signed { c: 0.25 },
        graph: Some(Graph),
        graph_bounds: Some(GraphBounds),
        memory: 256 << 20,
        ..Config::default()
    }
}

fn search(text: &str, config: Config) -> Search<Banqi> {
    Search::new(config, Banqi::parse_state(text).expect("a state of the test"))
}

fn holds(bounds: Option<Bounds>, value: f64) -> bool {
    let bounds = bounds.expect("bounds are kept");
    bounds.low <= value + ROUNDING && value <= bounds.high + ROUNDING
}

/// Compares the bounds of the root and of all its moves. Returns how many say anything.
fn check(report: &Report<Banqi>, state: &Banqi, value: &mut impl FnMut(&Banqi) -> f64) -> usize {
    let sign = if state.turn() == Side::First { 1.0 } else { -1.0 };
    let exact = sign * value(state);
    assert!(holds(report.bounds, exact), "{state:?}: {:?}, {exact}", report.bounds);
    let mut narrow = 0;
    for entry in &report.moves {
        let mut after = state.clone();
        after.play(entry.mv);
        let exact = sign * value(&after);
        assert!(holds(entry.bounds, exact), "{state:?}: {entry:?}, {exact}");
        narrow += usize::from(entry.bounds != Some(Bounds { low: -1.0, high: 1.0 }));
    }
    narrow
}

/// The boards of six pieces whose values are known, all covered. Each is solved.
#[test]
fn six_covered_pieces_are_solved() {
    for (text, value) in [
        ("XX/XX/XX - KGPkgp 0", 0.325),
        ("XX/XX/XX - KPPkpp 0", 1.0 / 3.0),
        ("XXX/XXX - KGMkgm 0", 0.288889),
    ] {
        let report = search(text, config()).run(&Limit::iterations(1_000_000));
        let bounds = report.bounds.expect("bounds are kept");
        assert!(report.figures.iterations < 1_000_000, "{text}: {bounds:?}");
        assert!(bounds.high - bounds.low < 2.0 * ROUNDING, "{text}: {bounds:?}");
        assert!((report.mean - value).abs() < 2.0 * ROUNDING, "{text}: {}", report.mean);
    }
}

/// Those of four pieces, with every kind of search.
#[test]
fn four_covered_pieces_are_solved() {
    let threshold = Some(Threshold { visits: 5, untried: Untried::Selected });
    for (text, value) in [
        ("XX/XX - KPkp 0", -1.0),
        ("XX/XX - KGkg 0", -1.0),
        ("XX/XX - PPpp 0", -1.0),
        ("XX/XX - GCgc 0", -1.0 / 3.0),
    ] {
        for config in [
            config(),
            Config { seed: 2, uct: Uct::Signed { c: 1.0 }, ..config() },
            Config { threads: 3, ..config() },
            Config { threshold, ..config() },
        ] {
            let report = search(text, config).run(&Limit::iterations(20_000));
            let bounds = report.bounds.expect("bounds are kept");
            assert!(bounds.high - bounds.low < ROUNDING, "{text}: {bounds:?}");
            assert!((report.mean - value).abs() < ROUNDING, "{text}: {}", report.mean);
        }
    }
}

/// A search that has looked at part of a board is followed through random games: nothing that it
/// says on the way is false.
#[test]
fn bounds_hold_throughout_a_game() {
    let text = "XX/XX/XX - KPPkpp 0";
    let mut exact = Exact::default();
    let mut value = |state: &Banqi| exact.value(state, Side::First);
    let mut narrow = 0;
    for (seed, threads, memory) in [(1, 1, 256 << 20), (2, 3, 256 << 20), (3, 1, 1 << 20)] {
        let mut rng = Rng::new(seed);
        for _ in 0..3 {
            let mut search = search(text, Config { seed, threads, memory, ..config() });
            search.run(&Limit::iterations(20_000));
            while search.state().outcome().is_none() {
                if search.state().is_pending() {
                    let event = search.state().sample_event(&mut rng);
                    search.settle(event);
                    continue;
                }
                let state = search.state().clone();
                let report = search.run(&Limit::iterations(300));
                narrow += check(&report, &state, &mut value);
                search.play(state.sample(&mut rng).expect("the game goes on"));
            }
        }
    }
    assert!(narrow > 200, "{narrow} bounds compared");
}

/// Random games in which sides like to go to and fro, so that positions repeat and the plies run
/// out: what is left is worth what it is with this past.
#[test]
fn bounds_heed_the_past() {
    let (mut narrow, mut repeated, mut drawn) = (0, 0, 0);
    for text in [
        "XX/XX - KPkp 0 plies=12",
        "XX/XX - GCgc 0 plies=11",
        "K1/1g r - 0 plies=12",
        "KX/1k b g 0 plies=12",
        "1P/kX r K 0 plies=12",
        "K1/g1/1p r - 0 plies=7",
        "1k/KX/1P b g 0 plies=6",
        "GX/1g/1c r C 0 plies=6,repetition=off",
        "K1/1g r - 0 plies=14,repetition=cycle",
        // Who hunts wins if there are plies enough.
        "K1/2/1g r - 0 plies=6",
        "K1/2/1g b - 0 plies=5",
        "G2/2m r - 0 plies=8",
        "KG/2/1g r - 0 plies=7",
        "K1g/G2 b - 0 plies=6",
        "K1/2/1g r - 0 plies=9,repetition=off",
    ] {
        let mut exact = WithPast::default();
        let mut value = |state: &Banqi| exact.value(state);
        for seed in 1..=12 {
            let mut rng = Rng::new(seed);
            let mut search = search(text, Config { seed, memory: 4 << 20, ..config() });
            while search.state().outcome().is_none() {
                if search.state().is_pending() {
                    let event = search.state().sample_event(&mut rng);
                    search.settle(event);
                    continue;
                }
                let state = search.state().clone();
                let most = [20, 200, 2_000][seed as usize % 3];
                let report = search.run(&Limit::iterations(most));
                narrow += check(&report, &state, &mut value);
                repeated += usize::from(state.may_be_drawn_by_repetition());
                search.play(quiet_move(&state, &mut rng));
            }
            drawn += usize::from(search.state().is_drawn_by_history());
        }
    }
    assert!(narrow > 1_000 && repeated > 50 && drawn > 20, "{narrow}, {repeated}, {drawn}");
}

/// A random move that can be taken back, as a rule, where there is one.
fn quiet_move(state: &Banqi, rng: &mut Rng) -> <Banqi as Game>::Move {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let is_quiet = |&mv: &<Banqi as Game>::Move| {
        let mut after = state.clone();
        after.play(mv);
        after.reversible_plies() != Some(0)
    };
    let quiet: Vec<_> = moves.iter().copied().filter(is_quiet).collect();
    let among = if quiet.is_empty() || rng.below(8) == 0 { &moves } else { &quiet };
    among[rng.below(among.len() as u32) as usize]
}

/// Rules that count few plies, where the region between two captures is cut off by them.
#[test]
fn few_plies_are_solved_too() {
    let mut exact = WithPast::default();
    for text in [
        "XX/XX - GCgc 0 plies=6",
        "XX/XX - KPkp 0 plies=3",
        "KX/gX/1X r Pkp 0 plies=6",
        "XK/Xg/pX r kGP 0 plies=5",
        "Xk/P1/XX b Kpg 0 plies=6",
        "CXk/GXc r Pg 1 plies=5",
    ] {
        let start = Banqi::parse_state(text).expect("a state of the test");
        let sign = if start.turn() == Side::First { 1.0 } else { -1.0 };
        let value = sign * exact.value(&start);
        let report = search(text, config()).run(&Limit::iterations(300_000));
        let bounds = report.bounds.expect("bounds are kept");
        assert!(bounds.high - bounds.low < ROUNDING, "{text}: {bounds:?} for {value}");
        assert!((report.mean - value).abs() < ROUNDING, "{text}: {} for {value}", report.mean);
    }
}

/// Every move of a won ending may be a sure win; the one that is chosen must come nearer to it, or
/// the plies run out. Whatever the other side does.
#[test]
fn a_sure_win_is_played_out() {
    for text in [
        "KG/2/1g r - 0 plies=14",
        "K1g/G2 r - 0 plies=14",
        "KG1/3/2g r - 0 plies=24",
        "KG1/3/2m r - 0",
    ] {
        for seed in 1..=5 {
            let mut rng = Rng::new(seed);
            let mut search = search(text, Config { seed, ..config() });
            let winner = search.state().turn();
            let mut is_sure = false;
            while search.state().outcome().is_none() {
                let state = search.state().clone();
                if state.turn() != winner {
                    search.play(state.sample(&mut rng).expect("the game goes on"));
                    continue;
                }
                let report = search.run(&Limit::iterations(20_000));
                let low = report.bounds.expect("bounds are kept").low;
                assert!(!is_sure || low == 1.0, "{state:?} was a sure win: {:?}", report.bounds);
                is_sure = low == 1.0;
                search.play(report.best.expect("a move"));
            }
            assert!(is_sure, "{text}");
            let outcome = search.state().outcome();
            assert_eq!(outcome, Some(Outcome::Win(winner)), "{text}, seed {seed}");
        }
    }
}
