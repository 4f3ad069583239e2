//! Plays one task: seats its players, and keeps engines for the next game.

use super::RunError;
use crate::arena;
use crate::contestant::{ContestantKind, EngineSpec};
use crate::crew::AllowedEngines;
use crate::engine::Engine;
use crate::record::{Failure, GameRecord};
use crate::seat::{Absent, EngineSeat, Failed, GameSeat, PlayerSeat};
use crate::task::Task;
use monteverde_game::Side;
use monteverde_game::limit::Signal;
use monteverde_players::{AnyGame, Overrides, Spec};
use std::sync::Arc;

/// Plays a task's game.
pub(crate) fn play(table: GameTable<'_>, engines: &mut Engines) -> Result<GameRecord, RunError> {
    let (game, task, _) = table;
    let mut first = seat(table, Side::First, engines)?;
    let mut second = seat(table, Side::Second, engines)?;
    let record = arena::play(game, task, [&mut *first, &mut *second])?;
    for (seat, side) in [(first, Side::First), (second, Side::Second)] {
        if let (Some(engine), ContestantKind::Engine(spec)) =
            (seat.retire(), &task.contestant(side).kind)
        {
            engines.give_back(spec, engine);
        }
    }
    Ok(record)
}

/// What is played, and what stops it.
pub(crate) type GameTable<'a> = (AnyGame, &'a Task, &'a Arc<Signal>);

fn seat(
    (game, task, stop): GameTable<'_>,
    side: Side,
    engines: &mut Engines,
) -> Result<Box<dyn GameSeat>, RunError> {
    match &task.contestant(side).kind {
        ContestantKind::Spec(text) => {
            let overrides = Overrides { seed: Some(task.seat_seed(side)), ..Overrides::default() };
            let spec = Spec::read(game, text)?.with(&overrides)?;
            let player = PlayerSeat::new(spec.make(&game.start()), spec.clock_use());
            Ok(Box::new(player.stopped_by(stop.clone())))
        }
        ContestantKind::Engine(spec) => Ok(match engines.take(spec) {
            Ok(engine) => Box::new(EngineSeat::new(engine, game, task.contestant(side).ponder)),
            Err(failed) => Box::new(Absent(failed)),
        }),
    }
}

/// Engines of one thread that wait for their next game. One that has failed does not come back
/// here: its next game gets a fresh one.
#[derive(Debug, Default)]
pub(crate) struct Engines {
    waiting: Vec<(EngineSpec, Engine)>,
    /// Those that may be started, in place of what tasks name; `None` on the machine that made the
    /// tasks.
    allowed: Option<Arc<AllowedEngines>>,
}

/// So many engines may wait; in a large round robin the others are started anew.
const WAITING_ENGINES: usize = 4;

impl Engines {
    /// None yet, and only these may be started.
    pub(crate) fn allowing(allowed: Arc<AllowedEngines>) -> Engines {
        Engines { waiting: Vec::new(), allowed: Some(allowed) }
    }

    fn take(&mut self, spec: &EngineSpec) -> Result<Engine, Failed> {
        if let Some(index) = self.waiting.iter().position(|(known, _)| known == spec) {
            return Ok(self.waiting.remove(index).1);
        }
        match &self.allowed {
            None => Engine::start(spec),
            Some(allowed) => {
                let own = allowed.stand_in(spec);
                Engine::start(&own.map_err(|problem| Failed::new(Failure::NoStart, problem))?)
            }
        }
    }

    fn give_back(&mut self, spec: &EngineSpec, engine: Engine) {
        self.waiting.push((spec.clone(), engine));
        if self.waiting.len() > WAITING_ENGINES {
            self.waiting.remove(0).1.quit();
        }
    }

    pub(crate) fn quit(self) {
        for (_, engine) in self.waiting {
            engine.quit();
        }
    }
}
