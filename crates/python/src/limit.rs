//! Limits of a search, as they are given in Python.

use crate::convert::refused;
use monteverde_players::arguments::{MOST, parse_count, parse_memory, parse_time};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};
use std::time::Duration;

/// Reads a count: a whole number, or a text such as "200k".
pub(crate) fn count(name: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    let Some(given) = given else { return Ok(None) };
    let wrong = |said: String| refused(format!("{name}: {said}"));
    if let Ok(text) = given.cast::<PyString>() {
        return parse_count(&text.to_string()).map(Some).map_err(wrong);
    }
    let whole = given.cast::<PyInt>().is_ok() && given.cast::<PyBool>().is_err();
    let number = given.extract::<u64>().ok().filter(|_| whole);
    let number = number.filter(|number| (1..=MOST).contains(number));
    number.map(Some).ok_or_else(|| {
        wrong(format!("a whole number from 1 to {MOST} is accepted, not {}", shown(given)))
    })
}

/// Reads a time: a number of seconds, or a text such as "500ms".
pub(crate) fn time(name: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Duration>> {
    let Some(given) = given else { return Ok(None) };
    let text = match given.cast::<PyString>() {
        Ok(text) => text.to_string(),
        Err(_) => match given.extract::<f64>() {
            Ok(seconds) => format!("{seconds}s"),
            Err(_) => shown(given),
        },
    };
    let read = parse_time(&text).map(Some);
    read.map_err(|said| {
        refused(format!("{name}: '{text}': {said}; a number alone is taken for seconds"))
    })
}

/// Reads an amount of memory: a number of bytes, or a text such as "256MiB".
pub(crate) fn memory(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
    let Some(given) = given else { return Ok(None) };
    let is_whole = given.cast::<PyFloat>().is_err();
    let text = shown(given);
    let read = parse_memory(if is_whole { &text } else { "" });
    read.map(Some).map_err(|said| refused(format!("memory: '{text}': {said}")))
}

/// What was given, in words.
fn shown(given: &Bound<'_, PyAny>) -> String {
    given.str().map_or_else(|_| "something".to_owned(), |text| text.to_string())
}
