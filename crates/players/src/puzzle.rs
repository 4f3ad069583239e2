//! A question about a state, as files of states ask it.

use serde::{Deserialize, Serialize};

/// One question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// What it is called: the id of an EPD line; empty where the line does not say.
    pub id: String,
    /// The state, as the game writes it.
    pub state: String,
    /// What is asked.
    pub aim: Aim,
}

/// What is asked. Moves are in the game's notation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aim {
    /// A proof of mate in so many moves; negative if the side to move is mated.
    Mate(i32),
    /// A proof that the side to move wins by force, for which it needs so many plies.
    Win(u16),
    /// One of these moves.
    Best(Vec<String>),
    /// None of these moves.
    Avoid(Vec<String>),
    /// Any proof.
    Proof,
}

impl Puzzle {
    /// Any proof about a state that has no name.
    pub fn of_state(state: impl Into<String>) -> Puzzle {
        Puzzle { id: String::new(), state: state.into(), aim: Aim::Proof }
    }
}
