//! Positions without a session: of a state text, and along a line of steps.

use crate::fault::{Code, Fault};
use crate::position::{last_move, position};
use monteverde_game::{Game, NotationError};
use monteverde_players::{AnyState, Games};
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
    Ok(Replay::new(games, game, line)?.next().unwrap_or_default())
}

/// The positions along a line: the answer to `/api/games/<game>/replay`.
pub fn replay(games: &Games, game: &str, line: StepLine) -> Result<Value, Fault> {
    let positions: Vec<Value> = Replay::new(games, game, line)?.collect();
    Ok(json!({ "positions": positions }))
}

/// The positions along a line that has been checked, one after the other: all of them together may
/// be a thousand times as large as the line.
pub struct Replay {
    state: AnyState,
    /// The steps to come, the next one last.
    steps: Vec<String>,
    /// The move before, as a position tells it.
    last: Value,
    /// How many steps were followed; `None` after the last position.
    at: Option<usize>,
    /// The only one that is asked for, if it is only one.
    only: Option<usize>,
}

impl Replay {
    /// A line of one of the games. Every step of it is legal, or this is a fault.
    pub fn new(games: &Games, game: &str, line: StepLine) -> Result<Replay, Fault> {
        let game = games.game(game).map_err(|error| Fault::new(Code::UnknownGame, error))?;
        let StepLine { state, mut steps, at: only } = line;
        if steps.len() > MOST_STEPS {
            let message =
                format!("{} steps are too many; at most {MOST_STEPS} are accepted", steps.len());
            return Err(Fault::new(Code::TooLarge, message));
        }
        if let Some(at) = only.filter(|&at| at > steps.len()) {
            let most = steps.len();
            let message =
                format!("'at' is {at}, and the line has {most} steps; accepted: 0 to {most}");
            return Err(Fault::new(Code::BadMessage, message));
        }
        let state = match state.as_deref().map(str::trim) {
            None | Some("") => game.start(),
            Some(text) => {
                game.read_state(text).map_err(|error| Fault::new(Code::BadState, error))?
            }
        };
        let mut checked = state.clone();
        for step in &steps {
            follow(&mut checked, step).map_err(|error| Fault::new(Code::IllegalMove, error))?;
        }
        steps.reverse();
        Ok(Replay { state, steps, last: Value::Null, at: Some(0), only })
    }

    /// How many positions there are at most.
    pub fn most_positions(&self) -> usize {
        if self.only.is_some() { 1 } else { self.steps.len() + 1 }
    }
}

impl Iterator for Replay {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        loop {
            let at = self.at?;
            let is_asked = self.only.is_none_or(|only| only == at);
            let told = is_asked.then(|| position(&self.state, self.last.clone()));
            self.at = match self.steps.pop() {
                // It was followed before, when the line was checked.
                Some(step) => follow(&mut self.state, &step).ok().map(|moved| {
                    self.last = moved.unwrap_or(self.last.take());
                    at + 1
                }),
                None => None,
            };
            if told.is_some() {
                return told;
            }
        }
    }
}

impl std::fmt::Debug for Replay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a replay with {} steps to come", self.steps.len())
    }
}

/// Follows a step. A move gives itself, as a position tells it; an event gives nothing.
fn follow(state: &mut AnyState, step: &str) -> Result<Option<Value>, NotationError> {
    if state.is_pending() {
        let event = state.parse_event(step)?;
        state.settle(event);
        return Ok(None);
    }
    let mv = state.parse_move(step)?;
    let moved = last_move(&state.move_view(mv));
    state.play(mv);
    Ok(Some(moved))
}
