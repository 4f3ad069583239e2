//! Who sits at the board: a player of our own, an engine, or nobody.

use crate::contestant::Ponder;
use crate::duration_text::DurationText;
use crate::engine::{Engine, EngineQuestion, GameVariant};
use crate::pace::{Pace, Timer};
use crate::pondering::Pondering;
use crate::record::{Failure, MoveRecord, PV_PLIES};
use monteverde_game::{Game, Side};
use monteverde_mcts::{Control, Report, Signal};
use monteverde_players::{AnyGame, AnyState, AnyStep, ClockUse, Player, WallClock};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A player has failed, and loses the game or makes it void.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// In which way.
    pub failure: Failure,
    /// What exactly happened.
    pub detail: String,
}

/// What a seat is asked: to move.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The state.
    pub state: &'a AnyState,
    /// Whose turn it is.
    pub side: Side,
    /// How much it may think.
    pub pace: Pace,
    /// The clocks of both sides, where they have one.
    pub timers: [Option<Timer>; 2],
    /// How late the move may come.
    pub margin: DurationText,
}

impl Turn<'_> {
    /// The time that the move may take, without the margin, if there is such a limit.
    pub fn allowed(&self) -> Option<Duration> {
        match self.pace {
            Pace::Time(span) => Some(span.0),
            _ => self.timers[self.side as usize].map(|timer| timer.remaining),
        }
    }

    /// Whether a move that took so long came in time. Time goes before all else: a late move is a
    /// loss on time, even if it is illegal too.
    pub fn judge(&self, elapsed: Duration) -> Result<(), Failed> {
        match self.allowed() {
            Some(allowed) if elapsed > allowed + self.margin.0 => {
                let [elapsed, allowed] = [elapsed, allowed].map(DurationText);
                let detail = format!("{elapsed} for a move with {allowed} left");
                Err(Failed::new(Failure::TimeLoss, detail))
            }
            _ => Ok(()),
        }
    }
}

/// A move and what its player said about it.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move, which is legal.
    pub mv: AnyStep,
    /// How long it took.
    pub elapsed: Duration,
    /// Text, report and all; the clock is not its business.
    pub record: MoveRecord,
}

/// One of the two who play a game.
pub trait GameSeat {
    /// A game begins at `start`, and `moves` have led to `state`, where the first move is to be
    /// made.
    fn begin(
        &mut self,
        start: &AnyState,
        moves: &[MoveRecord],
        state: &AnyState,
    ) -> Result<(), Failed>;

    /// Chooses a move. One that comes late need not be noticed here.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failed>;

    /// Its opponent is about to be asked: it may think on meanwhile, until a move is played. `turn`
    /// is what it would be asked now if it were its turn.
    fn ponder(&mut self, turn: &Turn<'_>) {
        let _ = turn;
    }

    /// A move was played, its own or the opponent's.
    fn play(&mut self, mv: AnyStep);

    /// Chance settled the pending state.
    fn settle(&mut self, event: AnyStep);

    /// The engine behind the seat, if it can play another game.
    fn retire(self: Box<Self>) -> Option<Engine> {
        None
    }
}

impl Failed {
    /// A failure with its detail, which is cut if it is long: it may quote whatever a program
    /// wrote.
    pub fn new(failure: Failure, detail: impl Into<String>) -> Failed {
        let mut detail: String = detail.into();
        if let Some((end, _)) = detail.char_indices().nth(LONGEST_DETAIL) {
            detail.truncate(end);
            detail.push('…');
        }
        Failed { failure, detail }
    }
}

/// So many characters of a detail are kept.
pub(crate) const LONGEST_DETAIL: usize = 500;

/// A seat whose player could not be had: it fails when the game begins.
#[derive(Debug)]
pub struct Absent(pub Failed);

impl GameSeat for Absent {
    fn begin(&mut self, _: &AnyState, _: &[MoveRecord], _: &AnyState) -> Result<(), Failed> {
        Err(self.0.clone())
    }
    fn think(&mut self, _: &Turn<'_>) -> Result<Thought, Failed> {
        Err(self.0.clone())
    }
    fn play(&mut self, _: AnyStep) {}
    fn settle(&mut self, _: AnyStep) {}
}

/// A player of our own. A panic in it is a crash of the player, not of the lab.
pub struct PlayerSeat {
    player: PlayerPlace,
    /// How it spends a game clock.
    clock_use: ClockUse,
    stop: Arc<Signal>,
}

/// Where the player of a seat is.
enum PlayerPlace {
    /// At the seat.
    Here(Box<dyn Player<AnyState>>),
    /// On a thread of its own, where it ponders.
    Away(Pondering),
    /// Nowhere: it panicked.
    Lost(Failed),
}

impl PlayerSeat {
    /// A seat for a player, which spends a game clock like that.
    pub fn new(player: Box<dyn Player<AnyState>>, clock_use: ClockUse) -> Self {
        PlayerSeat { player: PlayerPlace::Here(player), clock_use, stop: Arc::default() }
    }

    /// The same, which stops thinking at that signal. It fails then: what it would play is not what
    /// it would have played.
    pub fn stopped_by(self, stop: Arc<Signal>) -> Self {
        PlayerSeat { stop, ..self }
    }

    /// The player, whose pondering ends.
    fn player(&mut self) -> Result<&mut dyn Player<AnyState>, Failed> {
        if let PlayerPlace::Away(pondering) = &mut self.player {
            self.player = match pondering.end() {
                Ok(player) => PlayerPlace::Here(player),
                Err(panic) => PlayerPlace::Lost(crash(&*panic)),
            };
        }
        match &mut self.player {
            PlayerPlace::Here(player) => Ok(&mut **player),
            PlayerPlace::Away(_) => unreachable!("it has come back"),
            PlayerPlace::Lost(failed) => Err(failed.clone()),
        }
    }
}

impl GameSeat for PlayerSeat {
    fn begin(&mut self, _: &AnyState, _: &[MoveRecord], state: &AnyState) -> Result<(), Failed> {
        let player = self.player()?;
        let begun = catch_unwind(AssertUnwindSafe(|| player.begin(state)));
        begun.map_err(|panic| crash(&*panic))
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failed> {
        let limit = turn.pace.limit(turn.timers[turn.side as usize], self.clock_use);
        let stop = self.stop.clone();
        // Other players are stopped by the same signal, and have other times.
        let signal = Signal::below(stop.clone());
        let player = self.player()?;
        let started = Instant::now();
        let clock = WallClock::start();
        let thought = catch_unwind(AssertUnwindSafe(|| {
            let control = Control {
                clock: &clock,
                signal: &signal,
                every: Duration::MAX,
                observe: &mut |_| {},
            };
            player.think(&limit, control)
        }));
        let elapsed = started.elapsed();
        let report = thought.map_err(|panic| crash(&*panic))?;
        if stop.is_stopped() {
            return Err(Failed::new(Failure::Stall, "the run was stopped"));
        }
        let Some(mv) = report.best else {
            return Err(Failed::new(Failure::Garbage, "no move where there are moves"));
        };
        Ok(Thought { mv, elapsed, record: said(turn.state, mv, &report) })
    }

    /// It thinks about the state on the board, whatever its opponent is going to play.
    fn ponder(&mut self, _: &Turn<'_>) {
        // Only for the moment, and nobody sees it.
        let nowhere = PlayerPlace::Lost(Failed::new(Failure::Crash, ""));
        self.player = match std::mem::replace(&mut self.player, nowhere) {
            PlayerPlace::Here(player) => PlayerPlace::Away(Pondering::begin(player)),
            other => other,
        };
    }

    fn play(&mut self, mv: AnyStep) {
        // A player that was lost is told of when it is asked to move.
        if let Ok(player) = self.player() {
            player.play(mv);
        }
    }

    fn settle(&mut self, event: AnyStep) {
        if let Ok(player) = self.player() {
            player.settle(event);
        }
    }
}

/// What a report says about the move that was chosen.
fn said(state: &AnyState, mv: AnyStep, report: &Report<AnyState>) -> MoveRecord {
    let entry = report.best_move();
    let mut pv = Vec::with_capacity(PV_PLIES);
    let mut at = state.clone();
    for &mv in report.pv.iter().take(PV_PLIES) {
        pv.push(at.move_text(mv));
        at.play(mv);
    }
    MoveRecord {
        text: state.move_text(mv),
        iterations: Some(report.figures.iterations),
        visits: entry.map(|entry| entry.visits),
        mean: entry.map(|entry| entry.mean),
        depth: Some(report.figures.deepest),
        pv,
        ..MoveRecord::default()
    }
}

fn crash(panic: &(dyn Any + Send)) -> Failed {
    Failed::new(Failure::Crash, format!("it panicked: {}", panic_text(panic)))
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// An engine behind UCI.
#[derive(Debug)]
pub struct EngineSeat {
    engine: Engine,
    state: AnyState,
    /// The argument of `position` for that state.
    position: String,
    ponder: Ponder,
    /// The reply to its last move that it expects.
    expected: Option<String>,
    failed: bool,
}

impl EngineSeat {
    /// A seat for an engine, which may ponder or not.
    pub fn new(engine: Engine, game: AnyGame, ponder: Ponder) -> EngineSeat {
        let (state, position) = (game.start(), String::new());
        EngineSeat { engine, state, position, ponder, expected: None, failed: false }
    }

    /// What it is asked in a position of this text.
    fn question<'a>(&self, position: &'a str, turn: &Turn<'_>) -> EngineQuestion<'a> {
        EngineQuestion {
            position: position.strip_suffix(" moves").unwrap_or(position),
            side: turn.side,
            letters: self.state.game().engine_sides().expect("engines play this game"),
            pace: turn.pace,
            timers: turn.timers,
            allowed: turn.allowed().map(|time| time + turn.margin.0),
        }
    }

    /// Goes on by a move, in the words of the protocol.
    fn follow(&mut self, mv: AnyStep) {
        self.position += " ";
        self.position += &self.state.engine_text(mv);
        self.state.play(mv);
    }

    fn watch<T>(&mut self, result: Result<T, Failed>) -> Result<T, Failed> {
        self.failed |= result.is_err();
        result
    }
}

impl GameSeat for EngineSeat {
    fn begin(
        &mut self,
        start: &AnyState,
        moves: &[MoveRecord],
        _: &AnyState,
    ) -> Result<(), Failed> {
        let fen = start.state_text();
        let initial = fen == start.game().start().state_text();
        self.position =
            if initial { "startpos moves".to_owned() } else { format!("fen {fen} moves") };
        self.state = start.clone();
        for step in moves {
            let mv = self.state.parse_move(&step.text).expect("the opening has been played");
            self.follow(mv);
        }
        // A state that is written otherwise than the initial one is a state of Chess960.
        let variant = match start.is_written_like(&start.game().start()) {
            true => GameVariant::Usual,
            false => GameVariant::Chess960,
        };
        let begun = self.engine.begin(variant, self.ponder);
        self.watch(begun)
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failed> {
        let question = self.question(&self.position, turn);
        let answer = self.engine.think(&question);
        let answer = self.watch(answer)?;
        self.expected = answer.expected;
        let in_time = turn.judge(answer.elapsed);
        self.watch(in_time)?;
        let mv = turn.state.parse_move(&answer.mv).map_err(|error| {
            let failure =
                if looks_like_a_move(&answer.mv) { Failure::IllegalMove } else { Failure::Garbage };
            Failed::new(failure, error.to_string())
        });
        let mv = self.watch(mv)?;
        let record = MoveRecord {
            text: turn.state.move_text(mv),
            iterations: answer.nodes,
            centipawns: answer.centipawns,
            mate: answer.mate,
            depth: answer.depth,
            pv: answer.pv,
            ..MoveRecord::default()
        };
        Ok(Thought { mv, elapsed: answer.elapsed, record })
    }

    /// It thinks about the state after the reply that it expects, if that is a move and the game
    /// goes on after it.
    fn ponder(&mut self, turn: &Turn<'_>) {
        let Some(mv) = self.expected.take().and_then(|text| self.state.parse_move(&text).ok())
        else {
            return;
        };
        let position = format!("{} {}", self.position, self.state.engine_text(mv));
        let mut after = self.state.clone();
        after.play(mv);
        if after.outcome().is_none() {
            let question = self.question(&position, turn);
            self.engine.ponder(&question);
        }
    }

    fn play(&mut self, mv: AnyStep) {
        self.follow(mv);
    }

    fn settle(&mut self, _: AnyStep) {
        unreachable!("engines play games without chance")
    }

    fn retire(mut self: Box<Self>) -> Option<Engine> {
        let is_ready = !self.failed && self.engine.stop_pondering().is_ok();
        is_ready.then_some(self.engine)
    }
}

/// Whether a text has the form of a move from square to square, of a pass, or of UCI's null move.
fn looks_like_a_move(text: &str) -> bool {
    let square = |letter: u8, digit: u8| letter.is_ascii_lowercase() && digit.is_ascii_digit();
    match text.as_bytes() {
        b"0000" | b"(none)" | b"pass" => true,
        &[a, b, c, d] => square(a, b) && square(c, d),
        &[a, b, c, d, e] => square(a, b) && square(c, d) && e.is_ascii_lowercase(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_a_form() {
        for text in ["e2e4", "e7e8q", "0000", "(none)", "pass"] {
            assert!(looks_like_a_move(text), "{text}");
        }
        for text in ["", "xyzzy", "e2", "e4e5e6", "O-O", "resign"] {
            assert!(!looks_like_a_move(text), "{text}");
        }
    }
}
