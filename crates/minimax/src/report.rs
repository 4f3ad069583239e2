//! Where a search stands, and the report of it.

use crate::order::Ranked;
use crate::run::{Run, table_key};
use crate::table::Table;
use crate::tactics::Tactics;
use crate::value::{Basis, FoundValue, INFINITE, LEAST_WIN, Value, WIN, is_decided, proof};
use monteverde_game::report::{Figures, Report, RootMove};
use monteverde_game::{Game, Proof, Rng};
use std::time::Duration;

/// Where a search stands.
#[derive(Debug)]
pub(crate) struct Standing<G: Game> {
    /// The moves of the root, the best so far first.
    pub(crate) moves: Vec<SearchedMove<G>>,
    /// The value of the best.
    pub(crate) found: FoundValue,
    /// The depth of the last iteration that was finished.
    pub(crate) depth: u32,
}

/// A move of the root.
#[derive(Debug)]
pub(crate) struct SearchedMove<G: Game> {
    pub(crate) ranked: Ranked<G::Move>,
    pub(crate) found: FoundValue,
    pub(crate) nodes: u64,
    pub(crate) pv: Vec<G::Move>,
}

impl<G: Game> Standing<G> {
    pub(crate) fn new(moves: Vec<Ranked<G::Move>>) -> Self {
        let found = FoundValue { value: 0, basis: Basis::HORIZON };
        let entry =
            |ranked: Ranked<G::Move>| SearchedMove { ranked, found, nodes: 0, pv: vec![ranked.mv] };
        Standing { moves: moves.into_iter().map(entry).collect(), found, depth: 0 }
    }

    /// The move at `index` is the best so far.
    pub(crate) fn lead(&mut self, index: usize, found: FoundValue) {
        self.moves[..=index].rotate_right(1);
        self.found = found;
    }

    /// Puts one of the moves that are as good as the best first.
    pub(crate) fn draw_lots(&mut self, rng: &mut Rng) {
        if self.depth == 0 {
            return;
        }
        let best = self.found.value;
        let equal: Vec<usize> =
            (0..self.moves.len()).filter(|&index| self.moves[index].found.value == best).collect();
        if !equal.is_empty() {
            let drawn = equal[rng.below(equal.len() as u32) as usize];
            self.moves[..=drawn].rotate_right(1);
        }
    }
}

/// The eval at which the odds are ten to one: an eval counts hundredths of a pawn, a pawn is a
/// hundred points of rating, and the rating scale puts the odds of ten to one there.
const TENFOLD: f64 = 400.0;

/// Makes a report.
pub(crate) fn report<G: Game, T: Tactics<G>>(
    state: &G,
    standing: &Standing<G>,
    run: &Run<'_, G, T>,
    elapsed: Duration,
) -> Report<G> {
    let best = standing.moves.first();
    let mut moves = root_moves(standing);
    if let (Some(first), Some(table)) = (moves.first_mut(), &run.table) {
        complete(&mut first.pv, state, table, standing);
    }
    let over = state.outcome().filter(|_| best.is_none());
    Report {
        best: best.map(|entry| entry.ranked.mv),
        pv: moves.first().map_or(Vec::new(), |entry| entry.pv.clone()),
        moves,
        mean: mean(standing.found.value),
        outlook: run.tactics.outlook(state),
        proof: match over {
            Some(outcome) => Proof::of(outcome, state.turn()),
            None => proof(standing.found.value, standing.found.basis),
        },
        bounds: None,
        figures: Figures {
            iterations: run.nodes,
            nodes: Some(run.nodes),
            kept: 0,
            elapsed,
            depth: f64::from(standing.depth),
            deepest: run.deepest as u32,
        },
        nodes: 0,
        edges: 0,
        tree_bytes: run.table.as_ref().map_or(0, |table| table.bytes()),
        tree_limit: run.table.as_ref().map_or(0, |table| table.bytes()),
        fullness: run.table.as_ref().map_or(0.0, |table| table.fullness()),
    }
}

fn root_moves<G: Game>(standing: &Standing<G>) -> Vec<RootMove<G>> {
    let root_move = |(index, entry): (usize, &SearchedMove<G>)| {
        // The first was valued within the window; of the others it is only known that they are not
        // better.
        let found = if index == 0 { standing.found } else { entry.found };
        let is_sure = index == 0 || found.value <= -LEAST_WIN;
        RootMove {
            mv: entry.ranked.mv,
            visits: u32::try_from(entry.nodes).unwrap_or(u32::MAX),
            mean: mean(found.value),
            eval: (!is_decided(found.value)).then_some(found.value as f32),
            prior: None,
            policy: None,
            proof: if is_sure { proof(found.value, found.basis) } else { Proof::Open },
            bounds: None,
            pv: entry.pv.clone(),
        }
    };
    standing.moves.iter().enumerate().map(root_move).collect()
}

/// Goes on with a line where it was cut short because the table knew the rest, as far as the search
/// has looked.
fn complete<G: Game>(
    line: &mut Vec<G::Move>,
    state: &G,
    table: &Table<G::Move>,
    standing: &Standing<G>,
) {
    let value = standing.found.value;
    let plies = if is_decided(value) { WIN - value.abs() } else { standing.depth as Value };
    let mut at = state.clone();
    line.iter().for_each(|&mv| at.play(mv));
    let mut moves = Vec::new();
    while line.len() < plies as usize && at.outcome().is_none() {
        let Some(mv) = table.probe(table_key(&at)).and_then(|entry| entry.mv) else { break };
        moves.clear();
        at.moves(&mut moves);
        // Keys of different states may be equal, once in a very long while.
        if !moves.contains(&mv) {
            break;
        }
        line.push(mv);
        at.play(mv);
    }
}

/// The share of points to expect at a value, in -1..1: a logistic curve, and certainty for wins and
/// losses.
fn mean(value: Value) -> f64 {
    debug_assert!(value.abs() < INFINITE);
    if is_decided(value) {
        return f64::from(value.signum());
    }
    2.0 / (1.0 + libm::exp10(-f64::from(value) / TENFOLD)) - 1.0
}
