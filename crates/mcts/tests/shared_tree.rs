//! Two threads in one tree that is always full: few iterations of a small game, so that Miri, too,
//! can go through it and look for data races and undefined behaviour (`fuzz/sanitize miri`).

use monteverde_game::Notation;
use monteverde_game::fixtures::TicTacToe;
use monteverde_mcts::{Config, Explore, Limit, Search, Solver, Uct};
use std::collections::HashSet;

/// Room for some seventy nodes.
const MEMORY: usize = 16 << 10;
/// A few batches a thread, and more than there is room for.
const ITERATIONS: u64 = 100;
/// The first search fills the tree, later ones live on what is recycled. Which thread finds what
/// depends on when it runs, so it may take some until a node goes. Miri, with which an iteration
/// takes a tenth of a second or more, does not wait for that.
const MOST_SEARCHES: usize = if cfg!(miri) { 2 } else { 100 };

/// The paths to all nodes.
fn nodes(tree: &impl Explore) -> HashSet<Vec<u32>> {
    let (mut found, mut open) = (HashSet::new(), vec![Vec::new()]);
    while let Some(path) = open.pop() {
        let Some(node) = tree.node(&path) else { continue };
        for branch in node.branches {
            assert!((-1.0..=1.0).contains(&branch.mean), "{branch:?} at {path:?}");
            if branch.leads_on {
                open.push([&path[..], &[branch.step]].concat());
            }
        }
        found.insert(path);
    }
    found
}

/// Searches with two threads until nodes have come and gone, and then from the next state.
fn recycles(config: Config) {
    let config = Config { memory: MEMORY, threads: 2, ..config };
    let mut search = Search::new(config, TicTacToe::start());
    let mut searched = || {
        let report = search.run(&Limit::iterations(ITERATIONS));
        assert!(report.tree_bytes <= MEMORY);
        let now = nodes(&search.explore());
        assert!(now.len() <= report.nodes, "{} nodes of {}", now.len(), report.nodes);
        now
    };
    let mut before = searched();
    // Without recycling nothing ever leaves the tree.
    let went = (0..MOST_SEARCHES).any(|_| {
        let now = searched();
        let went = !before.is_subset(&now) && !now.is_subset(&before);
        before = now;
        went
    });
    assert!(went || cfg!(miri), "{} nodes stay in the tree", before.len());
    let best = search.run(&Limit::iterations(1)).best.expect("a move");
    search.play(best);
    let report = search.run(&Limit::iterations(ITERATIONS));
    assert!(report.best.is_some() && report.tree_bytes <= MEMORY);
}

#[test]
fn threads_recycle_what_they_share() {
    recycles(Config::default());
}

/// Nodes list few moves at first, and more when threads want them.
#[test]
fn threads_recycle_what_they_share_and_list() {
    recycles(Config { uct: Uct::Puct { c: 4.0, temperature: 1.0 }, ..Config::default() });
}

#[test]
fn threads_recycle_what_they_share_and_prove() {
    recycles(Config { solver: Some(Solver::FULL), ..Config::default() });
}
