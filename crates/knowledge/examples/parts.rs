//! What each part of the alpha-beta search is worth: the nodes it takes to a depth with one part
//! changed, and those with none changed. The arguments are the game and the depth.
#![allow(clippy::print_stdout)] // It is a program.

use monteverde_chess::Chess;
use monteverde_game::limit::Limit;
use monteverde_game::{Game, Never, Notation};
use monteverde_knowledge::chess::{ChessKnowledge, ChessTactics};
use monteverde_knowledge::loa::{LoaKnowledge, LoaTactics};
use monteverde_minimax::config::{ASPIRATION, ETC_DEPTH, QUIESCENCE, TABLE};
use monteverde_minimax::{Config, History, MultiCut, Null, Realization, Search, Tactics};
use std::process::ExitCode;
use std::time::Instant;

/// Positions that the start, openings, middlegames and endings of master games led to, or much like
/// them.
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

/// The start of Lines of Action, and states of games on record, 3 to 27 plies from it.
const STATES: [&str; 10] = [
    "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b",
    "1xxxxxx1/o6o/o6o/o6o/ox6/ox5o/o4o1o/2x1xxx1 w",
    "4xxx1/o6o/oxx1o3/ox1o2oo/o7/o6o/7o/1xxxxxx1 b",
    "1x1x1x2/o6o/o1x4o/ox1x4/oxx5/o4o2/o2ooo2/2xxx1x1 w",
    "1xx5/7o/4xxxo/4ox1o/o4o1o/o2o3o/7o/1xxxx1x1 b",
    "3xxx2/2o1ox2/3ox1xo/3oxx2/o2o3o/o5x1/5o2/1xxx4 w",
    "4x1x1/o2o1o1o/ox1xo3/2xxx3/3o1o1o/3x2x1/o7/1x2x3 b",
    "4x3/2o2o2/ox3ox1/5oxo/o5xx/o7/3x4/2xx4 w",
    "3x4/4x2o/6xo/5xxo/5xx1/1xooo1xo/1x1oo1o1/5x2 b",
    "8/2xoox2/1x1o4/8/1ox1o3/1x6/o1x1xo1o/5ox1 w",
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
            // Null moves and reductions prune by the order too, and hide what the order is worth;
            // so once more without.
            let base = Config { null: None, reductions: None, ..base };
            let bench = Bench { depth: depth.saturating_sub(2).max(1), ..bench };
            bench.print(&base, &changes(&base)[..ORDERS]);
        }
        "loa" => {
            let tactics = || LoaTactics(LoaKnowledge::default());
            let bench = Bench { states: parse(&STATES), tactics, depth };
            let base = mia();
            bench.print(&base, &changes_of_mia(&base));
        }
        other => {
            println!("'{other}' is not among the games: chess, loa");
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

/// The parts of the program MIA, by section V-A of paper 001.
fn mia() -> Config {
    Config {
        deepening: true,
        table: Some(TABLE),
        pvs: true,
        aspiration: Some(ASPIRATION),
        gains: true,
        killers: true,
        history: Some(History::Relative),
        null: Some(Null::default()),
        realization: Some(Realization::default()),
        multicut: Some(MultiCut::default()),
        etc: Some(ETC_DEPTH),
        quiescence: Some(QUIESCENCE),
        ..Config::PLAIN
    }
}

fn changes_of_mia(base: &Config) -> [(&'static str, Config); 13] {
    let base = || base.clone();
    [
        ("without table", Config { table: None, ..base() }),
        ("without deepening", Config { deepening: false, ..base() }),
        ("without principal variation search", Config { pvs: false, ..base() }),
        ("without aspiration", Config { aspiration: None, ..base() }),
        ("without ranks", Config { gains: false, ..base() }),
        ("without killers", Config { killers: false, ..base() }),
        ("without history", Config { history: None, ..base() }),
        ("with plain history", Config { history: Some(History::Plain), ..base() }),
        ("without transposition cutoffs", Config { etc: None, ..base() }),
        ("without multi-cut", Config { multicut: None, ..base() }),
        ("without null move", Config { null: None, ..base() }),
        ("without realization", Config { realization: None, ..base() }),
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
