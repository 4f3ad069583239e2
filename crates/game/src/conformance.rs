//! The conformance suite: what every game must pass before anything is built on it.
//!
//! A game hands in data (perft counts, recorded playthroughs, states worth visiting); the suite
//! plays random games and checks in every state that the methods of [`Game`] and [`Notation`] keep
//! their promises. A game's crate holds one test:
//!
//! ```
//! use monteverde_game::conformance::Suite;
//! use monteverde_game::fixtures::TicTacToe;
//!
//! Suite::<TicTacToe>::new()
//!     .perft(&[("startpos", 3, 504), ("xo. ... ...", 2, 42)])
//!     .playthrough(include_str!("../tests/tic-tac-toe.playthrough.txt"))
//!     .check();
//! ```

mod draws;
mod hooks;
mod past;
pub mod playthrough;
mod rules;
mod texts;

use crate::{Game, Notation, Rng};
use draws::Tally;
use past::Past;
use std::marker::PhantomData;

/// What is checked for the game `G`, and with which data.
#[derive(Clone, Debug)]
pub struct Suite<G> {
    perft: Vec<(String, u32, u64)>,
    playthroughs: Vec<String>,
    states: Vec<String>,
    seed: u64,
    games: u32,
    game: PhantomData<G>,
}

/// A rule of the suite that a game breaks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{game} breaks the rule '{rule}' in state '{state}': {detail}")]
pub struct Violation {
    /// The game's name.
    pub game: &'static str,
    /// The rule, a short sentence.
    pub rule: &'static str,
    /// The text of the state where it shows.
    pub state: String,
    /// What was seen and what was expected.
    pub detail: String,
}

impl<G: Notation> Suite<G> {
    /// The suite with 20 random games from the start, seed 1, and no data yet.
    pub fn new() -> Self {
        Suite {
            perft: Vec::new(),
            playthroughs: Vec::new(),
            states: Vec::new(),
            seed: 1,
            games: 20,
            game: PhantomData,
        }
    }

    /// Known counts as (state, depth, paths); `startpos` is the initial state.
    pub fn perft(mut self, counts: &[(&str, u32, u64)]) -> Self {
        let owned = |&(state, depth, paths): &(&str, u32, u64)| (state.to_owned(), depth, paths);
        self.perft.extend(counts.iter().map(owned));
        self
    }

    /// A recorded game, see [`playthrough`].
    pub fn playthrough(mut self, text: &str) -> Self {
        self.playthroughs.push(text.to_owned());
        self
    }

    /// States at which random games begin too, after the initial state: those with rules that
    /// random games seldom meet.
    pub fn states(mut self, texts: &[&str]) -> Self {
        self.states.extend(texts.iter().map(|&text| text.to_owned()));
        self
    }

    /// The seed of the random games.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How many random games are played; they take the initial state and [`Suite::states`] in turn,
    /// and each is visited at least once.
    pub fn games(mut self, games: u32) -> Self {
        self.games = games;
        self
    }

    /// Runs the suite.
    ///
    /// # Panics
    /// With the game, the state and the rule, at the first rule that is broken.
    pub fn check(&self) {
        if let Err(violation) = self.result() {
            panic!("{violation}");
        }
    }

    /// Runs the suite up to the first rule that is broken.
    pub fn result(&self) -> Result<(), Violation> {
        for (text, depth, paths) in &self.perft {
            let state: G = read(text)?;
            let found = state.perft(*depth);
            require(&state, "perft counts as recorded", found == *paths, || {
                format!("{found} paths of depth {depth}, not {paths}")
            })?;
        }
        for text in &self.playthroughs {
            playthrough::check::<G>(text)?;
        }
        let mut starts = vec![G::start()];
        for text in &self.states {
            starts.push(read(text)?);
        }
        let mut tally = Tally::default();
        let games = starts.len().max(self.games as usize);
        for (index, start) in starts.iter().cycle().take(games).enumerate() {
            walk(start, &mut Rng::stream(self.seed, index as u64), &mut tally)?;
        }
        draws::check_tally(&starts[0], tally)
    }
}

impl<G: Notation> Default for Suite<G> {
    fn default() -> Self {
        Self::new()
    }
}

/// A game longer than this is taken for one that does not end.
const LONGEST: u32 = 100_000;

/// The draws of one state in this many are looked at, and each game's first and last.
const STATES_PER_DRAWS: u32 = 8;

/// Plays one random game and checks every state on its way.
fn walk<G: Notation>(start: &G, rng: &mut Rng, tally: &mut Tally) -> Result<(), Violation> {
    let mut state = start.clone();
    // The same game as a playout would play it.
    let mut advanced = start.clone();
    let mut past = Past::default();
    for steps in 0..LONGEST {
        rules::check(&state)?;
        past.check(&state)?;
        texts::check(&state, rng)?;
        let over = state.outcome().is_some();
        if over || steps == 0 || rng.below(STATES_PER_DRAWS) == 0 {
            draws::check(&state, rng, tally)?;
        }
        hooks::check(&state, &advanced, &mut rng.clone())?;
        if over {
            return Ok(());
        }
        let step = AnyStep::draw(&state, rng);
        step.take(&mut state);
        hooks::advance(&mut advanced, &step);
    }
    Err(broken(&state, "a game ends", format!("it goes on after {LONGEST} steps")))
}

/// A move or an event.
enum AnyStep<G: Game> {
    Move(G::Move),
    Event(G::Event),
}

impl<G: Game> AnyStep<G> {
    /// One of the listed steps, so that it does not depend on the samplers under test.
    fn draw(state: &G, rng: &mut Rng) -> Self {
        if state.is_pending() {
            let mut events = Vec::new();
            state.events(&mut events);
            AnyStep::Event(events[rng.below(events.len() as u32) as usize].0)
        } else {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            AnyStep::Move(moves[rng.below(moves.len() as u32) as usize])
        }
    }

    fn take(&self, state: &mut G) {
        match *self {
            AnyStep::Move(mv) => state.play(mv),
            AnyStep::Event(event) => state.settle(event),
        }
    }
}

/// Reads a state of the suite's data.
fn read<G: Notation>(text: &str) -> Result<G, Violation> {
    if text == "startpos" {
        return Ok(G::start());
    }
    G::parse_state(text).map_err(|error| Violation {
        game: G::NAME,
        rule: "states of the data can be read",
        state: text.to_owned(),
        detail: error.to_string(),
    })
}

fn require<G: Notation>(
    state: &G,
    rule: &'static str,
    holds: bool,
    detail: impl FnOnce() -> String,
) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(broken(state, rule, detail())) }
}

fn broken<G: Notation>(state: &G, rule: &'static str, detail: String) -> Violation {
    Violation { game: G::NAME, rule, state: state.state_text(), detail }
}
