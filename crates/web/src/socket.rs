//! One connection: bytes in and out, and the thread that drives the session's desk.

use crate::clients::ShareKind;
use crate::connections::Guest;
use crate::fault::HttpFault;
use crate::link::Link;
use crate::outbox::{Out, Outbox};
use crate::request::{Query, QueryKeys};
use crate::server::{App, MESSAGE_BYTES};
use crate::sessions::{KeptSession, SessionAge};
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use monteverde_desk::host::SearchId;
use monteverde_desk::{Code, Fault, Session};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, channel, unbounded_channel};
use tokio::sync::{OwnedMutexGuard, watch};
use tokio::time::{interval_at, sleep, timeout};

/// A client that has not taken a message for so long is gone.
const PATIENCE: Duration = Duration::from_secs(20);
/// So long a connection waits for the one that had its session before.
const HANDOVER: Duration = Duration::from_secs(20);
/// So many messages a second are read.
const MESSAGES_A_SECOND: u32 = 200;
/// After so many bad messages in a row the connection is closed.
const MOST_BAD: u32 = 100;
/// So often a client is asked whether it is there; one that has not been heard of for
/// [`LONGEST_SILENCE`] is not.
const ASKED_EVERY: Duration = Duration::from_secs(25);
const LONGEST_SILENCE: Duration = Duration::from_secs(60);
/// So many messages may wait for the desk.
const WAITING: usize = 16;

/// The codes that WebSockets are closed with.
pub(crate) mod close {
    pub(crate) const GOING_AWAY: u16 = 1001;
    pub(crate) const POLICY: u16 = 1008;
    pub(crate) const AGAIN: u16 = 1013;
}

/// The session that a client comes back to.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct Asked {
    session: Option<String>,
}

impl QueryKeys for Asked {
    const ACCEPTED: &str = "session=ID";
}

/// Answers to the request for a WebSocket.
pub(crate) async fn upgrade(
    State(app): State<Arc<App>>,
    Query(asked): Query<Asked>,
    Extension(guest): Extension<Arc<Guest>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpFault> {
    let no_upgrade =
        |error: WebSocketUpgradeRejection| HttpFault::new(Code::BadMessage, error.body_text());
    Ok(upgrade
        .map_err(no_upgrade)?
        .max_message_size(MESSAGE_BYTES)
        .max_frame_size(MESSAGE_BYTES)
        .on_upgrade(move |socket| connection(socket, app, asked.session, guest)))
}

async fn connection(mut socket: WebSocket, app: Arc<App>, id: Option<String>, guest: Arc<Guest>) {
    let _share = match app.clients.take(guest.client, ShareKind::Session) {
        Ok(share) => share,
        Err(fault) => return refuse(socket, &fault).await,
    };
    let Ok(_permit) = app.seats.clone().try_acquire_owned() else {
        let fault = Fault::new(
            Code::Limit,
            "there are too many connections; close a tab or try again later",
        );
        return refuse(socket, &fault).await;
    };
    let (kept, found) = match app.sessions.find(id.as_deref(), &app.games) {
        Ok(found) => found,
        Err(fault) => return refuse(socket, &fault).await,
    };
    let mut claims = kept.claims.subscribe();
    kept.claims.send_modify(|claims| *claims += 1);
    let claim = *claims.borrow_and_update();
    let Ok(session) = timeout(HANDOVER, kept.session.clone().lock_owned()).await else {
        let fault = Fault::new(Code::NotNow, "the session is busy in another tab; try again");
        return refuse(socket, &fault).await;
    };
    let hello = json!({
        "type": "session",
        "id": kept.id,
        "resumed": found == SessionAge::Old,
        "version": env!("CARGO_PKG_VERSION"),
        "limits": app.limits(),
    });
    if send(&mut socket, Message::text(hello.to_string())).await.is_err() {
        return;
    }
    let (ended, ends) = unbounded_channel();
    let (texts, inbox) = channel(WAITING);
    let outbox = Arc::new(Outbox::default());
    let link = Link {
        outbox: outbox.clone(),
        ended,
        cores: app.cores.clone(),
        memory: app.memory.clone(),
        start: Instant::now(),
    };
    let (left, leaves) = tokio::sync::oneshot::channel();
    let desk = Driver { session, link: Arc::new(link), inbox, ends, left };
    let handle = Handle::current();
    let driver =
        std::thread::Builder::new().name("desk".to_owned()).spawn(move || desk.drive(&handle));
    if driver.is_err() {
        let fault =
            Fault::new(Code::Limit, "the system gives no thread for a session; try again later");
        return refuse(socket, &fault).await;
    }
    let connection = Connection { socket, outbox, texts, claim };
    connection.carry(&mut claims, app.end.subscribe(), &kept).await;
    // The session's place is free when its searches have ended and their memory is given back.
    if let Ok(bytes) = leaves.await {
        app.sessions.leave(&kept, bytes);
    }
}

/// What goes between the socket and the desk.
struct Connection {
    socket: WebSocket,
    outbox: Arc<Outbox>,
    texts: Sender<String>,
    /// The number of this connection's claim on the session.
    claim: u64,
}

impl Connection {
    /// Carries messages until either side has enough, another tab takes the session, or the server
    /// ends.
    async fn carry(
        mut self,
        claims: &mut watch::Receiver<u64>,
        mut end: watch::Receiver<bool>,
        session: &KeptSession,
    ) {
        let (mut second, mut read) = (Instant::now(), 0);
        let mut heard = Instant::now();
        let mut ask = interval_at(tokio::time::Instant::now() + ASKED_EVERY, ASKED_EVERY);
        loop {
            tokio::select! {
                _ = ask.tick() => {
                    let ping = Message::Ping(Default::default());
                    if heard.elapsed() > LONGEST_SILENCE || send(&mut self.socket, ping).await.is_err() {
                        return;
                    }
                }
                out = self.outbox.next() => match out {
                    Out::Text(text) => {
                        if send(&mut self.socket, Message::text(text)).await.is_err() {
                            return;
                        }
                    }
                    Out::Close(code, reason) => return close(self.socket, code, reason).await,
                },
                received = self.socket.recv() => match received.inspect(|_| heard = Instant::now()) {
                    Some(Ok(Message::Text(text))) => {
                        session.touch();
                        if self.texts.send(text.to_string()).await.is_err() {
                            return;
                        }
                        read += 1;
                        if second.elapsed() >= Duration::from_secs(1) {
                            (second, read) = (Instant::now(), 0);
                        } else if read >= MESSAGES_A_SECOND {
                            sleep(Duration::from_secs(1).saturating_sub(second.elapsed())).await;
                        }
                    }
                    Some(Ok(Message::Binary(_))) => {
                        let fault = Fault::new(Code::BadMessage, "binary messages are not understood; accepted is JSON as text");
                        self.outbox.send(&fault.message(None));
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                },
                _ = claims.changed() => {
                    if *claims.borrow_and_update() > self.claim {
                        let fault = Fault::new(Code::TakenOver, "another tab has this session now");
                        let _ = send(&mut self.socket, Message::text(fault.message(None).to_string())).await;
                        return close(self.socket, close::POLICY, "taken over").await;
                    }
                }
                () = over(&mut end) => {
                    return close(self.socket, close::GOING_AWAY, "the server ends").await;
                }
            }
        }
    }
}

/// Waits for the end of the server.
async fn over(end: &mut watch::Receiver<bool>) {
    // Without anybody to tell, it has ended.
    let _ = end.wait_for(|is_over| *is_over).await;
}

/// The thread of a session while it is connected.
struct Driver {
    session: OwnedMutexGuard<Session>,
    link: Arc<Link>,
    inbox: Receiver<String>,
    ends: UnboundedReceiver<SearchId>,
    /// Told how much the session takes when everything of it has ended.
    left: tokio::sync::oneshot::Sender<usize>,
}

/// What happens next.
enum Next {
    Text(String),
    Ended(SearchId),
    Alarm,
    Gone,
}

impl Driver {
    fn drive(mut self, handle: &Handle) {
        self.session.connect(self.link.clone());
        loop {
            let deadline = self.session.deadline().map(|after| self.link.start + after);
            match handle.block_on(next(&mut self.inbox, &mut self.ends, deadline)) {
                Next::Text(text) => {
                    self.session.message(&text);
                    if self.session.bad_messages() >= MOST_BAD {
                        self.link.outbox.close(close::POLICY, "too many bad messages");
                        break;
                    }
                }
                Next::Ended(search) => self.session.ended(search),
                Next::Alarm => self.session.alarm(),
                Next::Gone => break,
            }
        }
        self.session.disconnect();
        let Driver { session, left, .. } = self;
        let bytes = session.bytes();
        drop(session);
        let _ = left.send(bytes);
    }
}

async fn next(
    inbox: &mut Receiver<String>,
    ends: &mut UnboundedReceiver<SearchId>,
    deadline: Option<Instant>,
) -> Next {
    let alarm = async {
        match deadline {
            Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        biased;
        ended = ends.recv() => ended.map_or(Next::Gone, Next::Ended),
        () = alarm => Next::Alarm,
        text = inbox.recv() => text.map_or(Next::Gone, Next::Text),
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), ()> {
    match timeout(PATIENCE, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(()),
    }
}

async fn refuse(mut socket: WebSocket, fault: &Fault) {
    let _ = send(&mut socket, Message::text(fault.message(None).to_string())).await;
    close(socket, close::AGAIN, "try again later").await;
}

/// Closes the connection and waits a moment for the client to see it.
async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame { code, reason: reason.into() };
    if send(&mut socket, Message::Close(Some(frame))).await.is_ok() {
        let _ = timeout(Duration::from_secs(1), async {
            while let Some(Ok(_)) = socket.recv().await {}
        })
        .await;
    }
}
