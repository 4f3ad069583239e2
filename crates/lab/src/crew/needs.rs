//! What a worker must have to do a piece as the program would that asks for it.

use super::allowed::AllowedEngines;
use super::piece::{Piece, PieceWork};
use crate::behaviour::{behaviour, pieces_asked};
use crate::build::build;
use crate::contestant::{Contestant, ContestantKind, EngineSpec};
use crate::measure::ProbeKind;
use crate::pace::Pace;
use crate::suite::Question;
use monteverde_players::{Games, Spec};
use serde::{Deserialize, Serialize};

/// What a worker must have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Needs {
    /// The game.
    pub game: String,
    /// Endgame tables of up to so many pieces are asked, 0 for none.
    pub pieces: u32,
    /// What the program plays there, [`crate::behaviour`].
    pub behaviour: String,
    /// The engines that play.
    pub engines: Vec<EngineSpec>,
    /// Whether a clock limits somebody, so that a slow machine plays otherwise.
    pub by_clock: bool,
}

/// Why a worker cannot do some work.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Lack {
    /// There is no such game here.
    #[error("{0}")]
    Game(String),
    /// The program plays otherwise.
    #[error(
        "this program plays {game} otherwise: its signature is '{own}', that of the run '{wanted}'; take the program \
         that the run was started with"
    )]
    Behaviour {
        /// The game.
        game: String,
        /// What this program plays.
        own: String,
        /// What is asked for.
        wanted: String,
    },
    /// The tables are others, or not there.
    #[error(
        "the endgame tables of up to {pieces} pieces of {game} are not those of the run{}; copy them, and name their folder \
         in MONTEVERDE_TABLEBASE",
        missing.as_ref().map_or(String::new(), |reason| format!(" ({reason})"))
    )]
    Tables {
        /// The game.
        game: String,
        /// Of how many pieces.
        pieces: u32,
        /// What the game says about those that are missing.
        missing: Option<String>,
    },
    /// An engine may not be started, or is another.
    #[error("{0}")]
    Engine(String),
    /// A player cannot be read, or asks for more than the worker has.
    #[error("{0}")]
    Player(String),
}

impl Needs {
    /// What a worker with these games and engines lacks.
    pub fn check(&self, games: &Games, engines: &AllowedEngines) -> Result<(), Lack> {
        let game = games.game(&self.game).map_err(|error| Lack::Game(error.to_string()))?;
        let own = behaviour(build(), game, self.pieces);
        if own != self.behaviour {
            let searches = |text: &str| text.split(" tables ").next().unwrap_or("").to_owned();
            let name = self.game.clone();
            return Err(match searches(&own) == searches(&self.behaviour) {
                true => {
                    let missing = game.missing_tables(self.pieces);
                    Lack::Tables { game: name, pieces: self.pieces, missing }
                }
                false => Lack::Behaviour { game: name, own, wanted: self.behaviour.clone() },
            });
        }
        for engine in &self.engines {
            engines.stand_in(engine).map_err(Lack::Engine)?;
        }
        Ok(())
    }
}

impl Piece {
    /// What a worker must have to do it.
    pub fn needs(&self) -> Needs {
        let (game, engines, by_clock) = match &self.work {
            PieceWork::Game(game, task) => {
                let both = [&task.first, &task.second];
                let engines = both.iter().filter_map(|one| match &one.kind {
                    ContestantKind::Engine(spec) => Some(spec.clone()),
                    ContestantKind::Spec(_) => None,
                });
                let by_clock = both.iter().any(|one| is_by_clock(one.pace));
                (*game, engines.collect(), by_clock)
            }
            PieceWork::Question(question) => (question.game, Vec::new(), false),
            PieceWork::Probe(probe) => {
                let by_clock = match &probe.kind {
                    ProbeKind::Searches { pace, .. } => is_by_clock(*pace),
                    _ => false,
                };
                (probe.game, Vec::new(), by_clock)
            }
        };
        let (pieces, behaviour) = (self.pieces_asked(), self.behaviour());
        Needs { game: game.name().to_owned(), pieces, behaviour, engines, by_clock }
    }

    /// Says why none of its players can be made on a worker with so much memory for each.
    pub fn check_players(&self, memory: usize) -> Result<(), Lack> {
        let (game, specs): (_, Vec<&str>) = match &self.work {
            PieceWork::Game(game, task) => (*game, specs_of([&*task.first, &*task.second])),
            PieceWork::Question(question) => (question.game, vec![&question.solver.player]),
            PieceWork::Probe(probe) => (probe.game, probe.kind.players()),
        };
        for text in specs {
            let spec = Spec::read(game, text).map_err(|error| Lack::Player(error.to_string()))?;
            if spec.memory() > memory {
                let mib = |bytes: usize| bytes >> 20;
                return Err(Lack::Player(format!(
                    "the player '{text}' asks for {} MiB of memory; this worker gives a player {} MiB \
                     (--memory)",
                    mib(spec.memory()),
                    mib(memory),
                )));
            }
        }
        Ok(())
    }

    /// The most pieces that endgame tables are asked about, 0 for none.
    pub(super) fn pieces_asked(&self) -> u32 {
        match &self.work {
            PieceWork::Game(game, task) => {
                let specs = specs_of([&*task.first, &*task.second]);
                pieces_asked(*game, specs).max(task.adjudication.tables.unwrap_or(0))
            }
            PieceWork::Question(Question { game, solver, .. }) => {
                pieces_asked(*game, [solver.player.as_str()])
            }
            PieceWork::Probe(probe) => probe.pieces_asked(),
        }
    }
}

fn specs_of<'c>(contestants: impl IntoIterator<Item = &'c Contestant>) -> Vec<&'c str> {
    let spec = |one: &'c Contestant| match &one.kind {
        ContestantKind::Spec(text) => Some(text.as_str()),
        ContestantKind::Engine(_) => None,
    };
    contestants.into_iter().filter_map(spec).collect()
}

fn is_by_clock(pace: Pace) -> bool {
    matches!(pace, Pace::Time(_) | Pace::Clock(_))
}
