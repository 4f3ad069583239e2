//! What searches have found, as messages.

use crate::request::Slot;
use crate::shape::{interval, label, proof_json, shape, side_name, step};
use monteverde_game::report::{Report, RootMove};
use monteverde_game::{Notation, Proof, Side, Step};
use monteverde_mcts::{Branch, Explore};
use serde_json::{Value, json};

/// So many root moves are told.
const MOST_MOVES: usize = 60;
/// So many moves of the principal variation.
const MOST_PV: usize = 16;
/// So many moves of the line of every root move.
const MOST_LINE: usize = 8;

/// What a search is, for its messages.
#[derive(Clone, Debug)]
pub(crate) struct About {
    pub(crate) slot: Slot,
    /// Of the state that is searched.
    pub(crate) serial: u64,
    pub(crate) spec: String,
    /// Whether the player has a tree.
    pub(crate) kind: Kind,
}

/// The kinds of searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Tree,
    AlphaBeta,
}

/// Whether more reports of the search follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Running,
    Final,
}

/// A report as a message.
pub(crate) fn report<G: Notation>(
    about: &About,
    state: &G,
    report: &Report<G>,
    stage: Stage,
) -> Value {
    let figures = &report.figures;
    let visits = figures.iterations + figures.kept;
    let (low, high) = within(about.kind, report.mean, visits);
    let all: u64 = report.moves.iter().map(|entry| u64::from(entry.visits)).sum();
    let shown = report.moves.iter().take(MOST_MOVES);
    let moves: Vec<Value> = shown.map(|entry| root_move(about.kind, state, entry, all)).collect();
    json!({
        "type": "report",
        "slot": about.slot.name(),
        "serial": about.serial,
        "final": stage == Stage::Final,
        "spec": about.spec,
        "side": side_name(state.turn()),
        "kind": match about.kind {
            Kind::Tree => "search",
            Kind::AlphaBeta => "alphabeta",
        },
        "best": report.best.map(|mv| step(state, mv)),
        "mean": report.mean,
        "low": low,
        "high": high,
        "proof": proof_json(report.proof),
        "iterations": figures.iterations,
        "kept": figures.kept,
        "per_second": report.per_second(),
        "seconds": figures.elapsed.as_secs_f64(),
        "depth": figures.depth,
        "deepest": figures.deepest,
        "nodes": report.nodes,
        "edges": report.edges,
        "tree_bytes": report.tree_bytes,
        "tree_limit": report.tree_limit,
        "fullness": report.fullness,
        "pv": line(state, &report.pv, MOST_PV, step),
        "left_out": report.moves.len() - moves.len(),
        "moves": moves,
    })
}

/// What the history keeps of a report.
pub(crate) fn summary<G: Notation>(spec: &str, state: &G, report: &Report<G>) -> Value {
    let entry = report.best_move();
    json!({
        "spec": spec,
        "mean": entry.map(|entry| entry.mean),
        "visits": entry.map(|entry| entry.visits),
        "iterations": report.figures.iterations,
        "per_second": report.per_second(),
        "proof": proof_json(entry.map_or(Proof::Open, |entry| entry.proof)),
        "pv": line(state, &report.pv, MOST_LINE, text),
    })
}

fn root_move<G: Notation>(kind: Kind, state: &G, entry: &RootMove<G>, all: u64) -> Value {
    let shape = shape(state, entry.mv);
    let (low, high) = within(kind, entry.mean, entry.visits.into());
    json!({
        "text": state.move_text(entry.mv),
        "label": label(state, entry.mv),
        "from": shape.from,
        "to": shape.to,
        "visits": entry.visits,
        "share": f64::from(entry.visits) / all.max(1) as f64,
        "mean": entry.mean,
        "low": low,
        "high": high,
        "eval": entry.eval,
        "prior": entry.prior,
        "proof": proof_json(entry.proof),
        "pv": line(state, &entry.pv, MOST_LINE, text),
    })
}

/// An alpha-beta search has no sample to make an interval of.
fn within(kind: Kind, mean: f64, visits: u64) -> (Option<f64>, Option<f64>) {
    match kind {
        Kind::Tree => interval(mean, visits),
        Kind::AlphaBeta => (None, None),
    }
}

/// The first moves of a line, each told in its state.
fn line<G: Notation>(
    state: &G,
    moves: &[G::Move],
    most: usize,
    tell: fn(&G, G::Move) -> Value,
) -> Vec<Value> {
    let mut state = state.clone();
    let tell_next = |&mv: &G::Move| {
        let told = tell(&state, mv);
        state.play(mv);
        told
    };
    moves.iter().take(most).map(tell_next).collect()
}

fn text<G: Notation>(state: &G, mv: G::Move) -> Value {
    state.move_text(mv).into()
}

/// The nodes of a tree that a client has opened.
#[derive(Clone, Debug)]
pub(crate) struct Opened<G> {
    pub(crate) nodes: Vec<OpenNode<G>>,
    /// How many children of each are told.
    pub(crate) most: usize,
}

/// A node that a client has opened.
#[derive(Clone, Debug)]
pub(crate) struct OpenNode<G> {
    /// As the client wrote it.
    path: Vec<String>,
    /// The same as bits, and the state that it leads to; `None` where it is no line of legal steps.
    place: Option<(Vec<u32>, G)>,
    /// Who made the last step; at the root the side to move.
    side: Side,
    /// What the last step was made by.
    by: &'static str,
}

/// So many children of a node are told where nobody asks for another number.
pub(crate) const MOST_CHILDREN: usize = 40;

impl<G: Notation> OpenNode<G> {
    /// A path from a state.
    pub(crate) fn new(root: &G, path: Vec<String>) -> OpenNode<G> {
        let (mut state, mut bits) = (root.clone(), Vec::new());
        let (mut side, mut by) = (root.turn(), "move");
        for text in &path {
            side = state.turn();
            if state.is_pending() {
                let Ok(event) = state.parse_event(text) else { break };
                (by, _) = ("chance", bits.push(event.to_bits()));
                state.settle(event);
            } else {
                let Ok(mv) = state.parse_move(text) else { break };
                (by, _) = ("move", bits.push(mv.to_bits()));
                state.play(mv);
            }
        }
        let place = (bits.len() == path.len()).then_some((bits, state));
        OpenNode { path, place, side, by }
    }
}

/// The opened nodes as a message; `tree` is `None` where the player has none.
pub(crate) fn nodes<G: Notation>(
    about: (Slot, u64),
    tree: Option<&dyn Explore>,
    opened: &Opened<G>,
    stage: Stage,
) -> Value {
    let nodes: Vec<Value> = opened.nodes.iter().map(|open| node(tree, open, opened.most)).collect();
    json!({
        "type": "nodes",
        "slot": about.0.name(),
        "serial": about.1,
        "running": stage == Stage::Running,
        "nodes": nodes,
    })
}

fn node<G: Notation>(tree: Option<&dyn Explore>, open: &OpenNode<G>, most: usize) -> Value {
    let found = open.place.as_ref().and_then(|(bits, state)| Some((tree?.node(bits)?, state)));
    let Some((node, state)) = found else {
        return json!({
            "path": open.path, "found": false, "state": null, "by": null, "visits": null, "mean": null, "low": null,
            "high": null, "proof": null, "side": null, "turn": null, "outcome": null, "children": [], "left_out": 0,
        });
    };
    let mut branches: Vec<&Branch> = node.branches.iter().collect();
    branches.sort_by_key(|branch| std::cmp::Reverse(branch.visits));
    let all: u64 = branches.iter().map(|branch| u64::from(branch.visits)).sum();
    let (mut moves, mut events) = (Vec::new(), Vec::new());
    state.moves(&mut moves);
    state.events(&mut events);
    let tell = |branch: &&Branch| child(state, branch, all, &moves, &events);
    let children: Vec<Value> = branches.iter().take(most).filter_map(tell).collect();
    let (low, high) = interval(node.edge.mean, node.edge.visits.into());
    json!({
        "path": open.path,
        "found": true,
        "state": state.state_text(),
        "by": open.by,
        "visits": node.edge.visits,
        "mean": node.edge.mean,
        "low": low,
        "high": high,
        "proof": proof_json(node.edge.proof),
        "side": side_name(open.side),
        "turn": side_name(state.turn()),
        "outcome": null,
        "left_out": branches.len().saturating_sub(most),
        "children": children,
    })
}

/// A child of a node; `None` where its step is not one of the state, as may be in a graph whose nodes share a key by chance.
fn child<G: Notation>(
    state: &G,
    branch: &Branch,
    all: u64,
    moves: &[G::Move],
    events: &[(G::Event, u32)],
) -> Option<Value> {
    let (text, label, by, probability) = if state.is_pending() {
        let &(event, weight) = events.iter().find(|(event, _)| event.to_bits() == branch.step)?;
        let text = state.event_text(event);
        let probability = f64::from(weight) / f64::from(state.event_weight().max(1));
        (text.clone(), text, "chance", Some(probability))
    } else {
        let &mv = moves.iter().find(|mv| mv.to_bits() == branch.step)?;
        (state.move_text(mv), label(state, mv), "move", None)
    };
    let (low, high) = interval(branch.mean, branch.visits.into());
    Some(json!({
        "text": text,
        "label": label,
        "by": by,
        "probability": probability,
        "visits": branch.visits,
        "share": f64::from(branch.visits) / all.max(1) as f64,
        "mean": branch.mean,
        "low": low,
        "high": high,
        "proof": proof_json(branch.proof),
        "side": side_name(state.turn()),
        "open": branch.leads_on,
    }))
}
