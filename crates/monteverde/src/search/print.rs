//! A report as a table and as a JSON document.

use crate::table;
use comfy_table::Table;
use monteverde_game::{Game, Outlook, Proof};
use monteverde_mcts::{Report, RootMove};
use monteverde_players::arguments::{bar, grouped};
use monteverde_players::{AnyState, AnyStep, Spec};
use serde_json::{Value, json};
use std::io::Write;

/// How wide the bar of all visits is.
const BAR: usize = 20;

/// Writes the state, its moves and the tree's figures; nothing of it depends on the time taken.
pub(super) fn write_table(
    out: &mut dyn Write,
    state: &AnyState,
    spec: &Spec,
    report: &Report<AnyState>,
) -> anyhow::Result<()> {
    writeln!(out, "{}", state.picture())?;
    writeln!(out, "state      {}", state.state_text())?;
    writeln!(out, "player     {spec}")?;
    if let Some(ending) = state.ending() {
        writeln!(out, "the game is over: {ending}")?;
    }
    if state.is_pending() {
        writeln!(out, "chance decides next")?;
    }
    if !report.moves.is_empty() {
        writeln!(out, "{}", moves_table(state, report))?;
    }
    let figures = &report.figures;
    let best = report.best.map_or("none".to_owned(), |mv| state.move_text(mv));
    writeln!(out, "best       {best}")?;
    if !report.pv.is_empty() {
        writeln!(out, "line       {}", line(state, report).join(" "))?;
    }
    writeln!(out, "mean       {:+.4} for the side to move", report.mean)?;
    if let Some(outlook) = report.outlook {
        let Outlook { win, draw, loss } = outlook;
        let share = |share: f32| format!("{:.1} %", 100.0 * share);
        let expected = outlook.expectation();
        let shares = format!("win {}, draw {}, loss {}", share(win), share(draw), share(loss));
        writeln!(out, "network    {expected:+.4} before the search: {shares}")?;
    }
    writeln!(out, "proof      {}", proof_text(report.proof))?;
    writeln!(out, "iterations {}", grouped(figures.iterations))?;
    writeln!(
        out,
        "tree       {} nodes, {} edges, {} bytes of {}",
        grouped(report.nodes as u64),
        grouped(report.edges as u64),
        grouped(report.tree_bytes as u64),
        grouped(report.tree_limit as u64)
    )?;
    writeln!(out, "depth      {:.2} plies on average, {} at most", figures.depth, figures.deepest)?;
    Ok(writeln!(out, "branching  {:.2} edges a node", report.branching())?)
}

/// Everything that scripts may want. Means are in -1..1 for the side to move; so are `low` and
/// `high`, between which the value is certain to lie, null where that is not kept. `outlook` and
/// `policy` are what a learned network says without a search, null where the player has none.
pub(super) fn document(state: &AnyState, spec: &Spec, report: &Report<AnyState>) -> Value {
    let figures = &report.figures;
    let root_move = |entry: &RootMove<AnyState>| {
        json!({
            "move": state.move_text(entry.mv),
            "visits": entry.visits,
            "mean": entry.mean,
            "prior": entry.prior,
            "policy": entry.policy,
            "proof": proof_name(entry.proof),
            "plies": entry.proof.plies(),
            "low": entry.bounds.map(|bounds| bounds.low),
            "high": entry.bounds.map(|bounds| bounds.high),
        })
    };
    json!({
        "game": state.game().name(),
        "state": state.state_text(),
        "player": spec.to_string(),
        "best": report.best.map(|mv| state.move_text(mv)),
        "mean": report.mean,
        "outlook": report.outlook.map(|Outlook { win, draw, loss }| {
            json!({ "win": win, "draw": draw, "loss": loss })
        }),
        "iterations": figures.iterations,
        "seconds": figures.elapsed.as_secs_f64(),
        "per_second": report.per_second(),
        "nodes": report.nodes,
        "edges": report.edges,
        "tree_bytes": report.tree_bytes,
        "depth": figures.depth,
        "deepest": figures.deepest,
        "branching": report.branching(),
        "proof": proof_name(report.proof),
        "plies": report.proof.plies(),
        "low": report.bounds.map(|bounds| bounds.low),
        "high": report.bounds.map(|bounds| bounds.high),
        "moves": report.moves.iter().map(root_move).collect::<Vec<_>>(),
        "pv": line(state, report),
    })
}

fn moves_table(state: &AnyState, report: &Report<AnyState>) -> Table {
    let total: u64 = report.moves.iter().map(|entry| u64::from(entry.visits)).sum();
    let has_policy = report.moves.iter().any(|entry| entry.policy.is_some());
    // What a player lacks has no column.
    let columns = |policy: String, [head @ .., proof]: [String; 6]| {
        let policy = has_policy.then_some(policy);
        head.into_iter().chain(policy).chain([proof]).collect::<Vec<_>>()
    };
    let header = ["move", "visits", "share", "", "mean", "proof"].map(str::to_owned);
    let right = [1, 2, 4].into_iter().chain(has_policy.then_some(5));
    let mut table = table::figures(columns("policy".to_owned(), header), right);
    for entry in &report.moves {
        let share = f64::from(entry.visits) / total.max(1) as f64;
        let cells = [
            state.move_text(entry.mv),
            grouped(u64::from(entry.visits)),
            format!("{:.1} %", 100.0 * share),
            bar(share, BAR),
            format!("{:+.4}", entry.mean),
            if entry.proof.is_proven() { proof_text(entry.proof) } else { String::new() },
        ];
        let policy = entry.policy.map_or(String::new(), |it| format!("{:.1} %", 100.0 * it));
        table.add_row(columns(policy, cells));
    }
    table
}

/// The moves that both sides would choose, in the game's notation.
fn line(state: &AnyState, report: &Report<AnyState>) -> Vec<String> {
    let mut state = state.clone();
    let play = |&mv: &AnyStep| {
        let text = state.move_text(mv);
        state.play(mv);
        text
    };
    report.pv.iter().map(play).collect()
}

fn proof_text(proof: Proof) -> String {
    match proof.plies() {
        Some(plies) => format!("{} in {plies} plies", proof_name(proof)),
        None => proof_name(proof).to_owned(),
    }
}

fn proof_name(proof: Proof) -> &'static str {
    match proof {
        Proof::Open => "open",
        Proof::Win(_) => "win",
        Proof::Draw => "draw",
        Proof::Loss(_) => "loss",
    }
}
