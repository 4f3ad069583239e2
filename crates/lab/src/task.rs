//! One game to be played.

use crate::adjudication::Adjudication;
use crate::contestant::Contestant;
use crate::opening::Opening;
use monteverde_game::Side;
use monteverde_game::rng::stream_seed;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// One game to be played, with everything that decides how it goes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The game's name.
    pub game: String,
    /// Who moves first.
    pub first: Arc<Contestant>,
    /// The opponent.
    pub second: Arc<Contestant>,
    /// How the game begins.
    pub opening: Opening,
    /// The number that both games of a pair share; it does not influence the game.
    pub pair: u64,
    /// Where the seeds of players and chance come from.
    pub seed: u64,
    /// When the game is ended early.
    pub adjudication: Adjudication,
    /// The program that plays.
    pub build: String,
}

/// What tells tasks apart: two tasks that are to be the same game have the same key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key(pub [u8; 32]);

/// The stream of a game's seed that chance draws from; 0 and 1 are the players'.
const CHANCE: u64 = 2;

impl Task {
    /// The hash of everything that may influence the game.
    pub fn key(&self) -> Key {
        Key(*blake3::hash(self.text().as_bytes()).as_bytes())
    }

    /// The contestant on a side.
    pub fn contestant(&self, side: Side) -> &Arc<Contestant> {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }

    /// The seed of the player on a side.
    pub fn seat_seed(&self, side: Side) -> u64 {
        stream_seed(self.seed, side as u64)
    }

    /// The seed of chance.
    pub fn chance_seed(&self) -> u64 {
        stream_seed(self.seed, CHANCE)
    }

    /// The canonical text: a line each, none of which can contain a line end.
    fn text(&self) -> String {
        let Task { game, first, second, opening, pair: _, seed, adjudication, build } = self;
        let lines = [
            game.clone(),
            first.text(),
            second.text(),
            opening.text(),
            seed.to_string(),
            adjudication.text(),
            build.clone(),
        ];
        lines.map(|line| line.replace('\n', "\\n")).join("\n")
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::{Book, OpeningLine};
    use crate::pace::Pace;

    fn task() -> Task {
        let contestant = |name, count| Arc::new(Contestant::spec(name, Pace::Iterations(count)));
        Task {
            game: "tic-tac-toe".to_owned(),
            first: contestant("uct", 10),
            second: contestant("uct:c=0.5", 10),
            opening: Book::Start.opening(0, 0),
            pair: 1,
            seed: 2,
            adjudication: Adjudication::default(),
            build: "test".to_owned(),
        }
    }

    #[test]
    fn everything_that_matters_changes_the_key() {
        let key = task().key();
        let swapped = Task { first: task().second, second: task().first, ..task() };
        let length = Adjudication { length: Some(9), ..Adjudication::default() };
        let slower = Arc::new(Contestant::spec("uct", Pace::Iterations(11)));
        for other in [
            Task { game: "dice-race".to_owned(), ..task() },
            Task { seed: 3, ..task() },
            Task { opening: Book::Random { plies: 1, balance: None }.opening(0, 0), ..task() },
            Task { adjudication: length, ..task() },
            Task { build: "other".to_owned(), ..task() },
            Task { first: slower, ..task() },
            swapped,
        ] {
            assert_ne!(other.key(), key);
        }
    }

    #[test]
    fn names_of_openings_and_pairs_do_not() {
        let renamed = OpeningLine { name: "initial".to_owned(), ..OpeningLine::start() };
        let other = Task { opening: Opening::Line(Arc::new(renamed)), pair: 9, ..task() };
        assert_eq!(other.key(), task().key());
        assert_eq!(task().key().to_string().len(), 64);
    }

    #[test]
    fn tasks_travel_as_json() {
        let text = serde_json::to_string(&task()).unwrap();
        assert_eq!(serde_json::from_str::<Task>(&text).unwrap(), task());
    }
}
