//! Chess rules against cozy-chess with its default features: perft with the last ply counted in
//! bulk, and uniformly random playouts. What other playouts are made of, against plies of uniform
//! ones.

use cozy_chess::{BitBoard, Color, Move as PeerMove, Piece, PieceMoves, Square};
use monteverde_bench::{Rate, per_second, table};
use monteverde_chess::{Board, Chess, Move, fen, see};
use monteverde_game::{Game, Outcome, Rng, Ties};
use std::hint::black_box;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Runs every comparison whose title contains the argument, all without one.
fn main() {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let perfts = [
        ("perft of the start to depth 6", fen::START, 6, 119_060_324),
        ("perft of Kiwipete to depth 5", KIWIPETE, 5, 193_690_690),
    ];
    for (title, fen, depth, nodes) in perfts {
        if title.contains(&wanted) {
            let rates = perft_rates(fen, depth, nodes);
            print(title, "nodes a second", &rates);
        }
    }
    let title = "uniform playouts from the start";
    if title.contains(&wanted) {
        print(title, "plies a second", &playout_rates());
    }
    let title = "parts of playouts in random positions";
    if title.contains(&wanted) {
        table(title, "calls a second", &part_rates());
    }
    let title = "stepwise playouts from the start";
    if title.contains(&wanted) {
        table(title, "plies a second", &strategy_rates());
    }
}

fn print(title: &str, unit: &str, rates: &[f64]) {
    let names = ["monteverde", "cozy-chess"];
    let rates: Vec<_> =
        names.into_iter().zip(rates).map(|(name, &rate)| Rate { name, rate }).collect();
    table(title, unit, &rates);
}

fn perft_rates(fen: &str, depth: u32, nodes: u64) -> Vec<f64> {
    const ROUNDS: usize = 7;
    let ours = fen::parse(fen).expect("the FEN is right");
    let peer = cozy_chess::Board::from_fen(fen, false).expect("the FEN is right");
    let check = |counted: u64| {
        assert_eq!(counted, nodes, "{fen}");
        counted
    };
    per_second(
        ROUNDS,
        &mut [&mut || check(ours.perft(depth)), &mut || check(peer_perft(&peer, depth))],
    )
}

fn peer_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += peer_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn playout_rates() -> Vec<f64> {
    const ROUNDS: usize = 15;
    const PLAYOUTS: u32 = 3_000;
    /// What playouts average, by a large experiment; so few come this close.
    const MEAN_PLIES: f64 = 342.8;
    const TOLERANCE: f64 = 15.0;
    let check = |plies: u64| {
        let mean = plies as f64 / f64::from(PLAYOUTS);
        assert!((mean - MEAN_PLIES).abs() < TOLERANCE, "{mean} plies a playout");
        plies
    };
    let mut our_rng = Rng::new(1);
    let mut peer_rng = Rng::new(1);
    let start = Chess::new(Board::start());
    let peer_start = cozy_chess::Board::default();
    let mut ours = || {
        let plies = |_| u64::from(start.clone().playout(&mut our_rng).plies);
        check((0..PLAYOUTS).map(plies).sum())
    };
    let mut peer = || {
        let plies = |_| u64::from(peer_playout(peer_start.clone(), &mut peer_rng));
        check((0..PLAYOUTS).map(plies).sum())
    };
    per_second(ROUNDS, &mut [&mut ours, &mut peer])
}

/// The parts one by one, in the positions of uniform playouts; the last is a ply of a uniform
/// playout.
fn part_rates() -> Vec<Rate> {
    const ROUNDS: usize = 15;
    const PLAYOUTS: u32 = 30;
    let mut rng = Rng::new(1);
    let mut states = Vec::new();
    for _ in 0..PLAYOUTS {
        let mut state = Chess::new(Board::start());
        while let Ok(mv) = state.sample(&mut rng) {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            states.push((state.clone(), moves));
            state.play(mv);
        }
    }
    let each = |call: &mut dyn FnMut(&Chess)| {
        states.iter().for_each(|(state, _)| call(black_box(state)));
        states.len() as u64
    };
    let each_move = |is_wanted: fn(&Board, Move) -> bool| {
        let mut calls = 0;
        for (state, moves) in &states {
            for &mv in moves.iter().filter(|&&mv| is_wanted(state.board(), mv)) {
                black_box(see(state.board(), mv));
                calls += 1;
            }
        }
        calls
    };
    let [mut first_rng, mut random_rng, mut piece_rng, mut uniform_rng] =
        [1, 2, 3, 4].map(Rng::new);
    let rates = per_second(
        ROUNDS,
        &mut [
            &mut || {
                each(&mut |state| {
                    let _ = black_box(state.board().mating_move());
                })
            },
            &mut || {
                each(&mut |state| {
                    let _ = black_box(state.board().best_exchange(Ties::First, &mut first_rng));
                })
            },
            &mut || {
                each(&mut |state| {
                    let _ = black_box(state.board().best_exchange(Ties::Random, &mut random_rng));
                })
            },
            &mut || each_move(|board, mv| board.piece_at(mv.to()).is_some()),
            &mut || each_move(|_, _| true),
            &mut || {
                each(&mut |state| {
                    let _ = black_box(state.sample_by_piece(&mut piece_rng));
                })
            },
            &mut || {
                let start = Chess::new(Board::start());
                let plies = |_| u64::from(start.clone().playout(&mut uniform_rng).plies);
                (0..PLAYOUTS).map(plies).sum()
            },
        ],
    );
    let names = [
        "mating move",
        "best exchange, first",
        "best exchange, random",
        "see of captures",
        "see of all moves",
        "sample by piece",
        "ply of uniform playout",
    ];
    names.into_iter().zip(rates).map(|(name, rate)| Rate { name, rate }).collect()
}

/// Playouts move by move, with what the thesis adds to them.
fn strategy_rates() -> Vec<Rate> {
    const ROUNDS: usize = 15;
    /// The best setting of the thesis, table 3.
    const EPSILON: f64 = 0.4;
    let greedy = |state: &Chess, ties: Ties, rng: &mut Rng| {
        if rng.unit() < EPSILON {
            state.sample(rng)
        } else {
            state.board().best_exchange(ties, rng)
        }
    };
    let [mut first, mut random, mut decisive, mut by_piece, mut uniform] =
        [1, 2, 3, 4, 5].map(Rng::new);
    let rates = per_second(
        ROUNDS,
        &mut [
            &mut || plies(&mut first, |state, rng| greedy(state, Ties::First, rng)),
            &mut || plies(&mut random, |state, rng| greedy(state, Ties::Random, rng)),
            &mut || {
                plies(&mut decisive, |state, rng| match state.board().mating_move() {
                    Some(mv) => Ok(mv),
                    None => state.sample(rng),
                })
            },
            &mut || plies(&mut by_piece, |state, rng| state.sample_by_piece(rng)),
            &mut || plies(&mut uniform, |state, rng| state.sample(rng)),
        ],
    );
    let names =
        ["greedy 0.4, first", "greedy 0.4, random", "decisive", "by piece", "uniform, stepwise"];
    names.into_iter().zip(rates).map(|(name, rate)| Rate { name, rate }).collect()
}

/// The plies of some playouts from the start, each move drawn by the function.
fn plies(rng: &mut Rng, draw: impl Fn(&Chess, &mut Rng) -> Result<Move, Outcome>) -> u64 {
    const PLAYOUTS: u32 = 300;
    let mut plies = 0;
    for _ in 0..PLAYOUTS {
        let mut state = Chess::new(Board::start());
        while let Ok(mv) = draw(&state, rng) {
            state.advance(mv);
            plies += 1;
        }
    }
    plies
}

/// Plays until mate, stalemate, fifty moves or insufficient material, and returns the plies.
fn peer_playout(mut board: cozy_chess::Board, rng: &mut Rng) -> u32 {
    let mut plies = 0;
    // Made once a playout, as ours are.
    let nothing = PieceMoves { piece: Piece::Pawn, from: Square::A1, to: BitBoard::EMPTY };
    let mut sets = [(nothing, 0); SETS];
    while board.halfmove_clock() < 100 && !is_insufficient_material(&board) {
        let Some(mv) = peer_sample(&board, rng, &mut sets) else { return plies };
        board.play_unchecked(mv);
        plies += 1;
    }
    plies
}

/// More sets than 16 pieces give: one a piece, en passant included twice.
const SETS: usize = 20;

/// A uniformly random legal move: the sets of moves with their sizes, then a draw, then the move.
fn peer_sample(
    board: &cozy_chess::Board,
    rng: &mut Rng,
    sets: &mut [(PieceMoves, u32); SETS],
) -> Option<PeerMove> {
    let mut len = 0;
    let mut total = 0;
    board.generate_moves(|moves| {
        let count = moves.len() as u32;
        sets[len] = (moves, count);
        len += 1;
        total += count;
        false
    });
    if total == 0 {
        return None;
    }
    let mut n = rng.below(total);
    for &(moves, count) in &sets[..len] {
        if n < count {
            return Some(nth_move(board, moves, n));
        }
        n -= count;
    }
    unreachable!("the counts add up to the total")
}

fn nth_move(board: &cozy_chess::Board, moves: PieceMoves, n: u32) -> PeerMove {
    const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
    let last_rank = if board.side_to_move() == Color::White { 7 } else { 0 };
    let is_pawn = moves.piece == Piece::Pawn;
    // A pawn one step from the last rank has nothing but promotions.
    let promotes =
        is_pawn && moves.to.next_square().is_some_and(|to| to.rank() as usize == last_rank);
    let (skip, promotion) =
        if promotes { (n / 4, Some(PROMOTIONS[n as usize % 4])) } else { (n, None) };
    let mut to = moves.to.0;
    for _ in 0..skip {
        to &= to - 1;
    }
    PeerMove { from: moves.from, to: Square::index(to.trailing_zeros() as usize), promotion }
}

fn is_insufficient_material(board: &cozy_chess::Board) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !heavy.is_empty() {
        return false;
    }
    let knights = board.pieces(Piece::Knight);
    let bishops = board.pieces(Piece::Bishop);
    if knights.is_empty() {
        (bishops & BitBoard::DARK_SQUARES).is_empty()
            || (bishops & BitBoard::LIGHT_SQUARES).is_empty()
    } else {
        bishops.is_empty() && knights.len() == 1
    }
}
