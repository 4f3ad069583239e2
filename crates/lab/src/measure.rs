//! Measurements that need no opponent: what random playouts of a state come to, and what a player
//! chooses there.
//!
//! A measurement consists of many independent units (playouts, searches), each with random numbers
//! of its own. So its result depends on the seed alone, not on the number of threads.

mod endings;
mod findings;
mod mating;
mod parts;
mod playouts;
mod prediction;
mod schedule;
mod search;
mod selfplay;
mod shape;
mod until;

pub use endings::Mate;
pub use findings::Findings;
pub use mating::{DefenceTies, Hunt, MatingEnd, MatingLimit, MatingRules};
pub use parts::ProbePart;
pub use playouts::Tally;
pub use prediction::{GameLengths, Ranks};
pub use schedule::run_all;
pub use search::Choices;
pub use shape::{PlySums, Shape};
pub use until::{Hit, Waits};

use crate::behaviour::{Asked, behaviour};
use crate::crew::CrewError;
use crate::pace::Pace;
use crate::shard::ShardDone;
use crate::store::StoreError;
use crate::task::Key;
use monteverde_game::{Game, NotationError};
use monteverde_players::{AnyGame, AnyState, Spec, SpecError};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// A measurement to be made, with everything that decides what it finds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Probe {
    /// The game.
    pub game: AnyGame,
    /// The state, `startpos` or as the game writes it.
    pub state: String,
    /// Moves that are played from there first.
    pub moves: Vec<String>,
    /// What is measured.
    pub kind: ProbeKind,
    /// Where the random numbers start.
    pub seed: u64,
    /// The program that measures.
    pub build: String,
}

/// What is measured.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeKind {
    /// Playouts to the end of the game, or to where a player's end.
    Playouts {
        /// How many.
        count: u64,
        /// The spec of the player whose playouts they are; uniformly random ones if it is left
        /// out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<String>,
    },
    /// Searches by a player, each with a seed of its own.
    Searches {
        /// The player's spec.
        player: String,
        /// How long each search thinks.
        pace: Pace,
        /// How many.
        count: u64,
    },
    /// Searches by a player, each with a seed of its own, until it chooses a move for good.
    Until {
        /// The player's spec.
        player: String,
        /// The move.
        answer: String,
        /// Iterations of each search.
        limit: u64,
        /// How many searches.
        count: u64,
    },
    /// Games by a player against a perfect defence, each with a seed of its own.
    Mating {
        /// The player's spec.
        player: String,
        /// How long it thinks.
        thought: MatingLimit,
        /// How a game goes.
        #[serde(default, skip_serializing_if = "mating::is_default")]
        rules: MatingRules,
        /// How many games.
        count: u64,
    },
    /// Games by a player against a perfect defence, each from a random start that is won.
    Endings {
        /// The player's spec.
        player: String,
        /// The pieces, as the game names them, such as `KBNK`.
        pieces: String,
        /// Iterations before each of the player's moves.
        iterations: u64,
        /// How many games.
        count: u64,
    },
    /// Games of a player against itself, whose states are counted ply by ply.
    Shape {
        /// The player's spec.
        player: String,
        /// Iterations before each move.
        iterations: u64,
        /// How many games.
        count: u64,
    },
    /// Games of a target against itself, whose moves players predict by what they know in advance.
    Prediction {
        /// The target's spec.
        target: String,
        /// Iterations before each of its moves.
        iterations: u64,
        /// How many games.
        count: u64,
        /// The specs of those who predict.
        players: Vec<String>,
    },
}

/// Why a measurement cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The player plays no playouts.
    #[error(
        "the player '{0}' searches by alpha-beta and plays no playouts; players that search by Monte-Carlo tree \
         search are accepted"
    )]
    NoPlayouts(String),
    /// The player has no priors.
    #[error(
        "the player '{0}' knows nothing of moves in advance; players with priors are accepted, such as those with a \
         progressive bias"
    )]
    NoPriors(String),
    /// The state or a move cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The game is over in that state.
    #[error("nothing can be measured in '{0}': the game is over there, or chance is to decide")]
    NoMove(String),
    /// The tables do not say that the state is won.
    #[error(
        "no endgame table says that '{0}' is won for the side to move; tables of more than three pieces lie \
         in the folder that MONTEVERDE_TABLEBASE names"
    )]
    NotWon(String),
    /// No start was found.
    #[error(
        "no random start with the pieces '{0}' was found that endgame tables call won for the side to move; \
         pieces such as KBNK are accepted, and tables of more than three pieces lie in the folder that \
         MONTEVERDE_TABLEBASE names"
    )]
    NoStart(String),
    /// There is nothing to count.
    #[error("a measurement of 0 {0} finds nothing; 1 or more are accepted")]
    Nothing(&'static str),
    /// A search cannot be limited like that.
    #[error(
        "a single search has no game clock, so '{0}' cannot limit it; iterations=, nodes=, time= and depth= \
         are accepted"
    )]
    Clock(Pace),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The workers on other machines cannot go on.
    #[error(transparent)]
    Crew(#[from] CrewError),
    /// What the store holds cannot be read.
    #[error("the store holds findings of a measurement that cannot be read: {0}")]
    Damaged(String),
    /// Only a shard was to be measured, and was.
    #[error(transparent)]
    Shard(#[from] ShardDone),
}

impl Probe {
    /// The hash of everything that may influence the findings.
    pub fn key(&self) -> Key {
        let behaviour = behaviour(&self.build, self.game, &self.asked());
        let text = Probe { build: behaviour, ..self.clone() }.text();
        Key(*blake3::hash(format!("probe\n{text}").as_bytes()).as_bytes())
    }

    /// What its players ask; a perfect defence asks endgame tables about as many pieces as there
    /// are.
    pub(crate) fn asked(&self) -> Asked {
        let asked = Asked::by(self.game, self.kind.players());
        match &self.kind {
            ProbeKind::Mating { .. } | ProbeKind::Endings { .. } => asked.or_tables(u32::MAX),
            _ => asked,
        }
    }

    fn text(&self) -> String {
        serde_json::to_string(self).expect("a probe is plain data")
    }

    /// How many units it consists of.
    pub fn units(&self) -> u64 {
        match self.kind {
            ProbeKind::Playouts { count, .. }
            | ProbeKind::Searches { count, .. }
            | ProbeKind::Until { count, .. }
            | ProbeKind::Mating { count, .. }
            | ProbeKind::Endings { count, .. }
            | ProbeKind::Shape { count, .. }
            | ProbeKind::Prediction { count, .. } => count,
        }
    }

    /// Checks that it can be made, without making it.
    pub fn check(&self) -> Result<(), MeasureError> {
        let state = self.state()?;
        match &self.kind {
            ProbeKind::Playouts { count: 0, .. } => Err(MeasureError::Nothing("playouts")),
            ProbeKind::Playouts { player, .. } => {
                playouts::settings(self.game, player.as_deref()).map(drop)
            }
            ProbeKind::Searches { count: 0, .. } => Err(MeasureError::Nothing("searches")),
            ProbeKind::Searches { player, pace, .. } => search::check(self.game, player, *pace),
            ProbeKind::Until { count: 0, .. } => Err(MeasureError::Nothing("searches")),
            ProbeKind::Until { limit: 0, .. } => Err(MeasureError::Nothing("iterations")),
            ProbeKind::Until { player, answer, .. } => until::check(&state, player, answer),
            ProbeKind::Mating { count: 0, .. } => Err(MeasureError::Nothing("games")),
            ProbeKind::Shape { count: 0, .. } | ProbeKind::Prediction { count: 0, .. } => {
                Err(MeasureError::Nothing("games"))
            }
            ProbeKind::Mating { player, .. } | ProbeKind::Shape { player, .. } => {
                Spec::read(self.game, player)?;
                Ok(())
            }
            ProbeKind::Prediction { target, players, .. } => {
                prediction::check(&state, target, players)
            }
            ProbeKind::Endings { count: 0, .. } => Err(MeasureError::Nothing("games")),
            ProbeKind::Endings { player, pieces, .. } => endings::check(self.game, player, pieces),
        }
    }

    /// Makes the measurement on so many threads. `progress` is told each time how many units were
    /// added.
    pub fn run(
        &self,
        threads: usize,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Findings, MeasureError> {
        self.whole().run(threads, progress)
    }

    /// The state that it is made in.
    pub(crate) fn state(&self) -> Result<AnyState, MeasureError> {
        let mut state = self.game.read_state(&self.state)?;
        for text in &self.moves {
            if state.is_pending() {
                state.settle(state.parse_event(text)?);
            } else {
                state.play(state.parse_move(text)?);
            }
        }
        if state.outcome().is_some() || state.is_pending() {
            return Err(MeasureError::NoMove(state.state_text()));
        }
        Ok(state)
    }
}

impl ProbeKind {
    /// The specs of its players.
    pub(crate) fn players(&self) -> Vec<&str> {
        match self {
            ProbeKind::Playouts { player, .. } => player.as_deref().into_iter().collect(),
            ProbeKind::Searches { player, .. }
            | ProbeKind::Until { player, .. }
            | ProbeKind::Mating { player, .. }
            | ProbeKind::Endings { player, .. }
            | ProbeKind::Shape { player, .. } => vec![player],
            ProbeKind::Prediction { target, players, .. } => {
                players.iter().chain([target]).map(String::as_str).collect()
            }
        }
    }
}

struct Run<'a> {
    probe: &'a Probe,
    /// The numbers of the units that are done.
    units: Range<u64>,
    threads: usize,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl Run<'_> {
    /// Makes the measurement in its state.
    fn make(&self, state: &AnyState) -> Result<Findings, MeasureError> {
        match &self.probe.kind {
            ProbeKind::Playouts { player, .. } => {
                playouts::play(self, state, player.as_deref()).map(Findings::Playouts)
            }
            ProbeKind::Searches { player, pace, .. } => {
                search::think(self, state, player, *pace).map(Findings::Searches)
            }
            ProbeKind::Until { player, answer, limit, .. } => {
                until::wait(self, state, player, (answer, *limit)).map(Findings::Until)
            }
            ProbeKind::Mating { player, thought, rules, .. } => {
                mating::hunt(self, state, player, (*thought, *rules)).map(Findings::Mating)
            }
            ProbeKind::Endings { player, pieces, iterations, .. } => {
                endings::mate_all(self, player, (pieces, *iterations)).map(Findings::Endings)
            }
            ProbeKind::Shape { player, iterations, .. } => {
                shape::play(self, state, player, *iterations).map(Findings::Shape)
            }
            ProbeKind::Prediction { target, iterations, players, .. } => {
                prediction::rank(self, state, (target, *iterations), players)
                    .map(Findings::Prediction)
            }
        }
    }

    /// Does the units in batches on several threads, each of which gathers into an `S` of its own,
    /// and merges those. `unit` gets the number of the unit.
    fn gather<S: Default + Send>(
        &self,
        batch: u64,
        unit: impl Fn(&mut S, u64) + Sync,
        merge: impl Fn(&mut S, S),
    ) -> S {
        let Range { start, end: count } = self.units;
        let next = AtomicU64::new(start);
        let work = || {
            let mut gathered = S::default();
            loop {
                let first = next.fetch_add(batch, Ordering::Relaxed);
                if first >= count {
                    return gathered;
                }
                let last = count.min(first + batch);
                for index in first..last {
                    unit(&mut gathered, index);
                }
                (self.progress)(last - first);
            }
        };
        thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(work)).collect();
            let mut all = work();
            for other in others {
                merge(&mut all, other.join().expect("a unit does not panic"));
            }
            all
        })
    }
}

#[cfg(test)]
mod tests;
