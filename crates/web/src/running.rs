//! A search on a thread of its own.

use crate::cores::{Cores, Turn};
use crate::fault::{Code, Fault};
use crate::look::{self, About, Kind, Opened, Stage};
use crate::memory::{Grant, Memory};
use crate::outbox::{Outbox, Topic};
use crate::request::Slot;
use monteverde_game::limit::{Limit, Signal};
use monteverde_game::report::{Control, Report};
use monteverde_players::{Overrides, Playable, Player, Spec};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;

/// How often a running search is reported.
const EVERY: Duration = Duration::from_millis(100);
/// How often the opened nodes of its tree are told.
const NODES_EVERY: Duration = Duration::from_millis(250);

/// What searches of a connection need of the server.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) outbox: Arc<Outbox>,
    /// Told the slot and number of every search that has ended.
    pub(crate) ended: UnboundedSender<(Slot, u64)>,
    pub(crate) cores: Arc<Cores>,
    pub(crate) memory: Arc<Memory>,
}

/// A player between two searches, at a state of its game.
pub(crate) struct Held<G: Playable> {
    pub(crate) player: Box<dyn Player<G>>,
    /// The memory of its tree.
    _grant: Grant,
}

/// A player as it is asked for, checked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) spec: Spec,
    /// Its canonical text, without what the server has set.
    pub(crate) text: String,
}

impl Asked {
    /// Reads a spec.
    pub(crate) fn read<G: Playable>(text: &str) -> Result<Asked, Fault> {
        let spec = Spec::parse::<G>(text).map_err(|error| Fault::new(Code::BadSpec, error))?;
        Ok(Asked { text: spec.to_string(), spec })
    }

    pub(crate) fn kind(&self) -> Kind {
        if self.spec.settings().is_some() { Kind::Tree } else { Kind::AlphaBeta }
    }

    fn threads(&self, cores: &Cores) -> usize {
        let wanted = self.spec.settings().map_or(1, |settings| settings.config.threads);
        wanted.clamp(1, cores.all())
    }
}

/// What a search is to do.
pub(crate) struct Job<G: Playable> {
    pub(crate) slot: Slot,
    pub(crate) asked: Asked,
    /// The player, at `state`; without one it is made.
    pub(crate) held: Option<Held<G>>,
    /// Where the random numbers of a player that is made start, in place of what its spec says.
    pub(crate) seed: Option<u64>,
    pub(crate) state: G,
    pub(crate) serial: u64,
    pub(crate) limit: Limit<G::Move>,
    pub(crate) opened: Arc<Mutex<Opened<G>>>,
}

/// A search that runs, or has just ended.
pub(crate) struct Running<G: Playable> {
    /// Tells it from earlier searches of its slot.
    pub(crate) number: u64,
    pub(crate) asked: Asked,
    signal: Arc<Signal>,
    turn: Arc<Turn>,
    thread: JoinHandle<Option<Ended<G>>>,
}

/// A search that has ended.
pub(crate) struct Ended<G: Playable> {
    pub(crate) held: Held<G>,
    pub(crate) report: Report<G>,
}

impl<G: Playable> Running<G> {
    /// Starts a search. A fault where there is no thread for it.
    pub(crate) fn start(mut job: Job<G>, number: u64, link: &Link) -> Result<Running<G>, Fault> {
        let (asked, signal) = (job.asked.clone(), Arc::new(Signal::default()));
        let threads = asked.threads(&link.cores);
        let turn = link.cores.turn(threads);
        let grant = match job.held {
            Some(_) => None,
            None => Some(link.memory.grant(asked.spec.memory())),
        };
        let (link, own) = (link.clone(), (signal.clone(), turn.clone()));
        let work = move || {
            let (signal, turn) = own;
            let (slot, ended) = (job.slot, link.ended.clone());
            // A panic is a fault of the player, of which the session is told; the server goes on.
            let result = catch_unwind(AssertUnwindSafe(|| {
                let held = match (job.held.take(), grant) {
                    (Some(held), _) => Some(held),
                    (None, Some(grant)) => make(&job, grant, threads),
                    (None, None) => None,
                };
                Some(think(job, held?, (&signal, &turn), &link))
            }));
            turn.end();
            let _ = ended.send((slot, number));
            result.ok().flatten()
        };
        let thread = std::thread::Builder::new().name("search".to_owned()).spawn(work);
        let thread = thread.map_err(|error| {
            Fault::new(Code::Limit, format!("the system gives no thread for a search: {error}"))
        })?;
        Ok(Running { number, asked, signal, turn, thread })
    }

    /// Asks it to end soon.
    pub(crate) fn stop(&self) {
        self.signal.stop();
        self.turn.end();
    }

    /// Waits for its end; `None` where the player has failed.
    pub(crate) fn join(self) -> Option<Ended<G>> {
        self.thread.join().ok().flatten()
    }

    /// Ends it soon and waits for that.
    pub(crate) fn end(self) -> Option<Ended<G>> {
        self.stop();
        self.join()
    }
}

/// Makes a player with the memory and threads that it gets.
fn make<G: Playable>(job: &Job<G>, grant: Grant, threads: usize) -> Option<Held<G>> {
    let spec = &job.asked.spec;
    let memory = Some(grant.bytes()).filter(|_| spec.memory() > 0);
    let overrides = Overrides { threads: Some(threads), memory, seed: job.seed, syzygy: None };
    let spec = spec.clone().with(&overrides).ok()?;
    Some(Held { player: spec.player(job.state.clone()), _grant: grant })
}

fn think<G: Playable>(
    job: Job<G>,
    mut held: Held<G>,
    (signal, turn): (&Signal, &Arc<Turn>),
    link: &Link,
) -> Ended<G> {
    let Job { slot, asked, state, serial, limit, opened, .. } = job;
    let about = About { slot, serial, kind: asked.kind(), spec: asked.text };
    let lock = || opened.lock().unwrap_or_else(PoisonError::into_inner);
    let outbox = &link.outbox;
    let clock = turn.begin();
    let mut told = Instant::now();
    let mut observe = |report: &Report<G>| {
        outbox.show(Topic::Report(slot), &look::report(&about, &state, report, Stage::Running));
    };
    let control = Control { clock: &clock, signal, every: EVERY, observe: &mut observe };
    let report = held.player.think_openly(&limit, control, &mut |tree| {
        let opened = lock();
        if !opened.nodes.is_empty() && told.elapsed() >= NODES_EVERY {
            told = Instant::now();
            let message = look::nodes((slot, serial), Some(tree), &opened, Stage::Running);
            outbox.show(Topic::Nodes(slot), &message);
        }
    });
    outbox.forget(Topic::Report(slot));
    outbox.send(&look::report(&about, &state, &report, Stage::Final));
    tell_nodes(&held, (slot, serial), &lock(), outbox);
    Ended { held, report }
}

/// Tells the opened nodes of a tree that no search grows.
pub(crate) fn tell_nodes<G: Playable>(
    held: &Held<G>,
    about: (Slot, u64),
    opened: &Opened<G>,
    outbox: &Outbox,
) {
    if opened.nodes.is_empty() {
        return;
    }
    let mut message = None;
    held.player.explore(&mut |tree| {
        message = Some(look::nodes(about, Some(tree), opened, Stage::Final));
    });
    let message = message.unwrap_or_else(|| look::nodes(about, None, opened, Stage::Final));
    outbox.forget(Topic::Nodes(about.0));
    outbox.send(&message);
}
