//! What learned networks see of states, many at a time.

use crate::convert::refused;
use crate::state::State;
use monteverde_game::Game as _;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

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
    py: Python<'py>,
    states: &Bound<'py, PyList>,
    moves: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let arrays = PyDict::new(py);
    let (mut inputs, mut offsets) = (Vec::<u16>::new(), vec![0_u32]);
    let (mut legal, mut legal_offsets) = (Vec::<u16>::new(), vec![0_u32]);
    let mut known = None;
    offsets.reserve(states.len());
    for state in states {
        let state = state.cast_into::<State>();
        let state = state.map_err(|_| refused("features are those of a list of States"))?;
        let state = &state.borrow().state;
        let game = state.game();
        let (first, features) = match &known {
            Some(known) => known,
            None => {
                let features = game
                    .features()
                    .ok_or_else(|| refused(format!("there are no features of {}", game.name())))?;
                inputs.reserve(states.len() * features.description().most);
                known.insert((game, features))
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
        features.write(state, &mut inputs);
        offsets.push(end(inputs.len())?);
        if moves {
            features.write_moves(state, &mut legal);
            legal_offsets.push(end(legal.len())?);
        }
    }
    arrays.set_item("inputs", inputs.into_pyarray(py))?;
    arrays.set_item("offsets", offsets.into_pyarray(py))?;
    if moves {
        arrays.set_item("legal", legal.into_pyarray(py))?;
        arrays.set_item("legal_offsets", legal_offsets.into_pyarray(py))?;
    }
    Ok(arrays)
}

/// Where the inputs of a state end.
fn end(length: usize) -> PyResult<u32> {
    let end = u32::try_from(length);
    end.map_err(|_| refused("the batch is too large: its offsets have 32 bits; make several"))
}
