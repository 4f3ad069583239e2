//! What learned networks see of states, many at a time.

use crate::convert::refused;
use crate::state::State;
use monteverde_game::Game as _;
use monteverde_players::{AnyFeatures, AnyGame, AnyState};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The active inputs of some states of one game, as sparse indices one state after another:
/// ``inputs`` (uint16) and ``offsets`` (uint32, one more than there are states), so that those of
/// state k are ``inputs[offsets[k]:offsets[k + 1]]``. With ``moves=True`` also ``legal`` and
/// ``legal_offsets``: the policy outputs of the legal moves, in the order of ``State.moves()``.
///
/// What an index means is fixed by the name of the feature set, see ``Game.features``; indices are
/// seen from the side to move. The same Rust code makes them for training and for play.
#[pyfunction]
#[pyo3(signature = (states, *, moves = false))]
pub(crate) fn features<'py>(
    states: &Bound<'py, PyAny>,
    moves: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let py = states.py();
    let rows = FeatureRows::of(states, moves)?;
    let arrays = PyDict::new(py);
    arrays.set_item("inputs", rows.inputs.into_pyarray(py))?;
    arrays.set_item("offsets", rows.offsets.into_pyarray(py))?;
    if moves {
        arrays.set_item("legal", rows.legal.into_pyarray(py))?;
        arrays.set_item("legal_offsets", rows.legal_offsets.into_pyarray(py))?;
    }
    Ok(arrays)
}

/// What is seen of some states of one game, one after another.
pub(crate) struct FeatureRows {
    /// The game, and what is seen of it, once there is a state.
    pub(crate) seen: Option<(AnyGame, AnyFeatures)>,
    pub(crate) inputs: Vec<u16>,
    pub(crate) offsets: Vec<u32>,
    pub(crate) legal: Vec<u16>,
    pub(crate) legal_offsets: Vec<u32>,
    with_moves: bool,
}

impl FeatureRows {
    /// No state yet.
    pub(crate) fn new(with_moves: bool) -> FeatureRows {
        FeatureRows {
            seen: None,
            inputs: Vec::new(),
            offsets: vec![0],
            legal: Vec::new(),
            legal_offsets: vec![0],
            with_moves,
        }
    }

    /// Those of a list, or of whatever else gives states one after another.
    pub(crate) fn of(states: &Bound<'_, PyAny>, with_moves: bool) -> PyResult<FeatureRows> {
        let wrong = || refused("features are those of a list of States");
        let mut rows = FeatureRows::new(with_moves);
        let count = states.len().unwrap_or(0);
        rows.offsets.reserve(count);
        for state in states.try_iter().map_err(|_| wrong())? {
            let state = state?.cast_into::<State>().map_err(|_| wrong())?;
            let is_first = rows.seen.is_none();
            rows.push(&state.borrow().state)?;
            if is_first {
                let most = rows.seen.as_ref().map_or(0, |(_, seen)| seen.description().most);
                rows.inputs.reserve(count * most);
            }
        }
        Ok(rows)
    }

    /// Appends a state.
    pub(crate) fn push(&mut self, state: &AnyState) -> PyResult<()> {
        let game = state.game();
        let (first, features) = match &self.seen {
            Some(seen) => seen,
            None => {
                let features = game.features();
                let none = || refused(format!("there are no features of {}", game.name()));
                self.seen.insert((game, features.ok_or_else(none)?))
            }
        };
        if *first != game {
            let (one, other) = (first.name(), game.name());
            return Err(refused(format!("states of one game make a batch, not {one} and {other}")));
        }
        if state.is_pending() {
            return Err(refused(format!(
                "a state in which chance decides next has no features: '{}'",
                state.state_text()
            )));
        }
        features.write(state, &mut self.inputs);
        self.offsets.push(end(self.inputs.len())?);
        if self.with_moves {
            features.write_moves(state, &mut self.legal);
            self.legal_offsets.push(end(self.legal.len())?);
        }
        Ok(())
    }

    /// The inputs and the policy outputs of each state.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&[u16], &[u16])> {
        let row = |ends: &[u32]| ends[0] as usize..ends[1] as usize;
        let inputs = self.offsets.windows(2).map(move |ends| &self.inputs[row(ends)]);
        inputs.zip(self.legal_offsets.windows(2).map(move |ends| &self.legal[row(ends)]))
    }
}

/// Where the inputs of a state end.
fn end(length: usize) -> PyResult<u32> {
    let end = u32::try_from(length);
    end.map_err(|_| refused("the batch is too large: its offsets have 32 bits; make several"))
}
