//! What is certain about the root, and whether that ends a search.

use crate::bounds;
use crate::context::Context;
use crate::limit::Limit;
use crate::proof::StepKind;
use crate::proof_use::ProofUse;
use crate::solver;
use crate::tree::ROOT;
use crate::worker::Worker;
use monteverde_game::{Game, Proof};

impl<G: Game, K, O> Context<G, K, O> {
    /// Whether nothing is left to find out about the root, as far as the thread knows.
    pub(crate) fn is_over(&self, worker: &Worker<G>, limit: &Limit<G::Move>) -> bool {
        worker.root.is_proven() && self.is_enough(limit) || worker.is_exact && limit.mate.is_none()
    }

    /// Tells the thread what is proven about the root; from then on it looks for less plies.
    pub(crate) fn look_at_root(&self, worker: &mut Worker<G>) {
        worker.root = self.root_proof();
        worker.is_exact = bounds::are_kept::<G>(&self.tree)
            && !worker.root.is_proven()
            && bounds::under(&self.tree, ROOT, StepKind::next(&self.state)).exact().is_some();
        worker.proof_use = self.proof_use(worker.root);
    }

    /// What a selection makes of proofs, where the root is proven as given.
    pub(crate) fn proof_use(&self, root: Proof) -> ProofUse {
        match self.solver() {
            None => ProofUse::Ignored,
            Some(_) if root.is_proven() => ProofUse::Distances,
            Some(_) => ProofUse::Results,
        }
    }

    /// What is proven about the root, as far as its listed moves go.
    fn root_proof(&self) -> Proof {
        let kind = StepKind::next(&self.state);
        let solve = |_| solver::deduce(self.tree.listed_under(ROOT), kind);
        self.solver().map_or(Proof::Open, solve)
    }

    /// Whether the proof of the root ends the search: every move has been looked at, so that the
    /// soonest of what was found at once is played, and it is near enough.
    fn is_enough(&self, limit: &Limit<G::Move>) -> bool {
        let has_tried_all = |root| {
            let edges = self.tree.listed(root);
            edges.is_whole() && self.tree.tried(root, edges) >= edges.len()
        };
        // Where moves are sampled, the first win that is proven is played (*Monte-Carlo Tree Search
        // Solver*, 4.3).
        let is_sampled = self.config.threshold.is_some();
        let is_tried = is_sampled || self.tree.node(ROOT).is_some_and(has_tried_all);
        let plies = match self.root_proof() {
            Proof::Open => return false,
            Proof::Draw => 0,
            Proof::Win(1) => return true,
            Proof::Win(plies) | Proof::Loss(plies) => u32::from(plies),
        };
        (is_tried || self.state.is_pending()) && limit.mate.is_none_or(|most| plies <= most)
    }
}
