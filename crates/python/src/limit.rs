//! Limits of a search, as they are given in Python.

use crate::convert::refused;
use monteverde_players::arguments::{MOST, parse_count, parse_memory, parse_time};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyString};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Reads a count: a whole number, or a text such as "200k".
pub(crate) fn count(name: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    let Some(given) = given else { return Ok(None) };
    let wrong = |said: String| refused(format!("{name}: {said}"));
    if let Ok(text) = given.cast::<PyString>() {
        return parse_count(&text.to_string()).map(Some).map_err(wrong);
    }
    whole(name, given, 1..=MOST).map(Some)
}

/// Reads a whole number of a range: an int, one of NumPy's, or whatever else is an index.
pub(crate) fn whole(
    name: &str,
    given: &Bound<'_, PyAny>,
    range: RangeInclusive<u64>,
) -> PyResult<u64> {
    let is_flag = given.cast::<PyBool>().is_ok();
    let number = given.extract::<u64>().ok().filter(|number| !is_flag && range.contains(number));
    number.ok_or_else(|| {
        refused(format!(
            "{name}: a whole number from {} to {} is accepted, not {}",
            range.start(),
            range.end(),
            shown(given)
        ))
    })
}

/// A seed: every whole number that 64 bits hold.
pub(crate) struct Seed(pub(crate) u64);

impl FromPyObject<'_, '_> for Seed {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Seed> {
        whole("seed", &given, 0..=u64::MAX).map(Seed)
    }
}

/// Reads a time: a number of seconds, or a text such as "500ms".
pub(crate) fn time(name: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Duration>> {
    let Some(given) = given else { return Ok(None) };
    let text = match given.cast::<PyString>() {
        Ok(text) => text.to_string(),
        Err(_) => match given.extract::<f64>() {
            Ok(seconds) if given.cast::<PyBool>().is_err() => format!("{seconds}s"),
            _ => shown(given),
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

/// What was given, in words, of which a sentence has room for some.
pub(crate) fn shown(given: &Bound<'_, PyAny>) -> String {
    const MOST_SHOWN: usize = 60;
    // A whole number of thousands of digits has no text.
    let text = given.str().map_or_else(|_| "something".to_owned(), |text| text.to_string());
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
