//! Text forms of states and moves.

use crate::Game;

/// What was wrong with a piece of text, and what would have been accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(pub String);

impl NotationError {
    /// An error with that sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        NotationError(sentence.into())
    }
}

/// A game whose states and moves can be written and read.
pub trait Notation: Game {
    /// The initial state.
    fn start() -> Self;
    /// Reads a state; `startpos` is the caller's business.
    fn parse_state(text: &str) -> Result<Self, NotationError>;
    /// The state as [`Notation::parse_state`] reads it.
    fn state_text(&self) -> String;
    /// Reads a legal move of this state.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;
    /// A legal move of this state as [`Notation::parse_move`] reads it.
    fn move_text(&self, mv: Self::Move) -> String;
    /// The letters of the first and the second side in the clocks of engine protocols (`wtime`,
    /// `btime`); `None` for a game that engines behind such protocols do not play.
    const ENGINE_SIDES: Option<[char; 2]> = None;
    /// A legal move of this state as engine protocols write it; [`Notation::parse_move`] reads it
    /// too.
    fn engine_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }
    /// Reads an event of this pending state.
    fn parse_event(&self, text: &str) -> Result<Self::Event, NotationError> {
        Err(NotationError(format!(
            "{} has no chance events, so '{text}' cannot be one",
            Self::NAME
        )))
    }
    /// An event as [`Notation::parse_event`] reads it.
    fn event_text(&self, event: Self::Event) -> String {
        let _ = event;
        String::new()
    }
    /// A picture of the state for a terminal, several lines, each ending in a line feed.
    fn picture(&self) -> String;
}

/// A move that was read from `text`, if it is among the legal ones of the state; else the error
/// that says it is not.
pub fn legal<G: Notation>(state: &G, mv: G::Move, text: &str) -> Result<G::Move, NotationError> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    match moves.contains(&mv) {
        true => Ok(mv),
        false => Err(NotationError(format!("'{text}' is not legal in '{}'", state.state_text()))),
    }
}
