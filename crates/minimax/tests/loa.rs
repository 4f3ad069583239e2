//! Forced wins of Lines of Action: proven with the parts of MIA on, and never where there is none.

use monteverde_game::limit::Limit;
use monteverde_game::{Game, Knowledge, Notation, Proof, Side};
use monteverde_loa::{Loa, Move, connection};
use monteverde_minimax::config::{ETC_DEPTH, QUIESCENCE};
use monteverde_minimax::{Config, History, MultiCut, Null, Rank, Realization, Search, Tactics};

/// States that are won in three plies and no fewer, by the exhaustive search of another program.
const WINS: [&str; 3] = [
    "3xx3/5o2/4o3/3ooo1o/1x1x3o/2xoo1x1/2xoo3/1x1xx3 w",
    "6x1/5o2/1xo1ooxx/oo2ox2/o3ox2/o3xx2/8/1x6 w",
    "8/2x5/3oo3/1xooxoxo/4oxx1/2o5/8/8 w",
];

/// How many of the file's wins are tried.
const TRIED: usize = 40;

/// Enough for a win in three plies with any of the configurations.
const NODES: u64 = 300_000;

/// Knows which pieces stand alone, calls captures likely, and other moves the likelier the shorter
/// they are.
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

impl Tactics<Loa> for Lonely {
    fn loud(&self, state: &Loa, mv: Move) -> Option<i32> {
        state.board().is_capture(mv).then_some(0)
    }
    fn rank(&self, state: &Loa, mv: Move) -> Rank {
        if state.board().is_capture(mv) { Rank::Early(0) } else { Rank::Quiet }
    }
    fn surprise(&self, state: &Loa, mv: Move) -> Option<f32> {
        let squares = mv.from().index().abs_diff(mv.to().index());
        Some(if state.board().is_capture(mv) { 1.0 } else { squares as f32 / 4.0 })
    }
    fn pass(&self, state: &mut Loa) -> bool {
        state.play(Move::PASS);
        true
    }
}

/// Every part that keeps the value.
fn exact() -> Config {
    Config {
        deepening: true,
        table: Some(1 << 20),
        pvs: true,
        gains: true,
        killers: true,
        history: Some(History::Relative),
        etc: Some(ETC_DEPTH),
        ..Config::PLAIN
    }
}

/// Every part of MIA.
fn mia() -> Config {
    Config {
        aspiration: Some(50),
        null: Some(Null::default()),
        realization: Some(Realization::default()),
        multicut: Some(MultiCut::default()),
        quiescence: Some(QUIESCENCE),
        ..exact()
    }
}

fn prove(config: Config, state: &Loa, limit: Limit<Move>) -> Proof {
    Search::new(config, Lonely).run(state, &limit).proof
}

/// Ends as soon as there is a proof.
fn until_proven() -> Limit<Move> {
    Limit { mate: Some(u32::MAX), ..Limit::iterations(NODES) }
}

#[test]
fn forced_wins_are_proven() {
    for text in WINS {
        let state = Loa::parse_state(text).expect("a state of the test");
        assert_eq!(prove(exact(), &state, until_proven()), Proof::Win(3), "{text}");
        let proof = prove(mia(), &state, until_proven());
        assert!(matches!(proof, Proof::Win(3..)), "{text}: {proof:?}");
    }
}

/// After every move of the winner, guessing parts claim nothing near that an exhaustive search does
/// not see.
#[test]
fn nothing_false_is_proven() {
    const PLIES: u16 = 3;
    for text in WINS {
        let state = Loa::parse_state(text).expect("a state of the test");
        let mut moves = Vec::new();
        state.moves(&mut moves);
        for mv in moves {
            let mut after = state.clone();
            after.play(mv);
            let depth = Limit { depth: Some(PLIES.into()), ..Limit::none() };
            let truth = prove(exact(), &after, depth.clone());
            let claim = prove(mia(), &after, depth);
            let agrees = match (truth, claim) {
                (Proof::Open, Proof::Win(plies) | Proof::Loss(plies)) => plies > PLIES,
                (Proof::Win(fastest), Proof::Win(plies)) => plies >= fastest,
                (Proof::Loss(slowest), Proof::Loss(plies)) => plies >= slowest,
                (truth, claim) => claim == Proof::Open || claim == truth,
            };
            assert!(agrees, "{mv:?} in {text}: {claim:?}, but {truth:?}");
        }
    }
}

#[test]
fn the_wins_of_the_file_are_proven() {
    let text = include_str!("../../../data/loa/short-wins.jsonl");
    assert_eq!(text.lines().count(), 530);
    for line in text.lines().take(TRIED) {
        let state = Loa::parse_state(field(line, "state")).expect("a state of the file");
        let plies: u16 = field(line, "win_in_plies").parse().expect("a number of the file");
        assert_eq!(prove(exact(), &state, until_proven()), Proof::Win(plies), "{line}");
        let proof = prove(mia(), &state, until_proven());
        assert!(matches!(proof, Proof::Win(found) if found >= plies), "{line}: {proof:?}");
    }
}

/// The value of a field of a flat object, which has no quote or comma inside.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let start = line.find(&format!("\"{name}\"")).expect("the field is there") + name.len() + 3;
    let end = line[start..].find([',', '}']).expect("a field ends") + start;
    line[start..end].trim().trim_matches('"')
}
