//! Dictionaries as the tables of the program's files.

use crate::convert::{document, refused};
use crate::limit::shown;
use monteverde_lab::keys;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use toml::{Table, Value};

/// A dictionary as a table; entries that are None are left out.
pub(super) fn table(given: &Bound<'_, PyDict>) -> PyResult<Table> {
    let mut table = Table::new();
    for (key, entry) in given {
        if !entry.is_none() {
            let key = key.extract::<String>().map_err(|_| refused("keys are texts"))?;
            let entry = value(&key, &entry)?;
            table.insert(key, entry);
        }
    }
    Ok(table)
}

fn value(key: &str, given: &Bound<'_, PyAny>) -> PyResult<Value> {
    let list = |items: Vec<Bound<'_, PyAny>>| {
        let items: PyResult<_> = items.iter().map(|item| value(key, item)).collect();
        Ok(Value::Array(items?))
    };
    if let Ok(flag) = given.cast::<PyBool>() {
        Ok(Value::Boolean(flag.is_true()))
    } else if given.cast::<PyInt>().is_ok() {
        let number = given.extract::<i64>();
        let large = || refused(format!("{key}: {} is too large", shown(given)));
        let number = number.map_err(|_| large())?;
        Ok(Value::Integer(number))
    } else if let Ok(number) = given.cast::<PyFloat>() {
        Ok(Value::Float(number.value()))
    } else if let Ok(text) = given.cast::<PyString>() {
        Ok(Value::String(text.to_cow()?.into_owned()))
    } else if let Ok(items) = given.cast::<PyList>() {
        list(items.iter().collect())
    } else if let Ok(items) = given.cast::<PyTuple>() {
        list(items.iter().collect())
    } else if let Ok(entries) = given.cast::<PyDict>() {
        table(entries).map(Value::Table)
    } else if let Ok(number) = given.extract::<i64>() {
        // An int of NumPy, or whatever else is an index.
        Ok(Value::Integer(number))
    } else if let Ok(path) = given.extract::<std::path::PathBuf>() {
        Ok(Value::String(path.display().to_string()))
    } else {
        let kind = given.get_type().name()?.to_string();
        Err(refused(format!(
            "{key}: a {kind} is not accepted; numbers, texts, lists and dictionaries are"
        )))
    }
}

/// The text of a file in TOML as a dictionary.
#[pyfunction]
#[pyo3(name = "_read_toml")]
pub(crate) fn read_toml<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let table = keys::parse(text).map_err(refused)?;
    document(py, &serde_json::to_value(table).map_err(refused)?)
}
