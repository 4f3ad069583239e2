//! Forced mates that players claim, against their stated lengths and an exact search that replays
//! their lines.
//!
//! `MATES=2000 NODES=100000 cargo test --release -p monteverde-games --test all mates --
//! --nocapture` looks at so many problems, with so many nodes each; `PLAYER` may name another
//! player, `THREADS` says how many problems at once.
#![allow(clippy::print_stdout)] // A run by hand wants the figures.

use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::{Control, Report};
use monteverde_game::{Game, Proof};
use monteverde_games::games;
use monteverde_players::exact::Check;
use monteverde_players::{AnyGame, AnyState, AnyStep, Player, Spec};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Problems with their distance: four fields of a FEN and `dm n;`, n negative where the side to
/// move is mated.
const PROBLEMS: &str = include_str!("../../../data/chess/mates.epd");
/// The exact search gives up on a move after so many nodes.
const MOST_CHECKED: u64 = 2_000_000;

fn chess() -> AnyGame {
    games().game("chess").expect("a game of ours")
}

fn player(spec: &str, state: &AnyState) -> Box<dyn Player<AnyState>> {
    Spec::read(chess(), spec).expect("a spec of the test").make(state)
}

fn think(player: &mut dyn Player<AnyState>, limit: &Limit<AnyStep>) -> Report<AnyState> {
    let control = Control {
        clock: &NoClock,
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| {},
    };
    player.think(limit, control)
}

fn search(spec: &str, state: &AnyState, nodes: u64) -> Report<AnyState> {
    think(&mut *player(spec, state), &Limit::iterations(nodes))
}

fn state(fen: &str) -> AnyState {
    chess().parse_state(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Replays the line of a proof: it is as long as is claimed, ends in mate, and each of the winner's
/// moves wins in time. Counts the moves that the exact search had to give up on.
fn replay(start: &AnyState, report: &Report<AnyState>) -> usize {
    let (plies, first) = match report.proof {
        Proof::Win(plies) => (usize::from(plies), 0),
        Proof::Loss(plies) => (usize::from(plies), 1),
        Proof::Open | Proof::Draw => return 0,
    };
    let text = start.state_text();
    assert_eq!(report.pv.len(), plies, "{text}: {:?}", report.proof);
    assert_eq!(report.pv.first().copied(), report.best, "{text}");
    let (mut state, mut unchecked) = (start.clone(), 0);
    for (index, &mv) in report.pv.iter().enumerate() {
        if index % 2 == first {
            match state.exact_win(mv, (plies - index) as u16, MOST_CHECKED) {
                Check::Holds => {}
                Check::Fails => panic!("{text}: ply {index} of {:?} does not win", report.pv),
                Check::GivenUp => unchecked += 1,
            }
        }
        state.play(mv);
    }
    assert_eq!(state.ending(), Some("checkmate"), "{text}");
    unchecked
}

/// A number that the environment gives, or the usual one.
fn number(variable: &str, usual: usize) -> usize {
    let asked = std::env::var(variable).ok().map(|text| text.parse().expect("a number"));
    asked.unwrap_or(usual)
}

/// What became of the problems so far.
#[derive(Default)]
struct Found {
    claims: usize,
    /// Mates that take more plies than need be.
    longer: usize,
    /// Moves that the exact search had to give up on.
    unchecked: usize,
}

/// Lets a player search for a mate, and checks what it claims.
fn examine(line: &str, player: &str, nodes: u64, found: &Mutex<Found>) {
    let (fen, distance) = line.split_once(" dm ").expect("a distance");
    let moves: i32 = distance.trim_end_matches(';').parse().expect("a distance");
    let start = state(&format!("{fen} 0 1"));
    let report = search(player, &start, nodes);
    let least = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    let (is_win, plies) = match report.proof {
        Proof::Open => return,
        Proof::Win(plies) => (true, i32::from(plies)),
        Proof::Loss(plies) => (false, i32::from(plies)),
        Proof::Draw => panic!("no draw: {line}"),
    };
    assert!(is_win == (moves > 0) && plies >= least, "{:?}: {line}", report.proof);
    let unchecked = replay(&start, &report);
    let mut found = found.lock().expect("no other thread has failed");
    found.claims += 1;
    found.unchecked += unchecked;
    if plies > least {
        found.longer += 1;
        println!("{plies} plies for {least}: {line}");
    }
}

#[test]
fn no_claimed_mate_is_refuted_and_lines_are_whole() {
    let (count, nodes) = (number("MATES", 50), number("NODES", 2_000) as u64);
    let player = std::env::var("PLAYER").unwrap_or_else(|_| "best:pieces=3".to_owned());
    let problems: Vec<_> = PROBLEMS.lines().collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Found::default()));
    let work = || {
        let step = (problems.len() / count).max(1);
        while let Some(line) = problems.get(step * next.fetch_add(1, Relaxed)) {
            examine(line, &player, nodes, &found);
        }
    };
    std::thread::scope(|scope| (0..number("THREADS", 1)).for_each(|_| drop(scope.spawn(work))));
    let Found { claims, longer, unchecked } = found.into_inner().expect("no thread has failed");
    println!("{claims} mates claimed, {longer} longer than need be, {unchecked} moves unchecked");
    assert!(claims * 20 > count, "only {claims} of {count}");
}

/// The tree alone proves a mate in 9 moves; there is one in 5.
const LONG: &str = "3k4/2pPp1n1/2K1p2b/1p2P1p1/bP1N1pP1/1p3Pp1/1P4P1/6B1 w - - 0 1";

#[test]
fn a_proof_is_shortened_by_what_is_left_of_the_limit() {
    let start = state(LONG);
    let plain = search("best:network=none,pieces=3,no-shorten", &start, 20_000);
    assert!(matches!(plain.proof, Proof::Win(10..)), "{:?}", plain.proof);
    let report = search("best:network=none,pieces=3", &start, 20_000);
    assert_eq!(report.proof, Proof::Win(9));
    replay(&start, &report);
    assert!(report.figures.iterations <= 20_000);
    // With no more than the proof took it stays as it was.
    let spent = plain.figures.iterations;
    assert_eq!(search("best:network=none,pieces=3", &start, spent).proof, plain.proof);
    // A mate that is near enough is not shortened.
    let limit = Limit { mate: Some(40), ..Limit::iterations(20_000) };
    let enough = think(&mut *player("best:network=none,pieces=3", &start), &limit);
    assert_eq!((enough.proof, enough.figures.iterations), (plain.proof, spent));
}

/// The shorter way is not in the tree, and still it is gone to its end.
#[test]
fn an_announced_mate_is_kept_whatever_the_reply() {
    let mut player = player("best:network=none,pieces=3", &state(LONG));
    let mut left = 9;
    loop {
        let report = think(&mut *player, &Limit::iterations(20_000));
        let Proof::Win(plies) = report.proof else { panic!("{:?}", report.proof) };
        assert!(plies <= left, "{plies} of {left}");
        replay(player.state(), &report);
        player.play(report.best.expect("a move"));
        let mut replies = Vec::new();
        player.state().moves(&mut replies);
        let Some(&reply) = replies.last() else { break };
        player.play(reply);
        left = plies - 2;
    }
    assert_eq!(player.state().ending(), Some("checkmate"));
}

/// The tables know the rest of the line.
#[test]
fn a_line_goes_on_through_the_tables_to_the_mate() {
    for fen in ["8/8/8/8/3k4/8/1p2R3/2K5 w - - 0 1", "2K5/4k3/8/8/5Q2/8/8/8 w - - 0 1"] {
        let report = search("best:pieces=3", &state(fen), 500);
        assert!(matches!(report.proof, Proof::Win(7..)), "{:?}", report.proof);
        let mut end = state(fen);
        report.pv.iter().for_each(|&mv| end.play(mv));
        assert_eq!(report.proof.plies().map(usize::from), Some(report.pv.len()), "{fen}");
        assert_eq!(end.ending(), Some("checkmate"), "{fen}");
    }
}
