//! The solver against exact values, and against every way of claiming too much.
#![allow(clippy::print_stderr)] // A test says what it could not look at.

use monteverde_chess::Chess;
use monteverde_game::fixtures::{DiceRace, TicTacToe, all_states, exact_proof, exact_value};
use monteverde_game::{
    Game, Never, NoKnowledge, Notation, Oracle, Outcome, Playout, Proof, Rng, Side, Step,
};
use monteverde_mcts::solver::{InTree, LeafCheck, Solver};
use monteverde_mcts::{Config, Limit, Report, Search};

const VARIANTS: [Solver; 3] = [Solver::THESIS, Solver::WINANDS, Solver::FULL];

fn config(solver: Solver) -> Config {
    Config { memory: 64 << 20, solver: Some(solver), ..Config::default() }
}

fn solve<G: Game>(solver: Solver, state: &G, limit: &Limit<G::Move>) -> Report<G> {
    Search::new(config(solver), state.clone()).run(limit)
}

fn chess(fen: &str) -> Chess {
    Chess::parse_state(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The same result, at least as far off.
fn is_sound(claim: Proof, exact: Proof) -> bool {
    match (claim, exact) {
        (Proof::Open, _) => true,
        (Proof::Win(a), Proof::Win(b)) | (Proof::Loss(a), Proof::Loss(b)) => a >= b,
        (claim, exact) => claim == exact,
    }
}

#[test]
fn every_state_of_tic_tac_toe_is_proven() {
    let states = all_states(TicTacToe::start());
    assert_eq!(states.len(), 4520);
    for state in &states {
        let exact = exact_proof(state);
        let report = solve(Solver::FULL, state, &Limit::iterations(1_000_000));
        assert!(
            report.proof.is_proven() && is_sound(report.proof, exact),
            "{:?} for {exact:?} of {}",
            report.proof,
            state.state_text()
        );
        for entry in &report.moves {
            let mut after = state.clone();
            after.play(entry.mv);
            assert!(is_sound(entry.proof, exact_proof(&after).before()));
        }
        let mut after = state.clone();
        after.play(report.best.expect("a move"));
        let value = |proof| std::mem::discriminant(&proof);
        assert_eq!(value(exact_proof(&after).before()), value(exact), "{}", state.state_text());
    }
}

/// A search that goes on after the proof finds the shortest way.
#[test]
fn distances_become_exact() {
    let empty = |state: &TicTacToe| state.state_text().matches('.').count();
    let states = all_states(TicTacToe::start());
    for state in states.iter().filter(|state| empty(state) <= 5).step_by(3) {
        for solver in [Solver { leaf: LeafCheck::Off, ..Solver::FULL }, Solver::FULL] {
            let limit = Limit { mate: Some(1), ..Limit::iterations(3_000) };
            let report = solve(solver, state, &limit);
            assert_eq!(report.proof, exact_proof(state), "{}", state.state_text());
        }
    }
    let state = TicTacToe::parse_state("xo. ... ...").expect("a state of the test");
    let limit = Limit { mate: Some(5), ..Limit::iterations(200_000) };
    assert_eq!(solve(Solver::FULL, &state, &limit).proof, Proof::Win(5));
}

#[test]
fn both_papers_leave_draws_open() {
    let start = TicTacToe::start();
    for solver in [Solver::THESIS, Solver::WINANDS] {
        let report = solve(solver, &start, &Limit::iterations(50_000));
        assert_eq!((report.proof, report.figures.iterations), (Proof::Open, 50_000));
    }
}

#[test]
fn with_chance_only_what_every_event_leads_to_is_proven() {
    let mut proven = 0;
    for first in 0..=10 {
        for second in 0..10 {
            for tail in ["first", "second", "first throws", "second throws"] {
                let text = format!("{first} {second} {tail}");
                let Ok(state) = DiceRace::parse_state(&text) else { continue };
                if state.outcome().is_some() {
                    continue;
                }
                let report = solve(Solver::FULL, &state, &Limit::iterations(5_000));
                let sign = if state.turn() == Side::First { 1.0 } else { -1.0 };
                let exact = sign * exact_value(&state);
                proven += i32::from(report.proof.is_proven());
                match report.proof {
                    Proof::Open => assert!(exact.abs() < 1.0, "{text} is {exact}"),
                    Proof::Win(_) => assert_eq!(exact, 1.0, "{text}"),
                    Proof::Draw => assert_eq!(exact, 0.0, "{text}"),
                    Proof::Loss(_) => assert_eq!(exact, -1.0, "{text}"),
                }
            }
        }
    }
    assert!(proven > 20, "{proven}");
    // First comes home, and whatever Second does then is too little: two plies, the die takes none.
    let check = |text, proof| {
        let state = DiceRace::parse_state(text).expect("a state of the test");
        let limit = Limit { mate: Some(1), ..Limit::iterations(2_000) };
        assert_eq!(solve(Solver::FULL, &state, &limit).proof, proof, "{text}");
    };
    check("9 0 first", Proof::Win(2));
    check("9 0 first throws", Proof::Win(1));
    check("10 3 second", Proof::Loss(1));
    // The step draws. The throw cannot win either, but is no certain draw: so much is left open.
    check("10 8 second", Proof::Open);
    check("10 9 second", Proof::Draw);
}

/// Stones are taken, one or two at a time; who takes the last has won. After taking one of a number
/// that is divisible by three, the same side moves again.
#[derive(Clone, Debug)]
struct Stones {
    left: u32,
    turn: Side,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Take(u32);

impl Step for Take {
    fn to_bits(self) -> u32 {
        self.0
    }
    fn from_bits(bits: u32) -> Self {
        Take(bits)
    }
}

impl Game for Stones {
    type Move = Take;
    type Event = Never;
    const NAME: &'static str = "stones";

    fn turn(&self) -> Side {
        self.turn
    }
    /// The turn passes with the last stone.
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win(self.turn.other()))
    }
    fn ending(&self) -> Option<&'static str> {
        self.outcome().map(|_| "no stones")
    }
    fn moves(&self, buffer: &mut Vec<Take>) {
        buffer.extend((1..=2.min(self.left)).map(Take));
    }
    fn play(&mut self, mv: Take) {
        let again = mv.0 == 1 && self.left.is_multiple_of(3);
        self.left -= mv.0;
        if !again {
            self.turn = self.turn.other();
        }
    }
    fn key(&self) -> u64 {
        u64::from(self.left) << 1 | self.turn as u64
    }
    fn recomputed_key(&self) -> u64 {
        self.key()
    }
}

/// The soonest win or the latest loss, in plies: positive for a win of the side to move.
fn stones(state: &Stones) -> i32 {
    if state.left == 0 {
        return 0;
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut after = state.clone();
        after.play(mv);
        let value = stones(&after);
        let own = if after.turn == state.turn { value } else { -value };
        match (after.left, own) {
            (0, _) => 1,
            (_, own) => own + own.signum(),
        }
    });
    let wish = |value: &i32| if *value > 0 { 1000 - value } else { -1000 - value };
    values.max_by_key(wish).expect("a move")
}

#[test]
fn a_side_that_moves_twice_is_not_taken_for_its_opponent() {
    for left in 1..=10 {
        for turn in [Side::First, Side::Second] {
            let state = Stones { left, turn };
            let plies = stones(&state);
            let exact = match plies {
                1.. => Proof::Win(plies as u16),
                _ => Proof::Loss(-plies as u16),
            };
            for solver in VARIANTS {
                let limit = Limit { mate: Some(1), ..Limit::iterations(20_000) };
                assert_eq!(solve(solver, &state, &limit).proof, exact, "{state:?}, {solver:?}");
            }
        }
    }
}

/// Two squares to go to and fro between: the third occurrence of a state is a draw, and nothing
/// else happens.
#[derive(Clone, Debug)]
struct Shuttle {
    plies: u32,
}

impl Game for Shuttle {
    type Move = Take;
    type Event = Never;
    const NAME: &'static str = "shuttle";

    fn turn(&self) -> Side {
        if self.plies.is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn outcome(&self) -> Option<Outcome> {
        self.is_drawn_by_history().then_some(Outcome::Draw)
    }
    fn ending(&self) -> Option<&'static str> {
        self.outcome().map(|_| "repetition")
    }
    fn moves(&self, buffer: &mut Vec<Take>) {
        buffer.push(Take(1));
    }
    fn play(&mut self, _: Take) {
        self.plies += 1;
    }
    fn key(&self) -> u64 {
        u64::from(self.plies % 4)
    }
    fn recomputed_key(&self) -> u64 {
        self.key()
    }
    fn playout(&mut self, _: &mut Rng) -> Playout {
        Playout { outcome: Outcome::Draw, plies: 0 }
    }
    fn is_drawn_by_history(&self) -> bool {
        self.plies >= 8
    }
}

#[test]
fn a_repetition_ends_the_line_and_proves_nothing() {
    for solver in VARIANTS {
        let report = solve(solver, &Shuttle { plies: 0 }, &Limit::iterations(1_000));
        assert_eq!((report.proof, report.moves[0].proof), (Proof::Open, Proof::Open));
        assert_eq!(report.figures.deepest, 8);
        assert_eq!(report.mean, 0.0);
    }
}

#[test]
fn what_fifty_moves_draw_is_not_claimed() {
    let in_two = |clock: u32| chess(&format!("k7/8/2K5/8/8/8/8/7R w - - {clock} 80"));
    for solver in VARIANTS {
        // 1.Kc7 Ka7 2.Ra1, mate at the third ply: it goes before the hundredth ply's draw, not
        // after it.
        for (clock, proof) in [(0, Proof::Win(3)), (97, Proof::Win(3)), (98, Proof::Open)] {
            let found = solve(solver, &in_two(clock), &Limit::iterations(20_000)).proof;
            assert_eq!(found, proof, "clock {clock}, {solver:?}");
        }
        // Nothing but draws by fifty moves: naively a proven draw.
        let drawn = chess("7k/8/8/8/8/8/R7/K7 w - - 98 80");
        assert_eq!(solve(solver, &drawn, &Limit::iterations(20_000)).proof, Proof::Open);
    }
}

#[test]
fn a_draw_by_the_board_alone_is_proven() {
    // The queen must be taken, which leaves bare kings.
    let only_capture = chess("k7/1Q6/8/8/8/8/8/7K b - - 0 1");
    let report = solve(Solver::FULL, &only_capture, &Limit::iterations(100));
    assert_eq!(report.proof, Proof::Draw);
}

/// Of known length: by hand, or from games.
const MATES: [(&str, Proof); 8] = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Proof::Win(1)),
    ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Proof::Loss(0)),
    ("k7/8/2K5/8/8/8/8/7R w - - 0 1", Proof::Win(3)),
    // 1...Ka8 2.Kc7 Ka7 3.Ra1, or 1...Ka7 2.Rh8 Ka6 3.Ra8.
    ("1k6/8/2K5/8/8/8/8/7R b - - 0 1", Proof::Loss(4)),
    // Morphy's problem: 1.Ra6.
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Proof::Win(3)),
    // A smothered mate: 1.Qg8+ Rxg8 2.Nf7.
    ("5r1k/6pp/7N/8/2Q5/8/6PP/7K w - - 0 1", Proof::Win(3)),
    // 1.Nh6+ Kh8 2.Qg8+ Rxg8 3.Nf7.
    ("5rk1/5Npp/8/8/2Q5/8/6PP/7K w - - 0 1", Proof::Win(5)),
    // Two rooks drive the king back: 1.Rb7, 2.Ra8.
    ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", Proof::Win(3)),
];

#[test]
fn mates_are_proven_with_their_distance_and_played() {
    for (fen, proof) in MATES {
        for solver in VARIANTS {
            let plies = match proof {
                Proof::Win(plies) | Proof::Loss(plies) => u32::from(plies),
                Proof::Draw | Proof::Open => 0,
            };
            let limit = Limit { mate: Some(plies), ..Limit::iterations(60_000) };
            let report = solve(solver, &chess(fen), &limit);
            assert_eq!(report.proof, proof, "{fen}, {solver:?}");
            // The line shows the whole of it.
            let mut end = chess(fen);
            report.pv.iter().for_each(|&mv| end.play(mv));
            assert_eq!(report.pv.len() as u32, plies, "{fen}, {solver:?}: {:?}", report.pv);
            assert_eq!(end.ending(), Some("checkmate"), "{fen}");
        }
    }
}

/// Problems with their distance: four fields of a FEN and `dm n;`, n negative where the side to
/// move is mated.
const PROBLEMS: &str = include_str!("../../../data/chess/mates.epd");

#[test]
fn no_mate_is_claimed_that_is_refuted_or_sooner_than_it_can_be() {
    let (mut seen, mut solved) = (0, [0, 0]);
    for line in PROBLEMS.lines() {
        let (state, distance) = line.split_once(" dm ").expect("a distance");
        let moves: i32 = distance.trim_end_matches(';').parse().expect("a distance");
        seen += 1;
        // The short ones all, of the others a sample.
        if moves.abs() > 2 && seen % 50 != 0 {
            continue;
        }
        let limit = Limit::iterations(4_000);
        let report = solve(Solver::FULL, &chess(&format!("{state} 0 1")), &limit);
        let exact = match moves {
            1.. => Proof::Win(2 * moves as u16 - 1),
            _ => Proof::Loss(2 * -moves as u16),
        };
        assert!(is_sound(report.proof, exact), "{:?} for {exact:?}: {line}", report.proof);
        if moves.abs() <= 2 {
            solved[usize::from(report.proof.is_proven())] += 1;
        }
    }
    assert_eq!(seen, 2_000);
    assert_eq!(solved, [0, 18], "all mates in one and two are proven");
}

#[test]
fn threads_prove_no_more_than_is_true() {
    let states = all_states(TicTacToe::start());
    for state in states.iter().step_by(200) {
        let config = Config { threads: 4, ..config(Solver::FULL) };
        let report = Search::new(config, state.clone()).run(&Limit::iterations(1_000_000));
        let exact = exact_proof(state);
        assert!(report.proof.is_proven(), "{}", state.state_text());
        assert!(is_sound(report.proof, exact), "{:?} for {exact:?}", report.proof);
    }
}

#[test]
fn some_moves_that_lose_prove_nothing_about_the_others() {
    // Black wins after every move but the one that blocks.
    let state = TicTacToe::parse_state("x.. oo. x..").expect("a state of the test");
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let blocks = state.parse_move("c2").expect("a move");
    let only: Vec<_> = moves.into_iter().filter(|&mv| mv != blocks).collect();
    let limit = Limit { only: only.clone(), ..Limit::iterations(10_000) };
    let report = solve(Solver::FULL, &state, &limit);
    assert!(report.moves.iter().all(|entry| matches!(entry.proof, Proof::Loss(_))));
    assert_eq!(report.proof, Proof::Open);
    assert!(report.figures.iterations < 10_000, "nothing is left to search");
}

#[test]
fn a_proven_root_ends_the_search_and_is_kept() {
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let mut search = Search::new(config(Solver::THESIS), chess(fen));
    let report = search.run(&Limit::iterations(100_000));
    assert_eq!(report.proof, Proof::Win(3));
    assert!(report.figures.iterations < 100_000);
    let again = search.run(&Limit::iterations(100_000));
    assert_eq!((again.proof, again.figures.iterations), (Proof::Win(3), 0));
    assert_eq!(again.best, report.best);
    search.play(report.best.expect("a move"));
    let reply = search.run(&Limit::iterations(100_000));
    assert_eq!((reply.proof, reply.figures.iterations), (Proof::Loss(2), 0));
}

/// Knows every state in which at most so many squares are empty.
struct Table(usize);

impl Oracle<TicTacToe> for Table {
    fn probe(&self, state: &TicTacToe) -> Proof {
        let empty = state.state_text().matches('.').count();
        if empty <= self.0 { exact_proof(state) } else { Proof::Open }
    }
}

#[test]
fn a_root_in_the_tables_is_solved_at_once_and_played_perfectly() {
    let solver = Solver { leaf: LeafCheck::Off, oracle: InTree::Asked, ..Solver::FULL };
    for state in all_states(TicTacToe::start()).iter().filter(|state| state.key() % 7 == 0) {
        let empty = state.state_text().matches('.').count();
        let mut search = Search::with_oracle(config(solver), state.clone(), NoKnowledge, Table(8));
        let report = search.run(&Limit::iterations(1_000));
        assert_eq!(report.proof, exact_proof(state), "{}", state.state_text());
        assert!(report.figures.iterations <= empty as u64);
        let mut after = state.clone();
        after.play(report.best.expect("a move"));
        assert_eq!(exact_proof(&after).before(), exact_proof(state), "the best distance is kept");
    }
    // Off, it is not asked.
    let solver = Solver { oracle: InTree::Ignored, ..solver };
    let start = TicTacToe::start();
    let mut search = Search::with_oracle(config(solver), start, NoKnowledge, Table(9));
    assert_eq!(search.run(&Limit::iterations(100)).proof, Proof::Open);
}
