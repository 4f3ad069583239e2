//! Positions over HTTP: of a state text, and along a line of steps.

use crate::fault::HttpFault;
use crate::server::{App, Text};
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use monteverde_desk::Code;
use monteverde_desk::replay::{self, StepLine};
use serde_json::Value;
use std::sync::Arc;

/// The position of a state text.
pub(crate) async fn state(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(query): Query<Text>,
) -> Result<Json<Value>, HttpFault> {
    Ok(Json(replay::state(&app.games, &game, query.text)?))
}

/// The positions along a line.
pub(crate) async fn replay(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    line: Result<Json<StepLine>, JsonRejection>,
) -> Result<Json<Value>, HttpFault> {
    let Json(line) = line.map_err(|error| HttpFault::new(Code::BadMessage, error))?;
    Ok(Json(replay::replay(&app.games, &game, line)?))
}
