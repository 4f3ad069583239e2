//! A game in which a player keeps its tree from move to move.

use crate::convert::{failed, refused};
use crate::limit::Seed;
use crate::own::guarded;
use crate::result::SearchResult;
use crate::search::{Search, Wanted};
use crate::state::State;
use crate::tree::{KeptTree, Node, Searched};
use monteverde_players::{AnyState, Player, Spec};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A game that a player follows: ``player.session(state)``.
///
/// ``play`` and ``settle`` go on to the next state, and a search there begins with what the tree
/// knows of it from before, as the program does in play. A player whose spec says ``fresh`` forgets
/// instead; so do those of chess that are named mcc, unless they are told ``no-fresh``.
#[pyclass(frozen, module = "monteverde")]
pub(crate) struct Session {
    spec: Spec,
    searched: Arc<Searched>,
    state: Mutex<State>,
}

impl Session {
    pub(crate) fn new(player: Box<dyn Player<AnyState>>, spec: Spec, state: State) -> Session {
        Session { spec, searched: Searched::new(player), state: Mutex::new(state) }
    }

    /// The state, which nobody holds while Python runs.
    fn at(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on by what `step` does to the state, in the tree, too.
    fn go_on(&self, step: impl FnOnce(&mut State) -> PyResult<()>) -> PyResult<()> {
        guarded(|| {
            self.searched.with(|thinker| {
                let mut next = self.at().duplicate();
                step(&mut next)?;
                next.tell_last(&mut *thinker.player);
                thinker.edition += 1;
                *self.at() = next;
                Ok(())
            })
        })?
    }
}

#[pymethods]
impl Session {
    /// The spec of its player.
    #[getter]
    fn player(&self) -> String {
        self.spec.to_string()
    }

    /// The present state, as a copy.
    #[getter]
    fn state(&self) -> State {
        self.at().duplicate()
    }

    /// Thinks about the present state, with the keywords of ``Player.search``; limits count what is
    /// done anew, and ``result.kept`` is how many visits the state had from before.
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    #[pyo3(signature = (
        iterations = None, *, time = None, nodes = None, depth = None, only = None,
        progress = None, every = None
    ), text_signature = "($self, iterations=None, *, time=None, nodes=None, depth=None, \
        only=None, progress=None, every=0.1)")]
    fn search(
        &self,
        py: Python<'_>,
        iterations: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        depth: Option<&Bound<'_, PyAny>>,
        only: Option<Vec<Bound<'_, PyAny>>>,
        progress: Option<Py<PyAny>>,
        every: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SearchResult> {
        let (edition, mut given) =
            self.searched.with(|thinker| Ok((thinker.edition, self.at().duplicate())))?;
        let wanted = Wanted { iterations, time, nodes, depth, only, progress, every };
        let (limit, watch) = wanted.read(&mut given)?;
        let search = Search { spec: &self.spec, state: &given.state, limit: &limit };
        let searched = py.detach(|| {
            guarded(|| {
                self.searched.with(|thinker| {
                    if thinker.edition != edition {
                        return Err(failed("the session has gone on meanwhile; search again"));
                    }
                    thinker.edition += 1;
                    search.run(&mut *thinker.player, &watch)
                })
            })
        });
        Ok(SearchResult::new(given.state, self.spec.to_string(), searched??))
    }

    /// Goes on by a legal move, given as its text or its code.
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        self.go_on(|state| state.play_given(r#move))
    }

    /// Goes on by an event, or one that is drawn from a seed by its probability.
    #[pyo3(signature = (event = None, *, seed = None))]
    fn settle(&self, event: Option<&str>, seed: Option<Seed>) -> PyResult<()> {
        self.go_on(|state| state.settle_given(event, seed))
    }

    /// The root of the tree as it is now; it can be walked until the session goes on.
    #[getter]
    fn tree(&self) -> PyResult<Node> {
        let tree = self.searched.with(|thinker| {
            Ok(KeptTree::of(&self.searched, thinker.edition, self.at().state.clone()))
        })?;
        let root = guarded(|| Node::root(&Arc::new(tree)))??;
        root.ok_or_else(|| refused(format!("'{}' searches without a tree", self.spec)))
    }

    fn __repr__(&self) -> PyResult<String> {
        let state = self.at().state.clone();
        let text = guarded(|| state.state_text())?;
        Ok(format!("<Session of {} at {text}>", self.spec))
    }
}
