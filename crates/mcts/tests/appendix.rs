//! The search against a plain transcription of algorithms 7.1 to 7.5 of *Monte Carlo Chess*: a node
//! for every state, total values for the first side in 0..1. Fed with the same random numbers, both
//! must build the same tree.

use monteverde_chess::{Board, Chess};
use monteverde_game::fixtures::TicTacToe;
use monteverde_game::{Game, Notation, Outcome, Rng, Side};
use monteverde_mcts::{Config, Limit, Search, Uct};

struct TreeNode<G: Game> {
    last_move: Option<G::Move>,
    total_value: f64,
    visits: f64,
    children: Vec<TreeNode<G>>,
}

impl<G: Game> TreeNode<G> {
    fn new(last_move: Option<G::Move>) -> Self {
        TreeNode { last_move, total_value: 0.0, visits: 0.0, children: Vec::new() }
    }

    /// Select, expand, simulate and update in one recursion; the value for the first side.
    fn iterate(&mut self, mut state: G, bound: fn(f64, f64, f64) -> f64, rng: &mut Rng) -> f64 {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let is_root = self.last_move.is_none();
        let value = if state.outcome().is_some() && !is_root {
            simulate(state, rng)
        } else if self.children.len() < moves.len() {
            let mv = moves[self.children.len()];
            self.children.push(TreeNode::new(Some(mv)));
            state.play(mv);
            let value = simulate(state, rng);
            let child = self.children.last_mut().unwrap();
            child.total_value += value;
            child.visits += 1.0;
            value
        } else {
            let mut best = (f64::NEG_INFINITY, 0);
            for (index, child) in self.children.iter().enumerate() {
                let mut rate = child.total_value / child.visits;
                if state.turn() == Side::Second {
                    rate = 1.0 - rate;
                }
                let uct = bound(rate, self.visits, child.visits);
                if uct >= best.0 {
                    best = (uct, index);
                }
            }
            let child = &mut self.children[best.1];
            state.play(child.last_move.unwrap());
            child.iterate(state, bound, rng)
        };
        self.total_value += value;
        self.visits += 1.0;
        value
    }
}

fn simulate<G: Game>(mut state: G, rng: &mut Rng) -> f64 {
    let outcome = match state.outcome() {
        Some(outcome) => outcome,
        None => state.playout(rng).outcome,
    };
    match outcome {
        Outcome::Win(Side::First) => 1.0,
        Outcome::Win(Side::Second) => 0.0,
        Outcome::Draw => 0.5,
    }
}

fn check<G: Game>(state: G, uct: Uct, bound: fn(f64, f64, f64) -> f64, iterations: u64) {
    for seed in 1..=3 {
        let config = Config { uct, seed, memory: 64 << 20, ..Config::default() };
        let mut search = Search::new(config, state.clone());
        let report = search.run(&Limit::iterations(iterations));
        let mut rng = Rng::stream(seed, 0);
        let mut root = TreeNode::<G>::new(None);
        for _ in 0..iterations {
            root.iterate(state.clone(), bound, &mut rng);
        }
        assert_eq!(report.figures.iterations, iterations);
        for child in &root.children {
            let ours = report.moves.iter().find(|entry| Some(entry.mv) == child.last_move).unwrap();
            assert_eq!(f64::from(ours.visits), child.visits, "{uct:?}, seed {seed}");
            let mut mean = 2.0 * child.total_value / child.visits - 1.0;
            if state.turn() == Side::Second {
                mean = -mean;
            }
            assert!((ours.mean - mean).abs() < 1e-12);
        }
    }
}

#[test]
fn ucb1_of_monte_carlo_chess() {
    let bound = |w: f64, n: f64, n_i: f64| w + (2.0 * n.ln() / n_i).sqrt();
    check(TicTacToe::start(), Uct::Ucb1 { c: 1.0 }, bound, 20_000);
    check(Chess::new(Board::start()), Uct::Ucb1 { c: 1.0 }, bound, 3_000);
}

#[test]
fn the_signed_form_of_the_solver_paper() {
    let bound = |w: f64, n: f64, n_i: f64| (2.0 * w - 1.0) + (0.7 * n.ln() / n_i).sqrt();
    check(TicTacToe::start(), Uct::Signed { c: 0.7 }, bound, 20_000);
}

#[test]
fn the_ratio_form_of_the_king_and_rook_study() {
    let bound = |w: f64, n: f64, n_i: f64| w + 1.5 * (n.ln() / n_i).sqrt();
    check(TicTacToe::start(), Uct::Ratio { c: 1.5 }, bound, 20_000);
    let after_a_move = TicTacToe::start();
    let mut moves = Vec::new();
    after_a_move.moves(&mut moves);
    let mut second = after_a_move.clone();
    second.play(moves[4]);
    check(second, Uct::Ratio { c: 1.5 }, bound, 5_000);
}
