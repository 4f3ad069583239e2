//! Which games of a contest came to an ending that endgame tables know. Records hold moves alone,
//! so the games are played again by the rules, which is done only where it is asked for.

use crate::adjudication::TABLES;
use crate::record::GameRecord;
use crate::store::{Store, StoreError};
use crate::task::{Key, Task};
use monteverde_game::Game;
use monteverde_players::{AnyGame, AnySearcher, Settings};
use monteverde_report::{ReachedCell, ReachedEndings};
use std::collections::{BTreeMap, HashMap};

/// The endings that a game's tables of up to so many pieces know.
pub struct KnownEndings {
    game: AnyGame,
    pieces: u32,
    tables: AnySearcher,
}

/// A game of a contest that counts, as it is found in the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedGame {
    /// The key of its task.
    pub key: Key,
    /// The number that both games of a pair share.
    pub pair: u64,
    /// The name of who moved first.
    pub first: String,
    /// The name of who moved second.
    pub second: String,
}

/// Why games that came to an ending cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum ReachedError {
    /// There are no such tables.
    #[error(
        "endings that endgame tables of up to {pieces} pieces know cannot be counted: {reason}"
    )]
    NoTables {
        /// How many pieces they should have.
        pieces: u32,
        /// What is missing.
        reason: String,
    },
    /// A record is not a game by the rules.
    #[error("the game {key} cannot be played again: {problem}")]
    Record {
        /// Its key.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<&Task> for CountedGame {
    fn from(task: &Task) -> CountedGame {
        let [first, second] = [&task.first, &task.second].map(|one| one.name.clone());
        CountedGame { key: task.key(), pair: task.pair, first, second }
    }
}

impl KnownEndings {
    /// Refuses a game that has no endgame tables at all, whatever this machine has.
    pub fn check(game: AnyGame, pieces: u32) -> Result<(), ReachedError> {
        let reason = game.missing_tables(*TABLES.start());
        reason.map_or(Ok(()), |reason| Err(ReachedError::NoTables { pieces, reason }))
    }

    /// Finds the tables, all of which have to be here: without one of them games would be missed.
    pub fn new(game: AnyGame, pieces: u32) -> Result<KnownEndings, ReachedError> {
        if let Some(reason) = game.missing_tables(pieces) {
            return Err(ReachedError::NoTables { pieces, reason });
        }
        let tables = game.searcher(&Settings { pieces, ..Settings::default() });
        Ok(KnownEndings { game, pieces, tables })
    }

    /// Counts the games of players of these names, by who met.
    ///
    /// # Panics
    /// If a game is of somebody else.
    pub fn count(
        &self,
        games: &[CountedGame],
        names: &[String],
        store: &Store,
    ) -> Result<ReachedEndings, ReachedError> {
        let numbers: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        let mut tally = ReachedTally::default();
        for game in games {
            let key = game.key.to_string();
            let Some(record) = store.record(&key)? else {
                let problem = "the store does not hold it".to_owned();
                return Err(ReachedError::Record { key, problem });
            };
            let two = (numbers[game.first.as_str()], numbers[game.second.as_str()]);
            tally.count(two, game.pair, self.are_reached_by(&record)?);
        }
        Ok(tally.endings(self.pieces))
    }

    /// Whether the tables know some state of a game, its first and its last among them.
    pub fn are_reached_by(&self, record: &GameRecord) -> Result<bool, ReachedError> {
        let wrong = |problem: String| ReachedError::Record { key: record.key.clone(), problem };
        let start = self.game.read_state(&record.start_state);
        let mut state = start.map_err(|error| wrong(error.to_string()))?;
        let mut steps = record.moves.iter();
        loop {
            if !state.is_pending() && self.tables.probe(&state).is_proven() {
                return Ok(true);
            }
            let Some(step) = steps.next() else { return Ok(false) };
            if state.is_pending() {
                let event = state.parse_event(&step.text);
                state.settle(event.map_err(|error| wrong(error.to_string()))?);
            } else {
                let mv = state.parse_move(&step.text);
                state.play(mv.map_err(|error| wrong(error.to_string()))?);
            }
        }
    }
}

/// The count, game by game.
#[derive(Debug, Default)]
struct ReachedTally {
    /// By players with the smaller number first.
    cells: BTreeMap<(usize, usize), (u64, [u64; 3])>,
    /// The one game of a pair that is known.
    halves: HashMap<(usize, usize, u64), bool>,
}

impl ReachedTally {
    fn count(&mut self, (first, second): (usize, usize), pair: u64, is_reached: bool) {
        let (low, high) = (first.min(second), first.max(second));
        let (games, pairs) = self.cells.entry((low, high)).or_default();
        *games += u64::from(is_reached);
        match self.halves.remove(&(low, high, pair)) {
            Some(other) => pairs[usize::from(is_reached) + usize::from(other)] += 1,
            None => drop(self.halves.insert((low, high, pair), is_reached)),
        }
    }

    fn endings(self, pieces: u32) -> ReachedEndings {
        let cells = self.cells.into_iter();
        let cell =
            |((player, opponent), (games, pairs))| ReachedCell { player, opponent, games, pairs };
        ReachedEndings { pieces, cells: cells.map(cell).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{By, GameResult, MoveRecord};
    use crate::store::tests::record;
    use crate::testing::game;

    fn played(start: &str, steps: &[(&str, By)]) -> GameRecord {
        let step = |&(text, by): &(&str, By)| MoveRecord {
            text: text.to_owned(),
            by,
            ..MoveRecord::default()
        };
        GameRecord {
            start_state: start.to_owned(),
            moves: steps.iter().map(step).collect(),
            ..record(1, GameResult::Draw)
        }
    }

    /// King and rook against king and pawn, until the rook takes the pawn; and until it does not.
    #[test]
    fn a_game_is_played_again_until_the_tables_know_it() {
        let endings = KnownEndings::new(game("chess"), 3).unwrap();
        let reached = |start: &str, moves: &[&str]| {
            let steps: Vec<_> = moves.iter().map(|&text| (text, By::Player)).collect();
            endings.are_reached_by(&played(start, &steps)).map_err(|error| error.to_string())
        };
        let start = "8/8/8/3k4/7p/8/7R/2K5 b - - 0 1";
        assert_eq!(reached(start, &[]), Ok(false));
        assert_eq!(reached(start, &["d5e5", "c1d1"]), Ok(false));
        assert_eq!(reached(start, &["d5e5", "h2h4"]), Ok(true), "the last state counts");
        assert_eq!(reached(start, &["d5e5", "h2h4", "e5d5", "h4h5"]), Ok(true));
        assert_eq!(reached("8/8/8/3k4/8/8/7R/2K5 b - - 0 1", &[]), Ok(true), "so does the first");
        let error = reached(start, &["d5d2"]).unwrap_err();
        assert!(error.contains("cannot be played again"), "{error}");
        assert!(reached("8/8", &[]).is_err());
    }

    /// Chance is no move: its steps are played as what they are.
    #[test]
    fn games_with_chance_are_played_again() {
        let dark = KnownEndings::new(game("banqi"), 2).unwrap();
        let start = game("banqi").start();
        let (mut state, mut steps) = (start.clone(), Vec::new());
        let mut rng = monteverde_game::Rng::new(1);
        for _ in 0..20 {
            if state.is_pending() {
                let event = state.sample_event(&mut rng);
                steps.push((state.event_text(event), By::Chance));
                state.settle(event);
            } else {
                let mut moves = Vec::new();
                state.moves(&mut moves);
                steps.push((state.move_text(moves[0]), By::Player));
                state.play(moves[0]);
            }
        }
        assert!(steps.iter().any(|(_, by)| *by == By::Chance));
        let steps: Vec<_> = steps.iter().map(|(text, by)| (text.as_str(), *by)).collect();
        let record = played(&start.state_text(), &steps);
        assert!(!dark.are_reached_by(&record).unwrap());
    }

    #[test]
    fn games_are_counted_alone_and_in_pairs() {
        let mut tally = ReachedTally::default();
        for (two, pair, is_reached) in [
            ((0, 1), 7, true),
            ((1, 0), 7, false),
            ((0, 1), 8, true),
            ((1, 0), 8, true),
            ((2, 0), 7, false),
            ((0, 2), 7, false),
            ((0, 2), 9, true),
        ] {
            tally.count(two, pair, is_reached);
        }
        let cell = |opponent, games, pairs| ReachedCell { player: 0, opponent, games, pairs };
        let cells = vec![cell(1, 3, [0, 1, 1]), cell(2, 1, [1, 0, 0])];
        assert_eq!(tally.endings(4), ReachedEndings { pieces: 4, cells });
        let none = ReachedEndings { pieces: 4, cells: Vec::new() };
        assert_eq!(ReachedTally::default().endings(4), none);
    }

    #[test]
    fn a_game_without_tables_is_refused() {
        for error in [
            KnownEndings::check(game("loa"), 4).unwrap_err(),
            KnownEndings::new(game("loa"), 4).err().unwrap(),
        ] {
            let error = error.to_string();
            assert!(
                error.contains("of up to 4 pieces") && error.contains("loa has none"),
                "{error}"
            );
        }
        assert!(KnownEndings::check(game("chess"), 4).is_ok(), "whatever this machine has");
    }
}
