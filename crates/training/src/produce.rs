//! Makes games on all cores into a file.

use crate::data::GameData;
use crate::error::DataError;
use crate::summary::Summary;
use crate::writer::{Held, Writer};
use monteverde_lab::shard::Shard;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Makes games by their numbers.
pub trait Make: Sync {
    /// The game of that number, which depends on nothing else.
    fn make(&self, number: u32) -> Result<GameData, DataError>;
}

/// How much is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// So many games.
    Games(u32),
    /// The first games that have so many scored states together.
    States(u64),
}

/// Where a run stands.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// All that is done, what was there before included.
    pub summary: &'a Summary,
    /// How many scored states have been made since the run began.
    pub made: u64,
    /// What share of the whole is done, in 0..1.
    pub share: f64,
}

/// How a run is done.
pub struct Production<'a> {
    /// What makes the games.
    pub make: &'a dyn Make,
    /// How many of them.
    pub amount: Amount,
    /// The part of them that is made here.
    pub shard: Option<Shard>,
    /// How many at a time.
    pub threads: usize,
    /// Says before each game whether it is time to stop.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

/// How often games are checked, in games.
const CHECK_EVERY: u64 = 16;

impl Production<'_> {
    /// Makes what the file has not, and leaves the file in order. Stops with an error as soon as
    /// scores and results do not speak for the same side.
    pub fn run(
        &self,
        mut writer: Writer,
        held: Held,
        observe: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Summary, DataError> {
        let mut summary = Summary::default();
        let mut prefix = Prefix::new(self.amount, self.shard);
        let mut numbers = Vec::new();
        for game in held.games() {
            summary.add(&game);
            prefix.add(game.number, game.scored());
            numbers.push(game.number);
        }
        drop(held);
        summary.check()?;
        let numbers = Mutex::new(Numbers::new(self.shard, numbers));
        let stop = AtomicBool::new(prefix.is_done());
        let mut made = 0;
        let result = thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.threads.max(1) {
                let (sender, numbers, stop) = (sender.clone(), &numbers, &stop);
                scope.spawn(move || self.work(numbers, stop, &sender));
            }
            drop(sender);
            let mut failed = Ok(());
            for game in receiver {
                let kept = game.and_then(|game| {
                    writer.push(&game)?;
                    summary.add(&game);
                    prefix.add(game.number, game.scored());
                    made += game.scored() as u64;
                    let is_checked = summary.games.is_multiple_of(CHECK_EVERY);
                    if is_checked { summary.check() } else { Ok(()) }
                });
                if failed.is_ok() && kept.is_err() {
                    failed = kept;
                }
                if failed.is_err() || prefix.is_done() {
                    stop.store(true, Ordering::Relaxed);
                }
                observe(&Progress { summary: &summary, made, share: prefix.share() });
            }
            failed
        });
        result?;
        let end = prefix.end();
        let file = writer.finish(&|number| end.is_none_or(|end| number < end))?;
        let summary = Summary::of(&file);
        summary.check()?;
        Ok(summary)
    }

    /// What a thread does.
    fn work(
        &self,
        numbers: &Mutex<Numbers>,
        stop: &AtomicBool,
        sender: &mpsc::Sender<Result<GameData, DataError>>,
    ) {
        while !stop.load(Ordering::Relaxed) && !(self.is_over)() {
            let number = numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
            let is_beyond = matches!(self.amount, Amount::Games(count) if number >= count);
            if is_beyond || sender.send(self.make.make(number)).is_err() {
                return;
            }
        }
    }
}

/// The numbers of games that are not there yet.
struct Numbers {
    next: u32,
    step: u32,
    held: Vec<u32>,
}

impl Numbers {
    fn new(shard: Option<Shard>, mut held: Vec<u32>) -> Numbers {
        let (next, step) = places(shard);
        held.sort_unstable();
        Numbers { next, step, held }
    }

    fn next(&mut self) -> u32 {
        while self.held.binary_search(&self.next).is_ok() {
            self.next += self.step;
        }
        self.next += self.step;
        self.next - self.step
    }
}

/// The first number of a shard's games and the distance to the next.
fn places(shard: Option<Shard>) -> (u32, u32) {
    shard.map_or((0, 1), |shard| (shard.number() - 1, shard.count()))
}

/// The games from the first one on, without a gap: what is wanted is a number of these.
struct Prefix {
    amount: Amount,
    next: u32,
    step: u32,
    states: u64,
    later: BTreeMap<u32, usize>,
}

impl Prefix {
    fn new(amount: Amount, shard: Option<Shard>) -> Prefix {
        let (next, step) = places(shard);
        Prefix { amount, next, step, states: 0, later: BTreeMap::new() }
    }

    fn add(&mut self, number: u32, scored: usize) {
        self.later.insert(number, scored);
        while !self.is_done() {
            let Some(scored) = self.later.remove(&self.next) else { break };
            self.states += scored as u64;
            self.next += self.step;
        }
    }

    fn is_done(&self) -> bool {
        match self.amount {
            Amount::Games(count) => self.next >= count,
            Amount::States(count) => self.states >= count,
        }
    }

    /// The number from which on games are not wanted, if that is known.
    fn end(&self) -> Option<u32> {
        match self.amount {
            Amount::Games(count) => Some(count),
            Amount::States(_) => self.is_done().then_some(self.next),
        }
    }

    fn share(&self) -> f64 {
        let later = || self.later.range(self.next..);
        let share = match self.amount {
            Amount::Games(count) => {
                let later = later().count() as f64 * f64::from(self.step);
                (f64::from(self.next) + later) / f64::from(count.max(1))
            }
            Amount::States(count) => {
                let later: usize = later().map(|(_, scored)| scored).sum();
                (self.states as f64 + later as f64) / count.max(1) as f64
            }
        };
        share.min(1.0)
    }
}
