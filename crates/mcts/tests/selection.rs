//! The techniques of selection against plain transcriptions of their formulas: a node for every
//! state, values for the first side in -1..1. Fed with the same random numbers, both must build the
//! same tree.

use monteverde_game::fixtures::TicTacToe;
use monteverde_game::{Game, Knowledge, Notation, Outcome, PlayoutKnowledge, Rng, Side, Step};
use monteverde_mcts::{
    Bias, Config, Count, Deviation, Expand, Fpu, Limit, Mode, Rave, Report, Search, Uct, Widen,
};
use std::collections::HashMap;

/// Likes the centre, then the corners, and one square more on every other ply, so that it depends
/// on the state.
#[derive(Clone, Copy)]
struct Likes;

impl Knowledge<TicTacToe> for Likes {
    fn prior(&self, state: &TicTacToe, mv: <TicTacToe as Game>::Move) -> Option<f32> {
        const SQUARES: [f32; 9] = [30.0, -20.0, 30.0, -20.0, 50.0, -20.0, 30.0, -20.0, 30.0];
        let odd = mv.to_bits() == 3 && state.turn() == Side::Second;
        Some(SQUARES[mv.to_bits() as usize] + if odd { 45.0 } else { 0.0 })
    }
}

impl PlayoutKnowledge<TicTacToe> for Likes {}

/// What a bound is made of.
struct Arm {
    /// The mean in -1..1 for the side to move.
    v: f64,
    /// The same of all iterations in which that side played the move here or later.
    rave: Option<f64>,
    /// The visits of the node and of the edge.
    n: f64,
    n_i: f64,
    /// What knowledge says, and what share of all that is.
    h: f64,
    p: f64,
}

/// A formula in the plainest form.
struct Rule {
    bound: fn(&Arm) -> f64,
    /// From the node's mean for the side to move, its visits and the share of the untried move.
    urgency: fn(f64, f64, f64) -> f64,
    /// From the node's visits.
    width: fn(f64) -> usize,
    ordered: bool,
    /// What shares are multiplied by, from the node's visits and the variance of its values.
    factor: fn(f64, f64) -> f64,
}

const PLAIN: Rule = Rule {
    bound: |arm| (arm.v + 1.0) / 2.0 + (2.0 * arm.n.ln() / arm.n_i).sqrt(),
    urgency: |_, _, _| f64::INFINITY,
    width: |_| usize::MAX,
    ordered: false,
    factor: |_, _| 1.0,
};

/// PUCT with a constant of 0.7.
const PUCT: Rule = Rule {
    bound: |arm| arm.v + 0.7 * arm.p * arm.n.max(1.0).sqrt() / (1.0 + arm.n_i),
    urgency: |_, n, p| 0.7 * p * n.max(1.0).sqrt(),
    ordered: true,
    ..PLAIN
};

const TEMPERATURE: f64 = 40.0;

#[derive(Default)]
struct TreeNode {
    step: u32,
    prior: f64,
    share: f64,
    total: f64,
    squares: f64,
    visits: f64,
    children: Vec<TreeNode>,
    /// Totals and counts of moves played here or later, by step.
    later: HashMap<u32, (f64, f64)>,
}

/// The sides and steps of an iteration.
type Played = Vec<(Side, u32)>;

impl TreeNode {
    fn iterate(
        &mut self,
        state: TicTacToe,
        rule: &Rule,
        rng: &mut Rng,
        played: &mut Played,
    ) -> f64 {
        let value = match state.outcome() {
            Some(outcome) => value(outcome),
            None => {
                let before = played.len();
                let value = self.follow(&mut state.clone(), rule, rng, played);
                let mut moves = Vec::new();
                state.moves(&mut moves);
                for mv in moves {
                    if played[before..].contains(&(state.turn(), mv.to_bits())) {
                        let (total, count) = self.later.entry(mv.to_bits()).or_default();
                        *total += value;
                        *count += 1.0;
                    }
                }
                value
            }
        };
        self.total += value;
        self.squares += value * value;
        self.visits += 1.0;
        value
    }

    fn follow(
        &mut self,
        state: &mut TicTacToe,
        rule: &Rule,
        rng: &mut Rng,
        played: &mut Played,
    ) -> f64 {
        let sign = if state.turn() == Side::First { 1.0 } else { -1.0 };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let prior = |mv| f64::from(Likes.prior(state, mv).unwrap());
        if rule.ordered {
            moves.sort_by(|&a, &b| prior(b).total_cmp(&prior(a)));
        }
        let weights: f64 = moves.iter().map(|&mv| (prior(mv) / TEMPERATURE).exp()).sum();
        let share = |mv| (prior(mv) / TEMPERATURE).exp() / weights;
        let (n, mean) = (self.visits.max(1.0), self.total / self.visits.max(1.0));
        let factor = (rule.factor)(self.visits, self.squares / n - mean * mean);
        let width = (rule.width)(self.visits).min(moves.len());
        let mut best = (f64::NEG_INFINITY, 0);
        for (index, child) in self.children.iter().enumerate().take(width) {
            let bound = (rule.bound)(&Arm {
                v: sign * child.total / child.visits,
                rave: self.later.get(&child.step).map(|(total, count)| sign * total / count),
                n: self.visits,
                n_i: child.visits,
                h: child.prior,
                p: factor * child.share,
            });
            if bound >= best.0 {
                best = (bound, index);
            }
        }
        let tried = self.children.len();
        let likely = |mv| factor * share(mv);
        if tried < width && (rule.urgency)(sign * mean, self.visits, likely(moves[tried])) >= best.0
        {
            let mv = moves[tried];
            let (prior, share) = (prior(mv), share(mv));
            let mut child = TreeNode { step: mv.to_bits(), prior, share, ..TreeNode::default() };
            let outcome = play_out(state, mv, rng, played);
            (child.total, child.visits) = (value(outcome), 1.0);
            child.squares = child.total * child.total;
            self.children.push(child);
            return value(outcome);
        }
        let child = &mut self.children[best.1];
        played.push((state.turn(), child.step));
        state.play(<TicTacToe as Game>::Move::from_bits(child.step));
        child.iterate(state.clone(), rule, rng, played)
    }

    /// How many edges have been tried below.
    fn size(&self) -> usize {
        self.children.iter().map(|child| 1 + child.size()).sum()
    }
}

/// Plays a move and then at random to the end.
fn play_out(
    state: &mut TicTacToe,
    mut mv: <TicTacToe as Game>::Move,
    rng: &mut Rng,
    played: &mut Played,
) -> Outcome {
    loop {
        played.push((state.turn(), mv.to_bits()));
        state.play(mv);
        match state.sample(rng) {
            Ok(next) => mv = next,
            Err(outcome) => return outcome,
        }
    }
}

fn value(outcome: Outcome) -> f64 {
    f64::from(outcome.value_for(Side::First))
}

const ITERATIONS: u64 = 5_000;

/// The search, compared with its transcription; its report, and how many edges the transcription
/// tried.
fn check(config: Config, rule: &Rule) -> (Report<TicTacToe>, usize) {
    let mut last = None;
    for (seed, text) in [(1, "... ... ..."), (2, "x.. .o. ..x"), (3, "... .x. ...")] {
        let state = TicTacToe::parse_state(text).unwrap();
        let config = Config { seed, memory: 16 << 20, ..config.clone() };
        let mut search = Search::with_knowledge(config, state.clone(), Likes);
        let report = search.run(&Limit::iterations(ITERATIONS));
        let mut rng = Rng::stream(seed, 0);
        let mut root = TreeNode::default();
        for _ in 0..ITERATIONS {
            root.iterate(state.clone(), rule, &mut rng, &mut Vec::new());
        }
        let sign = if state.turn() == Side::First { 1.0 } else { -1.0 };
        for entry in &report.moves {
            let child = root.children.iter().find(|child| child.step == entry.mv.to_bits());
            let visits = child.map_or(0.0, |child| child.visits);
            assert_eq!(f64::from(entry.visits), visits, "{:?} from {text}", entry.mv);
            if let Some(child) = child {
                assert!((entry.mean - sign * child.total / child.visits).abs() < 1e-12);
            }
        }
        last = last.or(Some((report, root.size())));
    }
    last.unwrap()
}

fn plain() -> Config {
    Config::default()
}

fn visits(report: &Report<TicTacToe>) -> Vec<(u32, u32)> {
    let mut visits: Vec<_> = report.moves.iter().map(|m| (m.mv.to_bits(), m.visits)).collect();
    visits.sort();
    visits
}

#[test]
fn bias_follows_each_formula_and_changes_the_visits() {
    let (without, _) = check(plain(), &PLAIN);
    type Bound = fn(&Arm) -> f64;
    let formulas: [(Count, Bound); 4] = [
        (Count::Visits, |arm| (PLAIN.bound)(arm) + 0.001 * arm.h / arm.n_i),
        (Count::RootVisits, |arm| (PLAIN.bound)(arm) + 0.001 * arm.h / arm.n_i.sqrt()),
        (Count::RootLossesPlusOne, |arm| {
            let losses = arm.n_i * (1.0 - arm.v) / 2.0;
            (PLAIN.bound)(arm) + 0.001 * arm.h / (losses + 1.0).sqrt()
        }),
        (Count::LogLosses, |arm| {
            let losses = (arm.n_i * (1.0 - arm.v) / 2.0).max(0.5);
            (PLAIN.bound)(arm) + 0.001 * arm.h / (losses + 1.0).ln()
        }),
    ];
    for (count, bound) in formulas {
        let bias = Some(Bias { weight: 0.001, count });
        let (with, _) = check(Config { bias, ..plain() }, &Rule { bound, ..PLAIN });
        assert_ne!(visits(&with), visits(&without), "{count:?}");
    }
}

#[test]
fn first_play_urgency_leaves_moves_untried_while_others_are_good() {
    let (without, size) = check(plain(), &PLAIN);
    let rule = Rule { urgency: |_, _, _| 1.1, ..PLAIN };
    let (with, smaller) = check(Config { fpu: Some(Fpu::Fixed(1.1)), ..plain() }, &rule);
    assert_ne!(visits(&with), visits(&without));
    assert!(smaller < size, "{smaller} edges tried, {size} without");
    // An urgency that nothing can exceed is none.
    let rule = Rule { urgency: |_, _, _| 1e9, ..PLAIN };
    let (never, _) = check(Config { fpu: Some(Fpu::Fixed(1e9)), ..plain() }, &rule);
    assert_eq!(visits(&never), visits(&without));
    let rule = Rule { urgency: |v, _, _| (v + 1.0) / 2.0 + 0.4, ..PLAIN };
    check(Config { fpu: Some(Fpu::Reduced(-0.4)), ..plain() }, &rule);
}

#[test]
fn unpruning_and_widening_follow_the_promising_moves_first() {
    let unprune = Widen { mode: Mode::Unprune, first: 2, scale: 20.0, base: 1.6 };
    let width = |n: f64| 2 + (0..60).filter(|&k| 20.0 * 1.6f64.powi(k) <= n).count();
    let rule = Rule { width, ordered: true, ..PLAIN };
    let (with, _) = check(Config { widen: Some(unprune), ..plain() }, &rule);
    // The centre was there from the start, the middle of an edge came late.
    let visits_of = |square: u32| visits(&with)[square as usize].1;
    assert!(visits_of(4) > visits_of(1), "{:?}", visits(&with));
    // So few visits never unprune a third move.
    let widen = Some(Widen { scale: 1e6, ..unprune });
    let rule = Rule { width: |_| 2, ..rule };
    let (narrow, _) = check(Config { widen, ..plain() }, &rule);
    let followed = narrow.moves.iter().filter(|entry| entry.visits > 0).count();
    assert_eq!(followed, 2);
    // Widening has tried all of them by the time it leaves some out.
    let widen = Widen { mode: Mode::Widen { after: 50 }, ..unprune };
    let width = |n: f64| match n {
        ..50.0 => usize::MAX,
        _ => 2 + (0..60).filter(|&k| 20.0 * 1.6f64.powi(k) <= n).count(),
    };
    let rule = Rule { width, ..rule };
    let (wide, _) = check(Config { widen: Some(widen), ..plain() }, &rule);
    assert_ne!(visits(&wide), visits(&with));
}

#[test]
fn puct_explores_by_the_shares_of_the_moves() {
    let uct = Uct::Puct { c: 0.7, temperature: TEMPERATURE };
    let (with, _) = check(Config { uct, ..plain() }, &PUCT);
    let visits = visits(&with);
    assert!(visits[4].1 > visits[1].1, "{visits:?}");
    let fpu = Some(Fpu::Reduced(0.2));
    let rule = Rule { urgency: |v, n, p| v - 0.2 + 0.7 * p * n.max(1.0).sqrt(), ..PUCT };
    check(Config { uct, fpu, ..plain() }, &rule);
}

#[test]
fn moves_that_are_listed_at_once_change_the_size_of_the_tree_alone() {
    for (uct, rule) in
        [(Uct::Puct { c: 0.7, temperature: TEMPERATURE }, &PUCT), (plain().uct, &PLAIN)]
    {
        let (later, _) = check(Config { uct, ..plain() }, rule);
        let (at_once, _) = check(Config { uct, expand: Expand::FirstVisit, ..plain() }, rule);
        assert_eq!(visits(&at_once), visits(&later));
        assert!(at_once.tree_bytes > later.tree_bytes, "{uct:?}");
    }
}

#[test]
fn with_a_base_puct_explores_the_more_the_more_visits_a_node_has() {
    let uct = Uct::Puct { c: 0.7, temperature: TEMPERATURE };
    let (without, _) = check(Config { uct, ..plain() }, &PUCT);
    fn grown(n: f64) -> f64 {
        0.7 * n.max(1.0).sqrt() * (1.0 + (1.0 + n.max(1.0) / 40.0).ln())
    }
    let rule = Rule {
        bound: |arm| arm.v + grown(arm.n) * arm.p / (1.0 + arm.n_i),
        urgency: |_, n, p| grown(n) * p,
        ordered: true,
        ..PLAIN
    };
    let (with, _) = check(Config { uct, c_base: Some(40.0), ..plain() }, &rule);
    assert_ne!(visits(&with), visits(&without));
}

#[test]
fn puct_explores_the_more_the_more_the_rewards_of_a_node_differ() {
    let uct = Uct::Puct { c: 0.7, temperature: TEMPERATURE };
    let (without, _) = check(Config { uct, ..plain() }, &PUCT);
    let factor = |n: f64, variance: f64| {
        let deviation = ((2.0 * 0.5 * 0.5 + n * variance.max(0.0)) / (2.0 + n)).sqrt();
        1.0 - 0.6 + 0.6 * deviation / 0.5
    };
    let c_deviation = Some(Deviation { weight: 0.6, usual: 0.5 });
    let (with, _) = check(Config { uct, c_deviation, ..plain() }, &Rule { factor, ..PUCT });
    assert_ne!(visits(&with), visits(&without));
    // Without shares there is nothing that it could change.
    let (ucb1, _) = check(Config { c_deviation, ..plain() }, &PLAIN);
    assert_eq!(visits(&ucb1), visits(&check(plain(), &PLAIN).0));
}

/// Shares matter most where means do not differ yet: with hot shares at the root, and a constant
/// that drowns everything else, all its moves are visited about equally often, and those below are
/// not.
#[test]
fn the_root_has_shares_of_its_own_temperature_also_when_it_was_below_another() {
    let uct = Uct::Puct { c: 1e4, temperature: TEMPERATURE / 10.0 };
    let spread = |report: &Report<TicTacToe>| {
        let visits = visits(report);
        let most = visits.iter().map(|it| it.1).max().unwrap();
        let least = visits.iter().map(|it| it.1).min().unwrap();
        f64::from(most) / f64::from(least.max(1))
    };
    let run = |root_temperature| {
        let config = Config { uct, root_temperature, ..plain() };
        let mut search = Search::with_knowledge(config, TicTacToe::start(), Likes);
        let first = search.run(&Limit::iterations(2_000));
        search.play(first.best.unwrap());
        // The visits that were kept were spread by the old shares.
        let second = search.run(&Limit::iterations(200_000));
        [spread(&first), spread(&second)]
    };
    let cold = run(None);
    let hot = run(Some(TEMPERATURE * 100.0));
    assert!(cold.iter().all(|&spread| spread > 3.0), "{cold:?}");
    assert!(hot.iter().all(|&spread| spread < 1.2), "{hot:?}");
}

#[test]
fn rave_learns_from_the_moves_played_later() {
    let (without, _) = check(plain(), &PLAIN);
    let bound = |arm: &Arm| {
        let beta = (200.0 / (3.0 * arm.n_i + 200.0)).sqrt();
        let v = arm.rave.map_or(arm.v, |rave| beta * rave + (1.0 - beta) * arm.v);
        (v + 1.0) / 2.0 + (2.0 * arm.n.ln() / arm.n_i).sqrt()
    };
    let rave = Some(Rave { k: 200.0 });
    let (with, _) = check(Config { rave, ..plain() }, &Rule { bound, ..PLAIN });
    assert_ne!(visits(&with), visits(&without));
    // A vanishing k leaves plain UCT.
    let none = Config { rave: Some(Rave { k: f64::MIN_POSITIVE }), ..plain() };
    assert_eq!(visits(&check(none, &PLAIN).0), visits(&without));
}

#[test]
fn the_techniques_work_together_on_several_threads_and_where_moves_are_restricted() {
    let config = Config {
        uct: Uct::Puct { c: 1.0, temperature: TEMPERATURE },
        bias: Some(Bias { weight: 0.01, count: Count::Losses }),
        fpu: Some(Fpu::Reduced(0.1)),
        widen: Some(Widen { mode: Mode::Unprune, first: 1, scale: 10.0, base: 1.3 }),
        rave: Some(Rave { k: 100.0 }),
        threads: 3,
        memory: 1 << 20,
        ..plain()
    };
    let mut moves = Vec::new();
    TicTacToe::start().moves(&mut moves);
    let mut search = Search::with_knowledge(config, TicTacToe::start(), Likes);
    let limit = Limit { only: vec![moves[1], moves[4]], ..Limit::iterations(2_000) };
    let report = search.run(&limit);
    assert_eq!((report.moves.len(), report.best), (2, Some(moves[4])));
    let report = search.run(&Limit::iterations(20_000));
    assert_eq!(report.moves.len(), 9);
    search.play(report.best.unwrap());
    assert!(search.run(&Limit::iterations(2_000)).best.is_some());
}
