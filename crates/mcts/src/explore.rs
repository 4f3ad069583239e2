//! A look into the tree, node by node, while it grows.

use crate::report::{TreeView, root_mean, root_proof};
use crate::reward;
use crate::tree::{Edge, ROOT};
use monteverde_game::{Game, Knowledge, Proof};

/// A tree that can be looked into. Threads may go on searching it meanwhile: what is read are
/// numbers of about the same moment.
pub trait Explore {
    /// The node that these steps lead to from the root, each given by its bits; `None` where there
    /// is none (yet).
    fn node(&self, path: &[u32]) -> Option<Node>;
}

/// A node and the steps out of it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The step that leads here. At the root its step means nothing, and its numbers speak for the
    /// side to move.
    pub edge: Branch,
    /// The steps out of it that are listed, in their order. Of moves that are explored by priors
    /// those that are unlikely and were not tried may be missing below the root.
    pub branches: Vec<Branch>,
}

/// A step out of a node. Its numbers speak for the side that takes it; for an event, the side whose
/// move left it to chance.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// The bits of the move or event.
    pub step: u32,
    /// How often it was followed.
    pub visits: u32,
    /// The mean of its rewards, in -1..1; 0 without visits.
    pub mean: f64,
    /// What it is proven to be worth.
    pub proof: Proof,
    /// Whether it leads to a node that can be looked at in turn.
    pub leads_on: bool,
}

impl<G: Game, K: Knowledge<G>> Explore for TreeView<'_, G, K> {
    fn node(&self, path: &[u32]) -> Option<Node> {
        let mut at = ROOT;
        for &step in path {
            let edges = self.tree.listed_under(at);
            at = edges.number(edges.iter().position(|edge| edge.step() == step)?);
        }
        self.tree.node(at)?;
        let edges = self.tree.listed_under(at);
        let branch = |(number, edge)| self.branch(number, edge);
        let mut edge = self.branch(at, self.tree.edge(at));
        if at == ROOT {
            (edge.mean, edge.proof) = (root_mean(self), root_proof(self));
        }
        Some(Node { edge, branches: edges.numbered().map(branch).collect() })
    }
}

impl<G: Game, K> TreeView<'_, G, K> {
    fn branch(&self, number: u32, edge: &Edge) -> Branch {
        let visits = edge.visits();
        Branch {
            step: edge.step(),
            visits,
            mean: if visits == 0 { 0.0 } else { reward::mean(edge.total(), visits) },
            proof: edge.status().proof(),
            leads_on: self.tree.node(number).is_some(),
        }
    }
}
