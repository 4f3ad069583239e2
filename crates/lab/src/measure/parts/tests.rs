use super::*;
use crate::hands::Hands;
use crate::measure::{MatingLimit, MatingRules, run_all};
use crate::pace::Pace;
use crate::progress::Watch;
use crate::shard::Shard;
use crate::store::Store;
use crate::testing::game;

fn probe(name: &str, kind: ProbeKind) -> Probe {
    Probe {
        game: game(name),
        state: "startpos".to_owned(),
        moves: Vec::new(),
        kind,
        seed: 1,
        build: "test".to_owned(),
    }
}

/// A measurement of each kind.
fn probes() -> Vec<Probe> {
    let player = || "uct:memory=1MiB".to_owned();
    let dark = |rest: &str| format!("dark-knight:{rest}memory=1MiB");
    let rook = "8/8/8/3k4/8/8/8/4K2R w - - 0 1";
    let thought = MatingLimit { before: 10, iterations: 20 };
    vec![
        probe("tic-tac-toe", ProbeKind::Playouts { count: 13_000, player: None }),
        probe(
            "tic-tac-toe",
            ProbeKind::Searches { player: player(), pace: Pace::Iterations(20), count: 250 },
        ),
        probe(
            "tic-tac-toe",
            ProbeKind::Until { player: player(), answer: "b2".to_owned(), limit: 60, count: 7 },
        ),
        Probe {
            state: rook.to_owned(),
            ..probe(
                "chess",
                ProbeKind::Mating {
                    player: "mcc:memory=1MiB".to_owned(),
                    thought,
                    count: 3,
                    rules: MatingRules::default(),
                },
            )
        },
        probe(
            "chess",
            ProbeKind::Endings {
                player: "mcc:memory=1MiB".to_owned(),
                pieces: "KQK".to_owned(),
                iterations: 20,
                count: 3,
            },
        ),
        probe("banqi", ProbeKind::Shape { player: dark(""), iterations: 2, count: 3 }),
        probe(
            "banqi",
            ProbeKind::Prediction {
                target: dark("pb-curb-flip,"),
                iterations: 2,
                count: 3,
                players: vec![dark("pb,"), dark("pb-curb,")],
            },
        ),
    ]
}

/// What was found, without what the clock has said.
fn timeless(mut findings: Findings) -> Findings {
    if let Findings::Until(waits) = &mut findings {
        waits.hits.iter_mut().flatten().for_each(|hit| hit.micros = 0);
    }
    findings
}

#[test]
fn parts_make_up_the_whole_of_every_kind() {
    for probe in probes() {
        let parts = probe.parts();
        assert!(parts.len() > 1, "{:?}", probe.kind);
        assert_eq!(parts.iter().map(ProbePart::count).sum::<u64>(), probe.units());
        let found = parts.iter().map(|part| part.run(1, &|_| ()).unwrap());
        let whole = probe.run(2, &|_| ()).unwrap();
        assert_eq!(timeless(Findings::merged(found).unwrap()), timeless(whole), "{:?}", probe.kind);
    }
}

#[test]
fn parts_have_keys_of_their_own_and_the_whole_keeps_its() {
    let many = probe("tic-tac-toe", ProbeKind::Playouts { count: 10_000_000, player: None });
    let parts = many.parts();
    assert_eq!(parts.len(), 240);
    let keys: std::collections::HashSet<_> = parts.iter().map(ProbePart::key).collect();
    assert_eq!(keys.len(), 240);
    assert!(!keys.contains(&many.key()));
    assert_eq!(many.whole().key(), many.key());
    let few = probe("tic-tac-toe", ProbeKind::Playouts { count: 100, player: None });
    assert_eq!(few.parts().iter().map(ProbePart::key).collect::<Vec<_>>(), [few.key()]);
    let longer = probe("tic-tac-toe", ProbeKind::Playouts { count: 10_000_001, player: None });
    assert_ne!(longer.parts()[0].key(), parts[0].key(), "the parts of another measurement");
    let other = Findings::Endings(Vec::new());
    let mixed = Findings::merged([Findings::Mating(Vec::new()), other]).unwrap_err();
    assert!(mixed.to_string().contains("of another kind"), "{mixed}");
}

fn run(
    probes: &[Probe],
    store: &mut Store,
    hands: &Hands,
) -> (Result<Vec<Findings>, MeasureError>, u64) {
    let mut made = 0;
    let observe =
        &mut |progress: &crate::progress::WorkProgress| made = progress.done - progress.found;
    let total = probes.iter().map(Probe::units).sum();
    let found = run_all(probes, store, hands, &mut Watch::new(probes.len(), total, observe));
    (found, made)
}

/// Three shards in one store, as an import leaves them: the run that has them all makes nothing,
/// one that has two makes the rest, and both find what one machine finds.
#[test]
fn shards_of_measurements_come_to_what_one_machine_finds() {
    let probes = probes();
    let (whole, made) = run(&probes, &mut Store::memory().unwrap(), &Hands::from(2));
    let whole: Vec<_> = whole.unwrap().into_iter().map(timeless).collect();
    let total: u64 = probes.iter().map(Probe::units).sum();
    assert_eq!(made, total);
    let mut store = Store::memory().unwrap();
    let mut sum = 0;
    for number in [3, 1, 2] {
        let shard = Shard::new(number, 3).unwrap();
        let hands = Hands { shard: Some(shard), ..Hands::from(2) };
        let (found, made) = run(&probes, &mut store, &hands);
        assert!(matches!(found, Err(MeasureError::Shard(done)) if done.0 == shard));
        assert!(made > total / 5 && made < total / 2, "{made} of {total}");
        let (again, none) = run(&probes, &mut store, &hands);
        assert!(again.is_err() && none == 0, "what is made is not made again");
        sum += made;
        if number == 1 {
            // Not a third time from here on: the store is to stay as it is.
            let mut early = Store::memory().unwrap();
            for number in [3, 1] {
                let shard = Shard::new(number, 3);
                run(&probes, &mut early, &Hands { shard, ..Hands::from(2) }).0.unwrap_err();
            }
            let (found, made) = run(&probes, &mut early, &Hands::from(2));
            let found: Vec<_> = found.unwrap().into_iter().map(timeless).collect();
            assert_eq!((found, made), (whole.clone(), total - sum));
        }
    }
    assert_eq!(sum, total);
    let (found, made) = run(&probes, &mut store, &Hands::from(2));
    let found: Vec<_> = found.unwrap().into_iter().map(timeless).collect();
    assert_eq!((found, made), (whole, 0));
}
