//! The threshold: a node with few visits has its move sampled by the playout strategy.
//!
//! From a few playouts little is learnt, so that a formula that goes by their results chooses
//! hardly better than chance, and worse than a strategy that knows the game. Below the threshold
//! the iteration plays through the tree as a playout would; where it first leaves it, one move is
//! added. Above, the formula selects. What becomes of moves that the strategy has never played is
//! where the papers differ, see [`Untried`]. Used in *Monte-Carlo Tree Search Solver* (2008) with T
//! = 50, in *αβ-based Play-outs in Monte-Carlo Tree Search* with T = 5, and swept in the
//! king-and-rook study, sections 3.2.1 and 3.2.2.

use crate::playout::Playouter;
use crate::proof::StepKind;
use crate::sharing::Sharing;
use crate::tree::Tree;
use crate::worker::Worker;
use monteverde_game::{Game, Oracle, PlayoutKnowledge, Step};

/// Below so many visits a node's move is sampled by the playout strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threshold {
    /// The visits.
    pub visits: u32,
    /// What becomes of moves that the strategy has not played by then.
    pub untried: Untried,
}

/// What becomes of the moves of a node that were never sampled, once the formula selects there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Untried {
    /// The formula selects among all moves: "the set of nodes immediately reachable" (*Monte-Carlo
    /// Tree Search Solver*, formula 1, and its pseudo code, where the selected child may have no
    /// visits). Without a visit the formula has no limit, so that such a move comes before all
    /// others, of several the one with the highest prior where there is progressive bias, else the
    /// first; with first-play urgency it has that bound, and its bias, and competes.
    Selected,
    /// They are not considered any more (the king-and-rook study, section 4.2: some moves may not
    /// be played).
    Ignored,
}

/// What becomes of a walk below the threshold that comes to the end of the game in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walk {
    /// Its outcome counts.
    Ends,
    /// It counts for nothing: the iteration goes back to where the walk began and plays out from
    /// there, unless a rule that counts plies ended it. And where the *selection* comes to an end
    /// that leaves moves on the board, one of them is added once, sampled like any other. So the
    /// published program of the king-and-rook study does.
    Restarts,
}

/// Whether the move of a node that had so many visits before this iteration is sampled. Counted
/// with this iteration it is selected once the visits are higher than the threshold, as in the
/// study.
#[inline(always)]
pub(crate) fn is_sampled(threshold: Option<Threshold>, visits: u32) -> bool {
    threshold.is_some_and(|threshold| visits < threshold.visits)
}

/// Samples a move of the node, plays it and enters its edge. Returns the edge and its visits
/// before; `None` where the node has no moves.
pub(crate) fn sample<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>, S: Sharing>(
    tree: &Tree,
    node: u32,
    worker: &mut Worker<G>,
    playouter: &mut Playouter<'_, G, K, O>,
) -> Option<(u32, u32)> {
    let (first, edges) = tree.edges(node);
    if edges.is_empty() {
        return None;
    }
    let sampled = playouter.sample(&worker.state, &mut worker.rng).ok();
    let listed = sampled.and_then(|mv| edges.iter().position(|edge| edge.step() == mv.to_bits()));
    // A root may list only some moves, or be searched though the game is over.
    let index = listed.unwrap_or_else(|| worker.rng.below(edges.len() as u32) as usize);
    let (edge, side) = (first + index as u32, worker.state.turn());
    let visits = worker.enter::<S>(tree, edge, side, StepKind::Move);
    worker.state.play(G::Move::from_bits(edges[index].step()));
    Some((edge, visits))
}
