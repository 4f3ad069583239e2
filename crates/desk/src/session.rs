//! The session of a tab: its game, and the messages between the game and the page.

use crate::desk::{Desk, GameDesk, Running, Setup};
use crate::fault::{Code, Fault};
use crate::host::{Host, SearchId};
use crate::request::{Request, read, tagged};
use crate::transcript::guess;
use monteverde_chess::Chess;
use monteverde_game::Game;
use monteverde_players::{Playable, UnknownGame, Visitor, visit};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// What a tab of a browser has: one game at a time, if any.
#[derive(Default)]
pub struct Session {
    desk: Option<Box<dyn Desk>>,
    host: Option<Arc<dyn Host>>,
    bad_messages: u32,
}

impl Session {
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

    /// Lets every search go on for so many iterations, where the host has no threads. Says whether any is still to go on.
    pub fn step(&mut self, iterations: u64) -> Running {
        let mut running = Running::None;
        self.at_desk(|desk| running = desk.step(iterations));
        running
    }

    /// When [`Session::alarm`] is to be called, as [`Host::now`] tells the time.
    pub fn deadline(&self) -> Option<Duration> {
        self.desk.as_ref().and_then(|desk| desk.deadline())
    }

    /// The time of [`Session::deadline`] has come.
    pub fn alarm(&mut self) {
        self.at_desk(|desk| desk.alarm());
    }

    fn at_desk(&mut self, what: impl FnOnce(&mut dyn Desk)) {
        self.guarded(|session, _| {
            if let Some(desk) = &mut session.desk {
                what(&mut **desk);
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
            Request::New { game, state, seats, paused } => {
                let make = Make { setup: Setup { state, seats, paused }, host: &**host };
                self.sit(visit(&game, make).map_err(unknown)??, tag, host);
                Ok(())
            }
            Request::Import { text, game } => {
                let current = self.desk.as_ref().map(|desk| desk.game());
                let game =
                    game.as_deref().or_else(|| guess(&text)).or(current).unwrap_or(Chess::NAME);
                let import = Import { text: &text, host: &**host };
                self.sit(visit(game, import).map_err(unknown)??, tag, host);
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
    fn sit(&mut self, mut desk: Box<dyn Desk>, tag: Option<&Value>, host: &Arc<dyn Host>) {
        if let Some(mut old) = self.desk.take() {
            old.disconnect();
        }
        desk.connect(host.clone(), tag);
        self.desk = Some(desk);
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a session with {}", self.desk.as_ref().map_or("no game", |desk| desk.game()))
    }
}

fn unknown(error: UnknownGame) -> Fault {
    Fault::new(Code::UnknownGame, error)
}

struct Make<'a> {
    setup: Setup,
    host: &'a dyn Host,
}

impl Visitor for Make<'_> {
    type Output = Result<Box<dyn Desk>, Fault>;

    fn visit<G: Playable>(self) -> Self::Output {
        Ok(Box::new(GameDesk::<G>::new(&self.setup, self.host)?))
    }
}

struct Import<'a> {
    text: &'a str,
    host: &'a dyn Host,
}

impl Visitor for Import<'_> {
    type Output = Result<Box<dyn Desk>, Fault>;

    fn visit<G: Playable>(self) -> Self::Output {
        Ok(Box::new(GameDesk::<G>::import(self.text, self.host)?))
    }
}
