//! Playouts by each technique, against exact probabilities of small games and facts of the rules.

use monteverde_chess::Chess;
use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_game::{
    Game, Greed, Knowledge, Measure, NoKnowledge, NoOracle, Notation, Oracle, Outcome,
    PlayoutKnowledge, Proof, Rng, Side, Step, Ties,
};
use monteverde_mcts::playout::{
    AlphaBeta, Cutoff, DecidedRoot, Decisive, End, Heavy, Look, Mixed, Playouter, Playouts,
    Strategy, Tables, Then, Truncate,
};
use monteverde_mcts::reward::{ONE, of_outcome};
use monteverde_mcts::{Config, Limit, Search};

/// What a state of tic-tac-toe looks like to someone who likes the centre and the corners: 3 for
/// the first, 2 for each of the others, 1 for the edges. Always for the side to move, who has not
/// put its mark.
struct Corners;

/// The worth of the squares in generation order.
const WORTH: [f32; 9] = [2.0, 1.0, 2.0, 1.0, 3.0, 1.0, 2.0, 1.0, 2.0];

/// How likely a playout should put a mark there.
const WEIGHT: [f32; 9] = [1.0, 4.0, 0.5, 2.0, 0.0, 1.0, 3.0, 0.25, 1.0];

impl Knowledge<TicTacToe> for Corners {
    fn gain(&self, _: &TicTacToe, mv: <TicTacToe as Game>::Move) -> Option<f32> {
        Some(WORTH[mv.to_bits() as usize])
    }
    fn weight(&self, _: &TicTacToe, mv: <TicTacToe as Game>::Move) -> Option<f32> {
        Some(WEIGHT[mv.to_bits() as usize])
    }
    fn eval(&self, state: &TicTacToe) -> Option<f32> {
        let text = state.state_text();
        let marks = text.chars().filter(|c| "xo.".contains(*c));
        let sum: f32 = marks.zip(WORTH).map(|(mark, worth)| worth * sign(mark)).sum();
        Some(if state.turn() == Side::First { sum } else { -sum })
    }
    fn expectation(&self, state: &TicTacToe) -> Option<f32> {
        self.eval(state).map(|eval| eval / 100.0)
    }
}

impl PlayoutKnowledge<TicTacToe> for Corners {}

fn sign(mark: char) -> f32 {
    match mark {
        'x' => 1.0,
        'o' => -1.0,
        _ => 0.0,
    }
}

fn heavy(measure: Measure, epsilon: f64, ties: Ties) -> Playouts {
    let heavy = Heavy { greed: Greed { measure, ties }, epsilon };
    Playouts { strategy: Strategy::Greedy(heavy), ..Playouts::default() }
}

fn tic_tac_toe(text: &str) -> TicTacToe {
    TicTacToe::parse_state(text).expect("a state of the test")
}

fn moves<G: Game>(state: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

fn after<G: Game>(state: &G, mv: G::Move) -> G {
    let mut after = state.clone();
    after.play(mv);
    after
}

/// The probabilities of a first side's win and of a draw.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Shares {
    win: f64,
    draw: f64,
}

/// Exact shares by enumeration, where `chances` gives the probability of each move.
fn exact(state: &TicTacToe, chances: &dyn Fn(&TicTacToe, &[Move]) -> Vec<f64>) -> Shares {
    match state.outcome() {
        Some(Outcome::Draw) => return Shares { win: 0.0, draw: 1.0 },
        Some(Outcome::Win(side)) => {
            return Shares { win: f64::from(u8::from(side == Side::First)), draw: 0.0 };
        }
        None => {}
    }
    let moves = moves(state);
    let mut shares = Shares { win: 0.0, draw: 0.0 };
    for (&mv, chance) in moves.iter().zip(chances(state, &moves)) {
        if chance > 0.0 {
            let below = exact(&after(state, mv), chances);
            shares.win += chance * below.win;
            shares.draw += chance * below.draw;
        }
    }
    shares
}

type Move = <TicTacToe as Game>::Move;

/// Every move that `good` accepts with equal probability.
fn equally(moves: &[Move], good: impl Fn(Move) -> bool) -> Vec<f64> {
    let count = moves.iter().filter(|&&mv| good(mv)).count() as f64;
    moves.iter().map(|&mv| if good(mv) { 1.0 / count } else { 0.0 }).collect()
}

fn wins(state: &TicTacToe, mv: Move) -> bool {
    after(state, mv).outcome() == Some(Outcome::Win(state.turn()))
}

const PLAYOUTS: u32 = 40_000;

/// Plays out the state and compares the shares with exact ones, within five standard errors.
fn check(playouts: Playouts, start: &TicTacToe, expected: Shares) {
    let mut playouter = Playouter::new(playouts, &Corners, &NoOracle, start);
    let mut rng = Rng::new(7);
    let (mut won, mut drawn) = (0, 0);
    for _ in 0..PLAYOUTS {
        let mut state = start.clone();
        let result = playouter.play(&mut state, &mut rng);
        assert_eq!(Some(result.reward), state.outcome().map(of_outcome));
        won += u32::from(result.reward == ONE);
        drawn += u32::from(result.is_drawn());
    }
    for (count, share) in [(won, expected.win), (drawn, expected.draw)] {
        let ours = f64::from(count) / f64::from(PLAYOUTS);
        let error = (share * (1.0 - share) / f64::from(PLAYOUTS)).sqrt();
        assert!((ours - share).abs() <= 5.0 * error + 1e-9, "{ours} for {share} by {playouts:?}");
    }
}

#[test]
fn epsilon_greedy_playouts_have_the_exact_probabilities() {
    let start = TicTacToe::start();
    for epsilon in [0.0, 0.4, 0.9] {
        let chances = |state: &TicTacToe, moves: &[Move]| {
            let worth = |mv: Move| WORTH[mv.to_bits() as usize];
            let most = moves.iter().map(|&mv| worth(mv)).fold(0.0, f32::max);
            let _ = state;
            let greedy = equally(moves, |mv| worth(mv) == most);
            let random = 1.0 / moves.len() as f64;
            greedy.iter().map(|best| (1.0 - epsilon) * best + epsilon * random).collect()
        };
        let playouts = heavy(Measure::Gain, epsilon, Ties::Random);
        check(playouts, &start, exact(&start, &chances));
    }
}

#[test]
fn decisive_playouts_have_the_exact_probabilities() {
    let start = TicTacToe::start();
    let chances =
        |state: &TicTacToe, moves: &[Move]| match moves.iter().find(|&&mv| wins(state, mv)) {
            Some(&win) => equally(moves, |mv| mv == win),
            None => equally(moves, |_| true),
        };
    let playouts = Playouts { decisive: Decisive::Wins, ..Playouts::default() };
    check(playouts, &start, exact(&start, &chances));
}

#[test]
fn anti_decisive_playouts_have_the_exact_probabilities() {
    let start = TicTacToe::start();
    let chances = |state: &TicTacToe, list: &[Move]| {
        if let Some(&win) = list.iter().find(|&&mv| wins(state, mv)) {
            return equally(list, |mv| mv == win);
        }
        let safe = |mv: Move| {
            let next = after(state, mv);
            next.outcome().is_some() || !moves(&next).iter().any(|&reply| wins(&next, reply))
        };
        if list.iter().any(|&mv| safe(mv)) { equally(list, safe) } else { equally(list, |_| true) }
    };
    let playouts = Playouts { decisive: Decisive::Anti, ..Playouts::default() };
    check(playouts, &start, exact(&start, &chances));
}

/// A draw is left only where so many playouts in a row are drawn.
#[test]
fn redrawn_playouts_have_the_exact_probabilities() {
    let start = TicTacToe::start();
    let once = exact(&start, &|_, moves| equally(moves, |_| true));
    assert!((once.win - 737.0 / 1260.0).abs() < 1e-12 && (once.draw - 8.0 / 63.0).abs() < 1e-12);
    for most in [1, 2, 6] {
        let draw = once.draw.powi(most);
        let win = once.win * (1.0 - draw) / (1.0 - once.draw);
        let playouts = Playouts { redraw: Some(most as u32), ..Playouts::default() };
        check(playouts, &start, Shares { win, draw });
    }
}

/// Chances in proportion to weights; equal ones where there is none.
fn proportional(weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let equal = 1.0 / weights.len() as f64;
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { equal }).collect()
}

#[test]
fn playouts_by_weight_have_the_exact_probabilities() {
    let start = TicTacToe::start();
    let weight = |mv: &Move| f64::from(WEIGHT[mv.to_bits() as usize]);
    let chances = |_: &TicTacToe, moves: &[Move]| proportional(moves.iter().map(weight).collect());
    let playouts = Playouts { strategy: Strategy::Categories, ..Playouts::default() };
    check(playouts, &start, exact(&start, &chances));
}

#[test]
fn corrective_playouts_have_the_exact_probabilities() {
    let start = tic_tac_toe("x.. .o. ...");
    for spread in [Some(2.0), None] {
        let mixed = Mixed { corrective: 9, least_weight: 0.25, spread, ..Mixed::default() };
        let chances = |state: &TicTacToe, moves: &[Move]| {
            let before = Corners.eval(state).expect("an eval");
            if let Some(&win) = moves.iter().find(|&&mv| wins(state, mv)) {
                return equally(moves, |mv| mv == win);
            }
            let weight = |&mv: &Move| {
                let next = after(state, mv);
                let eval = match next.outcome() {
                    Some(_) => 0.0,
                    None => -Corners.eval(&next).expect("an eval"),
                };
                let gain = eval - before;
                let known = WEIGHT[mv.to_bits() as usize];
                let weight = match spread {
                    _ if gain < 0.0 => 0.25,
                    None => known,
                    Some(spread) => known * (1.0 + gain / spread),
                };
                f64::from(weight)
            };
            proportional(moves.iter().map(weight).collect())
        };
        let playouts = Playouts { strategy: Strategy::Mixed(mixed), ..Playouts::default() };
        check(playouts, &start, exact(&start, &chances));
    }
}

/// The same random numbers, the same moves, the same tree.
#[test]
fn with_epsilon_one_heavy_playouts_are_uniform_ones() {
    let plain = Config { memory: 16 << 20, ..Config::default() };
    for measure in [Measure::Eval, Measure::Gain] {
        let playout = heavy(measure, 1.0, Ties::Random);
        let config = Config { playout, ..plain.clone() };
        let visits = |config: &Config| {
            let mut search = Search::with_knowledge(config.clone(), TicTacToe::start(), Corners);
            let report = search.run(&Limit::iterations(5_000));
            report.moves.iter().map(|entry| (entry.mv, entry.visits)).collect::<Vec<_>>()
        };
        assert_eq!(visits(&config), visits(&plain));
        // A record makes the playout go move by move.
        let start = Chess::start();
        let mut playouter = Playouter::new(playout, &NoKnowledge, &NoOracle, &start);
        for seed in 0..20 {
            let (mut ours, mut uniform) = (start.clone(), start.clone());
            let (mut our_rng, mut rng) = (Rng::new(seed), Rng::new(seed));
            let mut record = Vec::new();
            let result = playouter.play_recorded(&mut ours, &mut our_rng, &mut record);
            let expected = uniform.playout(&mut rng);
            assert_eq!((result.plies, result.outcome()), (expected.plies, expected.outcome));
            assert_eq!((our_rng, ours.board().to_string()), (rng, uniform.board().to_string()));
            assert_eq!(record.len() as u32, result.plies);
        }
    }
}

#[test]
fn with_epsilon_zero_the_first_of_the_best_is_played_and_no_number_drawn() {
    let start = TicTacToe::start();
    let playouts = heavy(Measure::Gain, 0.0, Ties::First);
    let mut playouter = Playouter::new(playouts, &Corners, &NoOracle, &start);
    let mut rng = Rng::new(1);
    let mut record = Vec::new();
    let mut state = start.clone();
    let result = playouter.play_recorded(&mut state, &mut rng, &mut record);
    assert_eq!(rng, Rng::new(1));
    // The centre, the corners in order, the edges in order.
    let squares: Vec<u32> = record.iter().map(|(_, mv)| mv.to_bits()).collect();
    assert_eq!(squares, [4, 0, 2, 6, 8, 1, 3, 5, 7]);
    assert!(
        record
            .iter()
            .map(|(side, _)| *side)
            .eq([Side::First, Side::Second].into_iter().cycle().take(9))
    );
    assert_eq!((result.plies, result.reward, result.ended_by), (9, 0, End::Rules));
}

#[test]
fn a_decisive_playout_mates_at_once_and_an_anti_decisive_one_does_not_allow_it() {
    // After 3 of White's 11 moves, Nb4, Nc1 and Kh1, the rook mates on d1.
    let start = Chess::parse_state("3r2k1/5ppp/8/8/8/8/N4PPP/6K1 w - - 0 1").expect("a state");
    let mates = Chess::parse_state("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").expect("a state");
    for decisive in [Decisive::Wins, Decisive::Anti] {
        let playouts = Playouts { decisive, ..Playouts::default() };
        let mut playouter = Playouter::new(playouts, &NoKnowledge, &NoOracle, &mates);
        for seed in 0..20 {
            let result = playouter.play(&mut mates.clone(), &mut Rng::new(seed));
            assert_eq!((result.plies, result.reward), (1, ONE));
        }
    }
    let lost_in_two = |decisive| {
        let playouts = Playouts { decisive, ..Playouts::default() };
        let mut playouter = Playouter::new(playouts, &NoKnowledge, &NoOracle, &start);
        let plies = |seed| playouter.play(&mut start.clone(), &mut Rng::new(seed)).plies;
        (0..100).map(plies).filter(|&plies| plies == 2).count()
    };
    assert!(lost_in_two(Decisive::Wins) > 10);
    assert_eq!(lost_in_two(Decisive::Anti), 0);
}

/// The game ends by fifty moves before a mate could be played.
#[test]
fn a_winning_move_after_the_end_of_the_game_is_not_played() {
    let over = Chess::parse_state("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 100 80").expect("a state");
    for decisive in [Decisive::Wins, Decisive::Anti] {
        let playouts = Playouts { decisive, ..Playouts::default() };
        let mut playouter = Playouter::new(playouts, &NoKnowledge, &NoOracle, &over);
        let result = playouter.play(&mut over.clone(), &mut Rng::new(1));
        assert_eq!((result.plies, result.reward), (0, 0));
    }
}

#[test]
fn a_truncated_playout_is_worth_what_is_expected() {
    let start = tic_tac_toe("x.. .o. ...");
    for (plies, state) in [(0, &start), (0, &after(&start, moves(&start)[0]))] {
        let playouts = Playouts { truncate: Some(Truncate { plies }), ..Playouts::default() };
        let mut playouter = Playouter::new(playouts, &Corners, &NoOracle, state);
        let result = playouter.play(&mut state.clone(), &mut Rng::new(1));
        // The first side has 2, and 1 more after the move; the second has 3.
        let sum = if state.turn() == Side::First { -1.0 } else { 0.0 };
        assert_eq!(result.reward, (sum / 100.0 * ONE as f64) as i64);
        assert_eq!((result.plies, result.ended_by), (0, End::Truncated));
        assert!(!result.is_drawn());
    }
    let playouts = Playouts { truncate: Some(Truncate { plies: 3 }), ..Playouts::default() };
    let mut state = start.clone();
    let result =
        Playouter::new(playouts, &Corners, &NoOracle, &start).play(&mut state, &mut Rng::new(1));
    assert_eq!((result.plies, result.ended_by), (3, End::Truncated));
    // Who knows nothing plays on.
    let mut unknowing = Playouter::new(playouts, &NoKnowledge, &NoOracle, &start);
    assert_eq!(unknowing.play(&mut start.clone(), &mut Rng::new(1)).ended_by, End::Rules);
}

#[test]
fn a_decided_eval_wins_for_its_side() {
    let start = TicTacToe::start();
    let cutoff = |every, most_plies| {
        let cutoff = Cutoff { threshold: 1.5, every, ..Cutoff::default() };
        Playouts { cutoff: Some(cutoff), most_plies, ..Playouts::default() }
    };
    let mut seen = [0; 2];
    for (every, most_plies) in [(1, None), (3, None), (2, Some(4))] {
        let mut playouter = Playouter::new(cutoff(every, most_plies), &Corners, &NoOracle, &start);
        for seed in 0..200 {
            let mut state = start.clone();
            let result = playouter.play(&mut state, &mut Rng::new(seed));
            let eval = Corners.eval(&state).expect("an eval");
            let for_first = if state.turn() == Side::First { eval } else { -eval };
            match result.ended_by {
                End::Cutoff => {
                    assert!(
                        eval.abs() > 1.5 && result.plies.is_multiple_of(every) && result.plies > 0
                    );
                    assert_eq!(result.reward, if for_first > 0.0 { ONE } else { -ONE });
                    seen[0] += 1;
                }
                End::Length => {
                    assert_eq!((result.plies, result.reward), (4, 0));
                    assert!(result.is_drawn());
                    seen[1] += 1;
                }
                _ => assert!(state.outcome().is_some()),
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

#[test]
fn where_the_root_is_decided_a_cutoff_may_play_on() {
    let start = TicTacToe::start();
    // The centre is worth 3, and the reply beside a corner 1.
    let decided = after(&after(&start, moves(&start)[4]), moves(&start)[1]);
    let play = |decided_root, root: &TicTacToe, seed| {
        let cutoff = Some(Cutoff { threshold: 1.5, every: 1, decided_root });
        let playouts = Playouts { cutoff, ..Playouts::default() };
        let mut playouter = Playouter::new(playouts, &Corners, &NoOracle, root);
        playouter.play(&mut root.clone(), &mut Rng::new(seed))
    };
    let mut cut_off = 0;
    for seed in 0..50 {
        cut_off += u32::from(play(DecidedRoot::CutsOff, &decided, seed).ended_by == End::Cutoff);
        assert_eq!(play(DecidedRoot::PlaysOn, &decided, seed).ended_by, End::Rules);
        let undecided = play(DecidedRoot::CutsOff, &start, seed);
        assert_eq!(play(DecidedRoot::PlaysOn, &start, seed), undecided);
    }
    assert!(cut_off > 40, "{cut_off}");
}

/// Knows every state of some marks, and only in searches from the empty board.
struct Late(usize);

impl Oracle<TicTacToe> for Late {
    fn probe(&self, state: &TicTacToe) -> Proof {
        if moves(state).len() == self.0 { Proof::Loss(2) } else { Proof::Open }
    }
    fn is_useful_at(&self, root: &TicTacToe) -> bool {
        moves(root).len() == 9
    }
}

#[test]
fn a_playout_stops_where_the_oracle_knows() {
    let oracle = Late(5);
    let start = TicTacToe::start();
    let playouts = Playouts { tables: Tables::Probe, ..Playouts::default() };
    let mut playouter = Playouter::new(playouts, &NoKnowledge, &oracle, &start);
    for seed in 0..20 {
        let mut state = start.clone();
        let result = playouter.play(&mut state, &mut Rng::new(seed));
        // With four marks the first side is to move, and lost.
        assert_eq!((result.plies, result.reward, result.ended_by), (4, -ONE, End::Tables));
    }
    let later = after(&start, moves(&start)[0]);
    for (playouts, root) in [(playouts, &later), (Playouts::default(), &start)] {
        let mut playouter = Playouter::new(playouts, &NoKnowledge, &oracle, root);
        let result = playouter.play(&mut root.clone(), &mut Rng::new(1));
        assert_eq!(result.ended_by, End::Rules);
    }
}

/// Nothing but small searches.
fn searched(plies: u32) -> Strategy {
    let look = Look::Everywhere;
    let alphabeta = AlphaBeta { width: 2, replies: 2, plies, look, ..AlphaBeta::default() };
    let then = Then::AlphaBeta(alphabeta);
    Strategy::Mixed(Mixed { corrective: 0, spread: None, then, ..Mixed::default() })
}

#[test]
fn chance_is_settled_in_every_kind_of_playout() {
    let start = DiceRace::start();
    let cutoff = Some(Cutoff::default());
    let stepwise = Playouts { cutoff, ..Playouts::default() };
    for playouts in [
        Playouts { redraw: Some(6), ..stepwise },
        Playouts { decisive: Decisive::Anti, ..stepwise },
        heavy(Measure::Eval, 0.5, Ties::Random),
        Playouts { strategy: Strategy::Categories, ..stepwise },
        Playouts { strategy: Strategy::Mixed(Mixed::default()), ..stepwise },
        Playouts { strategy: searched(2), ..stepwise },
        Playouts { strategy: searched(3), ..stepwise },
    ] {
        let mut playouter = Playouter::new(playouts, &NoKnowledge, &NoOracle, &start);
        for seed in 0..50 {
            let mut state = start.clone();
            let result = playouter.play(&mut state, &mut Rng::new(seed));
            assert_eq!(state.outcome().map(of_outcome), Some(result.reward));
        }
    }
}

/// Draws of full weight are plain visits; with less weight the search spreads in another way.
#[test]
fn the_weight_of_draws_changes_the_visits() {
    let visits = |draw_weight, threads| {
        let config = Config { draw_weight, threads, memory: 16 << 20, ..Config::default() };
        let mut search = Search::new(config, tic_tac_toe("x.. .o. ..x"));
        // While one thread lists the root's moves, the iterations of others end there.
        search.run(&Limit::iterations(1));
        let report = search.run(&Limit::iterations(20_000));
        report.moves.iter().map(|entry| (entry.mv, entry.visits)).collect::<Vec<_>>()
    };
    let plain = visits(None, 1);
    assert_eq!(visits(Some(1.0), 1), plain);
    for weight in [0.0, 0.25] {
        let weighted = visits(Some(weight), 1);
        assert_ne!(weighted, plain);
        assert_eq!(visits(Some(weight), 1), weighted);
        // On several threads nothing is lost either.
        assert!(visits(Some(weight), 3).iter().map(|(_, visits)| visits).sum::<u32>() >= 19_990);
    }
}
