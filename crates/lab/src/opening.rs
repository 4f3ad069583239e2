//! Where games begin.

mod file;

pub use file::{read, read_text};

use monteverde_game::rng::stream_seed;
use monteverde_game::{Game, NotationError, Rng};
use monteverde_mcts::{Config, Control, Limit, NoClock, Signal};
use monteverde_players::{AnyGame, AnyState, AnyStep, Settings};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A state and the steps played from it before the players take over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningLine {
    /// What it is called in records.
    pub name: String,
    /// The state in the game's notation, or `startpos`.
    pub state: String,
    /// Moves, and events where chance decides.
    pub moves: Vec<String>,
}

/// How one pair of games begins. A random opening is a recipe, made into a [`OpeningLine`] only
/// when the game is played: thousands of them cost nothing to list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opening {
    /// A given line.
    Line(Arc<OpeningLine>),
    /// Random moves from the start.
    Random(Recipe),
}

/// How a random opening is made.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// So many moves; chance is not counted.
    pub plies: u32,
    /// The seed it is drawn with.
    pub seed: u64,
    /// Whether unequal states are thrown away.
    pub balance: Option<Balance>,
}

/// Which states count as balanced: those that a plain search of so many iterations gives a mean of
/// at most that far from 0.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Balance {
    /// The greatest mean, in 0..=1.
    pub within: f64,
    /// How long the search looks.
    pub iterations: u64,
}

/// Openings for as many pairs as are asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Book {
    /// The initial state alone.
    Start,
    /// Given lines, taken in turn.
    Lines(Vec<Arc<OpeningLine>>),
    /// Random openings, another for each pair.
    Random {
        /// So many moves.
        plies: u32,
        /// Whether unequal states are thrown away.
        balance: Option<Balance>,
    },
}

/// Why there is no opening.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("the openings file '{}' cannot be read: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A line of the file is no opening.
    #[error("the openings file '{}', {place}: {problem}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The line, or the game of a PGN file, with its number from 1.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// The file has no opening.
    #[error("the openings file '{}' holds no opening", .0.display())]
    Empty(PathBuf),
    /// A file of records of another game.
    #[error(
        "files with the ending .{extension} hold no games of {game}; accepted are states in .epd and moves in .txt"
    )]
    OtherRecords {
        /// The ending of the file's name.
        extension: String,
        /// The game.
        game: &'static str,
    },
    /// The line does not fit the game.
    #[error("the opening '{name}' cannot be played: {error}")]
    Line {
        /// Its name.
        name: String,
        /// What is wrong.
        error: NotationError,
    },
    /// The line ends the game.
    #[error("the opening '{0}' leaves nothing to play: the game is over")]
    Over(String),
    /// No random opening fits.
    #[error(
        "none of {ATTEMPTS} random openings of {plies} plies is playable and balanced enough; ask for \
         fewer plies or less balance"
    )]
    Random {
        /// How many plies were asked for.
        plies: u32,
    },
    /// There are too many lines to list them all.
    #[error("{game} has more than {MOST_LINES} openings of {plies} plies; ask for fewer plies")]
    TooMany {
        /// The game.
        game: &'static str,
        /// How many plies were asked for.
        plies: u32,
    },
}

/// How often a random opening is drawn anew before it is given up.
const ATTEMPTS: u64 = 1000;

/// More lines than this are not listed.
const MOST_LINES: usize = 1_000_000;

/// The tree of the search that judges balance.
const BALANCE_MEMORY: usize = 64 << 20;

impl Opening {
    /// The text that goes into a task's key: names do not matter.
    pub fn text(&self) -> String {
        match self {
            Opening::Line(line) => format!("{} moves {}", line.state, line.moves.join(" ")),
            Opening::Random(recipe) => {
                format!("random {}", serde_json::to_string(recipe).expect("plain data"))
            }
        }
    }

    /// The line to be played.
    pub fn line(&self, game: AnyGame) -> Result<Arc<OpeningLine>, OpeningError> {
        match self {
            Opening::Line(line) => Ok(line.clone()),
            Opening::Random(recipe) => recipe.line(game).map(Arc::new),
        }
    }
}

impl Book {
    /// The opening of pair number `pair`, whose seed is `seed`.
    pub fn opening(&self, pair: u64, seed: u64) -> Opening {
        match self {
            Book::Start => Opening::Line(Arc::new(OpeningLine::start())),
            Book::Lines(lines) => {
                Opening::Line(lines[(pair % lines.len() as u64) as usize].clone())
            }
            &Book::Random { plies, balance } => Opening::Random(Recipe { plies, seed, balance }),
        }
    }

    /// Every line of exactly `plies` moves from the start that leads to a state of its own, in an
    /// order drawn with the seed. Games with chance have no such book.
    pub fn every(game: AnyGame, plies: u32, seed: u64) -> Result<Book, OpeningError> {
        let mut lines = vec![(game.start(), Vec::new())];
        let mut buffer = Vec::new();
        for _ in 0..plies {
            let mut next = Vec::new();
            let mut seen = HashSet::new();
            for (state, moves) in lines {
                buffer.clear();
                state.moves(&mut buffer);
                for &mv in &buffer {
                    let mut after = state.clone();
                    after.play(mv);
                    if after.outcome().is_none() && !after.is_pending() && seen.insert(after.key())
                    {
                        let mut moves: Vec<String> = moves.clone();
                        moves.push(state.move_text(mv));
                        next.push((after, moves));
                    }
                }
                if next.len() > MOST_LINES {
                    return Err(OpeningError::TooMany { game: game.name(), plies });
                }
            }
            lines = next;
        }
        if lines.is_empty() {
            return Err(OpeningError::Random { plies });
        }
        let line = |(_, moves): (AnyState, Vec<String>)| OpeningLine {
            name: moves.join(" "),
            state: START.to_owned(),
            moves,
        };
        let mut lines: Vec<_> = lines.into_iter().map(|found| Arc::new(line(found))).collect();
        Rng::new(seed).shuffle(&mut lines);
        Ok(Book::Lines(lines))
    }
}

const START: &str = "startpos";

impl OpeningLine {
    /// The initial state and no moves.
    pub fn start() -> OpeningLine {
        OpeningLine { name: "start".to_owned(), state: START.to_owned(), moves: Vec::new() }
    }

    /// Random moves from the initial state.
    pub(crate) fn random(moves: Vec<String>) -> OpeningLine {
        let name = format!("random {}", moves.join(" "));
        OpeningLine { name, state: START.to_owned(), moves }
    }

    /// The state that the line starts from.
    pub fn first_state(&self, game: AnyGame) -> Result<AnyState, OpeningError> {
        game.read_state(&self.state).map_err(|error| self.wrong(error))
    }

    /// Plays the line and shows each step's text, as the game writes it, to `each` with the state
    /// after it.
    pub fn replay(
        &self,
        game: AnyGame,
        mut each: impl FnMut(String, &AnyState, Step),
    ) -> Result<AnyState, OpeningError> {
        let mut state = self.first_state(game)?;
        for text in &self.moves {
            if state.is_pending() {
                let event = state.parse_event(text).map_err(|error| self.wrong(error))?;
                let text = state.event_text(event);
                state.settle(event);
                each(text, &state, Step::Event(event));
            } else {
                if state.outcome().is_some() {
                    return Err(OpeningError::Over(self.name.clone()));
                }
                let mv = state.parse_move(text).map_err(|error| self.wrong(error))?;
                let text = state.move_text(mv);
                state.play(mv);
                each(text, &state, Step::Move(mv));
            }
        }
        if state.outcome().is_some() {
            return Err(OpeningError::Over(self.name.clone()));
        }
        Ok(state)
    }

    fn wrong(&self, error: NotationError) -> OpeningError {
        OpeningError::Line { name: self.name.clone(), error }
    }
}

/// A move or an event.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A decision.
    Move(AnyStep),
    /// A result of chance.
    Event(AnyStep),
}

impl Recipe {
    fn line(&self, game: AnyGame) -> Result<OpeningLine, OpeningError> {
        for attempt in 0..ATTEMPTS {
            let mut rng = Rng::stream(self.seed, attempt);
            if let Some((state, moves)) = random_moves(game, self.plies, &mut rng)
                && self.is_balanced(&state, stream_seed(self.seed, attempt))
            {
                return Ok(OpeningLine::random(moves));
            }
        }
        Err(OpeningError::Random { plies: self.plies })
    }

    fn is_balanced(&self, state: &AnyState, seed: u64) -> bool {
        let Some(Balance { within, iterations }) = self.balance else { return true };
        let config = Config { memory: BALANCE_MEMORY, seed, ..Config::default() };
        let settings = Settings { config, ..Settings::default() };
        let mut player = state.game().search_player(&settings, state);
        let control = Control {
            clock: &NoClock,
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| {},
        };
        player.think(&Limit::iterations(iterations), control).mean.abs() <= within
    }
}

/// Random moves from the start, `None` if they end the game.
fn random_moves(game: AnyGame, plies: u32, rng: &mut Rng) -> Option<(AnyState, Vec<String>)> {
    let mut state = game.start();
    let (mut texts, mut buffer, mut played) = (Vec::new(), Vec::new(), 0);
    while played < plies || state.is_pending() {
        if state.is_pending() {
            let event = state.sample_event(rng);
            texts.push(state.event_text(event));
            state.settle(event);
            continue;
        }
        if state.outcome().is_some() {
            return None;
        }
        buffer.clear();
        state.moves(&mut buffer);
        let mv = buffer[rng.below(buffer.len() as u32) as usize];
        texts.push(state.move_text(mv));
        state.play(mv);
        played += 1;
    }
    state.outcome().is_none().then_some((state, texts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::game;
    use monteverde_game::fixtures::TicTacToe;

    #[test]
    fn every_opening_is_there_once() {
        // Nine first moves, then 72 states with one mark each.
        for (plies, count) in [(0, 1), (1, 9), (2, 72), (3, 252)] {
            let Book::Lines(lines) = Book::every(game("tic-tac-toe"), plies, 1).unwrap() else {
                panic!()
            };
            assert_eq!(lines.len(), count);
        }
        let [one, two] = [1, 2].map(|seed| Book::every(game("tic-tac-toe"), 2, seed).unwrap());
        assert_ne!(one, two, "the seed gives the order");
        assert!(matches!(
            Book::every(game("tic-tac-toe"), 9, 1),
            Err(OpeningError::Random { plies: 9 })
        ));
    }

    #[test]
    fn random_openings_depend_on_their_seed_alone() {
        let book = Book::Random { plies: 3, balance: None };
        let line = |seed| book.opening(0, seed).line(game("tic-tac-toe")).unwrap();
        assert_eq!(line(5), line(5));
        assert!((0..20).any(|seed| line(seed) != line(5)));
        assert_eq!(line(5).moves.len(), 3);
    }

    #[test]
    fn random_openings_go_through_chance() {
        for seed in 0..20 {
            let recipe = Recipe { plies: 4, seed, balance: None };
            let line = Opening::Random(recipe).line(game("dice-race")).unwrap();
            let mut moves = 0;
            let state = line
                .replay(game("dice-race"), |_, _, step| {
                    moves += i32::from(matches!(step, Step::Move(_)))
                })
                .unwrap();
            assert_eq!(moves, 4);
            assert!(!state.is_pending() && state.outcome().is_none());
        }
    }

    #[test]
    fn balance_throws_unequal_states_away() {
        let mean = |balance| {
            let mut sum = 0.0;
            for seed in 0..20 {
                let line = Recipe { plies: 4, seed, balance }.line(game("tic-tac-toe")).unwrap();
                let state = line.replay(game("tic-tac-toe"), |_, _, _| {}).unwrap();
                let state: &TicTacToe = state.downcast().unwrap();
                sum += monteverde_game::fixtures::exact_value(state).abs();
            }
            sum / 20.0
        };
        let balanced = mean(Some(Balance { within: 0.1, iterations: 2000 }));
        assert!(balanced < 0.2 && mean(None) > 0.4, "{balanced} against {}", mean(None));
    }

    #[test]
    fn impossible_openings_are_refused() {
        let recipe = Recipe { plies: 9, seed: 1, balance: None };
        assert!(matches!(recipe.line(game("tic-tac-toe")), Err(OpeningError::Random { plies: 9 })));
        let line = |moves: &str| OpeningLine {
            name: "odd".to_owned(),
            state: START.to_owned(),
            moves: moves.split(' ').map(str::to_owned).collect(),
        };
        let replay = |moves| line(moves).replay(game("tic-tac-toe"), |_, _, _| {});
        assert!(matches!(replay("a1 a1"), Err(OpeningError::Line { .. })));
        assert!(matches!(replay("a1 b1 a2 b2 a3"), Err(OpeningError::Over(_))));
        assert!(replay("a1 b1").is_ok());
    }
}
