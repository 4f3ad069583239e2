//! The desk of a session: one game, who plays it, and the searches around it.
//!
//! A desk is driven by one thread, which gives it requests, the ends of searches, and alarms of its
//! clocks. While nobody is connected nothing runs; what is left is the game.

mod analysis;
mod play;
mod review;
mod seat;
mod show;
mod tree;

use crate::fault::{Code, Fault};
use crate::game_record::{GameRecord, MoveNode, MoveNote, MovedBy, START};
use crate::host::{Host, SearchId, Topic};
use crate::import;
use crate::nodes::OpenNodes;
use crate::position::{outcome_json, position};
use crate::request::{Request, SeatRequest, Slot, tagged};
use crate::search::{HeldPlayer, RunningSearch};
use analysis::Analysis;
use monteverde_game::{Game, Outcome, Rng, Side};
use monteverde_players::face::side_name;
use monteverde_players::transcript::tags;
use monteverde_players::{AnyGame, AnyState, Timer, Transcript};
use seat::Occupant;
use serde_json::{Map, Value, json};
use show::ShownPosition;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// So many plies a game may have, its variations included; those that end by their rules have
/// fewer.
pub const MOST_PLIES: usize = 2000;
/// So many nodes of a tree can be open at once.
pub const MOST_PATHS: usize = 64;

/// Whether searches are to be gone on with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Searching {
    /// At least one is.
    Ongoing,
    /// None is.
    Idle,
}

/// Whether engines move by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    Running,
    Paused,
}

/// A desk for one game.
pub(crate) struct Desk {
    record: GameRecord,
    seats: [Occupant; 2],
    timers: [Option<Timer>; 2],
    /// When the side to move began to think, while its clock runs.
    turn_began: Option<Duration>,
    flow: Flow,
    /// How the game ended, and at which node, if no rule ended it.
    ended: Option<(MoveNode, Outcome, &'static str)>,
    /// Of the state on the board.
    serial: u64,
    /// How many serials were given.
    serials: u64,
    /// What the page looks at in place of the state on the board.
    shown: Option<ShownPosition>,
    /// Chance.
    rng: Rng,
    /// The engines' players between their moves.
    players: [Option<HeldPlayer>; 2],
    thinking: Option<RunningSearch>,
    /// The side whose tree slot `game` shows.
    thinker: Side,
    analysis: Analysis,
    /// What clients have opened of the trees, by slot.
    opened: [Arc<Mutex<OpenNodes>>; 3],
    /// How many searches have been started.
    searches: u64,
    host: Option<Arc<dyn Host>>,
}

/// How a desk is set up.
pub(crate) struct Setup {
    /// A state text; none for the start.
    pub(crate) state: Option<String>,
    /// Who plays; by default a person against the strongest player.
    pub(crate) seats: Option<[SeatRequest; 2]>,
    pub(crate) paused: bool,
    /// Lines of steps that were played from there; the last one is on the board.
    pub(crate) lines: Vec<Vec<String>>,
}

impl Desk {
    /// A desk for a new game.
    pub(crate) fn new(game: AnyGame, setup: &Setup, host: &dyn Host) -> Result<Desk, Fault> {
        let state = match setup.state.as_deref().map(str::trim) {
            None | Some("startpos" | "") => game.start(),
            Some(text) => {
                game.parse_state(text).map_err(|error| Fault::new(Code::BadState, error))?
            }
        };
        let seats = match &setup.seats {
            Some([first, second]) => [Occupant::read(game, first)?, Occupant::read(game, second)?],
            None => Occupant::usual(game)?,
        };
        let flow = if setup.paused { Flow::Paused } else { Flow::Running };
        let mut desk = Desk::with(state, seats, flow, host);
        for line in &setup.lines {
            desk.record.go(START);
            desk.push_line(line)?;
        }
        desk.record.settle(&mut desk.rng);
        Ok(desk)
    }

    /// Plays steps that were played before, each by whoever sits at its side.
    fn push_line(&mut self, steps: &[String]) -> Result<(), Fault> {
        for step in steps {
            if self.record.moves() >= MOST_PLIES {
                return Err(Fault::new(Code::Limit, too_long()));
            }
            let is_human = self.seat(self.state().turn()).is_human();
            let by = if is_human { MovedBy::Human } else { MovedBy::Engine };
            self.record.push_text(step, MoveNote::new(by, self.timers))?;
        }
        Ok(())
    }

    /// A desk with a game that was played elsewhere.
    pub(crate) fn import(game: AnyGame, text: &str, host: &dyn Host) -> Result<Desk, Fault> {
        let bad = |error: &dyn ToString| Fault::new(Code::BadText, error.to_string());
        let record = import::read(game, text)?;
        let state = game.parse_state(&record.start).map_err(|error| bad(&error))?;
        let mut desk =
            Desk::with(state, [Occupant::Human(None), Occupant::Human(None)], Flow::Paused, host);
        for step in record.steps.iter().take(2 * MOST_PLIES) {
            let note = MoveNote::new(MovedBy::Record, [None, None]);
            desk.record.push_text(&step.text, note).map_err(|error| bad(&error))?;
        }
        desk.record.settle(&mut desk.rng);
        Ok(desk)
    }

    fn with(state: AnyState, seats: [Occupant; 2], flow: Flow, host: &dyn Host) -> Desk {
        let mut rng = Rng::new(host.random());
        let timers = [seats[0].timer(), seats[1].timer()];
        let opened = || Arc::new(Mutex::new(OpenNodes::default()));
        Desk {
            record: GameRecord::new(state, timers, &mut rng),
            seats,
            timers,
            turn_began: None,
            flow,
            ended: None,
            serial: 1,
            serials: 1,
            shown: None,
            rng,
            players: [None, None],
            thinking: None,
            thinker: Side::First,
            analysis: Analysis::default(),
            opened: [opened(), opened(), opened()],
            searches: 0,
            host: None,
        }
    }

    fn state(&self) -> &AnyState {
        self.record.state()
    }

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<(Outcome, &'static str)> {
        let state = self.state();
        let by_rule = || Some((state.outcome()?, state.ending().unwrap_or("rule")));
        let ended = self.ended.filter(|&(node, ..)| node == self.record.tip());
        ended.map(|(_, outcome, reason)| (outcome, reason)).or_else(by_rule)
    }

    fn seat(&self, side: Side) -> &Occupant {
        &self.seats[side as usize]
    }

    /// Tells the client how the game stands.
    fn tell(&self, tag: Option<&Value>) {
        let Some(host) = &self.host else { return };
        let message = tagged(self.message(), tag);
        host.forget(Topic::State);
        match tag {
            Some(_) => host.send(&message),
            None => host.show(Topic::State, &message),
        }
    }

    fn message(&self) -> Value {
        let state = self.state();
        let names = state.sides().map(|side| side.name);
        let names = [&*names[0], &*names[1]];
        let mut shown = position(state, self.record.last_of(self.record.tip()));
        let outcome = self.outcome().map(|ended| outcome_json(self.game(), ended, names));
        if outcome.is_some() {
            shown["legal"] = json!([]);
        }
        shown["outcome"] = json!(outcome);
        let thinking = self.thinking.as_ref().map(|_| state.turn());
        json!({
            "type": "state",
            "serial": self.serial,
            "game": self.game().name(),
            "position": shown,
            "ply": self.record.plies(),
            "node": self.record.tip(),
            "start": self.record.start().state_text(),
            "history": self.record.history(),
            "variations": self.record.variations(),
            "seats": self.seats.each_ref().map(|seat| seat.json(self.game())),
            "clocks": [self.clock(Side::First), self.clock(Side::Second)],
            "paused": self.flow == Flow::Paused,
            "thinking": thinking.map(side_name),
            "sentence": self.sentence(names, &outcome),
            "outcome": outcome,
            "analysis": self.analysis.slots(),
            "can_undo": self.record.plies() > 0,
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

    fn next_number(&mut self) -> u64 {
        self.searches += 1;
        self.searches
    }

    fn export(&self, tag: Option<&Value>) -> Result<(), Fault> {
        let (game, ended) = (self.game(), self.outcome());
        let mut record = Transcript {
            game: game.name().to_owned(),
            start: self.record.start().state_text(),
            steps: self.record.steps(),
            outcome: ended.map(|(outcome, _)| outcome),
            tags: Vec::new(),
        };
        record.add_tag(tags::EVENT, "Monteverde");
        record.add_tag(tags::FIRST, self.seats[0].name());
        record.add_tag(tags::SECOND, self.seats[1].name());
        record.add_tag(tags::REASON, ended.map_or("", |(_, reason)| reason));
        let text = game.write_record(&record).map_err(|error| Fault::new(Code::Failed, error))?;
        let format = game.record_format();
        let name = format!("{}.{}", game.name(), format.extension);
        let state = self.state().state_text();
        let message = json!({
            "type": "game-text", "format": format.name, "name": name, "text": text, "state": state,
        });
        self.answer(message, tag);
        Ok(())
    }

    fn answer(&self, message: Value, tag: Option<&Value>) {
        if let Some(host) = &self.host {
            host.send(&tagged(message, tag));
        }
    }
}

impl Desk {
    /// How many bytes it takes without its searches, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Desk>() + self.record.bytes()
    }

    /// Its game.
    pub(crate) fn game(&self) -> AnyGame {
        self.record.state().game()
    }

    /// Does what the page asks for, or says why not.
    pub(crate) fn handle(&mut self, request: Request, tag: Option<&Value>) -> Result<(), Fault> {
        match request {
            Request::Play { mv, at } => self.play_text(&mv, at, tag),
            Request::Go { node } => self.go_to(node, tag),
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
            Request::Review { spec, pace } => self.review(spec, pace.as_deref(), tag),
            Request::Tree { slot, paths, most } => self.open(slot, paths, most),
            Request::Show { ply, node } => self.show(ply, node, tag),
            Request::Export {} => self.export(tag),
            Request::New { .. } | Request::Import { .. } | Request::Ping {} => Ok(()),
        }
    }

    /// A search has ended.
    pub(crate) fn ended(&mut self, search: SearchId) {
        match search.slot {
            Slot::Game => self.thought(search),
            _ => self.analysed(search),
        }
    }

    /// Lets every search go on for so many iterations, where no thread does so. Whether any is
    /// still to go on.
    pub(crate) fn step(&mut self, iterations: u64) -> Searching {
        let ended: Vec<SearchId> = self
            .thinking
            .iter_mut()
            .chain(self.analysis.running())
            .filter_map(|search| search.step(iterations))
            .collect();
        for search in ended {
            self.ended(search);
        }
        let is_any = self.thinking.is_some() || self.analysis.running().next().is_some();
        if is_any { Searching::Ongoing } else { Searching::Idle }
    }

    /// The time of [`Desk::deadline`] has come.
    pub(crate) fn alarm(&mut self) {
        self.flag();
    }

    /// When somebody's clock runs out, as [`Host::now`] tells the time.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        let left = self.timers[self.state().turn() as usize]?.remaining;
        // A day is as good as for ever, and can be added to any instant.
        const DAY: Duration = Duration::from_secs(24 * 3600);
        self.turn_began.map(|began| began + left.min(DAY))
    }

    /// A page is there: it is told how the game stands, and the game goes on.
    pub(crate) fn connect(&mut self, host: Arc<dyn Host>, tag: Option<&Value>) {
        self.host = Some(host);
        self.proceed();
        self.tell(tag);
    }

    /// The page is gone: every search stops, and every clock.
    pub(crate) fn disconnect(&mut self) {
        self.stop_analysis();
        self.halt();
        self.shown = None;
        self.players = [None, None];
        // A session that nobody looks at is a game and no more.
        for opened in &self.opened {
            opened.lock().unwrap_or_else(PoisonError::into_inner).nodes = Vec::new();
        }
        self.host = None;
    }
}

fn too_long() -> String {
    format!(
        "a game on this page has at most {MOST_PLIES} plies, its variations included; begin a new one"
    )
}

/// The slots and their specs.
fn slots_json(specs: impl Iterator<Item = (Slot, String)>) -> Value {
    Value::Object(
        specs.map(|(slot, spec)| (slot.name().to_owned(), spec.into())).collect::<Map<_, _>>(),
    )
}
