//! The nodes of trees that the page has opened, as messages.

use crate::report::{Stage, interval, proof_json};
use crate::request::Slot;
use monteverde_game::{Game, Side, Step};
use monteverde_mcts::{Branch, Explore};
use monteverde_players::face::side_name;
use monteverde_players::{AnyState, AnyStep};
use serde_json::{Value, json};

/// The nodes of a tree that a client has opened.
#[derive(Clone, Debug)]
pub(crate) struct OpenNodes {
    pub(crate) nodes: Vec<OpenNode>,
    /// How many children of each are told.
    pub(crate) most: usize,
}

impl Default for OpenNodes {
    fn default() -> OpenNodes {
        OpenNodes { nodes: Vec::new(), most: MOST_CHILDREN }
    }
}

/// A node that a client has opened.
#[derive(Clone, Debug)]
pub(crate) struct OpenNode {
    /// As the client wrote it.
    path: Vec<String>,
    /// The same as bits, and the state that it leads to; `None` where it is no line of legal
    /// steps.
    end: Option<(Vec<u32>, AnyState)>,
    /// Who made the last step; at the root the side to move.
    side: Side,
    /// What the last step was made by.
    by: &'static str,
}

/// So many children of a node are told where nobody asks for another number.
pub(crate) const MOST_CHILDREN: usize = 40;

impl OpenNode {
    /// A path from a state.
    pub(crate) fn new(root: &AnyState, path: Vec<String>) -> OpenNode {
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
        let end = (bits.len() == path.len()).then_some((bits, state));
        OpenNode { path, end, side, by }
    }
}

/// The opened nodes as a message; `tree` is `None` where the player has none.
pub(crate) fn message(
    about: (Slot, u64),
    tree: Option<&dyn Explore>,
    opened: &OpenNodes,
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

fn node(tree: Option<&dyn Explore>, open: &OpenNode, most: usize) -> Value {
    let found = open.end.as_ref().and_then(|(bits, state)| Some((tree?.node(bits)?, state)));
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

/// A child of a node; `None` where its step is not one of the state, as may be in a graph whose
/// nodes share a key by chance.
fn child(
    state: &AnyState,
    branch: &Branch,
    all: u64,
    moves: &[AnyStep],
    events: &[(AnyStep, u32)],
) -> Option<Value> {
    let (text, label, by, name, probability) = if state.is_pending() {
        let &(event, weight) = events.iter().find(|(event, _)| event.to_bits() == branch.step)?;
        let text = state.event_text(event);
        let probability = f64::from(weight) / f64::from(state.event_weight().max(1));
        (text.clone(), text, "chance", state.event_name(event), Some(probability))
    } else {
        let &mv = moves.iter().find(|mv| mv.to_bits() == branch.step)?;
        (state.move_text(mv), state.label(mv), "move", None, None)
    };
    let (low, high) = interval(branch.mean, branch.visits.into());
    Some(json!({
        "text": text,
        "label": label,
        "by": by,
        "name": name,
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
