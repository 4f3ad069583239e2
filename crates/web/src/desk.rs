//! The desk of a session: one game, who plays it, and the searches around it.
//!
//! A desk is driven by one thread, which gives it requests, the ends of searches, and alarms of its clocks. While nobody is
//! connected nothing runs; what is left is the game.

mod analysis;
mod play;

use crate::catalogue::strongest;
use crate::fault::{Code, Fault};
use crate::line::{By, Line};
use crate::look::{MOST_CHILDREN, OpenNode, Opened};
use crate::outbox::{Topic, tagged};
use crate::record::{self, Transcript};
use crate::request::{Request, SeatRequest, Slot, pace};
use crate::running::{Asked, Held, Link, Running, tell_nodes};
use crate::shape::{outcome_json, position, side_name, side_names};
use analysis::Analysis;
use monteverde_game::{Outcome, Rng, Side};
use monteverde_lab::duration_text::DurationText;
use monteverde_lab::pace::{Pace, Timer};
use monteverde_players::Playable;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// So many plies a game may have; those that end by their rules have fewer.
pub(crate) const MOST_PLIES: usize = 2000;
/// So many nodes of a tree can be open at once.
pub(crate) const MOST_PATHS: usize = 64;
/// So many children of a node are told at most.
const MOST_TOLD: usize = 200;
/// How long an engine thinks where nobody says it.
const PACE: Pace = Pace::Time(DurationText::ms(1000));

/// A desk, whatever its game is.
pub(crate) trait Desk: Send {
    /// The name of its game.
    fn game(&self) -> &'static str;
    /// Does what a client asks for, or says why not.
    fn handle(&mut self, request: Request, tag: Option<&Value>) -> Result<(), Fault>;
    /// A search has ended.
    fn ended(&mut self, slot: Slot, number: u64);
    /// The time of [`Desk::deadline`] has come.
    fn alarm(&mut self);
    /// When somebody's clock runs out.
    fn deadline(&self) -> Option<Instant>;
    /// A client is there: it is told how the game stands, and the game goes on.
    fn connect(&mut self, link: Link, tag: Option<&Value>);
    /// The client is gone: every search stops, and every clock.
    fn disconnect(&mut self);
}

/// Who sits at a side.
#[derive(Clone, Debug)]
enum Seat {
    /// A person, perhaps with a clock.
    Human(Option<Pace>),
    /// A player and its pace.
    Engine(Box<Asked>, Pace),
}

impl Seat {
    fn read<G: Playable>(request: &SeatRequest) -> Result<Seat, Fault> {
        let pace = request.pace.as_deref().map(pace).transpose()?;
        match (request.player.as_str(), pace) {
            ("human", None) => Ok(Seat::Human(None)),
            ("human", Some(clock @ Pace::Clock(_))) => Ok(Seat::Human(Some(clock))),
            ("human", Some(other)) => Err(Fault::new(
                Code::BadPace,
                format!(
                    "a human cannot be held to '{other}'; accepted is a clock such as clock=5m+3s, or no pace"
                ),
            )),
            (spec, pace) => {
                Ok(Seat::Engine(Box::new(Asked::read::<G>(spec)?), pace.unwrap_or(PACE)))
            }
        }
    }

    fn pace(&self) -> Option<Pace> {
        match self {
            Seat::Human(pace) => *pace,
            Seat::Engine(_, pace) => Some(*pace),
        }
    }

    fn timer(&self) -> Option<Timer> {
        match self.pace() {
            Some(Pace::Clock(control)) => Some(Timer::new(control)),
            _ => None,
        }
    }

    fn is_human(&self) -> bool {
        matches!(self, Seat::Human(_))
    }

    fn name(&self) -> &str {
        match self {
            Seat::Human(_) => "human",
            Seat::Engine(asked, _) => &asked.text,
        }
    }

    fn json<G: Playable>(&self) -> Value {
        let note = match self {
            Seat::Human(_) => None,
            Seat::Engine(asked, _) => asked.spec.note::<G>(),
        };
        json!({ "player": self.name(), "pace": self.pace().map(|pace| pace.to_string()), "note": note })
    }
}

/// Whether engines move by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    Running,
    Paused,
}

/// A desk for one game.
pub(crate) struct GameDesk<G: Playable> {
    line: Line<G>,
    seats: [Seat; 2],
    timers: [Option<Timer>; 2],
    /// When the side to move began to think, while its clock runs.
    turn_began: Option<Instant>,
    flow: Flow,
    /// How the game ended, if no rule ended it.
    ended: Option<(Outcome, &'static str)>,
    serial: u64,
    /// Chance.
    rng: Rng,
    /// The engines' players between their moves.
    players: [Option<Held<G>>; 2],
    thinking: Option<Running<G>>,
    /// The side whose tree slot `game` shows.
    thinker: Side,
    analysis: Analysis<G>,
    /// What clients have opened of the trees, by slot.
    opened: [Arc<Mutex<Opened<G>>>; 3],
    /// How many searches have been started.
    searches: u64,
    link: Option<Link>,
}

/// How a desk is set up.
pub(crate) struct Setup {
    /// A state text; none for the start.
    pub(crate) state: Option<String>,
    /// Who plays; by default a person against the strongest player.
    pub(crate) seats: Option<[SeatRequest; 2]>,
    pub(crate) paused: bool,
}

impl<G: Playable> GameDesk<G> {
    /// A desk for a new game.
    pub(crate) fn new(setup: &Setup) -> Result<GameDesk<G>, Fault> {
        let state = match setup.state.as_deref().map(str::trim) {
            None | Some("startpos" | "") => G::start(),
            Some(text) => {
                G::parse_state(text).map_err(|error| Fault::new(Code::BadState, error))?
            }
        };
        let seats = match &setup.seats {
            Some([first, second]) => [Seat::read::<G>(first)?, Seat::read::<G>(second)?],
            None => {
                let strongest = Box::new(Asked::read::<G>(strongest::<G>())?);
                [Seat::Human(None), Seat::Engine(strongest, PACE)]
            }
        };
        let flow = if setup.paused { Flow::Paused } else { Flow::Running };
        Ok(GameDesk::with(state, seats, flow))
    }

    /// A desk with a game that was played elsewhere.
    pub(crate) fn import(text: &str) -> Result<GameDesk<G>, Fault> {
        let bad = |error: &dyn ToString| Fault::new(Code::BadText, error.to_string());
        let (start, steps) = record::read::<G>(text)?;
        let state = G::parse_state(&start).map_err(|error| bad(&error))?;
        let mut desk = GameDesk::with(state, [Seat::Human(None), Seat::Human(None)], Flow::Paused);
        for step in steps.iter().take(2 * MOST_PLIES) {
            desk.line.push_text(step, By::Record).map_err(|error| bad(&error))?;
        }
        desk.line.settle(&mut desk.rng);
        Ok(desk)
    }

    fn with(state: G, seats: [Seat; 2], flow: Flow) -> GameDesk<G> {
        let mut rng = Rng::new(random());
        let timers = [seats[0].timer(), seats[1].timer()];
        let opened = || Arc::new(Mutex::new(Opened { nodes: Vec::new(), most: MOST_CHILDREN }));
        GameDesk {
            line: Line::new(state, &mut rng),
            seats,
            timers,
            turn_began: None,
            flow,
            ended: None,
            serial: 1,
            rng,
            players: [None, None],
            thinking: None,
            thinker: Side::First,
            analysis: Analysis::default(),
            opened: [opened(), opened(), opened()],
            searches: 0,
            link: None,
        }
    }

    fn state(&self) -> &G {
        self.line.state()
    }

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<(Outcome, &'static str)> {
        let state = self.state();
        let by_rule = || Some((state.outcome()?, state.ending().unwrap_or("rule")));
        self.ended.or_else(by_rule)
    }

    fn seat(&self, side: Side) -> &Seat {
        &self.seats[side as usize]
    }

    /// Tells the client how the game stands.
    fn tell(&self, tag: Option<&Value>) {
        let Some(link) = &self.link else { return };
        let message = tagged(self.message(), tag);
        link.outbox.forget(Topic::State);
        match tag {
            Some(_) => link.outbox.send(&message),
            None => link.outbox.show(Topic::State, &message),
        }
    }

    fn message(&self) -> Value {
        let state = self.state();
        let names = side_names(state);
        let mut shown = position(state, self.line.last());
        let outcome = self.outcome().map(|(outcome, reason)| outcome_json(outcome, reason, names));
        if outcome.is_some() {
            shown["legal"] = json!([]);
        }
        shown["outcome"] = json!(outcome);
        let thinking = self.thinking.as_ref().map(|_| state.turn());
        json!({
            "type": "state",
            "serial": self.serial,
            "game": G::NAME,
            "position": shown,
            "ply": self.line.plies(),
            "start": self.line.start().state_text(),
            "history": self.line.history(),
            "seats": [self.seats[0].json::<G>(), self.seats[1].json::<G>()],
            "clocks": [self.clock(Side::First), self.clock(Side::Second)],
            "paused": self.flow == Flow::Paused,
            "thinking": thinking.map(side_name),
            "sentence": self.sentence(names, &outcome),
            "outcome": outcome,
            "analysis": self.analysis.slots(),
            "can_undo": self.line.plies() > 0,
        })
    }

    fn sentence(&self, names: [&str; 2], outcome: &Option<Value>) -> String {
        if let Some(sentence) = outcome.as_ref().and_then(|outcome| outcome["sentence"].as_str()) {
            return sentence.to_owned();
        }
        let name = names[self.state().turn() as usize];
        match (&self.thinking, self.flow) {
            (Some(_), _) => format!("{name} is thinking."),
            (None, Flow::Paused) if !self.seat(self.state().turn()).is_human() => {
                format!("Paused; {name} is to move.")
            }
            _ => format!("{name} to move."),
        }
    }

    fn opened(&self, slot: Slot) -> &Arc<Mutex<Opened<G>>> {
        &self.opened[slot as usize]
    }

    /// Opens nodes of a slot's tree.
    fn open(
        &mut self,
        slot: Slot,
        paths: Vec<Vec<String>>,
        most: Option<usize>,
    ) -> Result<(), Fault> {
        let most = most.unwrap_or(MOST_CHILDREN);
        if paths.len() > MOST_PATHS || !(1..=MOST_TOLD).contains(&most) {
            let message = format!(
                "a tree takes at most {MOST_PATHS} paths, and 'most' from 1 to {MOST_TOLD}"
            );
            return Err(Fault::new(Code::Limit, message));
        }
        let nodes = paths.into_iter().map(|path| OpenNode::new(self.state(), path)).collect();
        let opened = Opened { nodes, most };
        // Where no search runs, nobody else would tell.
        if let Some(link) = &self.link {
            let about = (slot, self.serial);
            match self.idle(slot) {
                Some(held) => tell_nodes(held, about, &opened, &link.outbox),
                None if self.is_running(slot) => {}
                None => {
                    let message =
                        crate::look::nodes(about, None, &opened, crate::look::Stage::Final);
                    link.outbox.send(&message);
                }
            }
        }
        *self.opened(slot).lock().unwrap_or_else(PoisonError::into_inner) = opened;
        Ok(())
    }

    /// The player of a slot whose search does not run.
    fn idle(&self, slot: Slot) -> Option<&Held<G>> {
        match slot {
            Slot::Game if self.thinking.is_some() => None,
            Slot::Game => self.players[self.thinker as usize].as_ref(),
            slot => self.analysis.idle(slot),
        }
    }

    fn is_running(&self, slot: Slot) -> bool {
        match slot {
            Slot::Game => self.thinking.is_some(),
            slot => self.analysis.is_running(slot),
        }
    }

    /// After a change of the state only roots stay open: paths led from the state before.
    fn close_nodes(&mut self) {
        for opened in &self.opened {
            let mut opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
            if !opened.nodes.is_empty() {
                opened.nodes = vec![OpenNode::new(self.line.state(), Vec::new())];
            }
        }
    }

    fn next_number(&mut self) -> u64 {
        self.searches += 1;
        self.searches
    }

    fn show(&self, ply: usize, tag: Option<&Value>) -> Result<(), Fault> {
        let Some((state, last)) = self.line.at(ply) else {
            let message =
                format!("the game has no ply {ply}; accepted are 0 to {}", self.line.plies());
            return Err(Fault::new(Code::BadMessage, message));
        };
        let message = json!({ "type": "position", "ply": ply, "position": position(&state, last) });
        self.answer(message, tag);
        Ok(())
    }

    fn export(&self, tag: Option<&Value>) -> Result<(), Fault> {
        let (format, text) = record::write(&Transcript {
            game: G::NAME,
            start: self.line.start().state_text(),
            steps: self.line.texts(),
            names: [self.seats[0].name(), self.seats[1].name()],
            ended: self.outcome(),
        })?;
        let name = format!("{}.{}", G::NAME, if format == "text" { "txt" } else { format });
        let state = self.state().state_text();
        let message = json!({
            "type": "game-text", "format": format, "name": name, "text": text, "state": state,
        });
        self.answer(message, tag);
        Ok(())
    }

    fn answer(&self, message: Value, tag: Option<&Value>) {
        if let Some(link) = &self.link {
            link.outbox.send(&tagged(message, tag));
        }
    }
}

impl<G: Playable> Desk for GameDesk<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn handle(&mut self, request: Request, tag: Option<&Value>) -> Result<(), Fault> {
        match request {
            Request::Play { mv } => self.play_text(&mv, tag),
            Request::Undo { to } => self.undo(to, tag),
            Request::Resign { side } => self.resign(side.map(Side::from), tag),
            Request::Seats { seats } => self.change_seats(&seats, tag),
            Request::Pause {} => {
                self.pause();
                self.tell(tag);
                Ok(())
            }
            Request::Run {} => self.run(tag),
            Request::MoveNow {} => self.move_now(),
            Request::Hint { spec, pace } => self.hint(spec, pace.as_deref(), tag),
            Request::Analyse { specs, pace } => self.analyse(&specs, pace.as_deref(), tag),
            Request::Stop {} => {
                self.stop_analysis();
                self.tell_analysis(tag);
                Ok(())
            }
            Request::Tree { slot, paths, most } => self.open(slot, paths, most),
            Request::Show { ply } => self.show(ply, tag),
            Request::Export {} => self.export(tag),
            Request::New { .. } | Request::Import { .. } | Request::Ping {} => Ok(()),
        }
    }

    fn ended(&mut self, slot: Slot, number: u64) {
        match slot {
            Slot::Game => self.thought(number),
            slot => self.analysed(slot, number),
        }
    }

    fn alarm(&mut self) {
        self.flag();
    }

    fn deadline(&self) -> Option<Instant> {
        let left = self.timers[self.state().turn() as usize]?.remaining;
        // A day is as good as for ever, and can be added to any instant.
        const DAY: std::time::Duration = std::time::Duration::from_secs(24 * 3600);
        self.turn_began.map(|began| began + left.min(DAY))
    }

    fn connect(&mut self, link: Link, tag: Option<&Value>) {
        self.link = Some(link);
        self.proceed();
        self.tell(tag);
    }

    fn disconnect(&mut self) {
        self.stop_analysis();
        self.halt();
        self.players = [None, None];
        // A session that nobody looks at is a game and no more.
        for opened in &self.opened {
            opened.lock().unwrap_or_else(PoisonError::into_inner).nodes = Vec::new();
        }
        self.link = None;
    }
}

/// A number that nobody can guess.
pub(crate) fn random() -> u64 {
    let mut bytes = [0; 8];
    // Without a source of randomness the time will do: what is drawn from it is which piece shows.
    if getrandom::fill(&mut bytes).is_err() {
        let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        return since.as_nanos() as u64;
    }
    u64::from_le_bytes(bytes)
}

/// The slots and their specs.
fn slots_json(specs: impl Iterator<Item = (Slot, String)>) -> Value {
    Value::Object(
        specs.map(|(slot, spec)| (slot.name().to_owned(), spec.into())).collect::<Map<_, _>>(),
    )
}
