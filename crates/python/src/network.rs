//! Learned networks: what they say of states, and the whole numbers that this is made of.

use crate::convert::{document, refused};
use crate::features::FeatureRows;
use crate::game::game_of;
use crate::limit::{self, Seed};
use crate::state::State;
use monteverde_network::{Network as WholeNetwork, Outlook, Scratch, Shape};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::json;
use std::path::PathBuf;

/// The width of a part of a random network, unless told.
const USUAL_WIDTH: u64 = 64;

/// A learned network, as players ask it: ``monteverde.network("chess.net")``.
#[pyclass(frozen, module = "monteverde")]
pub(crate) struct Network(WholeNetwork);

/// Reads the file of a network; raises ValueError that says what is wrong with it.
#[pyfunction]
pub(crate) fn network(path: PathBuf) -> PyResult<Network> {
    Network::new(path)
}

impl Network {
    /// Refuses states of another game, and those of features that the network was not made for.
    fn check(&self, rows: &FeatureRows) -> PyResult<()> {
        match &rows.seen {
            Some((game, features)) => {
                self.0.check(game.name(), features.description()).map_err(refused)
            }
            None => Ok(()),
        }
    }
}

/// Reads a network again that was pickled.
#[pyfunction]
#[pyo3(name = "_restore_network")]
pub(crate) fn restore_network(bytes: &[u8]) -> PyResult<Network> {
    WholeNetwork::read(bytes).map(Network).map_err(refused)
}

#[pymethods]
impl Network {
    /// Reads a file.
    #[new]
    fn new(path: PathBuf) -> PyResult<Network> {
        let wrong = |error| refused(format!("{}: {error}", path.display()));
        Ok(Network(WholeNetwork::open(&path).map_err(wrong)?))
    }

    /// A network of random weights for a game; a width of 0 leaves the part out. With a middle
    /// the value has a third layer.
    #[staticmethod]
    #[pyo3(
        signature = (game, *, value = None, policy = None, middle = None, seed = None),
        text_signature = "(game, *, value=64, policy=64, middle=0, seed=1)"
    )]
    fn random(
        game: &Bound<'_, PyAny>,
        value: Option<&Bound<'_, PyAny>>,
        policy: Option<&Bound<'_, PyAny>>,
        middle: Option<&Bound<'_, PyAny>>,
        seed: Option<Seed>,
    ) -> PyResult<Network> {
        let found = game_of(game)?;
        let name = found.name();
        let features =
            found.features().ok_or_else(|| refused(format!("{name} has no features")))?;
        let number = |part: &str, given: Option<&Bound<'_, PyAny>>, usual: u64| {
            let found = match given {
                Some(given) => limit::whole(part, given, 0..=u64::from(u16::MAX))?,
                None => usual,
            };
            PyResult::Ok((found > 0).then_some(found as usize))
        };
        let middle = number("middle", middle, 0)?;
        let [value, policy] =
            [("value", value, middle), ("policy", policy, None)].map(|(part, given, middle)| {
                let width = number(part, given, USUAL_WIDTH)?;
                PyResult::Ok(width.map(|width| Shape { width, middle }))
            });
        let Seed(seed) = seed.unwrap_or(Seed(1));
        let made = WholeNetwork::random_of(name, features.description(), [value?, policy?], seed);
        Ok(Network(made.map_err(refused)?))
    }

    /// The bytes of its file.
    fn write<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.write())
    }

    /// What it is and how it came to be.
    #[getter]
    fn card<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &json!(self.0.card()))
    }

    /// The name of its game.
    #[getter]
    fn game(&self) -> &str {
        &self.0.card().game
    }

    /// What tells it from all others.
    #[getter]
    fn digest(&self) -> &str {
        self.0.digest()
    }

    /// What the network says of a state: the probabilities ``win``, ``draw`` and ``loss`` for the
    /// side to move and the expected result ``mean`` in -1..1, and as ``policy`` the share of each
    /// legal move; None for what the network does not have.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        state: &Bound<'py, State>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut rows = FeatureRows::new(true);
        rows.push(&state.borrow().state)?;
        self.check(&rows)?;
        let said = Evaluations::of(&self.0, &rows);
        let dict = PyDict::new(py);
        let outlook = said.outlooks.first();
        dict.set_item("win", outlook.map(|outlook| outlook.win))?;
        dict.set_item("draw", outlook.map(|outlook| outlook.draw))?;
        dict.set_item("loss", outlook.map(|outlook| outlook.loss))?;
        dict.set_item("mean", outlook.map(|outlook| outlook.expectation()))?;
        let shares = self.0.has_policy().then(|| PyDict::new(py));
        if let Some(shares) = &shares {
            for (text, share) in state.borrow_mut().move_texts()?.iter().zip(&said.shares) {
                shares.set_item(text, share)?;
            }
        }
        dict.set_item("policy", shares)?;
        Ok(dict)
    }

    /// The same of many states at once, as arrays: ``outlook`` with a row of win, draw and loss for
    /// each state, ``mean``; ``policy`` with the shares of all legal moves, one state after another
    /// in the order of ``moves()``, those of state k in ``policy[offsets[k]:offsets[k + 1]]``.
    fn evaluate_all<'py>(
        &self,
        py: Python<'py>,
        states: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let rows = FeatureRows::of(states, true)?;
        self.check(&rows)?;
        let said = py.detach(|| Evaluations::of(&self.0, &rows));
        let dict = PyDict::new(py);
        let (mut outlook, mut mean) = (None, None);
        if self.0.has_value() {
            let flat = said.outlooks.iter().flat_map(|said| [said.win, said.draw, said.loss]);
            let flat: Vec<f32> = flat.collect();
            outlook = Some(flat.into_pyarray(py).reshape([said.outlooks.len(), 3])?);
            let means = said.outlooks.iter().map(|said| said.expectation());
            mean = Some(means.collect::<Vec<f32>>().into_pyarray(py));
        }
        let has_policy = self.0.has_policy();
        dict.set_item("outlook", outlook)?;
        dict.set_item("mean", mean)?;
        dict.set_item("policy", has_policy.then(|| said.shares.into_pyarray(py)))?;
        dict.set_item("offsets", has_policy.then(|| rows.legal_offsets.into_pyarray(py)))?;
        Ok(dict)
    }

    /// What its value says of each row, win, draw and loss, as whole numbers.
    fn value_sums<'py>(
        &self,
        py: Python<'py>,
        inputs: PyReadonlyArray1<'_, u16>,
        offsets: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let (mut sums, mut scratch) = (Vec::new(), Scratch::default());
        for row in rows(inputs.as_slice()?, offsets.as_slice()?, self.0.card().features.inputs)? {
            let found = self.0.value_sums(row, &mut scratch);
            sums.extend(found.ok_or_else(|| refused("the network has no value"))?);
        }
        let count = sums.len() / 3;
        PyArray1::from_vec(py, sums).reshape([count, 3])
    }

    /// What each row is worth to the side to move, -1 to 1.
    fn expectations<'py>(
        &self,
        py: Python<'py>,
        inputs: PyReadonlyArray1<'_, u16>,
        offsets: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let (mut found, mut scratch) = (Vec::new(), Scratch::default());
        for row in rows(inputs.as_slice()?, offsets.as_slice()?, self.0.card().features.inputs)? {
            let outlook = self.0.outlook(row, &mut scratch);
            let outlook = outlook.ok_or_else(|| refused("the network has no value"))?;
            found.push(outlook.expectation());
        }
        Ok(found.into_pyarray(py))
    }

    /// What its policy says of each legal move of each row.
    #[allow(clippy::too_many_arguments)] // two arrays each, as batches have them
    fn log_priors<'py>(
        &self,
        py: Python<'py>,
        inputs: PyReadonlyArray1<'_, u16>,
        offsets: PyReadonlyArray1<'_, u32>,
        legal: PyReadonlyArray1<'_, u16>,
        legal_offsets: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        if !self.0.has_policy() {
            return Err(refused("the network has no policy"));
        }
        let features = &self.0.card().features;
        let states = rows(inputs.as_slice()?, offsets.as_slice()?, features.inputs)?;
        let moves = rows(legal.as_slice()?, legal_offsets.as_slice()?, features.outputs)?;
        let (mut scratch, mut priors) = (Scratch::default(), Vec::new());
        for (state, moves) in states.into_iter().zip(moves) {
            self.0.log_priors(state, moves, &mut scratch, &mut priors);
        }
        Ok(priors.into_pyarray(py))
    }

    fn __repr__(&self) -> String {
        let (game, digest) = (&self.0.card().game, &self.0.digest()[..16]);
        format!("<Network of {game}, {digest}>")
    }

    /// By its file's bytes, so that other processes have the same.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let restore = py.import("monteverde._monteverde")?.getattr("_restore_network")?;
        Ok((restore, (self.write(py),)))
    }
}

/// What a network says of some states.
struct Evaluations {
    /// One for each state; none where the network has no value.
    outlooks: Vec<Outlook>,
    /// One for each legal move of each state, which add up to 1 for a state; none where the
    /// network has no policy.
    shares: Vec<f32>,
}

impl Evaluations {
    fn of(network: &WholeNetwork, rows: &FeatureRows) -> Evaluations {
        let (mut outlooks, mut shares) = (Vec::new(), Vec::new());
        let mut scratch = Scratch::default();
        for (inputs, legal) in rows.each() {
            outlooks.extend(network.outlook(inputs, &mut scratch));
            network.policy(inputs, legal, &mut scratch, &mut shares);
        }
        Evaluations { outlooks, shares }
    }
}

/// The rows of a flat array, all of whose numbers must be below a bound.
fn rows<'a>(flat: &'a [u16], offsets: &[u32], bound: usize) -> PyResult<Vec<&'a [u16]>> {
    if let Some(wrong) = flat.iter().find(|&&index| usize::from(index) >= bound) {
        return Err(refused(format!("there is no number {wrong}; they are below {bound}")));
    }
    let row = |ends: &[u32]| flat.get(ends[0] as usize..ends[1] as usize);
    let rows: Option<Vec<&[u16]>> = offsets.windows(2).map(row).collect();
    rows.ok_or_else(|| refused("offsets must rise, and the last one must not be beyond the array"))
}
