//! What a search has found.

mod pickle;

use crate::convert::{document, proof_name, refused};
use crate::own::guarded;
use crate::state::State;
use crate::tree::{KeptTree, Node};
use monteverde_game::report::{Report, RootMove};
use monteverde_game::{Game as _, Outlook};
use monteverde_players::{AnyState, AnyStep};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) use pickle::restore_result;

/// What a search has found. Moves are listed the most visited first, and the arrays are in the
/// order of the moves; means are in -1..1 for the side to move.
#[pyclass(frozen, module = "monteverde")]
pub(crate) struct SearchResult {
    state: AnyState,
    player: String,
    report: Report<AnyState>,
    tree: Option<Arc<KeptTree>>,
}

impl SearchResult {
    pub(crate) fn new(state: AnyState, player: String, report: Report<AnyState>) -> SearchResult {
        SearchResult { state, player, report, tree: None }
    }

    pub(crate) fn keep(&mut self, tree: KeptTree) {
        self.tree = Some(Arc::new(tree));
    }

    /// A value of each move.
    fn each<T>(&self, read: impl FnMut(&RootMove<AnyState>) -> T) -> Vec<T> {
        self.report.moves.iter().map(read).collect()
    }

    fn texts(&self, line: &[AnyStep]) -> Vec<String> {
        let mut state = self.state.clone();
        let play = |&mv: &AnyStep| {
            let text = state.move_text(mv);
            state.play(mv);
            text
        };
        line.iter().map(play).collect()
    }

    /// Everything, with the keys of the program's own JSON.
    fn value(&self) -> Value {
        let Report { figures, .. } = &self.report;
        let report = &self.report;
        let root_move = |entry: &RootMove<AnyState>| {
            json!({
                "move": self.state.move_text(entry.mv),
                "visits": entry.visits,
                "mean": entry.mean,
                "prior": entry.prior,
                "policy": entry.policy,
                "proof": proof_name(entry.proof),
                "plies": entry.proof.plies(),
                "low": entry.bounds.map(|bounds| bounds.low),
                "high": entry.bounds.map(|bounds| bounds.high),
            })
        };
        json!({
            "game": self.state.game().name(),
            "state": self.state.state_text(),
            "player": self.player,
            "best": report.best.map(|mv| self.state.move_text(mv)),
            "mean": report.mean,
            "outlook": report.outlook.map(|Outlook { win, draw, loss }| {
                json!({ "win": win, "draw": draw, "loss": loss })
            }),
            "iterations": figures.iterations,
            "seconds": figures.elapsed.as_secs_f64(),
            "per_second": report.per_second(),
            "nodes": report.nodes,
            "edges": report.edges,
            "tree_bytes": report.tree_bytes,
            "depth": figures.depth,
            "deepest": figures.deepest,
            "branching": report.branching(),
            "proof": proof_name(report.proof),
            "plies": report.proof.plies(),
            "low": report.bounds.map(|bounds| bounds.low),
            "high": report.bounds.map(|bounds| bounds.high),
            "moves": self.each(root_move),
            "pv": self.texts(&report.pv),
        })
    }
}

#[pymethods]
impl SearchResult {
    /// The state that was searched.
    #[getter]
    fn state(&self) -> State {
        State::at(self.state.clone())
    }

    /// The spec of the player that searched.
    #[getter]
    fn player(&self) -> &str {
        &self.player
    }

    /// The move to play; None where there is no move.
    #[getter]
    fn best(&self) -> PyResult<Option<String>> {
        guarded(|| self.report.best.map(|mv| self.state.move_text(mv)))
    }

    /// The moves that were searched, the most visited first.
    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        guarded(|| self.each(|entry| self.state.move_text(entry.mv)))
    }

    /// How often each move was followed; nodes of an alpha-beta search.
    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.each(|entry| entry.visits).into_pyarray(py)
    }

    /// The mean of each move's rewards.
    #[getter]
    fn means<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.each(|entry| entry.mean).into_pyarray(py)
    }

    /// What the knowledge of the game says of each move in advance; NaN where it says nothing.
    #[getter]
    fn priors<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        self.each(|entry| entry.prior.unwrap_or(f32::NAN)).into_pyarray(py)
    }

    /// The share that the policy of the player's network gives each move; NaN without one.
    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        self.each(|entry| entry.policy.unwrap_or(f32::NAN)).into_pyarray(py)
    }

    /// How likely the side to move wins, draws and loses, as the player's network says without a
    /// search; None without one.
    #[getter]
    fn outlook(&self) -> Option<(f32, f32, f32)> {
        self.report.outlook.map(|Outlook { win, draw, loss }| (win, draw, loss))
    }

    /// What each move is proven to be: "open", "win", "draw" or "loss".
    #[getter]
    fn proofs(&self) -> Vec<&'static str> {
        self.each(|entry| proof_name(entry.proof))
    }

    /// In how many plies each move wins or loses, where that is proven and known, else None.
    #[getter]
    fn proof_plies(&self) -> Vec<Option<u16>> {
        self.each(|entry| entry.proof.plies())
    }

    /// What each move's value is certain to lie in, in an array of two columns; NaN where that is
    /// not kept.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ends = |entry: &RootMove<AnyState>| {
            entry.bounds.map_or([f64::NAN; 2], |bounds| [bounds.low, bounds.high])
        };
        let flat: Vec<f64> = self.each(ends).into_iter().flatten().collect();
        flat.into_pyarray(py).call_method1("reshape", (self.report.moves.len(), 2))
    }

    /// The moves that both sides would choose, beginning with the best.
    #[getter]
    fn pv(&self) -> PyResult<Vec<String>> {
        guarded(|| self.texts(&self.report.pv))
    }

    /// The line that each move begins, in the order of the moves.
    #[getter]
    fn lines(&self) -> PyResult<Vec<Vec<String>>> {
        guarded(|| self.each(|entry| self.texts(&entry.pv)))
    }

    /// The mean of all rewards, for the side to move.
    #[getter]
    fn mean(&self) -> f64 {
        self.report.mean
    }

    /// What is proven about the state: "open", "win", "draw" or "loss" for the side to move.
    #[getter]
    fn proof(&self) -> &'static str {
        proof_name(self.report.proof)
    }

    /// Iterations of this search; nodes of an alpha-beta search.
    #[getter]
    fn iterations(&self) -> u64 {
        self.report.figures.iterations
    }

    /// Visits that the state had from searches before: those that a session has kept, else 0.
    #[getter]
    fn kept(&self) -> u64 {
        self.report.figures.kept
    }

    /// The time it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.report.figures.elapsed.as_secs_f64()
    }

    /// Iterations a second.
    #[getter]
    fn per_second(&self) -> f64 {
        self.report.per_second()
    }

    /// Nodes in the tree.
    #[getter]
    fn nodes(&self) -> usize {
        self.report.nodes
    }

    /// Bytes in use by the tree.
    #[getter]
    fn tree_bytes(&self) -> usize {
        self.report.tree_bytes
    }

    /// The mean depth at which iterations left the tree, in plies.
    #[getter]
    fn depth(&self) -> f64 {
        self.report.figures.depth
    }

    /// The greatest such depth.
    #[getter]
    fn deepest(&self) -> u32 {
        self.report.figures.deepest
    }

    /// The root of the tree, for a search with ``tree=True``.
    #[getter]
    fn tree(&self) -> PyResult<Node> {
        let tree = self.tree.as_ref().ok_or_else(|| {
            refused("this result has no tree; search(..., tree=True) keeps it, and pickle does not")
        })?;
        let root = guarded(|| Node::root(tree))??;
        root.ok_or_else(|| refused(format!("'{}' searches without a tree", self.player)))
    }

    /// Everything as dictionaries and lists, with the keys of ``monteverde search --json``.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &guarded(|| self.value())?)
    }

    /// The moves as a pandas frame; raises ImportError where pandas is not installed.
    fn frame<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let columns = self.to_dict(py)?.get_item("moves")?;
        py.import("pandas")?.call_method1("DataFrame", (columns,))
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        slf.py().import("monteverde._show")?.call_method1("result", (slf,))
    }

    fn __repr__(&self) -> PyResult<String> {
        let best = self.best()?.unwrap_or_else(|| "none".to_owned());
        let (mean, iterations) = (self.report.mean, self.report.figures.iterations);
        Ok(format!("<SearchResult best {best}, mean {mean:+.4}, {iterations} iterations>"))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (State, String, String))> {
        let restore = py.import("monteverde._monteverde")?.getattr("_restore_result")?;
        let report = pickle::write(&self.report).to_string();
        Ok((restore, (State::at(self.state.clone()), self.player.clone(), report)))
    }
}
