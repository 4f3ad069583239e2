//! A report as a text that restores it bit for bit: reals travel as their bits.

use super::SearchResult;
use crate::convert::refused;
use crate::own::guarded;
use crate::state::State;
use monteverde_game::report::{Bounds, Figures, Report, RootMove};
use monteverde_game::{Game as _, Outlook, Proof, Step};
use monteverde_players::{AnyState, AnyStep};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

/// Reads a result again that was pickled.
#[pyfunction]
#[pyo3(name = "_restore_result")]
pub(crate) fn restore_result(
    state: &State,
    player: String,
    report: &str,
) -> PyResult<SearchResult> {
    let value: Value = serde_json::from_str(report).map_err(refused)?;
    let none = || refused("this is no pickled result of a search");
    let report = read(&value).ok_or_else(none)?;
    match guarded(|| is_of(&report, &state.state))? {
        true => Ok(SearchResult::new(state.state.clone(), player, report)),
        false => Err(none()),
    }
}

/// Whether all moves of a report can be played, so that nobody trips over one that cannot.
fn is_of(report: &Report<AnyState>, state: &AnyState) -> bool {
    let is_legal = |line: &[AnyStep]| {
        let mut at = state.clone();
        line.iter().all(|&mv| {
            let mut moves = Vec::new();
            at.moves(&mut moves);
            let is_there = moves.contains(&mv);
            if is_there {
                at.play(mv);
            }
            is_there
        })
    };
    report.best.is_none_or(|mv| is_legal(&[mv]))
        && is_legal(&report.pv)
        && report.moves.iter().all(|entry| is_legal(&[entry.mv]) && is_legal(&entry.pv))
}

/// A report as a document.
pub(super) fn write(report: &Report<AnyState>) -> Value {
    let figures = &report.figures;
    let moves: Vec<Value> = report.moves.iter().map(write_move).collect();
    json!([
        report.best.map(AnyStep::to_bits),
        moves,
        line(&report.pv),
        report.mean.to_bits(),
        write_proof(report.proof),
        write_bounds(report.bounds),
        [figures.iterations, figures.kept, figures.elapsed.as_nanos() as u64],
        [figures.depth.to_bits(), u64::from(figures.deepest)],
        figures.nodes,
        [report.nodes, report.edges, report.tree_bytes, report.tree_limit],
        report.fullness.to_bits(),
        report.outlook.map(|it| [it.win, it.draw, it.loss].map(f32::to_bits)),
    ])
}

fn write_move(entry: &RootMove<AnyState>) -> Value {
    json!([
        entry.mv.to_bits(),
        entry.visits,
        entry.mean.to_bits(),
        entry.eval.map(f32::to_bits),
        entry.prior.map(f32::to_bits),
        write_proof(entry.proof),
        write_bounds(entry.bounds),
        line(&entry.pv),
        entry.policy.map(f32::to_bits),
    ])
}

fn line(moves: &[AnyStep]) -> Vec<u32> {
    moves.iter().map(|mv| mv.to_bits()).collect()
}

fn write_proof(proof: Proof) -> Value {
    match proof {
        Proof::Open => json!(["open", 0]),
        Proof::Win(plies) => json!(["win", plies]),
        Proof::Draw => json!(["draw", 0]),
        Proof::Loss(plies) => json!(["loss", plies]),
    }
}

fn write_bounds(bounds: Option<Bounds>) -> Value {
    json!(bounds.map(|bounds| [bounds.low.to_bits(), bounds.high.to_bits()]))
}

fn read(value: &Value) -> Option<Report<AnyState>> {
    let [iterations, kept, nanos] = counts(&value[6])?;
    let [depth, deepest] = counts(&value[7])?;
    let [nodes, edges, bytes, limit] = counts(&value[9])?;
    Some(Report {
        best: value[0].as_u64().map(|bits| AnyStep::from_bits(bits as u32)),
        moves: value[1].as_array()?.iter().map(read_move).collect::<Option<_>>()?,
        pv: read_line(&value[2])?,
        mean: real(&value[3])?,
        outlook: counts(&value[11]).map(|bits| {
            let [win, draw, loss] = bits.map(|bits| f32::from_bits(bits as u32));
            Outlook { win, draw, loss }
        }),
        proof: read_proof(&value[4])?,
        bounds: read_bounds(&value[5]),
        figures: Figures {
            iterations,
            nodes: value[8].as_u64(),
            kept,
            elapsed: Duration::from_nanos(nanos),
            depth: f64::from_bits(depth),
            deepest: deepest as u32,
        },
        nodes: nodes as usize,
        edges: edges as usize,
        tree_bytes: bytes as usize,
        tree_limit: limit as usize,
        fullness: real(&value[10])?,
    })
}

fn counts<const N: usize>(value: &Value) -> Option<[u64; N]> {
    let counts: Option<Vec<u64>> = value.as_array()?.iter().map(Value::as_u64).collect();
    counts?.try_into().ok()
}

fn read_move(value: &Value) -> Option<RootMove<AnyState>> {
    let small = |at: usize| value[at].as_u64().map(|bits| f32::from_bits(bits as u32));
    Some(RootMove {
        mv: AnyStep::from_bits(value[0].as_u64()? as u32),
        visits: value[1].as_u64()? as u32,
        mean: real(&value[2])?,
        eval: small(3),
        prior: small(4),
        policy: small(8),
        proof: read_proof(&value[5])?,
        bounds: read_bounds(&value[6]),
        pv: read_line(&value[7])?,
    })
}

fn real(value: &Value) -> Option<f64> {
    value.as_u64().map(f64::from_bits)
}

fn read_line(value: &Value) -> Option<Vec<AnyStep>> {
    let step = |bits: &Value| Some(AnyStep::from_bits(bits.as_u64()? as u32));
    value.as_array()?.iter().map(step).collect()
}

fn read_proof(value: &Value) -> Option<Proof> {
    let plies = value[1].as_u64()? as u16;
    match value[0].as_str()? {
        "open" => Some(Proof::Open),
        "win" => Some(Proof::Win(plies)),
        "draw" => Some(Proof::Draw),
        "loss" => Some(Proof::Loss(plies)),
        _ => None,
    }
}

fn read_bounds(value: &Value) -> Option<Bounds> {
    Some(Bounds { low: real(&value[0])?, high: real(&value[1])? })
}
