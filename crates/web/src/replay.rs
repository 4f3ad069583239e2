//! Positions over HTTP: of a state text, and along a line of steps.

use crate::fault::{Code, Fault};
use crate::server::Text;
use crate::shape::{position, shape};
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query};
use monteverde_players::{Playable, Visitor, visit};
use serde_json::{Value, json};

/// So many steps can be followed.
const MOST_STEPS: usize = 2000;

/// The position of a state text.
pub(crate) async fn state(
    Path(game): Path<String>,
    Query(query): Query<Text>,
) -> Result<Json<Value>, Fault> {
    let line = Line { state: query.text, steps: Vec::new(), at: None };
    let mut positions = follow(&game, line)?;
    Ok(Json(positions.pop().unwrap_or_default()))
}

/// A line of steps from a state.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    #[serde(default)]
    state: Option<String>,
    steps: Vec<String>,
    /// Only the position after so many steps.
    #[serde(default)]
    at: Option<usize>,
}

/// The positions along a line.
pub(crate) async fn replay(
    Path(game): Path<String>,
    line: Result<Json<Line>, JsonRejection>,
) -> Result<Json<Value>, Fault> {
    let Json(line) = line.map_err(|error| Fault::new(Code::BadMessage, error))?;
    Ok(Json(json!({ "positions": follow(&game, line)? })))
}

fn follow(game: &str, line: Line) -> Result<Vec<Value>, Fault> {
    visit(game, Follow(line)).map_err(|error| Fault::new(Code::UnknownGame, error))?
}

struct Follow(Line);

impl Visitor for Follow {
    type Output = Result<Vec<Value>, Fault>;

    fn visit<G: Playable>(self) -> Self::Output {
        let Line { state, steps, at } = self.0;
        if steps.len() > MOST_STEPS {
            let message =
                format!("{} steps are too many; at most {MOST_STEPS} are accepted", steps.len());
            return Err(Fault::new(Code::Limit, message));
        }
        let mut state = match state.as_deref().map(str::trim) {
            None | Some("" | "startpos") => G::start(),
            Some(text) => {
                G::parse_state(text).map_err(|error| Fault::new(Code::BadState, error))?
            }
        };
        let illegal = |error| Fault::new(Code::IllegalMove, error);
        let (mut positions, mut last) = (Vec::new(), Value::Null);
        for (index, step) in steps.iter().map(Some).chain([None]).enumerate() {
            if at.is_none_or(|at| at == index) {
                positions.push(position(&state, last.clone()));
            }
            match step {
                None => {}
                Some(step) if state.is_pending() => {
                    let event = state.parse_event(step).map_err(illegal)?;
                    state.settle(event);
                }
                Some(step) => {
                    let mv = state.parse_move(step).map_err(illegal)?;
                    last = shape(&state, mv).last();
                    state.play(mv);
                }
            }
        }
        Ok(positions)
    }
}
