//! Implicit minimax backups against a plain transcription of the study of Chinese dark chess,
//! sections 2.1, 2.3 and 3.2. Fed with the same random numbers, both must build the same tree.

use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_game::{Game, Knowledge, Notation, PlayoutKnowledge, Rng, Side, Step};
use monteverde_mcts::{Config, Imb, Limit, Report, Search, Uct};

/// Expects so much for each square that a side is ahead.
#[derive(Clone, Copy)]
struct Lead(f32);

impl Knowledge<DiceRace> for Lead {
    fn expectation(&self, state: &DiceRace) -> Option<f32> {
        let text = state.state_text();
        let squares: Vec<f32> =
            text.split(' ').take(2).map(|word| word.parse().expect("a square")).collect();
        let lead = (squares[0] - squares[1]) * self.0;
        Some(if state.turn() == Side::First { lead } else { -lead })
    }
}

impl PlayoutKnowledge<DiceRace> for Lead {}

/// Values are for the first side.
#[derive(Default)]
struct TreeNode {
    n: f64,
    total: f64,
    m: f64,
    /// One for each step of the state; `None` where it has not been tried.
    children: Vec<Option<TreeNode>>,
}

struct Naive {
    alpha: fn(f64) -> f64,
    knowledge: Lead,
    rng: Rng,
}

const C: f64 = 0.5;

fn sign(side: Side) -> f64 {
    if side == Side::First { 1.0 } else { -1.0 }
}

impl Naive {
    fn iterate(&mut self, node: &mut TreeNode, state: &DiceRace) -> f64 {
        let value = match state.outcome() {
            Some(outcome) => f64::from(outcome.value_for(Side::First)),
            None => self.follow(node, state),
        };
        node.total += value;
        node.n += 1.0;
        value
    }

    fn follow(&mut self, node: &mut TreeNode, state: &DiceRace) -> f64 {
        let (mut moves, mut events) = (Vec::new(), Vec::new());
        state.moves(&mut moves);
        state.events(&mut events);
        node.children.resize_with(moves.len() + events.len(), || None);
        let mut next = state.clone();
        let index = if state.is_pending() {
            let mut rest = self.rng.below(state.event_weight());
            let below = |&(_, weight): &(_, u32)| {
                let found = rest < weight;
                rest = rest.wrapping_sub(weight);
                found
            };
            let index = events.iter().position(below).expect("an event");
            next.settle(events[index].0);
            index
        } else {
            let index = self.select(node, state.turn());
            next.play(moves[index]);
            index
        };
        let value = match &mut node.children[index] {
            Some(child) => self.iterate(child, &next),
            none => {
                let (m, value) = self.leaf(&next);
                *none = Some(TreeNode { n: 1.0, total: value, m, children: Vec::new() });
                value
            }
        };
        let tried = node.children.iter().flatten();
        node.m = if state.is_pending() {
            let visits: f64 = tried.clone().map(|child| child.n).sum();
            let mean = tried.map(|child| child.n * child.m).sum::<f64>() / visits;
            f64::from(mean as f32)
        } else {
            let best = tried.map(|child| sign(state.turn()) * child.m);
            sign(state.turn()) * best.fold(f64::NEG_INFINITY, f64::max)
        };
        value
    }

    /// The first untried move, else the last of those with the highest bound.
    fn select(&self, node: &TreeNode, side: Side) -> usize {
        let alpha = (self.alpha)(node.n);
        let mut best = (f64::NEG_INFINITY, 0);
        for (index, child) in node.children.iter().enumerate() {
            let Some(child) = child else { return index };
            let (q, m) = (sign(side) * child.total / child.n, sign(side) * child.m);
            let bound = (1.0 - alpha) * q + alpha * m + (C * node.n.ln() / child.n).sqrt();
            if bound >= best.0 {
                best = (bound, index);
            }
        }
        best.1
    }

    /// The minimax score of a new leaf and the value of its playout.
    fn leaf(&mut self, state: &DiceRace) -> (f64, f64) {
        if let Some(outcome) = state.outcome() {
            let value = f64::from(outcome.value_for(Side::First));
            return (value, value);
        }
        let m = f64::from(self.knowledge.expectation(state).expect("an expectation"));
        let outcome = state.clone().playout(&mut self.rng).outcome;
        (m * sign(state.turn()), f64::from(outcome.value_for(Side::First)))
    }
}

fn search(imb: Option<Imb>, state: &DiceRace, lead: f32, iterations: u64) -> Report<DiceRace> {
    let config =
        Config { imb, uct: Uct::Signed { c: C }, memory: 16 << 20, seed: 5, ..Config::default() };
    Search::with_knowledge(config, state.clone(), Lead(lead)).run(&Limit::iterations(iterations))
}

#[test]
fn the_search_is_the_printed_one() {
    let dynamic: fn(f64) -> f64 = |n| 0.75 * (20.0 / (20.0 + 8.0 * n)).sqrt() + 0.25;
    let alphas: [fn(f64) -> f64; 3] = [|_| 0.3, |_| 1.0, dynamic];
    for (imb, alpha) in [Imb::Fixed(0.3), Imb::Fixed(1.0), Imb::DYNAMIC].into_iter().zip(alphas) {
        for (text, lead) in [("0 0 first", 0.1), ("3 5 second", 0.1), ("4 2 first", -0.07)] {
            let state = DiceRace::parse_state(text).expect("a state of the test");
            let report = search(Some(imb), &state, lead, 4_000);
            let mut naive = Naive { alpha, knowledge: Lead(lead), rng: Rng::stream(5, 0) };
            let mut root = TreeNode::default();
            (0..4_000).for_each(|_| {
                naive.iterate(&mut root, &state);
            });
            let (mut moves, sign) = (Vec::new(), sign(state.turn()));
            state.moves(&mut moves);
            for (mv, child) in moves.iter().zip(&root.children) {
                let child = child.as_ref().expect("a move that was tried");
                let ours = report.moves.iter().find(|entry| entry.mv == *mv).expect("the move");
                assert_eq!(f64::from(ours.visits), child.n, "{text}, {imb:?}");
                assert!((ours.mean - sign * child.total / child.n).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn an_alpha_of_zero_is_the_search_without() {
    for uct in [
        Uct::Ucb1 { c: 1.0 },
        Uct::Signed { c: 0.7 },
        Uct::Ratio { c: 0.4 },
        Uct::Puct { c: 1.5, temperature: 1.0 },
    ] {
        let run = |imb| {
            let config = Config { uct, imb, memory: 8 << 20, ..Config::default() };
            let mut search = Search::with_knowledge(config, DiceRace::start(), Lead(0.1));
            let report = search.run(&Limit::iterations(5_000));
            let entry = |entry: &monteverde_mcts::RootMove<DiceRace>| {
                (entry.mv.to_bits(), entry.visits, entry.mean.to_bits())
            };
            (report.moves.iter().map(entry).collect::<Vec<_>>(), report.nodes, report.figures.depth)
        };
        assert_eq!(run(Some(Imb::Fixed(0.0))), run(None), "{uct:?}");
        assert_ne!(run(Some(Imb::Fixed(0.5))), run(None), "{uct:?}");
    }
}

#[test]
fn scores_change_the_choice() {
    let mut changed = 0;
    for squares in 0..49 {
        let text = format!("{} {} first", squares / 7, squares % 7);
        let state = DiceRace::parse_state(&text).expect("a state of the test");
        let best = |imb, lead| search(imb, &state, lead, 200).best.expect("a move").to_bits();
        changed += u32::from(best(Some(Imb::Fixed(0.9)), -0.1) != best(None, -0.1));
    }
    assert!(changed > 3, "who believes that squares are bad chooses otherwise, {changed} times");
}

#[test]
fn without_knowledge_only_the_end_of_the_game_counts() {
    let state = TicTacToe::parse_state("xo. .x. ..o").expect("a state of the test");
    let config = Config { imb: Some(Imb::Fixed(0.5)), memory: 1 << 20, ..Config::default() };
    let report = Search::new(config, state.clone()).run(&Limit::iterations(3_000));
    let best = report.best_move().expect("a move");
    assert!(best.mean > 0.9, "First has two ways to win: {}", best.mean);
}
