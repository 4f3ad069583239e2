//! A search that runs while Python does other things.

use crate::convert::refused;
use crate::result::SearchResult;
use monteverde_game::limit::{Limit, Signal};
use monteverde_game::report::{Control, Report};
use monteverde_players::{AnyState, AnyStep, Player, Spec, WallClock};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::time::Duration;

/// How often Ctrl-C is looked for.
const SIGNALS_EVERY: Duration = Duration::from_millis(20);

/// Who sees a running search.
pub(crate) struct Watch {
    progress: Option<Py<PyAny>>,
    every: Duration,
}

impl Watch {
    /// A function that is called every so many seconds, if there is one.
    pub(crate) fn new(progress: Option<Py<PyAny>>, every: f64) -> PyResult<Watch> {
        let accepted = || refused(format!("every: a number of seconds above 0, not {every}"));
        let every = Duration::try_from_secs_f64(every).map_err(|_| accepted())?;
        if every.is_zero() {
            return Err(accepted());
        }
        Ok(Watch { progress, every })
    }
}

/// What is searched, and by whom.
pub(crate) struct Search<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) state: &'a AnyState,
    pub(crate) limit: &'a Limit<AnyStep>,
}

impl Search<'_> {
    /// Thinks; called without the interpreter. An exception, of Ctrl-C or of the function that
    /// watches, ends the search and is raised.
    pub(crate) fn run(
        &self,
        player: &mut dyn Player<AnyState>,
        watch: &Watch,
    ) -> PyResult<Report<AnyState>> {
        let signal = Signal::default();
        let raised = RefCell::new(None);
        let seen = RefCell::new(Duration::ZERO);
        let mut observe = |report: &Report<AnyState>| {
            // A search that has been told to stop shows once more how it ends, which its caller sees.
            let due =
                !signal.is_stopped() && report.figures.elapsed >= *seen.borrow() + watch.every;
            let looked = Python::attach(|py| {
                py.check_signals()?;
                match &watch.progress {
                    Some(progress) if due => self.show(py, progress, report),
                    _ => Ok(true),
                }
            });
            if due {
                *seen.borrow_mut() = report.figures.elapsed;
            }
            match looked {
                Ok(true) => {}
                Ok(false) => signal.stop(),
                Err(error) => {
                    signal.stop();
                    raised.borrow_mut().get_or_insert(error);
                }
            }
        };
        let control = Control {
            clock: &WallClock::start(),
            signal: &signal,
            every: SIGNALS_EVERY.min(watch.every),
            observe: &mut observe,
        };
        let report = player.think(self.limit, control);
        match raised.into_inner() {
            Some(error) => Err(error),
            None => Ok(report),
        }
    }

    /// Whether the search is to go on, says the function that watches.
    fn show(
        &self,
        py: Python<'_>,
        progress: &Py<PyAny>,
        report: &Report<AnyState>,
    ) -> PyResult<bool> {
        let result = SearchResult::new(self.state.clone(), self.spec.to_string(), report.clone());
        let said = progress.call1(py, (result,))?;
        Ok(!said.bind(py).is(&*pyo3::types::PyBool::new(py, false)))
    }
}
