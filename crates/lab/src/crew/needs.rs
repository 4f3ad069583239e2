//! What a worker must have to do a piece as the program would that asks for it.

use super::allowed::AllowedEngines;
use super::piece::{Piece, PieceWork};
use crate::behaviour::{Asked, behaviour};
use crate::build::build;
use crate::contestant::{Contestant, ContestantKind, EngineSpec};
use crate::measure::ProbeKind;
use crate::pace::Pace;
use monteverde_players::{AnyGame, Games, NetworkFile, Spec};
use serde::{Deserialize, Serialize};

/// What a worker must have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Needs {
    /// The game.
    pub game: String,
    /// Endgame tables of up to so many pieces are asked, 0 for none.
    pub pieces: u32,
    /// The networks that players have, as specs write them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<String>,
    /// What the program plays there, [`crate::behaviour`].
    pub behaviour: String,
    /// The engines that play.
    pub engines: Vec<EngineSpec>,
    /// The most bytes that the tree or table of a player may take.
    pub memory: usize,
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
    /// A network is another, or not there.
    #[error(
        "a player's network '{network}' is wanted: {problem}; copy the file of the run to that place"
    )]
    Network {
        /// The file and its digest.
        network: String,
        /// What is wrong.
        problem: String,
    },
    /// An engine may not be started, or is another.
    #[error("{0}")]
    Engine(String),
    /// A player may take more memory than the worker gives.
    #[error(
        "a player may take {} MiB of memory, and this worker gives a player {} MiB (--memory)", wanted >> 20,
        given >> 20
    )]
    Memory {
        /// What it may take, in bytes.
        wanted: usize,
        /// What it is given.
        given: usize,
    },
}

impl Needs {
    /// What a worker with these games and engines lacks, which gives a player so much memory.
    pub fn check(
        &self,
        games: &Games,
        engines: &AllowedEngines,
        memory: usize,
    ) -> Result<(), Lack> {
        if self.memory > memory {
            return Err(Lack::Memory { wanted: self.memory, given: memory });
        }
        let game = games.game(&self.game).map_err(|error| Lack::Game(error.to_string()))?;
        for network in &self.networks {
            check_network(game, network)?;
        }
        let asked = Asked { pieces: self.pieces, networks: self.networks.clone() };
        let own = behaviour(build(), game, &asked);
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
            PieceWork::Probe { probe, .. } => {
                let by_clock = match &probe.kind {
                    ProbeKind::Searches { pace, .. } => is_by_clock(*pace),
                    _ => false,
                };
                (probe.game, Vec::new(), by_clock)
            }
            PieceWork::Custom(custom) => (custom.work.game(), Vec::new(), false),
        };
        let memory = self.specs().into_iter().filter_map(|text| Spec::read(game, text).ok());
        let memory = memory.map(|spec| spec.memory()).max().unwrap_or(0);
        let (Asked { pieces, networks }, behaviour) = (self.asked(), self.behaviour());
        let game = game.name().to_owned();
        Needs { game, pieces, networks, behaviour, engines, memory, by_clock }
    }

    /// The specs of its players.
    fn specs(&self) -> Vec<&str> {
        match &self.work {
            PieceWork::Game(_, task) => specs_of([&*task.first, &*task.second]),
            PieceWork::Question(question) => vec![&question.solver.player],
            PieceWork::Probe { probe, .. } => probe.kind.players(),
            PieceWork::Custom(custom) => custom.work.players(),
        }
    }

    /// What its players ask, and its adjudication.
    pub(super) fn asked(&self) -> Asked {
        match &self.work {
            PieceWork::Game(game, task) => {
                let tables = task.adjudication.tables.unwrap_or(0);
                Asked::by(*game, self.specs()).or_tables(tables)
            }
            PieceWork::Question(question) => Asked::by(question.game, self.specs()),
            PieceWork::Probe { probe, .. } => probe.asked(),
            PieceWork::Custom(custom) => custom.asked(),
        }
    }
}

/// Whether a network is here, and the one that is wanted.
fn check_network(game: AnyGame, network: &str) -> Result<(), Lack> {
    let lack = |problem: String| Lack::Network { network: network.to_owned(), problem };
    let features = game.features().ok_or_else(|| lack("the game has no networks".to_owned()))?;
    NetworkFile::open(network, game.name(), features.description(), game.network())
        .map(drop)
        .map_err(lack)
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
