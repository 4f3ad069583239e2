//! `monteverde.training`: data for networks as arrays.

use crate::convert::{document, refused};
use crate::registry;
use monteverde_lab::build::build;
use monteverde_training::batches::DataSet as Files;
use monteverde_training::{Batch, BatchOptions, Batches as Made, DataError, Part};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// More than that is rather a mistake than a wish.
const MOST_WEIGHT: f64 = 100.0;

fn unreadable(error: DataError) -> PyErr {
    refused(error)
}

/// Files of games of one game that are read together: ``DataSet(["a.mvd", "b.mvd"])``. Refuses
/// files whose scores and results do not speak for the same side.
#[pyclass(frozen, module = "monteverde.training")]
pub(crate) struct DataSet(Arc<Files>);

#[pymethods]
impl DataSet {
    #[new]
    fn new(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<DataSet> {
        let games = registry::games();
        let files = py.detach(|| Files::read(&games, &paths)).map_err(unreadable)?;
        Ok(DataSet(Arc::new(files)))
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.0.game().name()
    }

    /// What a network sees of the game: name, inputs, most, outputs and hash.
    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.0.game().features().map(|features| features.description());
        let found = found.ok_or_else(|| refused("the game has no features"))?;
        let (name, inputs, most, outputs) = (found.name, found.inputs, found.most, found.outputs);
        let hash = found.hash();
        document(
            py,
            &json!({"name": name, "inputs": inputs, "most": most, "outputs": outputs, "hash": hash}),
        )
    }

    /// How many states have a score.
    #[getter]
    fn positions(&self) -> u64 {
        self.0.summary().scored
    }

    /// How the signs of scores and results go together, -1 to 1; ``None`` where no game was won.
    #[getter]
    fn correlation(&self) -> Option<f64> {
        self.0.summary().correlation()
    }

    /// Which games are damaged and left out, as sentences.
    #[getter]
    fn damage(&self) -> Vec<String> {
        let sentence = |file: &monteverde_training::DataFile| {
            let path = file.path().display().to_string();
            file.damage().iter().map(|damage| format!("{path}: {damage}")).collect::<Vec<_>>()
        };
        self.0.files().iter().flat_map(sentence).collect()
    }

    /// What tells these files from others.
    #[getter]
    fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for file in self.0.files() {
            hasher.update(file.digest().as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The program that reads them.
    #[getter]
    fn build(&self) -> &'static str {
        build()
    }

    fn __len__(&self) -> usize {
        self.0.summary().games as usize
    }
}

/// States in random order, as dictionaries of arrays: inputs, offsets, score, result, best, legal,
/// legal_offsets, shares, with known=True known, and the number epochs_done.
#[pyclass(frozen, module = "monteverde.training")]
pub(crate) struct Batches(Mutex<Made>);

#[pymethods]
impl Batches {
    #[new]
    #[pyo3(signature = (data, *, batch = 16384, seed = 1, threads = 1, pool = 1 << 19,
        quiet_only = false, policy = true, known = false, held_out = 0.0, part = "training",
        epochs = Some(1), weights = None))]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools)] // named in Python
    fn new(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        batch: usize,
        seed: u64,
        threads: usize,
        pool: usize,
        quiet_only: bool,
        policy: bool,
        known: bool,
        held_out: f64,
        part: &str,
        epochs: Option<u32>,
        weights: Option<Vec<f64>>,
    ) -> PyResult<Batches> {
        let part = match part {
            "training" => Part::Training,
            "held-out" => Part::HeldOut,
            other => {
                let other = other.escape_debug();
                return Err(refused(format!(
                    "'{other}' is no part; 'training' and 'held-out' are accepted"
                )));
            }
        };
        if batch == 0 || pool == 0 || threads == 0 || !(0.0..=1.0).contains(&held_out) {
            return Err(refused(
                "batch, pool and threads must be at least 1, and held_out in 0..1",
            ));
        }
        let data = match (data.cast::<DataSet>(), data.extract::<Vec<PathBuf>>()) {
            (Ok(data), _) => data.get().0.clone(),
            (_, Ok(paths)) => DataSet::new(py, paths)?.0,
            _ => return Err(refused("batches are made of a DataSet or of a list of paths")),
        };
        let (weights, files) = (weights.unwrap_or_default(), data.files().len());
        let is_weight = |weight: &f64| (0.0..=MOST_WEIGHT).contains(weight);
        if !weights.is_empty() && weights.len() != files || !weights.iter().all(is_weight) {
            return Err(refused(format!(
                "weights: {files} numbers from 0 to {MOST_WEIGHT} are expected, one for each file"
            )));
        }
        let options = BatchOptions {
            batch,
            seed,
            threads,
            pool,
            quiet_only,
            policy,
            known,
            held_out,
            part,
            epochs,
            weights,
        };
        Ok(Batches(Mutex::new(Made::new(data, options))))
    }

    fn __iter__(batches: PyRef<'_, Self>) -> PyRef<'_, Self> {
        batches
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let next = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).next());
        next.map(|batch| arrays(py, batch.map_err(unreadable)?)).transpose()
    }
}

fn arrays(py: Python<'_>, batch: Batch) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("inputs", batch.inputs.into_pyarray(py))?;
    dict.set_item("offsets", batch.offsets.into_pyarray(py))?;
    dict.set_item("score", batch.score.into_pyarray(py))?;
    dict.set_item("result", batch.result.into_pyarray(py))?;
    dict.set_item("best", batch.best.into_pyarray(py))?;
    dict.set_item("legal", batch.legal.into_pyarray(py))?;
    dict.set_item("legal_offsets", batch.legal_offsets.into_pyarray(py))?;
    dict.set_item("shares", batch.shares.into_pyarray(py))?;
    if !batch.known.is_empty() {
        dict.set_item("known", batch.known.into_pyarray(py))?;
    }
    dict.set_item("epochs_done", batch.epochs_done)?;
    Ok(dict)
}

/// BLAKE3 of some bytes, as files of networks end with it.
#[pyfunction]
pub(crate) fn checksum<'py>(py: Python<'py>, data: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, blake3::hash(data).as_bytes())
}
