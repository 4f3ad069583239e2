//! The state of a game whose rules are a Python class.

use super::entry::METHODS;
use super::raised::call;
use super::steps::{PyStep, StepTable};
use crate::convert::{outcome_of, side_of};
use crate::limit::shown;
use monteverde_game::{Game, Notation, NotationError, Outcome, Rng, Side, Step};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
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

/// A state; what its object was asked is remembered. `E` is what chance decides: [`Never`] for a
/// game without it, since a search keeps more where there may be chance.
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
            let next_type = next.bind(py).get_type();
            let is_state = next_type.is(&self.rules.class)
                || METHODS.iter().all(|method| next_type.hasattr(*method).unwrap_or(false));
            if next.is(&self.known.object) || !is_state {
                return Err(PyValueError::new_err(format!(
                    "{method}() of {} must return a new state and leave its own as it is",
                    self.rules.name
                )));
            }
            Ok(PyState::new(&self.rules, next))
        });
    }

    fn text(&self) -> &str {
        remembered::<String>(&self.known.text, || self.words("text"))
    }

    fn listed_moves(&self) -> &[PyStep] {
        remembered::<Vec<_>>(&self.known.moves, || {
            if self.is_pending() {
                return Vec::new();
            }
            let list = |moves: &Bound<'_, PyAny>| {
                self.each("moves", moves)?
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
            let pairs = || {
                let name = self.rules.name;
                PyValueError::new_err(format!(
                    "events() of {name} must give pairs of an event and its weight, whole numbers \
                     from 1 that add up to less than 2**32"
                ))
            };
            let mut sum = 0_u32;
            let one = |pair: PyResult<Bound<'_, PyAny>>| {
                let read = pair?.extract::<(Bound<'_, PyAny>, u32)>();
                let (event, weight) = read.map_err(|_| pairs())?;
                sum = sum.checked_add(weight).filter(|_| weight > 0).ok_or_else(pairs)?;
                Ok((self.rules.steps.bits(&event)?, weight))
            };
            self.ask("events", |events| {
                self.each("events", events)?.map(one).collect::<PyResult<Vec<_>>>()
            })
        })
    }

    /// What a method that gives many things has given, one after the other.
    fn each<'py>(
        &self,
        method: &str,
        given: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyIterator>> {
        given.try_iter().map_err(|_| {
            let (name, given) = (self.rules.name, shown(given));
            PyValueError::new_err(format!("{method}() of {name} must give a list, not {given}"))
        })
    }

    /// What a method that gives words has given.
    fn words(&self, method: &str) -> String {
        self.ask(method, |given| match given.cast::<PyString>() {
            Ok(text) => Ok(text.to_cow()?.into_owned()),
            Err(_) => {
                let (name, given) = (self.rules.name, shown(given));
                let sentence = format!("{method}() of {name} must give a text, not {given}");
                Err(PyValueError::new_err(sentence))
            }
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
        Some(super::entry::kept(&self.words("ending")))
    }
    fn moves(&self, buffer: &mut Vec<PyStep>) {
        buffer.extend(self.listed_moves());
    }
    fn play(&mut self, mv: PyStep) {
        self.step("play", mv);
    }
    fn sample(&self, rng: &mut Rng) -> Result<PyStep, Outcome> {
        if let Some(outcome) = self.outcome() {
            return Err(outcome);
        }
        let moves = self.listed_moves();
        if moves.is_empty() {
            call(|_| {
                let (name, text) = (self.rules.name, self.text());
                Err::<(), _>(PyValueError::new_err(format!(
                    "moves() of {name} gives none in '{text}', though outcome() gives none either"
                )))
            });
        }
        Ok(moves[rng.below(moves.len() as u32) as usize])
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
            true => self.words("picture"),
            false => self.text().to_owned(),
        };
        if !picture.ends_with('\n') {
            picture.push('\n');
        }
        picture
    }
}
