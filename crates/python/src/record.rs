//! Whole games in and out of texts.

use crate::convert::{outcome_name, refused};
use crate::state::State;
use monteverde_players::{AnyGame, Transcript};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A game that was played: its tags, where it began, its steps and how it ended.
#[pyclass(frozen, module = "monteverde")]
pub(crate) struct Record {
    game: AnyGame,
    transcript: Transcript,
}

impl Record {
    pub(crate) fn new(game: AnyGame, transcript: Transcript) -> Record {
        Record { game, transcript }
    }
}

#[pymethods]
impl Record {
    /// What is said about the game, such as who played.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in &self.transcript.tags {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    /// The text of the state in which it began.
    #[getter]
    fn start(&self) -> &str {
        &self.transcript.start
    }

    /// Everything that was played, moves and events, in order.
    #[getter]
    fn steps(&self) -> Vec<&str> {
        self.transcript.steps.iter().map(|step| step.text.as_str()).collect()
    }

    /// What is said about each step; an empty text for nothing.
    #[getter]
    fn comments(&self) -> Vec<&str> {
        self.transcript.steps.iter().map(|step| step.comment.as_str()).collect()
    }

    /// "first", "second", "draw", or None where the record has no result.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.transcript.outcome.map(outcome_name)
    }

    /// The state after so many steps; after all of them if it is left out.
    #[pyo3(signature = (steps = None))]
    fn state(&self, steps: Option<usize>) -> PyResult<State> {
        crate::own::guarded(|| {
            let start = self.game.read_state(&self.transcript.start).map_err(refused)?;
            let mut state = State::at(start);
            for step in self.transcript.steps.iter().take(steps.unwrap_or(usize::MAX)) {
                match step.chance {
                    true => state.settle_text(&step.text)?,
                    false => state.play_text(&step.text)?,
                }
            }
            Ok(state)
        })?
    }

    /// The record as a text of its game's format.
    fn text(&self) -> PyResult<String> {
        crate::own::guarded(|| self.game.write_record(&self.transcript))?.map_err(refused)
    }

    fn __repr__(&self) -> String {
        let (name, steps) = (self.game.name(), self.transcript.steps.len());
        format!("<Record of {name}, {steps} steps>")
    }
}
