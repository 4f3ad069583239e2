use super::*;
use crate::testing::game;

fn probe(kind: ProbeKind) -> Probe {
    Probe {
        game: game("tic-tac-toe"),
        state: "startpos".to_owned(),
        moves: Vec::new(),
        kind,
        seed: 1,
        build: "test".to_owned(),
    }
}

fn playouts(count: u64) -> Probe {
    probe(ProbeKind::Playouts { count, player: None })
}

/// Uniformly random tic-tac-toe: the first side wins 737/1260, the second 121/420, 8/63 are drawn.
#[test]
fn playouts_have_the_shares_of_the_game() {
    let Ok(Findings::Playouts(tally)) = playouts(20_000).run(2, &|_| ()) else { panic!() };
    assert_eq!(tally.count, 20_000);
    for (part, exact) in
        [(tally.first, 737.0 / 1260.0), (tally.second, 121.0 / 420.0), (tally.draw, 8.0 / 63.0)]
    {
        let share = tally.share(part);
        assert!(share.low < Some(exact) && Some(exact) < share.high, "{share:?} and {exact}");
    }
    assert_eq!(tally.endings.values().sum::<u64>(), 20_000);
}

/// Of six playouts the last is drawn only if all are.
#[test]
fn playouts_are_those_of_the_player() {
    let by = |player: &str| ProbeKind::Playouts { count: 5_000, player: Some(player.to_owned()) };
    let Ok(Findings::Playouts(plain)) = probe(by("uct")).run(2, &|_| ()) else { panic!() };
    let Ok(Findings::Playouts(uniform)) = playouts(5_000).run(1, &|_| ()) else { panic!() };
    assert_eq!(plain, uniform);
    let Ok(Findings::Playouts(redrawn)) = probe(by("uct:redraw=6")).run(2, &|_| ()) else {
        panic!()
    };
    assert_eq!(redrawn.draw, 0, "one in 240,000 is drawn");
    let Ok(Findings::Playouts(short)) = probe(by("uct:most-plies=4")).run(2, &|_| ()) else {
        panic!()
    };
    assert_eq!((short.endings["length"], short.draw), (5_000, 5_000));
    assert_ne!(probe(by("uct")).key(), playouts(5_000).key());
    assert!(probe(by("utc")).check().is_err());
    let alphabeta = Probe { game: game("chess"), ..probe(by("ab")) };
    assert!(matches!(alphabeta.check(), Err(MeasureError::NoPlayouts(_))));
}

#[test]
fn threads_change_nothing() {
    let searches = |count| {
        let (player, pace) = ("uct:c=0.5".to_owned(), Pace::Iterations(50));
        probe(ProbeKind::Searches { player, pace, count })
    };
    for probe in [playouts(1_000), searches(20)] {
        let done = AtomicU64::new(0);
        let count = |units| {
            done.fetch_add(units, Ordering::Relaxed);
        };
        assert_eq!(probe.run(1, &count).unwrap(), probe.run(3, &count).unwrap());
        assert_eq!(done.into_inner(), 2 * probe.units());
    }
}

#[test]
fn searches_find_the_winning_move() {
    let (player, pace) = ("uct".to_owned(), Pace::Iterations(500));
    let won = Probe {
        moves: ["a1", "b2", "a2", "c3"].map(str::to_owned).to_vec(),
        ..probe(ProbeKind::Searches { player, pace, count: 10 })
    };
    let Ok(Findings::Searches(choices)) = won.run(1, &|_| ()) else { panic!() };
    assert_eq!(choices.share("a3").value, Some(1.0));
    assert!(choices.share("a3").low < Some(1.0), "ten searches do not prove it");
    assert_eq!(choices.share("b1").value, Some(0.0));
}

#[test]
fn impossible_measurements_are_refused() {
    let searches = |player: &str, pace: &str| {
        let pace = pace.parse().expect("a pace of the test");
        probe(ProbeKind::Searches { player: player.to_owned(), pace, count: 1 })
    };
    for (probe, said) in [
        (Probe { state: "?".to_owned(), ..playouts(1) }, "?"),
        (Probe { moves: vec!["z9".to_owned()], ..playouts(1) }, "z9"),
        (playouts(0), "0 playouts"),
        (searches("uct:d=1", "nodes=1"), "no setting 'd'"),
        (searches("uct", "clock=1s"), "clock=1s"),
    ] {
        let error = probe.check().expect_err("not accepted").to_string();
        assert!(error.contains(said), "{error}");
        assert!(probe.run(1, &|_| ()).is_err());
    }
    let over = ["a1", "b1", "a2", "b2", "a3"].map(str::to_owned).to_vec();
    let over = Probe { moves: over, ..playouts(1) };
    assert!(matches!(over.check(), Err(MeasureError::NoMove(_))));
}

#[test]
fn everything_that_matters_changes_the_key() {
    let key = playouts(10).key();
    assert_eq!(playouts(10).key(), key);
    for other in [
        playouts(11),
        Probe { seed: 2, ..playouts(10) },
        Probe { moves: vec!["a1".to_owned()], ..playouts(10) },
        Probe { build: "other".to_owned(), ..playouts(10) },
    ] {
        assert_ne!(other.key(), key);
    }
}
