//! Shards: equal parts of some work that machines without a network between them do by themselves.
//!
//! What a shard does follows from the work alone, not from what a store holds, so that all shards
//! together do all of it once. Pieces are dealt in rounds of one each, each round from another
//! shard on: shards differ by a piece at most, and whatever recurs in the work (the meetings of a
//! round robin, the cells of a grid) comes to all of them. Both games of a pair stay together.

use crate::contestant::Contestant;
use crate::store::{Store, StoreError};
use crate::task::{Key, Task};
use monteverde_game::rng::stream_seed;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// One of several equal parts of some work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shard {
    number: u32,
    count: u32,
}

/// Why something is no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{}' is no shard; accepted is I/N, the I-th of N equal parts, such as 2/4, with I from 1 to N and N up to \
     {}", .0.escape_debug(), Shard::MOST
)]
pub struct ShardError(pub String);

/// Only a shard of the work was done, so there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "only shard {0} of the work was done, which has no results of its own; import all shards into a store, and \
     run the same with that store and without a shard"
)]
pub struct ShardDone(pub Shard);

impl Shard {
    /// There may be so many shards of some work.
    pub const MOST: u32 = 10_000;

    /// The shard of that number, from 1, of so many; `None` if there is no such shard.
    pub fn new(number: u32, count: u32) -> Option<Shard> {
        let is_one = (1..=count).contains(&number) && count <= Shard::MOST;
        is_one.then_some(Shard { number, count })
    }

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many shards there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether the piece of that number, from 0, of some work belongs to it. Works that are dealt
    /// one after the other differ in `work`, so that what is left over at their ends comes to
    /// different shards.
    pub(crate) fn takes(self, work: u64, piece: u64) -> bool {
        let count = u64::from(self.count);
        let turn = stream_seed(work, piece / count) % count;
        (piece % count + turn) % count == u64::from(self.number - 1)
    }

    /// The games that belong to it, with their numbers in the whole.
    pub(crate) fn games<T: IntoIterator<Item = Task>>(self, tasks: T) -> ShardGames<T::IntoIter> {
        ShardGames { shard: self, tasks: tasks.into_iter(), last: None, pairs: 0, games: 0 }
    }

    /// Notes in its file which games it is to play, and gives their number.
    pub(crate) fn note_games(
        self,
        tasks: impl IntoIterator<Item = Task>,
        store: &mut Store,
    ) -> Result<u64, StoreError> {
        store.note_due(self.games(tasks).map(|(_, task)| task.key()))
    }

    /// The same for pieces whose keys are known.
    pub(crate) fn note_keys(
        self,
        work: u64,
        keys: impl IntoIterator<Item = Key>,
        store: &mut Store,
    ) -> Result<u64, StoreError> {
        let own = (0..).zip(keys).filter(|(piece, _)| self.takes(work, *piece));
        store.note_due(own.map(|(_, key)| key))
    }
}

/// The games of a shard.
pub(crate) struct ShardGames<T> {
    shard: Shard,
    tasks: T,
    /// The pair of the last game of the whole, and its players.
    last: Option<(u64, [Arc<Contestant>; 2])>,
    /// How many pairs have begun.
    pairs: u64,
    /// How many games of the whole have come up.
    games: u64,
}

impl<T: Iterator<Item = Task>> Iterator for ShardGames<T> {
    type Item = (u64, Task);

    fn next(&mut self) -> Option<(u64, Task)> {
        const WORK: u64 = 0;
        loop {
            let task = self.tasks.next()?;
            let players = [task.first.clone(), task.second.clone()];
            // The other game of a pair has the same players with the sides swapped.
            let is_second = self.last.as_ref().is_some_and(|(pair, [first, second])| {
                *pair == task.pair && *first == players[1] && *second == players[0]
            });
            self.pairs += u64::from(!is_second);
            self.last = Some((task.pair, players));
            let (index, pair) = (self.games, self.pairs - 1);
            self.games += 1;
            if self.shard.takes(WORK, pair) {
                return Some((index, task));
            }
        }
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let number = |word: &str| {
            let is_plain = word.bytes().all(|byte| byte.is_ascii_digit());
            if is_plain { word.parse::<u32>().ok() } else { None }
        };
        let read =
            text.split_once('/').and_then(|(one, all)| Shard::new(number(one)?, number(all)?));
        read.ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests;
