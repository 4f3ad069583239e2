//! What a search makes of proofs.

use crate::path::Secured;
use crate::proof::Ends;
use crate::tree::Edge;

/// What a selection, or the final choice, makes of proofs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProofUse {
    /// Nothing: only the end of the game counts.
    Ignored,
    /// Moves that are proven to lose or draw are not selected while there are others, and the
    /// selection ends where anything is proven.
    Results,
    /// The same, but the selection goes on below what is proven, for there may be a shorter way.
    Distances,
}

impl ProofUse {
    /// Whether the formula passes over the edge: what is known of it can only be confirmed.
    #[inline(always)]
    pub(crate) fn sets_aside(self, edge: &Edge) -> bool {
        self != ProofUse::Ignored && (edge.status().is_lost() || edge.status().is_drawn())
    }

    /// What the side has for certain that chooses among the edges.
    #[inline(always)]
    pub(crate) fn secured(self, edges: &[Edge]) -> Secured {
        let draws = self != ProofUse::Ignored && edges.iter().any(|edge| edge.status().is_drawn());
        if draws { Secured::Draw } else { Secured::Nothing }
    }

    /// The edges at which a selection ends.
    #[inline(always)]
    pub(crate) fn ends(self) -> Ends {
        if self == ProofUse::Results { Ends::PROVEN } else { Ends::TERMINAL }
    }
}
