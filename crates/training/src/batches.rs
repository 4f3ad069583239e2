//! States of many files in random order, as a network sees them.
//!
//! An epoch takes the games in an order drawn with the seed, in pools of many games; the states of
//! a pool are put in random order and dealt out. So a batch holds few states of the same game,
//! every state comes once an epoch, and no more than two pools are in memory. The order depends on
//! the seed alone, not on the number of threads.

mod rows;

use crate::error::DataError;
use crate::reader::DataFile;
use crate::summary::Summary;
use monteverde_game::Rng;
use monteverde_game::rng::stream_seed;
use monteverde_players::{AnyGame, Games};
use rows::{Pool, Reader};
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// How batches are made.
#[derive(Clone, Debug)]
pub struct BatchOptions {
    /// The most states of a batch. Those of a pool are dealt out evenly.
    pub batch: usize,
    /// Where the random numbers start.
    pub seed: u64,
    /// How many threads make them.
    pub threads: usize,
    /// So many states are put in random order at a time.
    pub pool: usize,
    /// Leaves out states whose value hangs on what happens at once.
    pub quiet_only: bool,
    /// Gives legal moves and shares too.
    pub policy: bool,
    /// Gives what the game's strongest player knows of each state without a search.
    pub known: bool,
    /// Which share of the games is held out.
    pub held_out: f64,
    /// Which games are read.
    pub part: Part,
    /// How often every state comes; for ever if there is no number.
    pub epochs: Option<u32>,
    /// How often an epoch has the games of each file, 1 for files behind the end. With a part of a
    /// time, games are drawn anew each epoch.
    pub weights: Vec<f64>,
}

/// Which games are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Those to train with.
    Training,
    /// Those that are held out, to measure what was learnt.
    HeldOut,
}

impl Default for BatchOptions {
    fn default() -> Self {
        BatchOptions {
            batch: 16_384,
            seed: 1,
            threads: 1,
            pool: 1 << 19,
            quiet_only: false,
            policy: true,
            known: false,
            held_out: 0.0,
            part: Part::Training,
            epochs: Some(1),
            weights: Vec::new(),
        }
    }
}

impl BatchOptions {
    fn weight(&self, file: u32) -> f64 {
        self.weights.get(file as usize).copied().unwrap_or(1.0)
    }
}

/// States as arrays. Row `i` has the inputs from `offsets[i]` to `offsets[i + 1]`, likewise for
/// legal moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Batch {
    /// The active inputs of all states.
    pub inputs: Vec<u16>,
    /// Where those of each state begin, and where the last ends.
    pub offsets: Vec<u32>,
    /// The score, -1..1 for the side to move.
    pub score: Vec<f32>,
    /// The result of the game, -1, 0 or 1 for the side to move; the score where it is not known.
    pub result: Vec<f32>,
    /// The policy output of the best move; 0 without policy.
    pub best: Vec<u16>,
    /// The policy outputs of the legal moves; empty without policy.
    pub legal: Vec<u16>,
    /// Where those of each state begin, and where the last ends.
    pub legal_offsets: Vec<u32>,
    /// The share of the visits that each legal move had; where that is not known the best move has
    /// all.
    pub shares: Vec<f32>,
    /// What is known of each state without a search, -1..1 for the side to move; not a number
    /// where nothing is, and empty if it was not wanted.
    pub known: Vec<f32>,
    /// How many epochs are done after this batch.
    pub epochs_done: f64,
}

/// Files that are read together.
#[derive(Debug)]
pub struct DataSet {
    game: AnyGame,
    files: Vec<DataFile>,
    summary: Summary,
}

impl DataSet {
    /// Reads files of one game. Damaged games are left out; files whose scores and results do not
    /// speak for the same side are refused.
    pub fn read(games: &Games, paths: &[impl AsRef<Path>]) -> Result<DataSet, DataError> {
        let mut files = Vec::new();
        let mut all = Summary::default();
        let mut name: Option<String> = None;
        for found in read_all(paths) {
            let (file, summary) = found?;
            let own = file.header().game.clone();
            let first = name.get_or_insert_with(|| own.clone());
            if *first != own {
                let path = file.path().display();
                return Err(DataError::Files(format!(
                    "{path} holds games of {own}, the files before it games of {first}; give files of one game"
                )));
            }
            summary.check()?;
            all.add_all(&summary);
            files.push(file);
        }
        let name = name.ok_or_else(|| DataError::Files("there is no file".to_owned()))?;
        let game = games.game(&name).map_err(|error| DataError::Files(error.to_string()))?;
        if game.features().is_none() {
            return Err(DataError::Files(format!(
                "{name} has no features that a network could see"
            )));
        }
        Ok(DataSet { game, files, summary: all })
    }

    /// The game.
    pub fn game(&self) -> AnyGame {
        self.game
    }
    /// What all files together hold.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }
    /// The files.
    pub fn files(&self) -> &[DataFile] {
        &self.files
    }
}

/// Reads files, several at a time: every game is unpacked to see whether it is one.
fn read_all(paths: &[impl AsRef<Path>]) -> Vec<Result<(DataFile, Summary), DataError>> {
    let read = |path: &Path| {
        let file = DataFile::read(path)?;
        let summary = Summary::of(&file);
        Ok((file, summary))
    };
    let paths: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let groups = paths.chunks(threads).flat_map(|group| {
        thread::scope(|scope| {
            let spawned: Vec<_> =
                group.iter().map(|path| scope.spawn(move || read(path))).collect();
            let joined = spawned.into_iter().map(|file| file.join().expect("files are checked"));
            joined.collect::<Vec<_>>()
        })
    });
    groups.collect()
}

/// How many batches may wait for whoever takes them.
const AHEAD: usize = 8;

/// Batches, made in the background while the last ones are used.
#[derive(Debug)]
pub struct Batches {
    receiver: Option<Receiver<Result<Batch, DataError>>>,
    worker: Option<JoinHandle<()>>,
}

impl Batches {
    /// Begins to make batches.
    pub fn new(data: Arc<DataSet>, options: BatchOptions) -> Batches {
        let (sender, receiver) = sync_channel(AHEAD);
        let worker = thread::spawn(move || make(&data, &options, &sender));
        Batches { receiver: Some(receiver), worker: Some(worker) }
    }
}

impl Iterator for Batches {
    type Item = Result<Batch, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Ok(batch) = self.receiver.as_ref()?.recv() {
            return Some(batch);
        }
        // A panic over there is not the end of the data.
        if let Some(Err(panic)) = self.worker.take().map(JoinHandle::join) {
            resume_unwind(panic);
        }
        None
    }
}

impl Drop for Batches {
    fn drop(&mut self) {
        // Whoever waits to send sees that nobody receives.
        self.receiver = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

/// Makes batches until there are enough or nobody takes them.
fn make(data: &DataSet, options: &BatchOptions, sender: &SyncSender<Result<Batch, DataError>>) {
    let reader = Reader::new(data, options);
    let chosen = chosen(data, options);
    if chosen.is_empty() {
        return;
    }
    for epoch in 0..options.epochs.unwrap_or(u32::MAX) {
        let seed = stream_seed(options.seed, u64::from(epoch));
        let mut places = drawn(&chosen, options, seed);
        Rng::stream(seed, 0).shuffle(&mut places);
        let mut rest = &places[..];
        let mut pools = 0;
        while !rest.is_empty() {
            pools += 1;
            let done =
                |rest: &[_]| f64::from(epoch) + 1.0 - rest.len() as f64 / places.len() as f64;
            let before = done(rest);
            let pool = match reader.pool(&mut rest) {
                Ok(pool) => pool,
                Err(error) => {
                    let _ = sender.send(Err(error));
                    return;
                }
            };
            let rng = &mut Rng::stream(seed, pools);
            if deal(&pool, [before, done(rest)], options, rng, sender).is_none() {
                return;
            }
        }
    }
}

/// Deals the rows of a pool out in random order; `None` if nobody takes them. So many epochs are
/// done before it and after it. Each thread puts a batch together at a time.
fn deal(
    pool: &Pool,
    [before, after]: [f64; 2],
    options: &BatchOptions,
    rng: &mut Rng,
    sender: &SyncSender<Result<Batch, DataError>>,
) -> Option<()> {
    let mut order: Vec<u32> = (0..pool.len() as u32).collect();
    rng.shuffle(&mut order);
    let count = order.len().div_ceil(options.batch.max(1));
    let gather = |number: usize| {
        let place = |number: usize| number * order.len() / count;
        let share = (number + 1) as f64 / count as f64;
        let epochs_done = before + share * (after - before);
        Batch { epochs_done, ..pool.gather(&order[place(number)..place(number + 1)]) }
    };
    let threads = options.threads.max(1);
    for first in (0..count).step_by(threads) {
        let batches: Vec<Batch> = thread::scope(|scope| {
            let numbers = first..count.min(first + threads);
            let spawned: Vec<_> =
                numbers.map(|number| scope.spawn(move || gather(number))).collect();
            spawned.into_iter().map(|batch| batch.join().expect("rows of this pool")).collect()
        });
        for batch in batches {
            sender.send(Ok(batch)).ok()?;
        }
    }
    Some(())
}

/// The games of one epoch, as often as their files' weights say.
fn drawn(chosen: &[(u32, u32)], options: &BatchOptions, seed: u64) -> Vec<(u32, u32)> {
    let mut rng = Rng::stream(seed, u64::MAX);
    let mut places = Vec::with_capacity(chosen.len());
    for &place in chosen {
        let weight = options.weight(place.0);
        let parts = weight.fract() > 0.0 && rng.unit() < weight.fract();
        let times = weight as usize + usize::from(parts);
        places.extend(std::iter::repeat_n(place, times));
    }
    places
}

/// The files and places of the games that are read.
fn chosen(data: &DataSet, options: &BatchOptions) -> Vec<(u32, u32)> {
    /// Held out games are the same whatever the seed of the order.
    const HELD_OUT: u64 = 0x6865_6c64;
    let mut places = Vec::new();
    let files = (0..).zip(&data.files).filter(|&(file, _)| options.weight(file) > 0.0);
    for (file, held) in files {
        for place in 0..held.len() as u32 {
            // By its number and the seed of its file, so that no other files change it.
            let number = u64::from(held.number(place as usize));
            let mut rng = Rng::stream(HELD_OUT ^ held.header().seed, number);
            let is_held_out = rng.unit() < options.held_out;
            if is_held_out == (options.part == Part::HeldOut) {
                places.push((file, place));
            }
        }
    }
    places
}
