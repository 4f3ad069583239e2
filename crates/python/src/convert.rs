//! Between Rust and Python: errors, words for sides and outcomes, documents.

use monteverde_game::{Outcome, Proof, Side};
use monteverde_players::face::side_name;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyNone};
use serde_json::Value;
use std::fmt::Display;

/// Input that is not accepted, with the sentence that says why.
pub(crate) fn refused(reason: impl Display) -> PyErr {
    PyValueError::new_err(reason.to_string())
}

/// Work that failed, though the input was in order.
pub(crate) fn failed(reason: impl Display) -> PyErr {
    PyRuntimeError::new_err(reason.to_string())
}

/// `first`, `second` or `draw`.
pub(crate) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(side) => side_name(side),
        Outcome::Draw => "draw",
    }
}

/// The side of a name; `None` for any other text.
pub(crate) fn side_of(text: &str) -> Option<Side> {
    [Side::First, Side::Second].into_iter().find(|&side| side_name(side) == text)
}

/// The outcome of a name; `None` for any other text.
pub(crate) fn outcome_of(text: &str) -> Option<Outcome> {
    match text {
        "draw" => Some(Outcome::Draw),
        text => side_of(text).map(Outcome::Win),
    }
}

/// `open`, `win`, `draw` or `loss`.
pub(crate) fn proof_name(proof: Proof) -> &'static str {
    match proof {
        Proof::Open => "open",
        Proof::Win(_) => "win",
        Proof::Draw => "draw",
        Proof::Loss(_) => "loss",
    }
}

/// A document as dictionaries, lists, numbers and texts.
pub(crate) fn document<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => PyNone::get(py).to_owned().into_any(),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (_, Some(number)) => number.into_pyobject(py)?.into_any(),
            _ => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(document(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (key, entry) in entries {
                dict.set_item(key, document(py, entry)?)?;
            }
            dict.into_any()
        }
    })
}
