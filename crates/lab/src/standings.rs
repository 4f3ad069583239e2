//! Who has won how often against whom: counted game by game, live or out of a store.

use crate::contestant::Contestant;
use crate::digest::{Digest, GameDigest};
use crate::record::{Failure, GameResult, Reason};
use crate::store::{Damage, Entrant, Store, StoreError};
use monteverde_game::Side;
use monteverde_statistics::{
    Crosstable, Pairs, Ratings, Sample, Score, Wdl, rate_own, total_score,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The counted games of some contestants, who are numbered from 0. Void games are in none of the
/// counts but [`Standings::void`] and [`Standings::failures`].
#[derive(Clone, Debug, Default)]
pub struct Standings {
    names: Vec<String>,
    games: u64,
    void: u64,
    /// By who had the first move, counted for it.
    cells: BTreeMap<(usize, usize), Wdl>,
    /// By contestants with the smaller number first, counted for that one.
    pairs: BTreeMap<(usize, usize), Pairs>,
    /// Half points of the contestant with the smaller number in the one game of a pair that is
    /// known.
    halves: HashMap<(usize, usize, u64), u64>,
    failures: BTreeMap<(usize, Failure), u64>,
    reasons: BTreeMap<String, u64>,
    /// By contestants with the smaller number first; `None` where a game's own digest is not
    /// known.
    digests: BTreeMap<(usize, usize), Option<Digest>>,
}

/// One counted game.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a> {
    /// The number of who moved first.
    pub first: usize,
    /// The number of who moved second.
    pub second: usize,
    /// The number that both games of a pair share.
    pub pair: u64,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub reason: &'a Reason,
    /// Its digest, where its steps are known.
    pub digest: Option<GameDigest>,
}

impl Standings {
    /// No games yet between contestants of these names.
    pub fn new(names: Vec<String>) -> Standings {
        Standings { names, ..Standings::default() }
    }

    /// All games of that name in a store, and those that cannot be read. Contestants that share a
    /// name are told apart by their paces, and by a number where that is not enough. They are in
    /// the order of their names.
    pub fn from_store(store: &Store, game: &str) -> Result<(Standings, Vec<Damage>), StoreError> {
        let entrants = store.entrants_of(game)?;
        let numbers: HashMap<i64, usize> = entrants.iter().map(|one| one.id).zip(0..).collect();
        let mut standings = Standings::new(labels(&entrants));
        let damaged = store.entries(game, |entry| {
            // A game that is written while we read may have players that came after the list was
            // made.
            let (Some(&first), Some(&second)) =
                (numbers.get(&entry.first), numbers.get(&entry.second))
            else {
                return;
            };
            if first != second {
                let (pair, result, reason) = (entry.pair, entry.result, &entry.reason);
                standings.count(&Counted { first, second, pair, result, reason, digest: None });
            }
        })?;
        Ok((standings, damaged))
    }

    /// Counts a game.
    ///
    /// # Panics
    /// If there is no contestant of that number.
    pub fn count(&mut self, game: &Counted<'_>) {
        let &Counted { first, second, pair, result, reason, digest } = game;
        assert!(first.max(second) < self.names.len(), "{first}-{second}: no such contestant");
        if let Reason::Failed(failure) = reason {
            let loser = if result == GameResult::First { second } else { first };
            *self.failures.entry((loser, *failure)).or_default() += 1;
        }
        if reason.is_void() {
            self.void += 1;
            return;
        }
        self.games += 1;
        *self.cells.entry((first, second)).or_default() += match result {
            GameResult::First => Wdl::new(1, 0, 0),
            GameResult::Draw => Wdl::new(0, 1, 0),
            GameResult::Second => Wdl::new(0, 0, 1),
        };
        *self.reasons.entry(reason.to_string()).or_default() += 1;
        let (low, high) = (first.min(second), first.max(second));
        let side = if first == low { Side::First } else { Side::Second };
        let sum = self.digests.entry((low, high)).or_insert_with(|| Some(Digest::default()));
        *sum = sum.zip(digest).map(|(mut sum, game)| {
            sum.add(game, side);
            sum
        });
        let half_points = result.half_points(side);
        match self.halves.remove(&(low, high, pair)) {
            Some(before) => {
                let total = (before + half_points) as usize;
                self.pairs.entry((low, high)).or_default().0[total] += 1;
            }
            None => {
                self.halves.insert((low, high, pair), half_points);
            }
        }
    }

    /// The contestants' names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many games are counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many games are void, since a player did not start, crashed or hung.
    pub fn void(&self) -> u64 {
        self.void
    }

    /// The games of two contestants, counted for `player`.
    pub fn between(&self, player: usize, opponent: usize) -> Wdl {
        self.as_first(player, opponent) + self.as_first(opponent, player).reversed()
    }

    /// The games in which `player` had the first move against `opponent`, counted for it.
    pub fn as_first(&self, player: usize, opponent: usize) -> Wdl {
        self.cells.get(&(player, opponent)).copied().unwrap_or_default()
    }

    /// The complete pairs of two contestants, counted for `player`.
    pub fn pairs(&self, player: usize, opponent: usize) -> Pairs {
        let key = (player.min(opponent), player.max(opponent));
        let pairs = self.pairs.get(&key).copied().unwrap_or_default();
        if player == key.0 { pairs } else { pairs.reversed() }
    }

    /// The digest of the games of two contestants, which is the same for either; `None` without
    /// games, and where the steps of one are not known.
    pub fn digest(&self, player: usize, opponent: usize) -> Option<Digest> {
        *self.digests.get(&(player.min(opponent), player.max(opponent)))?
    }

    /// What statistics of two contestants are to be made of: their complete pairs, and the games
    /// that belong to none.
    pub fn sample(&self, player: usize, opponent: usize) -> Sample {
        Sample::of(self.between(player, opponent), Some(self.pairs(player, opponent)))
    }

    /// All games of a contestant, counted for it.
    pub fn total(&self, player: usize) -> Wdl {
        (0..self.names.len())
            .filter(|&opponent| opponent != player)
            .fold(Wdl::default(), |sum, opponent| sum + self.between(player, opponent))
    }

    /// The score of a contestant in all its games; `None` without any.
    pub fn total_score(&self, player: usize) -> Option<Score> {
        let opponents = (0..self.names.len()).filter(|&opponent| opponent != player);
        total_score(opponents.map(|opponent| self.sample(player, opponent)))
    }

    /// How often a contestant failed, by the way it did; without those that never happened.
    pub fn failures(&self, player: usize) -> Vec<(Failure, u64)> {
        let range = self.failures.range((player, Failure::ALL[0])..);
        let own = range.take_while(|((number, _), _)| *number == player);
        own.map(|(&(_, failure), &count)| (failure, count)).collect()
    }

    /// How often games ended for each reason.
    pub fn reasons(&self) -> &BTreeMap<String, u64> {
        &self.reasons
    }

    /// The results as the rating model takes them.
    pub fn crosstable(&self) -> Crosstable {
        let mut table = Crosstable::new(self.names.len());
        for (&(first, second), &games) in &self.cells {
            table.add(first, second, games);
        }
        table
    }

    /// Ratings by BayesElo's model with the parameters that these games show.
    pub fn ratings(&self) -> Ratings {
        let pairs = self.pairs.iter().map(|(&(one, two), &pairs)| (one, two, pairs));
        rate_own(&self.crosstable(), &pairs.collect::<Vec<_>>())
    }
}

/// What the contestants of a store are called in tables.
fn labels(entrants: &[Entrant]) -> Vec<String> {
    let shared = |name: &str| entrants.iter().filter(|one| one.name == name).count() > 1;
    let label = |one: &Entrant| match serde_json::from_str::<Contestant>(&one.text) {
        Ok(contestant) if shared(&one.name) => format!("{} {}", one.name, contestant.pace),
        _ => one.name.clone(),
    };
    let mut labels: Vec<_> = entrants.iter().map(label).collect();
    make_unique(&mut labels);
    labels
}

/// Numbers the second and later contestants of one name, with numbers that make no name of another.
pub(crate) fn make_unique(names: &mut [String]) {
    let mut taken: HashSet<String> = names.iter().cloned().collect();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for name in names {
        let times = seen.entry(name.clone()).or_insert(0);
        *times += 1;
        if *times > 1 {
            let free = loop {
                let numbered = format!("{name} #{times}");
                if taken.insert(numbered.clone()) {
                    break numbered;
                }
                *times += 1;
            };
            *name = free;
        }
    }
}

/// Hands on what comes in any order in the order of its numbers, from 0 on.
#[derive(Debug)]
pub struct InOrder<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        InOrder { next: 0, waiting: BTreeMap::new() }
    }
}

impl<T> InOrder<T> {
    /// Takes in number `index`.
    pub fn push(&mut self, index: u64, item: T) {
        self.waiting.insert(index, item);
    }

    /// The next in order, if it is there.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(first: usize, second: usize, pair: u64, result: GameResult) -> Counted<'static> {
        static END: std::sync::LazyLock<Reason> =
            std::sync::LazyLock::new(|| Reason::Rule("end".to_owned()));
        Counted { first, second, pair, result, reason: &END, digest: None }
    }

    #[test]
    fn games_and_pairs_are_counted_for_both() {
        let mut standings = Standings::new(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]);
        for counted in [
            game(1, 0, 7, GameResult::First),
            game(0, 1, 7, GameResult::First),
            game(0, 1, 8, GameResult::First),
            game(1, 0, 8, GameResult::Draw),
            game(0, 2, 7, GameResult::Second),
        ] {
            standings.count(&counted);
        }
        assert_eq!(standings.between(0, 1), Wdl::new(2, 1, 1));
        assert_eq!(standings.between(1, 0), Wdl::new(1, 1, 2));
        assert_eq!(standings.pairs(0, 1), Pairs::new([0, 0, 1, 1, 0]));
        assert_eq!(standings.pairs(1, 0), Pairs::new([0, 1, 1, 0, 0]));
        assert!(matches!(standings.sample(0, 1), Sample::Pairs(_)));
        assert!(matches!(standings.sample(0, 2), Sample::Games(_)));
        assert_eq!(standings.total(0), Wdl::new(2, 1, 2));
        assert_eq!(standings.ratings().players(), 3);
    }

    #[test]
    fn failures_are_the_losers_and_void_games_count_for_nobody() {
        let mut standings = Standings::new(vec!["a".to_owned(), "b".to_owned()]);
        for (failure, result) in [
            (Failure::Crash, GameResult::First),
            (Failure::Crash, GameResult::First),
            (Failure::Stall, GameResult::First),
            (Failure::TimeLoss, GameResult::Second),
        ] {
            let reason = Reason::Failed(failure);
            let counted = Counted { reason: &reason, ..game(0, 1, 0, result) };
            standings.count(&counted);
        }
        assert_eq!(standings.failures(0), [(Failure::TimeLoss, 1)]);
        assert_eq!(standings.failures(1), [(Failure::Crash, 2), (Failure::Stall, 1)]);
        assert_eq!((standings.games(), standings.void()), (1, 3));
        assert_eq!(standings.between(0, 1), Wdl::new(0, 0, 1));
        assert_eq!(standings.reasons().len(), 1, "{:?}", standings.reasons());
    }

    #[test]
    fn order_is_restored() {
        let mut order = InOrder::default();
        order.push(1, 'b');
        assert_eq!(order.pop(), None);
        order.push(0, 'a');
        assert_eq!([order.pop(), order.pop(), order.pop()], [Some('a'), Some('b'), None]);
    }

    #[test]
    fn names_become_unique() {
        let mut names = ["a", "b", "a", "a"].map(str::to_owned);
        make_unique(&mut names);
        assert_eq!(names, ["a", "b", "a #2", "a #3"]);
        let mut names = ["a", "a #2", "a", "a", "a #2"].map(str::to_owned);
        make_unique(&mut names);
        assert_eq!(names, ["a", "a #2", "a #3", "a #4", "a #2 #2"]);
    }
}
