//! Bounds in a graph: what is certain of states that are reached in several ways.
//!
//! In a tree an interval belongs to an edge, whose one path tells its history (see
//! [`crate::bounds`]). Here every node has one, for the value of its state **as if its past were
//! empty**: that of a state after a flip or a capture, whatever led to it. So it is true across
//! every step that cannot be taken back ([`monteverde_game::Game::reversible_plies`]), and within
//! the region between two such steps with care:
//!
//! - Let `v(n)` be the value of a state without rules on repetitions, where `n` more plies that can
//!   be taken back draw. Who can force more than a draw within `n` plies can do so within more, and
//!   without coming to a state twice. So `v(n)` only moves away from 0 as `n` grows, and a rule on
//!   repetitions changes nothing where no state has been there before.
//! - A node keeps with its interval a number of plies: the interval holds `v(n)` for all `n` from
//!   there on. Over a step that can be taken back it counts if that is less than the rule allows;
//!   else it counts with 0 put in, which holds the value for every `n` and for every past.
//! - Where the region has been looked through, [`crate::region`] works out draws by play without
//!   end, which no single path proves.
//!
//! The edges of a node keep what is known of them from there, as a note: it is brought up to date
//! where an edge is followed and where another edge of its node has narrowed.
//!
//! **Means.** A node is worth the mean of its own playouts and its moves by their visits, as in
//! [`crate::graph`]; where chance decides, the mean of the events by their probabilities, however
//! often each was drawn. Either is moved into the node's interval.

use crate::bounds;
use crate::graph::for_first;
use crate::interval::Interval;
use crate::path::{BackupValue, Ending, Visit};
use crate::proof::{Ends, StepKind};
use crate::reward::MOST;
use crate::sharing::Sharing;
use crate::tree::{ROOT, Tree};
use monteverde_game::{Game, Side};
use std::sync::atomic::{Ordering::Relaxed, Ordering::SeqCst, fence};

/// How many plies that can be taken back the rules allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Plies {
    /// From a state without a past.
    pub(crate) most: u32,
    /// From the root.
    pub(crate) left: u32,
    /// Whether a state of the root's past has been there so often that the next time may draw.
    pub(crate) is_repeated: bool,
}

impl Plies {
    /// Those of a root; `None` where the game does not tell.
    pub(crate) fn of<G: Game>(root: &G) -> Option<Plies> {
        let (played, left) = (root.reversible_plies()?, root.plies_left());
        let is_repeated = played > 0 && root.may_be_drawn_by_repetition();
        Some(Plies { most: played.saturating_add(left), left, is_repeated })
    }

    /// Whether an interval that takes so many plies counts over a step out of a node that can be
    /// taken back.
    fn allow(self, plies: u32, is_root: bool) -> bool {
        if is_root { !self.is_repeated && plies < self.left } else { plies < self.most }
    }
}

/// Notes of a new edge whether the step can be taken back; it leads to `state`.
pub(crate) fn note_new<G: Game>(tree: &Tree, edge: u32, state: &G) {
    let is_reversible = state.reversible_plies() != Some(0);
    tree.columns.is_reversible.set(edge, u32::from(is_reversible));
}

/// Whether the step can be taken back.
#[inline(always)]
pub(crate) fn is_reversible(tree: &Tree, edge: u32) -> bool {
    tree.columns.is_reversible.get(edge) != 0
}

/// Where chance decides, that is told by the weights.
fn kind(tree: &Tree, first: u32) -> StepKind {
    if tree.columns.weight.get(first) > 0 { StepKind::Event } else { StepKind::Move }
}

/// What follows for an edge of `side` from what it leads to.
#[inline(always)]
pub(crate) fn below(
    tree: &Tree,
    edge: u32,
    side: Side,
    (plies, is_root): (Plies, bool),
) -> Interval {
    let status = tree.edge(edge).status();
    if let Some(outcome) = status.outcome(side, Ends::TERMINAL) {
        return Interval::of_outcome(outcome, side);
    }
    let Some(node) = tree.node(edge) else { return Interval::OPEN };
    let bounds = tree.joints.bounds(node);
    // In this order: the plies are noted before the interval that takes them.
    let interval = bounds.interval();
    let counts = !is_reversible(tree, edge) || plies.allow(bounds.plies(), is_root);
    let found = if counts { interval } else { interval.with_draw() };
    found.seen_by(Side::First, side)
}

/// Brings the interval of an edge of `side` up to date. Returns whether it has narrowed.
#[inline(always)]
fn refresh(tree: &Tree, edge: u32, side: Side, rules: (Plies, bool)) -> bool {
    let found = below(tree, edge, side, rules);
    found != Interval::OPEN && tree.columns.interval.cell(edge).narrow(found)
}

/// The same for all edges of a node.
pub(crate) fn refresh_all(tree: &Tree, node: u32, side: Side, plies: (Plies, bool)) {
    let (first, edges) = tree.edges(node);
    for edge in first..first + edges.len() as u32 {
        refresh(tree, edge, side, plies);
    }
}

/// How many plies what is certain of an edge takes until a step that cannot be taken back.
pub(crate) fn plies_of(tree: &Tree, edge: u32) -> u32 {
    let below = tree.node(edge).filter(|_| is_reversible(tree, edge));
    below.map_or(0, |node| tree.joints.bounds(node).plies())
}

/// Forgets what was noted of the root's edges, and notes what holds from there.
pub(crate) fn restart_root(tree: &Tree, root: u32, side: Side, plies: Plies) {
    let (first, edges) = tree.edges(root);
    for edge in first..first + edges.len() as u32 {
        tree.columns.interval.set(edge, Interval::OPEN);
    }
    refresh_all(tree, root, side, (plies, true));
}

/// Narrows a node, in which `side` is to move, by the intervals of its edges.
fn narrow(tree: &Tree, node: u32, side: Side) {
    let (first, edges) = tree.edges(node);
    // Two threads that narrow two edges of one node: the later one must see both.
    fence(SeqCst);
    let found = bounds::of_edges(tree, first, edges.len(), kind(tree, first));
    let mut plies = 0;
    for edge in first..first + edges.len() as u32 {
        if is_reversible(tree, edge) && tree.columns.interval.get(edge) != Interval::OPEN {
            plies = plies.max(tree.node(edge).map_or(0, |below| tree.joints.bounds(below).plies()));
        }
    }
    tree.joints.bounds(node).narrow(found.seen_by(side, Side::First), plies.saturating_add(1));
}

/// Brings the intervals along the path up to date, from the last edge to the first.
pub(crate) fn climb(tree: &Tree, path: &[Visit], plies: Plies) {
    let root = tree.node(ROOT);
    for index in (1..path.len()).rev() {
        let visit = path[index];
        let Some(above) = tree.node(path[index - 1].edge) else { continue };
        let rules = (plies, Some(above) == root);
        if refresh(tree, visit.edge, visit.side, rules) {
            refresh_all(tree, above, visit.side, rules);
            narrow(tree, above, visit.side);
        }
    }
}

/// What a node is worth to [`Side::First`], as far as is known.
pub(crate) fn value(tree: &Tree, node: u32) -> i64 {
    let (joint, bounds) = (tree.joints.node(node), tree.joints.bounds(node));
    let (first, edges) = tree.edges(node);
    let by_visits = || joint.sum() / i64::from(joint.visits().max(1));
    let value = match kind_of(tree, first, edges.len()) {
        StepKind::Move => by_visits(),
        StepKind::Event => {
            expected(tree, (first, edges.len()), bounds.turn()).unwrap_or_else(by_visits)
        }
    };
    // Qualities may take rewards beyond those of a win and a loss.
    let (interval, whole) = (bounds.interval(), Interval::OPEN);
    let low = if interval.low > whole.low { i64::from(interval.low) } else { -MOST };
    let high = if interval.high < whole.high { i64::from(interval.high) } else { MOST };
    value.clamp(low, high)
}

fn kind_of(tree: &Tree, first: u32, count: usize) -> StepKind {
    if count == 0 { StepKind::Move } else { kind(tree, first) }
}

/// The mean of the events that anything is known of, by their weights, for [`Side::First`].
fn expected(tree: &Tree, (first, count): (u32, usize), side: Side) -> Option<i64> {
    let (mut total, mut weights) = (0, 0);
    for (number, edge) in (first..).zip(tree.edges_from(first, count)) {
        let visits = i64::from(edge.visits());
        let exact = tree.columns.interval.get(number).exact();
        let mean = exact.or_else(|| (visits > 0).then(|| edge.total() / visits));
        if let Some(mean) = mean {
            let weight = i64::from(tree.columns.weight.get(number));
            total += weight * mean;
            weights += weight;
        }
    }
    let mean = (weights > 0).then(|| total / weights)?;
    Some(if side == Side::First { mean } else { -mean })
}

/// Sets intervals and totals along the path right, as [`crate::graph::backup`] does the totals.
pub(crate) fn backup<S: Sharing>(tree: &Tree, path: &[Visit], told: BackupValue, plies: Plies) {
    climb(tree, path, plies);
    let BackupValue { reward, ending } = told;
    for (index, visit) in path.iter().enumerate().rev() {
        let node = tree.node(visit.edge);
        let is_last = index + 1 == path.len();
        let mut own = 0;
        match (ending, node) {
            _ if !is_last => {}
            (Ending::ByHistory, _) => S::increment(tree.columns.drawn_by_history.cell(visit.edge)),
            (Ending::Shared, Some(node)) => tree.joints.node(node).add(reward, 1),
            (Ending::Shared, None) => own = for_first(reward, visit.side),
        }
        S::count(tree.edge(visit.edge));
        let above = index.checked_sub(1).and_then(|above| tree.node(path[above].edge));
        tell(tree, (*visit, node), above, own);
    }
}

/// Counts a visit of an edge that the iteration goes back over and that had none: it leads to a
/// known state, and from now on it is selected like others.
pub(crate) fn count_known<S: Sharing>(tree: &Tree, visit: Visit, above: u32) {
    S::count(tree.edge(visit.edge));
    tell(tree, (visit, tree.node(visit.edge)), Some(above), 0);
}

/// Gives the edge of a visit that has been counted its total, and tells the node above.
fn tell(tree: &Tree, (visit, node): (Visit, Option<u32>), above: Option<u32>, own: i64) {
    let edge = tree.edge(visit.edge);
    let after = match node {
        None => edge.total() + own,
        Some(node) => {
            let drawn = tree.columns.drawn_by_history.get(visit.edge);
            let visits = i64::from(edge.visits().saturating_sub(drawn));
            for_first(visits * value(tree, node), visit.side)
        }
    };
    let before = edge.total_cell().swap(after, Relaxed);
    if let Some(above) = above {
        tree.joints.node(above).add(for_first(after - before, visit.side), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Graph, GraphBounds, Imb, Limit, Search, Threshold, Untried};
    use monteverde_game::fixtures::{DiceRace, TicTacToe, exact_value};
    use monteverde_game::{Notation, Step};
    use std::collections::HashSet;

    /// What the arithmetic of the exact values may be off by.
    const ERROR: f64 = 1e-12;

    fn config() -> Config {
        let (graph, graph_bounds) = (Some(Graph), Some(GraphBounds));
        Config { graph, graph_bounds, memory: 4 << 20, ..Config::default() }
    }

    /// Compares every interval of the graph with the exact value. Returns how many say anything.
    fn check(search: &Search<DiceRace>) -> usize {
        let tree = search.tree();
        let mut open = vec![(ROOT, search.state().clone())];
        let (mut seen, mut narrow) = (HashSet::new(), 0);
        while let Some((edge, state)) = open.pop() {
            let Some(node) = tree.node(edge).filter(|&node| seen.insert(node)) else { continue };
            let bounds = tree.joints.bounds(node);
            let (low, high) = bounds.interval().shares();
            let value = exact_value(&state);
            assert!((low - ERROR..=high + ERROR).contains(&value), "{state:?}: {value}");
            assert_eq!(bounds.turn(), state.turn());
            narrow += usize::from(bounds.interval() != Interval::OPEN);
            let (first, edges) = tree.edges(node);
            for (number, edge) in (first..).zip(edges) {
                let mut after = state.clone();
                match state.is_pending() {
                    false => after.play(Step::from_bits(edge.step())),
                    true => after.settle(Step::from_bits(edge.step())),
                }
                let interval = tree.columns.interval.get(number);
                let (low, high) = interval.seen_by(state.turn(), Side::First).shares();
                let value = exact_value(&after);
                assert!((low - ERROR..=high + ERROR).contains(&value), "{after:?}: {value}");
                open.push((number, after));
            }
        }
        narrow
    }

    #[test]
    fn every_value_lies_in_its_interval_at_any_time() {
        let threshold = Some(Threshold { visits: 5, untried: Untried::Selected });
        for (seed, threads, memory) in [(1, 1, 4 << 20), (2, 3, 4 << 20), (3, 1, 40_000)] {
            let config = Config { seed, threads, memory, ..config() };
            for config in [
                config.clone(),
                Config { threshold, ..config.clone() },
                Config { imb: Some(Imb::Fixed(0.3)), ..config },
            ] {
                let mut search = Search::new(config, DiceRace::start());
                let mut narrow = 0;
                while search.state().outcome().is_none() {
                    let report = search.run(&Limit::iterations(100));
                    narrow += check(&search);
                    match report.best {
                        Some(best) => search.play(best),
                        None => {
                            let mut events = Vec::new();
                            search.state().events(&mut events);
                            search.settle(events[0].0);
                        }
                    }
                }
                assert!(narrow > 100, "{narrow} intervals");
            }
        }
    }

    /// The tree takes up to two million iterations, the graph has a few hundred nodes.
    #[test]
    fn the_race_is_solved() {
        for text in ["6 6 first", "5 6 second", "4 4 first throws", "0 0 first"] {
            let state = DiceRace::parse_state(text).expect("a state of the test");
            let sign = if state.turn() == Side::First { 1.0 } else { -1.0 };
            let value = sign * exact_value(&state);
            let report = Search::new(config(), state).run(&Limit::iterations(10_000));
            let bounds = report.bounds.expect("bounds are kept");
            assert!(report.figures.iterations < 10_000, "{text}: {bounds:?}");
            assert!(bounds.high - bounds.low < 1e-6 && (report.mean - value).abs() < 1e-6);
        }
    }

    /// Events count by their weights, however often each was drawn.
    #[test]
    fn chance_counts_by_probability() {
        let search = Search::new(config(), DiceRace::start());
        let tree = search.tree();
        let node =
            tree.grow(ROOT, 0..3, &mut tree.take_stock(), |_, _| {}).expect("room for three edges");
        tree.joints.start(node, 1, (0, 0));
        tree.joints.start_bounds(node, Side::Second);
        let first = tree.edges(node).0;
        for (edge, (weight, visits, total)) in
            (first..).zip([(3, 10, 20_000), (1, 1, -2_000), (2, 0, 0)])
        {
            tree.columns.weight.set(edge, weight);
            tree.edge(edge).visits_cell().store(visits, Relaxed);
            tree.edge(edge).total_cell().store(total, Relaxed);
        }
        // Means of 2,000 and -2,000 by weights 3 and 1, for the second side.
        assert_eq!(value(tree, node), -1_000);
    }

    #[test]
    fn only_chance_with_transpositions_takes_memory() {
        let bytes = |config: Config| Search::new(config, DiceRace::start()).tree().bytes();
        let plain = bytes(Config { graph_bounds: None, ..config() });
        let edge = size_of::<u64>() + 2 * size_of::<u32>();
        assert_eq!(bytes(config()), plain + edge);
        let tree = Config { graph: None, ..config() };
        assert_eq!(bytes(tree.clone()), bytes(Config { graph_bounds: None, ..tree }));
        let bytes = |config: Config| Search::new(config, TicTacToe::start()).tree().bytes();
        assert_eq!(bytes(config()), bytes(Config { graph_bounds: None, ..config() }));
    }
}
