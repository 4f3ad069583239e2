//! The server: its options, its routes, its life.

use crate::allocator;
use crate::clients::Clients;
use crate::cluster::{self, ClusterView};
use crate::connections::Connections;
use crate::cores::Cores;
use crate::fault::HttpFault;
use crate::guard::{Names, Reach, guard};
use crate::matches::{self, Matches};
use crate::memory::Memory;
use crate::request::{Path, Query, QueryKeys};
use crate::sessions::Sessions;
use crate::work::WorkThreads;
use crate::{files, lab, positions, socket};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Router, middleware};
use monteverde_desk::{Code, MOST_PATHS, MOST_PLIES, catalogue};
use monteverde_lab::build::build;
use monteverde_players::Games;
use serde_json::{Value, json};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// The port that is tried where none is asked for.
pub const PORT: u16 = 8310;

/// The longest message, and the longest body of a request, in bytes.
pub const MESSAGE_BYTES: usize = 64 << 10;

/// So long a server that ends waits for its clients, and for its match; then for its threads.
const FAREWELL: Duration = Duration::from_millis(1000);
const LAST_MOMENT: Duration = Duration::from_millis(200);

/// What a server is to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The address to listen at; others than loopback open the server to the network.
    pub host: IpAddr,
    /// The port; without one [`PORT`], or any that is free.
    pub port: Option<u16>,
    /// Names by which browsers may call an open server, besides its addresses.
    pub allow: Vec<String>,
    /// Where stores and experiments lie.
    pub lab: PathBuf,
    /// How many sessions may be connected at once.
    pub sessions: usize,
    /// The most bytes that trees, matches and answers together may take.
    pub memory: usize,
    /// How many cores searches share.
    pub cores: usize,
    /// Workers and runs on other machines, where somebody wants to see them.
    pub cluster: Option<ClusterView>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            host: IpAddr::from([127, 0, 0, 1]),
            port: None,
            allow: Vec::new(),
            lab: PathBuf::from("."),
            sessions: 64,
            memory: 2 << 30,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            cluster: None,
        }
    }
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) games: Games,
    pub(crate) options: Options,
    pub(crate) names: Names,
    pub(crate) sessions: Sessions,
    /// One permit for each session that may be connected.
    pub(crate) seats: Arc<Semaphore>,
    pub(crate) connections: Connections,
    pub(crate) clients: Arc<Clients>,
    /// Where positions and specs are worked out.
    pub(crate) work: WorkThreads,
    /// Where files are read, which may take long: boards do not wait for it.
    pub(crate) reading: WorkThreads,
    /// One permit for each replay that may be answered at once.
    pub(crate) replays: Arc<Semaphore>,
    pub(crate) cores: Arc<Cores>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) matches: Matches,
    /// Whether the server is about to end.
    pub(crate) end: watch::Sender<bool>,
    /// The answer to `/api/games`, which never changes.
    catalogue: Bytes,
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    app: Arc<App>,
}

impl Server {
    /// Begins to listen, for who wants to play these games. Too little memory for the sessions is
    /// invalid input.
    pub async fn bind(games: Games, options: Options) -> io::Result<Server> {
        let memory = Memory::new(options.memory, options.sessions)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        let listener = match options.port {
            Some(port) => TcpListener::bind((options.host, port)).await?,
            None => match TcpListener::bind((options.host, PORT)).await {
                Ok(listener) => listener,
                Err(_) => TcpListener::bind((options.host, 0)).await?,
            },
        };
        let port = listener.local_addr()?.port();
        let reach = if options.host.is_loopback() { Reach::Loopback } else { Reach::Network };
        let names = Names { port, reach, allowed: options.allow.clone() };
        let clients = match reach {
            Reach::Loopback => Clients::unlimited(),
            Reach::Network => Clients::limited(options.sessions),
        };
        let app = App {
            names,
            sessions: Sessions::new(memory.for_games()),
            seats: Arc::new(Semaphore::new(options.sessions.min(Semaphore::MAX_PERMITS))),
            connections: Connections::new(options.sessions, clients.clone()),
            clients,
            work: WorkThreads::new(options.cores),
            reading: WorkThreads::new(options.cores),
            replays: Arc::new(Semaphore::new(memory.replays())),
            cores: Cores::new(options.cores),
            memory,
            matches: Matches::default(),
            end: watch::Sender::new(false),
            catalogue: catalogue::games(&games, &files::has_technique).to_string().into(),
            games,
            options,
        };
        Ok(Server { listener, app: Arc::new(app) })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `end` is over; then open connections are told and closed. Whoever does not
    /// listen is not waited for.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let Server { listener, app } = self;
        let ending = app.clone();
        tokio::spawn(async move {
            end.await;
            ending.end.send_replace(true);
        });
        tokio::select! {
            () = app.connections.accept(listener, router(app.clone()), app.end.subscribe()) => {}
            () = app.sessions.forget_in_time() => {}
        }
        app.matches.end();
        // Clients are told, if they listen; searches stop with their sessions.
        let farewell = async {
            app.connections.closed().await;
            app.matches.ended().await;
        };
        let _ = tokio::time::timeout(FAREWELL, farewell).await;
        Ok(())
    }
}

/// Serves these games until the user interrupts it. `announce` is told where. From here on the
/// allocator of the process gives back what is freed.
pub fn serve(games: Games, options: Options, announce: impl FnOnce(SocketAddr)) -> io::Result<()> {
    allocator::give_back_freed();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let server = Server::bind(games, options).await?;
        announce(server.address()?);
        server.run(interrupted()).await
    });
    // What a thread still works out, nobody waits for.
    runtime.shutdown_timeout(LAST_MOMENT);
    served
}

/// Waits for the signal that ends the program. Where it cannot be had the process is ended by it,
/// which is as good.
async fn interrupted() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupt => {}
        () = terminated() => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/about", get(about))
        .route("/api/games", get(games))
        .route("/api/texts/{language}", get(texts))
        .route("/api/games/{game}/spec", get(spec))
        .route("/api/games/{game}/state", get(positions::state))
        .route("/api/games/{game}/replay", post(positions::replay))
        .route("/ws", get(socket::upgrade))
        .route("/api/lab/stores", get(lab::stores))
        .route("/api/lab/stores/{id}", get(lab::store))
        .route("/api/lab/stores/{id}/games", get(lab::games))
        .route("/api/lab/stores/{id}/games/{key}", get(lab::game))
        .route("/api/lab/experiments", get(lab::experiments))
        .route("/api/lab/experiments/{id}", get(lab::experiment))
        .route("/api/lab/cluster", get(cluster::cluster))
        .route("/api/lab/matches", get(matches::list).post(matches::start))
        .route("/api/lab/matches/{id}", get(matches::show).delete(matches::stop))
        .route("/api/{*rest}", any(nothing))
        .fallback(get(files::file).fallback(wrong_method))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

async fn about(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "build": build(),
        "cores": app.options.cores,
        "sessions": app.options.sessions.saturating_sub(app.seats.available_permits()),
        "searches": app.cores.searches(),
        "requests": app.work.asked() + app.reading.asked(),
        "limits": app.limits(),
    }))
}

async fn games(State(app): State<Arc<App>>) -> Response {
    ([(CONTENT_TYPE, "application/json")], app.catalogue.clone()).into_response()
}

async fn texts(
    State(app): State<Arc<App>>,
    Path(language): Path<String>,
) -> Result<Json<Value>, HttpFault> {
    let games = app.games.clone();
    let find = move || {
        let missing = || format!("nothing is explained in '{language}'; accepted is zh-Hant");
        let texts = catalogue::texts(&games, &language);
        Ok(Json(texts.ok_or_else(|| HttpFault::new(Code::NotFound, missing()))?))
    };
    app.work.run(find).await
}

/// The one key of some requests.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct Text {
    pub(crate) text: Option<String>,
}

impl QueryKeys for Text {
    const ACCEPTED: &str = "text=TEXT";
}

async fn spec(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(query): Query<Text>,
) -> Result<Json<Value>, HttpFault> {
    let games = app.games.clone();
    let read = move || Ok(Json(catalogue::spec(&games, &game, &query.text.unwrap_or_default())?));
    app.work.run(read).await
}

async fn nothing() -> HttpFault {
    HttpFault::new(Code::NotFound, "there is no such route; docs/web-protocol.md lists them")
}

async fn wrong_method(method: Method) -> HttpFault {
    let message =
        format!("the address does not take {method}; the header 'Allow' says what it takes");
    HttpFault::new(Code::BadMethod, message)
}

impl App {
    /// The limits, as clients are told.
    pub(crate) fn limits(&self) -> Value {
        json!({
            "message_bytes": MESSAGE_BYTES,
            "sessions": self.options.sessions,
            "memory_bytes": self.options.memory,
            "tree_bytes": self.memory.most(),
            "threads": self.options.cores,
            "plies": MOST_PLIES,
            "tree_paths": MOST_PATHS,
            "reports_a_second": 10,
        })
    }
}
