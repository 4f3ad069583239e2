//! Moves as whole numbers of Python.
//!
//! A list of codes is made once a ply, and the numbers in it would be most of its cost. Those of
//! moves that were listed before are therefore kept and handed out again.

use monteverde_game::Step;
use monteverde_players::AnyStep;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};
use std::sync::{Mutex, PoisonError};

/// Codes below this are kept; the games of the program have no others.
const MOST_KEPT: usize = 1 << 16;

/// The numbers that were handed out, by their value.
static KEPT: Mutex<Vec<Option<Py<PyInt>>>> = Mutex::new(Vec::new());

/// The codes of some moves.
pub(crate) fn list<'py>(py: Python<'py>, moves: &[AnyStep]) -> PyResult<Bound<'py, PyList>> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    PyList::new(py, moves.iter().map(|mv| number(py, &mut kept, mv.to_bits())))
}

#[inline]
fn number<'py>(py: Python<'py>, kept: &mut Vec<Option<Py<PyInt>>>, code: u32) -> Bound<'py, PyInt> {
    let place = code as usize;
    if let Some(Some(known)) = kept.get(place) {
        return known.bind(py).clone();
    }
    let new = PyInt::new(py, code);
    if place < MOST_KEPT {
        if kept.len() <= place {
            kept.resize_with(place + 1, || None);
        }
        kept[place] = Some(new.clone().unbind());
    }
    new
}
