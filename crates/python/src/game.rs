//! A game: where states and records are read.

use crate::convert::refused;
use crate::record::Record;
use crate::registry;
use crate::state::State;
use monteverde_players::AnyGame;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// One of the games that the package plays: ``monteverde.game("chess")``.
#[pyclass(frozen, module = "monteverde")]
pub(crate) struct Game(pub(crate) AnyGame);

/// The names of all games, those registered from Python included.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    registry::games().names()
}

/// The game of that name; raises ValueError, which lists the names, where there is none.
#[pyfunction]
pub(crate) fn game(name: &str) -> PyResult<Game> {
    registry::find(name).map(Game)
}

/// A game given by its name or as itself.
pub(crate) fn game_of(given: &Bound<'_, PyAny>) -> PyResult<AnyGame> {
    if let Ok(game) = given.cast::<Game>() {
        return Ok(game.get().0);
    }
    match given.extract::<String>() {
        Ok(name) => registry::find(&name),
        Err(_) => Err(refused("a game is given by its name, such as \"chess\", or as a Game")),
    }
}

#[pymethods]
impl Game {
    /// The name, as the command line has it.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The name for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.0.title()
    }

    /// The game in a few words.
    #[getter]
    fn about(&self) -> &'static str {
        self.0.about()
    }

    /// Whether chance plays a part.
    #[getter]
    fn has_chance(&self) -> bool {
        self.0.has_chance()
    }

    /// The ending of the files that hold its records, such as "pgn".
    #[getter]
    fn record_format(&self) -> &'static str {
        self.0.record_format().extension
    }

    /// Its named players with what they are made of; the first is the default.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let players = PyDict::new(py);
        for preset in self.0.players() {
            players.set_item(preset.name, preset.about)?;
        }
        for preset in self.0.alphabeta() {
            players.set_item(preset.name, preset.about)?;
        }
        Ok(players)
    }

    /// The settings of its players that search by Monte-Carlo tree search, with what they mean.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let settings = PyDict::new(py);
        for setting in self.0.settings() {
            settings.set_item(setting.name, setting.meaning)?;
        }
        Ok(settings)
    }

    /// What learned networks see of its states: name, inputs (indices are below it), most (at once)
    /// and outputs of the policy; None for a game without features. See ``monteverde.features``.
    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(features) = self.0.features() else { return Ok(None) };
        let (said, dict) = (features.description(), PyDict::new(py));
        dict.set_item("name", said.name)?;
        dict.set_item("inputs", said.inputs)?;
        dict.set_item("most", said.most)?;
        dict.set_item("outputs", said.outputs)?;
        dict.set_item("hash", said.hash())?;
        Ok(Some(dict))
    }

    /// A state: "startpos", or as the game writes it (FEN for chess).
    #[pyo3(signature = (text = "startpos"))]
    fn state(&self, text: &str) -> PyResult<State> {
        crate::own::guarded(|| self.0.read_state(text))?.map(State::at).map_err(refused)
    }

    /// The games of a text: PGN for chess, SGF or another form for others.
    fn records(&self, text: &str) -> PyResult<Vec<Record>> {
        let read = crate::own::guarded(|| self.0.read_records(text))?.map_err(refused)?;
        Ok(read.into_iter().map(|game| Record::new(self.0, game)).collect())
    }

    fn __repr__(&self) -> String {
        format!("monteverde.game(\"{}\")", self.0.name())
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        self.0.name().bytes().fold(0, |hash, byte| hash * 31 % (1 << 60) + u64::from(byte))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("monteverde")?.getattr("game")?, (self.0.name(),)))
    }
}
