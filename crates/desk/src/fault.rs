//! What is said to a client whose request cannot be met.

use crate::request::tagged;
use serde_json::{Value, json};

/// Why a request was not met: a word for programs and a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The word.
    pub code: Code,
    /// The sentence: what was wrong, and what is accepted.
    pub message: String,
}

/// The words, see `docs/web-protocol.md`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// No message of the protocol.
    BadMessage,
    /// No game has that name.
    UnknownGame,
    /// No state of the game.
    BadState,
    /// No player of the game.
    BadSpec,
    /// No pace.
    BadPace,
    /// No game that can be read.
    BadText,
    /// A move against the rules.
    IllegalMove,
    /// A good request at the wrong time.
    NotNow,
    /// A limit of the server.
    Limit,
    /// More than is read.
    TooLarge,
    /// A request that did not come to its end.
    TooSlow,
    /// Another connection has the session now.
    TakenOver,
    /// Nothing there.
    NotFound,
    /// A method that the address does not take.
    BadMethod,
    /// A request from another site.
    Refused,
    /// Our fault.
    Failed,
}

impl Code {
    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Code::BadMessage => "bad-message",
            Code::UnknownGame => "unknown-game",
            Code::BadState => "bad-state",
            Code::BadSpec => "bad-spec",
            Code::BadPace => "bad-pace",
            Code::BadText => "bad-text",
            Code::IllegalMove => "illegal-move",
            Code::NotNow => "not-now",
            Code::Limit => "limit",
            Code::TooLarge => "too-large",
            Code::TooSlow => "too-slow",
            Code::TakenOver => "taken-over",
            Code::NotFound => "not-found",
            Code::BadMethod => "bad-method",
            Code::Refused => "refused",
            Code::Failed => "failed",
        }
    }
}

impl Fault {
    /// A fault with that word and sentence.
    pub fn new(code: Code, message: impl ToString) -> Fault {
        Fault { code, message: message.to_string() }
    }

    /// The same as an object of JSON.
    pub fn json(&self) -> Value {
        json!({ "code": self.code.name(), "message": self.message })
    }

    /// The same as a message to the page, with the tag of the request that it answers, if there is
    /// one.
    pub fn message(&self, tag: Option<&Value>) -> Value {
        let message = json!({ "type": "error", "code": self.code.name(), "message": self.message });
        tagged(message, tag)
    }
}
