//! Connections: how many there may be, how long a request may take to come, and how they end.

use crate::clients::{ClientShare, Clients, ShareKind};
use crate::patience::Patient;
use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use monteverde_desk::Fault;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// So long the head of a request may take to come, and then its body; an idle connection is closed
/// after it.
pub(crate) const REQUEST_TIME: Duration = Duration::from_secs(10);
/// So long the head of a request may be, in bytes.
const HEAD_BYTES: usize = 32 << 10;
/// So many connections there may be beside those of sessions, and for every session.
const CONNECTIONS: usize = 64;
const CONNECTIONS_A_SESSION: usize = 4;
/// So long the server waits where the system gives it no connection.
const PAUSE: Duration = Duration::from_millis(50);

/// All connections.
#[derive(Debug)]
pub(crate) struct Connections {
    free: Arc<Semaphore>,
    most: usize,
    clients: Arc<Clients>,
}

/// Who is at the other end of a connection. The connection counts for as long as this is kept.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(crate) client: IpAddr,
    _permit: OwnedSemaphorePermit,
    _share: ClientShare,
}

impl Connections {
    /// As many as that many sessions need.
    pub(crate) fn new(sessions: usize, clients: Arc<Clients>) -> Connections {
        let most = sessions.saturating_mul(CONNECTIONS_A_SESSION).saturating_add(CONNECTIONS);
        let most = most.min(u32::MAX as usize).min(Semaphore::MAX_PERMITS);
        Connections { free: Arc::new(Semaphore::new(most)), most, clients }
    }

    /// Accepts connections until `end`, which says so of itself.
    pub(crate) async fn accept(
        &self,
        listener: TcpListener,
        routes: Router,
        mut end: watch::Receiver<bool>,
    ) {
        let routes = TowerToHyperService::new(routes);
        loop {
            let accepted = tokio::select! {
                biased;
                _ = end.wait_for(|is_over| *is_over) => return,
                accepted = listener.accept() => accepted,
            };
            let Ok((stream, address)) = accepted else {
                // There may be too many open files; some will be closed.
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            match self.admit(address.ip()) {
                Ok(guest) => {
                    tokio::spawn(carry(stream, Arc::new(guest), routes.clone(), end.clone()));
                }
                Err(refusal) => refusal.tell(&stream),
            }
        }
    }

    /// Waits until there is no connection any more.
    pub(crate) async fn closed(&self) {
        let _ = self.free.acquire_many(self.most as u32).await;
    }

    fn admit(&self, client: IpAddr) -> Result<Guest, Refusal> {
        let Ok(permit) = self.free.clone().try_acquire_owned() else {
            return Err(Refusal::Full(self.most));
        };
        let share = self.clients.take(client, ShareKind::Connection).map_err(Refusal::Client)?;
        Ok(Guest { client, _permit: permit, _share: share })
    }
}

/// Why a connection is refused.
#[derive(Debug)]
enum Refusal {
    /// The server has as many as it takes.
    Full(usize),
    /// The client has.
    Client(Fault),
}

impl Refusal {
    /// Says so, if the client takes it at once.
    fn tell(&self, stream: &TcpStream) {
        let (status, message) = match self {
            Refusal::Full(most) => {
                ("503 Service Unavailable", format!("the server has at most {most} connections"))
            }
            Refusal::Client(fault) => ("429 Too Many Requests", fault.to_string()),
        };
        let body = serde_json::json!({ "error": { "code": "limit", "message": message } });
        let body = body.to_string();
        let answer = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Retry-After: 10\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        let _ = stream.try_write(answer.as_bytes());
    }
}

/// Carries the requests of one connection.
async fn carry(
    stream: TcpStream,
    guest: Arc<Guest>,
    routes: TowerToHyperService<Router>,
    mut end: watch::Receiver<bool>,
) {
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(guest.clone());
        routes.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(REQUEST_TIME).max_buf_size(HEAD_BYTES);
    let stream = TokioIo::new(Patient::new(stream));
    let mut connection = pin!(http.serve_connection(stream, service).with_upgrades());
    // How a connection ends is the client's business.
    let is_over = tokio::select! {
        _ = connection.as_mut() => true,
        _ = end.wait_for(|is_over| *is_over) => false,
    };
    if !is_over {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}
