//! Searches of small boards of Chinese dark chess with everything covered, against their exact values.
//!
//! Those hold where play without end is a draw; here it ends by the rules on plies and repetition, which are no proofs.

use monteverde_banqi::Banqi;
use monteverde_game::{Notation, Proof};
use monteverde_mcts::{Config, Limit, Report, Search, Solver, Uct};

fn search(text: &str, iterations: u64) -> Report<Banqi> {
    let state = Banqi::parse_state(text).expect("a state of the test");
    let (uct, solver) = (Uct::Signed { c: 0.2 }, Some(Solver::FULL));
    let config = Config { uct, solver, memory: 128 << 20, ..Config::default() };
    Search::new(config, state).run(&Limit::iterations(iterations))
}

/// Whatever is flipped, who moves first loses: every event of every flip has to be proven for that.
#[test]
fn a_loss_whatever_chance_does_is_proven() {
    for text in ["XX/XX - KPkp 0", "XX/XX - KGkg 0", "XX/XX - PPpp 0"] {
        let report = search(text, 1_000_000);
        assert!(matches!(report.proof, Proof::Loss(_)), "{text}: {:?}", report.proof);
    }
}

/// Where chance decides between results nothing is proven. The mean is that of all iterations, those that tried worse moves
/// among them, so it comes near the value only slowly; but it does.
#[test]
fn what_depends_on_chance_is_not_claimed_and_more_iterations_come_nearer() {
    for (text, value) in [
        ("XX/XX - GCgc 0", -1.0 / 3.0),
        ("XX/XX/XX - KGPkgp 0", 0.325),
        ("XX/XX/XX - KPPkpp 0", 1.0 / 3.0),
        ("XXX/XXX - KGMkgm 0", 0.288889),
    ] {
        let error = |iterations| {
            let report = search(text, iterations);
            assert_eq!(report.proof, Proof::Open, "{text}");
            (report.best_move().expect("a move").mean - value).abs()
        };
        let (few, many) = (error(100_000), error(1_000_000));
        assert!(many < few, "{text}: off by {few} at first and by {many} later");
    }
}
