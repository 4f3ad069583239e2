//! Positions over HTTP: of a state text, and along a line of steps.

use crate::fault::HttpFault;
use crate::server::Text;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query};
use monteverde_desk::Code;
use monteverde_desk::replay::{self, StepLine};
use serde_json::Value;

/// The position of a state text.
pub(crate) async fn state(
    Path(game): Path<String>,
    Query(query): Query<Text>,
) -> Result<Json<Value>, HttpFault> {
    Ok(Json(replay::state(&game, query.text)?))
}

/// The positions along a line.
pub(crate) async fn replay(
    Path(game): Path<String>,
    line: Result<Json<StepLine>, JsonRejection>,
) -> Result<Json<Value>, HttpFault> {
    let Json(line) = line.map_err(|error| HttpFault::new(Code::BadMessage, error))?;
    Ok(Json(replay::replay(&game, line)?))
}
