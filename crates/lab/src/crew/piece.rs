//! A piece of work and its product, and the texts that they travel as.

use crate::behaviour::behaviour;
use crate::measure::{Findings, Probe, ProbeKind};
use crate::record::GameRecord;
use crate::suite::{Answer, Question, Solver, Spend};
use crate::task::{Key, Task};
use monteverde_players::{AnyGame, Games, Puzzle, UnknownGame};
use serde::{Deserialize, Serialize};

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
    /// A measurement is to be made.
    Probe(Probe),
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
    Question { game: String, player: String, most: Spend, puzzle: Puzzle },
    Probe { game: String, state: String, moves: Vec<String>, probe: ProbeKind, seed: u64 },
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

    /// A measurement.
    pub fn probe(probe: Probe) -> Piece {
        Piece { key: probe.key(), work: PieceWork::Probe(probe) }
    }

    /// What the program plays that the piece is for, [`crate::behaviour`].
    pub fn behaviour(&self) -> String {
        let asked = self.pieces_asked();
        match &self.work {
            PieceWork::Game(_, task) => task.behaviour.clone(),
            PieceWork::Question(Question { game, solver, .. }) => {
                behaviour(&solver.build, *game, asked)
            }
            PieceWork::Probe(probe) => behaviour(&probe.build, probe.game, asked),
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
            PieceWork::Probe(Probe { game, state, moves, kind, seed, build: _ }) => {
                WorkText::Probe {
                    game: game.name().to_owned(),
                    state: state.clone(),
                    moves: moves.clone(),
                    probe: kind.clone(),
                    seed: *seed,
                }
            }
        };
        let text = PieceText { key: self.key.to_string(), behaviour: self.behaviour(), work };
        serde_json::to_string(&text).expect("a piece is plain data")
    }

    /// Reads a text. The program that a piece names is known here by its behaviour alone, which
    /// then stands for its build.
    pub fn parse(games: &Games, text: &[u8]) -> Result<Piece, PieceError> {
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
            WorkText::Probe { game, state, moves, probe, seed } => {
                let game = games.game(&game)?;
                PieceWork::Probe(Probe { game, state, moves, kind: probe, seed, build: behaviour })
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
            PieceWork::Probe(probe) => probe.key(),
        }
    }
}

impl Product {
    /// The product as a text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("a product is plain data")
    }
}
