//! Reports, made from the tree.

use crate::bounds;
use crate::choose::Choose;
use crate::graph::LONGEST;
use crate::graph_bounds;
use crate::interval::Interval;
use crate::proof::StepKind;
use crate::proof_use::ProofUse;
use crate::reward;
use crate::solver;
use crate::tree::{Edge, ROOT, Tree, listed::Listed};
use monteverde_game::{Game, Knowledge, Oracle, Proof, Rng, Side, Step};
use std::cmp::Reverse;

pub use monteverde_game::report::{Bounds, Figures, Report, RootMove};

/// What a report is made from.
pub(crate) struct TreeView<'a, G, K> {
    pub(crate) tree: &'a Tree,
    pub(crate) state: &'a G,
    /// The side whose statistics the root edge holds.
    pub(crate) mover: Side,
    pub(crate) choose: Choose,
    /// Where one of equals is chosen at random: what is drawn from.
    pub(crate) ties: Option<Rng>,
    /// Where the move is drawn: the temperature, and what is drawn from.
    pub(crate) draw: Option<(f64, Rng)>,
    /// What the choice makes of proofs.
    pub(crate) proof_use: ProofUse,
    /// Whether the root lists only some of its moves.
    pub(crate) is_restricted: bool,
    pub(crate) knowledge: &'a K,
    /// What proved leaves, where the tree asks it.
    pub(crate) oracle: &'a dyn Oracle<G>,
}

/// Makes a report. The tree may go on growing meanwhile.
pub(crate) fn report<G: Game, K: Knowledge<G>>(
    view: &TreeView<'_, G, K>,
    figures: Figures,
) -> Report<G> {
    let tree = view.tree;
    let edges = if view.state.is_pending() { Listed::NONE } else { tree.listed_under(ROOT) };
    let drawn = |index| match &view.draw {
        None => index,
        Some(draw) => Choose::drawn(edges, view.proof_use, index, draw.clone()),
    };
    let chosen = choose(view, edges).map(|index| &edges[drawn(index)]).or(edges.iter().next());
    let chosen = chosen.map(|edge| G::Move::from_bits(edge.step()));
    let best = chosen.or_else(|| first_move(view.state));
    let mut moves: Vec<_> =
        edges.numbered().map(|(number, edge)| root_move(view, number, edge)).collect();
    add_policy(view, &mut moves);
    let interval = root_interval(view);
    moves.sort_by_key(|entry| Reverse(entry.visits));
    let pv = moves.iter().find(|entry| Some(entry.mv) == best).map_or(vec![], |e| e.pv.clone());
    Report {
        best,
        pv,
        mean: clamped(root_mean(view), interval),
        outlook: if view.state.is_pending() { None } else { view.knowledge.outlook(view.state) },
        proof: root_proof(view),
        bounds: interval.map(to_bounds),
        moves,
        figures,
        nodes: tree.node_count(),
        edges: tree.edge_count() - 1,
        tree_bytes: tree.bytes(),
        tree_limit: tree.limit(),
        fullness: tree.fullness(),
    }
}

/// Where sides move by turns the root edge's rewards are the opponent's, but a side may also move
/// twice, or have left the root to chance.
pub(crate) fn root_mean<G: Game, K>(view: &TreeView<'_, G, K>) -> f64 {
    let root = view.tree.edge(ROOT);
    let sign = if view.mover == view.state.turn() { 1.0 } else { -1.0 };
    if root.visits() == 0 { 0.0 } else { sign * mean(root) }
}

/// The mean of an edge that has been visited, in -1..1: qualities may take rewards beyond it.
fn mean(edge: &Edge) -> f64 {
    reward::mean(edge.total(), edge.visits()).clamp(-1.0, 1.0)
}

fn first_move<G: Game>(state: &G) -> Option<G::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.first().copied()
}

/// What the proofs of its moves prove about the root. Where it lists only some of them, they can
/// prove no more than a win. The end of the game proves it where there is no move.
pub(crate) fn root_proof<G: Game, K>(view: &TreeView<'_, G, K>) -> Proof {
    if let (None, Some(outcome)) = (first_move(view.state), view.state.outcome()) {
        return Proof::of(outcome, view.state.turn());
    }
    let kind = StepKind::next(view.state);
    match solver::deduce(view.tree.listed_under(ROOT), kind) {
        Proof::Win(plies) => Proof::Win(plies),
        _ if view.is_restricted => Proof::Open,
        proof => proof,
    }
}

/// What the value of the root lies in; where it lists only some of its moves, there may be better
/// ones.
fn root_interval<G: Game, K>(view: &TreeView<'_, G, K>) -> Option<Interval> {
    let kind = StepKind::next(view.state);
    let found =
        view.tree.columns.interval.is_kept().then(|| bounds::under(view.tree, ROOT, kind))?;
    let high = if view.is_restricted { Interval::OPEN.high } else { found.high };
    Some(Interval { high, ..found })
}

fn clamped(mean: f64, interval: Option<Interval>) -> f64 {
    interval.map_or(mean, |interval| interval.clamp(mean))
}

fn to_bounds(interval: Interval) -> Bounds {
    let (low, high) = interval.shares();
    Bounds { low, high }
}

fn root_move<G: Game, K: Knowledge<G>>(
    view: &TreeView<'_, G, K>,
    number: u32,
    edge: &Edge,
) -> RootMove<G> {
    let mv = G::Move::from_bits(edge.step());
    let visits = edge.visits();
    let intervals = &view.tree.columns.interval;
    let interval = intervals.is_kept().then(|| intervals.get(number));
    RootMove {
        mv,
        visits,
        mean: if visits == 0 { 0.0 } else { clamped(mean(edge), interval) },
        eval: None,
        prior: view.knowledge.prior(view.state, mv),
        policy: None,
        proof: edge.status().proof(),
        bounds: interval.map(to_bounds),
        pv: line(view, mv),
    }
}

/// Notes what a learned network makes of each move in advance. It is asked about all moves, since
/// the root may list only some of them.
fn add_policy<G: Game, K: Knowledge<G>>(view: &TreeView<'_, G, K>, moves: &mut [RootMove<G>]) {
    if moves.is_empty() {
        return;
    }
    let (mut all, mut shares) = (Vec::new(), Vec::new());
    view.state.moves(&mut all);
    view.knowledge.policy(view.state, &all, &mut shares);
    for entry in moves {
        let place = all.iter().position(|&mv| mv == entry.mv);
        entry.policy = place.and_then(|place| shares.get(place).copied());
    }
}

/// The index of the edge that is chosen. Where bounds are kept, not one that cannot bring more than
/// another has for certain, nor one that promises less than that.
fn choose<G, K>(view: &TreeView<'_, G, K>, edges: Listed<'_>) -> Option<usize> {
    let (intervals, whole) = (&view.tree.columns.interval, Interval::OPEN);
    let by_rule = || {
        let chosen = view.choose.choose(edges, view.proof_use)?;
        Some(match &view.ties {
            None => chosen,
            Some(rng) => view.choose.among_equals(edges, view.proof_use, chosen, rng.clone()),
        })
    };
    if !intervals.is_kept() {
        return by_rule();
    }
    let interval = |index: usize| intervals.get(edges.number(index));
    let is_graph = view.tree.joints.have_bounds();
    // Of sure things in a graph the soonest, lest a win go round in circles.
    let plies = |index: usize| match is_graph {
        true => graph_bounds::plies_of(view.tree, edges.number(index)),
        false => 0,
    };
    let worth = |&index: &usize| (interval(index).low, Reverse(plies(index)), Reverse(index));
    let surest = (0..edges.len()).max_by_key(worth)?;
    let floor = interval(surest).low;
    if floor == whole.low || floor == whole.high && !is_graph {
        // Only proofs are certain, and they have distances.
        return by_rule();
    }
    let is_open = |index: usize| !interval(index).is_settled(floor);
    let promises = |index: &usize| {
        let (low, _) = interval(surest).shares();
        interval(*index).clamp(mean(&edges[*index])) >= low
    };
    let open = view.choose.choose_among(edges, view.proof_use, is_open).filter(promises);
    Some(open.unwrap_or(surest))
}

/// Goes on with a line that has come to a proven leaf: by the move that wins at once, or by those
/// that keep what the oracle knows, to the end of the game.
fn complete<G: Game>(oracle: &dyn Oracle<G>, state: &mut G, line: &mut Vec<G::Move>) {
    let mut moves = Vec::new();
    loop {
        if let Some(mv) = state.winning_move(&mut moves) {
            line.push(mv);
            return;
        }
        let proof = oracle.prove(state);
        if proof.plies().is_none() || state.is_pending() {
            return;
        }
        moves.clear();
        state.moves(&mut moves);
        let after = |mv| {
            let mut after = state.clone();
            after.play(mv);
            after
        };
        let keeps = |after: &G| after.outcome().is_none() && oracle.prove(after).before() == proof;
        let Some((mv, next)) =
            moves.iter().map(|&mv| (mv, after(mv))).find(|(_, after)| keeps(after))
        else {
            return;
        };
        line.push(mv);
        *state = next;
    }
}

/// The moves that both sides would choose after `mv`, which comes first.
fn line<G: Game, K>(view: &TreeView<'_, G, K>, mv: G::Move) -> Vec<G::Move> {
    let mut state = view.state.clone();
    let mut line = Vec::new();
    let mut step = mv.to_bits();
    let mut edge = ROOT;
    loop {
        let edges = view.tree.listed_under(edge);
        let Some(index) = edges.iter().position(|edge| edge.step() == step) else { break };
        line.push(G::Move::from_bits(step));
        state.play(G::Move::from_bits(step));
        edge = edges.number(index);
        // In a graph the line might go round in a circle.
        if state.is_pending() || state.outcome().is_some() || line.len() >= LONGEST {
            break;
        }
        let below = view.tree.listed_under(edge);
        let Some(index) = choose(view, below) else {
            // What proves a leaf is not in the tree.
            let goes_on = view.proof_use != ProofUse::Ignored && state.outcome().is_none();
            if goes_on && view.tree.edge(edge).status().is_proven() {
                complete(view.oracle, &mut state, &mut line);
            }
            break;
        };
        step = below[index].step();
    }
    line
}
