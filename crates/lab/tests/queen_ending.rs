//! The queen ending tells apart the two readings of repetitions in the playouts of Monte Carlo
//! Chess: of a million uniform playouts about 5,659 mate without repetition, 3,572 where the first
//! one draws.

use monteverde_games::games;
use monteverde_lab::measure::{Findings, Probe, ProbeKind, Tally};

const COUNT: u64 = 200_000;

fn playouts(player: &str) -> Tally {
    let probe = Probe {
        game: games().game("chess").expect("chess is there"),
        state: "4k3/8/8/8/8/8/8/3QK3 w - - 0 1".to_owned(),
        moves: Vec::new(),
        kind: ProbeKind::Playouts { count: COUNT, player: Some(player.to_owned()) },
        seed: 1,
        build: "test".to_owned(),
    };
    match probe.run(2, &|_| ()).expect("it can be measured") {
        Findings::Playouts(tally) => tally,
        other => panic!("{other:?}"),
    }
}

/// Four standard errors of a count either way, and those of the reference, which is a million.
#[test]
fn a_first_repetition_takes_mates_away() {
    for (player, expected) in [("mcc", 5659.0), ("mcc:repetition=first", 3572.0)] {
        let tally = playouts(player);
        let found = tally.first as f64 * 1e6 / COUNT as f64;
        let error = (expected * 1e6 / COUNT as f64 + expected).sqrt();
        assert!((found - expected).abs() < 4.0 * error, "{player}: {found}, {tally:?}");
        let drawn = tally.endings.get("first-repetition").copied().unwrap_or(0);
        assert_eq!(drawn > 0, player != "mcc", "{tally:?}");
    }
}
