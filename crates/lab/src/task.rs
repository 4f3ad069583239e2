//! One game to be played.

use crate::adjudication::Adjudication;
use crate::contestant::Contestant;
use crate::opening::Opening;
use monteverde_game::Side;
use monteverde_game::rng::stream_seed;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
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
    /// What the program plays, [`crate::behaviour::behaviour`].
    pub behaviour: String,
    /// The program that plays, which is recorded and influences the game by its behaviour alone.
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

    /// The keys of void games that a game of the task takes the place of. The first is the one
    /// under which it is kept itself if it is void: it says nothing of what the programs of engines
    /// are, so that the game of a mended one replaces it. The other is the one of older programs.
    pub fn void_keys(&self) -> [Key; 2] {
        let [first, second] =
            [&self.first, &self.second].map(|one| Arc::new(one.without_identity()));
        let text = Task { first, second, ..self.clone() }.text();
        [format!("{text}\nvoid"), text].map(|text| Key(*blake3::hash(text.as_bytes()).as_bytes()))
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
        let Task { game, first, second, opening, pair: _, seed, adjudication, behaviour, build: _ } =
            self;
        let lines = [
            game.clone(),
            first.text(),
            second.text(),
            opening.text(),
            seed.to_string(),
            adjudication.text(),
            behaviour.clone(),
        ];
        lines.map(|line| line.replace('\n', "\\n")).join("\n")
    }
}

impl FromStr for Key {
    type Err = ();

    /// Reads 64 hexadecimal digits.
    fn from_str(text: &str) -> Result<Key, ()> {
        blake3::Hash::from_hex(text).map(|hash| Key(*hash.as_bytes())).map_err(drop)
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
    use crate::contestant::{EngineIdentity, EngineSpec};
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
            behaviour: "test".to_owned(),
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
            Task { behaviour: "other".to_owned(), ..task() },
            Task { first: slower, ..task() },
            swapped,
        ] {
            assert_ne!(other.key(), key);
        }
    }

    #[test]
    fn names_of_openings_pairs_and_builds_do_not() {
        let renamed = OpeningLine { name: "initial".to_owned(), ..OpeningLine::start() };
        let other = Task { opening: Opening::Line(Arc::new(renamed)), pair: 9, ..task() };
        assert_eq!(other.key(), task().key());
        assert_eq!(Task { build: "other".to_owned(), ..task() }.key(), task().key());
        assert_eq!(task().key().to_string().parse(), Ok(task().key()));
        assert_eq!("7".parse::<Key>(), Err(()));
    }

    #[test]
    fn a_void_game_does_not_tell_programs_apart() {
        let with = |digest: &str| {
            let identity = EngineIdentity { name: "E".to_owned(), digest: digest.to_owned() };
            let spec = EngineSpec { identity: Some(identity), ..EngineSpec::new("e") };
            Task { first: Arc::new(Contestant::engine(spec, Pace::Nodes(1))), ..task() }
        };
        let (one, two) = (with("1"), with("2"));
        assert_ne!(one.key(), two.key());
        assert_eq!(one.void_keys(), two.void_keys());
        assert_ne!(one.void_keys(), Task { seed: 3, ..one.clone() }.void_keys());
        assert!(!one.void_keys().contains(&one.key()));
        assert_eq!(task().void_keys()[1], task().key());
    }

    #[test]
    fn tasks_travel_as_json() {
        let text = serde_json::to_string(&task()).unwrap();
        assert_eq!(serde_json::from_str::<Task>(&text).unwrap(), task());
    }
}
