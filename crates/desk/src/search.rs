//! One search of a session: on a thread of its own where the host has threads, else step by step.

mod steps;

use crate::fault::{Code, Fault};
use crate::host::{Host, SearchId, Topic, TreeMemory};
use crate::nodes::{self, OpenNodes};
use crate::report::{self, ReportHead, SearchKind, SearchReport, Stage};
use crate::request::Slot;
use monteverde_game::limit::{Limit, Signal};
use monteverde_game::report::Control;
use monteverde_players::{AnyGame, AnyState, AnyStep, Overrides, Player, Spec};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use steps::Steps;

/// How often a running search is reported.
const EVERY: Duration = Duration::from_millis(100);
/// How often the opened nodes of its tree are told.
const NODES_EVERY: Duration = Duration::from_millis(250);

/// A player between two searches, at a state of its game.
pub(crate) struct HeldPlayer {
    pub(crate) player: Box<dyn Player<AnyState>>,
    _memory: TreeMemory,
}

/// A player as it is asked for, checked.
#[derive(Clone, Debug)]
pub(crate) struct PlayerSpec {
    pub(crate) spec: Spec,
    /// Its canonical text, without what the host has set.
    pub(crate) text: String,
}

impl PlayerSpec {
    pub(crate) fn read(game: AnyGame, text: &str) -> Result<PlayerSpec, Fault> {
        let spec = Spec::read_without_files(game, text);
        let spec = spec.map_err(|error| Fault::new(Code::BadSpec, error))?;
        Ok(PlayerSpec { text: spec.to_string(), spec })
    }

    fn kind(&self) -> SearchKind {
        if self.spec.settings().is_some() { SearchKind::Tree } else { SearchKind::AlphaBeta }
    }

    fn threads(&self, most: usize) -> usize {
        let wanted = self.spec.settings().map_or(1, |settings| settings.config.threads);
        wanted.clamp(1, most)
    }
}

/// What a search is to do.
pub(crate) struct SearchJob {
    pub(crate) slot: Slot,
    pub(crate) asked: PlayerSpec,
    /// The player, at `state`; without one it is made.
    pub(crate) held: Option<HeldPlayer>,
    /// Where the random numbers of a player that is made start, in place of what its spec says.
    pub(crate) seed: Option<u64>,
    pub(crate) state: AnyState,
    pub(crate) serial: u64,
    pub(crate) limit: Limit<AnyStep>,
    pub(crate) opened: Arc<Mutex<OpenNodes>>,
}

/// A search that runs, or has just ended.
pub(crate) struct RunningSearch {
    pub(crate) id: SearchId,
    pub(crate) asked: PlayerSpec,
    signal: Arc<Signal>,
    way: SearchRunner,
}

/// How a search runs.
enum SearchRunner {
    Thread { turn: Arc<dyn crate::host::Turn>, thread: JoinHandle<()>, ended: Arc<Ending> },
    Steps(Box<Steps>),
}

/// Where a thread leaves what its search has come to.
type Ending = Mutex<Option<EndedSearch>>;

/// A search that has ended.
pub(crate) struct EndedSearch {
    pub(crate) held: HeldPlayer,
    pub(crate) report: SearchReport,
}

impl RunningSearch {
    /// Starts a search. A fault where there is no thread for it.
    pub(crate) fn start(
        job: SearchJob,
        number: u64,
        host: &Arc<dyn Host>,
    ) -> Result<RunningSearch, Fault> {
        let (asked, signal) = (job.asked.clone(), Arc::new(Signal::default()));
        let id = SearchId { slot: job.slot, number };
        let way = match host.threads() {
            Some(_) => start_thread(job, id, &signal, host)?,
            None => SearchRunner::Steps(Box::new(Steps::new(job, host.clone()))),
        };
        Ok(RunningSearch { id, asked, signal, way })
    }

    /// Asks it to end soon.
    pub(crate) fn stop(&self) {
        self.signal.stop();
        if let SearchRunner::Thread { turn, .. } = &self.way {
            turn.end();
        }
    }

    /// Goes on for so many iterations, where no thread does so. Gives its id once it has ended.
    pub(crate) fn step(&mut self, iterations: u64) -> Option<SearchId> {
        match &mut self.way {
            SearchRunner::Thread { .. } => None,
            SearchRunner::Steps(steps) => {
                steps.step(iterations, &self.signal);
                steps.is_over().then_some(self.id)
            }
        }
    }

    /// Waits for its end; `None` where the player has failed.
    pub(crate) fn join(self) -> Option<EndedSearch> {
        match self.way {
            SearchRunner::Thread { thread, ended, .. } => {
                thread.join().ok()?;
                ended.lock().unwrap_or_else(PoisonError::into_inner).take()
            }
            SearchRunner::Steps(steps) => steps.finish(),
        }
    }

    /// Ends it soon, waits for that, and gives the player back unless it has failed.
    pub(crate) fn end(self) -> Option<HeldPlayer> {
        self.stop();
        match self.way {
            SearchRunner::Steps(steps) => steps.abandon(),
            SearchRunner::Thread { .. } => self.join().map(|ended| ended.held),
        }
    }
}

fn start_thread(
    mut job: SearchJob,
    id: SearchId,
    signal: &Arc<Signal>,
    host: &Arc<dyn Host>,
) -> Result<SearchRunner, Fault> {
    let no_thread = |error: &dyn ToString| {
        let error = error.to_string();
        Fault::new(Code::Limit, format!("the system gives no thread for a search: {error}"))
    };
    let all = host.threads().ok_or_else(|| no_thread(&"it has none"))?;
    let threads = job.asked.threads(all.most());
    let turn = all.turn(threads);
    let memory = job.held.is_none().then(|| host.memory(job.asked.spec.memory()));
    let ended = Arc::new(Mutex::new(None));
    let own = (signal.clone(), turn.clone(), ended.clone(), host.clone());
    let work = move || {
        let (signal, turn, ended, host) = own;
        // A panic is a fault of the player, of which the session is told; the program goes on.
        let result = catch_unwind(AssertUnwindSafe(|| {
            let held = match (job.held.take(), memory) {
                (Some(held), _) => Some(held),
                (None, Some(memory)) => make(&job, memory, threads),
                (None, None) => None,
            };
            Some(think(job, held?, &signal, (turn.clone(), &*host)))
        }));
        turn.end();
        *ended.lock().unwrap_or_else(PoisonError::into_inner) = result.ok().flatten();
    };
    let thread = all.spawn(id, Box::new(work)).map_err(|error| no_thread(&error))?;
    Ok(SearchRunner::Thread { turn, thread, ended })
}

/// Makes a player with the memory and threads that it gets.
fn make(job: &SearchJob, memory: TreeMemory, threads: usize) -> Option<HeldPlayer> {
    let spec = &job.asked.spec;
    let bytes = Some(memory.bytes()).filter(|_| spec.memory() > 0);
    let overrides =
        Overrides { threads: Some(threads), memory: bytes, seed: job.seed, ..Overrides::default() };
    let spec = spec.clone().with(&overrides).ok()?;
    Some(HeldPlayer { player: spec.make(&job.state), _memory: memory })
}

fn think(
    job: SearchJob,
    mut held: HeldPlayer,
    signal: &Signal,
    (turn, host): (Arc<dyn crate::host::Turn>, &dyn Host),
) -> EndedSearch {
    let clock = turn.begin();
    let teller = Teller::new(&job, host);
    let mut told = host.now();
    let mut observe = |report: &SearchReport| teller.report(&job.state, report);
    let control = Control { clock: &*clock, signal, every: EVERY, observe: &mut observe };
    let report = held.player.think_openly(&job.limit, control, &mut |tree| {
        if host.now().saturating_sub(told) >= NODES_EVERY && teller.nodes(&job.opened, tree) {
            told = host.now();
        }
    });
    teller.end(&job, &held, &report);
    EndedSearch { held, report }
}

/// Tells the page about one search.
struct Teller<'a> {
    head: ReportHead,
    host: &'a dyn Host,
}

impl<'a> Teller<'a> {
    fn new(job: &SearchJob, host: &'a dyn Host) -> Teller<'a> {
        let (asked, slot, serial) = (&job.asked, job.slot, job.serial);
        let head = ReportHead { slot, serial, kind: asked.kind(), spec: asked.text.clone() };
        Teller { head, host }
    }

    /// What a running search has found.
    fn report(&self, state: &AnyState, report: &SearchReport) {
        let message = report::message(&self.head, state, report, Stage::Running);
        self.host.show(Topic::Report(self.head.slot), &message);
    }

    /// The opened nodes of a growing tree. Whether there are any.
    fn nodes(&self, opened: &Mutex<OpenNodes>, tree: &dyn monteverde_mcts::Explore) -> bool {
        let opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
        let (slot, serial) = (self.head.slot, self.head.serial);
        if !opened.nodes.is_empty() {
            let message = nodes::message((slot, serial), Some(tree), &opened, Stage::Running);
            self.host.show(Topic::Nodes(slot), &message);
        }
        !opened.nodes.is_empty()
    }

    /// What a search has come to.
    fn end(&self, job: &SearchJob, held: &HeldPlayer, report: &SearchReport) {
        self.host.forget(Topic::Report(job.slot));
        self.host.send(&report::message(&self.head, &job.state, report, Stage::Final));
        let opened = job.opened.lock().unwrap_or_else(PoisonError::into_inner);
        tell_nodes(held, (job.slot, job.serial), &opened, self.host);
    }
}

/// Tells the opened nodes of a tree that no search grows.
pub(crate) fn tell_nodes(
    held: &HeldPlayer,
    about: (Slot, u64),
    opened: &OpenNodes,
    host: &dyn Host,
) {
    if opened.nodes.is_empty() {
        return;
    }
    let mut message = None;
    held.player.explore(&mut |tree| {
        message = Some(nodes::message(about, Some(tree), opened, Stage::Final));
    });
    let message = message.unwrap_or_else(|| nodes::message(about, None, opened, Stage::Final));
    host.forget(Topic::Nodes(about.0));
    host.send(&message);
}
