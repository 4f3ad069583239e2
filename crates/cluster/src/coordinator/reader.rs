//! Reads results.

use super::{Arrived, Shared, lock, streams};
use crate::names::key_of;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;

/// So many results, and bytes of them, are asked for at a time.
const BATCH: usize = 128;
const BATCH_BYTES: usize = 8 << 20;

/// How long a request for results stands.
const STANDS: Duration = Duration::from_secs(2);

/// How long is waited when the server does not answer.
const AGAIN: Duration = Duration::from_millis(500);

pub(super) async fn read_all(shared: Arc<Shared>) {
    let mut consumer: Option<PullConsumer> = None;
    let mut backlog = None;
    loop {
        let current = match consumer.take() {
            Some(current) => current,
            None => match streams::results_consumer(&shared).await {
                Ok(made) => made,
                Err(_) => {
                    tokio::time::sleep(AGAIN).await;
                    continue;
                }
            },
        };
        let left = backlog.get_or_insert(current.cached_info().num_pending);
        if *left == 0 {
            shared.drained.notify_one();
        }
        match read_some(&shared, &current, left).await {
            Ok(()) => consumer = Some(current),
            Err(Broken) => tokio::time::sleep(AGAIN).await,
        }
    }
}

/// The consumer does not answer, or is gone.
struct Broken;

/// Reads a batch. `left` is how many are left of those that were there at the beginning.
async fn read_some(shared: &Shared, consumer: &PullConsumer, left: &mut u64) -> Result<(), Broken> {
    let asked =
        consumer.batch().max_messages(BATCH).max_bytes(BATCH_BYTES).expires(STANDS).messages();
    let mut batch = asked.await.map_err(|_| Broken)?;
    loop {
        let message = match tokio::time::timeout(2 * STANDS, batch.next()).await {
            Ok(Some(Ok(message))) => message,
            Ok(None) => return Ok(()),
            Ok(Some(Err(_))) | Err(_) => return Err(Broken),
        };
        let (message, acker) = message.split();
        let Some(key) = key_of(&message.subject) else {
            shared.refuse("somebody", "its subject names no piece");
            shared.acknowledge(acker);
            continue;
        };
        let arrived = Arrived { key, body: message.payload, acker: Some(acker) };
        let is_out = || shared.out().contains_key(&key);
        if is_out() {
            let _ = shared.arrive.send(arrived).await;
        } else {
            let dropped = lock(&shared.early).keep(arrived);
            for acker in dropped.into_iter().filter_map(|one| one.acker) {
                shared.acknowledge(acker);
            }
            // It may have gone out just now.
            let early = if is_out() { lock(&shared.early).take(&key) } else { None };
            if let Some(arrived) = early {
                let _ = shared.arrive.send(arrived).await;
            }
        }
        *left = left.saturating_sub(1);
        if *left == 0 {
            shared.drained.notify_one();
        }
    }
}
