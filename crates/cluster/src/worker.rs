//! A worker: pulls pieces of work from the server and does them.

mod held;
mod runs;

use crate::connection::{ClusterError, Link, Say, Server, own_name};
use crate::message::{Status, WorkerStatus};
use crate::names::{RunName, WHO};
use futures_util::StreamExt;
use monteverde_game::limit::Signal;
use monteverde_lab::build::build;
use monteverde_lab::crew::{AllowedEngines, CustomKind, PieceRunner};
use monteverde_players::Games;
use runs::{KnownRun, Runs};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, Semaphore, watch};

/// How a worker works.
#[derive(Debug)]
pub struct WorkerOptions {
    /// The server.
    pub server: Server,
    /// So many pieces at a time, at least 1.
    pub threads: usize,
    /// The only run that it works for; `None` for all.
    pub run: Option<RunName>,
    /// The engines that it may start.
    pub engines: AllowedEngines,
    /// The kinds of work that it knows besides the lab's.
    pub kinds: Vec<CustomKind>,
    /// The most bytes that a player may ask for.
    pub memory: usize,
    /// How long it finishes what it holds after it was told to end.
    pub grace: Duration,
}

/// What the tasks of a worker share.
struct Shared {
    link: Link,
    name: String,
    threads: usize,
    games: Games,
    engines: Arc<AllowedEngines>,
    kinds: Vec<CustomKind>,
    memory: usize,
    say: Say,
    speed: f64,
    started: Instant,
    /// A permit is a thread that has nothing to do.
    free: Arc<Semaphore>,
    held: AtomicUsize,
    done: AtomicU64,
    /// Runners that wait, with their engines.
    runners: Mutex<Vec<PieceRunner>>,
    refused: Mutex<Vec<(String, String)>>,
    /// What has been said about runs.
    said: Mutex<Vec<String>>,
    /// No further piece is begun.
    ending: AtomicBool,
    /// Pieces in work are given back.
    give_up: Notify,
    /// A run has said what it asks of workers, or has ended.
    changes: watch::Sender<()>,
    /// Stops our own players.
    stop: Arc<Signal>,
}

/// How long is waited when no run has work, at first and at last.
const SHORTEST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Works until the process is told to end, by Ctrl-C or a signal.
pub fn work(games: &Games, options: WorkerOptions, say: Say) -> Result<(), ClusterError> {
    let runtime = crate::coordinator::runtime(2)?;
    let speed = speed(games);
    let ended = runtime.block_on(async {
        let name = own_name();
        let client = format!("worker {name}");
        let ending = EndSignal::listen();
        let link = tokio::select! {
            link = options.server.connect_at_last(&client, &say) => link?,
            () = ending.told() => return Ok(()),
        };
        let shared = Arc::new(Shared {
            link,
            name,
            threads: options.threads.max(1),
            games: games.clone(),
            engines: Arc::new(options.engines),
            kinds: options.kinds,
            memory: options.memory,
            say,
            speed,
            started: Instant::now(),
            free: Arc::new(Semaphore::new(options.threads.max(1))),
            held: AtomicUsize::new(0),
            done: AtomicU64::new(0),
            runners: Mutex::default(),
            refused: Mutex::default(),
            said: Mutex::default(),
            ending: AtomicBool::new(false),
            give_up: Notify::new(),
            changes: watch::Sender::new(()),
            stop: Arc::default(),
        });
        tokio::spawn(answer(shared.clone()));
        tokio::spawn(listen(shared.clone()));
        let pulling = tokio::spawn(pull(shared.clone(), options.run));
        ending.told().await;
        shared.ending.store(true, Ordering::Relaxed);
        pulling.abort();
        shared.end(&ending, options.grace).await;
        Ok(())
    });
    runtime.shutdown_background();
    ended
}

impl Shared {
    /// Finishes what is in work, if that does not take long, and gives the rest back.
    async fn end(&self, ending: &EndSignal, grace: Duration) {
        let held = self.held.load(Ordering::Relaxed);
        if held > 0 {
            (self.say)(&format!(
                "finishing {held} pieces of work, for at most {} s; Ctrl-C gives them back now",
                grace.as_secs()
            ));
        }
        let finished = async {
            while self.held.load(Ordering::Relaxed) > 0 {
                tokio::time::sleep(SHORTEST_WAIT).await;
            }
        };
        tokio::select! {
            () = finished => {}
            () = tokio::time::sleep(grace) => {}
            () = ending.told() => {}
        }
        let held = self.held.load(Ordering::Relaxed);
        if held > 0 {
            self.stop.stop();
            self.give_up.notify_waiters();
            (self.say)(&format!("{held} pieces of work are given back"));
            for _ in 0..20 {
                if self.held.load(Ordering::Relaxed) == 0 {
                    break;
                }
                tokio::time::sleep(SHORTEST_WAIT).await;
            }
        }
        let _ = tokio::time::timeout(Duration::from_secs(2), self.link.client.flush()).await;
        let done = self.done.load(Ordering::Relaxed);
        (self.say)(&format!("{done} pieces of work done"));
    }

    fn status(&self) -> WorkerStatus {
        WorkerStatus {
            name: self.name.clone(),
            cores: self.threads,
            build: build().to_owned(),
            speed: self.speed,
            held: self.held.load(Ordering::Relaxed),
            done: self.done.load(Ordering::Relaxed),
            seconds: self.started.elapsed().as_secs(),
            refused: self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    fn runner(&self) -> PieceRunner {
        let waiting = self.runners.lock().unwrap_or_else(PoisonError::into_inner).pop();
        waiting.unwrap_or_else(|| PieceRunner::new(self.engines.clone()))
    }

    fn give_back(&self, runner: PieceRunner) {
        self.runners.lock().unwrap_or_else(PoisonError::into_inner).push(runner);
    }
}

/// Pulls pieces from all runs in turn, as many as there are free threads.
async fn pull(shared: Arc<Shared>, only: Option<RunName>) {
    let mut runs = Runs::new(only, shared.changes.subscribe());
    let mut wait = SHORTEST_WAIT;
    (shared.say)(&format!(
        "the worker {} waits for work at '{}' with {} threads",
        shared.name, shared.link.url, shared.threads
    ));
    loop {
        // Waits until a thread is free.
        let Ok(permit) = shared.free.acquire().await else { return };
        drop(permit);
        runs.refresh(&shared).await;
        let mut found = 0;
        let changes = runs.changes();
        for run in runs.open() {
            found += pull_from(&shared, run, changes.clone()).await;
        }
        if found > 0 {
            wait = SHORTEST_WAIT;
        } else {
            tokio::select! {
                () = tokio::time::sleep(wait) => wait = (2 * wait).min(LONGEST_WAIT),
                () = runs.change() => {
                    // Until it can be read; whoever announces without end does not drive us.
                    tokio::time::sleep(SHORTEST_WAIT).await;
                    wait = SHORTEST_WAIT;
                }
            }
        }
    }
}

/// Pulls what a run has for the free threads; how many pieces that is.
async fn pull_from(
    shared: &Arc<Shared>,
    run: &mut KnownRun,
    changes: watch::Receiver<()>,
) -> usize {
    let free = shared.free.available_permits();
    if free == 0 {
        return 0;
    }
    let messages = run.fetch(free, shared, changes).await;
    let count = messages.len();
    for message in messages {
        let Ok(permit) = shared.free.clone().acquire_owned().await else { return 0 };
        shared.held.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(held::hold(shared.clone(), run.handle(), message, permit));
    }
    count
}

/// Hears of runs as soon as they announce themselves, or end. What is missed here the next list of
/// runs has.
async fn listen(shared: Arc<Shared>) {
    let Ok(mut told) = shared.link.client.subscribe(RunName::all_about()).await else { return };
    while told.next().await.is_some() {
        shared.changes.send_replace(());
    }
}

/// Answers whoever asks who is there.
async fn answer(shared: Arc<Shared>) {
    let Ok(mut asked) = shared.link.client.subscribe(WHO).await else { return };
    while let Some(message) = asked.next().await {
        if let Some(reply) = message.reply {
            let status = Status::Worker(shared.status());
            let _ = shared.link.client.publish(reply, status.pack().into()).await;
        }
    }
}

/// Iterations a second of a plain search of the first game, for a short while on one thread.
fn speed(games: &Games) -> f64 {
    games.iter().next().map_or(0.0, monteverde_lab::calibration::plain_speed)
}

/// The signals that end a worker.
struct EndSignal(Notify);

impl EndSignal {
    fn listen() -> Arc<EndSignal> {
        let ending = Arc::new(EndSignal(Notify::new()));
        let told = ending.clone();
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                told.0.notify_one();
            }
        });
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let told = ending.clone();
            if let Ok(mut signal) = signal(SignalKind::terminate()) {
                tokio::spawn(async move {
                    while signal.recv().await.is_some() {
                        told.0.notify_one();
                    }
                });
            }
        }
        ending
    }

    async fn told(&self) {
        self.0.notified().await;
    }
}
