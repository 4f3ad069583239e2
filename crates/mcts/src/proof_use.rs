//! What a search makes of proofs.

use crate::path::Secured;
use crate::proof::Ends;
use crate::tree::{Edge, listed::Listed};
use monteverde_game::Proof;

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
    /// In one node of such a selection, moves are looked for beside those that are proven.
    Alternatives,
}

impl ProofUse {
    /// Whether the formula passes over the edge: what is known of it can only be confirmed.
    #[inline(always)]
    pub(crate) fn sets_aside(self, edge: &Edge) -> bool {
        self != ProofUse::Ignored
            && (edge.status().is_lost()
                || edge.status().is_drawn()
                || self == ProofUse::Alternatives && edge.status().is_proven())
    }

    /// What the side has for certain that chooses among the first `count` edges.
    #[inline(always)]
    pub(crate) fn secured(self, edges: Listed<'_>, count: usize) -> Secured {
        let is_drawn = |edge: &Edge| edge.status().is_drawn();
        let draws = self != ProofUse::Ignored && edges.any(count, is_drawn);
        if draws { Secured::Draw } else { Secured::Nothing }
    }

    /// The edge that is proven to win soonest; `None` where none is proven to win.
    pub(crate) fn soonest_win(edges: Listed<'_>) -> Option<usize> {
        let plies = |edge: &Edge| match edge.status().proof() {
            Proof::Win(plies) => Some(plies),
            _ => None,
        };
        let wins = edges.iter().enumerate().filter_map(|(index, edge)| Some((plies(edge)?, index)));
        wins.min().map(|(_, index)| index)
    }

    /// Of edges that are all lost the one that is lost latest, of equals the least visited; `None`
    /// where one is not lost.
    pub(crate) fn latest_loss(edges: Listed<'_>) -> Option<usize> {
        let mut latest: Option<(usize, (u16, u32))> = None;
        for (index, edge) in edges.iter().enumerate() {
            let Proof::Loss(plies) = edge.status().proof() else { return None };
            let rank = (plies, u32::MAX - edge.visits());
            if latest.is_none_or(|(_, most)| rank > most) {
                latest = Some((index, rank));
            }
        }
        latest.map(|(index, _)| index)
    }

    /// The edges at which a selection ends.
    #[inline(always)]
    pub(crate) fn ends(self) -> Ends {
        if self == ProofUse::Results { Ends::PROVEN } else { Ends::TERMINAL }
    }
}
