//! A look into a tree that a search has left.

use crate::convert::{proof_name, refused};
use crate::own::guarded;
use crate::state::State;
use monteverde_game::{Game as _, Step};
use monteverde_mcts::{Branch, Node as TreeNode};
use monteverde_players::{AnyState, AnyStep, Player};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A search that is over, with its tree.
pub(crate) struct KeptTree {
    player: Mutex<Box<dyn Player<AnyState>>>,
    root: AnyState,
}

impl KeptTree {
    pub(crate) fn new(player: Box<dyn Player<AnyState>>, root: AnyState) -> KeptTree {
        KeptTree { player: Mutex::new(player), root }
    }

    fn node(&self, path: &[u32]) -> Option<TreeNode> {
        let mut found = None;
        let player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
        player.explore(&mut |tree| found = tree.node(path));
        found
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
    pub(crate) fn root(tree: &Arc<KeptTree>) -> Option<Node> {
        let branch = tree.node(&[])?.edge;
        let state = tree.root.clone();
        Some(Node { tree: tree.clone(), path: Vec::new(), state, step: None, branch })
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

    fn branches(&self) -> Vec<Branch> {
        self.tree.node(&self.path).map(|node| node.branches).unwrap_or_default()
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
    fn is_expanded(&self) -> bool {
        !self.branches().is_empty()
    }

    /// The nodes that follow, the most visited first; empty where the search did not look.
    fn children(&self) -> PyResult<Vec<Node>> {
        guarded(|| {
            let mut branches = self.branches();
            branches.sort_by_key(|branch| std::cmp::Reverse(branch.visits));
            branches.into_iter().map(|branch| self.child(branch)).collect()
        })
    }

    /// The node that a move or event leads to.
    fn __getitem__(&self, step: &str) -> PyResult<Node> {
        let found = guarded(|| {
            let is_it = |branch: &Branch| self.text(AnyStep::from_bits(branch.step)) == step;
            self.branches().into_iter().find(is_it).map(|branch| self.child(branch))
        })?;
        found.ok_or_else(|| {
            refused(format!("'{step}' is no step of this node; children() lists them"))
        })
    }

    fn __len__(&self) -> usize {
        self.branches().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let step = self.step.as_deref().unwrap_or("root");
        format!("<Node {step}: {} visits, mean {:+.4}>", self.branch.visits, self.branch.mean)
    }
}
