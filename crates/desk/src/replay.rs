//! Positions without a session: of a state text, and along a line of steps.

use crate::fault::{Code, Fault};
use crate::position::{last_move, move_view, position};
use monteverde_players::{Playable, Visitor, visit};
use serde_json::{Value, json};

/// So many steps can be followed.
const MOST_STEPS: usize = 2000;

/// A line of steps from a state.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepLine {
    /// The state text; none for the start.
    #[serde(default)]
    pub state: Option<String>,
    /// The steps.
    pub steps: Vec<String>,
    /// Only the position after so many steps.
    #[serde(default)]
    pub at: Option<usize>,
}

/// The position of a state text: the answer to `/api/games/<game>/state`.
pub fn state(game: &str, text: Option<String>) -> Result<Value, Fault> {
    let mut positions = follow(game, StepLine { state: text, steps: Vec::new(), at: None })?;
    Ok(positions.pop().unwrap_or_default())
}

/// The positions along a line: the answer to `/api/games/<game>/replay`.
pub fn replay(game: &str, line: StepLine) -> Result<Value, Fault> {
    Ok(json!({ "positions": follow(game, line)? }))
}

fn follow(game: &str, line: StepLine) -> Result<Vec<Value>, Fault> {
    visit(game, Follow(line)).map_err(|error| Fault::new(Code::UnknownGame, error))?
}

struct Follow(StepLine);

impl Visitor for Follow {
    type Output = Result<Vec<Value>, Fault>;

    fn visit<G: Playable>(self) -> Self::Output {
        let StepLine { state, steps, at } = self.0;
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
                    last = last_move(&move_view(&state, mv));
                    state.play(mv);
                }
            }
        }
        Ok(positions)
    }
}
