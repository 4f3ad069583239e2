//! Moves and events of Python games as 32 bits.

use monteverde_game::Step;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A move or an event of a Python game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PyStep(u32);

impl Step for PyStep {
    fn to_bits(self) -> u32 {
        self.0
    }
    fn from_bits(bits: u32) -> Self {
        PyStep(bits)
    }
}

/// Every step that a game has shown so far, by its bits. The bits are a hash of the text, so that
/// they do not depend on which state was looked at first.
#[derive(Default)]
pub(super) struct StepTable(Mutex<HashMap<u32, (String, Py<PyAny>)>>);

impl StepTable {
    /// The bits of a step, which is a text or a whole number.
    pub(super) fn bits(&self, step: &Bound<'_, PyAny>) -> PyResult<PyStep> {
        let text = match (step.cast::<PyString>(), step.hasattr("__index__")) {
            (Ok(text), _) => text.to_cow()?.into_owned(),
            // Also the whole numbers of NumPy, which are no ints.
            (_, Ok(true)) => step.call_method0("__index__")?.str()?.to_cow()?.into_owned(),
            _ => {
                let kind = step.get_type().name()?;
                return Err(PyValueError::new_err(format!(
                    "a move or event is a str or an int, not a {kind}"
                )));
            }
        };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bits = hash(&text);
        loop {
            match known.get(&bits) {
                Some((same, _)) if *same == text => return Ok(PyStep(bits)),
                // Two texts of one hash: the later takes the next free place.
                Some(_) => bits = bits.wrapping_add(1),
                None => break,
            }
        }
        known.insert(bits, (text, step.clone().unbind()));
        Ok(PyStep(bits))
    }

    /// The step as the game gave it.
    pub(super) fn object(&self, py: Python<'_>, step: PyStep) -> PyResult<Py<PyAny>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.get(&step.0).map(|(_, object)| object.clone_ref(py));
        found.ok_or_else(|| PyValueError::new_err("a step of another game cannot be played here"))
    }

    /// The step as a text.
    pub(super) fn text(&self, step: PyStep) -> String {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&step.0).map(|(text, _)| text.clone()).unwrap_or_default()
    }
}

/// The beginning of a hash that is the same everywhere.
fn hash(text: &str) -> u32 {
    let [a, b, c, d, ..] = *blake3::hash(text.as_bytes()).as_bytes();
    u32::from_le_bytes([a, b, c, d])
}
