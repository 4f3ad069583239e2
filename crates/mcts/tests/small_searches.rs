//! Greedy playouts over the heaviest moves, and those of a search of a few plies, against naive
//! transcriptions of *αβ-based Play-outs in Monte-Carlo Tree Search*, sections III-B and IV.

use monteverde_chess::Chess;
use monteverde_game::fixtures::TicTacToe;
use monteverde_game::playout_knowledge::{LOST, WON};
use monteverde_game::{
    Game, Knowledge, NoOracle, Notation, Outcome, PlayoutKnowledge, Rng, Side, Step, Ties,
};
use monteverde_mcts::playout::{
    AlphaBeta, Cutoff, Decisive, End, Greedy, Killers, Look, Mixed, Playouter, Playouts, Strategy,
    Then,
};
use monteverde_mcts::reward::ONE;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Knowledge of nothing in particular, but always the same: numbers by the state.
#[derive(Default)]
struct Noise {
    evals: AtomicU64,
}

/// Evals lie between this and its opposite.
const MOST: u64 = 1000;

fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number ^ number >> 29
}

impl<G: Game> Knowledge<G> for Noise {
    fn eval(&self, state: &G) -> Option<f32> {
        self.evals.fetch_add(1, Relaxed);
        Some((mix(state.recomputed_key()) % (2 * MOST)) as f32 - MOST as f32)
    }
    fn weight(&self, state: &G, mv: G::Move) -> Option<f32> {
        // Few values, so that some moves are equal.
        Some((mix(state.recomputed_key() ^ u64::from(mv.to_bits())) % 5) as f32)
    }
}

impl<G: Game> PlayoutKnowledge<G> for Noise {}

fn moves<G: Game>(state: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

fn after<G: Game>(state: &G, mv: G::Move) -> G {
    let mut after = state.clone();
    after.advance(mv);
    after
}

/// The moves of a state, heaviest first, of equals in generation order.
fn by_weight<G: Game>(state: &G) -> Vec<G::Move> {
    let weight = |mv: G::Move| Noise::default().weight(state, mv).expect("a weight");
    let mut moves = moves(state);
    moves.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)));
    moves
}

/// What a state is worth to the side to move.
fn evaluate<G: Game>(state: &G) -> f32 {
    match state.playout_outcome() {
        Some(Outcome::Draw) => 0.0,
        Some(Outcome::Win(side)) => {
            if side == state.turn() {
                WON
            } else {
                LOST
            }
        }
        None => Noise::default().eval(state).expect("an eval"),
    }
}

fn win<G: Game>(state: &G) -> Option<G::Move> {
    moves(state).into_iter().find(|&mv| evaluate(&after(state, mv)) == LOST)
}

fn playouts(then: Then, threshold: Option<f32>) -> Playouts {
    let mixed = Mixed { corrective: 0, spread: None, then, ..Mixed::default() };
    let cutoff = threshold.map(|threshold| Cutoff { threshold, every: 1, ..Cutoff::default() });
    let most_plies = Some(40);
    Playouts { strategy: Strategy::Mixed(mixed), cutoff, most_plies, ..Playouts::default() }
}

/// What a playout may end by, and how often it did.
type Endings = HashMap<&'static str, u32>;

/// Plays out many states and compares every move with what `naive` says: the move and what it is
/// worth to the side that plays it. Beyond the threshold the playout must end as a win of the side
/// ahead.
fn compare<G: Game>(
    start: &G,
    playouts: Playouts,
    mut naive: impl FnMut(&G, u32) -> (G::Move, f32),
) -> Endings {
    let threshold = playouts.cutoff.map_or(f32::INFINITY, |cutoff| cutoff.threshold);
    let noise = Noise::default();
    let mut playouter = Playouter::new(playouts, &noise, &NoOracle, start);
    let mut endings = Endings::new();
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut state = start.clone();
        // A few random moves first, an odd number half of the time.
        for _ in 0..rng.below(4) {
            let mv = state.sample(&mut rng).expect("the game goes on");
            state.advance(mv);
        }
        let mut replayed = state.clone();
        let mut record = Vec::new();
        let result = playouter.play_recorded(&mut state, &mut rng, &mut record);
        let mut expected = None;
        for (ply, &(side, mv)) in record.iter().enumerate() {
            assert_eq!((expected, side), (None, replayed.turn()), "the playout went on");
            let (wanted, value) = naive(&replayed, ply as u32);
            assert_eq!(mv, wanted, "ply {ply} of playout {seed}");
            replayed.advance(mv);
            if value.abs() > threshold {
                let is_first = (side == Side::First) == (value > 0.0);
                expected = Some(if is_first { ONE } else { -ONE });
            }
        }
        if let Some(reward) = expected {
            assert_eq!(result.reward, reward, "the end of playout {seed}");
            assert!(matches!(result.ended_by, End::Cutoff | End::Rules));
        }
        *endings.entry(result.ended_by.name().unwrap_or("rules")).or_default() += 1;
    }
    endings
}

#[test]
fn greedy_playouts_play_the_best_of_the_heaviest_moves_or_win() {
    for (considered, threshold) in [(1, Some(700.0)), (3, Some(900.0)), (7, None), (300, None)] {
        let greedy = |state: &Chess, _: u32| {
            if let Some(win) = win(state) {
                return (win, WON);
            }
            let mut best = (moves(state)[0], f32::NEG_INFINITY);
            for mv in by_weight(state).into_iter().take(considered as usize) {
                let value = -evaluate(&after(state, mv));
                if value > best.1 {
                    best = (mv, value);
                }
            }
            best
        };
        let then = Then::Greedy(Greedy { considered: Some(considered), ties: Ties::First });
        let endings = compare(&Chess::start(), playouts(then, threshold), greedy);
        assert_eq!(endings.contains_key("cutoff"), threshold.is_some(), "{endings:?}");
    }
}

/// The eval of a state that was looked at when its move was chosen is not asked for again.
#[test]
fn a_greedy_ply_costs_as_many_evals_as_moves_are_considered() {
    for decisive in [Decisive::Off, Decisive::Wins] {
        let then = Then::Greedy(Greedy { considered: Some(4), ties: Ties::Random });
        let playouts = Playouts { decisive, ..playouts(then, Some(MOST as f32)) };
        let noise = Noise::default();
        let start = Chess::start();
        let mut playouter = Playouter::new(playouts, &noise, &NoOracle, &start);
        let mut plies = 0;
        for seed in 0..10 {
            let result = playouter.play(&mut start.clone(), &mut Rng::new(seed));
            assert_eq!((result.plies, result.ended_by), (40, End::Length));
            plies += u64::from(result.plies);
        }
        assert_eq!(noise.evals.load(Relaxed), 4 * plies);
    }
}

/// Figure 3 as printed, but for `n_look`, which is "all moves" at the first ply and 0 below: a win
/// is looked for first. Below the second ply `n_eval` is what it is there, and `n_look` may be "all
/// moves" at every ply.
struct Naive<M> {
    alphabeta: AlphaBeta,
    /// The best comes first.
    killers: HashMap<(u32, Side), Vec<M>>,
}

impl<M: Step> Naive<M> {
    fn get_moves<G: Game<Move = M>>(&self, state: &G, level: u32) -> Vec<M> {
        let mut moves = by_weight(state);
        let killers = self.killers.get(&(level, state.turn())).cloned().unwrap_or_default();
        let is_killer = |mv: &M| killers.contains(mv);
        let mut first: Vec<M> = killers.iter().copied().filter(|mv| moves.contains(mv)).collect();
        moves.retain(|mv| !is_killer(mv));
        first.extend(moves);
        first
    }

    fn sab<G: Game<Move = M>>(
        &mut self,
        state: &G,
        (level, ply): (u32, u32),
        (alpha, beta): (f32, f32),
    ) -> (Option<M>, f32) {
        let AlphaBeta { width, replies, plies, killers, look } = self.alphabeta;
        if ply == plies || state.playout_outcome().is_some() {
            return (None, evaluate(state));
        }
        let n_eval = if ply == 0 { width } else { replies };
        let (mut best, mut best_move) = (alpha, None);
        for (i, mv) in self.get_moves(state, level).into_iter().enumerate() {
            if i >= n_eval as usize {
                break;
            }
            let v = -self.sab(&after(state, mv), (level + 1, ply + 1), (-beta, -best)).1;
            if v > best {
                (best, best_move) = (v, Some(mv));
                if best >= beta {
                    break;
                }
            }
        }
        if look == Look::Everywhere
            && best < beta
            && let Some(win) = win(state)
        {
            (best, best_move) = (WON, Some(win));
        }
        if killers == Killers::On
            && let Some(mv) = best_move
        {
            let killers = self.killers.entry((level, state.turn())).or_default();
            killers.retain(|&killer| killer != mv);
            killers.insert(0, mv);
            killers.truncate(2);
        }
        (best_move, best)
    }

    fn choose<G: Game<Move = M>>(&mut self, state: &G, level: u32, beta: f32) -> (M, f32) {
        if let Some(win) = win(state) {
            return (win, WON);
        }
        let first = self.get_moves(state, level)[0];
        match self.sab(state, (level, 0), (-beta, beta)) {
            (Some(mv), value) if value >= beta => (mv, WON),
            (Some(mv), value) => (mv, value),
            (None, _) => (first, LOST),
        }
    }
}

fn check_alphabeta<G: Game>(start: &G, alphabeta: AlphaBeta, threshold: Option<f32>) -> Endings {
    let mut naive = Naive { alphabeta, killers: HashMap::new() };
    let beta = threshold.unwrap_or(f32::INFINITY);
    let playouts = playouts(Then::AlphaBeta(alphabeta), threshold);
    compare(start, playouts, |state, level| naive.choose(state, level, beta))
}

/// Counts what ended the playouts of several comparisons.
fn add(ended: &mut Endings, endings: Endings) {
    endings.into_iter().for_each(|(name, count)| *ended.entry(name).or_default() += count);
}

#[test]
fn a_search_of_two_plies_chooses_as_the_printed_one_does() {
    let mut ended = Endings::new();
    for killers in [Killers::On, Killers::Off] {
        for (width, replies) in [(7, 5), (2, 3), (1, 1), (300, 300)] {
            let alphabeta = AlphaBeta { width, replies, killers, ..AlphaBeta::default() };
            for threshold in [Some(600.0), Some(900.0), None] {
                let is_slow = width == 300 && (threshold.is_none() || killers == Killers::Off);
                if !is_slow {
                    add(&mut ended, check_alphabeta(&Chess::start(), alphabeta, threshold));
                }
                check_alphabeta(&TicTacToe::start(), alphabeta, threshold);
            }
        }
    }
    assert!(ended["cutoff"] > 100 && ended["length"] > 100, "{ended:?}");
}

#[test]
fn a_search_of_more_plies_chooses_as_the_printed_one_would() {
    let mut ended = Endings::new();
    for killers in [Killers::On, Killers::Off] {
        for (width, replies, plies) in [(7, 5, 3), (2, 3, 3), (1, 1, 3), (2, 3, 4)] {
            let alphabeta = AlphaBeta { width, replies, plies, killers, look: Look::Root };
            for threshold in [Some(600.0), None] {
                // The paper's widths without a window are slow in chess, and tell no more.
                if threshold.is_some() || width < 7 {
                    add(&mut ended, check_alphabeta(&Chess::start(), alphabeta, threshold));
                }
            }
        }
        for (width, replies, plies) in [(7, 5, 3), (300, 300, 3), (2, 3, 4), (300, 300, 4)] {
            for look in [Look::Root, Look::Everywhere] {
                let alphabeta = AlphaBeta { width, replies, plies, killers, look };
                check_alphabeta(&TicTacToe::start(), alphabeta, Some(600.0));
                check_alphabeta(&TicTacToe::start(), alphabeta, None);
            }
        }
    }
    assert!(ended["cutoff"] > 100 && ended["length"] > 100, "{ended:?}");
}

/// Each leads to other moves than the paper's search.
#[test]
fn plies_and_killers_change_which_moves_are_played() {
    let moves = |alphabeta| {
        let (noise, start) = (Noise::default(), Chess::start());
        let playouts = playouts(Then::AlphaBeta(alphabeta), Some(900.0));
        let mut playouter = Playouter::new(playouts, &noise, &NoOracle, &start);
        let mut all = Vec::new();
        for seed in 0..10 {
            let mut record = Vec::new();
            playouter.play_recorded(&mut start.clone(), &mut Rng::new(seed), &mut record);
            all.push(record);
        }
        all
    };
    let printed = AlphaBeta::default();
    let changed = [
        printed,
        AlphaBeta { plies: 3, ..printed },
        AlphaBeta { plies: 4, ..printed },
        AlphaBeta { killers: Killers::Off, ..printed },
        AlphaBeta { killers: Killers::Off, plies: 3, ..printed },
    ]
    .map(moves);
    for (index, one) in changed.iter().enumerate() {
        assert!(!changed[..index].contains(one), "search {index} plays like another");
    }
}

/// The paper's widths look at a fraction of the 7 x 5 states, thanks to the window and the order.
#[test]
fn cutoffs_save_most_evals() {
    let then = Then::AlphaBeta(AlphaBeta::default());
    let noise = Noise::default();
    let start = Chess::start();
    let mut playouter =
        Playouter::new(playouts(then, Some(MOST as f32)), &noise, &NoOracle, &start);
    let plies: u64 = (0..20)
        .map(|seed| u64::from(playouter.play(&mut start.clone(), &mut Rng::new(seed)).plies))
        .sum();
    let evals = noise.evals.load(Relaxed) as f64 / plies as f64;
    assert!((7.0..24.0).contains(&evals), "{evals} evals a ply");
}

#[test]
fn replies_beyond_the_width_that_win_are_seen_where_they_are_looked_for() {
    // Second threatens to win on c2, where First can prevent it.
    let state = TicTacToe::parse_state("x.. oo. x..").expect("a state of the test");
    let chosen = |look| {
        let alphabeta = AlphaBeta { width: 9, replies: 1, look, ..AlphaBeta::default() };
        let then = Then::AlphaBeta(alphabeta);
        let (noise, mut record) = (Noise::default(), Vec::new());
        let mut playouter = Playouter::new(playouts(then, None), &noise, &NoOracle, &state);
        playouter.play_recorded(&mut state.clone(), &mut Rng::new(1), &mut record);
        state.move_text(record[0].1)
    };
    assert_eq!(chosen(Look::Everywhere), "c2");
    assert_ne!(chosen(Look::Root), "c2");
}
