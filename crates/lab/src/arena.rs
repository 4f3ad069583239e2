//! Plays one game.

use crate::adjudication::{Referee, decided};
use crate::contestant::Ponder;
use crate::date;
use crate::opening::{OpeningError, Step};
use crate::pace::Timer;
use crate::record::{By, GameRecord, GameResult, MoveRecord, Reason, Ruling};
use crate::seat::{Failed, GameSeat, Turn};
use crate::task::Task;
use monteverde_game::{Game, Rng, Side};
use monteverde_players::{AnyGame, AnySearcher, AnyState, Settings};
use std::time::{Duration, Instant};

/// Plays a task's game with the two seats, the first side's first. Whatever a seat does, the game
/// comes to an end; only an opening that cannot be played is an error.
pub fn play<'a>(
    game: AnyGame,
    task: &'a Task,
    seats: [&'a mut (dyn GameSeat + 'a); 2],
) -> Result<GameRecord, OpeningError> {
    let since_1970 = date::now();
    let started = Instant::now();
    let line = task.opening.line(game)?;
    let start = line.first_state(game)?;
    let mut referee = Referee::new(task.adjudication);
    let mut ruling = None;
    let mut moves = Vec::new();
    let mut side = start.turn();
    let state = line.replay(game, |text, after, step| {
        let by = if matches!(step, Step::Event(_)) { By::Chance } else { By::Opening };
        moves.push(MoveRecord { text, by, ..MoveRecord::default() });
        if by == By::Opening {
            ruling = referee.see(side, &MoveRecord::default());
        }
        side = after.turn();
    })?;
    let timers = [Side::First, Side::Second].map(|side| task.contestant(side).pace.timer());
    let rng = Rng::new(task.chance_seed());
    let tables = task.adjudication.tables;
    let tables = tables.map(|pieces| game.searcher(&Settings { pieces, ..Settings::default() }));
    let mut play = Play { task, seats, state, moves, timers, referee, ruling, tables, rng };
    let (result, reason, detail) = play.finish(&start);
    Ok(GameRecord {
        key: task.key().to_string(),
        game: task.game.clone(),
        first: task.first.name.clone(),
        second: task.second.name.clone(),
        contestants: [task.first.text(), task.second.text()],
        opening: line.name.clone(),
        pair: task.pair,
        seed: task.seed,
        build: task.build.clone(),
        start_state: start.state_text(),
        moves: play.moves,
        result,
        reason,
        detail,
        started: since_1970.as_millis() as u64,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// A game in progress.
struct Play<'a> {
    task: &'a Task,
    seats: [&'a mut (dyn GameSeat + 'a); 2],
    state: AnyState,
    moves: Vec<MoveRecord>,
    timers: [Option<Timer>; 2],
    referee: Referee,
    /// What the referee said about the last move.
    ruling: Option<(GameResult, Ruling)>,
    /// The endgame tables that may end the game.
    tables: Option<AnySearcher>,
    rng: Rng,
}

impl Play<'_> {
    fn finish(&mut self, start: &AnyState) -> (GameResult, Reason, String) {
        for side in [Side::First, Side::Second] {
            let begun = self.seats[side as usize].begin(start, &self.moves, &self.state);
            if let Err(failed) = begun {
                return failure(side, failed);
            }
        }
        loop {
            while self.state.is_pending() {
                self.draw_event();
            }
            // A rule that ends the game goes before the referee.
            if let Some(outcome) = self.state.outcome() {
                let name = self.state.ending().unwrap_or("end of the game").to_owned();
                return (outcome.into(), Reason::Rule(name), String::new());
            }
            if let Some((result, ruling)) = self.ruling.or_else(|| self.ask_tables()) {
                return (result, Reason::Adjudicated(ruling), String::new());
            }
            let side = self.state.turn();
            self.ponder(side.other());
            if let Err(failed) = self.take_turn(side) {
                return failure(side, failed);
            }
        }
    }

    fn ask_tables(&self) -> Option<(GameResult, Ruling)> {
        decided(self.tables.as_ref()?.probe(&self.state), &self.state)
    }

    /// Lets the player of a side think while the other is asked, if it ponders.
    fn ponder(&mut self, side: Side) {
        if self.task.contestant(side).ponder == Ponder::On {
            let turn = turn(self.task, &self.state, side, self.timers);
            self.seats[side as usize].ponder(&turn);
        }
    }

    fn take_turn(&mut self, side: Side) -> Result<(), Failed> {
        let turn = turn(self.task, &self.state, side, self.timers);
        let thought = self.seats[side as usize].think(&turn)?;
        turn.judge(thought.elapsed)?;
        let timer = &mut self.timers[side as usize];
        if let Some(timer) = timer {
            timer.spend(thought.elapsed);
        }
        let record = MoveRecord {
            elapsed_ms: Some(milliseconds(thought.elapsed)),
            clock_ms: timer.map(|timer| milliseconds(timer.remaining)),
            ..thought.record
        };
        self.state.play(thought.mv);
        for seat in &mut self.seats {
            seat.play(thought.mv);
        }
        self.ruling = self.referee.see(side, &record);
        self.moves.push(record);
        Ok(())
    }

    fn draw_event(&mut self) {
        let event = self.state.sample_event(&mut self.rng);
        let text = self.state.event_text(event);
        self.state.settle(event);
        for seat in &mut self.seats {
            seat.settle(event);
        }
        self.moves.push(MoveRecord { text, by: By::Chance, ..MoveRecord::default() });
    }
}

/// What the player of a side is asked.
fn turn<'a>(task: &Task, state: &'a AnyState, side: Side, timers: [Option<Timer>; 2]) -> Turn<'a> {
    let contestant = task.contestant(side);
    Turn { state, side, pace: contestant.pace, timers, margin: contestant.margin }
}

/// The end of a game in which the player of that side failed: its opponent wins, or the game is
/// void and its opponent is the one who did not fail.
fn failure(side: Side, failed: Failed) -> (GameResult, Reason, String) {
    (GameResult::win(side.other()), Reason::Failed(failed.failure), failed.detail)
}

/// Milliseconds with three decimals: more would be noise in the record.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
