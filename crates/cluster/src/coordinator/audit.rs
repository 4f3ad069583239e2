//! Looks now and then whether everything that is waited for is still queued or in work. A task may
//! be lost: the server was killed before it had written it, or somebody acknowledged it without a
//! result. Such a piece is published again. Tasks that nobody has asked for are removed.

use super::{OutPiece, Shared, WORKERS, lock, publish, streams};
use crate::connection::ANSWER;
use crate::names::key_of;
use async_nats::jetstream::consumer::pull;
use futures_util::StreamExt;
use monteverde_lab::crew::Piece;
use monteverde_lab::task::Key;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How often it is looked.
const EVERY: Duration = Duration::from_secs(3);

/// A piece that is missing from the queue this often in a row is published again: its result may
/// be on its way.
const MISSED: u32 = 2;

/// Every so many looks the queue is listed even if its length is right.
const FULL_LOOK: u64 = 20;

pub(super) async fn audit(shared: Arc<Shared>) {
    let (mut looks, mut lost) = (0, 0);
    loop {
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = shared.look.notified() => tokio::time::sleep(EVERY / 3).await,
        }
        let is_done = shared.is_done.lock().await;
        if *is_done {
            return;
        }
        if !shared.announced.load(Ordering::Relaxed) {
            streams::announce(&shared).await;
        }
        looks += 1;
        let is_full = looks % FULL_LOOK == 0;
        let looked = tokio::time::timeout(10 * ANSWER, look(&shared, is_full, &mut lost)).await;
        if let Ok(Err(Gone)) = looked
            && streams::prepare(&shared).await.is_ok()
        {
            // The server has lost its streams.
            (shared.say)(
                "the streams of the run were gone from the server; they have been made anew",
            );
            streams::announce(&shared).await;
        }
    }
}

/// The streams are not on the server.
struct Gone;

/// Looks once. `lost` counts how often in a row tasks were kept and not offered.
async fn look(shared: &Shared, is_full: bool, lost: &mut u32) -> Result<(), Gone> {
    let js = &shared.link.js;
    for name in [shared.run.tasks_stream(), shared.run.results_stream()] {
        if let Err(error) = js.get_stream(name).await
            && is_not_found(&error)
        {
            return Err(Gone);
        }
    }
    let out = shared.out().len() as u64;
    let Ok(tasks) = js.get_stream_no_info(shared.run.tasks_stream()).await else { return Ok(()) };
    let Ok(queue) = tasks.get_consumer::<pull::Config>(WORKERS).await else {
        let _ = streams::prepare(shared).await;
        return Ok(());
    };
    let queue = queue.cached_info();
    // What the server has in mind to hand out, or has handed out.
    let offered = queue.num_pending + queue.num_ack_pending as u64;
    /// A longer queue is not listed because of tasks too many.
    const SHORT: u64 = 20_000;
    let is_too_long = offered > out && offered < SHORT;
    if offered >= out && !is_too_long && !is_full {
        *lost = 0;
        return Ok(());
    }
    let Ok(results) = js.get_stream(shared.run.results_stream()).await else { return Ok(()) };
    let waiting = results.cached_info().state.messages;
    let Some(queue) = Queue::list(shared).await else { return Ok(()) };
    // As long as many results wait to be read, what is missing is most likely among them.
    const FEW: u64 = 1000;
    if waiting < FEW {
        for piece in missing(shared, &queue.keys) {
            publish::publish(shared, &piece).await;
        }
    }
    let kept = queue.keys.len() as u64;
    let unasked: Vec<String> = {
        let out = shared.out();
        let inherited = lock(&shared.inherited);
        let is_asked = |key: &Key| out.contains_key(key) || inherited.contains(key);
        let unasked = queue.keys.iter().filter(|key| !is_asked(key));
        unasked.map(|key| shared.run.task(key)).chain(queue.others).collect()
    };
    for subject in unasked {
        streams::remove_tasks(&tasks, &subject).await;
    }
    // A server that keeps tasks and does not offer them has lost its place in the queue.
    *lost = if offered < kept { *lost + 1 } else { 0 };
    if *lost > MISSED {
        *lost = 0;
        streams::remake_queue(shared).await;
    }
    Ok(())
}

/// The pieces that have been missing often enough.
fn missing(shared: &Shared, queued: &HashSet<Key>) -> Vec<Arc<Piece>> {
    let mut missing = Vec::new();
    for (key, OutPiece { piece, missed }) in shared.out().iter_mut() {
        *missed = if queued.contains(key) { 0 } else { *missed + 1 };
        if *missed >= MISSED {
            *missed = 0;
            missing.push(piece.clone());
        }
    }
    missing
}

/// The tasks that are queued or in work.
pub(super) struct Queue {
    pub(super) keys: HashSet<Key>,
    /// The subjects of those that name no piece.
    others: Vec<String>,
}

impl Queue {
    /// Asks the server, which may not answer.
    pub(super) async fn list(shared: &Shared) -> Option<Queue> {
        let stream = shared.link.js.get_stream_no_info(shared.run.tasks_stream()).await.ok()?;
        let mut subjects = stream.info_with_subjects(shared.run.tasks()).await.ok()?;
        let mut queue = Queue { keys: HashSet::new(), others: Vec::new() };
        while let Some(subject) = subjects.next().await {
            let subject = subject.ok()?.0;
            match key_of(&subject) {
                Some(key) => drop(queue.keys.insert(key)),
                None => queue.others.push(subject),
            }
        }
        Some(queue)
    }
}

/// Whether there is no such stream.
pub(crate) fn is_not_found(error: &async_nats::jetstream::context::GetStreamError) -> bool {
    use async_nats::jetstream::ErrorCode;
    use async_nats::jetstream::context::GetStreamErrorKind;
    matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}
