//! The second step: the tree grows by one edge.

use crate::backup::Sharing;
use crate::chance;
use crate::proof::Status;
use crate::search::{Leaf, Worker};
use crate::tree::{ROOT, Tree};
use monteverde_game::{Game, Outcome, Step};

/// Tries the next move in generation order (or an event that chance draws) from where the selection ended,
/// and plays it in `worker.state`. Where memory is full, or the root has no moves, nothing is added and the
/// playout starts from the leaf. Returns the outcome if the game is over there.
#[inline(always)]
pub(crate) fn expand<G: Game, S: Sharing>(
    tree: &Tree,
    leaf: Leaf,
    worker: &mut Worker<G>,
) -> Option<Outcome> {
    match leaf {
        Leaf::Over(outcome) => Some(outcome),
        Leaf::New(edge) => end_of_game(tree, edge, worker),
        Leaf::Edge(edge) => {
            let node = match tree.node(edge) {
                Some(node) => node,
                None => {
                    // The thread that tried the edge first may not yet have noted that it ends the game.
                    // The root is searched even where a rule has ended the game.
                    if let Some(outcome) = worker.state.outcome().filter(|_| edge != ROOT) {
                        return Some(outcome);
                    }
                    grow(tree, edge, worker)?
                }
            };
            let side = worker.state.turn();
            let new = if worker.state.is_pending() {
                let index = chance::draw(&worker.state, &mut worker.events, &mut worker.rng);
                let new = tree.edges(node).0 + index as u32;
                worker.state.settle(G::Event::from_bits(tree.edge(new).step()));
                new
            } else {
                let new = tree.try_next(node)?;
                worker.state.play(G::Move::from_bits(tree.edge(new).step()));
                new
            };
            worker.enter::<S>(tree, new, side);
            end_of_game(tree, new, worker)
        }
    }
}

/// Lists the steps of `worker.state` as a node under the edge that leads there.
fn grow<G: Game>(tree: &Tree, edge: u32, worker: &mut Worker<G>) -> Option<u32> {
    if worker.state.is_pending() {
        worker.events.clear();
        worker.state.events(&mut worker.events);
        tree.grow(edge, worker.events.iter().map(|(event, _)| event.to_bits()))
    } else {
        worker.moves.clear();
        worker.state.moves(&mut worker.moves);
        tree.grow(edge, worker.moves.iter().map(|mv| mv.to_bits()))
    }
}

/// Notes at a new edge whether it ends the game.
#[inline(always)]
fn end_of_game<G: Game>(tree: &Tree, edge: u32, worker: &Worker<G>) -> Option<Outcome> {
    let outcome = worker.state.outcome()?;
    let side = worker.path.last().expect("a new edge has been entered").side;
    tree.edge(edge).set_status(Status::terminal(outcome, side));
    Some(outcome)
}
