//! Makes games on all cores into a file.

use crate::data::{GameData, PackedGame};
use crate::error::DataError;
use crate::remote::RemoteGames;
use crate::summary::Summary;
use crate::writer::{Held, Writer};
use monteverde_lab::shard::Shard;
use std::collections::{BTreeMap, BTreeSet};
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
    /// Whether there is as much as is wanted, without a gap.
    pub is_done: bool,
}

/// Who makes games.
#[derive(Clone, Copy)]
pub enum Makers<'a> {
    /// So many threads.
    Threads(usize),
    /// Workers on other machines, all of the games: there are no shards of those.
    Workers(RemoteGames<'a>),
}

/// How a run is done.
pub struct Production<'a> {
    /// What makes the games.
    pub make: &'a dyn Make,
    /// How many of them.
    pub amount: Amount,
    /// The part of them that is made here.
    pub shard: Option<Shard>,
    /// Who makes them.
    pub makers: Makers<'a>,
    /// Says before each game whether it is time to stop.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

/// How often games are checked, in games.
const CHECK_EVERY: u64 = 16;

impl Production<'_> {
    /// Makes what the file has not, and leaves the file in order. No game that the file held is
    /// removed, however few are wanted. Stops with an error as soon as scores and results do not
    /// speak for the same side. The first progress that is observed is what the file held.
    pub fn run(
        &self,
        mut writer: Writer,
        held: Held,
        observe: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Summary, DataError> {
        let mut collected = Collected::new(self, observe);
        for game in held.games() {
            collected.count(&game);
        }
        drop(held);
        collected.summary.check()?;
        let before = collected.numbers.clone();
        collected.tell();
        match self.makers {
            Makers::Threads(threads) => self.make_here(threads.max(1), &mut writer, &mut collected),
            Makers::Workers(games) => games.make(self, &mut writer, &mut collected),
        }?;
        // Threads begin games before it is known that the ones before are enough: those go, so that
        // the file does not depend on the number of threads.
        let end = collected.prefix.end();
        let is_within = |number| end.is_none_or(|end| number < end);
        let file = writer.finish(&|number| is_within(number) || before.contains(&number))?;
        let summary = Summary::of(&file);
        summary.check()?;
        Ok(summary)
    }

    /// Makes games on threads of this machine.
    fn make_here(
        &self,
        threads: usize,
        writer: &mut Writer,
        collected: &mut Collected<'_>,
    ) -> Result<(), DataError> {
        let numbers = Mutex::new(Numbers::new(self.shard, &collected.numbers));
        let stop = AtomicBool::new(collected.is_done());
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..threads {
                let (sender, numbers, stop) = (sender.clone(), &numbers, &stop);
                scope.spawn(move || self.work(numbers, stop, &sender));
            }
            drop(sender);
            let mut failed = Ok(());
            for game in receiver {
                let kept = game.and_then(|game: PackedGame| collected.keep(&game, writer));
                if failed.is_ok() && kept.is_err() {
                    failed = kept;
                }
                if failed.is_err() || collected.is_done() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            failed
        })
    }

    /// What a thread does.
    fn work(
        &self,
        numbers: &Mutex<Numbers>,
        stop: &AtomicBool,
        sender: &mpsc::Sender<Result<PackedGame, DataError>>,
    ) {
        while !stop.load(Ordering::Relaxed) && !(self.is_over)() {
            let number = numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
            let is_beyond = matches!(self.amount, Amount::Games(count) if number >= count);
            // Packed by the threads that play: the one that collects all games has no time for it.
            if is_beyond || sender.send(self.make.make(number).map(PackedGame::from)).is_err() {
                return;
            }
        }
    }
}

/// The games of a run so far.
pub(crate) struct Collected<'a> {
    summary: Summary,
    prefix: Prefix,
    numbers: BTreeSet<u32>,
    /// How many scored states have been made since the run began.
    made: u64,
    observe: &'a mut dyn FnMut(&Progress<'_>),
}

impl<'a> Collected<'a> {
    fn new(production: &Production<'_>, observe: &'a mut dyn FnMut(&Progress<'_>)) -> Self {
        Collected {
            summary: Summary::default(),
            prefix: Prefix::new(production.amount, production.shard),
            numbers: BTreeSet::new(),
            made: 0,
            observe,
        }
    }

    /// Counts a game that the file holds.
    fn count(&mut self, game: &GameData) {
        self.summary.add(game);
        self.prefix.add(game.number, game.scored());
        self.numbers.insert(game.number);
    }

    /// Writes a game that was made, unless the file has it.
    pub(crate) fn keep(
        &mut self,
        packed: &PackedGame,
        writer: &mut Writer,
    ) -> Result<(), DataError> {
        let game = &packed.game;
        if self.has(game.number) {
            return Ok(());
        }
        writer.push(packed)?;
        self.count(game);
        self.made += game.scored() as u64;
        self.tell();
        let is_checked = self.summary.games.is_multiple_of(CHECK_EVERY);
        if is_checked { self.summary.check() } else { Ok(()) }
    }

    /// Tells the observer where the run stands.
    fn tell(&mut self) {
        let (share, is_done) = (self.prefix.share(), self.is_done());
        (self.observe)(&Progress { summary: &self.summary, made: self.made, share, is_done });
    }

    /// Whether the file has the game of that number.
    pub(crate) fn has(&self, number: u32) -> bool {
        self.numbers.contains(&number)
    }

    /// Whether no game from that number on is needed: those before it are enough, though some of
    /// them may be missing yet.
    pub(crate) fn is_enough_before(&self, number: u32) -> bool {
        self.prefix.share() >= 1.0 && self.numbers.last().is_some_and(|&last| last < number)
    }

    /// Whether there is as much as is wanted.
    pub(crate) fn is_done(&self) -> bool {
        self.prefix.is_done()
    }
}

/// The numbers of games that are not there yet.
struct Numbers {
    next: u32,
    step: u32,
    held: Vec<u32>,
}

impl Numbers {
    fn new(shard: Option<Shard>, held: &BTreeSet<u32>) -> Numbers {
        let (next, step) = places(shard);
        Numbers { next, step, held: held.iter().copied().collect() }
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
