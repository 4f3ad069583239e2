//! Positions without a session: of a state text, and along a line of steps.

use crate::fault::{Code, Fault};
use crate::position::{last_move, position};
use monteverde_game::Game;
use monteverde_players::Games;
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
pub fn state(games: &Games, game: &str, text: Option<String>) -> Result<Value, Fault> {
    let line = StepLine { state: text, steps: Vec::new(), at: None };
    let mut positions = follow(games, game, line)?;
    Ok(positions.pop().unwrap_or_default())
}

/// The positions along a line: the answer to `/api/games/<game>/replay`.
pub fn replay(games: &Games, game: &str, line: StepLine) -> Result<Value, Fault> {
    Ok(json!({ "positions": follow(games, game, line)? }))
}

fn follow(games: &Games, game: &str, line: StepLine) -> Result<Vec<Value>, Fault> {
    let game = games.game(game).map_err(|error| Fault::new(Code::UnknownGame, error))?;
    let StepLine { state, steps, at } = line;
    if steps.len() > MOST_STEPS {
        let message =
            format!("{} steps are too many; at most {MOST_STEPS} are accepted", steps.len());
        return Err(Fault::new(Code::Limit, message));
    }
    let mut state = match state.as_deref().map(str::trim) {
        None | Some("") => game.start(),
        Some(text) => game.read_state(text).map_err(|error| Fault::new(Code::BadState, error))?,
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
                last = last_move(&state.move_view(mv));
                state.play(mv);
            }
        }
    }
    Ok(positions)
}
