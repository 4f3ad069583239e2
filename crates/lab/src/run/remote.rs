//! A run whose games are played by workers on other machines.

use super::play::{Engines, play};
use super::{Finished, RunError, SoundPlayers, StorePlace, StoredGame, write};
use crate::crew::{Arrival, Crew, Outstanding, Piece, PieceWork, Product};
use crate::digest::GameDigest;
use crate::record::GameRecord;
use crate::seat::panic_text;
use crate::store::Store;
use crate::task::Task;
use monteverde_game::limit::Signal;
use monteverde_players::AnyGame;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// How often the signal that stops a run is looked at while nothing comes.
const WAIT: Duration = Duration::from_millis(100);

/// So many tasks are handed out between two looks at what has come back.
const BATCH: usize = 64;

/// The calling thread's part: hands out tasks and takes in games.
pub(super) struct RemoteRun<'a> {
    game: AnyGame,
    out: Outstanding<'a, Job>,
    stop: &'a Arc<Signal>,
    sound: SoundPlayers,
}

/// A task that is out.
struct Job {
    index: u64,
    place: StorePlace,
}

/// Sees each game.
type Observe<'o> = dyn FnMut(&Finished<'_>) -> ControlFlow<()> + 'o;

impl<'a> RemoteRun<'a> {
    pub(super) fn new(game: AnyGame, crew: &'a dyn Crew, stop: &'a Arc<Signal>) -> Self {
        RemoteRun { game, out: Outstanding::new(crew), stop, sound: SoundPlayers::default() }
    }

    /// As [`super::run`]; games that are being played when it ends early are thrown away.
    pub(super) fn run(
        mut self,
        tasks: &mut dyn Iterator<Item = (u64, Task)>,
        store: &mut Store,
        observe: &mut Observe<'_>,
    ) -> Result<(), RunError> {
        let ended = self.play_all(tasks, store, observe);
        if !self.out.is_empty() {
            self.out.recall();
        }
        ended
    }

    fn play_all(
        &mut self,
        tasks: &mut dyn Iterator<Item = (u64, Task)>,
        store: &mut Store,
        observe: &mut Observe<'_>,
    ) -> Result<(), RunError> {
        let mut tasks = tasks.peekable();
        while !self.stop.is_stopped() {
            for _ in 0..BATCH {
                if self.out.is_full() {
                    break;
                }
                let Some((index, task)) = tasks.next() else { break };
                match StoredGame::of(store, &task.key())? {
                    StoredGame::Played(result, reason, digest) => {
                        let (task, reason) = (&task, &reason);
                        let finished =
                            Finished { index, task, result, reason, digest, played: None };
                        if observe(&finished).is_break() {
                            return Ok(());
                        }
                    }
                    StoredGame::Missing(place) => {
                        self.out.send(Piece::game(self.game, task), Job { index, place })?;
                    }
                }
            }
            let is_more = tasks.peek().is_some();
            if self.out.is_empty() && !is_more {
                return Ok(());
            }
            let wait = if is_more && !self.out.is_full() { Duration::ZERO } else { WAIT };
            while let Some(arrival) = self.out.next(wait)? {
                if self.take(arrival, store, observe)?.is_break() {
                    return Ok(());
                }
                if is_more || self.out.is_empty() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Takes in what has come back.
    fn take(
        &mut self,
        arrival: Arrival<Job>,
        store: &mut Store,
        observe: &mut Observe<'_>,
    ) -> Result<ControlFlow<()>, RunError> {
        let Arrival { piece, jobs, delivery } = arrival;
        let PieceWork::Game(_, task) = &piece.work else { return Ok(ControlFlow::Continue(())) };
        let (record, broken) = match delivery.product.clone() {
            Ok(Product::Game(record)) => match self.sound.see(task, &record) {
                Ok(()) => (*record, None),
                // The word of a worker alone ends no run.
                Err(_) => self.play_here(task)?,
            },
            _ => self.play_here(task)?,
        };
        // A search that was stopped has found another move than it would have.
        if self.stop.is_stopped() {
            return Ok(ControlFlow::Break(()));
        }
        let mut flow = ControlFlow::Continue(());
        for Job { index, place } in jobs {
            let game = write(store, task, place, record.clone())?;
            let finished = Finished {
                index,
                task,
                result: game.result,
                reason: &game.reason,
                digest: GameDigest::from(&game),
                played: Some(&game),
            };
            if observe(&finished).is_break() {
                flow = ControlFlow::Break(());
            }
        }
        self.out.kept(&delivery);
        match broken {
            Some(error) => Err(error),
            None => Ok(flow),
        }
    }

    /// Plays a game on this machine, of which a worker says that it cannot be played; and why it
    /// is the last, if that is so.
    fn play_here(&mut self, task: &Task) -> Result<(GameRecord, Option<RunError>), RunError> {
        let mut engines = Engines::default();
        let table = (self.game, task, self.stop);
        let played = catch_unwind(AssertUnwindSafe(|| play(table, &mut engines)));
        engines.quit();
        let record = played.unwrap_or_else(|panic| {
            let message = panic_text(&*panic);
            Err(RunError::Broken { key: task.key().to_string(), message })
        })?;
        let broken = self.sound.see(task, &record).err();
        Ok((record, broken))
    }
}
