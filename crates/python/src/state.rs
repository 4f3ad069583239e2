//! A state of a game.

use crate::codes;
use crate::convert::{document, outcome_name, refused};
use crate::game::Game;
use crate::limit::{self, Seed};
use crate::line::{Line, LineStep};
use crate::own::guarded;
use crate::perft;
use crate::registry;
use monteverde_game::{Game as _, Outcome, Rng, Side, Step};
use monteverde_players::face::side_name;
use monteverde_players::{AnyState, AnyStep, Player, Transcript, TranscriptStep};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList, PyString};
use serde_json::json;
use std::sync::Arc;

/// A state of a game. ``play`` and ``settle`` change it; ``copy`` and ``after`` leave it as it is.
#[pyclass(module = "monteverde")]
pub(crate) struct State {
    pub(crate) state: AnyState,
    /// Where the line of play began: by default the state itself.
    origin: Arc<AnyState>,
    line: Line,
    /// The legal moves, once somebody has asked for them.
    legal: Vec<AnyStep>,
    is_listed: bool,
}

/// Reads a state again that was pickled.
#[pyfunction]
#[pyo3(name = "_restore_state")]
pub(crate) fn restore_state(
    game: &str,
    start: &str,
    steps: Vec<(String, bool)>,
) -> PyResult<State> {
    guarded(|| {
        let mut state = State::at(registry::find(game)?.read_state(start).map_err(refused)?);
        for (text, chance) in steps {
            if chance { state.settle_text(&text)? } else { state.play_text(&text)? }
        }
        Ok(state)
    })?
}

impl State {
    /// A state with no past that is known.
    pub(crate) fn at(state: AnyState) -> State {
        let origin = Arc::new(state.clone());
        State { state, origin, line: Line::default(), legal: Vec::new(), is_listed: false }
    }

    pub(crate) fn duplicate(&self) -> State {
        State {
            state: self.state.clone(),
            origin: self.origin.clone(),
            line: self.line.clone(),
            legal: Vec::new(),
            is_listed: false,
        }
    }

    pub(crate) fn play_text(&mut self, text: &str) -> PyResult<()> {
        self.expect_moves()?;
        let mv = self.state.parse_move(text).map_err(refused)?;
        self.take(LineStep::Move(mv));
        Ok(())
    }

    pub(crate) fn settle_text(&mut self, text: &str) -> PyResult<()> {
        if !self.state.is_pending() {
            return Err(refused(format!(
                "'{text}' cannot be settled: chance does not decide next in '{}'",
                self.state.state_text()
            )));
        }
        let event = self.state.parse_event(text).map_err(refused)?;
        self.take(LineStep::Event(event));
        Ok(())
    }

    /// Plays a move that was given by its text or its code.
    pub(crate) fn play_given(&mut self, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let mv = self.read_move(given)?;
        self.take(LineStep::Move(mv));
        Ok(())
    }

    /// Settles by the event that was given, or by one that is drawn from a seed.
    pub(crate) fn settle_given(&mut self, event: Option<&str>, seed: Option<Seed>) -> PyResult<()> {
        match (event, seed) {
            (Some(event), None) => self.settle_text(event),
            (None, Some(Seed(seed))) if self.state.is_pending() => {
                let event = self.state.sample_event(&mut Rng::new(seed));
                self.take(LineStep::Event(event));
                Ok(())
            }
            (None, Some(_)) => self.settle_text("an event"),
            _ => Err(refused("settle takes an event of events(), or seed= to draw one")),
        }
    }

    /// Tells a player of the last step that led here.
    pub(crate) fn tell_last(&self, player: &mut dyn Player<AnyState>) {
        match self.line.last() {
            Some(LineStep::Move(mv)) => player.play(mv),
            Some(LineStep::Event(event)) => player.settle(event),
            None => {}
        }
    }

    fn take(&mut self, step: LineStep) {
        match step {
            LineStep::Move(mv) => self.state.play(mv),
            LineStep::Event(event) => self.state.settle(event),
        }
        self.line.push(step);
        self.is_listed = false;
    }

    fn expect_moves(&self) -> PyResult<()> {
        match self.state.is_pending() {
            true => Err(refused(format!(
                "chance decides next in '{}'; settle one of events()",
                self.state.state_text()
            ))),
            false => Ok(()),
        }
    }

    /// The legal moves, listed once a state.
    fn legal(&mut self) -> &[AnyStep] {
        if !self.is_listed {
            self.legal.clear();
            self.state.moves(&mut self.legal);
            self.is_listed = true;
        }
        &self.legal
    }

    /// The legal moves as texts.
    pub(crate) fn move_texts(&mut self) -> PyResult<Vec<String>> {
        guarded(|| {
            self.legal();
            self.legal.iter().map(|&mv| self.state.move_text(mv)).collect()
        })
    }

    /// A legal move by its text or its code.
    pub(crate) fn read_move(&mut self, given: &Bound<'_, PyAny>) -> PyResult<AnyStep> {
        if let Ok(text) = given.cast::<PyString>() {
            self.expect_moves()?;
            return self.state.parse_move(&text.to_cow()?).map_err(refused);
        }
        let is_flag = given.is_exact_instance_of::<PyBool>();
        let code = given.extract::<u32>().ok().filter(|_| !is_flag);
        if let Some(mv) = code.map(AnyStep::from_bits)
            && self.legal().contains(&mv)
        {
            return Ok(mv);
        }
        if is_flag || !given.hasattr("__index__").unwrap_or(false) {
            return Err(refused(
                "a move is given as its text, such as one of moves(), or as one of codes()",
            ));
        }
        let (code, text) = (limit::shown(given), self.state.state_text());
        Err(refused(format!("{code} is the code of no legal move in '{text}'; codes() lists them")))
    }

    /// The steps from where the line of play began, as texts.
    fn texts(&self) -> Vec<(String, bool)> {
        let mut at = AnyState::clone(&self.origin);
        let step = |step: LineStep| match step {
            LineStep::Move(mv) => {
                let text = at.move_text(mv);
                at.play(mv);
                (text, false)
            }
            LineStep::Event(event) => {
                let text = at.event_text(event);
                at.settle(event);
                (text, true)
            }
        };
        self.line.steps().into_iter().map(step).collect()
    }
}

/// What a record says of the game itself.
const DERIVED_TAGS: [&str; 6] = ["Game", "Start", "Result", "SetUp", "FEN", "Variant"];

#[pymethods]
impl State {
    /// Its game.
    #[getter]
    fn game(&self) -> Game {
        Game(self.state.game())
    }

    /// The side to move, "first" or "second"; where chance decides, the side whose move it was.
    #[getter]
    fn turn(&self) -> PyResult<&'static str> {
        guarded(|| side_name(self.state.turn()))
    }

    /// What people call the side to move, such as "White".
    #[getter]
    fn turn_name(&self) -> PyResult<String> {
        guarded(|| self.state.sides()[self.state.turn() as usize].name.to_string())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        guarded(|| self.state.outcome().is_some())
    }

    /// "first", "second" or "draw"; None while the game goes on.
    #[getter]
    fn outcome(&self) -> PyResult<Option<&'static str>> {
        guarded(|| self.state.outcome().map(outcome_name))
    }

    /// How the game ended, in a word such as "checkmate"; None while it goes on.
    #[getter]
    fn ending(&self) -> PyResult<Option<&'static str>> {
        guarded(|| self.state.ending())
    }

    /// What the outcome is worth to the first and the second side: 1, 0 or -1; zeros while the
    /// game goes on.
    #[getter]
    fn returns(&self) -> PyResult<(i32, i32)> {
        let value = |outcome: Outcome| outcome.value_for(Side::First);
        guarded(|| self.state.outcome().map_or(0, value)).map(|first| (first, -first))
    }

    /// Whether chance is to decide next.
    #[getter]
    fn is_pending(&self) -> PyResult<bool> {
        guarded(|| self.state.is_pending())
    }

    /// A 64-bit key: equal states have equal keys, different ones almost surely different keys.
    #[getter]
    fn key(&self) -> PyResult<u64> {
        guarded(|| self.state.key())
    }

    /// The state in the game's notation, which ``Game.state`` reads.
    #[getter]
    fn text(&self) -> PyResult<String> {
        guarded(|| self.state.state_text())
    }

    /// A picture of several lines for a terminal.
    fn picture(&self) -> PyResult<String> {
        guarded(|| self.state.picture())
    }

    /// The legal moves as texts, in a fixed order. Where a rule such as a repetition has ended the
    /// game they are still listed; where chance decides next there are none.
    fn moves(&mut self) -> PyResult<Vec<String>> {
        self.move_texts()
    }

    /// The same moves as whole numbers below 2**32, which cost less than texts.
    fn codes<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        guarded(|| codes::list(py, self.legal()))?
    }

    /// How many moves there are to choose from: 0 where the game is over or chance decides next.
    #[getter]
    fn move_count(&mut self) -> PyResult<usize> {
        guarded(|| match self.state.outcome() {
            Some(_) => 0,
            None => self.legal().len(),
        })
    }

    /// Plays the move of that number in the order of ``moves()``, from 0: the fastest way to play.
    fn play_at(&mut self, number: &Bound<'_, PyAny>) -> PyResult<()> {
        guarded(|| {
            let is_flag = number.cast::<PyBool>().is_ok();
            let place = number.extract::<usize>().ok().filter(|_| !is_flag);
            let found = place.and_then(|place| self.legal().get(place).copied());
            let mv = found.ok_or_else(|| {
                let (number, text) = (limit::shown(number), self.state.state_text());
                let count = self.legal().len();
                refused(format!("there is no move {number}: '{text}' has {count}, from 0 on"))
            })?;
            self.take(LineStep::Move(mv));
            Ok(())
        })?
    }

    /// How people write a legal move; in chess that is "Nf3" for "g1f3".
    fn label(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        guarded(|| {
            let mv = self.read_move(r#move)?;
            Ok(self.state.label(mv))
        })?
    }

    /// The text of a legal move that is given as its code.
    fn move_text(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        guarded(|| {
            let mv = self.read_move(r#move)?;
            Ok(self.state.move_text(mv))
        })?
    }

    /// Plays a legal move, given as its text or its code. Raises ValueError for any other.
    fn play(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        guarded(|| self.play_given(r#move))?
    }

    /// The state after a move; this one stays as it is.
    fn after(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<State> {
        guarded(|| {
            let mv = self.read_move(r#move)?;
            let mut after = self.duplicate();
            after.take(LineStep::Move(mv));
            Ok(after)
        })?
    }

    /// The events of a pending state with their probabilities, as pairs.
    fn events(&self) -> PyResult<Vec<(String, f64)>> {
        guarded(|| {
            let mut events = Vec::new();
            self.state.events(&mut events);
            let whole = f64::from(self.state.event_weight());
            let pair = |&(event, weight): &(AnyStep, u32)| {
                (self.state.event_text(event), f64::from(weight) / whole)
            };
            events.iter().map(pair).collect()
        })
    }

    /// Lets chance decide for an event; drawn by its probability from a seed if none is given.
    #[pyo3(signature = (event = None, *, seed = None))]
    fn settle(&mut self, event: Option<&str>, seed: Option<Seed>) -> PyResult<()> {
        guarded(|| self.settle_given(event, seed))?
    }

    /// Plays random moves to the end, in Rust, on a copy: the outcome and the number of moves.
    #[pyo3(signature = (seed = Some(Seed(1))), text_signature = "($self, seed=1)")]
    fn playout(&self, seed: Option<Seed>) -> PyResult<(&'static str, u32)> {
        let Seed(seed) = seed.unwrap_or(Seed(1));
        guarded(|| {
            let playout = self.state.clone().playout(&mut Rng::new(seed));
            (outcome_name(playout.outcome), playout.plies)
        })
    }

    /// How many lines of so many steps lead on from here.
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let depth = limit::whole("depth", depth, 0..=perft::MOST_DEPTH)? as u32;
        py.detach(|| guarded(|| perft::count(&self.state, depth)))?
    }

    /// The same state again, past included.
    fn copy(&self) -> State {
        self.duplicate()
    }

    fn __copy__(&self) -> State {
        self.duplicate()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.duplicate()
    }

    /// The moves and events that have led here from where the line of play began.
    #[getter]
    fn history(&self) -> PyResult<Vec<String>> {
        guarded(|| self.texts().into_iter().map(|(text, _)| text).collect())
    }

    /// How many moves and events that are.
    #[getter]
    fn ply(&self) -> usize {
        self.line.len()
    }

    /// The line of play as a record in the game's format (PGN for chess), with tags such as
    /// ``First="Ann"``.
    #[pyo3(signature = (**tags))]
    fn record(&self, tags: Option<std::collections::BTreeMap<String, String>>) -> PyResult<String> {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let is_name = |name: &str| name.bytes().all(is_letter) && !name.is_empty();
        let said = |name: &str| is_name(name) && !DERIVED_TAGS.contains(&name);
        if let Some(wrong) = tags.iter().flatten().map(|(name, _)| name).find(|name| !said(name)) {
            let wrong = wrong.escape_debug();
            return Err(refused(format!(
                "'{wrong}' is no tag of a record; ASCII letters, digits and '_' are accepted, and \
                 not {}, which follow from the game",
                DERIVED_TAGS.join(", ")
            )));
        }
        guarded(|| {
            let step = |(text, chance)| TranscriptStep { text, chance, ..Default::default() };
            let transcript = Transcript {
                game: self.state.game().name().to_owned(),
                tags: tags.unwrap_or_default().into_iter().collect(),
                start: self.origin.state_text(),
                steps: self.texts().into_iter().map(step).collect(),
                outcome: self.state.outcome(),
            };
            self.state.game().write_record(&transcript).map_err(refused)
        })?
    }

    /// The board as the page draws it: files, ranks, style, pieces, marks and pool, with the names
    /// and colours of the sides; None for a game without a board.
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(board) = guarded(|| self.state.board())? else { return Ok(None) };
        let [first, second] = guarded(|| self.state.sides())?;
        let mut value = json!(board);
        value["side_names"] = json!([first.name, second.name]);
        value["side_colours"] = json!([first.colour, second.colour]);
        document(py, &value).map(Some)
    }

    /// The squares of a legal move on that board.
    fn move_view<'py>(
        &mut self,
        py: Python<'py>,
        r#move: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mv = guarded(|| self.read_move(r#move))??;
        document(py, &json!(guarded(|| self.state.move_view(mv))?))
    }

    fn _repr_svg_(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        slf.py().import("monteverde._board")?.call_method1("svg", (slf,))
    }

    fn __str__(&self) -> PyResult<String> {
        self.text()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<State of {}: {}>", self.state.game().name(), self.text()?))
    }

    fn __eq__(&self, other: &State) -> PyResult<bool> {
        let same = || {
            self.state.game() == other.state.game()
                && self.state.key() == other.state.key()
                && self.state.state_text() == other.state.state_text()
        };
        guarded(same)
    }

    #[expect(clippy::type_complexity, reason = "what pickle asks for")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (&'static str, String, Vec<(String, bool)>))> {
        let restore = py.import("monteverde._monteverde")?.getattr("_restore_state")?;
        let (start, steps) = guarded(|| (self.origin.state_text(), self.texts()))?;
        Ok((restore, (self.state.game().name(), start, steps)))
    }
}
