//! The session of a tab: its game, and the messages between the game and the page.

use crate::desk::{Desk, Searching, Setup};
use crate::fault::{Code, Fault};
use crate::host::{Host, SearchId};
use crate::import::guess;
use crate::request::{Request, read, tagged};
use monteverde_players::{AnyGame, Games};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// What a tab of a browser has: one game at a time, if any.
pub struct Session {
    games: Games,
    desk: Option<Box<Desk>>,
    host: Option<Arc<dyn Host>>,
    bad_messages: u32,
}

impl Session {
    /// A session without a game, which may have any of these.
    pub fn new(games: Games) -> Session {
        Session { games, desk: None, host: None, bad_messages: 0 }
    }

    /// A page is there, and reached through the host.
    pub fn connect(&mut self, host: Arc<dyn Host>) {
        self.bad_messages = 0;
        self.host = Some(host.clone());
        self.at_desk(|desk| desk.connect(host, None));
    }

    /// The page is gone: every search stops, and every clock.
    pub fn disconnect(&mut self) {
        self.host = None;
        if let Some(mut desk) = self.desk.take()
            && catch_unwind(AssertUnwindSafe(|| desk.disconnect())).is_ok()
        {
            self.desk = Some(desk);
        }
    }

    /// Does what a message of the page asks for. Nothing happens while no page is connected.
    pub fn message(&mut self, text: &str) {
        let (tag, request) = read(text);
        let tag = tag.as_ref();
        self.guarded(|session, host| {
            let done = request.and_then(|request| session.handle(request, tag, host));
            session.bad_messages = if done.is_err() { session.bad_messages + 1 } else { 0 };
            if let Err(fault) = done {
                host.send(&fault.message(tag));
            }
        });
    }

    /// How many messages in a row were bad.
    pub fn bad_messages(&self) -> u32 {
        self.bad_messages
    }

    /// A search that the host was given has ended.
    pub fn ended(&mut self, search: SearchId) {
        self.at_desk(|desk| desk.ended(search));
    }

    /// Lets every search go on for so many iterations, where the host has no threads. Says whether
    /// any is still to go on.
    pub fn step(&mut self, iterations: u64) -> Searching {
        let mut searching = Searching::Idle;
        self.at_desk(|desk| searching = desk.step(iterations));
        searching
    }

    /// When [`Session::alarm`] is to be called, as [`Host::now`] tells the time.
    pub fn deadline(&self) -> Option<Duration> {
        self.desk.as_ref().and_then(|desk| desk.deadline())
    }

    /// The time of [`Session::deadline`] has come.
    pub fn alarm(&mut self) {
        self.at_desk(|desk| desk.alarm());
    }

    /// How many bytes its game takes, about: what is left of it while no page is connected.
    pub fn bytes(&self) -> usize {
        size_of::<Session>() + self.desk.as_ref().map_or(0, |desk| desk.bytes())
    }

    fn at_desk(&mut self, what: impl FnOnce(&mut Desk)) {
        self.guarded(|session, _| {
            if let Some(desk) = &mut session.desk {
                what(desk);
            }
        });
    }

    /// A panic costs the page its game, not the program its life.
    fn guarded(&mut self, what: impl FnOnce(&mut Session, &Arc<dyn Host>)) {
        let Some(host) = self.host.clone() else { return };
        if catch_unwind(AssertUnwindSafe(|| what(self, &host))).is_err() {
            self.desk = None;
            let fault = Fault::new(
                Code::Failed,
                "the server has failed in this game, which is lost; begin a new one",
            );
            host.send(&fault.message(None));
        }
    }

    fn handle(
        &mut self,
        request: Request,
        tag: Option<&Value>,
        host: &Arc<dyn Host>,
    ) -> Result<(), Fault> {
        match request {
            Request::Ping {} => {
                host.send(&tagged(json!({ "type": "pong" }), tag));
                Ok(())
            }
            Request::New { game, state, seats, paused, lines } => {
                let game = self.game(&game)?;
                let setup = Setup { state, seats, paused, lines };
                self.sit(Desk::new(game, &setup, &**host)?, tag, host);
                Ok(())
            }
            Request::Import { text, game } => {
                let current = self.desk.as_ref().map(|desk| desk.game());
                let game = match &game {
                    Some(name) => self.game(name)?,
                    None => guess(&self.games, &text)
                        .or(current)
                        .or_else(|| self.games.iter().next())
                        .ok_or_else(|| Fault::new(Code::UnknownGame, "there are no games"))?,
                };
                self.sit(Desk::import(game, &text, &**host)?, tag, host);
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
    fn sit(&mut self, mut desk: Desk, tag: Option<&Value>, host: &Arc<dyn Host>) {
        if let Some(mut old) = self.desk.take() {
            old.disconnect();
        }
        desk.connect(host.clone(), tag);
        self.desk = Some(Box::new(desk));
    }

    fn game(&self, name: &str) -> Result<AnyGame, Fault> {
        self.games.game(name).map_err(|error| Fault::new(Code::UnknownGame, error))
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "a session with {}",
            self.desk.as_ref().map_or("no game", |desk| desk.game().name())
        )
    }
}
