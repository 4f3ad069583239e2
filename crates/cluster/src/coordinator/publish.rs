//! Publishes pieces. Whether each has arrived is not waited for one by one; what has not is found
//! by the audit.

use super::audit::Queue;
use super::{Shared, lock, streams};
use async_nats::jetstream::message::PublishMessage;
use monteverde_lab::contestant::Contestant;
use monteverde_lab::crew::{CustomPiece, Needs, Piece, PieceWork};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedReceiver;

/// So many messages are on their way at a time.
const ON_THE_WAY: usize = 256;

pub(super) async fn publish_all(shared: Arc<Shared>, mut pieces: UnboundedReceiver<Arc<Piece>>) {
    let mut announcer = Announcer::default();
    let room = Arc::new(Semaphore::new(ON_THE_WAY));
    if let Some(queue) = Queue::list(&shared).await {
        *lock(&shared.inherited) = queue.keys;
    }
    // What is done already is not published again.
    shared.drained.notified().await;
    while let Some(piece) = pieces.recv().await {
        announcer.announce(&shared, &piece).await;
        // A coordinator that goes on leaves what is queued where it is.
        if lock(&shared.inherited).remove(&piece.key) {
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

/// Announces what pieces ask of workers.
#[derive(Default)]
struct Announcer {
    /// The players of games that have been announced. They are held, so that no others come to lie
    /// where they lay.
    held: Vec<[Arc<Contestant>; 2]>,
    known: HashSet<[usize; 2]>,
    /// The same of work that the lab does not know: what is played, and the players.
    known_custom: HashSet<(String, Vec<String>)>,
}

impl Announcer {
    /// Announces what a piece asks for, if it is something new.
    async fn announce(&mut self, shared: &Shared, piece: &Piece) {
        if let PieceWork::Game(_, task) = &piece.work {
            let both = [&task.first, &task.second];
            if !self.known.insert(both.map(|one| Arc::as_ptr(one).addr())) {
                return;
            }
            self.held.push(both.map(Arc::clone));
        }
        if let PieceWork::Custom(CustomPiece { work, behaviour }) = &piece.work {
            let players = work.players().into_iter().map(str::to_owned).collect();
            if !self.known_custom.insert((behaviour.clone(), players)) {
                return;
            }
        }
        let is_new = merge(&mut lock(&shared.needs), piece.needs());
        if is_new {
            streams::announce(shared).await;
        }
    }
}

/// Adds what is needed to what is known to be; whether that is something new. A tournament of many
/// engines asks for each of them once.
fn merge(known: &mut Vec<Needs>, needs: Needs) -> bool {
    let alike = known.iter_mut().find(|one| {
        let both =
            |one: &Needs| (one.game.clone(), one.pieces, one.behaviour.clone(), one.by_clock);
        both(one) == both(&needs)
    });
    let Some(alike) = alike else {
        known.push(needs);
        return true;
    };
    let mut is_new = needs.memory > alike.memory;
    alike.memory = alike.memory.max(needs.memory);
    for engine in needs.engines {
        if !alike.engines.contains(&engine) {
            alike.engines.push(engine);
            is_new = true;
        }
    }
    is_new
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_lab::contestant::EngineSpec;

    #[test]
    fn each_engine_is_asked_for_once() {
        let needs = |engines: &[&str], memory| Needs {
            game: "g".to_owned(),
            pieces: 0,
            behaviour: "b".to_owned(),
            engines: engines.iter().map(|name| EngineSpec::new(name)).collect(),
            memory,
            by_clock: false,
            networks: Vec::new(),
        };
        let mut known = Vec::new();
        for (new, is_new) in [
            (needs(&["a", "b"], 1), true),
            (needs(&["b", "a"], 0), false),
            (needs(&["c"], 1), true),
            (needs(&["c"], 2), true),
            (Needs { pieces: 4, ..needs(&[], 0) }, true),
        ] {
            assert_eq!(merge(&mut known, new), is_new);
        }
        assert_eq!(known[0], needs(&["a", "b", "c"], 2));
        assert_eq!(known.len(), 2);
    }
}
