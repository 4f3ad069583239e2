//! The conformance suite over a Python game.

use super::raised::{guarded, take};
use super::rules::{PyState, with_current};
use crate::convert::refused;
use crate::registry;
use monteverde_game::conformance::Suite;
use pyo3::prelude::*;

/// Runs the suite that every game of the program passes over a game that was registered from
/// Python: random games in which each state is checked, and known counts of lines (state, depth,
/// count). Raises ValueError with the state and the rule, at the first that is broken.
#[pyfunction]
#[pyo3(signature = (name, *, games = 20, seed = 1, perft = Vec::new(), states = Vec::new()))]
pub(crate) fn conformance(
    name: &str,
    games: u32,
    seed: u64,
    perft: Vec<(String, u32, u64)>,
    states: Vec<String>,
) -> PyResult<()> {
    let game = registry::find(name)?;
    let start = guarded(|| game.start())?;
    let Some(start) = start.downcast::<PyState>() else {
        return Err(refused(format!(
            "{name} is a game of the program, whose own tests run the suite; a game that was \
             registered from Python is accepted"
        )));
    };
    let perft: Vec<_> =
        perft.iter().map(|(state, depth, count)| (&**state, *depth, *count)).collect();
    let states: Vec<&str> = states.iter().map(String::as_str).collect();
    let suite = Suite::<PyState>::new().games(games).seed(seed).perft(&perft).states(&states);
    let checked = guarded(|| with_current(start.rules(), || suite.result()))?;
    checked.map_err(|violation| {
        let (rule, state, detail) = (violation.rule, violation.state, violation.detail);
        let broken =
            refused(format!("{name} breaks the rule '{rule}' in state '{state}': {detail}"));
        Python::attach(|py| broken.set_cause(py, take()));
        broken
    })
}
