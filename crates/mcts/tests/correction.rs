//! Correction of values against a naive transcription, and what it must not change.

use monteverde_game::fixtures::TicTacToe;
use monteverde_game::{Game, Knowledge, Notation, PlayoutKnowledge, Side, Step};
use monteverde_mcts::playout::{Playouts, Truncate};
use monteverde_mcts::reward::{ONE, of_outcome};
use monteverde_mcts::{Config, Limit, Report, Search};
use std::collections::HashMap;

/// Likes marks by their squares, and takes states with as many marks for alike.
#[derive(Clone, Copy)]
struct Likes {
    sees_likeness: bool,
}

const WORTH: [f32; 9] = [0.11, -0.07, 0.09, 0.02, 0.23, -0.05, 0.13, -0.03, 0.08];

impl Knowledge<TicTacToe> for Likes {
    fn expectation(&self, state: &TicTacToe) -> Option<f32> {
        let text = state.state_text();
        let marks = text.chars().filter(|mark| "xo.".contains(*mark));
        let sign = |mark| if mark == 'x' { 1.0 } else { -1.0 };
        let worth = |(mark, worth): (char, f32)| if mark == '.' { 0.0 } else { sign(mark) * worth };
        let sum: f32 = marks.zip(WORTH).map(worth).sum();
        Some(if state.turn() == Side::First { sum } else { -sum })
    }

    fn likeness(&self, state: &TicTacToe) -> Option<u64> {
        let marks = state.state_text().chars().filter(|mark| "xo".contains(*mark)).count();
        self.sees_likeness.then_some(marks as u64)
    }
}

impl PlayoutKnowledge<TicTacToe> for Likes {}

const WEIGHT: f64 = 0.7;
/// Errors are kept in this unit.
const UNIT: i64 = 1 << 16;

/// Sums of errors and weights, by likeness.
type Buckets = HashMap<u64, (i64, i64)>;

/// A node of the transcription; rewards are for the first side.
#[derive(Default)]
struct TreeNode {
    step: u32,
    total: i64,
    visits: u32,
    first: Option<First>,
    children: Vec<TreeNode>,
}

struct First {
    likeness: u64,
    expected: i64,
    reward: i64,
}

impl TreeNode {
    fn iterate(&mut self, mut state: TicTacToe, buckets: &mut Buckets) -> i64 {
        let reward = match state.outcome() {
            Some(outcome) => of_outcome(outcome),
            None => self.follow(&mut state, buckets),
        };
        self.add(reward, buckets);
        reward
    }

    fn follow(&mut self, state: &mut TicTacToe, buckets: &mut Buckets) -> i64 {
        let sign = if state.turn() == Side::First { 1.0 } else { -1.0 };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        if let Some(&mv) = moves.get(self.children.len()) {
            let mut child = TreeNode { step: mv.to_bits(), ..TreeNode::default() };
            state.play(mv);
            let reward = child.look(state, buckets);
            self.children.push(child);
            return reward;
        }
        let n = f64::from(self.visits);
        let bound = |child: &TreeNode| {
            let n_i = f64::from(child.visits);
            let mean = sign * child.total as f64 / (ONE as f64 * n_i);
            (mean + 1.0) / 2.0 + (2.0 * n.ln() / n_i).sqrt()
        };
        let best = self.children.iter().map(bound).fold(f64::NEG_INFINITY, f64::max);
        let index = self.children.iter().rposition(|child| bound(child) == best).unwrap();
        state.play(<TicTacToe as Game>::Move::from_bits(self.children[index].step));
        self.children[index].iterate(state.clone(), buckets)
    }

    /// The first visit.
    fn look(&mut self, state: &TicTacToe, buckets: &mut Buckets) -> i64 {
        let knowledge = Likes { sees_likeness: true };
        let reward = match state.outcome() {
            Some(outcome) => of_outcome(outcome),
            None => {
                let value = f64::from(knowledge.expectation(state).unwrap());
                let sign = if state.turn() == Side::First { 1 } else { -1 };
                let expected = sign * (value * ONE as f64) as i64;
                let likeness = knowledge.likeness(state).unwrap();
                let (errors, weights) = buckets.get(&likeness).copied().unwrap_or_default();
                let correction = WEIGHT * (errors as f64 / (16.0 + weights as f64));
                let reward = (expected + correction as i64 * UNIT).clamp(-ONE, ONE);
                self.first = Some(First { likeness, expected, reward });
                reward
            }
        };
        self.add(reward, buckets);
        reward
    }

    fn add(&mut self, reward: i64, buckets: &mut Buckets) {
        self.total += reward;
        self.visits += 1;
        let (Some(first), 2..) = (&self.first, self.visits) else { return };
        if f64::from(self.visits).log2().fract() == 0.0 {
            let below = (self.total - first.reward) / i64::from(self.visits - 1);
            let error = (below - first.expected).div_euclid(UNIT);
            let weight = f64::from(self.visits).powf(0.75) as i64;
            let bucket = buckets.entry(first.likeness).or_default();
            bucket.0 += weight * error;
            bucket.1 += weight;
        }
    }
}

fn config(correction: Option<f64>) -> Config {
    let playout = Playouts { truncate: Some(Truncate { plies: 0 }), ..Playouts::default() };
    Config { playout, correction, memory: 16 << 20, ..Config::default() }
}

const ITERATIONS: u64 = 4_000;

fn report(config: Config, text: &str, sees_likeness: bool) -> Report<TicTacToe> {
    let state = TicTacToe::parse_state(text).expect("a state of the test");
    let mut search = Search::with_knowledge(config, state, Likes { sees_likeness });
    search.run(&Limit::iterations(ITERATIONS))
}

/// Moves, visits and means.
fn found(report: &Report<TicTacToe>) -> Vec<(u32, u32, f64)> {
    let mut found: Vec<_> =
        report.moves.iter().map(|it| (it.mv.to_bits(), it.visits, it.mean)).collect();
    found.sort_by_key(|it| it.0);
    found
}

const STATES: [&str; 3] = ["... ... ...", "x.. .o. ...", "... .x. ..."];

#[test]
fn corrected_values_are_those_of_a_transcription() {
    for text in STATES {
        let report = report(config(Some(WEIGHT)), text, true);
        let state = TicTacToe::parse_state(text).expect("a state of the test");
        let (mut root, mut buckets) = (TreeNode::default(), Buckets::new());
        for _ in 0..ITERATIONS {
            root.iterate(state.clone(), &mut buckets);
        }
        let sign = if state.turn() == Side::First { 1.0 } else { -1.0 };
        let mean = |it: &TreeNode| sign * it.total as f64 / (ONE as f64 * f64::from(it.visits));
        let mut expected: Vec<_> =
            root.children.iter().map(|it| (it.step, it.visits, mean(it))).collect();
        expected.sort_by_key(|it| it.0);
        assert_eq!(found(&report), expected, "from {text}");
        assert!(buckets.values().any(|bucket| bucket.0 != 0));
    }
}

#[test]
fn correction_changes_the_search_only_where_states_look_alike() {
    for text in STATES {
        let without = found(&report(config(None), text, true));
        assert_ne!(found(&report(config(Some(WEIGHT)), text, true)), without);
        assert_eq!(found(&report(config(Some(0.0)), text, true)), without);
        assert_eq!(found(&report(config(Some(WEIGHT)), text, false)), without);
        // Where playouts go to the end of the game nothing is expected of a state.
        let playout = Playouts::default();
        let played = |correction| Config { playout, ..config(correction) };
        assert_eq!(
            found(&report(played(Some(WEIGHT)), text, true)),
            found(&report(played(None), text, true))
        );
    }
}

/// A search that begins anew knows nothing of the errors that it has seen.
#[test]
fn a_restart_forgets_the_errors() {
    let state = TicTacToe::start();
    let knowledge = Likes { sees_likeness: true };
    let mut search = Search::with_knowledge(config(Some(WEIGHT)), state.clone(), knowledge);
    let first = found(&search.run(&Limit::iterations(ITERATIONS)));
    search.restart(state);
    assert_eq!(found(&search.run(&Limit::iterations(ITERATIONS))), first);
}
