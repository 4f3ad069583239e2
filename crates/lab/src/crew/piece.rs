//! A piece of work and its product, and the texts that they travel as.

use super::custom::{CustomKind, CustomPiece, CustomWork};
use crate::behaviour::behaviour;
use crate::measure::{Findings, Probe, ProbeKind, ProbePart};
use crate::record::GameRecord;
use crate::suite::{Answer, Question, Solver, Spend};
use crate::task::{Key, Task};
use monteverde_players::{AnyGame, Games, Puzzle, UnknownGame};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;
use std::sync::Arc;

/// A piece of work.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// What the store keeps it under.
    pub key: Key,
    /// What is to be done.
    pub work: PieceWork,
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug)]
pub enum PieceWork {
    /// A game is to be played.
    Game(AnyGame, Task),
    /// A question is to be answered.
    Question(Question),
    /// A measurement is to be made, or a part of one.
    Probe {
        /// The measurement.
        probe: Probe,
        /// The numbers of its units that are to be done.
        units: Range<u64>,
    },
    /// Something that the lab does not know.
    Custom(CustomPiece),
}

/// What a piece comes to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Product {
    /// Of a game.
    Game(Box<GameRecord>),
    /// Of a question.
    Answer(Answer),
    /// Of a measurement.
    Findings(Findings),
    /// Of what the lab does not know.
    Custom(String),
}

/// Why a text is no piece.
#[derive(Debug, thiserror::Error)]
pub enum PieceError {
    /// It has another form.
    #[error("it is no piece of work that this program knows: {0}")]
    Form(#[from] serde_json::Error),
    /// There is no such game here.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The measurement has no such part.
    #[error("its units are not some of its measurement")]
    Units,
    /// Nobody here knows such work, or it cannot be read.
    #[error("{0}")]
    Custom(String),
    /// The key belongs to another piece.
    #[error("its key is not that of its work")]
    Key,
}

/// A piece as it travels. What it asks of a program, its behaviour, is a word of its own: only the
/// program that made the piece can work it out from a build.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PieceText {
    key: String,
    behaviour: String,
    work: WorkText,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum WorkText {
    Game(Task),
    Question {
        game: String,
        player: String,
        most: Spend,
        puzzle: Puzzle,
    },
    Probe {
        game: String,
        state: String,
        moves: Vec<String>,
        probe: ProbeKind,
        seed: u64,
        /// All of them if they are left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        units: Option<[u64; 2]>,
    },
    Custom {
        kind: String,
        work: Value,
    },
}

impl Piece {
    /// A game.
    pub fn game(game: AnyGame, task: Task) -> Piece {
        Piece { key: task.key(), work: PieceWork::Game(game, task) }
    }

    /// A question.
    pub fn question(question: Question) -> Piece {
        Piece { key: question.key(), work: PieceWork::Question(question) }
    }

    /// A part of a measurement, or all of it.
    pub fn probe(part: &ProbePart<'_>) -> Piece {
        let (probe, units) = (part.probe.clone(), part.units.clone());
        Piece { key: part.key(), work: PieceWork::Probe { probe, units } }
    }

    /// Something that the lab does not know, for programs that play like that
    /// ([`crate::behaviour`]): one run asks for many pieces of the same players.
    pub fn custom(work: Arc<dyn CustomWork>, behaviour: String) -> Piece {
        let custom = CustomPiece { work, behaviour };
        Piece { key: custom.key(), work: PieceWork::Custom(custom) }
    }

    /// What the program plays that the piece is for, [`crate::behaviour`].
    pub fn behaviour(&self) -> String {
        let asked = &self.asked();
        match &self.work {
            PieceWork::Game(_, task) => task.behaviour.clone(),
            PieceWork::Question(Question { game, solver, .. }) => {
                behaviour(&solver.build, *game, asked)
            }
            PieceWork::Probe { probe, .. } => behaviour(&probe.build, probe.game, asked),
            PieceWork::Custom(custom) => custom.behaviour.clone(),
        }
    }

    /// The piece as a text.
    pub fn text(&self) -> String {
        let work = match &self.work {
            PieceWork::Game(_, task) => WorkText::Game(task.clone()),
            PieceWork::Question(Question { game, solver, puzzle }) => WorkText::Question {
                game: game.name().to_owned(),
                player: solver.player.clone(),
                most: solver.most,
                puzzle: puzzle.clone(),
            },
            PieceWork::Probe { probe, units } => {
                let Probe { game, state, moves, kind, seed, build: _ } = probe;
                let is_part = *units != (0..probe.units());
                WorkText::Probe {
                    game: game.name().to_owned(),
                    state: state.clone(),
                    moves: moves.clone(),
                    probe: kind.clone(),
                    seed: *seed,
                    units: is_part.then_some([units.start, units.end]),
                }
            }
            PieceWork::Custom(CustomPiece { work, .. }) => {
                WorkText::Custom { kind: work.kind().to_owned(), work: work.value() }
            }
        };
        let text = PieceText { key: self.key.to_string(), behaviour: self.behaviour(), work };
        serde_json::to_string(&text).expect("a piece is plain data")
    }

    /// Reads a text. The program that a piece names is known here by its behaviour alone, which
    /// then stands for its build. What the lab does not know is read by one of the kinds.
    pub fn parse(games: &Games, kinds: &[CustomKind], text: &[u8]) -> Result<Piece, PieceError> {
        let PieceText { key, behaviour, work } = serde_json::from_slice(text)?;
        let key: Key = key.parse().map_err(|()| PieceError::Key)?;
        let work = match work {
            WorkText::Game(task) => {
                let game = games.game(&task.game)?;
                if task.key() != key || task.behaviour != behaviour {
                    return Err(PieceError::Key);
                }
                PieceWork::Game(game, task)
            }
            WorkText::Question { game, player, most, puzzle } => {
                let game = games.game(&game)?;
                let solver = Solver { player, most, build: behaviour };
                PieceWork::Question(Question { game, solver, puzzle })
            }
            WorkText::Probe { game, state, moves, probe, seed, units } => {
                let game = games.game(&game)?;
                let probe = Probe { game, state, moves, kind: probe, seed, build: behaviour };
                let units = units.map_or(0..probe.units(), |[start, end]| start..end);
                if units.is_empty() || units.end > probe.units() {
                    return Err(PieceError::Units);
                }
                PieceWork::Probe { probe, units }
            }
            WorkText::Custom { kind, work } => {
                let known = kinds.iter().find(|known| known.name == kind);
                let known = known.ok_or_else(|| {
                    let kind = kind.escape_debug();
                    PieceError::Custom(format!("this program knows no work called '{kind}'"))
                })?;
                let work = (known.read)(games, work).map_err(PieceError::Custom)?;
                PieceWork::Custom(CustomPiece { work, behaviour })
            }
        };
        let piece = Piece { key, work };
        match piece.made_key() == key {
            true => Ok(piece),
            false => Err(PieceError::Key),
        }
    }

    /// The key that the work has.
    fn made_key(&self) -> Key {
        match &self.work {
            PieceWork::Game(_, task) => task.key(),
            PieceWork::Question(question) => question.key(),
            PieceWork::Probe { probe, units } => ProbePart { probe, units: units.clone() }.key(),
            PieceWork::Custom(custom) => custom.key(),
        }
    }
}

impl Product {
    /// The product as a text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("a product is plain data")
    }
}
