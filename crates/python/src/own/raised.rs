//! What a method of a Python game raised, on its way to whoever called the search.
//!
//! A search has no room for errors of the rules, since ours make none. An exception in a Python
//! method therefore unwinds the search, without the words of a panic, and is raised again where
//! Python called us. Until then every call into Python rules unwinds, so that the other threads of
//! the search end too.

use crate::convert::failed;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What unwinds.
struct Raised;

/// The last exception that nobody has raised again. Threads of one search lose what they unwound
/// with, so it is kept here.
static LAST: Mutex<Option<PyErr>> = Mutex::new(None);

/// Whether there is one.
static IS_RAISED: AtomicBool = AtomicBool::new(false);

/// What a call into Python rules gives; an exception ends the work in which it was made.
pub(super) fn call<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
    if !is_raised() {
        match Python::attach(call) {
            Ok(value) => return value,
            Err(error) => raise(error),
        }
    }
    resume_unwind(Box::new(Raised))
}

/// Ends every work in which Python rules are asked, however long a game may be.
pub(crate) fn raise(error: PyErr) {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    IS_RAISED.store(true, Ordering::Relaxed);
}

/// Whether an exception waits to be raised.
pub(crate) fn is_raised() -> bool {
    IS_RAISED.load(Ordering::Relaxed)
}

/// The exception that was raised since it was asked for last.
pub(crate) fn take() -> Option<PyErr> {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
    IS_RAISED.store(false, Ordering::Relaxed);
    last
}

/// Does some work that may call methods of a Python game, and raises what they raised. A panic of
/// our own is a defect, and becomes a RuntimeError that says so.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| error(&*panic))
}

fn error(panic: &(dyn Any + Send)) -> PyErr {
    if let Some(error) = take() {
        return error;
    }
    if panic.is::<Raised>() {
        return failed(
            "a game that is written in Python raised an exception in another search at the same \
             time; search again",
        );
    }
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    failed(format!("this is a defect of monteverde, please report it: {text}"))
}
