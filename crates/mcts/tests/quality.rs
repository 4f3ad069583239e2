//! Quality-based rewards against a plain transcription of the study of Chinese dark chess, section
//! 3.3, with the online mean and deviation of Welford. Fed with the same random numbers, both must
//! build the same tree.

use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_game::{Game, Knowledge, Notation, Outcome, PlayoutKnowledge, Rng, Side, Step};
use monteverde_mcts::reward::ONE;
use monteverde_mcts::{Config, Graph, Influence, Limit, Quality, Report, Search, Solver, Uct};

/// Finds a win with many empty squares convincing, on the right for the second side.
#[derive(Clone, Copy)]
struct Empty;

impl Knowledge<TicTacToe> for Empty {
    fn quality(&self, state: &TicTacToe, winner: Side) -> Option<f32> {
        let text = state.state_text();
        let weight = |(index, square): (usize, char)| match square {
            '.' if winner == Side::First => 1.0,
            '.' => (index % 4) as f32,
            _ => 0.0,
        };
        Some(text.chars().enumerate().map(weight).sum::<f32>() / 32.0)
    }
}

impl PlayoutKnowledge<TicTacToe> for Empty {}

/// Welford's online mean and sample deviation.
#[derive(Default, Clone, Copy)]
struct Welford {
    n: f64,
    mean: f64,
    m2: f64,
}

impl Welford {
    fn add(&mut self, x: f64) {
        self.n += 1.0;
        let delta = x - self.mean;
        self.mean += delta / self.n;
        self.m2 += delta * (x - self.mean);
    }
    fn deviation(self) -> f64 {
        (self.m2 / (self.n - 1.0)).sqrt()
    }
}

/// Values are for the first side.
#[derive(Default)]
struct TreeNode {
    n: f64,
    total: f64,
    children: Vec<TreeNode>,
}

struct Naive {
    quality: Quality,
    lengths: [Welford; 2],
    qualities: [Welford; 2],
    rng: Rng,
}

impl Naive {
    fn iterate(&mut self, node: &mut TreeNode, state: &TicTacToe, depth: u32) -> f64 {
        let value = match state.outcome() {
            Some(outcome) => self.value(outcome, depth, state),
            None => {
                let sign = if state.turn() == Side::First { 1.0 } else { -1.0 };
                let mut moves = Vec::new();
                state.moves(&mut moves);
                let tried = node.children.len();
                let mut next = state.clone();
                if tried < moves.len() {
                    next.play(moves[tried]);
                    let mut end = next.clone();
                    let playout = end.playout(&mut self.rng);
                    let value = self.value(playout.outcome, depth + 1 + playout.plies, &end);
                    node.children.push(TreeNode { n: 1.0, total: value, children: Vec::new() });
                    value
                } else {
                    let bound = |child: &TreeNode| {
                        sign * child.total / child.n + (node.n.ln() / child.n).sqrt()
                    };
                    let bounds: Vec<f64> = node.children.iter().map(bound).collect();
                    let best = bounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    let index = bounds.iter().rposition(|&bound| bound == best).unwrap();
                    next.play(moves[index]);
                    self.iterate(&mut node.children[index], &next, depth + 1)
                }
            }
        };
        node.n += 1.0;
        node.total += value;
        value
    }

    fn value(&mut self, outcome: Outcome, length: u32, end: &TicTacToe) -> f64 {
        let Outcome::Win(winner) = outcome else { return 0.0 };
        let b = |lambda: f64, k: f64| -1.0 + 2.0 / (1.0 + (-k * lambda).exp());
        let mut r = 1.0;
        if let Some(Influence { a, k }) = self.quality.length {
            let usual = &mut self.lengths[winner as usize];
            let l = f64::from(length);
            if usual.n >= 2.0 && usual.deviation() > 1e-9 {
                r += a * b((usual.mean - l) / usual.deviation(), k);
            }
            usual.add(l);
        }
        if let Some(Influence { a, k }) = self.quality.terminal {
            let usual = &mut self.qualities[winner as usize];
            let t = f64::from(Empty.quality(end, winner).unwrap());
            if usual.n >= 2.0 && usual.deviation() > 1e-9 {
                r += a * b((t - usual.mean) / usual.deviation(), k);
            }
            usual.add(t);
        }
        // Rewards are whole numbers of this unit, so that equal ones are equal.
        let r = (r * ONE as f64).trunc() / ONE as f64;
        if winner == Side::First { r } else { -r }
    }
}

const NOTHING: Quality = Quality { length: None, terminal: None };
const SL: Quality = Quality { length: Some(Quality::LENGTH), terminal: None };
const TSQ: Quality = Quality { length: None, terminal: Some(Quality::TERMINAL) };
const BOTH: Quality = Quality { length: SL.length, terminal: TSQ.terminal };

fn search(quality: Quality, state: &TicTacToe, iterations: u64) -> Report<TicTacToe> {
    let uct = Uct::Signed { c: 1.0 };
    let config = Config { quality, uct, memory: 16 << 20, seed: 3, ..Config::default() };
    Search::with_knowledge(config, state.clone(), Empty).run(&Limit::iterations(iterations))
}

#[test]
fn the_search_is_the_printed_one() {
    const ITERATIONS: u64 = 2_000;
    for quality in [NOTHING, SL, TSQ, BOTH] {
        for text in ["... ... ...", "x.. .o. ...", "xo. ... ..x"] {
            let state = TicTacToe::parse_state(text).expect("a state of the test");
            let report = search(quality, &state, ITERATIONS);
            let rng = Rng::stream(3, 0);
            let (lengths, qualities) = Default::default();
            let mut naive = Naive { quality, lengths, qualities, rng };
            let mut root = TreeNode::default();
            (0..ITERATIONS).for_each(|_| {
                naive.iterate(&mut root, &state, 0);
            });
            let sign = if state.turn() == Side::First { 1.0 } else { -1.0 };
            let mut moves = Vec::new();
            state.moves(&mut moves);
            for (mv, child) in moves.iter().zip(&root.children) {
                let ours = report.moves.iter().find(|entry| entry.mv == *mv).expect("the move");
                assert_eq!(f64::from(ours.visits), child.n, "{text}, {quality:?}");
                let mean = (sign * child.total / child.n).clamp(-1.0, 1.0);
                assert!((ours.mean - mean).abs() < 1e-6, "{text}, {quality:?}");
            }
        }
    }
}

fn visits<G: Game>(report: &Report<G>) -> Vec<(u32, u32)> {
    report.moves.iter().map(|entry| (entry.mv.to_bits(), entry.visits)).collect()
}

#[test]
fn no_influence_is_the_search_without() {
    let none = Some(Influence { a: 0.0, k: 7.0 });
    let state = TicTacToe::start();
    let without = visits(&search(NOTHING, &state, 3_000));
    assert_eq!(visits(&search(Quality { length: none, terminal: none }, &state, 3_000)), without);
    for quality in [SL, TSQ, BOTH] {
        assert_ne!(visits(&search(quality, &state, 3_000)), without, "{quality:?}");
    }
}

#[test]
fn qualities_change_the_choice() {
    let mut rng = Rng::new(1);
    let (mut by_length, mut by_quality) = (0, 0);
    for _ in 0..40 {
        let mut state = TicTacToe::start();
        for _ in 0..2 {
            let mv = state.sample(&mut rng).expect("the game goes on");
            state.play(mv);
        }
        let best = |quality| search(quality, &state, 60).best;
        by_length += u32::from(best(SL) != best(NOTHING));
        by_quality += u32::from(best(TSQ) != best(NOTHING));
    }
    assert!(by_length > 2 && by_quality > 2, "{by_length} and {by_quality} of 40");
}

/// A win at once is the shortest: its rewards go beyond 1, and what is reported does not.
#[test]
fn reported_means_stay_in_their_range() {
    for text in ["xx. oo. ...", "xx. .o. .o."] {
        let state = TicTacToe::parse_state(text).expect("a state of the test");
        let report = search(BOTH, &state, 5_000);
        let best = report.best_move().expect("a move");
        assert_eq!((state.move_text(best.mv).as_str(), best.mean), ("c3", 1.0));
        assert!(report.moves.iter().all(|entry| (-1.0..=1.0).contains(&entry.mean)));
        assert!(report.mean <= 1.0);
    }
}

#[test]
fn every_combination_finds_the_win() {
    let state = TicTacToe::parse_state("xx. oo. ...").expect("a state of the test");
    for (threads, graph, solver) in [
        (3, None, None),
        (1, Some(Graph), None),
        (3, Some(Graph), None),
        (1, None, Some(Solver::FULL)),
        (3, None, Some(Solver::FULL)),
    ] {
        let config =
            Config { quality: BOTH, threads, graph, solver, memory: 1 << 20, ..Config::default() };
        let report =
            Search::with_knowledge(config, state.clone(), Empty).run(&Limit::iterations(2_000));
        assert_eq!(report.best.map(|mv| state.move_text(mv)).as_deref(), Some("c3"));
    }
}

/// What is usual is forgotten between searches, and events are no plies.
#[test]
fn one_thread_and_a_seed_give_one_tree() {
    let run = || {
        let config = Config { quality: SL, memory: 1 << 20, ..Config::default() };
        let mut search = Search::new(config, DiceRace::start());
        let first = visits(&search.run(&Limit::iterations(1_000)));
        (first, visits(&search.run(&Limit::iterations(1_000))))
    };
    assert_eq!(run(), run());
}
