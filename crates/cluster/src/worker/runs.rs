//! The runs that a worker knows, and which of them it can work for.

use super::Shared;
use crate::connection::ANSWER;
use crate::coordinator::WORKERS;
use crate::message::About;
use crate::names::RunName;
use crate::status::run_names;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use monteverde_lab::crew::{Lack, Needs, shown};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often the server is asked for runs.
const EVERY: Duration = Duration::from_secs(2);

/// How often a run that was refused is looked at again.
const REFUSED: Duration = Duration::from_secs(10);

/// The runs of a server.
pub(super) struct Runs {
    only: Option<RunName>,
    known: BTreeMap<RunName, KnownRun>,
    listed: Option<Instant>,
    changes: watch::Receiver<()>,
}

/// A run.
pub(super) struct KnownRun {
    consumer: PullConsumer,
    shared: Arc<RunHandle>,
    checked: Instant,
}

/// What pieces of a run share.
pub(super) struct RunHandle {
    pub(super) name: RunName,
    /// How long the worker may be silent.
    pub(super) ack_wait: Duration,
    /// What has been found to be here.
    met: Mutex<Vec<Needs>>,
    is_refused: AtomicBool,
    /// Whether what the run has announced is to be read again.
    is_stale: AtomicBool,
}

impl Runs {
    pub(super) fn new(only: Option<RunName>, changes: watch::Receiver<()>) -> Runs {
        Runs { only, known: BTreeMap::new(), listed: None, changes }
    }

    /// Those that the worker takes work from.
    pub(super) fn open(&mut self) -> impl Iterator<Item = &mut KnownRun> {
        let is_open = |run: &&mut KnownRun| !run.shared.is_refused.load(Ordering::Relaxed);
        self.known.values_mut().filter(is_open)
    }

    /// What tells that a run has announced itself or ended since the server was last asked for
    /// them.
    pub(super) fn changes(&self) -> watch::Receiver<()> {
        self.changes.clone()
    }

    /// Waits for that.
    pub(super) async fn change(&mut self) {
        if self.changes.changed().await.is_err() {
            std::future::pending().await
        }
        self.listed = None;
    }

    /// Asks the server for runs, if that was not done a moment ago.
    pub(super) async fn refresh(&mut self, shared: &Shared) {
        let has_changed = self.changes.has_changed().unwrap_or(false);
        if !has_changed && self.listed.is_some_and(|at| at.elapsed() < EVERY) {
            return;
        }
        self.changes.mark_unchanged();
        self.listed = Some(Instant::now());
        let Ok(mut names) = run_names(&shared.link).await else { return };
        names.retain(|name| self.only.as_ref().is_none_or(|only| only == name));
        self.known.retain(|name, _| names.contains(name));
        for name in names {
            let is_due = match self.known.get(&name) {
                None => true,
                Some(run) => {
                    let is_refused = run.shared.is_refused.load(Ordering::Relaxed);
                    run.shared.is_stale.load(Ordering::Relaxed)
                        || (is_refused && run.checked.elapsed() >= REFUSED)
                }
            };
            if is_due && let Some(run) = KnownRun::check(shared, &name).await {
                self.known.insert(name, run);
            }
        }
        let known = &self.known;
        let is_known = |run: &str| known.keys().any(|name| name.to_string() == run);
        let mut refused = shared.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.retain(|(run, _)| is_known(run));
    }
}

impl KnownRun {
    /// Reads what a run asks of workers; `None` as long as it says nothing.
    async fn check(shared: &Shared, name: &RunName) -> Option<KnownRun> {
        let asked = async {
            let js = &shared.link.js;
            let tasks = js.get_stream_no_info(name.tasks_stream()).await.ok()?;
            let about = tasks.get_last_raw_message_by_subject(&name.about()).await.ok()?;
            let about: About = serde_json::from_slice(&about.payload).ok()?;
            let consumer: PullConsumer = tasks.get_consumer(WORKERS).await.ok()?;
            Some((about, consumer))
        };
        let (about, consumer) = tokio::time::timeout(ANSWER, asked).await.ok()??;
        let ack_wait = consumer.cached_info().config.ack_wait;
        let run = RunHandle {
            name: name.clone(),
            ack_wait,
            met: Mutex::default(),
            is_refused: AtomicBool::new(false),
            is_stale: AtomicBool::new(false),
        };
        let mut is_met = true;
        for needs in &about.needs {
            is_met &= run.check(shared, needs);
        }
        if is_met {
            shared.unrefuse(name);
            let (host, build) = (shown(&about.host), shown(&about.build));
            run.say_once(shared, &format!("working for {host} ({build})"));
        }
        Some(KnownRun { consumer, shared: Arc::new(run), checked: Instant::now() })
    }

    pub(super) fn handle(&self) -> Arc<RunHandle> {
        self.shared.clone()
    }

    /// At most so many tasks that are there now. The server does not answer for a run that has
    /// ended; `changes` tells when to look whether it has.
    pub(super) async fn fetch(
        &mut self,
        most: usize,
        shared: &Shared,
        mut changes: watch::Receiver<()>,
    ) -> Vec<Message> {
        /// A worker with very many threads asks more than once.
        const MOST: usize = 64;
        let most = most.min(MOST);
        let mut messages = Vec::new();
        let Ok(Ok(mut batch)) =
            tokio::time::timeout(ANSWER, self.consumer.fetch().max_messages(most).messages()).await
        else {
            return messages;
        };
        let mut until = tokio::time::Instant::now() + ANSWER;
        loop {
            tokio::select! {
                biased;
                next = tokio::time::timeout_at(until, batch.next()) => match next {
                    Ok(Some(Ok(message))) => {
                        messages.push(message);
                        until = tokio::time::Instant::now() + ANSWER;
                    }
                    _ => return messages,
                },
                Ok(()) = changes.changed() => {
                    if !self.shared.is_there(shared).await {
                        return messages;
                    }
                }
            }
        }
    }
}

impl RunHandle {
    /// Whether the run is still there; without an answer it is taken to be.
    async fn is_there(&self, shared: &Shared) -> bool {
        let names = tokio::time::timeout(ANSWER, run_names(&shared.link)).await;
        !matches!(names, Ok(Ok(names)) if !names.contains(&self.name))
    }

    /// Whether the worker has what a piece needs. A piece that the run has not announced ends
    /// nothing: it is looked whether the run says something new.
    pub(super) fn accepts(&self, shared: &Shared, needs: &Needs) -> bool {
        let is_met = self.met.lock().unwrap_or_else(PoisonError::into_inner).contains(needs);
        if is_met {
            return true;
        }
        match shared.check(needs) {
            Ok(()) => {
                /// Somebody who means harm might ask for something new each time.
                const MOST: usize = 1000;
                let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
                if met.len() < MOST {
                    met.push(needs.clone());
                }
                true
            }
            Err(lack) => {
                self.say_once(shared, &format!("a task is left to others: {lack}"));
                self.is_stale.store(true, Ordering::Relaxed);
                false
            }
        }
    }

    /// Whether the worker has what the run has announced. If not, it takes nothing of the run.
    fn check(&self, shared: &Shared, needs: &Needs) -> bool {
        match shared.check(needs) {
            Ok(()) => {
                self.met.lock().unwrap_or_else(PoisonError::into_inner).push(needs.clone());
                true
            }
            Err(lack) => {
                self.refuse(shared, &lack.to_string());
                false
            }
        }
    }

    /// Says something about the run, but the same only once.
    pub(super) fn say_once(&self, shared: &Shared, line: &str) {
        /// Whoever sends something else each time does not fill the screen.
        const MOST: usize = 20;
        let line = format!("run '{}': {}", self.name, shown(line));
        let mut said = shared.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() < MOST && !said.contains(&line) {
            (shared.say)(&line);
            said.push(line);
        }
    }

    /// Takes nothing more of the run, for this reason.
    fn refuse(&self, shared: &Shared, problem: &str) {
        self.is_refused.store(true, Ordering::Relaxed);
        let problem = shown(problem);
        let mut refused = shared.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let name = self.name.to_string();
        if refused.iter().any(|known| *known == (name.clone(), problem.clone())) {
            return;
        }
        refused.retain(|(run, _)| *run != name);
        (shared.say)(&format!("nothing is taken of the run '{name}': {problem}"));
        refused.push((name, problem));
    }
}

impl Shared {
    /// What the worker lacks. The first answer about a game may take long: a program from a changed
    /// tree searches to know how it plays, and engines are started to learn their names.
    fn check(&self, needs: &Needs) -> Result<(), Lack> {
        tokio::task::block_in_place(|| needs.check(&self.games, &self.engines, self.memory))
    }

    fn unrefuse(&self, run: &RunName) {
        let name = run.to_string();
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.retain(|(run, _)| *run != name);
    }
}
