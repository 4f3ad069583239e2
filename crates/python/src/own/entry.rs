//! A Python class as an entry among the games.

use super::rules::{PyState, Rules};
use super::steps::{PyStep, StepTable};
use crate::convert::refused;
use crate::game::Game;
use crate::registry;
use monteverde_game::{Never, NotationError, Step};
use monteverde_players::Entry;
use pyo3::prelude::*;
use std::collections::HashSet;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

/// What a class must have besides a constructor that takes a text or nothing.
pub(super) const METHODS: [&str; 5] = ["turn", "moves", "play", "outcome", "text"];

/// The words that outlive the games that use them: names, and the endings of games.
static KEPT: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);

/// A text that stays for as long as the program runs, once for all equal ones.
pub(super) fn kept(text: &str) -> &'static str {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    if let Some(known) = kept.get(text) {
        return known;
    }
    let new: &'static str = Box::leak(text.to_owned().into_boxed_str());
    kept.insert(new);
    new
}

/// A game whose rules are a Python class.
struct PyEntry<E> {
    rules: Arc<Rules>,
    event: PhantomData<E>,
}

impl<E: Step> Entry for PyEntry<E> {
    type Game = PyState<E>;

    fn name(&self) -> &'static str {
        self.rules.name
    }
    fn about(&self) -> &'static str {
        "a game written in Python"
    }
    fn start(&self) -> PyState<E> {
        PyState::start_of(&self.rules)
    }
    fn parse_state(&self, text: &str) -> Result<PyState<E>, NotationError> {
        PyState::read(&self.rules, text)
    }
    fn source_digest(&self) -> String {
        self.rules.digest.clone()
    }
}

/// Adds a game whose rules are a Python class, under the class's attribute ``name`` or the given
/// one; ``source`` tells apart versions of the class in stores of games.
#[pyfunction]
#[pyo3(name = "_register")]
pub(crate) fn register(class: &Bound<'_, PyAny>, name: &str, source: &str) -> PyResult<Game> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(fits) {
        return Err(refused(format!(
            "'{name}' is no name for a game; small letters, digits and '-' are accepted"
        )));
    }
    if monteverde_games::games().game(name).is_ok() {
        return Err(refused(format!("'{name}' is a game of the program; give yours another name")));
    }
    let has = |method: &str| class.getattr(method).is_ok_and(|found| found.is_callable());
    if let Some(missing) = METHODS.iter().find(|method| !has(method)) {
        return Err(refused(format!(
            "the class of {name} has no method {missing}(); it needs {}",
            METHODS.map(|method| format!("{method}()")).join(", ")
        )));
    }
    if has("events") != has("settle") {
        return Err(refused(format!(
            "the class of {name} needs both events() and settle(), or neither where there is no chance"
        )));
    }
    let rules = Rules {
        name: kept(name),
        class: class.clone().unbind(),
        has_chance: has("events"),
        has_ending: has("ending"),
        has_picture: has("picture"),
        digest: blake3::hash(source.as_bytes()).to_hex()[..16].to_owned(),
        steps: StepTable::default(),
    };
    let (has_chance, rules) = (rules.has_chance, Arc::new(rules));
    Ok(Game(match has_chance {
        true => registry::add(PyEntry::<PyStep> { rules, event: PhantomData }),
        false => registry::add(PyEntry::<Never> { rules, event: PhantomData }),
    }))
}
