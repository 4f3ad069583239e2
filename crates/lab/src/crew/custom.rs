//! Work that the lab itself does not know, such as games for training: whoever brings it says how
//! it is done, how it travels and how its product is checked.

use crate::behaviour::Asked;
use crate::task::Key;
use monteverde_game::limit::Signal;
use monteverde_players::{AnyGame, Games};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// Some work that a worker can do by itself.
pub trait CustomWork: fmt::Debug + Send + Sync {
    /// The name of its kind, by which workers find out who reads it.
    fn kind(&self) -> &'static str;

    /// The game.
    fn game(&self) -> AnyGame;

    /// The specs of all players in it.
    fn players(&self) -> Vec<&str>;

    /// Everything that decides what comes out, as the kind reads it again.
    fn value(&self) -> Value;

    /// Does it, unless it is stopped; what comes out then is no product. An error is a sentence.
    fn make(&self, stop: &Signal) -> Result<String, String>;

    /// Checks what somebody else says that it came to; the sentence says why it does not fit.
    fn check(&self, product: &str) -> Result<(), String>;
}

/// Reads some work, or says in a sentence why it cannot be read.
pub type ReadWork = fn(&Games, Value) -> Result<Arc<dyn CustomWork>, String>;

/// A kind of work.
#[derive(Clone, Copy, Debug)]
pub struct CustomKind {
    /// Its name.
    pub name: &'static str,
    /// Reads what [`CustomWork::value`] has written.
    pub read: ReadWork,
}

/// Some such work, and what the program plays that it is for ([`crate::behaviour`]).
#[derive(Clone, Debug)]
pub struct CustomPiece {
    /// The work.
    pub work: Arc<dyn CustomWork>,
    /// What the program plays.
    pub behaviour: String,
}

impl CustomPiece {
    /// What its players ask.
    pub(super) fn asked(&self) -> Asked {
        Asked::by(self.work.game(), self.work.players())
    }

    pub(super) fn key(&self) -> Key {
        let mut hasher = blake3::Hasher::new();
        let value = self.work.value().to_string();
        for text in [self.work.kind(), &value, &self.behaviour] {
            // No text can contain a byte of 255.
            hasher.update(text.as_bytes()).update(&[u8::MAX]);
        }
        Key(*hasher.finalize().as_bytes())
    }
}

/// Work is the same that is written alike.
impl PartialEq for CustomPiece {
    fn eq(&self, other: &CustomPiece) -> bool {
        let told = |one: &CustomPiece| (one.work.kind(), one.work.value());
        self.behaviour == other.behaviour && told(self) == told(other)
    }
}
