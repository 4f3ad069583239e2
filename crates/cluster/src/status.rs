//! Who is there, and how the runs are.

use crate::connection::{ANSWER, ClusterError, Link, Say, Server, own_name};
use crate::coordinator::{WORKERS, runtime};
use crate::message::{RunStatus, Status, WorkerStatus};
use crate::names::{RunName, WHO};
use async_nats::Client;
use async_nats::jetstream::consumer::PullConsumer;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// More answers than this are not counted.
const MOST_ANSWERS: usize = 10_000;

/// More runs than this are not shown.
const MOST_RUNS: usize = 200;

/// How long answers are gathered.
const GATHER: Duration = Duration::from_millis(700);

/// A worker that has not answered for so long is no longer shown.
const FORGOTTEN: Duration = Duration::from_secs(600);

/// Everything that is known at a moment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Picture {
    /// The server's address.
    pub server: String,
    /// The workers, by name.
    pub workers: Vec<SeenWorker>,
    /// The runs, by name.
    pub runs: Vec<RunPicture>,
}

/// A worker, and when it was last heard of.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeenWorker {
    /// What it said.
    #[serde(flatten)]
    pub status: WorkerStatus,
    /// Pieces an hour.
    pub per_hour: f64,
    /// How long ago it said so, in seconds.
    pub seen: u64,
}

/// A run on the server.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunPicture {
    /// Its name.
    pub run: String,
    /// Tasks that nobody has begun.
    pub queued: u64,
    /// Tasks in work.
    pub in_work: usize,
    /// Tasks in work that had been given to somebody before.
    pub redelivered: usize,
    /// Results that are not yet in the store.
    pub results: u64,
    /// What its coordinator says; `None` if there is none now.
    pub coordinator: Option<RunStatus>,
}

/// Looks at a server again and again.
#[derive(Debug)]
pub struct Watcher {
    runtime: Runtime,
    link: Link,
    seen: BTreeMap<String, (WorkerStatus, Instant)>,
}

impl Watcher {
    /// Connects.
    pub fn start(server: &Server, say: &Say) -> Result<Watcher, ClusterError> {
        let runtime = runtime(1)?;
        let link = runtime.block_on(server.connect(&format!("cluster {}", own_name()), say))?;
        Ok(Watcher { runtime, link, seen: BTreeMap::new() })
    }

    /// How everything is now.
    pub fn look(&mut self) -> Result<Picture, ClusterError> {
        let link = &self.link;
        let (statuses, runs) = self
            .runtime
            .block_on(async { tokio::join!(ask(&link.client, GATHER), list_runs(link)) });
        let mut runs = runs?;
        let now = Instant::now();
        for status in statuses {
            match status {
                Status::Worker(worker) => {
                    self.seen.insert(worker.name.clone(), (worker, now));
                }
                Status::Run(status) => {
                    if let Some(run) = runs.iter_mut().find(|run| run.run == status.run) {
                        run.coordinator = Some(status);
                    }
                }
            }
        }
        self.seen.retain(|_, (_, at)| now.duration_since(*at) < FORGOTTEN);
        let worker = |(status, at): &(WorkerStatus, Instant)| SeenWorker {
            status: status.clone(),
            per_hour: status.per_hour(),
            seen: now.duration_since(*at).as_secs(),
        };
        let workers = self.seen.values().map(worker).collect();
        Ok(Picture { server: self.link.url.clone(), workers, runs })
    }
}

/// Removes everything of a run from a server, for good.
pub fn forget(server: &Server, run: &RunName, say: &Say) -> Result<(), ClusterError> {
    let runtime = runtime(1)?;
    runtime.block_on(async {
        let link = server.connect(&format!("cluster {}", own_name()), say).await?;
        for stream in [run.tasks_stream(), run.results_stream()] {
            let removed = link.js.delete_stream(&stream).await;
            removed.map_err(|error| ClusterError::Server {
                what: format!("to forget the run '{run}'"),
                problem: error.to_string(),
            })?;
        }
        Ok(())
    })
}

/// Asks everybody for a word, and gathers the answers for so long.
pub(crate) async fn ask(client: &Client, gather: Duration) -> Vec<Status> {
    let inbox = client.new_inbox();
    let mut statuses = Vec::new();
    let Ok(mut answers) = client.subscribe(inbox.clone()).await else { return statuses };
    if client.publish_with_reply(WHO, inbox, Bytes::new()).await.is_err() {
        return statuses;
    }
    let until = tokio::time::Instant::now() + gather;
    while let Ok(Some(answer)) = tokio::time::timeout_at(until, answers.next()).await {
        statuses.extend(Status::unpack(&answer.payload));
        if statuses.len() >= MOST_ANSWERS {
            break;
        }
    }
    statuses
}

/// The names of the runs on a server.
pub(crate) async fn run_names(link: &Link) -> Result<Vec<RunName>, String> {
    let listed = async {
        let mut names = Vec::new();
        let mut streams = link.js.stream_names();
        while let Some(name) = streams.try_next().await.map_err(|error| error.to_string())? {
            names.extend(RunName::of_stream(&name));
        }
        names.sort();
        names.truncate(MOST_RUNS);
        Ok(names)
    };
    match tokio::time::timeout(ANSWER, listed).await {
        Ok(names) => names,
        Err(_) => Err("it does not answer".to_owned()),
    }
}

async fn list_runs(link: &Link) -> Result<Vec<RunPicture>, ClusterError> {
    let names = run_names(link)
        .await
        .map_err(|problem| ClusterError::Server { what: "to list the runs".to_owned(), problem })?;
    let mut runs = Vec::new();
    for name in names {
        // A run may end meanwhile.
        runs.extend(picture(link, &name).await);
    }
    Ok(runs)
}

async fn picture(link: &Link, run: &RunName) -> Option<RunPicture> {
    let tasks = link.js.get_stream_no_info(run.tasks_stream()).await.ok()?;
    let mut queue: PullConsumer = tasks.get_consumer(WORKERS).await.ok()?;
    let queue = queue.info().await.ok()?;
    let results = link.js.get_stream(run.results_stream()).await;
    Some(RunPicture {
        run: run.to_string(),
        queued: queue.num_pending,
        in_work: queue.num_ack_pending,
        redelivered: queue.num_redelivered,
        results: results.map_or(0, |stream| stream.cached_info().state.messages),
        coordinator: None,
    })
}
