//! The solver: what is certain about the states of the tree.
//!
//! When a new edge is proven (the game is over there, the side to move wins at once, or an oracle
//! knows), the nodes above it are looked at again, from the last to the root, as long as that
//! proves something new:
//!
//! - a node is won, one ply sooner than its soonest won move;
//! - it is drawn if every move is proven, none wins and one draws;
//! - it is lost if every move loses, as late as the latest;
//! - where chance decides, it is what every event is, as late as the latest.
//!
//! Proofs are facts about the state on its path, and distances only shrink. So threads may deduce
//! from what they happen to see: what they store is true, and the later of two sees the work of the
//! earlier.
//!
//! *Monte-Carlo Tree Search Solver* (Winands, Björnsson, Saito 2008), section 4; *Monte Carlo
//! Chess* (Arenz 2012), section 4.2.2, algorithm 4.1.

use crate::path::Visit;
use crate::proof::{Status, StepKind, of_step};
use crate::tree::{ROOT, Tree, listed::Listed};
use crate::worker::Worker;
use monteverde_game::{Game, Oracle, Outcome, Proof};
use std::sync::atomic::{Ordering::SeqCst, fence};

/// What is proven in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solver {
    /// Whether draws are proven.
    pub draws: Draws,
    /// Whether a new leaf is searched for a move that wins at once.
    pub leaf: LeafCheck,
    /// Whether new leaves are asked of the oracle.
    pub oracle: InTree,
}

/// Whether draws are proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draws {
    /// A node is drawn if every move is proven, none wins and one draws.
    Proven,
    /// A draw stays open, and so does every node that cannot be won and has a drawn move. So in
    /// both papers.
    Open,
}

/// Whether a new leaf is searched for a move that wins at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafCheck {
    /// It is, as in *Monte-Carlo Tree Search Solver*, section 4.2.
    On,
    /// It is not, as in *Monte Carlo Chess*.
    Off,
}

/// Whether new leaves are asked of the oracle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InTree {
    /// They are.
    Asked,
    /// They are not.
    Ignored,
}

impl Solver {
    /// As in *Monte Carlo Chess*, section 4.2.2: wins and losses with their distance.
    pub const THESIS: Solver =
        Solver { draws: Draws::Open, leaf: LeafCheck::Off, oracle: InTree::Ignored };
    /// As in *Monte-Carlo Tree Search Solver*, section 4: wins and losses, with the leaf check.
    pub const WINANDS: Solver =
        Solver { draws: Draws::Open, leaf: LeafCheck::On, oracle: InTree::Ignored };
    /// Draws too; free of any paper.
    pub const FULL: Solver =
        Solver { draws: Draws::Proven, leaf: LeafCheck::On, oracle: InTree::Ignored };
}

/// What looking at a new edge has brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Proven {
    /// The reward of what is now certain, for [`monteverde_game::Side::First`].
    pub(crate) reward: i64,
    /// How far up the proof reached.
    pub(crate) scope: ProofScope,
}

/// How far up a proof reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProofScope {
    /// A move of the root is proven that was not, or sooner.
    RootMove,
    /// Only edges further down.
    Below,
}

/// Looks at the new edge that ends `worker.path`, where `worker.state` is, which is over where it
/// has an outcome, and proves what follows from it. `None` if nothing is certain there.
pub(crate) fn prove<G: Game, O: Oracle<G>>(
    (solver, over): (Solver, Option<Outcome>),
    tree: &Tree,
    oracle: &O,
    worker: &mut Worker<G>,
) -> Option<Proven> {
    let last = *worker.path.last().expect("a new edge has been entered");
    if !tree.edge(last.edge).status().is_proven() {
        let proof = if over.is_some() { Proof::Open } else { look(solver, oracle, worker) };
        if !proof.is_proven() {
            return None;
        }
        let proof = of_step(proof, worker.state.turn(), last.side, last.kind);
        tree.edge(last.edge).improve(Status::of(proof));
    }
    Some(climb(tree, &worker.path))
}

/// What is certain about the state, which is not over, for the side to move, without playing on
/// from it further than a move.
fn look<G: Game, O: Oracle<G>>(solver: Solver, oracle: &O, worker: &mut Worker<G>) -> Proof {
    let Worker { state, moves, tally, .. } = worker;
    if state.is_pending() {
        return Proof::Open;
    }
    if solver.leaf == LeafCheck::On {
        let win = state.winning_move(moves);
        if let Some(looked) = &mut tally.looked {
            *looked += looked_at(state, win, moves);
        }
        if win.is_some() {
            return Proof::Win(1);
        }
    }
    if solver.oracle == InTree::Asked {
        let proof = oracle.prove(state);
        return if (proof, solver.draws) == (Proof::Draw, Draws::Open) {
            Proof::Open
        } else {
            proof
        };
    }
    Proof::Open
}

/// How many moves are looked at, in generation order, until one is found that wins.
fn looked_at<G: Game>(state: &G, win: Option<G::Move>, moves: &mut Vec<G::Move>) -> u64 {
    moves.clear();
    state.moves(moves);
    let found = win.and_then(|win| moves.iter().position(|&mv| mv == win));
    found.map_or(moves.len(), |index| index + 1) as u64
}

/// Proves what follows from the last edge of the path, which is proven, for the nodes on the way to
/// it.
fn climb(tree: &Tree, path: &[Visit]) -> Proven {
    let mut top = path[path.len() - 1];
    for pair in path.windows(2).rev() {
        let (above, below) = (pair[0], pair[1]);
        if above.edge == ROOT {
            return proven(tree, top, ProofScope::RootMove);
        }
        // Two threads that prove two moves of one node: the later one must see both.
        fence(SeqCst);
        let found = deduce(tree.listed_under(above.edge), below.kind);
        let found = Status::of(of_step(found, below.side, above.side, above.kind));
        if !tree.edge(above.edge).improve(found) {
            break;
        }
        top = above;
    }
    proven(tree, top, ProofScope::Below)
}

/// The reward is that of the highest edge whose proof is new: above it the proven result counts
/// like any other iteration's. So a refuted move where the loss is not proven for all moves backs
/// up a plain loss, or a draw where another move is proven to draw.
fn proven(tree: &Tree, top: Visit, scope: ProofScope) -> Proven {
    Proven { reward: tree.edge(top.edge).status().reward(top.side), scope }
}

/// What follows for a node from the proofs of its edges, for the side that plays them. Where not
/// all are listed, no more than a win.
pub(crate) fn deduce(edges: Listed<'_>, kind: StepKind) -> Proof {
    let proofs = edges.iter().map(|edge| edge.status().proof());
    let found = match kind {
        StepKind::Move => proofs.reduce(better),
        StepKind::Event => proofs.reduce(agreed),
    };
    found.filter(|proof| edges.is_whole() || matches!(proof, Proof::Win(_))).unwrap_or(Proof::Open)
}

/// The better of two moves: an open one is better than a proven one, except for a win.
fn better(a: Proof, b: Proof) -> Proof {
    match (a, b) {
        (Proof::Win(a), Proof::Win(b)) => Proof::Win(a.min(b)),
        (Proof::Win(_), _) => a,
        (_, Proof::Win(_)) => b,
        (Proof::Open, _) | (_, Proof::Open) => Proof::Open,
        (Proof::Draw, _) | (_, Proof::Draw) => Proof::Draw,
        (Proof::Loss(a), Proof::Loss(b)) => Proof::Loss(a.max(b)),
    }
}

/// What is certain whichever of two events happens.
fn agreed(a: Proof, b: Proof) -> Proof {
    match (a, b) {
        (Proof::Win(a), Proof::Win(b)) => Proof::Win(a.max(b)),
        (Proof::Draw, Proof::Draw) => Proof::Draw,
        (Proof::Loss(a), Proof::Loss(b)) => Proof::Loss(a.max(b)),
        _ => Proof::Open,
    }
}
