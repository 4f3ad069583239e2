//! How measurements are made: which are in the store, which parts fall to a shard, and who makes
//! the rest.

use super::{Findings, MeasureError, Probe, ProbePart};
use crate::crew::{self, Crew, Piece, Product};
use crate::hands::Hands;
use crate::progress::Watch;
use crate::shard::{Shard, ShardDone};
use crate::store::Store;
use crate::task::Key;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Makes some measurements, each of which is a part of the watched work; those that the store holds
/// are taken from it, the others are put into it as soon as they are complete. Where there are
/// many, several are made at a time: the threads of a single one would wait for its last unit again
/// and again. A shard makes its share of the parts of all of them, and ends in
/// [`MeasureError::Shard`].
pub fn run_all<'p>(
    probes: impl IntoIterator<Item = &'p Probe>,
    store: &mut Store,
    hands: &Hands,
    watch: &mut Watch<'_, '_>,
) -> Result<Vec<Findings>, MeasureError> {
    let probes: Vec<&Probe> = probes.into_iter().collect();
    if let Some(shard) = hands.shard {
        make_shard(&probes, store, hands.concurrency, (shard, watch))?;
        return Err(ShardDone(shard).into());
    }
    let kept = store.finding_keys()?;
    // So that workers elsewhere share even a single one.
    let is_shared_out = hands.crew.is_some() && probes.len() < ENOUGH_WHOLES;
    let mut all: Vec<Option<Findings>> = Vec::new();
    let mut missing: Vec<KeyedPart<'_>> = Vec::new();
    // The measurements of which some parts were made elsewhere, or before a kill.
    let mut cut: Vec<(usize, Vec<KeyedPart<'_>>)> = Vec::new();
    for (index, probe) in probes.iter().enumerate() {
        let whole = KeyedPart::new(probe.whole(), &probe.key());
        let found = whole.stored(store)?;
        if found.is_some() {
            watch.found(probe.units());
            watch.part_done();
        } else {
            let parts = KeyedPart::all(probe);
            let is_begun = || parts.iter().any(|part| kept.contains(&part.key));
            let is_cut = is_shared_out || is_begun();
            if parts.len() > 1 && is_cut {
                for part in &parts {
                    match part.stored(store)? {
                        Some(_) => watch.found(part.part.count()),
                        None => missing.push(part.clone()),
                    }
                }
                cut.push((index, parts));
            } else {
                missing.push(whole);
            }
        }
        all.push(found);
    }
    match &hands.crew {
        None => make((missing, Counted::Wholes), store, hands.concurrency, watch)?,
        Some(crew) => measure_with(&**crew, missing, store, watch)?,
    }
    for (index, parts) in cut {
        let found: Result<Vec<_>, _> = parts.iter().map(|part| part.required(store)).collect();
        let findings = Findings::merged(found?)?;
        let probe = probes[index];
        store.keep_findings(&probe.key(), &probe.text(), &findings.text())?;
        watch.part_done();
        all[index] = Some(findings);
    }
    let found = |(findings, probe): (Option<Findings>, &&Probe)| match findings {
        Some(findings) => Ok(findings),
        None => KeyedPart::new(probe.whole(), &probe.key()).required(store),
    };
    all.into_iter().zip(&probes).map(found).collect()
}

/// Makes those parts of the measurements that fall to a shard and are not in its file.
fn make_shard(
    probes: &[&Probe],
    store: &mut Store,
    threads: usize,
    (shard, watch): (Shard, &mut Watch<'_, '_>),
) -> Result<(), MeasureError> {
    const WORK: u64 = 0;
    let pieces: Vec<KeyedPart<'_>> =
        probes.iter().flat_map(|probe| KeyedPart::all(probe)).collect();
    shard.note_keys(WORK, pieces.iter().map(|piece| piece.key), store)?;
    let own = (0..).zip(pieces).filter(|(number, _)| shard.takes(WORK, *number));
    let own: Vec<KeyedPart<'_>> = own.map(|(_, piece)| piece).collect();
    watch.only(own.len(), own.iter().map(|piece| piece.part.count()).sum());
    let mut missing = Vec::new();
    for piece in own {
        match piece.stored(store)? {
            Some(_) => {
                watch.found(piece.part.count());
                watch.part_done();
            }
            None => missing.push(piece),
        }
    }
    make((missing, Counted::Parts), store, threads, watch)
}

/// What the parts of the watched work are: measurements, or those parts of them that fall to a
/// shard.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Wholes,
    Parts,
}

/// A part of a measurement and its key.
#[derive(Clone)]
struct KeyedPart<'p> {
    part: ProbePart<'p>,
    key: Key,
}

impl<'p> KeyedPart<'p> {
    fn new(part: ProbePart<'p>, probe: &Key) -> KeyedPart<'p> {
        let key = part.key_in(probe);
        KeyedPart { part, key }
    }

    /// The parts of a measurement.
    fn all(probe: &'p Probe) -> Vec<KeyedPart<'p>> {
        let key = probe.key();
        probe.parts().into_iter().map(|part| KeyedPart::new(part, &key)).collect()
    }

    /// What the store holds of it.
    fn stored(&self, store: &Store) -> Result<Option<Findings>, MeasureError> {
        Ok(store.findings(&self.key)?)
    }

    /// The same of one that was made.
    fn required(&self, store: &Store) -> Result<Findings, MeasureError> {
        let gone = || MeasureError::Damaged(format!("{} is gone", self.key));
        self.stored(store)?.ok_or_else(gone)
    }
}

/// So many measurements keep all workers busy without being cut.
const ENOUGH_WHOLES: usize = 240;

/// Has parts of measurements made by workers on other machines.
fn measure_with(
    crew: &dyn Crew,
    missing: Vec<KeyedPart<'_>>,
    store: &mut Store,
    watch: &mut Watch<'_, '_>,
) -> Result<(), MeasureError> {
    let pieces = missing.into_iter().map(|one| (Piece::probe(&one.part), one.part));
    crew::do_all(crew, pieces, |piece, part, product| {
        let findings = match product {
            Ok(Product::Findings(findings)) => findings.clone(),
            // The word of a worker alone ends no run.
            _ => part.run(1, &|_| ())?,
        };
        store.keep_findings(&piece.key, &part.text(), &findings.text())?;
        watch.done(part.count());
        if part.is_whole() {
            watch.part_done();
        }
        Ok::<_, MeasureError>(())
    })
}

/// Threads are shared out so that each does about so many measurements, one after the other: then
/// few of them wait for long at the end.
const ROUNDS: usize = 16;

/// Makes some pieces and keeps what they find.
fn make(
    (pieces, counted): (Vec<KeyedPart<'_>>, Counted),
    store: &mut Store,
    threads: usize,
    watch: &mut Watch<'_, '_>,
) -> Result<(), MeasureError> {
    let each = (threads * ROUNDS).div_ceil(pieces.len().max(1)).min(threads);
    let workers = Workers { pieces, counted, threads: each, next: AtomicUsize::new(0) };
    let shared = Mutex::new((store, watch));
    let work = || workers.work(&shared);
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads / each).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = others.into_iter().map(|other| other.join().expect("a worker does not panic"));
        [own].into_iter().chain(others).collect()
    })
}

/// Where findings and progress go.
type Shared<'m, 's, 'a, 'o> = Mutex<(&'s mut Store, &'m mut Watch<'a, 'o>)>;

/// Workers, each with some threads, that share pieces of measurements.
struct Workers<'p> {
    pieces: Vec<KeyedPart<'p>>,
    counted: Counted,
    /// Of each worker.
    threads: usize,
    next: AtomicUsize,
}

impl Workers<'_> {
    /// Makes one piece after the other until none is left. An error ends all workers, each after
    /// its piece.
    fn work(&self, shared: &Shared<'_, '_, '_, '_>) -> Result<(), MeasureError> {
        loop {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = self.pieces.get(next) else { return Ok(()) };
            if let Err(error) = self.make(piece, shared) {
                self.next.store(self.pieces.len(), Ordering::Relaxed);
                return Err(error);
            }
        }
    }

    fn make(
        &self,
        KeyedPart { part, key }: &KeyedPart<'_>,
        shared: &Shared<'_, '_, '_, '_>,
    ) -> Result<(), MeasureError> {
        let share = || shared.lock().expect("an observer does not panic");
        let findings = part.run(self.threads, &|units| share().1.done(units))?;
        share().0.keep_findings(key, &part.text(), &findings.text())?;
        if self.counted == Counted::Parts || part.is_whole() {
            share().1.part_done();
        }
        Ok(())
    }
}
