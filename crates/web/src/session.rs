//! Sessions: what a browser comes back to after a reload.

use crate::desk::{Desk, GameDesk, Setup};
use crate::fault::{Code, Fault};
use crate::outbox::{error, tagged};
use crate::record::guess;
use crate::request::{Request, read};
use crate::running::Link;
use monteverde_chess::Chess;
use monteverde_game::Game;
use monteverde_players::{Playable, UnknownGame, Visitor, visit};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// A session that nobody comes back to for so long is forgotten.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// So many sessions are kept, the connected ones included.
const MOST_KEPT: usize = 256;

/// All sessions.
#[derive(Default)]
pub(crate) struct Sessions {
    by_id: Mutex<HashMap<String, Arc<Session>>>,
}

/// One session.
pub(crate) struct Session {
    pub(crate) id: String,
    /// Held by the connection that has the session.
    pub(crate) place: Arc<tokio::sync::Mutex<Place>>,
    /// Grows with every connection that wants the session: all but the latest give way.
    pub(crate) claims: watch::Sender<u64>,
    used: Mutex<Instant>,
}

/// What a session holds.
#[derive(Default)]
pub(crate) struct Place {
    desk: Option<Box<dyn Desk>>,
    /// How many requests in a row were bad.
    pub(crate) bad: u32,
}

/// Whether a session was there before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Old,
    New,
}

impl Sessions {
    /// The session of that name, or a new one.
    pub(crate) fn find(&self, id: Option<&str>) -> Result<(Arc<Session>, Found), Fault> {
        let mut by_id = self.lock();
        by_id.retain(|_, session| session.is_in_use() || session.idle() < KEPT);
        if let Some(session) = id.and_then(|id| by_id.get(id)) {
            *lock(&session.used) = Instant::now();
            return Ok((session.clone(), Found::Old));
        }
        while by_id.len() >= MOST_KEPT {
            let idle = by_id.values().filter(|session| !session.is_in_use());
            let Some(oldest) =
                idle.max_by_key(|session| session.idle()).map(|session| session.id.clone())
            else {
                return Err(Fault::new(
                    Code::Limit,
                    "there are too many sessions; try again later",
                ));
            };
            by_id.remove(&oldest);
        }
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| {
            Fault::new(
                Code::Failed,
                format!("the system has no random numbers for a session: {error}"),
            )
        })?;
        let id: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let session = Arc::new(Session {
            id: id.clone(),
            place: Arc::default(),
            claims: watch::Sender::new(0),
            used: Mutex::new(Instant::now()),
        });
        by_id.insert(id, session.clone());
        Ok((session, Found::New))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        lock(&self.by_id)
    }
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} sessions", self.lock().len())
    }
}

impl Session {
    fn is_in_use(&self) -> bool {
        self.place.try_lock().is_err()
    }

    fn idle(&self) -> Duration {
        lock(&self.used).elapsed()
    }

    /// The session was used just now.
    pub(crate) fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }
}

impl Place {
    /// A client is there.
    pub(crate) fn connect(&mut self, link: &Link) {
        self.guarded(link, |place| {
            if let Some(desk) = &mut place.desk {
                desk.connect(link.clone(), None);
            }
        });
    }

    /// The client is gone.
    pub(crate) fn disconnect(&mut self) {
        if let Some(mut desk) = self.desk.take()
            && catch_unwind(AssertUnwindSafe(|| desk.disconnect())).is_ok()
        {
            self.desk = Some(desk);
        }
    }

    /// Does what a message asks for.
    pub(crate) fn message(&mut self, text: &str, link: &Link) {
        let (tag, request) = read(text);
        let tag = tag.as_ref();
        self.guarded(link, |place| {
            let done = request.and_then(|request| place.handle(request, tag, link));
            place.bad = if done.is_err() { place.bad + 1 } else { 0 };
            if let Err(fault) = done {
                link.outbox.send(&error(&fault, tag));
            }
        });
    }

    /// Something happens at the desk.
    pub(crate) fn at_desk(&mut self, link: &Link, what: impl FnOnce(&mut dyn Desk)) {
        self.guarded(link, |place| {
            if let Some(desk) = &mut place.desk {
                what(&mut **desk);
            }
        });
    }

    /// When the desk wants an alarm.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.desk.as_ref().and_then(|desk| desk.deadline())
    }

    /// A panic costs the client its game, not the server its life.
    fn guarded(&mut self, link: &Link, what: impl FnOnce(&mut Place)) {
        if catch_unwind(AssertUnwindSafe(|| what(self))).is_err() {
            self.desk = None;
            let fault = Fault::new(
                Code::Failed,
                "the server has failed in this game, which is lost; begin a new one",
            );
            link.outbox.send(&error(&fault, None));
        }
    }

    fn handle(&mut self, request: Request, tag: Option<&Value>, link: &Link) -> Result<(), Fault> {
        match request {
            Request::Ping {} => {
                link.outbox.send(&tagged(json!({ "type": "pong" }), tag));
                Ok(())
            }
            Request::New { game, state, seats, paused } => {
                let desk =
                    visit(&game, Make(Setup { state, seats, paused })).map_err(unknown)??;
                self.sit(desk, tag, link);
                Ok(())
            }
            Request::Import { text, game } => {
                let current = self.desk.as_ref().map(|desk| desk.game());
                let game =
                    game.as_deref().or_else(|| guess(&text)).or(current).unwrap_or(Chess::NAME);
                let desk = visit(game, Import(&text)).map_err(unknown)??;
                self.sit(desk, tag, link);
                Ok(())
            }
            request => match &mut self.desk {
                Some(desk) => desk.handle(request, tag),
                None => Err(Fault::new(
                    Code::NotNow,
                    "there is no game yet; send 'new' or 'import' first",
                )),
            },
        }
    }

    /// Another game begins.
    fn sit(&mut self, mut desk: Box<dyn Desk>, tag: Option<&Value>, link: &Link) {
        if let Some(mut old) = self.desk.take() {
            old.disconnect();
        }
        desk.connect(link.clone(), tag);
        self.desk = Some(desk);
    }
}

fn unknown(error: UnknownGame) -> Fault {
    Fault::new(Code::UnknownGame, error)
}

struct Make(Setup);

impl Visitor for Make {
    type Output = Result<Box<dyn Desk>, Fault>;

    fn visit<G: Playable>(self) -> Self::Output {
        Ok(Box::new(GameDesk::<G>::new(&self.0)?))
    }
}

struct Import<'a>(&'a str);

impl Visitor for Import<'_> {
    type Output = Result<Box<dyn Desk>, Fault>;

    fn visit<G: Playable>(self) -> Self::Output {
        Ok(Box::new(GameDesk::<G>::import(self.0)?))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
