//! Publishes pieces. Whether each has arrived is not waited for one by one; what has not is found
//! by the audit.

use super::audit::Queue;
use super::{Shared, lock, streams};
use async_nats::jetstream::message::PublishMessage;
use monteverde_lab::crew::Piece;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedReceiver;

/// So many messages are on their way at a time.
const ON_THE_WAY: usize = 256;

pub(super) async fn publish_all(shared: Arc<Shared>, mut pieces: UnboundedReceiver<Arc<Piece>>) {
    let room = Arc::new(Semaphore::new(ON_THE_WAY));
    let queued = Queue::list(&shared).await.map_or_else(HashSet::new, |queue| queue.keys);
    // What is done already is not published again.
    shared.drained.notified().await;
    while let Some(piece) = pieces.recv().await {
        announce_needs(&shared, &piece).await;
        // A coordinator that goes on leaves what is queued where it is.
        if queued.contains(&piece.key) {
            continue;
        }
        let early = lock(&shared.early).take(&piece.key);
        if let Some(arrived) = early {
            let _ = shared.arrive.send(arrived).await;
            continue;
        }
        let Ok(permit) = room.clone().acquire_owned().await else { return };
        let shared = shared.clone();
        tokio::spawn(async move {
            publish(&shared, &piece).await;
            drop(permit);
        });
    }
}

/// Publishes a piece. The server drops a message that it has had under the same name, for a while;
/// so each has a name of its own.
pub(super) async fn publish(shared: &Shared, piece: &Piece) {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let id = format!("{}/{now}/{number}", piece.key);
    let message = PublishMessage::build().payload(piece.text().into()).message_id(id);
    let sent = shared.link.js.send_publish(shared.run.task(&piece.key), message).await;
    if let Ok(ack) = sent {
        let _ = ack.await;
    }
}

/// Announces what a piece asks of workers, if it is something new.
async fn announce_needs(shared: &Shared, piece: &Piece) {
    let needs = piece.needs();
    let is_new = {
        let mut known = lock(&shared.needs);
        let is_new = !known.contains(&needs);
        if is_new {
            known.push(needs);
        }
        is_new
    };
    if is_new {
        streams::announce(shared).await;
    }
}
