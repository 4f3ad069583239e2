//! The search: its tree stays from move to move, and grows until a limit is reached.

use crate::config::{Config, EmptyRoot, TreeTies};
use crate::context::Context;
use crate::expand;
use crate::explore::Explore;
use crate::limit::{Limit, NoClock, Signal};
use crate::report::{self, Report, TreeView};
use crate::run::Run;
use crate::sharing::{Alone, SharedTree};
use crate::soft_limit::{RootStanding, SoftLimit};
use crate::tree::{ROOT, Tree, stock::Stock};
use crate::worker::Worker;
use monteverde_game::{Game, NoKnowledge, NoOracle, Oracle, PlayoutKnowledge, Proof, Rng, Step};
use std::time::Duration;

pub use monteverde_game::report::Control;

/// Making room takes a second for at most so many bytes of tree: half a second was measured on a
/// full tree of 1 GiB, on a busy machine.
const ROOM_A_SECOND: f64 = (1 << 30) as f64;
/// Choices among equals take theirs from streams beyond those of searches.
const TIE_STREAMS: u64 = 1 << 62;
/// Moves that are drawn take theirs from streams beyond those again.
const DRAW_STREAMS: u64 = 3 << 61;
/// Each search takes its threads' random numbers from streams of its own.
const STREAMS_A_SEARCH: u64 = 1 << 16;

/// A search with its tree, which stays from move to move.
#[derive(Debug)]
pub struct Search<G: Game, K = NoKnowledge, O = NoOracle> {
    context: Context<G, K, O>,
    /// How many searches have been run; numbers the streams of random numbers.
    runs: u64,
    /// Whether the root lists only some of its moves.
    restricted: bool,
    /// Whether the root has moved since room was last made in the tree.
    moved: bool,
}

impl<G: Game> Search<G> {
    /// A search from a state, without knowledge of the game.
    pub fn new(config: Config, state: G) -> Self {
        Search::with_knowledge(config, state, NoKnowledge)
    }
}

impl<G: Game, K: PlayoutKnowledge<G>> Search<G, K> {
    /// A search from a state, with knowledge of the game.
    pub fn with_knowledge(config: Config, state: G, knowledge: K) -> Self {
        Search::with_oracle(config, state, knowledge, NoOracle)
    }
}

impl<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>> Search<G, K, O> {
    /// A search from a state, with knowledge of the game and an oracle that is certain of some
    /// states.
    pub fn with_oracle(config: Config, state: G, knowledge: K, oracle: O) -> Self {
        let context = Context::new(config, state, knowledge, oracle);
        Search { context, runs: 0, restricted: false, moved: false }
    }

    /// Searches until a limit is reached; see [`Search::watch`].
    pub fn run(&mut self, limit: &Limit<G::Move>) -> Report<G> {
        let control = Control {
            clock: &NoClock,
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| {},
        };
        self.watch(limit, control)
    }

    /// Searches until a limit is reached or the signal says stop. Edges count their visits in 32
    /// bits, and none has more of them than the root: a search also ends when the root's cannot
    /// grow any more.
    pub fn watch(&mut self, limit: &Limit<G::Move>, control: Control<'_, G>) -> Report<G> {
        self.watch_tree(limit, control, &mut |_| {})
    }

    /// As [`Search::watch`]; whenever the observer has seen a report, `look` may look into the
    /// tree. Other threads go on meanwhile.
    pub fn watch_tree(
        &mut self,
        limit: &Limit<G::Move>,
        mut control: Control<'_, G>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<G> {
        if let Some(time) = limit.time {
            control.signal.set_deadline(time);
        }
        self.prepare(limit, control.signal.left(control.clock.elapsed()));
        let watch = (control.clock, control.signal);
        let kept = self.context.tree.edge(ROOT).visits();
        let run = Run::new(limit, watch, kept, self.context.config.threads);
        if kept == 0 && self.context.config.empty_root == EmptyRoot::Visited {
            self.context.tree.visit_root();
        }
        let mut moves = Vec::new();
        self.context.state.moves(&mut moves);
        if !moves.is_empty() || self.context.state.is_pending() {
            let soft = SoftLimit::new(&self.context.config, limit.clock, control.clock.elapsed());
            self.search((&run, soft), &mut control, look);
        }
        let report = self.report(&run, control.clock.elapsed());
        self.runs += 1;
        report
    }

    /// The state at the root.
    pub fn state(&self) -> &G {
        &self.context.state
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.context.config
    }

    /// What is certain of some states.
    pub fn oracle(&self) -> &O {
        &self.context.oracle
    }

    /// The tree as it can be looked into between searches.
    pub fn explore(&self) -> impl Explore + '_ {
        self.view()
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.context.tree
    }

    /// Goes to another state and forgets the tree.
    pub fn reset(&mut self, state: G) {
        self.context.mover = state.turn().other();
        self.context.state = state;
        self.context.tree.clear();
        if let Some(corrections) = &self.context.corrections {
            corrections.clear();
        }
        self.context.look_from_root();
        self.restricted = false;
    }

    /// Begins anew: as [`Search::reset`], and the random numbers start where they did at first.
    pub fn restart(&mut self, state: G) {
        self.reset(state);
        self.runs = 0;
    }

    /// Plays a legal move at the root and keeps what the tree knows of the state after it.
    pub fn play(&mut self, mv: G::Move) {
        self.context.mover = self.context.state.turn();
        self.context.state.play(mv);
        self.keep(mv.to_bits());
    }

    /// Settles the pending root by an event and keeps what the tree knows of the state after it.
    pub fn settle(&mut self, event: G::Event) {
        self.context.mover = self.context.state.turn();
        self.context.state.settle(event);
        self.keep(event.to_bits());
    }

    fn keep(&mut self, step: u32) {
        self.context.tree.advance(step);
        self.context.look_from_root();
        self.restricted = false;
        self.moved = true;
    }

    /// Makes room in a graph, unless that would take too much of the time that is `left`, and sees
    /// to it that the root lists just the moves that are asked for. Without room the search goes on
    /// without growing, and a later one makes it.
    fn prepare(&mut self, limit: &Limit<G::Move>, left: Duration) {
        // Where chance decides there are no moves to leave out.
        let restrict = !limit.only.is_empty() && !self.context.state.is_pending();
        if self.restricted || restrict {
            self.context.tree.clear();
        }
        self.restricted = restrict;
        let cost = Duration::from_secs_f64(self.context.tree.bytes() as f64 / ROOM_A_SECOND);
        if self.moved && self.context.tree.is_graph() && cost <= left / 2 {
            self.context.tree.make_room();
            self.moved = false;
        }
        if self.restricted {
            let (tree, rng) = (&self.context.tree, Rng::new(self.context.config.seed));
            let mut worker = Worker::new(&self.context.state, rng, tree.take_stock());
            self.context.state.moves(&mut worker.moves);
            worker.moves.retain(|mv| limit.only.contains(mv));
            expand::grow_root(&self.context, &mut worker);
            tree.put_back(worker.stock);
        }
        expand::list_root(&self.context);
        expand::share_root(&self.context);
    }

    fn search(
        &self,
        (run, mut soft): (&Run<'_, G>, Option<SoftLimit>),
        control: &mut Control<'_, G>,
        look: &mut dyn FnMut(&dyn Explore),
    ) {
        let (context, clock, signal) = (&self.context, control.clock, control.signal);
        let mut next = clock.elapsed().saturating_add(control.every);
        let mut observe = || {
            let elapsed = clock.elapsed();
            if let Some(soft) = &mut soft
                && soft
                    .is_reached((elapsed, signal), run.iterations(), || RootStanding::of(context))
            {
                run.end();
            }
            if elapsed >= next {
                next = elapsed.saturating_add(control.every);
                (control.observe)(&self.report(run, elapsed));
                look(&self.view());
            }
        };
        let stream = self.runs * STREAMS_A_SEARCH;
        let tree = &context.tree;
        if context.config.threads <= 1 {
            let stock = tree.take_stock();
            tree.put_back(run.work::<K, O, Alone>(context, (0, stream), stock, &mut observe));
            return;
        }
        // Nobody may use what another has left before all have ended.
        let stocks: Vec<Stock> = (1..context.config.threads).map(|_| tree.take_stock()).collect();
        let own = tree.take_stock();
        let left = std::thread::scope(|scope| {
            let others: Vec<_> = (1..)
                .zip(stocks)
                .map(|(thread, stock)| {
                    let place = (thread, stream);
                    scope.spawn(move || {
                        run.work::<K, O, SharedTree>(context, place, stock, &mut || {})
                    })
                })
                .collect();
            let own = run.work::<K, O, SharedTree>(context, (0, stream), own, &mut observe);
            let others = others.into_iter().map(|other| match other.join() {
                Ok(stock) => stock,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            others.chain([own]).collect::<Vec<_>>()
        });
        left.into_iter().for_each(|stock| tree.put_back(stock));
    }

    fn report(&self, run: &Run<'_, G>, elapsed: Duration) -> Report<G> {
        report::report(&self.view(), run.figures(elapsed))
    }

    /// What equals are drawn by where they are chosen at random: the same for the same tree.
    fn ties(&self) -> Option<Rng> {
        let Config { ties, seed, .. } = self.context.config;
        let visits = u64::from(self.context.tree.edge(ROOT).visits());
        (ties == TreeTies::Random).then(|| Rng::stream(seed, TIE_STREAMS + visits))
    }

    /// What a move is drawn by: the same in all reports of a search, another in the next.
    fn draw(&self) -> Option<(f64, Rng)> {
        let Config { choose_temperature, seed, .. } = self.context.config;
        choose_temperature.map(|it| (it, Rng::stream(seed, DRAW_STREAMS + self.runs)))
    }

    fn view(&self) -> TreeView<'_, G, K> {
        TreeView {
            tree: &self.context.tree,
            state: &self.context.state,
            mover: self.context.mover,
            choose: self.context.config.choose,
            ties: self.ties(),
            draw: self.draw(),
            proof_use: self.context.proof_use(Proof::Open),
            is_restricted: self.restricted,
            knowledge: &self.context.knowledge,
            oracle: &self.context.oracle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expand::expand;
    use crate::leaf::Leaf;
    use crate::playout::Playouter;
    use crate::proof::StepKind;
    use crate::reward;
    use crate::select::deviation;
    use crate::{Deviation, Solver, Uct};
    use monteverde_chess::Chess;
    use monteverde_game::fixtures::TicTacToe;
    use monteverde_game::{Knowledge, Notation, Outcome, Side};
    use std::sync::atomic::Ordering::Relaxed;

    /// On several threads: one tries the edge, another follows it before the first has noted the
    /// end.
    #[test]
    fn a_finished_game_is_not_expanded_before_its_end_is_noted() {
        let state = TicTacToe::parse_state("xxx oo. ...").expect("a state of the test");
        let config = Config { memory: 1 << 10, ..Config::default() };
        let search = Search::new(config, state.clone());
        let tree = search.tree();
        let mut stock = tree.take_stock();
        let node = tree.grow(ROOT, 0..1, &mut stock, |_, _| {}).expect("room for an edge");
        let edge = tree.edges(node).0;
        let mut worker = Worker::new(&state, Rng::new(1), stock);
        worker.enter::<SharedTree>(tree, edge, Side::First, StepKind::Move);
        let mut playouter =
            Playouter::new(search.config().playout, &NoKnowledge, &NoOracle, search.state());
        let leaf = Leaf::Edge(edge);
        let outcome =
            expand::<_, _, _, SharedTree>(&search.context, leaf, &mut worker, &mut playouter);
        assert_eq!(outcome, Some(Outcome::Win(Side::First)));
        tree.put_back(worker.stock);
        assert_eq!((tree.node(edge), tree.node_count()), (None, 1));
    }

    /// Priors that differ, without any knowledge of the game.
    struct ByBits;

    impl<G: Game> Knowledge<G> for ByBits {
        fn prior(&self, _: &G, mv: G::Move) -> Option<f32> {
            Some((mv.to_bits().wrapping_mul(0x9e37_79b1) >> 24) as f32 / 64.0)
        }
    }

    impl<G: Game> PlayoutKnowledge<G> for ByBits {}

    /// What nodes do not list at first is listed before it could make a difference.
    #[test]
    fn few_listed_moves_give_the_same_tree_in_less_memory() {
        for (c, solver) in [(0.5, None), (4.0, Some(Solver::FULL))] {
            let uct = Uct::Puct { c, temperature: 1.0 };
            let config = Config { uct, solver, memory: 64 << 20, ..Config::default() };
            let run = |lists_few: bool| {
                let mut search = Search::with_knowledge(config.clone(), Chess::start(), ByBits);
                search.context.lists_few &= lists_few;
                let mut seen = Vec::new();
                for _ in 0..6 {
                    let report = search.run(&Limit::iterations(2_000));
                    assert_eq!(report.moves.len(), count(search.state()), "all are reported");
                    let moves = report.moves.iter();
                    seen.extend(moves.map(|it| (it.mv, it.visits, it.mean, it.proof)));
                    search.play(report.best.expect("a move"));
                }
                (seen, search.tree().node_count(), search.tree().bytes())
            };
            let (few, all) = (run(true), run(false));
            assert_eq!((few.0, few.1), (all.0, all.1));
            assert!(few.2 * 2 < all.2, "{} bytes and {}", few.2, all.2);
        }
    }

    /// In a full tree there may be no room for the moves that a node has not listed; it then goes
    /// on with those that it has, instead of looking at the same state again and again.
    #[test]
    fn nodes_that_cannot_list_more_go_on_with_what_they_have() {
        let depth = |memory: usize| {
            let uct = Uct::Puct { c: 1.0, temperature: 1.0 };
            let config = Config { uct, memory, ..Config::default() };
            let mut search = Search::with_knowledge(config, Chess::start(), ByBits);
            search.run(&Limit::iterations(20_000)).figures.depth
        };
        let [full, ample] = [200_000, 64 << 20].map(depth);
        assert!(full > 0.85 * ample, "{full} and {ample} plies");
    }

    /// Also in nodes that were given up and came back: else their rewards would hardly differ.
    #[test]
    fn every_reward_of_a_full_tree_has_its_square() {
        let uct = Uct::Puct { c: 1.0, temperature: 1.0 };
        let c_deviation = Some(Deviation { weight: 0.5, usual: 0.5 });
        let config = Config { uct, c_deviation, memory: 200_000, ..Config::default() };
        let mut search = Search::with_knowledge(config, Chess::start(), ByBits);
        search.run(&Limit::iterations(20_000));
        let tree = search.tree();
        assert!(tree.is_recycled());
        let (mut open, mut seen) = (vec![ROOT], 0);
        while let Some(edge) = open.pop() {
            open.extend(tree.listed_under(edge).numbered().map(|(edge, _)| edge));
            let Some(node) = tree.node(edge) else { continue };
            let (visits, total) = (tree.edge(edge).visits(), tree.edge(edge).total());
            let mean = reward::mean(total, visits.max(1));
            let squares = deviation::sum_of(tree.squares.get(node));
            let least = f64::from(visits) * (mean * mean - 1e-3);
            assert!(squares >= least, "{squares} and {mean} of {visits} visits");
            seen += 1;
        }
        assert!(seen > 200, "{seen} nodes");
    }

    /// Threads keep those of the topmost edges to themselves for a while, and tell them in the end.
    #[test]
    fn no_square_is_lost_among_threads() {
        for threads in [1, 3] {
            let uct = Uct::Puct { c: 1.0, temperature: 1.0 };
            let c_deviation = Some(Deviation { weight: 0.5, usual: 0.5 });
            let config = Config { uct, c_deviation, threads, ..Config::default() };
            let mut search = Search::with_knowledge(config, Chess::start(), ByBits);
            search.run(&Limit::iterations(20_000));
            let tree = search.tree();
            let squares = |edge| match tree.node(edge) {
                Some(node) => deviation::sum_of(tree.squares.get(node)),
                None => reward::mean(tree.edge(edge).total(), 1).powi(2),
            };
            let moves = tree.listed_under(ROOT);
            let below: f64 = moves.numbered().map(|(edge, _)| squares(edge)).sum();
            let missing = squares(ROOT) - below;
            // The first iteration ends at the root. A thread that makes a node while others are
            // there for the first time takes their losses for rewards.
            let most = if threads == 1 { 1.0 } else { (threads + moves.len()) as f64 };
            assert!(below > 1000.0 && missing.abs() <= most, "{below} and {missing}");
        }
    }

    /// Else the best move might not even be looked at.
    #[test]
    fn a_root_lists_all_its_moves_in_a_full_tree_too() {
        for threads in [1, 3] {
            let uct = Uct::Puct { c: 1.0, temperature: 1.0 };
            let config = Config { uct, threads, memory: 100_000, ..Config::default() };
            let mut search = Search::with_knowledge(config, Chess::start(), ByBits);
            for ply in 0..20 {
                let report = search.run(&Limit::iterations(2_000));
                assert_eq!(report.moves.len(), count(search.state()), "after {ply} plies");
                let Some(best) = report.best else {
                    // Several threads play another game each time, and it may be over by then.
                    assert!(search.state().outcome().is_some(), "no move after {ply} plies");
                    break;
                };
                search.play(best);
            }
            assert!(search.tree().is_recycled());
        }
    }

    fn count(state: &Chess) -> usize {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves.len()
    }

    #[test]
    fn a_search_ends_before_its_visits_overflow() {
        for threads in [1, 3] {
            let config = Config { threads, memory: 1 << 20, ..Config::default() };
            let mut search = Search::new(config, TicTacToe::start());
            search.tree().edge(ROOT).visits_cell().store(u32::MAX - 100, Relaxed);
            for (limit, expected) in
                [(Limit::iterations(40), 40), (Limit::none(), 60), (Limit::iterations(40), 0)]
            {
                let report = search.run(&limit);
                assert_eq!(report.figures.iterations, expected);
                assert!(report.best.is_some());
            }
            assert_eq!(search.tree().edge(ROOT).visits(), u32::MAX);
        }
    }
}
