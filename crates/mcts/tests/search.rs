//! The search at its boundary: values, limits, memory, threads, what is kept.

use monteverde_chess::{Board, Chess};
use monteverde_game::fixtures::{DiceRace, TicTacToe, exact_value};
use monteverde_game::{Game, Never, Notation, Outcome, Proof, Side, Step};
use monteverde_mcts::{
    Choose, Clock, Config, Control, Explore, Graph, Limit, MoveTime, Report, Search, Signal, Uct,
};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

fn small() -> Config {
    Config { memory: 32 << 20, ..Config::default() }
}

fn state<G: Notation>(moves: &[usize]) -> G {
    let mut state = G::start();
    for &index in moves {
        let mut list = Vec::new();
        state.moves(&mut list);
        state.play(list[index]);
    }
    state
}

#[test]
fn values_with_chance_come_near_the_exact_ones() {
    let config = Config { uct: Uct::Ucb1 { c: 0.5 }, ..small() };
    let start = DiceRace::start();
    let report = Search::new(config, start.clone()).run(&Limit::iterations(1_000_000));
    let exact = exact_value(&start);
    let ours = report.best_move().unwrap().mean;
    assert!((ours - exact).abs() < 0.02, "{ours} for {exact}");
    // The choice itself is the right one, too.
    let mut best = (f64::NEG_INFINITY, None);
    let mut moves = Vec::new();
    start.moves(&mut moves);
    for mv in moves {
        let mut next = start.clone();
        next.play(mv);
        let value = exact_value(&next);
        if value > best.0 {
            best = (value, Some(mv));
        }
    }
    assert_eq!(report.best, best.1);
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let report = Search::new(small(), TicTacToe::start()).run(&Limit::iterations(500_000));
    assert!(report.best_move().unwrap().mean.abs() < 0.1);
    assert_eq!(report.proof, Proof::Open);
}

#[test]
fn a_move_that_wins_at_once_is_chosen_and_counts_as_proven() {
    // The first side has two in a row and is to move.
    let two_in_a_row: TicTacToe = state(&[0, 2, 0, 3]);
    for choose in [Choose::Visits, Choose::Mean, Choose::Secure { a: 1.0 }] {
        let config = Config { choose, ..small() };
        let report = Search::new(config, two_in_a_row.clone()).run(&Limit::iterations(2_000));
        let mut end = two_in_a_row.clone();
        end.play(report.best.unwrap());
        assert!(end.outcome().is_some(), "{choose:?} chose {:?}", report.best);
        assert_eq!(report.proof, Proof::Win(1));
    }
}

#[test]
fn a_finished_game_has_no_best_move_and_needs_no_iterations() {
    let mut over: TicTacToe = state(&[0, 2, 0, 3]);
    let report = Search::new(small(), over.clone()).run(&Limit::iterations(2_000));
    over.play(report.best.unwrap());
    let report = Search::new(small(), over).run(&Limit::iterations(100));
    assert_eq!((report.best, report.figures.iterations), (None, 0));
    assert_eq!(report.proof, Proof::Loss(0));
}

#[test]
fn the_same_seed_gives_the_same_search_and_another_seed_another() {
    let run = |seed| {
        let config = Config { seed, ..small() };
        let report = Search::new(config, TicTacToe::start()).run(&Limit::iterations(5_000));
        report.moves.iter().map(|entry| (entry.mv, entry.visits)).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn exactly_as_many_iterations_as_asked_for_on_any_number_of_threads() {
    for threads in [1, 2, 3] {
        for iterations in [0, 1, 7, 8, 1_001] {
            let config = Config { threads, ..small() };
            let mut search = Search::new(config, TicTacToe::start());
            let report = search.run(&Limit::iterations(iterations));
            assert_eq!(report.figures.iterations, iterations);
            let visits: u64 = report.moves.iter().map(|entry| u64::from(entry.visits)).sum();
            assert!(visits <= iterations && visits + 2 >= iterations.min(1), "{visits}");
            assert!(report.best.is_some());
        }
    }
}

#[test]
fn threads_leave_no_virtual_loss_behind() {
    let config = Config { threads: 4, ..small() };
    let mut search = Search::new(config, TicTacToe::start());
    let report = search.run(&Limit::iterations(200_000));
    let mean = report.best_move().unwrap().mean;
    assert!(mean.abs() < 0.15, "the value of a drawn game is {mean}");
    // The root's total is the sum of what its moves got, so no loss is left standing.
    let by_moves: f64 = report.moves.iter().map(|m| m.mean * f64::from(m.visits)).sum();
    let at_root = report.mean * 200_000.0;
    assert!((by_moves - at_root).abs() <= 50.0, "{by_moves} and {at_root}");
}

#[test]
fn a_tree_of_one_mebibyte_fills_up_and_the_search_goes_on() {
    for threads in [1, 2] {
        let config = Config { memory: 1 << 20, threads, ..Config::default() };
        let mut search = Search::new(config, Chess::new(Board::start()));
        let report = search.run(&Limit::iterations(30_000));
        assert_eq!(report.figures.iterations, 30_000);
        assert!(report.tree_bytes <= 1 << 20 && report.tree_limit <= 1 << 20);
        // The rest are records of nodes, and what threads have for the next nodes: more where the
        // system lets one of them wait.
        let tenths = if threads == 1 { 6 } else { 2 };
        assert!(report.tree_bytes > (1 << 20) * tenths / 10, "{} bytes in use", report.tree_bytes);
        let visits: u32 = report.moves.iter().map(|entry| entry.visits).sum();
        assert_eq!(visits, 30_000);
        // Another search from the next states makes room and grows again.
        for _ in 0..3 {
            let best = search.run(&Limit::iterations(5_000)).best.unwrap();
            search.play(best);
            let report = search.run(&Limit::iterations(5_000));
            assert!(report.tree_bytes <= 1 << 20);
            assert!(report.nodes > 1);
        }
    }
}

#[test]
fn a_tree_too_small_for_the_root_still_gives_a_legal_move() {
    let config = Config { memory: 1, ..Config::default() };
    let report = Search::new(config, TicTacToe::start()).run(&Limit::iterations(100));
    assert!(report.best.is_some());
}

#[test]
fn the_subtree_of_what_was_played_is_kept() {
    let mut search = Search::new(small(), TicTacToe::start());
    let report = search.run(&Limit::iterations(20_000));
    let best = report.best_move().unwrap().clone();
    search.play(best.mv);
    let report = search.run(&Limit::iterations(0));
    assert_eq!(report.figures.kept, u64::from(best.visits));
    let visits: u32 = report.moves.iter().map(|entry| entry.visits).sum();
    // One visit was the playout from the move itself.
    assert_eq!(visits, best.visits - 1);
    assert_eq!(report.pv, best.pv[1..]);
}

#[test]
fn the_mean_is_for_the_side_to_move_even_where_it_has_left_the_root_to_chance() {
    // Whatever First throws it is home, and Second cannot follow.
    let state = DiceRace::parse_state("9 0 first").unwrap();
    let throw = state.parse_move("throw").unwrap();
    let mut search = Search::new(small(), state);
    assert_eq!(search.run(&Limit::iterations(1_000)).mean, 1.0);
    search.play(throw);
    assert_eq!(search.run(&Limit::iterations(0)).mean, 1.0);
    assert_eq!(search.run(&Limit::iterations(1_000)).mean, 1.0);
    let event = search.state().parse_event("3").unwrap();
    search.settle(event);
    assert_eq!(search.run(&Limit::iterations(1_000)).mean, -1.0);
}

/// A graph of chess that fills more than half of its memory.
fn full_graph() -> (Search<Chess>, Report<Chess>) {
    let config = Config { memory: 3 << 20, graph: Some(Graph), ..Config::default() };
    let mut search = Search::new(config, Chess::new(Board::start()));
    let report = search.run(&Limit::iterations(60_000));
    assert!(report.tree_bytes > report.tree_limit / 2, "too little to make room for");
    (search, report)
}

#[test]
fn making_room_in_a_graph_keeps_every_statistic_of_what_stays() {
    let (mut search, before) = full_graph();
    search.play(before.best.unwrap());
    let short = Limit { time: Some(Duration::from_millis(1)), ..Limit::iterations(0) };
    let full: Vec<_> = search.run(&short).moves;
    let after = search.run(&Limit::iterations(0));
    assert!(after.tree_bytes <= after.tree_limit / 2);
    for (a, b) in full.iter().zip(&after.moves) {
        assert_eq!((a.mv, a.visits, a.mean), (b.mv, b.visits, b.mean));
    }
}

#[test]
fn room_is_made_only_where_there_is_time_for_it() {
    let (mut search, before) = full_graph();
    search.play(before.best.unwrap());
    let short = Limit { time: Some(Duration::from_millis(1)), ..Limit::iterations(0) };
    assert_eq!(search.run(&short).tree_bytes, before.tree_bytes);
    let long = Limit { time: Some(Duration::from_secs(1)), ..short };
    assert!(search.run(&long).tree_bytes <= before.tree_limit / 2);
}

#[test]
fn only_the_moves_asked_for_are_searched_and_later_all_again() {
    let mut search = Search::new(small(), TicTacToe::start());
    let mut moves = Vec::new();
    search.state().clone().moves(&mut moves);
    let only = vec![moves[7], moves[2]];
    let limit = Limit { only: only.clone(), ..Limit::iterations(100) };
    let report = search.run(&limit);
    assert_eq!(report.moves.len(), 2);
    assert!(report.moves.iter().all(|entry| only.contains(&entry.mv)));
    assert_eq!(search.run(&Limit::iterations(100)).moves.len(), 9);
}

#[test]
fn without_an_iteration_the_best_move_is_still_one_of_those_asked_for() {
    let mut moves = Vec::new();
    TicTacToe::start().moves(&mut moves);
    let limit = Limit { only: vec![moves[7], moves[4]], ..Limit::iterations(0) };
    let report = Search::new(small(), TicTacToe::start()).run(&limit);
    assert_eq!(report.best, Some(moves[4]));
}

#[test]
fn where_chance_decides_no_moves_are_left_out() {
    let mut state = DiceRace::start();
    let throw = state.parse_move("throw").unwrap();
    state.play(throw);
    let limit = Limit { only: vec![throw], ..Limit::iterations(100) };
    let report = Search::new(small(), state).run(&limit);
    assert_eq!((report.figures.iterations, report.best), (100, None));
}

#[test]
fn a_depth_limit_ends_a_search_even_where_the_tree_cannot_get_so_deep() {
    let limit = Limit { depth: Some(3), ..Limit::none() };
    let report = Search::new(small(), TicTacToe::start()).run(&limit);
    assert_eq!(report.figures.deepest, 3);
    let limit = Limit { depth: Some(50), ..Limit::none() };
    let report = Search::new(small(), TicTacToe::start()).run(&limit);
    assert!(report.figures.deepest <= 9);
}

/// Four plies with so many moves each, and nobody wins: the tree gets wide long before it gets
/// deep.
#[derive(Clone, Debug)]
struct Wide(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Branch(u32);

impl Step for Branch {
    fn to_bits(self) -> u32 {
        self.0
    }
    fn from_bits(bits: u32) -> Self {
        Branch(bits)
    }
}

impl Game for Wide {
    type Move = Branch;
    type Event = Never;
    const NAME: &'static str = "wide";

    fn turn(&self) -> Side {
        if self.0.is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 4).then_some(Outcome::Draw)
    }
    fn ending(&self) -> Option<&'static str> {
        self.outcome().map(|_| "end")
    }
    fn moves(&self, buffer: &mut Vec<Branch>) {
        buffer.extend((0..400).map(Branch));
    }
    fn play(&mut self, _: Branch) {
        self.0 += 1;
    }
    fn key(&self) -> u64 {
        u64::from(self.0)
    }
    fn recomputed_key(&self) -> u64 {
        self.key()
    }
}

/// All moves of the root are tried often before any of their replies are tried once, so that most
/// iterations add to the tree and do not make it deeper.
#[test]
fn a_depth_limit_does_not_end_a_search_whose_tree_still_grows() {
    let limit = Limit { depth: Some(3), ..Limit::none() };
    let report = Search::new(small(), Wide(0)).run(&limit);
    assert!(report.figures.iterations > 100_000, "{:?}", report.figures);
    assert_eq!(report.figures.deepest, 3);
    // Here the memory is full before it is so deep.
    let config = Config { memory: 1 << 20, ..Config::default() };
    let report = Search::new(config, Wide(0)).run(&limit);
    assert_eq!(report.figures.deepest, 2);
}

/// A clock that goes on by a millisecond whenever the thread that made it reads it. That thread
/// watches the search. It waits for all others to read the clock, too, before time goes on: while
/// one of them is without a core its move counts as lost, and a short search would be over before
/// it comes back.
struct Ticking {
    ticks: AtomicU64,
    watcher: ThreadId,
    others: usize,
    /// Those of the others that have read it in this millisecond.
    readers: Mutex<HashSet<ThreadId>>,
}

impl Ticking {
    /// How long it waits for threads, which may not have begun or have ended.
    const PATIENCE: Duration = Duration::from_millis(20);

    fn new(threads: usize) -> Ticking {
        let (ticks, readers) = (AtomicU64::new(0), Mutex::default());
        Ticking { ticks, watcher: thread::current().id(), others: threads - 1, readers }
    }
}

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        let reader = thread::current().id();
        let readers = || self.readers.lock().unwrap();
        if reader != self.watcher {
            readers().insert(reader);
            return Duration::from_millis(self.ticks.load(Ordering::Relaxed));
        }
        let begun = Instant::now();
        while readers().len() < self.others && begun.elapsed() < Ticking::PATIENCE {
            thread::sleep(Duration::from_micros(50));
        }
        readers().clear();
        Duration::from_millis(self.ticks.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn time_ends_a_search_and_reports_come_in_between() {
    let clock = Ticking::new(1);
    let mut seen = 0;
    let control = Control {
        clock: &clock,
        signal: &Signal::default(),
        every: Duration::from_millis(10),
        observe: &mut |report| {
            seen += 1;
            assert!(report.best.is_some());
        },
    };
    let limit = Limit::time(Duration::from_millis(100));
    let report = Search::new(small(), TicTacToe::start()).watch(&limit, control);
    assert!(report.figures.iterations > 100 && report.figures.iterations < 2_000);
    assert!((5..=10).contains(&seen), "{seen} reports");
}

/// How many milliseconds of the ticking clock a search of a state takes, and what it chooses.
fn timed<G: Game>(config: Config, state: G, limit: &Limit<G::Move>) -> (u128, Option<G::Move>) {
    let control = Control {
        clock: &Ticking::new(config.threads),
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| {},
    };
    let report = Search::new(config, state).watch(limit, control);
    (report.figures.elapsed.as_millis(), report.best)
}

/// One move wins at once, which plain UCT does not take for a proof.
const OVERWHELMING: &str = "xx. oo. ...";

fn on_clock<M>(usual: u64, most: u64) -> Limit<M> {
    let [usual, most] = [usual, most].map(Duration::from_millis);
    Limit::clock(MoveTime { usual, most })
}

#[test]
fn a_soft_stop_ends_a_search_whose_choice_is_settled_on_a_clock_alone() {
    let state = TicTacToe::parse_state(OVERWHELMING).unwrap();
    for threads in [1, 3] {
        let config = Config { uct: Uct::Ucb1 { c: 0.2 }, threads, ..small() };
        let soft = Config { soft_stop: Some(1.0), ..config.clone() };
        let clock = on_clock(1_000, 1_000);
        let (whole, best) = timed(config, state.clone(), &clock);
        let (less, chosen) = timed(soft.clone(), state.clone(), &clock);
        assert!(whole >= 1_000 && less < 900, "{less} of {whole} ms on {threads} threads");
        assert_eq!(chosen, best);
        let fixed = Limit::time(Duration::from_secs(1));
        assert!(timed(soft, state.clone(), &fixed).0 >= 1_000);
    }
}

#[test]
fn a_move_in_doubt_takes_longer_on_a_clock_and_a_clear_one_is_sooner_played() {
    let config = Config { uct: Uct::Ucb1 { c: 0.2 }, ..small() };
    let share = Config { clock_share: Some(2.0), ..config };
    let (doubtful, _) = timed(share.clone(), Chess::start(), &on_clock(1_000, 2_000));
    assert!((1_200..=2_010).contains(&doubtful), "{doubtful} ms");
    let state = TicTacToe::parse_state(OVERWHELMING).unwrap();
    let (clear, _) = timed(share, state, &on_clock(1_000, 2_000));
    assert!(clear < 700, "{clear} ms");
}

#[test]
fn a_signal_stops_a_search_without_limits() {
    struct Wall(Instant);
    impl Clock for Wall {
        fn elapsed(&self) -> Duration {
            self.0.elapsed()
        }
    }
    for threads in [1, 2] {
        let signal = Signal::default();
        let clock = Wall(Instant::now());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                signal.stop();
            });
            let config = Config { threads, ..small() };
            let every = Duration::MAX;
            let control = Control { clock: &clock, signal: &signal, every, observe: &mut |_| {} };
            let report = Search::new(config, TicTacToe::start()).watch(&Limit::none(), control);
            assert!(report.figures.iterations > 0);
        });
    }
}

/// What a look into the tree shows is what the report says, while the search runs and after it.
#[test]
fn the_tree_can_be_looked_into_while_it_grows() {
    let config = Config { memory: 1 << 20, ..Config::default() };
    let mut search = Search::new(config, TicTacToe::start());
    let (mut reports, mut looks) = (Vec::new(), Vec::new());
    let control = Control {
        clock: &Tick(AtomicU64::new(0)),
        signal: &Signal::default(),
        every: Duration::from_millis(10),
        observe: &mut |report| reports.push(report.clone()),
    };
    let report = search.watch_tree(&Limit::iterations(2_000), control, &mut |tree| {
        looks.push(tree.node(&[]).expect("the root is there"));
    });
    assert!(looks.len() > 3 && looks.len() == reports.len());
    for (look, report) in looks.iter().zip(&reports) {
        assert_eq!(look.branches.len(), 9);
        for entry in &report.moves {
            let bits = entry.mv.to_bits();
            let branch = look.branches.iter().find(|branch| branch.step == bits).unwrap();
            assert_eq!((branch.visits, branch.mean), (entry.visits, entry.mean));
        }
    }
    let best = report.best.unwrap();
    let below = search.explore().node(&[best.to_bits()]).unwrap();
    assert_eq!(below.edge.visits, report.moves[0].visits);
    assert_eq!(below.branches.len(), 8);
    let visits: u32 = below.branches.iter().map(|branch| branch.visits).sum();
    assert_eq!(visits + 1, below.edge.visits, "each visit but the first went on");
    assert!(search.explore().node(&[u32::MAX]).is_none());
}

/// A clock that goes on by a millisecond whenever it is looked at.
struct Tick(AtomicU64);

impl Clock for Tick {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}
