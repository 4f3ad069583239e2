//! What is said to a client whose request cannot be met.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
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
    /// Another connection has the session now.
    TakenOver,
    /// Nothing there.
    NotFound,
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
            Code::TakenOver => "taken-over",
            Code::NotFound => "not-found",
            Code::Refused => "refused",
            Code::Failed => "failed",
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Code::BadMessage
            | Code::BadState
            | Code::BadSpec
            | Code::BadPace
            | Code::BadText
            | Code::IllegalMove => StatusCode::BAD_REQUEST,
            Code::UnknownGame | Code::NotFound => StatusCode::NOT_FOUND,
            Code::NotNow | Code::TakenOver => StatusCode::CONFLICT,
            Code::Limit => StatusCode::TOO_MANY_REQUESTS,
            Code::Refused => StatusCode::FORBIDDEN,
            Code::Failed => StatusCode::INTERNAL_SERVER_ERROR,
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
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let body = axum::Json(json!({ "error": self.json() }));
        (self.code.status(), body).into_response()
    }
}
