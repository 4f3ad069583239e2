//! Moves, clocks, and whose turn it is.

use super::seat::Occupant;
use super::{Desk, Flow, MOST_PLIES, too_long};
use crate::fault::{Code, Fault};
use crate::game_record::{MoveNode, MoveNote, MovedBy};
use crate::host::SearchId;
use crate::report::summary;
use crate::request::{SeatRequest, Slot};
use crate::search::{EndedSearch, PlayerSpec, RunningSearch, SearchJob};
use monteverde_game::{Game, Outcome, Side};
use monteverde_players::face::side_name;
use monteverde_players::{AnyStep, Pace, Timer};
use serde_json::{Value, json};
use std::time::Duration;

impl Desk {
    /// Plays a move of a person.
    pub(super) fn play_text(
        &mut self,
        text: &str,
        at: Option<MoveNode>,
        tag: Option<&Value>,
    ) -> Result<(), Fault> {
        if let Some(node) = at.filter(|&node| node != self.record.tip()) {
            return self.play_aside(text, node, tag);
        }
        self.check_going()?;
        let turn = self.state().turn();
        if self.flow == Flow::Running && !self.seat(turn).is_human() {
            let [first, second] = self.state().sides();
            let name = if turn == Side::First { first.name } else { second.name };
            let player = self.seat(turn).name();
            let message = format!(
                "it is the turn of {name}, which '{player}' plays; pause the game or change the seats"
            );
            return Err(Fault::new(Code::NotNow, message));
        }
        let mv = self.state().parse_move(text);
        let mv = mv.map_err(|error| Fault::new(Code::IllegalMove, error))?;
        self.play(mv, MovedBy::Human, Value::Null);
        self.tell(tag);
        Ok(())
    }

    /// Plays a move in another state than the one on the board: a variation begins there.
    fn play_aside(&mut self, text: &str, node: MoveNode, tag: Option<&Value>) -> Result<(), Fault> {
        let state = self.state_of(node)?;
        if state.outcome().is_some() {
            let message = "the game is over there; play in another position";
            return Err(Fault::new(Code::NotNow, message));
        }
        self.check_length()?;
        let mv = state.parse_move(text);
        let mv = mv.map_err(|error| Fault::new(Code::IllegalMove, error))?;
        self.leave_for(node);
        self.play(mv, MovedBy::Human, Value::Null);
        self.tell(tag);
        Ok(())
    }

    /// Puts the state of a node on the board; the game goes on from there.
    pub(super) fn go_to(&mut self, node: MoveNode, tag: Option<&Value>) -> Result<(), Fault> {
        self.state_of(node)?;
        self.leave_for(node);
        self.changed();
        self.tell(tag);
        Ok(())
    }

    /// Puts the state of a node on the board, where engines do not move before they are told to.
    fn leave_for(&mut self, node: MoveNode) {
        self.halt();
        if let Some(timers) = self.record.go(node) {
            self.restore(timers);
        }
        self.stand();
    }

    /// The clocks of an earlier state, as far as those who sit there now have any.
    fn restore(&mut self, timers: [Option<Timer>; 2]) {
        let seats = [self.seats[0].timer(), self.seats[1].timer()];
        let restored = |side: usize| seats[side].map(|full| timers[side].unwrap_or(full));
        self.timers = [restored(0), restored(1)];
    }

    /// Another state was put on the board, not by a move.
    fn stand(&mut self) {
        if !self.seat(self.state().turn()).is_human() {
            self.flow = Flow::Paused;
        }
        let state = self.record.state().clone();
        for held in self.players.iter_mut().flatten() {
            held.player.jump(&state);
        }
        self.shown = None;
        self.jump_analysis(&state);
    }

    /// Whether the game goes on and may become longer.
    fn check_going(&self) -> Result<(), Fault> {
        if self.outcome().is_some() {
            return Err(Fault::new(
                Code::NotNow,
                "the game is over; take back a move or begin a new game",
            ));
        }
        self.check_length()
    }

    fn check_length(&self) -> Result<(), Fault> {
        if self.record.moves() >= MOST_PLIES {
            return Err(Fault::new(Code::Limit, too_long()));
        }
        Ok(())
    }

    /// Plays a legal move for the side to move, lets chance decide, and goes on from there.
    fn play(&mut self, mv: AnyStep, by: MovedBy, report: Value) {
        let turn = self.state().turn();
        let report = report.to_string().into();
        let mut note = MoveNote { report, ..MoveNote::new(by, [None, None]) };
        if let Some(spent) = self.end_turn() {
            note.seconds = Some(spent.as_secs_f64());
            if let Some(timer) = &mut self.timers[turn as usize] {
                timer.spend(spent);
                note.left_ms = Some(timer.remaining.as_millis() as u64);
            }
        }
        note.timers = self.timers;
        self.record.push(mv, note);
        let event = self.record.settle(&mut self.rng);
        for held in self.players.iter_mut().flatten() {
            held.player.play(mv);
            if let Some(event) = event {
                held.player.settle(event);
            }
        }
        match self.shown.take() {
            None => self.follow(mv, event),
            Some(_) => {
                let state = self.record.state().clone();
                self.jump_analysis(&state);
            }
        }
        self.changed();
    }

    /// The state on the board is another one now.
    fn changed(&mut self) {
        self.serial = self.next_serial();
        self.close_nodes();
        self.proceed();
        self.resume_analysis();
    }

    /// Lets whoever is to move think, if the game goes on.
    pub(super) fn proceed(&mut self) {
        if self.host.is_none() || self.outcome().is_some() || self.check_length().is_err() {
            self.turn_began = None;
            return;
        }
        let turn = self.state().turn();
        if self.flow == Flow::Paused {
            return;
        }
        if self.turn_began.is_none() {
            self.turn_began = self.now();
        }
        if let (Occupant::Engine(asked, pace), None) = (self.seat(turn).clone(), &self.thinking) {
            self.think(turn, *asked, pace);
        }
    }

    fn think(&mut self, turn: Side, asked: PlayerSpec, pace: Pace) {
        let Some(host) = self.host.clone() else { return };
        let limit = pace.limit(self.timer_now(turn), asked.spec.clock_use());
        let number = self.next_number();
        // Two games are not to be the same, unless the spec asks for that.
        let seed = if asked.text.contains("seed=") { None } else { Some(host.random()) };
        let job = SearchJob {
            slot: Slot::Game,
            asked,
            held: self.players[turn as usize].take(),
            seed,
            state: self.state().clone(),
            serial: self.serial,
            limit,
            opened: self.opened(Slot::Game).clone(),
        };
        self.thinker = turn;
        match RunningSearch::start(job, number, &host) {
            Ok(running) => self.thinking = Some(running),
            Err(fault) => self.fail(&fault),
        }
    }

    /// The game cannot go on by itself; the client is told why.
    fn fail(&mut self, fault: &Fault) {
        self.flow = Flow::Paused;
        self.turn_began = None;
        if let Some(host) = &self.host {
            host.send(&fault.message(None));
        }
    }

    /// The search of the game's own slot has ended: its move is played.
    pub(super) fn thought(&mut self, search: SearchId) {
        if self.thinking.as_ref().is_none_or(|running| running.id != search) {
            return;
        }
        let Some(running) = self.thinking.take() else { return };
        let spec = running.asked.text.clone();
        let Some(EndedSearch { held, report }) = running.join() else {
            self.fail(&Fault::new(
                Code::Failed,
                format!("the player '{spec}' has failed; the game is paused"),
            ));
            self.tell(None);
            return;
        };
        self.players[self.thinker as usize] = Some(held);
        if self.outcome().is_some() {
            return;
        }
        match report.best {
            Some(mv) => {
                let said = summary(&spec, self.state(), &report);
                self.play(mv, MovedBy::Engine, said);
            }
            None => {
                self.fail(&Fault::new(Code::Failed, format!("the player '{spec}' found no move")))
            }
        }
        self.tell(None);
    }

    /// Stops the player that thinks, without its move, and the clock.
    pub(super) fn halt(&mut self) {
        if let Some(running) = self.thinking.take() {
            let turn = self.thinker as usize;
            self.players[turn] = running.end();
        }
        if let Some(spent) = self.end_turn()
            && let Some(timer) = &mut self.timers[self.record.state().turn() as usize]
        {
            timer.remaining = timer.remaining.saturating_sub(spent);
        }
    }

    pub(super) fn pause(&mut self) {
        self.halt();
        self.flow = Flow::Paused;
    }

    pub(super) fn run(&mut self, tag: Option<&Value>) -> Result<(), Fault> {
        self.check_going()?;
        self.flow = Flow::Running;
        self.proceed();
        self.tell(tag);
        Ok(())
    }

    /// The player that thinks plays the best move so far.
    pub(super) fn move_now(&mut self) -> Result<(), Fault> {
        match &self.thinking {
            Some(running) => {
                running.stop();
                Ok(())
            }
            None => Err(Fault::new(Code::NotNow, "no player thinks about its move now")),
        }
    }

    /// Takes back, by default to before the last move of a person; a game of engines stands still
    /// then.
    pub(super) fn undo(&mut self, to: Option<usize>, tag: Option<&Value>) -> Result<(), Fault> {
        let plies = self.record.plies();
        let by_default = || self.record.last_by(MovedBy::Human).or(plies.checked_sub(1));
        let ply =
            to.or_else(by_default).filter(|&ply| ply < plies || self.has_ended() && ply == plies);
        let Some(ply) = ply else {
            let message = match to {
                Some(to) => format!("the game has {plies} plies, so it cannot go back to {to}"),
                None => "there is no move to take back".to_owned(),
            };
            return Err(Fault::new(Code::NotNow, message));
        };
        self.halt();
        let timers = self.record.cut(ply);
        self.restore(timers);
        self.ended = None;
        self.stand();
        self.changed();
        self.tell(tag);
        Ok(())
    }

    /// Whether the game on the board was ended by no rule.
    fn has_ended(&self) -> bool {
        self.ended.is_some_and(|(node, ..)| node == self.record.tip())
    }

    pub(super) fn resign(&mut self, side: Option<Side>, tag: Option<&Value>) -> Result<(), Fault> {
        self.check_going()?;
        let human = match (self.seats[0].is_human(), self.seats[1].is_human()) {
            (true, false) => Some(Side::First),
            (false, true) => Some(Side::Second),
            _ => None,
        };
        let side = side.or(human).unwrap_or(self.state().turn());
        self.finish(Outcome::Win(side.other()), "resigned");
        self.tell(tag);
        Ok(())
    }

    /// Somebody's time is up.
    pub(super) fn flag(&mut self) {
        if self.deadline_has_come() {
            let loser = self.state().turn();
            self.finish(Outcome::Win(loser.other()), "time");
            if let Some(timer) = &mut self.timers[loser as usize] {
                timer.remaining = Duration::ZERO;
            }
            self.tell(None);
        }
    }

    fn deadline_has_come(&self) -> bool {
        let timer = self.timers[self.state().turn() as usize];
        self.spent().zip(timer).is_some_and(|(spent, timer)| spent >= timer.remaining)
    }

    /// Ends the game.
    fn finish(&mut self, outcome: Outcome, reason: &'static str) {
        self.halt();
        self.ended = Some((self.record.tip(), outcome, reason));
        self.serial = self.next_serial();
    }

    pub(super) fn change_seats(
        &mut self,
        seats: &[SeatRequest; 2],
        tag: Option<&Value>,
    ) -> Result<(), Fault> {
        let seats =
            [Occupant::read(self.game(), &seats[0])?, Occupant::read(self.game(), &seats[1])?];
        self.halt();
        for side in [Side::First, Side::Second] {
            let (old, new) = (&self.seats[side as usize], &seats[side as usize]);
            if old.name() != new.name() {
                self.players[side as usize] = None;
            }
            if old.pace() != new.pace() {
                self.timers[side as usize] = new.timer();
            }
        }
        self.seats = seats;
        self.proceed();
        self.tell(tag);
        Ok(())
    }

    /// A side's clock as it is told, `null` where it has none.
    pub(super) fn clock(&self, side: Side) -> Value {
        let Some(timer) = self.timer_now(side) else { return Value::Null };
        let is_running = self.turn_began.is_some() && self.state().turn() == side;
        let left_ms = timer.remaining.as_millis() as u64;
        json!({ "side": side_name(side), "left_ms": left_ms, "running": is_running })
    }

    /// A side's clock, less what its turn has taken so far.
    fn timer_now(&self, side: Side) -> Option<Timer> {
        let is_running = self.state().turn() == side;
        let spent = self.spent().filter(|_| is_running).unwrap_or_default();
        let mut timer = self.timers[side as usize]?;
        timer.remaining = timer.remaining.saturating_sub(spent);
        Some(timer)
    }

    /// How long the side to move has thought, if its clock runs.
    fn spent(&self) -> Option<Duration> {
        Some(self.now()?.saturating_sub(self.turn_began?))
    }

    /// The same, and its clock stops.
    fn end_turn(&mut self) -> Option<Duration> {
        let spent = self.spent();
        self.turn_began = None;
        spent
    }

    fn now(&self) -> Option<Duration> {
        self.host.as_ref().map(|host| host.now())
    }
}
