//! A search that runs while Python does other things.

use crate::convert::refused;
use crate::limit;
use crate::own::guarded;
use crate::result::SearchResult;
use crate::state::State;
use monteverde_game::limit::{Limit, Signal};
use monteverde_game::report::{Control, Report};
use monteverde_players::{AnyState, AnyStep, Player, Spec, WallClock};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::time::Duration;

/// How often Ctrl-C is looked for.
const SIGNALS_EVERY: Duration = Duration::from_millis(20);

/// How often a function that watches is called, unless told.
const USUALLY_EVERY: Duration = Duration::from_millis(100);

/// The deepest that a search by depth can be asked for.
const MOST_DEPTH: u64 = 1_000;

/// What Python asks of a search, as it was given.
pub(crate) struct Wanted<'a, 'py> {
    pub(crate) iterations: Option<&'a Bound<'py, PyAny>>,
    pub(crate) time: Option<&'a Bound<'py, PyAny>>,
    pub(crate) nodes: Option<&'a Bound<'py, PyAny>>,
    pub(crate) depth: Option<&'a Bound<'py, PyAny>>,
    pub(crate) only: Option<Vec<Bound<'py, PyAny>>>,
    pub(crate) progress: Option<Py<PyAny>>,
    pub(crate) every: Option<&'a Bound<'py, PyAny>>,
}

impl Wanted<'_, '_> {
    /// When a search of a state stops, and who sees it.
    pub(crate) fn read(self, state: &mut State) -> PyResult<(Limit<AnyStep>, Watch)> {
        if self.only.as_ref().is_some_and(Vec::is_empty) {
            return Err(refused("only: a list of at least one move is accepted"));
        }
        let only = self.only.iter().flatten();
        let only: PyResult<Vec<_>> = only.map(|mv| guarded(|| state.read_move(mv))?).collect();
        let depth = self.depth.map(|depth| limit::whole("depth", depth, 1..=MOST_DEPTH));
        let limit = Limit {
            iterations: limit::count("iterations", self.iterations)?,
            time: limit::time("time", self.time)?,
            nodes: limit::count("nodes", self.nodes)?,
            depth: depth.transpose()?.map(|depth| depth as u32),
            clock: None,
            mate: None,
            only: only?,
        };
        if limit == (Limit { only: limit.only.clone(), ..Limit::none() }) {
            return Err(refused(
                "a search needs a limit; iterations, time, nodes and depth are accepted",
            ));
        }
        Ok((limit, Watch::new(self.progress, self.every)?))
    }
}

/// Who sees a running search.
pub(crate) struct Watch {
    progress: Option<Py<PyAny>>,
    every: Duration,
}

impl Watch {
    /// A function that is called every so many seconds, if there is one.
    fn new(progress: Option<Py<PyAny>>, every: Option<&Bound<'_, PyAny>>) -> PyResult<Watch> {
        check_progress(progress.as_ref())?;
        let Some(given) = every else { return Ok(Watch { progress, every: USUALLY_EVERY }) };
        let seconds = given.extract::<f64>().ok();
        let every = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        match every.filter(|every| !every.is_zero()) {
            Some(every) => Ok(Watch { progress, every }),
            None => {
                let shown = limit::shown(given);
                Err(refused(format!("every: a number of seconds above 0 is accepted, not {shown}")))
            }
        }
    }
}

/// Refuses what cannot be called, before the work begins.
pub(crate) fn check_progress(progress: Option<&Py<PyAny>>) -> PyResult<()> {
    match progress {
        Some(given) if !Python::attach(|py| given.bind(py).is_callable()) => {
            Err(refused("progress: a function is accepted"))
        }
        _ => Ok(()),
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
            // A search that has been told to stop shows once more how it ends, which its caller
            // sees.
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
