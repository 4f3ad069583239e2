//! What requests over HTTP carry: parts of the address, its query, a body of JSON. Where one of
//! them is not accepted the answer is a fault, as all errors are.

use crate::fault::HttpFault;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use monteverde_desk::Code;
use serde::de::DeserializeOwned;
use std::error::Error;

/// Parts of the address.
pub(crate) struct Path<T>(pub(crate) T);

/// The keys of the address's query.
pub(crate) struct Query<T>(pub(crate) T);

/// A body of JSON.
pub(crate) struct Body<T>(pub(crate) T);

/// The keys that a query may have.
pub(crate) trait QueryKeys: DeserializeOwned {
    /// All of them, as the message of an error names them.
    const ACCEPTED: &str;
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = HttpFault;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, HttpFault> {
        match axum::extract::Path::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(found)) => Ok(Path(found)),
            Err(error) => Err(bad(path_sentence(&error))),
        }
    }
}

impl<T: QueryKeys, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = HttpFault;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, HttpFault> {
        match axum::extract::Query::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(found)) => Ok(Query(found)),
            Err(error) => Err(bad(query_sentence(&error, T::ACCEPTED))),
        }
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = HttpFault;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, HttpFault> {
        match axum::Json::from_request(request, state).await {
            Ok(axum::Json(found)) => Ok(Body(found)),
            Err(error) => Err(bad(error.body_text())),
        }
    }
}

fn bad(message: String) -> HttpFault {
    HttpFault::new(Code::BadMessage, message)
}

fn path_sentence(error: &PathRejection) -> String {
    match error {
        PathRejection::FailedToDeserializePathParams(error) => match error.kind() {
            // Nothing but whole numbers is read out of addresses, besides texts.
            ErrorKind::ParseError { value, .. }
            | ErrorKind::ParseErrorAtKey { value, .. }
            | ErrorKind::ParseErrorAtIndex { value, .. } => {
                let value = value.escape_debug();
                format!("'{value}' in the address is not accepted; a whole number from 0 on is")
            }
            _ => error.body_text(),
        },
        error => error.body_text(),
    }
}

fn query_sentence(error: &QueryRejection, accepted: &str) -> String {
    // The cause names the key.
    let cause = error.source().map_or_else(|| error.body_text(), ToString::to_string);
    format!("the query of the address is not accepted: {cause}; accepted: {accepted}")
}
