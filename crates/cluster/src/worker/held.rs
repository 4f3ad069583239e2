//! One piece of work, from the message that brings it to the one that acknowledges it.

use super::Shared;
use super::runs::RunHandle;
use crate::connection::ANSWER;
use crate::message::LARGEST_MESSAGE;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::{AckKind, Message};
use bytes::Bytes;
use monteverde_lab::crew::{Piece, PieceWork, Product, ResultText};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// After so long a task that this worker cannot do is offered again.
const ELSEWHERE: Duration = Duration::from_secs(5);

/// How long is waited before a result that did not arrive is sent again.
const AGAIN: Duration = Duration::from_secs(1);

/// Does a piece, and says so.
pub(super) async fn hold(
    shared: Arc<Shared>,
    run: Arc<RunHandle>,
    message: Message,
    permit: OwnedSemaphorePermit,
) {
    tokio::select! {
        () = do_it(&shared, &run, &message, permit) => {}
        () = shared.give_up.notified() => {
            let _ = message.ack_with(AckKind::Nak(None)).await;
        }
        () = keep_alive(&run, &message) => {}
    }
    shared.held.fetch_sub(1, Ordering::Relaxed);
}

/// Says again and again that the piece is in work.
async fn keep_alive(run: &RunHandle, message: &Message) {
    loop {
        tokio::time::sleep(run.ack_wait / 3).await;
        let _ = message.ack_with(AckKind::Progress).await;
    }
}

async fn do_it(
    shared: &Arc<Shared>,
    run: &RunHandle,
    message: &Message,
    permit: OwnedSemaphorePermit,
) {
    let Some(piece) = accept(shared, run, message).await else { return };
    let key = piece.key;
    let product = make(shared, piece, permit).await;
    if shared.stop.is_stopped() {
        let _ = message.ack_with(AckKind::Nak(None)).await;
        return;
    }
    let body = packed(shared, product);
    deliver(shared, run, run.name.result(&key), body).await;
    // If that is lost, the task comes again, and its result is ignored.
    if !matches!(tokio::time::timeout(ANSWER, message.double_ack()).await, Ok(Ok(()))) {
        let _ = message.ack().await;
    }
    shared.done.fetch_add(1, Ordering::Relaxed);
}

/// Reads a task, which may be anything; `None` if it is left to others.
async fn accept(shared: &Shared, run: &RunHandle, message: &Message) -> Option<Piece> {
    let read = match message.payload.len() > LARGEST_MESSAGE as usize {
        true => Err("it is too long".to_owned()),
        false => Piece::parse(&shared.games, &shared.kinds, &message.payload)
            .map_err(|error| error.to_string()),
    };
    let accepted = match read {
        Ok(piece) => run.accepts(shared, &piece.needs()).then_some(piece),
        // The coordinator removes tasks that are not its own.
        Err(problem) => {
            run.say_once(shared, &format!("a task cannot be read: {problem}"));
            None
        }
    };
    if accepted.is_none() {
        let _ = message.ack_with(AckKind::Nak(Some(ELSEWHERE))).await;
    }
    accepted
}

/// Does the piece on a thread of its own; a whole measurement on all that are free. One that was
/// cut into parts keeps other threads busy with those.
async fn make(
    shared: &Arc<Shared>,
    piece: Piece,
    permit: OwnedSemaphorePermit,
) -> Result<Product, String> {
    let mut permits = vec![permit];
    if let PieceWork::Probe { probe, units } = &piece.work
        && *units == (0..probe.units())
    {
        while let Ok(more) = shared.free.clone().try_acquire_owned() {
            permits.push(more);
        }
    }
    let own = shared.clone();
    let made = tokio::task::spawn_blocking(move || {
        let mut runner = own.runner();
        let product = runner.run(&piece, permits.len(), &own.stop);
        own.give_back(runner);
        product
    });
    // The threads are free again before the result has travelled.
    made.await.unwrap_or_else(|error| Err(error.to_string()))
}

/// The result as it travels; one that is too long is reported as a failure.
fn packed(shared: &Shared, product: Result<Product, String>) -> Bytes {
    let pack = |product| ResultText { worker: shared.name.clone(), product }.pack();
    let body = pack(product);
    /// What a message has besides its body.
    const HEADERS: usize = 1024;
    let most = shared.link.client.max_payload().min(LARGEST_MESSAGE as usize) - HEADERS;
    match body.len() <= most {
        true => body.into(),
        false => {
            let problem = format!("its result of {} kB is longer than a message", body.len() >> 10);
            pack(Err(problem)).into()
        }
    }
}

/// Publishes a result until it has arrived, or nobody waits for it any more.
async fn deliver(shared: &Shared, run: &RunHandle, subject: String, body: Bytes) {
    let mut tries = 0;
    loop {
        let sent = async {
            let ack = shared.link.js.publish(subject.clone(), body.clone()).await?;
            ack.await
        };
        let Err(error) = sent.await else { return };
        if error.kind() == PublishErrorKind::StreamNotFound {
            let stream = shared.link.js.get_stream(run.name.results_stream()).await;
            if stream.as_ref().is_err_and(crate::coordinator::is_not_found) {
                return;
            }
        }
        if tries == 1 {
            (shared.say)(&format!(
                "a result does not arrive ({error}); it is sent again until it does"
            ));
        }
        tries += 1;
        tokio::time::sleep(AGAIN).await;
    }
}
