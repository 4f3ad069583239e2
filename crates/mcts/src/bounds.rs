//! Bounds: what is certain of values that depend on chance.
//!
//! A proof says that a side wins, draws or loses. Where chance decides between those nothing is
//! proven, and yet much is known: with the solver on in a game with chance, every edge keeps an
//! interval that its value lies in, for the side that plays it. Nothing is known of an untried
//! edge, -1..1; where the game is over or the solver knows, the interval is a point. From there the
//! nodes above are looked at again, from the last to the root, as long as that narrows something:
//!
//! - where a side decides, a state is worth the best of its moves: the greatest low, and the
//!   greatest high;
//! - where chance does, the mean of the events, each by its weight: of the lows, rounded down, and
//!   of the highs, rounded up.
//!
//! **Draws by history** are points here though they are no proofs. A proof may be told of a state;
//! an interval is that of an edge, and an edge of the tree has one path that leads to it, with the
//! history of the root before it. On that path the rules end the game there and then. Nothing is
//! concluded for the same state elsewhere in the tree, and what is kept when the root moves keeps
//! its path.
//!
//! Intervals only narrow, and each is true when it is stored, so threads need no lock.

use crate::interval::Interval;
use crate::news::News;
use crate::path::Visit;
use crate::proof::{Ends, StepKind};
use crate::sharing::Sharing;
use crate::tree::{Edge, ROOT, Tree};
use monteverde_game::{Game, Never, Rng, Side};
use std::any::TypeId;
use std::sync::atomic::{Ordering::SeqCst, fence};

/// Whether the tree keeps intervals. Without chance the question compiles away.
#[inline(always)]
pub(crate) fn are_kept<G: Game>(tree: &Tree) -> bool {
    has_chance::<G>() && tree.columns.interval.is_kept()
}

#[inline(always)]
pub(crate) fn has_chance<G: Game>() -> bool {
    TypeId::of::<G::Event>() != TypeId::of::<Never>()
}

/// Where the last edge of the path is certain, narrows what follows from it for the edges on the
/// way to it.
pub(crate) fn climb(tree: &Tree, path: &[Visit]) {
    let last = path[path.len() - 1];
    let status = tree.edge(last.edge).status();
    let Some(outcome) = status.outcome(last.side, Ends::PROVEN) else { return };
    let mut is_new =
        tree.columns.interval.cell(last.edge).narrow(Interval::of_outcome(outcome, last.side));
    for pair in path.windows(2).rev() {
        let (above, below) = (pair[0], pair[1]);
        if !is_new || above.edge == ROOT {
            return;
        }
        // Two threads that narrow two edges of one node: the later one must see both.
        fence(SeqCst);
        let found = under(tree, above.edge, below.kind).seen_by(below.side, above.side);
        is_new = tree.columns.interval.cell(above.edge).narrow(found);
    }
}

/// What follows for the state that an edge leads to from the edges under it, for the side that
/// plays those.
pub(crate) fn under(tree: &Tree, edge: u32, kind: StepKind) -> Interval {
    let (first, edges) = tree.edges_under(edge);
    of_edges(tree, first, edges.len(), kind)
}

/// The same from as many edges from `first` on, which are those of a node.
pub(crate) fn of_edges(tree: &Tree, first: u32, count: usize, kind: StepKind) -> Interval {
    if count == 0 {
        return Interval::OPEN;
    }
    let intervals = tree.columns.interval.values(first, count);
    match kind {
        StepKind::Move => {
            let best = |a: Interval, b: Interval| Interval {
                low: a.low.max(b.low),
                high: a.high.max(b.high),
            };
            intervals.reduce(best).unwrap_or(Interval::OPEN)
        }
        StepKind::Event => {
            let (mut low, mut high, mut weight) = (0, 0, 0);
            for (number, interval) in (first..).zip(intervals) {
                let share = i64::from(tree.columns.weight.get(number));
                low += share * i64::from(interval.low);
                high += share * i64::from(interval.high);
                weight += share;
            }
            Interval {
                low: low.div_euclid(weight) as i32,
                high: -(-high).div_euclid(weight) as i32,
            }
        }
    }
}

/// What the side has for certain that chooses among edges: the greatest low.
#[inline(always)]
pub(crate) fn floor(tree: &Tree, first: u32, count: usize) -> i32 {
    let lows = tree.columns.interval.values(first, count).map(|interval| interval.low);
    lows.max().unwrap_or(Interval::OPEN.low)
}

/// The index of a random event of a node that is not exact yet, drawn by weight: what is exact
/// counts in [`backup`] without being drawn. `None` where all are.
pub(crate) fn draw(tree: &Tree, first: u32, count: usize, rng: &mut Rng) -> Option<usize> {
    let open = |(number, interval): (u32, Interval)| {
        if interval.exact().is_some() { 0 } else { tree.columns.weight.get(number) }
    };
    let weights = || (first..).zip(tree.columns.interval.values(first, count)).map(open);
    let total: u32 = weights().sum();
    if total == 0 {
        return None;
    }
    let mut rest = rng.below(total);
    weights().position(|weight| {
        let is_it = rest < weight;
        rest = rest.wrapping_sub(weight);
        is_it
    })
}

/// Adds the reward, which is for [`Side::First`], to every edge of the path, as
/// [`crate::backup::add`] does, with what is certain in its place: an exact edge brings its value.
/// Above a node where chance decides, events that are exact count by their weight and the reward
/// stands for the others; above one where a side does, it gets at least what it has for certain, if
/// the mean of what it tried instead is less.
pub(crate) fn backup<S: Sharing>(tree: &Tree, path: &[Visit], mut reward: i64, news: &mut News) {
    for (index, visit) in path.iter().enumerate().rev() {
        let sign = if visit.side == Side::First { 1 } else { -1 };
        let edge = tree.edge(visit.edge);
        if let Some(value) = tree.columns.interval.get(visit.edge).exact() {
            reward = sign * value;
        }
        S::leave(tree, *visit, sign * reward, news);
        let Some(above) = index.checked_sub(1) else { return };
        let (first, edges) = tree.edges_under(path[above].edge);
        reward = sign
            * match visit.kind {
                StepKind::Move => at_least(tree, (first, edges.len()), edge, sign * reward),
                StepKind::Event => expected(tree, (first, edges.len()), sign * reward),
            };
    }
}

/// What counts above a node of these edges, where a side has followed one of them to this reward.
#[inline(always)]
fn at_least(tree: &Tree, (first, count): (u32, usize), edge: &Edge, reward: i64) -> i64 {
    let floor = floor(tree, first, count);
    if floor <= Interval::OPEN.low {
        return reward;
    }
    let mean = edge.total() / i64::from(edge.visits().max(1));
    mean.max(i64::from(floor))
}

/// What counts above a node of these events, where one that was open was drawn and brought this
/// reward.
#[inline(always)]
fn expected(tree: &Tree, (first, count): (u32, usize), reward: i64) -> i64 {
    let (mut total, mut weight) = (0, 0);
    for (number, interval) in (first..).zip(tree.columns.interval.values(first, count)) {
        let share = i64::from(tree.columns.weight.get(number));
        total += share * interval.exact().unwrap_or(reward);
        weight += share;
    }
    total / weight.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reward::ONE;
    use crate::tree::stock::Stock;
    use crate::{Config, Imb, Limit, Search, Solver, Threshold, Untried};
    use monteverde_game::fixtures::{DiceRace, TicTacToe, exact_value};
    use monteverde_game::{Notation, Step};

    /// What the arithmetic of the exact values may be off by.
    const ERROR: f64 = 1e-12;

    fn config() -> Config {
        Config { solver: Some(Solver::FULL), memory: 4 << 20, ..Config::default() }
    }

    /// Compares every interval of the tree with the exact value. Returns how many say anything, and
    /// how many are exact.
    fn check(search: &Search<DiceRace>) -> (usize, usize) {
        let tree = search.tree();
        let mut open = vec![(ROOT, search.state().clone())];
        let (mut narrow, mut exact) = (0, 0);
        while let Some((edge, state)) = open.pop() {
            let (first, edges) = tree.edges_under(edge);
            let side = if state.turn() == Side::First { 1.0 } else { -1.0 };
            for (number, edge) in (first..).zip(edges) {
                let mut after = state.clone();
                match state.is_pending() {
                    false => after.play(Step::from_bits(edge.step())),
                    true => after.settle(Step::from_bits(edge.step())),
                }
                let interval = tree.columns.interval.get(number);
                let (low, high) = interval.shares();
                let value = side * exact_value(&after);
                assert!((low - ERROR..=high + ERROR).contains(&value), "{after:?}: {value}");
                narrow += usize::from(interval != Interval::OPEN);
                exact += usize::from(interval.exact().is_some());
                if edge.visits() > 0 {
                    open.push((number, after));
                }
            }
        }
        (narrow, exact)
    }

    #[test]
    fn every_value_lies_in_its_interval_at_any_time() {
        let threshold = Some(Threshold { visits: 5, untried: Untried::Selected });
        for (seed, threads, memory) in [(1, 1, 4 << 20), (2, 3, 4 << 20), (3, 1, 40_000)] {
            let config = Config { seed, threads, memory, ..config() };
            for config in [
                config.clone(),
                Config { threshold, ..config.clone() },
                Config { imb: Some(Imb::Fixed(0.3)), solver: Some(Solver::THESIS), ..config },
            ] {
                let mut search = Search::new(config, DiceRace::start());
                let mut seen = (0, 0);
                while search.state().outcome().is_none() {
                    let report = search.run(&Limit::iterations(400));
                    let (narrow, exact) = check(&search);
                    seen = (seen.0 + narrow, seen.1 + exact);
                    match report.best {
                        Some(best) => search.play(best),
                        None => {
                            let mut events = Vec::new();
                            search.state().events(&mut events);
                            search.settle(events[0].0);
                        }
                    }
                }
                assert!(seen.0 > seen.1 && seen.1 > 100, "{seen:?} intervals");
            }
        }
    }

    /// Where everything is exact the search ends by itself, before its limit.
    #[test]
    fn the_race_is_solved() {
        for text in ["6 6 first", "5 6 second", "4 4 first throws", "0 0 first"] {
            let state = DiceRace::parse_state(text).expect("a state of the test");
            let value = exact_value(&state) * if state.turn() == Side::First { 1.0 } else { -1.0 };
            let report = Search::new(Config { memory: 256 << 20, ..config() }, state.clone())
                .run(&Limit::iterations(2_000_000));
            let bounds = report.bounds.expect("bounds are kept");
            assert!(report.figures.iterations < 2_000_000, "{text}: {bounds:?}");
            assert!(bounds.high - bounds.low < 1e-6 && (report.mean - value).abs() < 1e-6);
            if let Some(best) = report.best {
                let mut after = state.clone();
                after.play(best);
                assert!((exact_value(&after) - exact_value(&state)).abs() < ERROR, "{text}");
            }
        }
    }

    #[test]
    fn rounding_goes_outwards_and_chance_counts_by_weight() {
        let search = Search::new(config(), DiceRace::start());
        let tree = search.tree();
        let node =
            tree.grow(ROOT, 0..3, &mut Stock::default(), |_, _| {}).expect("room for three edges");
        let first = tree.edges(node).0;
        let one = ONE as i32;
        for (index, (weight, low, high)) in
            [(3, one, one), (2, -one, 0), (1, 0, 1)].into_iter().enumerate()
        {
            tree.columns.weight.set(first + index as u32, weight);
            tree.columns.interval.cell(first + index as u32).narrow(Interval { low, high });
        }
        // (3 - 2) / 6 and (3 + 0) / 6 and a sixth of a unit.
        let mean = under(tree, ROOT, StepKind::Event);
        assert_eq!((mean.low, mean.high), (one / 6, one / 2 + 1));
        assert!(f64::from(mean.low) < ONE as f64 / 6.0);
        let best = under(tree, ROOT, StepKind::Move);
        assert_eq!((best.low, best.high, best.exact()), (one, one, Some(ONE)));
        assert_eq!(mean.seen_by(Side::First, Side::Second).low, -mean.high);
        assert_eq!(Interval::OPEN.exact(), None);
    }

    #[test]
    fn only_chance_with_a_solver_takes_memory() {
        let plain = Config { solver: None, ..config() };
        let bytes = |config: &Config| Search::new(config.clone(), DiceRace::start()).tree().bytes();
        assert_eq!(bytes(&config()), bytes(&plain) + size_of::<u64>() + size_of::<u32>());
        let bytes = |config| Search::new(config, TicTacToe::start()).tree().bytes();
        assert_eq!(bytes(config()), bytes(plain));
        let report = Search::new(config(), TicTacToe::start()).run(&Limit::iterations(10));
        assert_eq!((report.bounds, report.moves[0].bounds), (None, None));
    }

    /// Where the root lists only some of its moves there may be better ones.
    #[test]
    fn a_restricted_root_is_bounded_from_below() {
        let state = DiceRace::parse_state("9 4 first").expect("a state of the test");
        let only = vec![state.parse_move("throw").expect("a move")];
        let limit = Limit { only, ..Limit::iterations(200_000) };
        let report = Search::new(config(), state).run(&limit);
        let bounds = report.bounds.expect("bounds are kept");
        assert!(bounds.low > -1.0 && bounds.high == 1.0, "{bounds:?}");
    }
}
