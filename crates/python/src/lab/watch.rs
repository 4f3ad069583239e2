//! Long work on a thread of its own, while the caller's thread looks after Ctrl-C and tells how far
//! the work is.

use crate::convert::failed;
use crate::own::{raise, raised_last};
use monteverde_lab::hands::Hands;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often Ctrl-C is looked for.
const SIGNALS_EVERY: Duration = Duration::from_millis(20);

/// How far the work is.
#[derive(Clone, Copy)]
pub(super) struct Told {
    pub(super) done: u64,
    pub(super) total: u64,
    pub(super) found: u64,
}

/// Does some work that stops when the hands are told to stop. `progress` is called with the units
/// that are done, all of them, and those that were found in the store; an exception of it, or
/// Ctrl-C, stops the work and is raised. It stops too if the function returns False.
pub(super) fn watched<T: Send>(
    py: Python<'_>,
    hands: &Hands,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&(dyn Fn(Told) + Sync)) -> PyResult<T> + Send,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (tell, told) = channel();
            let worker = scope.spawn(move || {
                let tell: Sender<Told> = tell;
                crate::own::guarded(|| {
                    work(&|step| {
                        // Nobody listens any more once an exception has come.
                        let _ = tell.send(step);
                    })
                })
            });
            let mut raised = None;
            loop {
                let step = match told.recv_timeout(SIGNALS_EVERY) {
                    Ok(step) => Some(step),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if raised.is_some() {
                    continue;
                }
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    match (step, progress) {
                        (Some(step), Some(progress)) => show(py, progress, step),
                        _ => Ok(true),
                    }
                });
                match looked {
                    Ok(true) => {}
                    Ok(false) => hands.stop.stop(),
                    Err(error) => {
                        hands.stop.stop();
                        // A game whose Python rules never end does not look at the hands.
                        Python::attach(|py| {
                            if error.is_instance_of::<PyKeyboardInterrupt>(py) {
                                raise(error.clone_ref(py));
                            }
                        });
                        raised = Some(error);
                    }
                }
            }
            let done = worker.join();
            let done = done.unwrap_or_else(|_| Err(failed("the work ended without a word")));
            match raised {
                Some(error) => {
                    drop(raised_last());
                    Err(error)
                }
                None => done?,
            }
        })
    })
}

fn show(py: Python<'_>, progress: &Py<PyAny>, step: Told) -> PyResult<bool> {
    let said = progress.call1(py, (step.done, step.total, step.found))?;
    Ok(!said.bind(py).is(&*pyo3::types::PyBool::new(py, false)))
}
