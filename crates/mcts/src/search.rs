//! The search: four steps an iteration, until a limit is reached.

use crate::backup::{Alone, Shared, Sharing, Visit, backup};
use crate::bounds;
use crate::config::Config;
use crate::draws;
use crate::expand::{self, expand};
use crate::explore::Explore;
use crate::graph::{self, Ending};
use crate::limit::{Clock, Limit, NoClock, Signal};
use crate::playout::Playouter;
use crate::proof::By;
use crate::quality::{self, Usual, Won};
use crate::report::{self, Report};
use crate::reward;
use crate::select::{Heed, formula::Formula, imb, rave::Played, select};
use crate::solver::{self, Reach, Solver};
use crate::tree::{ROOT, Tree, extra::Needs};
use monteverde_game::{
    Game, Knowledge, NoKnowledge, NoOracle, Oracle, Outcome, Proof, Rng, Side, Step,
};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

pub use monteverde_game::report::Control;

/// A thread takes this many iterations at a time; between two such batches it looks at the clock.
const BATCH: u64 = 8;
/// Where nodes are limited, it takes single iterations, so that the limit is passed by no more than a leaf's moves.
const COUNTED_BATCH: u64 = 1;
/// A search to a depth gives up after this many iterations in a row that added nothing to the tree.
const STUCK: u32 = 10_000;
/// Making room takes a second for at most so many bytes of tree: half a second was measured on a full tree of
/// 1 GiB, on a busy machine.
const ROOM_A_SECOND: f64 = (1 << 30) as f64;
/// Each search takes its threads' random numbers from streams of its own.
const STREAMS_A_SEARCH: u64 = 1 << 16;

/// A search with its tree, which stays from move to move.
#[derive(Debug)]
pub struct Search<G: Game, K = NoKnowledge, O = NoOracle> {
    pub(crate) config: Config,
    pub(crate) formula: Formula,
    pub(crate) knowledge: K,
    oracle: O,
    state: G,
    pub(crate) tree: Tree,
    /// What is usual in the present search, for quality-based rewards.
    pub(crate) usual: Usual,
    /// The side whose statistics the root edge holds: the one that moved there.
    pub(crate) mover: Side,
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

impl<G: Game, K: Knowledge<G>> Search<G, K> {
    /// A search from a state, with knowledge of the game.
    pub fn with_knowledge(config: Config, state: G, knowledge: K) -> Self {
        Search::with_oracle(config, state, knowledge, NoOracle)
    }
}

impl<G: Game, K: Knowledge<G>, O: Oracle<G>> Search<G, K, O> {
    /// A search from a state, with knowledge of the game and an oracle that is certain of some states.
    pub fn with_oracle(config: Config, state: G, knowledge: K, oracle: O) -> Self {
        let needs = Needs { bounds: bounds::are_wanted::<G>(&config), ..config.needs() };
        let tree = Tree::with(config.memory, needs);
        let formula = Formula::new(&config);
        let mover = state.turn().other();
        Search {
            config,
            formula,
            knowledge,
            oracle,
            state,
            tree,
            usual: Usual::default(),
            mover,
            runs: 0,
            restricted: false,
            moved: false,
        }
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

    /// Searches until a limit is reached or the signal says stop. Edges count their visits in 32 bits, and
    /// none has more of them than the root: a search also ends when the root's cannot grow any more.
    pub fn watch(&mut self, limit: &Limit<G::Move>, control: Control<'_, G>) -> Report<G> {
        self.watch_tree(limit, control, &mut |_| {})
    }

    /// As [`Search::watch`]; whenever the observer has seen a report, `look` may look into the tree. Other threads go on
    /// meanwhile.
    pub fn watch_tree(
        &mut self,
        limit: &Limit<G::Move>,
        mut control: Control<'_, G>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<G> {
        if let Some(time) = limit.time {
            control.signal.set_deadline(time);
        }
        self.usual.clear();
        self.prepare(limit, control.signal.left(control.clock.elapsed()));
        let run = Run::new(limit, self.tree.edge(ROOT).visits());
        let mut moves = Vec::new();
        self.state.moves(&mut moves);
        if !moves.is_empty() || self.state.is_pending() {
            self.search(&run, &mut control, look);
        }
        self.runs += 1;
        self.report(&run, control.clock.elapsed())
    }

    /// The state at the root.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What is certain of some states.
    pub fn oracle(&self) -> &O {
        &self.oracle
    }

    /// The tree as it can be looked into between searches.
    pub fn explore(&self) -> impl Explore + '_ {
        self.view()
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Goes to another state and forgets the tree.
    pub fn reset(&mut self, state: G) {
        self.mover = state.turn().other();
        self.state = state;
        self.tree.clear();
        self.restricted = false;
    }

    /// Begins anew: as [`Search::reset`], and the random numbers start where they did at first.
    pub fn restart(&mut self, state: G) {
        self.reset(state);
        self.runs = 0;
    }

    /// Plays a legal move at the root and keeps what the tree knows of the state after it.
    pub fn play(&mut self, mv: G::Move) {
        self.mover = self.state.turn();
        self.state.play(mv);
        self.keep(mv.to_bits());
    }

    /// Settles the pending root by an event and keeps what the tree knows of the state after it.
    pub fn settle(&mut self, event: G::Event) {
        self.mover = self.state.turn();
        self.state.settle(event);
        self.keep(event.to_bits());
    }

    fn keep(&mut self, step: u32) {
        self.tree.advance(step);
        self.restricted = false;
        self.moved = true;
    }

    /// Makes room in the tree, unless that would take too much of the time that is `left`, and sees to it
    /// that the root lists just the moves that are asked for. Without room the search goes on as it does
    /// where memory is full, and a later one makes it.
    fn prepare(&mut self, limit: &Limit<G::Move>, left: Duration) {
        // Where chance decides there are no moves to leave out.
        let restrict = !limit.only.is_empty() && !self.state.is_pending();
        if self.restricted || restrict {
            self.tree.clear();
        }
        self.restricted = restrict;
        let cost = Duration::from_secs_f64(self.tree.bytes() as f64 / ROOM_A_SECOND);
        if self.moved && cost <= left / 2 {
            self.tree.make_room();
            self.moved = false;
        }
        if self.restricted {
            let mut worker = Worker::new(&self.state, Rng::new(self.config.seed));
            self.state.moves(&mut worker.moves);
            worker.moves.retain(|mv| limit.only.contains(mv));
            expand::grow_root(self, &mut worker);
        }
    }

    fn search(
        &self,
        run: &Run<'_, G>,
        control: &mut Control<'_, G>,
        look: &mut dyn FnMut(&dyn Explore),
    ) {
        let shared = self.config.threads > 1;
        let (clock, signal) = (control.clock, control.signal);
        let mut next = control.every;
        let mut observe = || {
            let elapsed = clock.elapsed();
            if elapsed >= next {
                next = elapsed.saturating_add(control.every);
                (control.observe)(&self.report(run, elapsed));
                look(&self.view());
            }
        };
        let watch = Watch { clock, signal };
        if !shared {
            self.work::<Alone>(run, watch, 0, &mut observe);
            return;
        }
        std::thread::scope(|scope| {
            for thread in 1..self.config.threads as u64 {
                scope.spawn(move || self.work::<Shared>(run, watch, thread, &mut || {}));
            }
            self.work::<Shared>(run, watch, 0, &mut observe);
        });
    }

    /// What one thread does.
    fn work<S: Sharing>(
        &self,
        run: &Run<'_, G>,
        watch: Watch<'_>,
        thread: u64,
        between: &mut dyn FnMut(),
    ) {
        let stream = self.runs * STREAMS_A_SEARCH + thread;
        let mut worker = Worker::new(&self.state, Rng::stream(self.config.seed, stream));
        worker.looked = run.limit.nodes.map(|_| 0);
        let mut playouter =
            Playouter::new(self.config.playout, &self.knowledge, &self.oracle, &self.state);
        while let Some(batch) = run.claim() {
            let mut done = 0;
            self.look_at_root(&mut worker);
            while done < batch && !watch.signal.is_stopped() && !run.over.load(Relaxed) {
                if self.is_over(&worker, run.limit) {
                    run.over.store(true, Relaxed);
                    break;
                }
                self.iterate::<S>(&mut worker, &mut playouter);
                done += 1;
            }
            run.note(done, &mut worker);
            if watch.signal.is_stopped() || watch.signal.is_due(watch.clock.elapsed()) {
                run.over.store(true, Relaxed);
            }
            between();
        }
    }

    /// One iteration.
    #[inline(always)]
    pub(crate) fn iterate<S: Sharing>(
        &self,
        worker: &mut Worker<G>,
        playouter: &mut Playouter<'_, G, K, O>,
    ) {
        worker.path.clear();
        worker.ending = Ending::Shared;
        worker.state.clone_from(&self.state);
        if self.config.threshold.is_some() {
            playouter.forget();
        }
        // 1. Select: follow the tree to where it grows.
        let visits = worker.enter::<S>(&self.tree, ROOT, self.mover, By::Side);
        let leaf = select::<G, K, O, S>(self, (ROOT, visits), worker);
        let (steps, is_new) = (worker.path.len(), matches!(leaf, Leaf::New(_)));
        let mut exact = leaf.exact();
        // 2. Expand: try one more move.
        let mut over = expand::<G, K, O, S>(self, leaf, worker, playouter);
        while let Some(edge) = worker.joined.take() {
            // The state is known, so that the selection goes on.
            let leaf = select::<G, K, O, S>(self, edge, worker);
            exact = leaf.exact();
            over = expand::<G, K, O, S>(self, leaf, worker, playouter);
        }
        let grown = if is_new || worker.path.len() > steps { Grown::Yes } else { Grown::No };
        worker.note_depth(grown);
        let mut known = over.map(|outcome| match outcome {
            Outcome::Draw => self.draw_reward(),
            Outcome::Win(_) => reward::of_outcome(outcome),
        });
        known = known.or(exact);
        if let (Some(solver), Grown::Yes) = (self.solver(), grown) {
            known = self.prove(solver, worker).or(known);
            if bounds::are_kept::<G>(&self.tree) {
                bounds::climb(&self.tree, &worker.path);
            }
        }
        if self.config.imb.is_some() {
            imb::score_leaf(self, worker);
        }
        // 3. Playout: play on to the end of the game.
        let (mut reward, won) = match known {
            Some(reward) => {
                worker.played.playout.clear();
                (reward, self.won_in_tree(over))
            }
            None => {
                let (state, rng) = (&mut worker.state, &mut worker.rng);
                let result = match self.config.rave {
                    None => playouter.play(state, rng),
                    Some(_) => playouter.play_recorded(state, rng, &mut worker.played.playout),
                };
                if self.config.draw_weight.is_some() && result.is_drawn() {
                    draws::count::<S>(&self.tree, &worker.path);
                }
                let won = result.winner().map(|winner| Won { winner, plies: result.plies });
                (if result.is_drawn() { self.draw_reward() } else { result.reward }, won)
            }
        };
        if self.config.quality.is_on() {
            if self.tree.extra.needs().outcomes {
                quality::note_outcome(&self.tree, &worker.path, reward);
            }
            reward = won.map_or(reward, |won| quality::reward(self, worker, won));
        }
        // 4. Backup: tell every edge on the way.
        if self.config.rave.is_some() {
            worker.played.update(&self.tree, &worker.path, reward);
        }
        match self.config.graph {
            None if bounds::are_kept::<G>(&self.tree) => {
                bounds::backup::<S>(&self.tree, &worker.path, reward)
            }
            None => backup::<S>(&self.tree, &worker.path, reward),
            Some(_) => {
                let most = if self.config.quality.is_on() { reward::MOST } else { reward::ONE };
                let told = graph::Told { reward, most, ending: worker.ending };
                graph::backup::<S>(&self.tree, &worker.path, told);
            }
        }
        if self.config.imb.is_some() {
            imb::backup(self, &worker.path);
        }
    }

    /// Where the game is over in the tree it has been won as if by a playout without plies. What the solver knows, ends of the
    /// game among it, counts as proven and not by its quality.
    fn won_in_tree(&self, over: Option<Outcome>) -> Option<Won> {
        match over? {
            Outcome::Win(winner) if self.solver().is_none() => Some(Won { winner, plies: 0 }),
            Outcome::Win(_) | Outcome::Draw => None,
        }
    }

    /// The solver, where it may prove anything: proofs hold on their path, and in a graph a node lies on many.
    fn solver(&self) -> Option<Solver> {
        self.config.solver.filter(|_| self.config.graph.is_none())
    }

    /// Proves what follows from the new edge; the reward if it is certain.
    fn prove(&self, solver: Solver, worker: &mut Worker<G>) -> Option<i64> {
        let news = solver::prove(solver, &self.tree, &self.oracle, worker)?;
        if news.reach == Reach::RootMove {
            self.look_at_root(worker);
        }
        Some(if news.reward == 0 { self.draw_reward() } else { news.reward })
    }

    /// Whether nothing is left to find out about the root, as far as the thread knows.
    fn is_over(&self, worker: &Worker<G>, limit: &Limit<G::Move>) -> bool {
        worker.root.is_proven() && self.is_enough(limit) || worker.is_exact && limit.mate.is_none()
    }

    /// Tells the thread what is proven about the root; from then on it looks for less plies.
    fn look_at_root(&self, worker: &mut Worker<G>) {
        worker.root = self.root_proof();
        worker.is_exact = bounds::are_kept::<G>(&self.tree)
            && !worker.root.is_proven()
            && bounds::under(&self.tree, ROOT, self.root_by()).exact().is_some();
        worker.heed = self.heed(worker.root);
    }

    /// What is proven about the root, as far as its listed moves go.
    fn root_proof(&self) -> Proof {
        let solve = |_| solver::deduce(self.tree.edges_under(ROOT).1, self.root_by());
        self.solver().map_or(Proof::Open, solve)
    }

    fn root_by(&self) -> By {
        if self.state.is_pending() { By::Chance } else { By::Side }
    }

    /// What a selection makes of proofs, where the root is proven as given.
    fn heed(&self, root: Proof) -> Heed {
        match self.solver() {
            None => Heed::Nothing,
            Some(_) if root.is_proven() => Heed::Distances,
            Some(_) => Heed::Proofs,
        }
    }

    /// Whether the proof of the root ends the search: every move has been looked at, so that the soonest of what
    /// was found at once is played, and it is near enough.
    fn is_enough(&self, limit: &Limit<G::Move>) -> bool {
        let has_tried_all = |root| self.tree.tried(root) >= self.tree.edges(root).1.len();
        // Where moves are sampled, the first win that is proven is played (*Monte-Carlo Tree Search Solver*, 4.3).
        let is_sampled = self.config.threshold.is_some();
        let is_tried = is_sampled || self.tree.node(ROOT).is_some_and(has_tried_all);
        let plies = match self.root_proof() {
            Proof::Open => return false,
            Proof::Draw => 0,
            Proof::Win(1) => return true,
            Proof::Win(plies) | Proof::Loss(plies) => u32::from(plies),
        };
        (is_tried || self.state.is_pending()) && limit.mate.is_none_or(|most| plies <= most)
    }

    /// The reward of a draw for the first side.
    #[inline(always)]
    pub(crate) fn draw_reward(&self) -> i64 {
        let Some(value) = self.config.draw_value else { return 0 };
        let reward = (value * reward::ONE as f64) as i64;
        if self.state.turn() == Side::First { reward } else { -reward }
    }

    fn report(&self, run: &Run<'_, G>, elapsed: Duration) -> Report<G> {
        report::report(&self.view(), run.figures(elapsed))
    }

    fn view(&self) -> report::View<'_, G, K> {
        report::View {
            tree: &self.tree,
            state: &self.state,
            mover: self.mover,
            choose: self.config.choose,
            heed: self.heed(Proof::Open),
            is_restricted: self.restricted,
            knowledge: &self.knowledge,
        }
    }
}

/// Where a selection ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaf {
    /// At the end of the game.
    Over(Outcome),
    /// At an edge whose value is known though it is no single outcome, as a reward for [`Side::First`].
    Exact(i64),
    /// At an edge under which the tree can grow.
    Edge(u32),
    /// At an edge that is entered for the first time: chance drew it, or the formula selected it though it had
    /// never been sampled.
    New(u32),
}

impl Leaf {
    /// The reward where that is known.
    #[inline(always)]
    fn exact(self) -> Option<i64> {
        if let Leaf::Exact(reward) = self { Some(reward) } else { None }
    }
}

/// Whether an iteration added an edge to the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Grown {
    Yes,
    No,
}

/// What a thread needs for its iterations; kept, so that iterations do not allocate.
pub(crate) struct Worker<G: Game> {
    pub(crate) rng: Rng,
    pub(crate) state: G,
    pub(crate) path: Vec<Visit>,
    pub(crate) moves: Vec<G::Move>,
    pub(crate) events: Vec<(G::Event, u32)>,
    /// The steps of a state, as a node lists them.
    pub(crate) steps: Vec<u32>,
    /// What knowledge says of `moves`, and the order that follows from it.
    pub(crate) priors: Vec<f32>,
    pub(crate) order: Vec<usize>,
    /// Scratch space for both.
    pub(crate) exponentials: Vec<f64>,
    pub(crate) ranks: Vec<u64>,
    /// What knowledge says of `steps`, for progressive bias where moves are sampled.
    pub(crate) biases: Vec<f32>,
    /// An edge whose state is known, and its visits before: in a graph one that has just been given a node that
    /// was there already, or one whose move was sampled.
    pub(crate) joined: Option<(u32, u32)>,
    /// In a graph, how the iteration ended.
    pub(crate) ending: Ending,
    /// The moves of the iteration, for RAVE.
    played: Played<G>,
    /// What selections make of proofs.
    pub(crate) heed: Heed,
    /// How many moves of new leaves were looked at since that was last added up; `None` where they are not counted.
    pub(crate) looked: Option<u64>,
    /// What is proven about the root, as far as the thread knows.
    root: Proof,
    /// Whether its value is known to it though it is not proven.
    is_exact: bool,
    deepest: u32,
    depth_sum: u64,
    stuck: u32,
}

impl<G: Game> Worker<G> {
    pub(crate) fn new(state: &G, rng: Rng) -> Self {
        Worker {
            rng,
            state: state.clone(),
            path: Vec::with_capacity(256),
            moves: Vec::with_capacity(256),
            events: Vec::with_capacity(64),
            steps: Vec::with_capacity(256),
            priors: Vec::new(),
            order: Vec::new(),
            exponentials: Vec::new(),
            ranks: Vec::new(),
            biases: Vec::new(),
            joined: None,
            ending: Ending::Shared,
            played: Played::new(),
            heed: Heed::Nothing,
            looked: None,
            root: Proof::Open,
            is_exact: false,
            deepest: 0,
            depth_sum: 0,
            stuck: 0,
        }
    }

    /// The last edge of the path.
    pub(crate) fn last(&self) -> Visit {
        *self.path.last().expect("the root edge is entered first")
    }

    /// How many moves the path has; events are none, nor is what led to the root.
    pub(crate) fn plies(&self) -> u32 {
        self.path.iter().skip(1).filter(|visit| visit.by == By::Side).count() as u32
    }

    /// Notes how deep the iteration went in the tree, and whether it added to it.
    #[inline(always)]
    fn note_depth(&mut self, grown: Grown) {
        let depth = self.path.len() as u32 - 1;
        self.stuck = if grown == Grown::Yes { 0 } else { self.stuck.saturating_add(1) };
        self.deepest = self.deepest.max(depth);
        self.depth_sum += u64::from(depth);
    }
}

/// How a thread knows that time is up.
#[derive(Clone, Copy)]
struct Watch<'a> {
    clock: &'a dyn Clock,
    signal: &'a Signal,
}

/// What the threads of one run share.
struct Run<'a, G: Game> {
    limit: &'a Limit<G::Move>,
    /// Visits of the root from before.
    kept: u32,
    /// The most iterations that it may take.
    most: u64,
    claimed: AtomicU64,
    iterations: AtomicU64,
    /// Moves of new leaves that were looked at, where they are counted.
    looked: AtomicU64,
    depth_sum: AtomicU64,
    deepest: AtomicU32,
    over: AtomicBool,
}

impl<'a, G: Game> Run<'a, G> {
    fn new(limit: &'a Limit<G::Move>, kept: u32) -> Self {
        let room = u64::from(u32::MAX - kept);
        Run {
            limit,
            kept,
            most: limit.iterations.map_or(room, |most| most.min(room)),
            claimed: AtomicU64::new(0),
            iterations: AtomicU64::new(0),
            looked: AtomicU64::new(0),
            depth_sum: AtomicU64::new(0),
            deepest: AtomicU32::new(0),
            over: AtomicBool::new(false),
        }
    }

    /// How many iterations the thread may do next; `None` at the end.
    fn claim(&self) -> Option<u64> {
        if self.over.load(Relaxed) {
            return None;
        }
        let batch = if self.limit.nodes.is_some() { COUNTED_BATCH } else { BATCH };
        let claimed = self.claimed.fetch_add(batch, Relaxed);
        (claimed < self.most).then(|| batch.min(self.most - claimed))
    }

    /// Adds up what a thread has done.
    fn note<H: Game>(&self, done: u64, worker: &mut Worker<H>) {
        self.iterations.fetch_add(done, Relaxed);
        self.depth_sum.fetch_add(std::mem::take(&mut worker.depth_sum), Relaxed);
        let deepest = self.deepest.fetch_max(worker.deepest, Relaxed).max(worker.deepest);
        if let Some(depth) = self.limit.depth
            && (deepest >= depth || worker.stuck > STUCK)
        {
            self.over.store(true, Relaxed);
        }
        if let (Some(looked), Some(most)) = (&mut worker.looked, self.limit.nodes) {
            self.looked.fetch_add(std::mem::take(looked), Relaxed);
            if self.nodes() >= most {
                self.over.store(true, Relaxed);
            }
        }
    }

    /// What a limit in nodes counts.
    fn nodes(&self) -> u64 {
        self.iterations.load(Relaxed) + self.looked.load(Relaxed)
    }

    fn figures(&self, elapsed: Duration) -> report::Figures {
        let iterations = self.iterations.load(Relaxed);
        report::Figures {
            iterations,
            nodes: self.limit.nodes.map(|_| self.nodes()),
            kept: u64::from(self.kept),
            elapsed,
            depth: self.depth_sum.load(Relaxed) as f64 / iterations.max(1) as f64,
            deepest: self.deepest.load(Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Notation;
    use monteverde_game::fixtures::TicTacToe;

    /// On several threads: one tries the edge, another follows it before the first has noted the end.
    #[test]
    fn a_finished_game_is_not_expanded_before_its_end_is_noted() {
        let state = TicTacToe::parse_state("xxx oo. ...").expect("a state of the test");
        let config = Config { memory: 1 << 10, ..Config::default() };
        let search = Search::new(config, state.clone());
        let tree = &search.tree;
        let node = tree.grow(ROOT, 0..1, |_, _| {}).expect("room for an edge");
        let edge = tree.edges(node).0;
        let mut worker = Worker::new(&state, Rng::new(1));
        worker.enter::<Shared>(tree, edge, Side::First, By::Side);
        let mut playouter =
            Playouter::new(search.config.playout, &NoKnowledge, &NoOracle, &search.state);
        let leaf = Leaf::Edge(edge);
        let outcome = expand::<_, _, _, Shared>(&search, leaf, &mut worker, &mut playouter);
        assert_eq!(outcome, Some(Outcome::Win(Side::First)));
        assert_eq!((tree.node(edge), tree.node_count()), (None, 1));
    }

    #[test]
    fn a_search_ends_before_its_visits_overflow() {
        for threads in [1, 3] {
            let config = Config { threads, memory: 1 << 20, ..Config::default() };
            let mut search = Search::new(config, TicTacToe::start());
            search.tree.edge(ROOT).visits_cell().store(u32::MAX - 100, Relaxed);
            for (limit, expected) in
                [(Limit::iterations(40), 40), (Limit::none(), 60), (Limit::iterations(40), 0)]
            {
                let report = search.run(&limit);
                assert_eq!(report.figures.iterations, expected);
                assert!(report.best.is_some());
            }
            assert_eq!(search.tree.edge(ROOT).visits(), u32::MAX);
        }
    }
}
