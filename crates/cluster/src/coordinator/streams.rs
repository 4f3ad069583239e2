//! The streams of a run on the server.

use super::{Shared, lock};
use crate::connection::{ANSWER, ClusterError, host};
use crate::message::{About, LARGEST_MESSAGE};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::CreateStreamErrorKind;
use async_nats::jetstream::stream::{
    Config, ConsumerError, ConsumerErrorKind, DiscardPolicy, RetentionPolicy, StorageType, Stream,
};
use monteverde_lab::build::build;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The consumer that workers pull from.
pub(crate) const WORKERS: &str = "workers";

/// The consumer that the coordinator reads results with.
const COORDINATOR: &str = "coordinator";

/// What nobody has fetched for so long is thrown away.
const MOST_AGE: Duration = Duration::from_secs(30 * 24 * 3600);

/// The most tasks, and the most results, that the server keeps for a run: twice as many as are ever
/// out. Where there is no room for a result, its worker waits. Bytes are not limited, since the
/// server would set them aside whether they are needed or not.
const MOST_MESSAGES: i64 = 200_000;

/// After so long a result that was handed to the coordinator and not stored comes again.
const RESULT_ACK_WAIT: Duration = Duration::from_secs(60);

/// More messages than will ever be in work.
const MANY: i64 = 1_000_000;

/// How long is waited before a server that did not answer is asked again.
const AGAIN: Duration = Duration::from_secs(1);

/// Why something was not made.
pub(super) enum Unmade {
    /// The server did not answer: it is busy, or ends at this moment and will be started again.
    NoAnswer,
    /// The server refuses it.
    Refused(ClusterError),
}

/// Makes the streams where they are not there, however long it takes the server to answer.
pub(super) async fn prepare_at_last(shared: &Shared) -> Result<(), ClusterError> {
    let mut is_said = false;
    loop {
        match prepare(shared).await {
            Ok(()) => return Ok(()),
            Err(Unmade::Refused(error)) => return Err(error),
            Err(Unmade::NoAnswer) => {}
        }
        if !is_said {
            (shared.say)("the NATS server does not answer; asking again until it does");
            is_said = true;
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Makes the streams where they are not there.
pub(super) async fn prepare(shared: &Shared) -> Result<(), Unmade> {
    let run = &shared.run;
    let refused = |what: &str, problem: String| {
        let what = format!("{what} of the run '{run}'");
        Unmade::Refused(ClusterError::Server { what, problem })
    };
    let common = Config {
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        storage: StorageType::File,
        max_age: MOST_AGE,
        max_messages: MOST_MESSAGES,
        max_message_size: LARGEST_MESSAGE,
        num_replicas: 1,
        ..Config::default()
    };
    let tasks = Config {
        name: run.tasks_stream(),
        subjects: vec![run.tasks(), run.about()],

        ..common.clone()
    };
    let results = Config { name: run.results_stream(), subjects: vec![run.results()], ..common };
    for config in [tasks, results] {
        let made = shared.link.js.create_or_update_stream(config).await;
        made.map_err(|error| match error.kind() {
            CreateStreamErrorKind::TimedOut | CreateStreamErrorKind::JetStreamUnavailable => {
                Unmade::NoAnswer
            }
            _ => refused("the streams", error.to_string()),
        })?;
    }
    make_queue(shared).await.map_err(|error| match error.kind() {
        ConsumerErrorKind::TimedOut | ConsumerErrorKind::Request => Unmade::NoAnswer,
        _ => refused("the queue", error.to_string()),
    })
}

/// Makes the consumer that workers pull from, where it is not there.
async fn make_queue(shared: &Shared) -> Result<(), ConsumerError> {
    let run = &shared.run;
    let workers = pull::Config {
        durable_name: Some(WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: shared.ack_wait,
        filter_subject: run.tasks(),
        max_ack_pending: MANY,
        max_deliver: -1,
        ..pull::Config::default()
    };
    let made = shared.link.js.create_consumer_on_stream(workers, run.tasks_stream()).await;
    made.map(drop)
}

/// Makes that consumer anew: it offers every task of the stream again.
pub(super) async fn remake_queue(shared: &Shared) {
    let js = &shared.link.js;
    let _ = js.delete_consumer_from_stream(WORKERS, shared.run.tasks_stream()).await;
    let _ = make_queue(shared).await;
}

/// Removes the tasks of one subject, message by message: a purge of a single subject makes servers
/// before 2.10 forget the others.
pub(super) async fn remove_tasks(stream: &Stream<()>, subject: &str) {
    /// Whoever sends more of them waits for the next look.
    const MOST: usize = 100;
    for _ in 0..MOST {
        let Ok(last) = stream.get_last_raw_message_by_subject(subject).await else { return };
        if stream.delete_message(last.sequence).await.is_err() {
            return;
        }
    }
}

/// The consumer of results, from the first on: those that an earlier coordinator was handed and did
/// not store come at once.
pub(super) async fn results_consumer(shared: &Shared) -> Result<PullConsumer, String> {
    let stream = shared.run.results_stream();
    let js = &shared.link.js;
    // What is not there need not be removed.
    let _ = js.delete_consumer_from_stream(COORDINATOR, &stream).await;
    let config = pull::Config {
        durable_name: Some(COORDINATOR.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: RESULT_ACK_WAIT,
        max_ack_pending: MANY,
        max_deliver: -1,
        ..pull::Config::default()
    };
    let made = js.create_consumer_on_stream(config, &stream).await;
    made.map_err(|error| error.to_string())
}

/// Says what the run asks of workers, in place of what it said before.
pub(super) async fn announce(shared: &Shared) {
    let needs = lock(&shared.needs).clone();
    let about = About { host: host(), build: build().to_owned(), needs };
    let body = serde_json::to_vec(&about).expect("what a run asks for is plain data");
    let js = &shared.link.js;
    let told = async {
        let stream = js.get_stream_no_info(shared.run.tasks_stream()).await.ok()?;
        let before = stream.get_last_raw_message_by_subject(&shared.run.about()).await.ok();
        js.publish(shared.run.about(), body.into()).await.ok()?.await.ok()?;
        if let Some(before) = before {
            let _ = stream.delete_message(before.sequence).await;
        }
        Some(())
    };
    let is_told = tokio::time::timeout(2 * ANSWER, told).await.ok().flatten().is_some();
    // What was not told is told at the next look after the queue.
    shared.announced.store(is_told, Ordering::Relaxed);
}

/// Takes back all tasks that nobody has begun.
pub(super) async fn empty_queue(shared: &Shared) {
    let emptied = async {
        let stream = shared.link.js.get_stream_no_info(shared.run.tasks_stream()).await.ok()?;
        stream.purge().filter(shared.run.tasks()).await.ok()
    };
    if tokio::time::timeout(ANSWER, emptied).await.ok().flatten().is_none() {
        (shared.say)(&format!(
            "the tasks of the run '{}' could not be taken back: workers will do them for nothing",
            shared.run
        ));
    }
}

/// Removes everything of the run.
pub(super) async fn remove(shared: &Shared) {
    for stream in [shared.run.tasks_stream(), shared.run.results_stream()] {
        let mut is_gone = false;
        for _ in 0..3 {
            let _ = tokio::time::timeout(ANSWER, shared.link.js.delete_stream(&stream)).await;
            let left = tokio::time::timeout(ANSWER, shared.link.js.get_stream(&stream)).await;
            is_gone = matches!(left, Ok(Err(error)) if super::is_not_found(&error));
            if is_gone {
                break;
            }
        }
        if !is_gone {
            (shared.say)(&format!(
                "the stream '{stream}' could not be removed from the server; 'monteverde cluster --forget {}' does",
                shared.run
            ));
        }
    }
    // Workers that listen need not find out for themselves.
    let _ = shared.link.client.publish(shared.run.about(), Default::default()).await;
    let _ = tokio::time::timeout(ANSWER, shared.link.client.flush()).await;
}
