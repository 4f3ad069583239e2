//! Positions over HTTP: of a state text, and along a line of steps.

use crate::clients::ClientShare;
use crate::fault::HttpFault;
use crate::request::{self, Path, Query};
use crate::server::{App, Text};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::stream;
use monteverde_desk::Code;
use monteverde_desk::replay::{self, Replay, StepLine};
use serde_json::Value;
use std::io;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// So many positions are worked out at once: some hundred kilobytes, in some milliseconds.
const AT_ONCE: usize = 16;

/// The position of a state text.
pub(crate) async fn state(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Query(query): Query<Text>,
) -> Result<Json<Value>, HttpFault> {
    let games = app.games.clone();
    let read = move || Ok(Json(replay::state(&games, &game, query.text)?));
    app.work.run(read).await
}

/// The positions along a line. They are made as the client takes them, so that an answer of many
/// megabytes is never held whole, and between two parts of it others have their turn.
pub(crate) async fn replay(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    share: Option<Extension<Arc<ClientShare>>>,
    request::Body(line): request::Body<StepLine>,
) -> Result<Response, HttpFault> {
    let room = app.replays.clone().acquire_owned().await;
    let room = room.map_err(|_| HttpFault::new(Code::Failed, "the server ends"))?;
    let games = app.games.clone();
    let replay = app.work.run(move || Ok(Replay::new(&games, &game, line)?)).await?;
    let is_short = replay.most_positions() <= AT_ONCE;
    let answer = ReplayAnswer { replay, begun: false, _room: room, _share: share };
    let body = if is_short {
        let (text, _) = app.work.run(|| Ok(answer.next_part())).await?;
        Body::from(text)
    } else {
        Body::from_stream(stream::unfold(Some(answer), move |answer| next(app.clone(), answer)))
    };
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

/// An answer that is being given.
struct ReplayAnswer {
    replay: Replay,
    begun: bool,
    /// The answer's place among those that are given at once.
    _room: OwnedSemaphorePermit,
    _share: Option<Extension<Arc<ClientShare>>>,
}

impl ReplayAnswer {
    /// The next part of the text, and what is to be said after it.
    fn next_part(mut self) -> (String, Option<ReplayAnswer>) {
        let positions: Vec<Value> = self.replay.by_ref().take(AT_ONCE).collect();
        let is_last = positions.len() < AT_ONCE;
        let mut text = String::new();
        for position in positions {
            text += if std::mem::replace(&mut self.begun, true) { "," } else { "{\"positions\":[" };
            text += &position.to_string();
        }
        if is_last {
            text += if self.begun { "]}" } else { "{\"positions\":[]}" };
        }
        (text, (!is_last).then_some(self))
    }
}

/// The next part of an answer, as the body of a response takes it.
async fn next(
    app: Arc<App>,
    answer: Option<ReplayAnswer>,
) -> Option<(io::Result<Bytes>, Option<ReplayAnswer>)> {
    let answer = answer?;
    Some(match app.work.run(|| Ok(answer.next_part())).await {
        Ok((text, rest)) => (Ok(Bytes::from(text)), rest),
        // The client sees an answer that breaks off.
        Err(_) => (Err(io::ErrorKind::Other.into()), None),
    })
}
