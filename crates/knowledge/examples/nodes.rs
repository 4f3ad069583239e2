//! How fast the alpha-beta search is: nodes a second over some positions to a depth, the argument.
#![allow(clippy::print_stdout)] // It is a program.

use monteverde_chess::Chess;
use monteverde_game::Notation;
use monteverde_game::limit::Limit;
use monteverde_knowledge::chess::{ChessKnowledge, ChessTactics};
use monteverde_minimax::{Config, Search};
use std::time::Instant;

/// An opening, a middlegame and an ending.
const FENS: [&str; 4] = [
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2r3k1/1p1q1ppp/p2p1b2/3P4/1P2P3/5Q1P/P4PP1/2R3K1 w - - 3 27",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(7);
    let start = Instant::now();
    let mut nodes = 0;
    for fen in FENS {
        let state = Chess::parse_state(fen).expect("a position of the list");
        let config = Config { table: Some(1 << 20), ..Config::default() };
        let mut search = Search::new(config, ChessTactics(ChessKnowledge::default()));
        nodes +=
            search.run(&state, &Limit { depth: Some(depth), ..Limit::none() }).figures.iterations;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{nodes} nodes in {seconds:.2} s: {:.0} a second", nodes as f64 / seconds);
}
