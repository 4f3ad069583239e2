//! The second step: the tree grows by one edge.

use crate::backup::Sharing;
use crate::chance;
use crate::proof::{By, Status};
use crate::search::{Leaf, Search, Worker};
use crate::select::puct;
use crate::tree::{ROOT, Tree};
use monteverde_game::{Game, Knowledge, Outcome, Step};

/// Tries the next move in the order of the node (or an event that chance draws) from where the selection ended,
/// and plays it in `worker.state`. Where memory is full, or the root has no moves, nothing is added and the
/// playout starts from the leaf. Returns the outcome if the game is over there.
#[inline(always)]
pub(crate) fn expand<G: Game, K: Knowledge<G>, O, S: Sharing>(
    search: &Search<G, K, O>,
    leaf: Leaf,
    worker: &mut Worker<G>,
) -> Option<Outcome> {
    let tree = &search.tree;
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
                    grow(search, edge, worker)?
                }
            };
            let side = worker.state.turn();
            let (new, by) = if worker.state.is_pending() {
                let index = chance::draw(&worker.state, &mut worker.events, &mut worker.rng);
                let new = tree.edges(node).0 + index as u32;
                worker.state.settle(G::Event::from_bits(tree.edge(new).step()));
                (new, By::Chance)
            } else {
                let new = tree.try_next(node)?;
                let mv = G::Move::from_bits(tree.edge(new).step());
                if search.config.bias.is_some() {
                    let prior = search.knowledge.prior(&worker.state, mv);
                    tree.extra.set_prior(new, prior.unwrap_or(0.0));
                }
                worker.state.play(mv);
                (new, By::Side)
            };
            worker.enter::<S>(tree, new, side, by);
            end_of_game(tree, new, worker)
        }
    }
}

/// Lists the steps of `worker.state` as a node under the edge that leads there.
fn grow<G: Game, K: Knowledge<G>, O>(
    search: &Search<G, K, O>,
    edge: u32,
    worker: &mut Worker<G>,
) -> Option<u32> {
    if worker.state.is_pending() {
        worker.events.clear();
        worker.state.events(&mut worker.events);
        let steps = worker.events.iter().map(|(event, _)| event.to_bits());
        search.tree.grow(edge, steps, |_| {})
    } else {
        worker.moves.clear();
        worker.state.moves(&mut worker.moves);
        grow_moves(search, edge, worker)
    }
}

/// Lists `worker.moves` as a node under the edge that leads to `worker.state`: in their own order, or those
/// that look better first where a technique wants that.
pub(crate) fn grow_moves<G: Game, K: Knowledge<G>, O>(
    search: &Search<G, K, O>,
    edge: u32,
    worker: &mut Worker<G>,
) -> Option<u32> {
    let tree = &search.tree;
    let temperature = search.config.uct.temperature();
    if temperature.is_none() && search.config.widen.is_none() {
        return tree.grow(edge, worker.moves.iter().map(|mv| mv.to_bits()), |_| {});
    }
    let (moves, priors, order) = (&worker.moves, &mut worker.priors, &mut worker.order);
    priors.clear();
    match temperature {
        None => {
            let prior = |&mv| search.knowledge.prior(&worker.state, mv).unwrap_or(0.0);
            priors.extend(moves.iter().map(prior));
        }
        Some(temperature) => {
            search.knowledge.log_priors(&worker.state, moves, priors);
            puct::to_shares(priors, temperature);
        }
    }
    order.clear();
    order.extend(0..moves.len());
    order.sort_unstable_by(|&a, &b| priors[b].total_cmp(&priors[a]).then(a.cmp(&b)));
    tree.grow(edge, order.iter().map(|&index| moves[index].to_bits()), |first| {
        if temperature.is_some() {
            let numbered = (first..).zip(&*order);
            numbered.for_each(|(edge, &index)| tree.extra.set_share(edge, priors[index]));
        }
    })
}

/// Notes at a new edge whether it ends the game.
#[inline(always)]
fn end_of_game<G: Game>(tree: &Tree, edge: u32, worker: &Worker<G>) -> Option<Outcome> {
    let outcome = worker.state.outcome()?;
    let side = worker.path.last().expect("a new edge has been entered").side;
    tree.edge(edge).set_status(Status::terminal(outcome, side));
    Some(outcome)
}
