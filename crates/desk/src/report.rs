//! What searches have found, as messages.

use crate::position::step;
use crate::request::Slot;
use monteverde_game::report::{Report, RootMove};
use monteverde_game::{Game, Outlook, Proof};
use monteverde_players::face::side_name;
use monteverde_players::{AnyState, AnyStep};
use serde_json::{Value, json};

/// So many root moves are told.
const MOST_MOVES: usize = 60;
/// So many moves of the principal variation.
const MOST_PV: usize = 16;
/// So many moves of the line of every root move.
const MOST_LINE: usize = 8;

/// What a search has found.
pub(crate) type SearchReport = Report<AnyState>;

/// What the messages of a search have in common.
#[derive(Clone, Debug)]
pub(crate) struct ReportHead {
    pub(crate) slot: Slot,
    /// Of the state that is searched.
    pub(crate) serial: u64,
    pub(crate) spec: String,
    /// Whether the player has a tree.
    pub(crate) kind: SearchKind,
}

/// The kinds of searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchKind {
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
pub(crate) fn message(
    about: &ReportHead,
    state: &AnyState,
    report: &SearchReport,
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
            SearchKind::Tree => "search",
            SearchKind::AlphaBeta => "alphabeta",
        },
        "best": report.best.map(|mv| step(state, mv)),
        "mean": report.mean,
        "low": low,
        "high": high,
        "outlook": report.outlook.map(outlook_json),
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
pub(crate) fn summary(spec: &str, state: &AnyState, report: &SearchReport) -> Value {
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

fn root_move(kind: SearchKind, state: &AnyState, entry: &RootMove<AnyState>, all: u64) -> Value {
    let view = state.move_view(entry.mv);
    let (low, high) = within(kind, entry.mean, entry.visits.into());
    json!({
        "text": state.move_text(entry.mv),
        "label": state.label(entry.mv),
        "from": view.from,
        "to": view.to,
        "visits": entry.visits,
        "share": f64::from(entry.visits) / all.max(1) as f64,
        "mean": entry.mean,
        "low": low,
        "high": high,
        "eval": entry.eval,
        "prior": entry.prior,
        "policy": entry.policy,
        "proof": proof_json(entry.proof),
        "pv": line(state, &entry.pv, MOST_LINE, text),
    })
}

/// An alpha-beta search has no sample to make an interval of.
fn within(kind: SearchKind, mean: f64, visits: u64) -> (Option<f64>, Option<f64>) {
    match kind {
        SearchKind::Tree => interval(mean, visits),
        SearchKind::AlphaBeta => (None, None),
    }
}

/// The first moves of a line, each told in its state.
fn line(
    state: &AnyState,
    moves: &[AnyStep],
    most: usize,
    tell: fn(&AnyState, AnyStep) -> Value,
) -> Vec<Value> {
    let mut state = state.clone();
    let tell_next = |&mv: &AnyStep| {
        let told = tell(&state, mv);
        state.play(mv);
        told
    };
    moves.iter().take(most).map(tell_next).collect()
}

fn text(state: &AnyState, mv: AnyStep) -> Value {
    state.move_text(mv).into()
}

/// A proof, `null` where nothing is proven.
pub(crate) fn proof_json(proof: Proof) -> Value {
    let result = match proof {
        Proof::Open => return Value::Null,
        Proof::Win(_) => "win",
        Proof::Draw => "draw",
        Proof::Loss(_) => "loss",
    };
    json!({ "result": result, "plies": proof.plies() })
}

fn outlook_json(Outlook { win, draw, loss }: Outlook) -> Value {
    json!({ "win": win, "draw": draw, "loss": loss })
}

/// The 95% interval of a mean of rewards in -1..1: Wilson's for a share of wins, which is rather
/// too wide where there are draws.
pub(crate) fn interval(mean: f64, visits: u64) -> (Option<f64>, Option<f64>) {
    /// The 97.5% quantile of the normal distribution.
    const Z: f64 = 1.959_964;
    if visits == 0 {
        return (None, None);
    }
    let (n, share) = (visits as f64, ((mean + 1.0) / 2.0).clamp(0.0, 1.0));
    let weight = 1.0 + Z * Z / n;
    let centre = (share + Z * Z / (2.0 * n)) / weight;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / weight;
    let scale = |share: f64| (2.0 * share - 1.0).clamp(-1.0, 1.0);
    (Some(scale(centre - half)), Some(scale(centre + half)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Facts of Wilson's interval: 5 of 10 is 0.2366 to 0.7634; no wins of 10 is 0 to 0.2775.
    #[test]
    fn intervals_are_wilsons() {
        let near = |(low, high): (Option<f64>, Option<f64>), expected: (f64, f64)| {
            let share = |mean: Option<f64>| (mean.unwrap() + 1.0) / 2.0;
            assert!(
                (share(low) - expected.0).abs() < 1e-4 && (share(high) - expected.1).abs() < 1e-4
            );
        };
        near(interval(0.0, 10), (0.2366, 0.7634));
        near(interval(-1.0, 10), (0.0, 0.2775));
        assert_eq!(interval(0.0, 0), (None, None));
    }
}
