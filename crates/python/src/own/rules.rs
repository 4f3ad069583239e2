//! The state of a game whose rules are a Python class.

use super::raised::call;
use super::steps::{PyStep, StepTable};
use crate::convert::{outcome_of, side_of};
use monteverde_game::{Game, Notation, NotationError, Outcome, Side, Step};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// A Python class and what is known of it.
pub(super) struct Rules {
    pub(super) name: &'static str,
    pub(super) class: Py<PyAny>,
    pub(super) has_chance: bool,
    pub(super) has_ending: bool,
    pub(super) has_picture: bool,
    /// What tells apart classes of the same name.
    pub(super) digest: String,
    pub(super) steps: StepTable,
}

/// A state; what its object was asked is remembered. `E` is what chance decides: [`Never`] for a game
/// without it, since a search keeps more where there may be chance.
///
/// [`Never`]: monteverde_game::Never
pub(crate) struct PyState<E> {
    rules: Arc<Rules>,
    known: Arc<KnownState>,
    event: PhantomData<E>,
}

impl<E> Clone for PyState<E> {
    fn clone(&self) -> Self {
        PyState { rules: self.rules.clone(), known: self.known.clone(), event: PhantomData }
    }
}

struct KnownState {
    object: Py<PyAny>,
    turn: OnceLock<Side>,
    outcome: OnceLock<Option<Outcome>>,
    text: OnceLock<String>,
    moves: OnceLock<Vec<PyStep>>,
    events: OnceLock<Vec<(PyStep, u32)>>,
}

thread_local! {
    /// The game that the conformance suite looks at on this thread: one type stands for all Python
    /// games, so that [`Notation::start`] does not know which of them is meant.
    static CURRENT: RefCell<Option<Arc<Rules>>> = const { RefCell::new(None) };
}

/// Does some work in which [`Notation::start`] and [`Notation::parse_state`] mean that game.
pub(super) fn with_current<T>(rules: &Arc<Rules>, work: impl FnOnce() -> T) -> T {
    CURRENT.set(Some(rules.clone()));
    let result = work();
    CURRENT.set(None);
    result
}

fn current() -> Arc<Rules> {
    let rules = CURRENT.with_borrow(Clone::clone);
    rules.expect("only the conformance suite asks the type, and it says which game is meant")
}

impl<E: Step> PyState<E> {
    /// The state that an object of the class is.
    fn new(rules: &Arc<Rules>, object: Py<PyAny>) -> PyState<E> {
        let known = KnownState {
            object,
            turn: OnceLock::new(),
            outcome: OnceLock::new(),
            text: OnceLock::new(),
            moves: OnceLock::new(),
            events: OnceLock::new(),
        };
        PyState { rules: rules.clone(), known: Arc::new(known), event: PhantomData }
    }

    /// The initial state of a game.
    pub(super) fn start_of(rules: &Arc<Rules>) -> PyState<E> {
        call(|py| Ok(PyState::new(rules, rules.class.call0(py)?)))
    }

    /// Reads a state; a ValueError of the class says what is wrong with the text.
    pub(super) fn read(rules: &Arc<Rules>, text: &str) -> Result<PyState<E>, NotationError> {
        call(|py| match rules.class.call1(py, (text,)) {
            Ok(object) => Ok(Ok(PyState::new(rules, object))),
            Err(error) if error.is_instance_of::<PyValueError>(py) => {
                Ok(Err(NotationError::new(error.value(py).to_string())))
            }
            Err(error) => Err(error),
        })
    }

    pub(super) fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Asks a method of the object that takes nothing.
    fn ask<T>(&self, method: &str, read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        call(|py| read(&self.known.object.bind(py).call_method0(method)?))
    }

    fn step(&mut self, method: &str, step: PyStep) {
        *self = call(|py| {
            let object = self.rules.steps.object(py, step)?;
            let next = self.known.object.call_method1(py, method, (object,))?;
            if next.is(&self.known.object) || next.is_none(py) {
                return Err(PyValueError::new_err(format!(
                    "{method}() of {} must return a new state and leave its own as it is",
                    self.rules.name
                )));
            }
            Ok(PyState::new(&self.rules, next))
        });
    }

    fn text(&self) -> &str {
        let read =
            |text: &Bound<'_, PyAny>| PyResult::<String>::Ok(text.str()?.to_cow()?.into_owned());
        remembered::<String>(&self.known.text, || self.ask("text", read))
    }

    fn listed_moves(&self) -> &[PyStep] {
        remembered::<Vec<_>>(&self.known.moves, || {
            if self.is_pending() {
                return Vec::new();
            }
            let list = |moves: &Bound<'_, PyAny>| {
                moves
                    .try_iter()?
                    .map(|mv| self.rules.steps.bits(&mv?))
                    .collect::<PyResult<Vec<_>>>()
            };
            self.ask("moves", list)
        })
    }

    fn listed_events(&self) -> &[(PyStep, u32)] {
        if !self.rules.has_chance {
            return &[];
        }
        remembered::<Vec<_>>(&self.known.events, || {
            let one = |pair: PyResult<Bound<'_, PyAny>>| {
                let (event, weight) = pair?.extract::<(Bound<'_, PyAny>, u32)>()?;
                match weight {
                    0 => Err(PyValueError::new_err("an event has a weight of at least 1")),
                    weight => Ok((self.rules.steps.bits(&event)?, weight)),
                }
            };
            self.ask("events", |events| events.try_iter()?.map(one).collect::<PyResult<Vec<_>>>())
        })
    }

    fn find(&self, text: &str, mut steps: impl Iterator<Item = PyStep>) -> Option<PyStep> {
        steps.find(|&step| self.rules.steps.text(step) == text)
    }
}

/// What a cell holds; filled if it is empty. Two threads may both ask the object: one that waited
/// for the other while it has the interpreter would wait for ever.
fn remembered<T>(cell: &OnceLock<T>, ask: impl FnOnce() -> T) -> &T {
    if cell.get().is_none() {
        let _ = cell.set(ask());
    }
    cell.get().expect("it has just been filled")
}

impl<E: Step> fmt::Debug for PyState<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rules.name, self.text())
    }
}

fn key(text: &str) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *blake3::hash(text.as_bytes()).as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// Reads what `turn` of a class gives.
fn read_turn(given: &Bound<'_, PyAny>) -> PyResult<Side> {
    let text = given.cast::<PyString>().ok().and_then(|text| side_of(&text.to_cow().ok()?));
    text.ok_or_else(|| {
        let given = given.repr().map_or_else(|_| String::new(), |text| text.to_string());
        PyValueError::new_err(format!("turn() must give \"first\" or \"second\", not {given}"))
    })
}

/// Reads what `outcome` of a class gives.
fn read_outcome(given: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
    if given.is_none() {
        return Ok(None);
    }
    let text = given.cast::<PyString>().ok().and_then(|text| outcome_of(&text.to_cow().ok()?));
    text.map(Some).ok_or_else(|| {
        let given = given.repr().map_or_else(|_| String::new(), |text| text.to_string());
        PyValueError::new_err(format!(
            "outcome() must give None, \"first\", \"second\" or \"draw\", not {given}"
        ))
    })
}

impl<E: Step> Game for PyState<E> {
    type Move = PyStep;
    type Event = E;

    /// Of the type; each game has a name of its own.
    const NAME: &'static str = "python";

    fn turn(&self) -> Side {
        *remembered(&self.known.turn, || self.ask("turn", read_turn))
    }
    fn outcome(&self) -> Option<Outcome> {
        *remembered(&self.known.outcome, || self.ask("outcome", read_outcome))
    }
    fn ending(&self) -> Option<&'static str> {
        self.outcome()?;
        if !self.rules.has_ending {
            return Some("end");
        }
        let ending = self.ask("ending", |ending| ending.extract::<String>());
        Some(super::entry::kept(&ending))
    }
    fn moves(&self, buffer: &mut Vec<PyStep>) {
        buffer.extend(self.listed_moves());
    }
    fn play(&mut self, mv: PyStep) {
        self.step("play", mv);
    }
    fn key(&self) -> u64 {
        key(self.text())
    }
    fn recomputed_key(&self) -> u64 {
        // What is read back has forgotten everything but its text.
        match PyState::<E>::read(&self.rules, self.text()) {
            Ok(again) => key(again.text()),
            Err(_) => !self.key(),
        }
    }
    fn is_pending(&self) -> bool {
        self.rules.has_chance && self.outcome().is_none() && !self.listed_events().is_empty()
    }
    fn events(&self, buffer: &mut Vec<(E, u32)>) {
        if self.is_pending() {
            let events = self.listed_events().iter();
            buffer.extend(events.map(|(event, weight)| (E::from_bits(event.to_bits()), *weight)));
        }
    }
    fn event_weight(&self) -> u32 {
        self.listed_events().iter().map(|(_, weight)| weight).sum()
    }
    fn settle(&mut self, event: E) {
        self.step("settle", PyStep::from_bits(event.to_bits()));
    }
}

impl<E: Step> Notation for PyState<E> {
    fn start() -> Self {
        PyState::start_of(&current())
    }
    fn parse_state(text: &str) -> Result<Self, NotationError> {
        PyState::read(&current(), text)
    }
    fn state_text(&self) -> String {
        self.text().to_owned()
    }
    fn parse_move(&self, text: &str) -> Result<PyStep, NotationError> {
        self.find(text, self.listed_moves().iter().copied()).ok_or_else(|| {
            NotationError::new(format!("'{text}' is not legal in '{}'", self.text()))
        })
    }
    fn move_text(&self, mv: PyStep) -> String {
        self.rules.steps.text(mv)
    }
    fn parse_event(&self, text: &str) -> Result<E, NotationError> {
        let found = self.find(text, self.listed_events().iter().map(|&(event, _)| event));
        found.map(|event| E::from_bits(event.to_bits())).ok_or_else(|| {
            NotationError::new(format!("'{text}' cannot happen in '{}'", self.text()))
        })
    }
    fn event_text(&self, event: E) -> String {
        self.rules.steps.text(PyStep::from_bits(event.to_bits()))
    }
    fn picture(&self) -> String {
        let mut picture = match self.rules.has_picture {
            true => self.ask("picture", |text| text.extract::<String>()),
            false => self.text().to_owned(),
        };
        if !picture.ends_with('\n') {
            picture.push('\n');
        }
        picture
    }
}
