//! The conformance suite over a Python game.

use super::raised::{guarded, take};
use super::rules::{PyState, with_current};
use super::steps::PyStep;
use crate::convert::refused;
use crate::registry;
use monteverde_game::conformance::{Suite, Violation};
use monteverde_game::{Never, Step};
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
    let perft: Vec<_> =
        perft.iter().map(|(state, depth, count)| (&**state, *depth, *count)).collect();
    let states: Vec<&str> = states.iter().map(String::as_str).collect();
    let data = Data { games, seed, perft: &perft, states: &states };
    let checked = if let Some(start) = start.downcast::<PyState<Never>>() {
        data.check(start)?
    } else if let Some(start) = start.downcast::<PyState<PyStep>>() {
        data.check(start)?
    } else {
        return Err(refused(format!(
            "{name} is a game of the program, whose own tests run the suite; a game that was \
             registered from Python is accepted"
        )));
    };
    checked.map_err(|violation| {
        let (rule, state, detail) = (violation.rule, violation.state, violation.detail);
        let broken =
            refused(format!("{name} breaks the rule '{rule}' in state '{state}': {detail}"));
        Python::attach(|py| broken.set_cause(py, take()));
        broken
    })
}

/// What the suite is run with.
struct Data<'a> {
    games: u32,
    seed: u64,
    perft: &'a [(&'a str, u32, u64)],
    states: &'a [&'a str],
}

impl Data<'_> {
    fn check<E: Step>(&self, start: &PyState<E>) -> PyResult<Result<(), Violation>> {
        let suite = Suite::<PyState<E>>::new().games(self.games).seed(self.seed);
        let suite = suite.perft(self.perft).states(self.states);
        guarded(|| with_current(start.rules(), || suite.result()))
    }
}
