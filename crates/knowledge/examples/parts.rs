//! What each part of the alpha-beta search is worth: the nodes it takes to a depth with one part changed, and those with
//! none changed. The arguments are the game and the depth.
#![allow(clippy::print_stdout)] // It is a program.

use monteverde_chess::Chess;
use monteverde_game::limit::Limit;
use monteverde_game::{Game, Never, Notation};
use monteverde_knowledge::chess::{ChessKnowledge, ChessTactics};
use monteverde_minimax::config::ETC_DEPTH;
use monteverde_minimax::{Config, History, MultiCut, Search, Tactics};
use std::process::ExitCode;
use std::time::Instant;

/// Positions that the start, openings, middlegames and endings of master games led to, or much like them.
const FENS: [&str; 20] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/ppp1pppp/5n2/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/1PN1PN2/PB3PPP/R2QKB1R w KQ - 1 9",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/PBN1BN2/1P3PPP/R2Q1RK1 b - - 1 13",
    "r1b2rk1/2q1bppp/p1n1pn2/1p6/3NP3/1BN1BP2/PPPQ2PP/2KR3R w - - 0 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3r1rk1/p3qppp/1pn1pn2/8/2PP4/P4N2/1B3PPP/R2QR1K1 w - - 0 18",
    "2r3k1/1p1q1ppp/p2p1b2/3P4/1P2P3/5Q1P/P4PP1/2R3K1 w - - 3 27",
    "5rk1/1p4pp/p1p1q3/3p4/3P1n2/2N2P2/PPQ3PP/4R1K1 b - - 0 24",
    "r5k1/5ppp/8/1p1R4/1P6/6P1/5P1P/6K1 w - - 0 31",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/6p1/3N3p/1n5P/6P1/5PK1/8 w - - 0 40",
    "8/pp3k2/2p5/3p2p1/3P2P1/2P1K3/PP6/8 w - - 0 38",
    "6k1/5pp1/4b2p/8/2B5/4P2P/5PP1/6K1 w - - 0 35",
    "8/8/1p1k4/p1p2p1p/P1P2P1P/1P1K4/8/8 w - - 0 50",
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| Chess::NAME.to_owned());
    let depth = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(7);
    match game.as_str() {
        "chess" => {
            let tactics = || ChessTactics(ChessKnowledge::default());
            let bench = Bench { states: parse(&FENS), tactics, depth };
            let base = Config::default();
            bench.print(&base, &changes(&base));
            // Null moves and reductions prune by the order too, and hide what the order is worth; so once more
            // without.
            let base = Config { null: None, reductions: None, ..base };
            let bench = Bench { depth: depth.saturating_sub(2).max(1), ..bench };
            bench.print(&base, &changes(&base)[..ORDERS]);
        }
        other => {
            println!("'{other}' is not among the games chess");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// How many of the changes say something without null moves and reductions.
const ORDERS: usize = 9;

fn changes(base: &Config) -> [(&'static str, Config); 14] {
    let base = || base.clone();
    [
        ("without table", Config { table: None, ..base() }),
        ("without deepening", Config { deepening: false, ..base() }),
        ("without principal variation search", Config { pvs: false, ..base() }),
        ("without aspiration", Config { aspiration: None, ..base() }),
        ("without gains", Config { gains: false, ..base() }),
        ("without killers", Config { killers: false, ..base() }),
        ("without history", Config { history: None, ..base() }),
        ("with relative history", Config { history: Some(History::Relative), ..base() }),
        ("with transposition cutoffs", Config { etc: Some(ETC_DEPTH), ..base() }),
        ("with multi-cut", Config { multicut: Some(MultiCut::default()), ..base() }),
        ("without null move", Config { null: None, ..base() }),
        ("without reductions", Config { reductions: None, ..base() }),
        ("without extension", Config { extension: false, ..base() }),
        ("without quiescence", Config { quiescence: None, ..base() }),
    ]
}

fn parse<G: Notation>(texts: &[&str]) -> Vec<G> {
    texts.iter().map(|text| G::parse_state(text).expect("a state of the list")).collect()
}

/// States that are searched to a depth.
struct Bench<G, T> {
    states: Vec<G>,
    tactics: fn() -> T,
    depth: u32,
}

impl<G: Game<Event = Never>, T: Tactics<G>> Bench<G, T> {
    fn print(&self, base: &Config, changes: &[(&str, Config)]) {
        let (all, seconds) = self.nodes(base);
        println!("| configuration | nodes to depth {} | ratio | seconds |", self.depth);
        println!("|---|---|---|---|\n| base | {all} | 1.00 | {seconds:.1} |");
        for (name, config) in changes {
            let (nodes, seconds) = self.nodes(config);
            println!("| {name} | {nodes} | {:.2} | {seconds:.1} |", nodes as f64 / all as f64);
        }
        println!();
    }

    /// The nodes over all states, and the time.
    fn nodes(&self, config: &Config) -> (u64, f64) {
        let start = Instant::now();
        let limit = Limit { depth: Some(self.depth), ..Limit::none() };
        let nodes = |state| {
            let mut search = Search::new(config.clone(), (self.tactics)());
            search.run(state, &limit).figures.iterations
        };
        (self.states.iter().map(nodes).sum(), start.elapsed().as_secs_f64())
    }
}
