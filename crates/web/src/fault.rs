//! Faults as answers of HTTP.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use monteverde_desk::{Code, Fault};
use serde_json::json;

/// A fault that a request over HTTP is answered with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HttpFault(Fault);

impl HttpFault {
    /// A fault with that word and sentence.
    pub(crate) fn new(code: Code, message: impl ToString) -> HttpFault {
        HttpFault(Fault::new(code, message))
    }
}

impl From<Fault> for HttpFault {
    fn from(fault: Fault) -> HttpFault {
        HttpFault(fault)
    }
}

impl IntoResponse for HttpFault {
    fn into_response(self) -> Response {
        let body = axum::Json(json!({ "error": self.0.json() }));
        (status(self.0.code), body).into_response()
    }
}

fn status(code: Code) -> StatusCode {
    match code {
        Code::BadMessage
        | Code::BadState
        | Code::BadSpec
        | Code::BadPace
        | Code::BadText
        | Code::IllegalMove => StatusCode::BAD_REQUEST,
        Code::UnknownGame | Code::NotFound => StatusCode::NOT_FOUND,
        Code::NotNow | Code::TakenOver => StatusCode::CONFLICT,
        Code::Limit => StatusCode::TOO_MANY_REQUESTS,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::TooSlow => StatusCode::REQUEST_TIMEOUT,
        Code::BadMethod => StatusCode::METHOD_NOT_ALLOWED,
        Code::Refused => StatusCode::FORBIDDEN,
        Code::Failed => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
