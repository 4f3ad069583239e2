//! Plays tasks, several at a time, and writes each game into the store as soon as it is finished.

mod play;
mod remote;

pub(crate) use play::{Engines, play};

use crate::affinity::{self, Affinity, AffinityError};
use crate::contestant::{Contestant, ContestantKind};
use crate::crew::CrewError;
use crate::digest::GameDigest;
use crate::hands::Hands;
use crate::opening::OpeningError;
use crate::record::{Failure, GameRecord, GameResult, Reason};
use crate::seat::panic_text;
use crate::store::{Store, StoreError};
use crate::task::{Key, Task};
use monteverde_game::limit::Signal;
use monteverde_players::{AnyGame, Spec, SpecError};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// A game that is finished, now or in an earlier run.
#[derive(Debug)]
pub struct Finished<'a> {
    /// The number of its task, from 0.
    pub index: u64,
    /// Its task.
    pub task: &'a Task,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub reason: &'a Reason,
    /// The digest of its steps and its end.
    pub digest: GameDigest,
    /// The record, if it was played now.
    pub played: Option<&'a GameRecord>,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An opening cannot be played.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A spec is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The workers on other machines cannot go on.
    #[error(transparent)]
    Crew(#[from] CrewError),
    /// Games cannot have cores of their own.
    #[error(transparent)]
    Affinity(#[from] AffinityError),
    /// A player did not start, crashed or hung in the first game that it played in this run: it
    /// would do so in the others.
    #[error(
        "'{name}' failed in its first game of this run: {}: {detail}; what was played well is kept, and the same \
         command plays the rest", failure.name()
    )]
    Player {
        /// Its name.
        name: String,
        /// How it failed.
        failure: Failure,
        /// What exactly happened.
        detail: String,
    },
    /// The lab itself failed while it played a game.
    #[error("the lab failed in the game {key}: {message}")]
    Broken {
        /// The game's key.
        key: String,
        /// What went wrong.
        message: String,
    },
}

/// Plays all tasks, or those of a shard, that the store does not hold yet. A void game is played
/// again. A player that voids the first game that it plays is an error, [`RunError::Player`].
///
/// `observe` sees every game on the calling thread: those of the store when their task comes up,
/// the others as they finish, so not always in the order of the tasks. When it breaks, no further
/// game is begun; those in progress are finished and stored. What is played, and how, depends on
/// the tasks alone.
pub fn run(
    game: AnyGame,
    tasks: impl IntoIterator<Item = Task>,
    store: &mut Store,
    hands: impl Into<Hands>,
    observe: &mut dyn FnMut(&Finished<'_>) -> ControlFlow<()>,
) -> Result<(), RunError> {
    let Hands { concurrency, stop, crew, shard, affinity } = hands.into();
    let mut tasks: Box<dyn Iterator<Item = (u64, Task)>> = match shard {
        None => Box::new((0..).zip(tasks)),
        Some(shard) => Box::new(shard.games(tasks)),
    };
    if let Some(crew) = crew {
        return remote::RemoteRun::new(game, &*crew, &stop).run(&mut tasks, store, observe);
    }
    let concurrency = concurrency.max(1);
    let cores = match affinity {
        Affinity::Free => vec![Vec::new(); concurrency],
        Affinity::Pinned => affinity::shares(concurrency)?,
    };
    let (jobs, queue) = channel();
    let (done, results) = channel();
    let queue = Mutex::new(queue);
    let halted = AtomicBool::new(false);
    let sound = Mutex::new(SoundPlayers::default());
    std::thread::scope(|scope| {
        for cores in cores {
            let halts = Halts { halted: &halted, stop: &stop, sound: &sound };
            let (queue, done) = (&queue, done.clone());
            scope.spawn(move || {
                if !cores.is_empty() {
                    // It was possible to ask which cores there are, so it is possible to take some.
                    affinity::pin(&cores).expect("a thread may give up cores");
                }
                work(game, queue, &done, halts);
            });
        }
        drop(done);
        // Twice as many as are played at once, so that nobody waits while a game is written.
        let halts = Halts { halted: &halted, stop: &stop, sound: &sound };
        let scheduler = Scheduler { jobs, results, halts, room: 2 * concurrency };
        scheduler.run(&mut tasks, store, observe)
    })
}

/// The ways in which a run ends early.
#[derive(Clone, Copy)]
struct Halts<'a> {
    /// No further game is begun.
    halted: &'a AtomicBool,
    /// Nor is one finished.
    stop: &'a Arc<Signal>,
    /// Who may fail without ending the run.
    sound: &'a Mutex<SoundPlayers>,
}

impl Halts<'_> {
    fn is_any(&self) -> bool {
        self.halted.load(Ordering::Relaxed) || self.stop.is_stopped()
    }
}

/// A task that is to be played.
struct Job {
    index: u64,
    key: Key,
    task: Task,
    place: StorePlace,
}

/// What the store holds under the key of a game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StorePlace {
    /// Nothing, or a void game.
    Free,
    /// A game that cannot be read.
    Damaged,
}

/// What the store knows of a task's game.
enum StoredGame {
    /// It has been played.
    Played(GameResult, Reason, GameDigest),
    /// It is to be played.
    Missing(StorePlace),
}

impl StoredGame {
    /// A game that cannot be read is played again.
    fn of(store: &Store, key: &Key) -> Result<StoredGame, StoreError> {
        match store.result(key).and_then(|found| Ok((found, store.digest(key)?))) {
            Ok((Some((result, reason)), Some(digest))) if !reason.is_void() => {
                Ok(StoredGame::Played(result, reason, digest))
            }
            Ok((Some(_), None)) | Err(StoreError::Damaged { .. }) => {
                Ok(StoredGame::Missing(StorePlace::Damaged))
            }
            Ok(_) => Ok(StoredGame::Missing(StorePlace::Free)),
            Err(error) => Err(error),
        }
    }
}

/// A job that was played, or was not begun or not finished because the run ends.
struct Done {
    job: Job,
    game: Option<Result<GameRecord, RunError>>,
    /// Why the game is the last, if it is stored well.
    broken: Option<RunError>,
}

/// The calling thread's part: hands out jobs and takes in games.
struct Scheduler<'a> {
    jobs: Sender<Job>,
    results: Receiver<Done>,
    halts: Halts<'a>,
    room: usize,
}

impl Scheduler<'_> {
    fn run(
        self,
        tasks: &mut dyn Iterator<Item = (u64, Task)>,
        store: &mut Store,
        observe: &mut dyn FnMut(&Finished<'_>) -> ControlFlow<()>,
    ) -> Result<(), RunError> {
        let mut out = 0;
        let mut failure = None;
        let halt = || self.halts.halted.store(true, Ordering::Relaxed);
        loop {
            while out < self.room && !self.halts.is_any() {
                let Some((index, task)) = tasks.next() else { break };
                let key = task.key();
                match StoredGame::of(store, &key) {
                    Ok(StoredGame::Played(result, reason, digest)) => {
                        let (task, reason) = (&task, &reason);
                        let finished =
                            Finished { index, task, result, reason, digest, played: None };
                        if observe(&finished).is_break() {
                            halt();
                        }
                    }
                    Ok(StoredGame::Missing(place)) => {
                        let sent = self.jobs.send(Job { index, key, task, place });
                        assert!(sent.is_ok(), "workers wait until there are no more jobs");
                        out += 1;
                    }
                    Err(error) => {
                        failure.get_or_insert(error.into());
                        halt();
                    }
                }
            }
            if out == 0 {
                return failure.map_or(Ok(()), Err);
            }
            let Ok(Done { job, game, broken }) = self.results.recv() else {
                unreachable!("workers answer every job")
            };
            out -= 1;
            let Some(game) = game else { continue };
            let written = game.and_then(|game| write(store, &job.task, job.place, game));
            match written {
                Ok(game) => {
                    let finished = Finished {
                        index: job.index,
                        task: &job.task,
                        result: game.result,
                        reason: &game.reason,
                        digest: GameDigest::from(&game),
                        played: Some(&game),
                    };
                    if observe(&finished).is_break() {
                        halt();
                    }
                    if let Some(error) = broken {
                        failure.get_or_insert(error);
                    }
                }
                Err(error) => {
                    failure.get_or_insert(error);
                    halt();
                }
            }
        }
    }
}

/// Writes a game in place of a void one that the task has had before.
fn write(
    store: &mut Store,
    task: &Task,
    place: StorePlace,
    game: GameRecord,
) -> Result<GameRecord, RunError> {
    let void = task.void_keys();
    let key = if game.reason.is_void() { void[0] } else { task.key() };
    let game = GameRecord { key: key.to_string(), ..game };
    match place {
        StorePlace::Free => store.insert_over(&void, &key, &game)?,
        StorePlace::Damaged => store.replace(&void, &key, &game)?,
    }
    Ok(game)
}

/// Who has played a game of this run to an end that counts, by canonical text.
#[derive(Debug, Default)]
struct SoundPlayers(HashSet<String>);

impl SoundPlayers {
    /// Takes in a game that was played; an error if a player voided it that is not yet known to be
    /// sound.
    fn see(&mut self, task: &Task, game: &GameRecord) -> Result<(), RunError> {
        let Some(side) = game.voided_by() else {
            self.0.extend([task.first.text(), task.second.text()]);
            return Ok(());
        };
        let contestant = task.contestant(side);
        match game.reason {
            Reason::Failed(failure) if !self.0.contains(&contestant.text()) => {
                let (name, detail) = (contestant.name.clone(), game.detail.clone());
                Err(RunError::Player { name, failure, detail })
            }
            _ => Ok(()),
        }
    }
}

/// What one thread does: plays jobs until there are no more.
fn work(game: AnyGame, queue: &Mutex<Receiver<Job>>, done: &Sender<Done>, halts: Halts<'_>) {
    let mut engines = Engines::default();
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { break };
        let record = (!halts.is_any()).then(|| {
            let table = (game, &job.task, halts.stop);
            let played = catch_unwind(AssertUnwindSafe(|| play(table, &mut engines)));
            played.unwrap_or_else(|panic| {
                let message = panic_text(&*panic);
                Err(RunError::Broken { key: job.key.to_string(), message })
            })
        });
        // A search that was stopped has found another move than it would have.
        let record = record.filter(|_| !halts.stop.is_stopped());
        // At once, since the next game with a program that hangs would take as long.
        let broken = record.as_ref().and_then(|game| game.as_ref().ok()).and_then(|game| {
            let mut sound = halts.sound.lock().unwrap_or_else(PoisonError::into_inner);
            sound.see(&job.task, game).err()
        });
        if broken.is_some() {
            halts.halted.store(true, Ordering::Relaxed);
        }
        if done.send(Done { job, game: record, broken }).is_err() {
            break;
        }
    }
    engines.quit();
}

/// Names a contestant's player in its canonical form, and refuses one that the game does not have.
pub fn canonical(game: AnyGame, contestant: Contestant) -> Result<Contestant, SpecError> {
    let ContestantKind::Spec(text) = &contestant.kind else { return Ok(contestant) };
    let spec = Spec::read(game, text)?.to_string();
    let name = if contestant.name == *text { spec.clone() } else { contestant.name };
    Ok(Contestant { name, kind: ContestantKind::Spec(spec), ..contestant })
}
