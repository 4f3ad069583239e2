//! Reading the stores of the lab.

use crate::convert::{document, refused};
use crate::lab::store_error;
use crate::registry;
use monteverde_lab::build;
use monteverde_lab::contest::ContestProgress;
use monteverde_lab::document::tournament_document;
use monteverde_lab::export::{Form, export};
use monteverde_lab::standings::Standings;
use monteverde_lab::store::Store as LabStore;
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;

/// A store of finished games, to be read: ``monteverde.Store("a.db")``. Works while a run writes.
#[pyclass(frozen, module = "monteverde")]
pub(crate) struct Store(PathBuf);

/// Says which file the module was loaded from: what it holds is the build that stores record.
#[pyfunction]
#[pyo3(name = "_loaded_from")]
pub(crate) fn loaded_from(path: PathBuf) {
    build::loaded_from(path);
}

impl Store {
    fn open(&self) -> PyResult<LabStore> {
        LabStore::read(&self.0).map_err(store_error)
    }
}

#[pymethods]
impl Store {
    #[new]
    fn new(path: PathBuf) -> PyResult<Store> {
        let store = Store(path);
        store.open()?;
        Ok(store)
    }

    /// Where it is.
    #[getter]
    fn path(&self) -> PathBuf {
        self.0.clone()
    }

    /// The names of the games that were played.
    #[getter]
    fn games(&self) -> PyResult<Vec<String>> {
        self.open()?.games().map_err(store_error)
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.open()?.count(None).map_err(store_error)? as usize)
    }

    /// Who has played, by name.
    #[getter]
    fn players(&self) -> PyResult<Vec<String>> {
        let entrants = self.open()?.entrants().map_err(store_error)?;
        Ok(entrants.into_iter().map(|one| one.name).collect())
    }

    /// Games as dictionaries, the latest first: key, game, first, second, result, reason, plies,
    /// started_ms, seconds.
    #[pyo3(signature = (game = None, *, offset = 0, count = 1000))]
    fn lines<'py>(
        &self,
        py: Python<'py>,
        game: Option<&str>,
        offset: u64,
        count: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (lines, _) = self.open()?.lines(game, offset, count).map_err(store_error)?;
        document(py, &json!(lines))
    }

    /// A game with its moves and what its players said of them, by its key.
    fn game<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let record = self.open()?.record(key).map_err(store_error)?;
        let record = record.ok_or_else(|| refused(format!("the store has no game '{key}'")))?;
        document(py, &json!(record))
    }

    /// The table of all games of that name: players with ratings, and pairings.
    fn standings<'py>(&self, py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyAny>> {
        let store = self.open()?;
        let (standings, _) = Standings::from_store(&store, game).map_err(store_error)?;
        if standings.games() == 0 {
            let known = store.games().map_err(store_error)?.join(", ");
            return Err(refused(format!("the store has no games of '{game}'; it has: {known}")));
        }
        let progress = ContestProgress {
            standings,
            decision: None,
            calibration: None,
            found: 0,
            played: 0,
            rounds: Vec::new(),
        };
        document(py, &tournament_document(&progress))
    }

    /// All games as one text: "pgn", "sgf", "jsonl" or "text".
    #[pyo3(signature = (format, game = None))]
    fn export(&self, format: &str, game: Option<&str>) -> PyResult<String> {
        let mut text = Vec::new();
        let form = Form::of_name(format);
        export(&registry::games(), &self.open()?, game, &form, &mut text).map_err(refused)?;
        String::from_utf8(text).map_err(refused)
    }

    fn __repr__(&self) -> String {
        format!("monteverde.Store(\"{}\")", self.0.display())
    }
}
