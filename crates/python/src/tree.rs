//! A look into a tree that a search has left.

use crate::convert::{failed, proof_name, refused};
use crate::own::guarded;
use crate::state::State;
use monteverde_game::{Game as _, Step};
use monteverde_mcts::{Branch, Node as TreeNode};
use monteverde_players::{AnyState, AnyStep, Player};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, TryLockError};

/// A search that is over, with its tree.
pub(crate) struct KeptTree {
    searched: Arc<Searched>,
    /// How often the player had gone on when the tree was asked for.
    edition: u64,
    root: AnyState,
}

/// A player between two searches.
pub(crate) struct Searched(Mutex<Option<Thinker>>);

/// A player, and how often it has gone on: by a search or a step.
pub(crate) struct Thinker {
    pub(crate) player: Box<dyn Player<AnyState>>,
    pub(crate) edition: u64,
}

impl Searched {
    pub(crate) fn new(player: Box<dyn Player<AnyState>>) -> Arc<Searched> {
        Arc::new(Searched(Mutex::new(Some(Thinker { player, edition: 0 }))))
    }

    /// Does something with the player. Refuses while it is searching, since whoever waits with the
    /// interpreter in hand keeps the search from ending; and after its rules have raised an
    /// exception in the middle of a search.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Thinker) -> PyResult<T>) -> PyResult<T> {
        let mut held = match self.0.try_lock() {
            Ok(held) => held,
            Err(TryLockError::Poisoned(held)) => held.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(failed("the session is searching; wait until that is over"));
            }
        };
        let mut thinker = held.take().ok_or_else(|| {
            failed("an exception of the rules has broken this session off; begin another")
        })?;
        // What unwinds takes the player along.
        let done = work(&mut thinker);
        *held = Some(thinker);
        done
    }
}

impl KeptTree {
    /// The tree of a search that nobody goes on with.
    pub(crate) fn alone(player: Box<dyn Player<AnyState>>, root: AnyState) -> KeptTree {
        KeptTree { searched: Searched::new(player), edition: 0, root }
    }

    /// The tree of a player that may go on.
    pub(crate) fn of(searched: &Arc<Searched>, edition: u64, root: AnyState) -> KeptTree {
        KeptTree { searched: searched.clone(), edition, root }
    }

    /// A node, where the search has looked at what follows it; `None` for a player without a tree.
    fn node(&self, path: &[u32]) -> PyResult<Option<Option<TreeNode>>> {
        self.searched.with(|thinker| {
            if thinker.edition != self.edition {
                return Err(failed(
                    "this tree is no longer there, since its session has gone on; \
                     session.tree is the present one",
                ));
            }
            let mut found = None;
            thinker.player.explore(&mut |tree| found = Some(tree.node(path)));
            Ok(found)
        })
    }
}

/// A node of the tree. Its numbers speak for the side whose move leads to it, at the root for the
/// side to move; where chance leads to it, for the side that left it to chance.
#[pyclass(frozen, module = "monteverde")]
pub(crate) struct Node {
    tree: Arc<KeptTree>,
    path: Vec<u32>,
    state: AnyState,
    step: Option<String>,
    branch: Branch,
}

impl Node {
    /// The root; `None` for a player that has no tree.
    pub(crate) fn root(tree: &Arc<KeptTree>) -> PyResult<Option<Node>> {
        let Some(node) = tree.node(&[])? else { return Ok(None) };
        let node = node.ok_or_else(|| {
            refused("the tree does not know what follows this state; search first")
        })?;
        let (branch, state) = (node.edge, tree.root.clone());
        Ok(Some(Node { tree: tree.clone(), path: Vec::new(), state, step: None, branch }))
    }

    fn text(&self, step: AnyStep) -> String {
        match self.state.is_pending() {
            true => self.state.event_text(step),
            false => self.state.move_text(step),
        }
    }

    fn child(&self, branch: Branch) -> Node {
        let step = AnyStep::from_bits(branch.step);
        let text = self.text(step);
        let mut state = self.state.clone();
        if state.is_pending() {
            state.settle(step)
        } else {
            state.play(step)
        }
        let path = self.path.iter().copied().chain([branch.step]).collect();
        Node { tree: self.tree.clone(), path, state, step: Some(text), branch }
    }

    fn branches(&self) -> PyResult<Vec<Branch>> {
        Ok(self.tree.node(&self.path)?.flatten().map(|node| node.branches).unwrap_or_default())
    }
}

#[pymethods]
impl Node {
    /// The move or event that leads here; None at the root.
    #[getter]
    fn step(&self) -> Option<&str> {
        self.step.as_deref()
    }

    /// How often it was visited.
    #[getter]
    fn visits(&self) -> u32 {
        self.branch.visits
    }

    /// The mean of its rewards, in -1..1; 0 without visits.
    #[getter]
    fn mean(&self) -> f64 {
        self.branch.mean
    }

    /// "open", "win", "draw" or "loss".
    #[getter]
    fn proof(&self) -> &'static str {
        proof_name(self.branch.proof)
    }

    /// In how many plies it is won or lost, where that is proven and known.
    #[getter]
    fn proof_plies(&self) -> Option<u16> {
        self.branch.proof.plies()
    }

    /// How many steps it is from the root.
    #[getter]
    fn depth(&self) -> usize {
        self.path.len()
    }

    /// The state of the game here.
    #[getter]
    fn state(&self) -> State {
        State::at(self.state.clone())
    }

    /// Whether the search has looked at what follows.
    #[getter]
    fn is_expanded(&self) -> PyResult<bool> {
        Ok(!self.branches()?.is_empty())
    }

    /// The nodes that follow, the most visited first; empty where the search did not look.
    fn children(&self) -> PyResult<Vec<Node>> {
        let mut branches = self.branches()?;
        guarded(|| {
            branches.sort_by_key(|branch| std::cmp::Reverse(branch.visits));
            branches.into_iter().map(|branch| self.child(branch)).collect()
        })
    }

    /// The node that a move or event leads to.
    fn __getitem__(&self, step: &str) -> PyResult<Node> {
        let branches = self.branches()?;
        let found = guarded(|| {
            let is_it = |branch: &Branch| self.text(AnyStep::from_bits(branch.step)) == step;
            branches.into_iter().find(is_it).map(|branch| self.child(branch))
        })?;
        found.ok_or_else(|| {
            refused(format!("'{step}' is no step of this node; children() lists them"))
        })
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.branches()?.len())
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let step = self.step.as_deref().unwrap_or("root");
        format!("<Node {step}: {} visits, mean {:+.4}>", self.branch.visits, self.branch.mean)
    }
}
