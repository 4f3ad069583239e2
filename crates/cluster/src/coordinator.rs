//! The coordinator: hands out the pieces of a run and takes in what workers came to.

mod audit;
mod early;
mod publish;
mod reader;
mod streams;
mod watch;

pub(crate) use audit::is_not_found;
pub(crate) use streams::WORKERS;

use crate::connection::{ANSWER, ClusterError, Link, Say, Server, own_name};
use crate::message::{RunStatus, Status};
use crate::names::{RunName, WHO};
use async_nats::jetstream::message::Acker;
use bytes::Bytes;
use early::EarlyResults;
use futures_util::StreamExt;
use monteverde_lab::crew::{Crew, CrewError, Delivery, Needs, Piece, ResultText, Settled};
use monteverde_lab::task::Key;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedSender, channel, unbounded_channel};

/// How a run is coordinated.
#[derive(Clone, Debug)]
pub struct CoordinatorOptions {
    /// The server.
    pub server: Server,
    /// The run.
    pub run: RunName,
    /// How long a worker may be silent before its pieces go to others.
    pub ack_wait: Duration,
    /// How many pieces are out at a time, whoever is there; `None` to follow the workers.
    pub room: Option<usize>,
}

/// The most pieces that are out at a time.
const MOST_ROOM: usize = 100_000;

/// The fewest pieces that are out at a time, and how many for each core of the workers: those who
/// finish first are not to wait, nor those who come in later.
const LEAST_ROOM: usize = 1000;
const ROOM_PER_CORE: usize = 16;

/// So many results wait in memory to be taken in.
const ARRIVALS: usize = 64;

/// The coordinator of a run.
pub struct Coordinator {
    shared: Arc<Shared>,
    arrivals: Mutex<Receiver<Arrived>>,
    outbox: UnboundedSender<Arc<Piece>>,
    /// Gone when it is dropped.
    runtime: Option<Runtime>,
}

/// A result that has come in for a piece that is out.
struct Arrived {
    key: Key,
    body: Bytes,
    acker: Option<Acker>,
}

/// A piece that is out.
struct OutPiece {
    piece: Arc<Piece>,
    /// How often it was found missing from the queue in a row.
    missed: u32,
}

/// What the tasks of the runtime share.
struct Shared {
    link: Link,
    run: RunName,
    name: String,
    ack_wait: Duration,
    room: Option<usize>,
    say: Say,
    out: Mutex<HashMap<Key, OutPiece>>,
    early: Mutex<EarlyResults>,
    /// Tasks that an earlier coordinator has left in the queue, and that have not gone out yet.
    inherited: Mutex<HashSet<Key>>,
    /// What was announced to workers.
    needs: Mutex<Vec<Needs>>,
    announced: AtomicBool,
    /// Deliveries that have not been settled.
    receipts: Mutex<HashMap<u64, Acker>>,
    acks: UnboundedSender<Acker>,
    arrive: Sender<Arrived>,
    /// Told when all results that an earlier coordinator left have been read.
    drained: Notify,
    /// Tells the task that looks after the queue to look soon.
    look: Notify,
    /// The cores of all workers that are there.
    cores: AtomicUsize,
    counts: ReceiptCounts,
    stopped: AtomicBool,
    /// Held while streams are looked after; `true` once the run is done.
    is_done: tokio::sync::Mutex<bool>,
}

#[derive(Default)]
struct ReceiptCounts {
    receipts: AtomicU64,
    kept: AtomicU64,
    refused: AtomicU64,
}

impl Coordinator {
    /// Connects, and takes over the run of that name where another coordinator has left it.
    pub fn start(options: CoordinatorOptions, say: Say) -> Result<Coordinator, ClusterError> {
        let runtime = runtime(1)?;
        let (acks, acked) = unbounded_channel();
        let (arrive, arrivals) = channel(ARRIVALS);
        // As many as there is room for: whoever hands out pieces also takes in results, and must
        // not wait here.
        let (outbox, pieces) = unbounded_channel();
        let shared = runtime.block_on(async {
            let name = own_name();
            let link = options.server.connect(&format!("monteverde {}", options.run), &say).await?;
            claim(&link, &options.run).await?;
            let shared = Arc::new(Shared {
                link,
                run: options.run,
                name,
                ack_wait: options.ack_wait,
                room: options.room,
                say,
                out: Mutex::default(),
                early: Mutex::default(),
                inherited: Mutex::default(),
                needs: Mutex::default(),
                announced: AtomicBool::new(true),
                receipts: Mutex::default(),
                acks,
                arrive,
                drained: Notify::new(),
                look: Notify::new(),
                cores: AtomicUsize::new(0),
                counts: ReceiptCounts::default(),
                stopped: AtomicBool::new(false),
                is_done: tokio::sync::Mutex::default(),
            });
            streams::prepare_at_last(&shared).await?;
            Ok(shared)
        })?;
        runtime.spawn(answer(shared.clone()));
        runtime.spawn(acknowledge(acked));
        runtime.spawn(publish::publish_all(shared.clone(), pieces));
        runtime.spawn(reader::read_all(shared.clone()));
        runtime.spawn(audit::audit(shared.clone()));
        runtime.spawn(watch::watch_workers(shared.clone()));
        runtime.spawn(stop_at_signal(shared.clone()));
        let arrivals = Mutex::new(arrivals);
        Ok(Coordinator { shared, arrivals, outbox, runtime: Some(runtime) })
    }

    /// The run.
    pub fn run(&self) -> &RunName {
        &self.shared.run
    }

    /// How many results were refused so far.
    pub fn refused(&self) -> u64 {
        self.shared.counts.refused.load(Ordering::Relaxed)
    }

    /// Ends the run, which is done: nothing of it stays on the server.
    pub fn finish(&self) {
        self.block_on(async {
            // Nobody is to make the streams anew.
            *self.shared.is_done.lock().await = true;
            streams::remove(&self.shared).await;
        });
    }

    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.as_ref().expect("it runs until it is dropped").block_on(future)
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Coordinator of {}", self.shared.run)
    }
}

impl Crew for Coordinator {
    fn room(&self) -> usize {
        self.shared.room.unwrap_or_else(|| {
            let cores = self.shared.cores.load(Ordering::Relaxed);
            (cores * ROOM_PER_CORE).clamp(LEAST_ROOM, MOST_ROOM)
        })
    }

    fn send(&self, piece: &Arc<Piece>) -> Result<(), CrewError> {
        self.shared.check_stopped()?;
        let waiting = OutPiece { piece: piece.clone(), missed: 0 };
        self.shared.out().insert(piece.key, waiting);
        let gone = || CrewError("the coordinator has ended".to_owned());
        self.outbox.send(piece.clone()).map_err(|_| gone())
    }

    fn receive(&self, wait: Duration) -> Result<Option<Delivery>, CrewError> {
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        let until = Instant::now() + wait;
        loop {
            self.shared.check_stopped()?;
            let arrived = match arrivals.try_recv() {
                Ok(arrived) => arrived,
                Err(_) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Ok(None);
                    }
                    let next = self.block_on(async {
                        tokio::time::timeout(left, arrivals.recv()).await.ok().flatten()
                    });
                    match next {
                        Some(arrived) => arrived,
                        None => return Ok(None),
                    }
                }
            };
            if let Some(delivery) = self.shared.open(arrived) {
                return Ok(Some(delivery));
            }
        }
    }

    fn settle(&self, delivery: &Delivery, settled: Settled<'_>) {
        let shared = &self.shared;
        if let Some(acker) = lock(&shared.receipts).remove(&delivery.receipt) {
            shared.acknowledge(acker);
        }
        match settled {
            Settled::Kept => {
                if shared.out().remove(&delivery.key).is_some() {
                    shared.counts.kept.fetch_add(1, Ordering::Relaxed);
                }
            }
            Settled::Refused(problem) => shared.refuse(&delivery.worker, problem),
        }
    }

    fn recall(&self) {
        self.shared.out().clear();
        lock(&self.shared.early).clear();
        lock(&self.shared.inherited).clear();
        self.block_on(streams::empty_queue(&self.shared));
    }
}

impl Shared {
    fn out(&self) -> MutexGuard<'_, HashMap<Key, OutPiece>> {
        lock(&self.out)
    }

    fn check_stopped(&self) -> Result<(), CrewError> {
        match self.stopped.load(Ordering::Relaxed) {
            false => Ok(()),
            true => Err(CrewError(
                "stopped; what is finished is in the store, and the same command goes on"
                    .to_owned(),
            )),
        }
    }

    /// Reads a result; `None` if it is no result of a piece that is out.
    fn open(&self, Arrived { key, body, acker }: Arrived) -> Option<Delivery> {
        let result = ResultText::unpack(&body);
        let is_out = self.out().contains_key(&key);
        match result {
            Ok(ResultText { worker, product }) if is_out => {
                let receipt = self.counts.receipts.fetch_add(1, Ordering::Relaxed);
                if let Some(acker) = acker {
                    lock(&self.receipts).insert(receipt, acker);
                }
                return Some(Delivery { key, product, worker, receipt });
            }
            // Its piece has come back before.
            Ok(_) => {}
            Err(problem) => self.refuse("somebody", &problem),
        }
        if let Some(acker) = acker {
            self.acknowledge(acker);
        }
        None
    }

    /// Says that a result was dropped. Somebody who sends many is not to fill the screen.
    fn refuse(&self, worker: &str, problem: &str) {
        const TOLD: u64 = 10;
        const EVERY: u64 = 1000;
        let count = self.counts.refused.fetch_add(1, Ordering::Relaxed) + 1;
        if count <= TOLD || count.is_multiple_of(EVERY) {
            (self.say)(&format!("a result of {worker} was dropped ({count} so far): {problem}"));
        }
        self.look.notify_one();
    }

    /// Tells the server that a result need not be kept. Nobody waits for that: one that is kept all
    /// the same is known when it comes again.
    fn acknowledge(&self, acker: Acker) {
        let _ = self.acks.send(acker);
    }

    fn status(&self) -> RunStatus {
        RunStatus {
            run: self.run.to_string(),
            name: self.name.clone(),
            out: self.out().len(),
            kept: self.counts.kept.load(Ordering::Relaxed),
            refused: self.counts.refused.load(Ordering::Relaxed),
        }
    }
}

/// Nothing that holds these locks can panic half-way.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A runtime with so many threads.
pub(crate) fn runtime(threads: usize) -> Result<Runtime, ClusterError> {
    let built = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .thread_name("nats")
        .enable_all()
        .build();
    built.map_err(|error| ClusterError::Input(format!("no thread can be started: {error}")))
}

/// Makes sure that nobody else coordinates the run.
async fn claim(link: &Link, run: &RunName) -> Result<(), ClusterError> {
    let asked = link.client.request(run.lead(), Bytes::new());
    // Where nobody listens, the server says so at once.
    match tokio::time::timeout(ANSWER, asked).await {
        Ok(Ok(answer)) => {
            let other = match Status::unpack(&answer.payload) {
                Some(Status::Run(status)) => status.name,
                _ => "somebody".to_owned(),
            };
            Err(ClusterError::Taken { run: run.to_string(), other })
        }
        _ => Ok(()),
    }
}

/// Answers whoever asks for the run.
async fn answer(shared: Arc<Shared>) {
    let client = &shared.link.client;
    let subscribed = async {
        let lead = client.subscribe(shared.run.lead()).await.ok()?;
        Some((lead, client.subscribe(WHO).await.ok()?))
    };
    let Some((lead, who)) = subscribed.await else { return };
    let mut asked = futures_util::stream::select(lead, who);
    while let Some(message) = asked.next().await {
        if let Some(reply) = message.reply {
            let status = Status::Run(shared.status());
            let _ = client.publish(reply, status.pack().into()).await;
        }
    }
}

async fn acknowledge(mut acks: tokio::sync::mpsc::UnboundedReceiver<Acker>) {
    while let Some(acker) = acks.recv().await {
        let _ = acker.ack().await;
    }
}

/// Ends the run at the first Ctrl-C, the process at the second.
async fn stop_at_signal(shared: Arc<Shared>) {
    if tokio::signal::ctrl_c().await.is_err() {
        return;
    }
    (shared.say)("stopping: tasks that nobody has begun are taken back");
    shared.stopped.store(true, Ordering::Relaxed);
    if tokio::signal::ctrl_c().await.is_ok() {
        const INTERRUPTED: i32 = 130;
        std::process::exit(INTERRUPTED);
    }
}
