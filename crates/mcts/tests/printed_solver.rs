//! The search of *Monte-Carlo Tree Search Solver* (2008), run beside a naive transcription of its
//! Figure 3 with the selection of section 3.1 and 4.2: the same random numbers must give the same
//! tree.

use monteverde_game::fixtures::TicTacToe;
use monteverde_game::{
    Game, Knowledge, NoOracle, Notation, Outcome, PlayoutKnowledge, Proof, Rng, Step,
};
use monteverde_mcts::playout::{Playouter, Playouts, Strategy};
use monteverde_mcts::{
    Bias, Choose, Config, Count, Limit, Search, Solver, Threshold, Uct, Untried,
};

type Move = <TicTacToe as Game>::Move;

/// The transition probabilities of the squares, in generation order. One is hardly ever sampled.
const PROBABILITY: [f32; 9] = [0.3, 0.02, 0.25, 0.1, 0.5, 0.001, 0.15, 0.2, 0.05];

struct Categories;

impl Knowledge<TicTacToe> for Categories {
    fn weight(&self, _: &TicTacToe, mv: Move) -> Option<f32> {
        Some(PROBABILITY[mv.to_bits() as usize])
    }
    fn prior(&self, state: &TicTacToe, mv: Move) -> Option<f32> {
        self.weight(state, mv)
    }
}

impl PlayoutKnowledge<TicTacToe> for Categories {}

const C: f64 = 0.6;
const W: f64 = 100.0;

fn playouts() -> Playouts {
    Playouts { strategy: Strategy::Categories, ..Playouts::default() }
}

fn config(threshold: u32) -> Config {
    Config {
        uct: Uct::Signed { c: C },
        threshold: Some(Threshold { visits: threshold, untried: Untried::Selected }),
        bias: Some(Bias { weight: W, count: Count::VisitsPlusOne }),
        solver: Some(Solver::WINANDS),
        playout: playouts(),
        choose: Choose::Secure { a: 1.0 },
        memory: 8 << 20,
        ..Config::default()
    }
}

/// A node as the paper's program has it: the value is for the side that moved there.
struct Node {
    state: TicTacToe,
    mv: Option<Move>,
    visit_count: u32,
    sum: f64,
    /// An infinity where it is proven.
    value: f64,
    children: Vec<Node>,
}

impl Node {
    fn new(state: TicTacToe, mv: Option<Move>) -> Node {
        Node { state, mv, visit_count: 0, sum: 0.0, value: 0.0, children: Vec::new() }
    }

    fn get_children(&mut self) {
        if self.children.is_empty() {
            let mut moves = Vec::new();
            self.state.moves(&mut moves);
            for mv in moves {
                let mut state = self.state.clone();
                state.play(mv);
                self.children.push(Node::new(state, Some(mv)));
            }
        }
    }

    fn compute_average(&mut self, r: f64) {
        self.sum += r;
        self.value = self.sum / f64::from(self.visit_count);
    }
}

struct Printed<'a> {
    threshold: u32,
    rng: Rng,
    playouter: Playouter<'a, TicTacToe, Categories, NoOracle>,
}

impl Printed<'_> {
    /// Figure 3. Returns the result for the side that moved to the node, which is who `N.value`
    /// speaks for.
    fn mcts_solver(&mut self, n: &mut Node) -> f64 {
        match n.state.outcome() {
            Some(Outcome::Draw) => {
                n.visit_count += 1;
                n.compute_average(0.0);
                return 0.0;
            }
            Some(_) => {
                n.visit_count += 1;
                n.value = f64::INFINITY; // The side that moved there has won.
                return n.value;
            }
            None => {}
        }
        let best = self.select(n);
        n.visit_count += 1;
        let best_child = &mut n.children[best];
        let mut r = if best_child.value.is_finite() {
            if best_child.visit_count == 0 && best_child.state.outcome().is_none() {
                self.new_leaf(best_child)
            } else {
                self.mcts_solver(best_child)
            }
        } else {
            best_child.visit_count += 1;
            best_child.value
        };
        // From here on `r` is for the side to move in the node.
        if r == f64::INFINITY {
            n.value = f64::NEG_INFINITY;
            return n.value;
        }
        if r == f64::NEG_INFINITY {
            if n.children.iter().all(|child| child.value == r) {
                n.value = f64::INFINITY;
                return n.value;
            }
            r = -1.0;
        }
        n.compute_average(-r);
        -r
    }

    /// Adds a leaf: it is won for the side to move if it can win at once, else it is played out.
    fn new_leaf(&mut self, leaf: &mut Node) -> f64 {
        leaf.visit_count = 1;
        leaf.get_children();
        let wins = |child: &Node| matches!(child.state.outcome(), Some(Outcome::Win(_)));
        if leaf.children.iter().any(wins) {
            leaf.value = f64::NEG_INFINITY;
            return leaf.value;
        }
        let outcome = self.playouter.play(&mut leaf.state.clone(), &mut self.rng).outcome();
        let result = f64::from(outcome.value_for(leaf.state.turn().other()));
        leaf.compute_average(result);
        result
    }

    /// Section 4.2: below the threshold by the simulation strategy, above it by formula 1 without
    /// lost children.
    fn select(&mut self, n: &mut Node) -> usize {
        n.get_children();
        let weights: Vec<f64> =
            n.children.iter().map(|child| f64::from(probability(child))).collect();
        if n.visit_count < self.threshold {
            let mut rest = self.rng.unit() * weights.iter().sum::<f64>();
            return weights
                .iter()
                .position(|weight| {
                    rest -= weight;
                    rest < 0.0
                })
                .expect("a move");
        }
        let mut best = (0, f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (index, child) in n.children.iter().enumerate() {
            if child.value == f64::NEG_INFINITY {
                continue;
            }
            let visits = f64::from(child.visit_count);
            let explore = (C * f64::from(n.visit_count).ln() / visits).sqrt();
            let bias = W * weights[index] / (visits + 1.0);
            let (bound, equal) = if child.visit_count == 0 {
                (f64::INFINITY, bias)
            } else {
                (child.value + explore + bias, 0.0)
            };
            // Of several that were never visited the one with the most bias; of other equals the
            // last.
            if bound > best.1 || bound == best.1 && (equal > best.2 || bound.is_finite()) {
                best = (index, bound, equal);
            }
        }
        best.0
    }
}

fn probability(node: &Node) -> f32 {
    PROBABILITY[node.mv.expect("a child has a move").to_bits() as usize]
}

fn compare(text: &str, threshold: u32, iterations: u32) -> Proof {
    let start = TicTacToe::parse_state(text).expect("a state of the test");
    let mut search = Search::with_knowledge(config(threshold), start.clone(), Categories);
    let report = search.run(&Limit::iterations(u64::from(iterations)));
    let mut printed = Printed {
        threshold,
        rng: Rng::stream(Config::default().seed, 0),
        playouter: Playouter::new(playouts(), &Categories, &NoOracle, &start),
    };
    let mut root = Node::new(start, None);
    for _ in 0..report.figures.iterations {
        assert!(root.value.is_finite(), "{text}: the printed search ends when the root is proven");
        printed.mcts_solver(&mut root);
    }
    for child in &root.children {
        let ours = report.moves.iter().find(|entry| Some(entry.mv) == child.mv).expect("a move");
        assert_eq!(ours.visits, child.visit_count, "{text}, T = {threshold}: {:?}", child.mv);
        let proof = match child.value {
            f64::INFINITY => matches!(ours.proof, Proof::Win(_)),
            f64::NEG_INFINITY => matches!(ours.proof, Proof::Loss(_)),
            mean => {
                let is_equal = (ours.mean - mean).abs() < 1e-6 || child.visit_count == 0;
                assert!(
                    is_equal,
                    "{text}: T {threshold}, {iterations}: {:?} {} for {mean}, {} visits",
                    child.mv, ours.mean, ours.visits
                );
                ours.proof == Proof::Open
            }
        };
        assert!(proof, "{text}: {:?} for {}", ours.proof, child.value);
    }
    // Section 4.3: the winning move, else the secure child of what is not lost.
    if !root.children.iter().any(|child| child.value == f64::INFINITY) {
        let worth = |child: &&Node| child.value + 1.0 / f64::from(child.visit_count).sqrt();
        let visited = root.children.iter().filter(|child| child.visit_count > 0);
        let best = visited.max_by(|a, b| worth(a).total_cmp(&worth(b))).expect("a visited child");
        let ours = report.moves.iter().find(|entry| Some(entry.mv) == report.best).expect("a move");
        let ours = ours.mean + 1.0 / f64::from(ours.visits).sqrt();
        assert!(worth(&best).is_infinite() || (ours - worth(&best)).abs() < 1e-6, "{text}");
    }
    report.proof
}

#[test]
fn the_search_grows_the_tree_of_the_printed_one() {
    for text in ["... ... ...", "x.. .o. ...", "x.o ... ...", "xo. .x. ..o", "x.. .o. ..x"] {
        for threshold in [1, 5, 50] {
            for iterations in [1, 2, 5, 20, 75, 300, 3000] {
                compare(text, threshold, iterations);
            }
        }
    }
}

#[test]
fn forced_wins_and_losses_are_proven_though_moves_are_sampled_at_first() {
    let proof = |text| [1, 5, 50].map(|threshold| compare(text, threshold, 20_000));
    assert!(proof("x.. .o. x..").iter().all(|proof| !proof.is_proven()), "it is drawn");
    // First wins by a fork, and Second cannot prevent it.
    assert!(proof("xo. ... ...").iter().all(|proof| matches!(proof, Proof::Win(_))));
    assert!(proof("xo. .x. ...").iter().all(|proof| matches!(proof, Proof::Loss(_))));
}

/// As many nodes as iterations, and the moves that were looked at in new leaves.
#[test]
fn nodes_are_iterations_and_the_moves_of_new_leaves() {
    let mut search = Search::with_knowledge(config(5), TicTacToe::start(), Categories);
    let report = search.run(&Limit::nodes(8));
    // The first new leaf has eight moves, none of which wins.
    assert_eq!((report.figures.iterations, report.figures.nodes), (1, Some(9)));
    let mut search = Search::with_knowledge(config(5), TicTacToe::start(), Categories);
    let report = search.run(&Limit::nodes(5_000));
    let nodes = report.figures.nodes.expect("they are counted");
    assert!((5_000..5_009).contains(&nodes) && report.figures.iterations < 2_500, "{nodes}");
    let plain = Config { solver: None, ..config(5) };
    let mut search = Search::with_knowledge(plain, TicTacToe::start(), Categories);
    let report = search.run(&Limit::nodes(500));
    assert_eq!((report.figures.iterations, report.figures.nodes), (500, Some(500)));
    assert_eq!(search.run(&Limit::iterations(5)).figures.nodes, None);
}
