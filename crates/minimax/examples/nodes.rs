//! How fast the search is apart from any real evaluation: nodes a second in Lines of Action with
//! the parts of MIA, where the eval only counts pieces that stand alone. The argument is the number
//! of nodes for each state.
#![allow(clippy::print_stdout)] // It is a program.

use monteverde_game::limit::Limit;
use monteverde_game::{Game, Knowledge, Notation, Side};
use monteverde_loa::{Loa, Move, connection};
use monteverde_minimax::config::{ASPIRATION, ETC_DEPTH, QUIESCENCE, TABLE};
use monteverde_minimax::{Config, History, MultiCut, Null, Rank, Realization, Search, Tactics};
use std::time::Instant;

/// The start, and states of later play.
const STATES: [&str; 5] = [
    "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b",
    "2x3x1/o3xo2/2ox4/4o2o/5o2/3oo1o1/o3o1x1/6x1 w",
    "6x1/oo4o1/1x1xoox1/2xoo3/1oxo1o1x/8/1x6/8 w",
    "8/5ox1/o1xxo3/3oox2/3ooo2/3oxx1o/5x2/5x2 w",
    "1xx3x1/8/3o3x/3ooxx1/o2xxx2/2ooo3/3oo3/4x3 w",
];

/// Knows which pieces stand alone, and nothing else.
struct Lonely;

impl Knowledge<Loa> for Lonely {
    fn eval(&self, state: &Loa) -> Option<f32> {
        let lonely = |side: Side| {
            let pieces = state.board().pieces(side);
            (pieces & !connection::neighbours(pieces)).count_ones() as f32
        };
        Some(10.0 * (lonely(state.turn().other()) - lonely(state.turn())))
    }
}

/// The central 4x4 squares, and the 6x6 squares around them with these.
const INNER: u64 = 0x0000_3c3c_3c3c_0000;
const MIDDLE: u64 = 0x007e_7e7e_7e7e_7e00;

impl Tactics<Loa> for Lonely {
    fn loud(&self, state: &Loa, mv: Move) -> Option<i32> {
        (state.board().is_capture(mv) && INNER & mv.to().bit() != 0).then_some(0)
    }
    fn rank(&self, state: &Loa, mv: Move) -> Rank {
        let target = mv.to().bit() & state.board().pieces(state.turn().other());
        match target {
            target if target & INNER != 0 => Rank::Early(2),
            target if target & MIDDLE != 0 => Rank::Early(1),
            _ => Rank::Quiet,
        }
    }
    fn pass(&self, state: &mut Loa) -> bool {
        state.play(Move::PASS);
        true
    }
}

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

fn main() {
    let most = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let (mut nodes, mut seconds) = (0, 0.0);
    for text in STATES {
        let state = Loa::parse_state(text).expect("a state of the list");
        let mut search = Search::new(mia(), Lonely);
        let start = Instant::now();
        let report = search.run(&state, &Limit::iterations(most));
        let took = start.elapsed().as_secs_f64();
        nodes += report.figures.iterations;
        seconds += took;
        println!(
            "{} nodes, depth {}, {:?}, {:.0} a second",
            report.figures.iterations,
            report.figures.depth,
            report.proof,
            report.figures.iterations as f64 / took
        );
    }
    println!("{nodes} nodes in {seconds:.2} s: {:.0} a second", nodes as f64 / seconds);
}
