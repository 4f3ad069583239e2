//! A plain alpha-beta search, boards of random games, and games between two ways to choose a move.

use monteverde_chess::{Board, Chess, Move, Piece};
use monteverde_game::{Game, Outcome, Rng};

/// A board from a random game in which nobody may castle, at any stage of it.
pub(crate) fn random_board(rng: &mut Rng) -> Board {
    let mut state = Chess::new(Board::start());
    for _ in 0..20 + rng.below(150) {
        match state.sample(rng) {
            Ok(mv) => state.play(mv),
            Err(_) => return random_board(rng),
        }
    }
    *state.board()
}

/// Plays on to the end of the game.
pub(crate) fn play_out(mut state: Chess, mut choose: impl FnMut(&Chess) -> Move) -> Outcome {
    loop {
        if let Some(outcome) = state.outcome() {
            return outcome;
        }
        let mv = choose(&state);
        state.play(mv);
    }
}

/// The best move by alpha-beta to that depth, the first of several.
pub(crate) fn best_by_search(
    state: &Chess,
    depth: u32,
    mut eval: impl FnMut(&Board) -> i32,
) -> Move {
    let mut best = None;
    let mut low = -WIN;
    for mv in moves(state) {
        let mut after = state.clone();
        after.play(mv);
        let value = -search(&after, depth - 1, (-WIN, -low), &mut eval);
        if best.is_none() || value > low {
            (best, low) = (Some(mv), value);
        }
    }
    best.expect("there is a move")
}

/// What the side to move has more in material, in pawns.
pub(crate) fn material(board: &Board) -> i32 {
    const WORTH: [i32; 6] = [1, 3, 3, 5, 9, 0];
    let own = board.color(board.turn());
    let worth = |piece: Piece| {
        let all = board.pieces(piece);
        WORTH[piece.index()] * (2 * (all & own).count() as i32 - all.count() as i32)
    };
    Piece::ALL.map(worth).into_iter().sum()
}

const WIN: i32 = 1_000_000;

fn search(
    state: &Chess,
    depth: u32,
    (mut low, high): (i32, i32),
    eval: &mut impl FnMut(&Board) -> i32,
) -> i32 {
    match state.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(_) => return -WIN + 100 - depth as i32,
        None if depth == 0 => return eval(state.board()),
        None => {}
    }
    for mv in moves(state) {
        let mut after = state.clone();
        after.play(mv);
        low = low.max(-search(&after, depth - 1, (-high, -low), eval));
        if low >= high {
            break;
        }
    }
    low
}

/// The moves, captures first.
fn moves(state: &Chess) -> Vec<Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.sort_by_key(|mv| !state.board().occupied().contains(mv.to()));
    moves
}
